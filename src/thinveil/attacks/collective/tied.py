"""Appearances with ties in common: the same calls with somebody, to the second, are rarely those of two people.

A tie that two sub-graphs publish gives both its ends the same mark in both (see ``features.ties``). Of every other
sub-graph an appearance is compared with the one with which it has most in common, by the rarity of the marks, and only
with the best of these.
"""

from __future__ import annotations

import numba
import numpy as np

from thinveil.attacks.collective.appearances import F64, I32, I64
from thinveil.features.coincidences import Marks
from thinveil.features.pairs import Pairs
from thinveil.runtime.threads import map_chunks

_MOST, _LEAST, _PAIRS = 20, 3, 400_000  # pairs of an appearance, and of all together about
_AT_ONCE = 512
_ENTRIES = 400  # a mark with more entries than this is shared by too many to say who is who


def list_tied(marks: Marks, subgraph: I32) -> Pairs:
    """Return the pairs of appearances of two sub-graphs that have most rare marks in common, in ascending order.

    Examples
    --------
    >>> marks = Marks.of(np.array([2, 1, 1, 2]), np.array([7, 8, 9, 9, 7, 8]))
    >>> pairs = list_tied(marks, np.array([0, 0, 1, 1], dtype=np.int32))
    >>> list(zip(pairs.left.tolist(), pairs.right.tolist()))
    [(0, 3), (1, 2)]
    """
    count = subgraph.size
    most = int(np.clip(_PAIRS // max(1, count), _LEAST, _MOST))
    owner = np.repeat(np.arange(count, dtype=np.int32), np.diff(marks.starts))
    holders = owner[np.argsort(marks.marks, kind="stable")]
    ends = np.concatenate(([0], np.cumsum(np.bincount(marks.marks, minlength=marks.rarity.size)))).astype(np.int64)
    best = np.full((count, most), -1, dtype=np.int32)

    def find(first: int, last: int) -> None:
        find_tied(first, last, marks.starts, marks.marks, marks.rarity, holders, ends, subgraph, best)

    map_chunks(find, count, chunk=_AT_ONCE)
    left, number = np.nonzero(best >= 0)
    right = best[left, number].astype(np.int64)
    keys = np.unique(np.minimum(left, right) * count + np.maximum(left, right))
    return Pairs(keys // max(1, count), keys % max(1, count))


@numba.njit(cache=True, nogil=True)
def find_tied(
    first: int, last: int, starts: I64, marks: I32, rarity: F64, holders: I32, ends: I64, subgraph: I32, best: I32
) -> None:
    """Write for appearances ``first`` to ``last`` with whom they have most in common, the best first.

    ``holders[ends[m] : ends[m + 1]]`` are the appearances that have mark m, in ascending order.
    """
    worth, partner = np.zeros(subgraph.size), np.full(subgraph.max() + 1, -1, dtype=np.int32)
    for row in range(first, last):
        for k in range(starts[row], starts[row + 1]):
            mark = marks[k]
            if (k > starts[row] and marks[k - 1] == mark) or ends[mark + 1] - ends[mark] > _ENTRIES:
                continue
            for j in range(ends[mark], ends[mark + 1]):
                other = holders[j]
                if subgraph[other] == subgraph[row] or (j > ends[mark] and holders[j - 1] == other):
                    continue
                worth[other] += rarity[mark]
        _best_of_each(row, starts, marks, holders, ends, subgraph, worth, partner)
        found = np.flatnonzero(partner >= 0)
        scores = np.empty(found.size)
        for i in range(found.size):
            scores[i] = -worth[partner[found[i]]]
        order = np.argsort(scores, kind="mergesort")
        for i in range(min(found.size, best.shape[1])):
            best[row, i] = partner[found[order[i]]]
        partner[:] = -1
        _clear(row, starts, marks, holders, ends, worth)


@numba.njit(cache=True, nogil=True)
def _best_of_each(
    row: int, starts: I64, marks: I32, holders: I32, ends: I64, subgraph: I32, worth: F64, partner: I32
) -> None:
    """Note of every other sub-graph who has most in common with an appearance; of equals the first."""
    for k in range(starts[row], starts[row + 1]):
        if ends[marks[k] + 1] - ends[marks[k]] > _ENTRIES:
            continue
        for j in range(ends[marks[k]], ends[marks[k] + 1]):
            other, leader = holders[j], partner[subgraph[holders[j]]]
            if worth[other] <= 0:
                continue
            if leader < 0 or (worth[other], -other) > (worth[leader], -leader):
                partner[subgraph[other]] = other


@numba.njit(cache=True, nogil=True)
def _clear(row: int, starts: I64, marks: I32, holders: I32, ends: I64, worth: F64) -> None:
    for k in range(starts[row], starts[row + 1]):
        if ends[marks[k] + 1] - ends[marks[k]] <= _ENTRIES:
            for j in range(ends[marks[k]], ends[marks[k] + 1]):
                worth[holders[j]] = 0.0
