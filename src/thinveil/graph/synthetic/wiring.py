"""Rows that grow: the half-built graph to which links are added one by one.

Node ``v`` owns the places ``starts[v] .. starts[v + 1]`` of ``rows``, as many as it was promised neighbours.
The first ``filled[v]`` of them are taken, in the order of arrival; the others are open and hold -1::

    rows    | 7 3 - - | 0 - | 9 4 1 |
    starts    0         4     6

A stub is a node number that stands for one open place of that node. Linking two stubs takes both places,
and is refused where it would make a loop, a repeat or a pair of nodes cut off from all others; so the graph
is simple at every moment and no node exceeds its promise. Chance inside the kernels is a counter mixed by
splitmix64: integers only, alike on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.runtime.splitmix import STEP, mix, scale

_CLOSE_TRIES = 8  # a friend of a friend may be full, or a friend already
_SPLICE_TRIES = 64  # a hub may know most ends of links


class GrowingRows(NamedTuple):
    """Places for neighbours, some of them still open."""

    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    filled: NDArray[np.int32]


def make_rows(degrees: NDArray[np.int64]) -> GrowingRows:
    """Make rows in which every place is open."""
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(degrees)))
    rows = np.full(starts[-1], -1, dtype=np.int32)
    return GrowingRows(starts, rows, np.zeros(degrees.size, dtype=np.int32))


def shuffle_segments(stubs: NDArray[np.int32], bounds: NDArray[np.int64], seed: int) -> None:
    """Shuffle ``stubs[bounds[k] : bounds[k + 1]]`` in place, for every k."""
    _shuffle_segments(stubs, bounds, np.uint64(seed))


def match(stubs: NDArray[np.int32], grown: GrowingRows) -> None:
    """Link stubs two by two, as they stand; what is refused stays open."""
    _match(stubs, *grown)


def close(stubs: NDArray[np.int32], grown: GrowingRows, seed: int) -> None:
    """Link each stub to a neighbour of a neighbour that has an open place; what finds none stays open."""
    _close(stubs, *grown, np.uint64(seed))


def splice(stubs: NDArray[np.int32], grown: GrowingRows, seed: int) -> None:
    """Put stubs that cannot be linked to each other into a link, two by two: a-b becomes a-u and b-x."""
    _splice(stubs, *grown, np.uint64(seed))


@numba.njit(cache=True)
def _draw(state: np.uint64, below: int) -> np.int64:
    """Mix a counter into a number from 0 to below - 1."""
    return scale(mix(state), below)


@numba.njit(cache=True)
def _shuffle_segments(stubs: NDArray[np.int32], bounds: NDArray[np.int64], state: np.uint64) -> None:
    for k in range(bounds.size - 1):
        start = bounds[k]
        for last in range(bounds[k + 1] - 1, start, -1):
            state += STEP
            other = start + _draw(state, last - start + 1)
            stubs[last], stubs[other] = stubs[other], stubs[last]


@numba.njit(cache=True)
def _find(u: int, v: int, starts: NDArray[np.int64], rows: NDArray[np.int32], filled: NDArray[np.int32]) -> int:
    """Return the place of v in the row of u, -1 if it has none."""
    for place in range(starts[u], starts[u] + filled[u]):
        if rows[place] == v:
            return place
    return -1


@numba.njit(cache=True)
def _may_link(u: int, v: int, starts: NDArray[np.int64], rows: NDArray[np.int32], filled: NDArray[np.int32]) -> bool:
    """Say whether a link is neither a loop nor a repeat, nor joins two nodes that are promised no other."""
    if u == v or (starts[u + 1] - starts[u] == 1 and starts[v + 1] - starts[v] == 1):
        return False
    if filled[u] > filled[v]:  # search the shorter row
        u, v = v, u
    return _find(u, v, starts, rows, filled) < 0


@numba.njit(cache=True)
def _add(u: int, v: int, starts: NDArray[np.int64], rows: NDArray[np.int32], filled: NDArray[np.int32]) -> None:
    """Put v into the first open place of u."""
    rows[starts[u] + filled[u]] = v
    filled[u] += 1


@numba.njit(cache=True)
def _match(
    stubs: NDArray[np.int32], starts: NDArray[np.int64], rows: NDArray[np.int32], filled: NDArray[np.int32]
) -> None:
    for k in range(0, stubs.size - 1, 2):
        u, v = stubs[k], stubs[k + 1]
        if _may_link(u, v, starts, rows, filled):
            _add(u, v, starts, rows, filled)
            _add(v, u, starts, rows, filled)


@numba.njit(cache=True)
def _close(
    stubs: NDArray[np.int32],
    starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    filled: NDArray[np.int32],
    state: np.uint64,
) -> None:
    for u in stubs:
        # earlier stubs may have filled this row; and who knows nobody has no friend of a friend
        if filled[u] == starts[u + 1] - starts[u] or filled[u] == 0:
            continue
        for _ in range(_CLOSE_TRIES):
            state += STEP
            v = rows[starts[u] + _draw(state, filled[u])]
            state += STEP
            w = rows[starts[v] + _draw(state, filled[v])]
            if filled[w] < starts[w + 1] - starts[w] and _may_link(u, w, starts, rows, filled):
                _add(u, w, starts, rows, filled)
                _add(w, u, starts, rows, filled)
                break


@numba.njit(cache=True)
def _splice(
    stubs: NDArray[np.int32],
    starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    filled: NDArray[np.int32],
    state: np.uint64,
) -> None:
    for k in range(0, stubs.size - 1, 2):
        u, x = stubs[k], stubs[k + 1]
        for _ in range(_SPLICE_TRIES):
            state += STEP
            a = rows[_draw(state, rows.size)]
            if a < 0:  # an open place
                continue
            state += STEP
            place = starts[a] + _draw(state, filled[a])
            b = rows[place]
            if _may_link(u, a, starts, rows, filled) and _may_link(x, b, starts, rows, filled):
                rows[_find(b, a, starts, rows, filled)] = x
                rows[place] = u
                _add(u, a, starts, rows, filled)
                _add(x, b, starts, rows, filled)
                break
