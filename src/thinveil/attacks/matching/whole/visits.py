"""The pass itself: from each person over linked neighbours to all who may be that person.

Whoever reaches the bar shares enough of a person's linked neighbours. So some of these, those with the most
contacts, need not be opened: who shares no other one with the person cannot reach the bar::

    u --- x1 (4 contacts), x2 (9), x3 (50) | x4 (700), x5 (2,000)
          opened: their links' neighbours    closed: looked for among the neighbours of those whom the others found

This leaves out no pair that reaches the bar, and most of the work. Where many were found, it is less to open the others
too than to ask for them one by one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.whole.best import Best, offer

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

LEAST = np.float32(0.05)  # a shared neighbour never speaks against a pair
_CLOSE = np.float32(1e-3)  # more than the rounding of what is added up
_NONE = np.float32(-np.inf)
_ONE = 2.0**20
"""Counts and weights are held in one number, so that a visit touches memory once: a count is so much, a weight less."""


class Near(NamedTuple):
    """Everybody's linked neighbours; of person u from ``starts[u]`` on, those with the fewest to visit first.

    Beside each the person that it is linked to, and how much a pair gains by sharing it, before the pair's own degrees
    count.
    """

    starts: I64
    others: I32
    gains: F32


class Side(NamedTuple):
    """What a pass needs of each person on one side: linked neighbours, and half the log of the degree."""

    near: Near
    half: F32


class Rows(NamedTuple):
    """Who knows whom on the right, each row in ascending order of linked neighbours; beside each what a pass needs."""

    starts: I64
    others: I32
    linked: I32
    half: F32


@numba.njit(cache=True, nogil=True)
def visit_pairs(
    left: Side, right: Side, rows: Rows, against: np.float32, bar: np.float32, people: I32, mine: Best, theirs: Best
) -> None:
    """Fill the best few of some people of the left, and of everybody on the right among these people."""
    nodes = rows.starts.size - 1
    held, found = np.zeros(nodes), np.empty(nodes + 1, dtype=np.int32)
    told = np.full(nodes, _NONE, dtype=np.float32)
    for u in people:
        first, last = left.near.starts[u], left.near.starts[u + 1]
        rarest = max(left.near.gains[first:last].max() - left.half[u], LEAST) if last > first else LEAST
        least, most = window(rarest, last - first, against, bar)
        lowest = np.float32(0.5 * math.log(max(int(least), 1)))
        closed, most_told = _close(left, u, lowest, against, bar)
        size = _open(left, rows, u, closed, least, most, held, found)
        size, ask = _sift(right, last - first, last - closed, most_told, rarest, against, bar, held, found[:size])
        if closed < last and ask > _row_sizes(left, rows, closed, last):
            _open_rest(left, rows, u, closed, least, most, held)
            closed = last
        for e in range(closed, last):
            told[left.near.others[e]] = left.near.gains[e] - left.half[u]
        for v in found[:size]:
            count = np.int32(held[v] / _ONE)
            weight = np.float32(held[v] - count * _ONE)
            linked, held[v] = right.near.starts[v + 1] - right.near.starts[v], 0
            if min(last - closed, linked - count) > 0:
                shared, weight = _ask(right, v, told, weight)
                count += shared
            value = weight - against * np.float32(last - first + linked - 2 * count)
            if value >= bar:
                offer(mine, u, v, value, count)
                offer(theirs, v, u, value, count)
        for e in range(closed, last):
            told[left.near.others[e]] = _NONE


@numba.njit(cache=True, nogil=True)
def _sift(
    right: Side, mine: int, closed: int, most_told: np.float32, rarest: np.float32, against: np.float32,
    bar: np.float32, held: F64, found: I32,
) -> tuple[int, int]:  # fmt: skip
    """Keep of those found who can reach the bar; return how many, and how many linked neighbours they have in all."""
    size = ask = 0
    for v in found:
        count = np.int32(held[v] / _ONE)
        weight = np.float32(held[v] - count * _ONE)
        linked = right.near.starts[v + 1] - right.near.starts[v]
        more = min(closed, linked - count)
        missing = mine + linked - 2 * count
        if weight + min(most_told, more * rarest) - against * (missing - 2 * more) < bar - _CLOSE:
            held[v] = 0
            continue
        found[size] = v
        size += 1
        ask += linked if more > 0 else 0
    return size, ask


@numba.njit(cache=True, nogil=True)
def window(rarest: np.float32, count: int, against: np.float32, bar: np.float32) -> tuple[np.int32, np.int32]:
    """Return how many linked neighbours somebody must have at least, and at most, to reach the bar with a person.

    Two people share no more linked neighbours than either has, and each speaks for them no more than the rarest would;
    all others of either are missing.
    """
    least = math.floor((against * count + bar) / (rarest + against) - _CLOSE)
    most = math.ceil(count + (rarest * count - bar) / max(against, np.float32(1e-3)) + _CLOSE)
    return np.int32(max(least, 0)), np.int32(min(max(most, 0), 2**30))


@numba.njit(cache=True, nogil=True)
def _close(left: Side, u: int, lowest: np.float32, against: np.float32, bar: np.float32) -> tuple[int, np.float32]:
    """Return from where on the linked neighbours of a person stay closed, and how much these can speak for a pair.

    Who shares all of them and no other one still misses the bar.
    """
    first, last = left.near.starts[u], left.near.starts[u + 1]
    missing, told = against * (last - first), np.float32(0)
    closed = last
    while closed > first:
        gain = max(left.near.gains[closed - 1] - left.half[u] - lowest, LEAST)
        if told + gain - missing + against >= bar - _CLOSE:
            break
        told, missing, closed = told + gain, missing - against, closed - 1
    return closed, told


@numba.njit(cache=True, nogil=True)
def _open(left: Side, rows: Rows, u: int, closed: int, least: np.int32, most: np.int32, held: F64, found: I32) -> int:
    """Visit all neighbours of the links that are open; return how many were found."""
    size = 0
    for e in range(left.near.starts[u], closed):
        y, base = left.near.others[e], left.near.gains[e] - left.half[u]
        linked = rows.linked[rows.starts[y] : rows.starts[y + 1]]
        first, last = np.searchsorted(linked, least), np.searchsorted(linked, most, side="right")
        for f in range(rows.starts[y] + first, rows.starts[y] + last):
            v = rows.others[f]
            found[size] = v  # written over if it was there already: nothing to jump over
            size += held[v] == 0
            held[v] += _ONE + max(base - rows.half[f], LEAST)
    return size


@numba.njit(cache=True, nogil=True)
def _row_sizes(left: Side, rows: Rows, closed: int, last: int) -> int:
    """Return how many neighbours the closed links of a person have."""
    size = 0
    for y in left.near.others[closed:last]:
        size += rows.starts[y + 1] - rows.starts[y]
    return size


@numba.njit(cache=True, nogil=True)
def _open_rest(left: Side, rows: Rows, u: int, closed: int, least: np.int32, most: np.int32, held: F64) -> None:
    """Visit the closed ones too, for those alone who have been found already."""
    for e in range(closed, left.near.starts[u + 1]):
        y, base = left.near.others[e], left.near.gains[e] - left.half[u]
        linked = rows.linked[rows.starts[y] : rows.starts[y + 1]]
        first, last = np.searchsorted(linked, least), np.searchsorted(linked, most, side="right")
        for f in range(rows.starts[y] + first, rows.starts[y] + last):
            if held[rows.others[f]] > 0:
                held[rows.others[f]] += _ONE + max(base - rows.half[f], LEAST)


@numba.njit(cache=True, nogil=True)
def _ask(right: Side, v: int, told: F32, weight: np.float32) -> tuple[np.int32, np.float32]:
    """Return how many closed neighbours somebody shares, and the weight of all that are shared."""
    shared = np.int32(0)
    for f in range(right.near.starts[v], right.near.starts[v + 1]):
        base = told[right.near.others[f]]
        if base > _NONE:
            shared += np.int32(1)
            weight += max(base - right.half[v], LEAST)
    return shared, weight
