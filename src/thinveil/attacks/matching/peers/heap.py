"""The marked pairs in order: most marks first, then the most similar degrees, then by lot.

A heap of places in the table of marks. ``where[place]`` is where a place stands in the heap, -1 for not at all, so that
a pair that gets one more mark can rise.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from thinveil.attacks.matching.base import I32
from thinveil.attacks.matching.peers.marks import FREE, NODES, Marks
from thinveil.attacks.matching.peers.sides import I64, Rows


class Heap(NamedTuple):
    """Pairs with ``least`` marks or more; ``size[0]`` of them are in ``places``, ``gap`` is between their degrees."""

    places: I32
    where: I32
    gap: I32
    size: I64
    least: int
    people: I64
    nodes: I64


@numba.njit(cache=True, nogil=True)
def make_heap(table: Marks, people: Rows, nodes: Rows, least: int) -> Heap:
    """Return the heap of a table; the last two are where the rows of both graphs start, for the degrees."""
    size = table.pair.size
    places, where, gap = (
        np.empty(size, dtype=np.int32),
        np.full(size, -1, dtype=np.int32),
        np.empty(size, dtype=np.int32),
    )
    heap = Heap(places, where, gap, np.zeros(1, dtype=np.int64), least, people.indptr, nodes.indptr)
    for place in range(size):
        if table.pair[place] != FREE:
            rise(heap, table, place)
    return heap


@numba.njit(cache=True, nogil=True)
def rise(heap: Heap, table: Marks, place: int) -> None:
    """Put a pair that has got a mark where it belongs; those with few marks stay out."""
    if table.marks[place] < heap.least:
        return
    at = heap.where[place]
    if at < 0:
        at = heap.size[0]
        heap.size[0] += 1
        heap.gap[place] = _degree_gap(heap, table, place)
    while at > 0:
        parent = (at - 1) // 2
        if not _is_before(heap, table, place, heap.places[parent]):
            break
        _put(heap, heap.places[parent], at)
        at = parent
    _put(heap, place, at)


@numba.njit(cache=True, nogil=True)
def pop(heap: Heap, table: Marks) -> int:
    """Take the place of the best pair out, and return it; -1 if there is none."""
    if heap.size[0] == 0:
        return -1
    best = heap.places[0]
    heap.where[best] = -1
    heap.size[0] -= 1
    if heap.size[0]:
        _sink(heap, table, heap.places[heap.size[0]])
    return best


@numba.njit(cache=True, nogil=True)
def _sink(heap: Heap, table: Marks, place: int) -> None:
    """Put a pair in at the top, and let it sink to where it belongs."""
    at, size = 0, heap.size[0]
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _is_before(heap, table, heap.places[child + 1], heap.places[child]):
            child += 1
        if not _is_before(heap, table, heap.places[child], place):
            break
        _put(heap, heap.places[child], at)
        at = child
    _put(heap, place, at)


@numba.njit(cache=True, nogil=True)
def _put(heap: Heap, place: int, at: int) -> None:
    heap.places[at], heap.where[place] = place, at


@numba.njit(cache=True, nogil=True)
def _is_before(heap: Heap, table: Marks, one: int, other: int) -> bool:
    if table.marks[one] != table.marks[other]:
        return table.marks[one] > table.marks[other]
    if heap.gap[one] != heap.gap[other]:
        return heap.gap[one] < heap.gap[other]
    return table.pair[one] < table.pair[other]


@numba.njit(cache=True, nogil=True)
def _degree_gap(heap: Heap, table: Marks, place: int) -> int:
    person, node = table.pair[place] // table.state[NODES], table.pair[place] % table.state[NODES]
    degrees = heap.people[person + 1] - heap.people[person], heap.nodes[node + 1] - heap.nodes[node]
    return abs(degrees[0] - degrees[1])
