"""Arrays out of whatever a user gives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError


def check_array(name: str, values: Any) -> NDArray[Any]:
    """Return anything as an array, if it can be one."""
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{name} cannot be made an array: {str(error).splitlines()[0]}") from None
