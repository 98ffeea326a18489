"""To whom a name is given: to the surest, as long as few of the published people would get a wrong one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def limit_wrong(sure: NDArray[Any], allowed: float, lost: float) -> float:
    """Return from which probability on names are given, so that by these no more than so many are wrong.

    No more than a share ``lost`` of the right names is given up for that, however many are wrong.

    Examples
    --------
    >>> sure = np.array([0.9, 0.5, 0.75, 0.75])
    >>> limit_wrong(sure, 0.6, 1.0)
    0.75
    >>> limit_wrong(sure, 0.0, 0.25)
    0.75
    """
    falling = np.sort(sure.astype(np.float64))[::-1]
    right = np.cumsum(falling)
    given = np.cumsum(1 - falling) <= allowed
    given |= np.append(0.0, right[:-1]) < (1 - lost) * right[-1:].sum()
    return float(falling[given][-1]) if given.any() else 1.0
