"""A set of edges for kernels that add and delete them: a table of 64-bit keys, smaller end first, open addressing.

A place of the table holds a key, ``_EMPTY``, or ``_DELETED`` where a key was; the table has at least twice as many
places as keys are ever added to it.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph.csr import has_edge
from thinveil.runtime.splitmix import STEP, mix, scale

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
_EMPTY, _DELETED = np.int64(-1), np.int64(-2)


@numba.njit(cache=True, nogil=True)
def empty_set(most: int) -> I64:
    """Return a set to which at most so many edges are added."""
    size = 4
    while size < 2 * most:
        size *= 2
    return np.full(size, _EMPTY)


@numba.njit(cache=True, nogil=True)
def _key(one: int, other: int) -> np.int64:
    return (np.int64(min(one, other)) << 32) | np.int64(max(one, other))


@numba.njit(cache=True, nogil=True)
def _place(table: I64, key: np.int64) -> np.int64:
    """Return where a key stands, or the empty place at which the search for it ends."""
    mask = np.uint64(table.size - 1)
    place = mix(np.uint64(key)) & mask
    while table[place] != key and table[place] != _EMPTY:
        place = (place + np.uint64(1)) & mask
    return np.int64(place)


@numba.njit(cache=True, nogil=True)
def has(table: I64, one: int, other: int) -> bool:
    """Return whether an edge is in the set."""
    key = _key(one, other)
    return bool(table[_place(table, key)] == key)


@numba.njit(cache=True, nogil=True)
def add(table: I64, one: int, other: int) -> bool:
    """Add an edge; return whether it is new."""
    key = _key(one, other)
    place = _place(table, key)
    is_new = table[place] == _EMPTY
    table[place] = key
    return bool(is_new)


@numba.njit(cache=True, nogil=True)
def delete(table: I64, one: int, other: int) -> None:
    """Delete an edge that is in the set."""
    table[_place(table, _key(one, other))] = _DELETED


@numba.njit(cache=True, nogil=True)
def absent_pairs(indptr: I64, indices: I32, count: int, state: np.uint64) -> tuple[I32, I32]:
    """Draw distinct pairs of nodes that are no edges, all with equal chance; there must be so many."""
    nodes, chosen = indptr.size - 1, empty_set(count)
    source, target = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    found = 0
    while found < count:
        state += STEP
        u = scale(mix(state), nodes)
        state += STEP
        v = scale(mix(state), nodes)
        if u != v and not has_edge(indptr, indices, u, v) and add(chosen, u, v):
            source[found], target[found] = u, v
            found += 1
    return source, target
