"""Entropy in whole numbers.

The entropy of a node with ``n`` points, ``a`` of one class and ``b`` of the other, times ``n``, is
``n log n - a log a - b log b``. All that a split needs is therefore a table of ``k log2 k``. We keep it in
fixed point and compute it with integers only: sums of table entries are exact, so the same seed grows the
same forest on every machine, whatever its logarithm does in the last bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FRACTION_BITS = 36
"""Table entries are ``k log2 k`` in units of 2**-36 bits."""

_WORK_BITS = 60


def entropy_table(size: int) -> NDArray[np.int64]:
    """Return ``k log2 k`` for k below ``size``, in units of ``2**-FRACTION_BITS``.

    Examples
    --------
    >>> (entropy_table(9)[[0, 1, 2, 4, 8]] >> FRACTION_BITS).tolist()
    [0, 0, 2, 8, 24]
    """
    scaled = [0] + [k * _log2(k) for k in range(1, size)]
    half = 1 << (_WORK_BITS - FRACTION_BITS - 1)
    return np.array([(value + half) >> (_WORK_BITS - FRACTION_BITS) for value in scaled], dtype=np.int64)


def _log2(k: int) -> int:
    """Return log2 of a whole number in units of 2**-60: the binary digits come by repeated squaring."""
    whole = k.bit_length() - 1
    mantissa = (k << _WORK_BITS) >> whole
    digits = 0
    for _ in range(_WORK_BITS):
        mantissa = mantissa * mantissa >> _WORK_BITS
        digits <<= 1
        if mantissa >> (_WORK_BITS + 1):
            mantissa >>= 1
            digits |= 1
    return (whole << _WORK_BITS) + digits
