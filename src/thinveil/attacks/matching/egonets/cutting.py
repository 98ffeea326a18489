"""Cuts: how a sub-graph around one person, its center, is taken out of a graph.

A cut keeps everybody within ``radius`` steps of the center, and the edges among them; edges between two people at the
very rim only where ``rim`` says so. Rows of people nearer than the rim are whole: all their contacts are there. Which
cut a scheme makes is learned from its own releases (``learning``); nothing here knows any scheme.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.graph.balls import sorted_rows

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]

_WITNESSES = 32


class Piece(NamedTuple):
    """What was cut: ``members[p]`` of the graph is node ``p`` of the rows; they stand by distance from the center."""

    members: I32
    indptr: I64
    indices: I32


@dataclass(frozen=True)
class Cut:
    """Everybody within ``radius`` steps; with or without the edges between two people at the rim."""

    radius: int
    rim: bool

    def pieces(self, graph: Graph) -> Cutter:
        """Return what cuts pieces out of a graph."""
        return Cutter(self, graph)

    def centers(self, subgraph: Graph, nodes: I64) -> I64:
        """Return those of the nodes around whom a sub-graph can have been cut."""
        return nodes[_are_centers(subgraph.indptr, subgraph.indices, nodes, self.radius, self.rim)]


class Cutter:
    """Cuts pieces out of one graph, one after the other: for one thread."""

    def __init__(self, cut: Cut, graph: Graph) -> None:
        self.cut, self.graph = cut, graph
        self._place = np.full(graph.node_count, -1, dtype=np.int32)

    def around(self, center: int, size: int | None = None) -> Piece | None:
        """Return the piece around a person; None where it has not the size that is asked for."""
        graph, place, cut = self.graph, self._place, self.cut
        most = graph.node_count if size is None else size
        members, inner = _gather(graph.indptr, graph.indices, center, cut.radius, place, most)
        if members.size > most or (size is not None and members.size < size):
            _forget(place, members)
            return None
        rows = _cut_rows(graph.indptr, graph.indices, members, place, inner, cut.rim)
        _forget(place, members)
        return Piece(members, *rows)


CUTS = tuple(Cut(radius, rim) for radius in (2, 1, 3) for rim in (True, False))


@numba.njit(cache=True, nogil=True)
def _gather(indptr: I64, indices: I32, center: int, radius: int, place: I32, most: int) -> tuple[I32, int]:
    """Return the people within ``radius`` steps, and how many of them are nearer than the rim; one too many at most.

    ``place`` has -1 everywhere, and afterwards the place of each member.
    """
    members = np.empty(min(most + 1, place.size), dtype=np.int32)
    members[0], place[center] = center, 0
    count, first = 1, 0
    for _ in range(radius):
        last = count
        for p in range(first, last):
            for k in range(indptr[members[p]], indptr[members[p] + 1]):
                if place[indices[k]] < 0:
                    if count == members.size:
                        return members, last
                    place[indices[k]] = count
                    members[count] = indices[k]
                    count += 1
        first = last
    return members[:count].copy(), first


@numba.njit(cache=True, nogil=True)
def _forget(place: I32, members: I32) -> None:
    for member in members:
        place[member] = -1


@numba.njit(cache=True, nogil=True)
def _cut_rows(indptr: I64, indices: I32, members: I32, place: I32, inner: int, rim: bool) -> tuple[I64, I32]:
    """Return the rows among the members; an edge is met from its earlier end."""
    rows = members.size if rim else inner
    bound = 0
    for p in range(rows):
        bound += indptr[members[p] + 1] - indptr[members[p]]
    source, target = np.empty(bound, dtype=np.int32), np.empty(bound, dtype=np.int32)
    count = 0
    for p in range(rows):
        for k in range(indptr[members[p]], indptr[members[p] + 1]):
            if place[indices[k]] > p:
                source[count], target[count] = p, place[indices[k]]
                count += 1
    return sorted_rows(source[:count], target[:count], members.size)


@numba.njit(cache=True, nogil=True)
def _are_centers(indptr: I64, indices: I32, nodes: I64, radius: int, rim: bool) -> Bools:
    """Return which nodes have all others within the radius, and no edge where the cut leaves none."""
    size = indptr.size - 1
    distance, queue = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    are = np.ones(nodes.size, dtype=np.bool_)
    # distances go both ways: a center is near every witness
    for w in range(min(_WITNESSES, size)):
        _measure(indptr, indices, w * size // min(_WITNESSES, size), radius, distance, queue)
        for k in range(nodes.size):
            are[k] &= distance[nodes[k]] >= 0
    for k in range(nodes.size):
        if are[k]:
            near = _measure(indptr, indices, nodes[k], radius, distance, queue)
            are[k] = near == size and (rim or not _has_rim_edge(indptr, indices, distance, radius))
    return are


@numba.njit(cache=True, nogil=True)
def _measure(indptr: I64, indices: I32, center: int, radius: int, distance: I32, queue: I32) -> int:
    """Write every node's distance from the center, -1 where it is more than ``radius``; return how many are near."""
    for v in range(distance.size):
        distance[v] = -1
    return _spread(indptr, indices, center, radius, distance, queue)


@numba.njit(cache=True, nogil=True)
def _spread(indptr: I64, indices: I32, center: int, radius: int, distance: I32, queue: I32) -> int:
    """Write the distances of all that are near, where -1 stands; they are the first in the queue."""
    distance[center], queue[0] = 0, center
    count, k = 1, 0
    while k < count and distance[queue[k]] < radius:
        for e in range(indptr[queue[k]], indptr[queue[k] + 1]):
            if distance[indices[e]] < 0:
                distance[indices[e]] = distance[queue[k]] + 1
                queue[count] = indices[e]
                count += 1
        k += 1
    return count


@numba.njit(cache=True, nogil=True)
def _has_rim_edge(indptr: I64, indices: I32, distance: I32, radius: int) -> bool:
    for v in range(distance.size):
        if distance[v] == radius:
            for k in range(indptr[v], indptr[v + 1]):
                if distance[indices[k]] == radius:
                    return True
    return False


@numba.njit(cache=True, nogil=True)
def count_near(indptr: I64, indices: I32, centers: I64, radius: int) -> I32:
    """Return for every node how many of the centers are at most ``radius`` steps away."""
    size = indptr.size - 1
    distance, queue = np.full(size, -1, dtype=np.int32), np.empty(size, dtype=np.int32)
    near = np.zeros(size, dtype=np.int32)
    for center in centers:
        count = _spread(indptr, indices, center, radius, distance, queue)
        for k in range(count):
            near[queue[k]] += 1
            distance[queue[k]] = -1
    return near
