"""Exact coincidences: how many rare numbers two appearances have in common.

The *marks* of an appearance are one number for each of its neighbours: an inner neighbour's degree, the number of
neighbours that the two share, or both at once. What two appearances share counts by its rarity, log2(appearances /
entries with that mark) in the release at hand: everybody has neighbours with 6 contacts, few have one with 1,731.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.features.channels.surroundings import INNER
from thinveil.features.views import View, kept_neighbors
from thinveil.runtime.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_AT_ONCE = 4096  # appearances whose marks are sorted by one thread


@dataclass(frozen=True, eq=False)
class Marks:
    """Marks of every appearance in ascending order: the r-th has ``marks[starts[r] : starts[r + 1]]``.

    Marks are numbered from 0 on; ``rarity`` holds what each is worth, ``totals`` the sum over each appearance's.
    """

    starts: I64
    marks: I32
    rarity: F64
    totals: F64

    @classmethod
    def of(cls, counts: I64, values: I64) -> Marks:
        """Give numbers to the values and sort them; the first ``counts[0]`` are the first appearance's, and so on."""
        starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        marks, entries = _number(values)
        rarity = np.log2(counts.size / entries + 1.0)
        map_chunks(lambda a, b: _sort_each(starts[a : b + 1], marks), counts.size, chunk=_AT_ONCE)
        sums = np.concatenate(([0.0], np.cumsum(rarity[marks])))
        return cls(starts, marks, rarity, sums[starts[1:]] - sums[starts[:-1]])


def make_marks(view: View) -> tuple[Marks, Marks, Marks]:
    """Return the marks of all appearances: degrees of inner neighbours, shared neighbours, and both at once."""
    neighbors, inner = kept_neighbors(view), view.channels["surroundings"][:, INNER] > 0
    counts, is_inner = neighbors.counts, inner[neighbors.indices]
    owner = np.repeat(np.arange(counts.size), counts)
    inner_counts = np.bincount(owner[is_inner], minlength=counts.size)
    degrees = view.degree[neighbors.indices[is_inner]].astype(np.int64)
    shared = neighbors.shared.astype(np.int64)
    return (
        Marks.of(inner_counts, degrees),
        Marks.of(counts, shared),
        Marks.of(inner_counts, degrees << 32 | shared[is_inner]),
    )


def _number(values: I64) -> tuple[I32, I64]:
    """Give numbers to the distinct values, in ascending order, and count the entries of each."""
    top = int(values.max(initial=0))
    if top < max(1 << 20, values.size):  # counting is far cheaper than sorting
        entries = np.bincount(values, minlength=1)
        there = entries > 0
        return (np.cumsum(there, dtype=np.int32) - 1)[values], entries[there]
    _, marks, entries = np.unique(values, return_inverse=True, return_counts=True)
    return marks.astype(np.int32), entries


@numba.njit(cache=True, nogil=True)
def _sort_each(starts: I64, marks: I32) -> None:
    for row in range(starts.size - 1):
        marks[starts[row] : starts[row + 1]].sort()


@numba.njit(cache=True, nogil=True)
def count_common(starts: I64, marks: I32, rarity: F64, one: int, two: int) -> tuple[int, float]:
    """Return how many marks two appearances have in common, each as often as both have it, and what these are worth."""
    i, j = starts[one], starts[two]
    count, worth = 0, 0.0
    while i < starts[one + 1] and j < starts[two + 1]:
        if marks[i] == marks[j]:
            count += 1
            worth += rarity[marks[i]]
            i += 1
            j += 1
        elif marks[i] < marks[j]:
            i += 1
        else:
            j += 1
    return count, worth
