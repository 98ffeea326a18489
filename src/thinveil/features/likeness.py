"""How alike two lists of numbers are: kernels that write into the columns of a comparison.

In kernels a ``row`` is an appearance's number in the view.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.features.coincidences import count_common

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


DIFFER, COSINE = "difference of the two histograms, as a share of both", "cosine of the two histograms"
COUNT, WORTH = "marks in common", "what these are worth by their rarity"
MARKS_COSINE, MARKS_SHARE = "that as a share of what both have", "that as a share of what the poorer has"


class Bins(NamedTuple):
    """Where a histogram stands in a channel, and the two columns to which its comparison goes."""

    first: int
    last: int
    differ: int
    cosine: int


class Marked(NamedTuple):
    """The four columns to which the comparison of marks goes."""

    number: int
    worth: int
    cosine: int
    share: int


@numba.njit(cache=True, nogil=True)
def compare_bins(rows: I32, bins: Bins, left: I64, right: I64, lines: F32) -> None:
    """Write how far two histograms differ, as a share of both, and the cosine between them."""
    for k in range(left.size):
        differ, total, product, one, two = 0.0, 0.0, 0.0, 0.0, 0.0
        for b in range(bins.first, bins.last):
            x, y = np.float64(rows[left[k], b]), np.float64(rows[right[k], b])
            differ += abs(x - y)
            total += x + y
            product += x * y
            one += x * x
            two += y * y
        lines[k, bins.differ] = differ / max(total, 1.0)
        lines[k, bins.cosine] = product / np.sqrt(max(one * two, 1.0))


@numba.njit(cache=True, nogil=True)
def compare_marks(
    starts: I64, marks: I32, rarity: F64, totals: F64, left: I64, right: I64, lines: F32, at: Marked
) -> None:
    """Write count and worth of common marks, and their share of what both have, and of what the poorer has."""
    for k in range(left.size):
        count, worth = count_common(starts, marks, rarity, left[k], right[k])
        one, two = totals[left[k]], totals[right[k]]
        lines[k, at.number], lines[k, at.worth] = count, worth
        lines[k, at.cosine] = worth / np.sqrt(max(one * two, 1.0))
        lines[k, at.share] = worth / max(min(one, two), 1.0)
