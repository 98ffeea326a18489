"""The best few candidates of each person, in descending order of evidence; of equals the first to come stays before."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

I32 = NDArray[np.int32]
F32 = NDArray[np.float32]

KEPT = 3
_NONE = np.float32(-np.inf)


class Best(NamedTuple):
    """The best few of each person: whom, the evidence, and how many linked neighbours are shared; -1 for nobody."""

    other: I32
    evidence: F32
    shared: I32

    @classmethod
    def empty(cls, people: int) -> Best:
        """Return a table with nobody in it."""
        shape = (people, KEPT)
        return cls(np.full(shape, -1, np.int32), np.full(shape, _NONE), np.zeros(shape, np.int32))


@numba.njit(cache=True, nogil=True)
def offer(best: Best, person: int, other: int, evidence: np.float32, shared: np.int32) -> None:
    """Put one more into its place among the best of a person, if it has one there."""
    if not evidence > best.evidence[person, KEPT - 1]:
        return
    k = KEPT - 1
    while k > 0 and best.evidence[person, k - 1] < evidence:
        best.other[person, k] = best.other[person, k - 1]
        best.evidence[person, k] = best.evidence[person, k - 1]
        best.shared[person, k] = best.shared[person, k - 1]
        k -= 1
    best.other[person, k], best.evidence[person, k], best.shared[person, k] = other, evidence, shared


@numba.njit(cache=True, nogil=True)
def merge(best: Best, more: Best) -> None:
    """Add the best of later people to those of earlier ones."""
    for person in range(best.other.shape[0]):
        for k in range(KEPT):
            if more.other[person, k] >= 0:
                offer(best, person, more.other[person, k], more.evidence[person, k], more.shared[person, k])
