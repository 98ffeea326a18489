"""The core of a graph: its people with the most contacts, and a portrait of each in numbers.

A portrait says how many contacts a person has, how these spread over people of high and low degree, and the same of
walks of two steps. Numbers are scaled by the mean degree, so that a graph and a thinned copy of it can be compared.
Degrees are told by *rank*: the share of people who have more contacts, in steps of a factor of two.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.division import Division
from thinveil.attacks.matching.whole.events import portray
from thinveil.graph import Graph
from thinveil.runtime.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

BINS = 12
_PEOPLE_AT_ONCE = 64


class Core(NamedTuple):
    """Some people, mostly those with the most contacts: numbers, portraits, and who knows whom of them (0 or 1)."""

    nodes: I32
    portraits: F64
    touches: F32


def find_core(graph: Graph, size: int, chance: np.random.Generator, division: Division | None = None) -> Core:
    """Return the core of a graph, in descending order of degrees; equal degrees are ordered by lot."""
    nodes = np.lexsort((chance.random(graph.node_count), -graph.degrees)).astype(np.int32)[:size]
    return draw_core(graph, nodes, division)


def draw_core(graph: Graph, nodes: I32, division: Division | None = None) -> Core:
    """Draw the portraits of some people; they tell what people do, too, where events can be compared."""
    rank, counts = degree_ranks(graph), np.zeros((nodes.size, 2 * BINS + 1))
    bins = rank_bins(rank, BINS)

    def draw(first: int, last: int) -> None:
        _count_walks(graph.indptr, graph.indices, nodes[first:last], bins, counts[first:last])

    map_chunks(draw, nodes.size, chunk=_PEOPLE_AT_ONCE)
    portraits = _portraits(graph, nodes, rank, counts)
    if division is not None:
        portraits = np.hstack((portraits, portray(graph, nodes, division)))
    return Core(nodes, portraits, _touches(graph, nodes))


def degree_ranks(graph: Graph) -> F64:
    """Return for each person which share of people has more contacts, those with as many counting half.

    Examples
    --------
    >>> degree_ranks(Graph.from_edges([0, 0], [1, 2])).round(3).tolist()
    [0.167, 0.667, 0.667]
    """
    degrees = np.sort(graph.degrees)
    more = degrees.size - np.searchsorted(degrees, graph.degrees, side="right")
    as_many = degrees.size - np.searchsorted(degrees, graph.degrees, side="left") - more
    return np.asarray((more + 0.5 * as_many) / max(degrees.size, 1))


def rank_bins(rank: F64, bins: int) -> NDArray[np.int8]:
    """Return the step of each person: 0 for the lower half, then each step half as many people."""
    return np.clip(-np.log2(rank), 0, bins - 1).astype(np.int8)


def _portraits(graph: Graph, nodes: I32, rank: F64, counts: F64) -> F64:
    mean = max(2 * graph.edge_count / max(graph.node_count, 1), 1e-9)
    near, far, triangles = counts[:, :BINS] / mean, counts[:, BINS : 2 * BINS] / mean**2, counts[:, -1:] / mean
    degree = graph.degrees[nodes][:, None] / mean
    place = np.log(rank[nodes][:, None])
    return np.hstack([np.log(degree + 1e-9), place, np.sqrt(near), np.sqrt(far), np.sqrt(triangles)])


def _touches(graph: Graph, nodes: I32) -> F32:
    place = np.full(graph.node_count, -1, dtype=np.int32)
    place[nodes] = np.arange(nodes.size, dtype=np.int32)
    touches = np.zeros((nodes.size, nodes.size), dtype=np.float32)
    for k, node in enumerate(nodes):
        others = place[graph.neighbors(int(node))]
        touches[k, others[others >= 0]] = 1
    return touches


@numba.njit(cache=True, nogil=True)
def _count_walks(indptr: I64, indices: I32, nodes: I32, bins: NDArray[np.int8], counts: F64) -> None:
    """Count for each node its neighbours and its walks of two steps by bin, and the walks that close a triangle."""
    stamp = np.zeros(bins.size, dtype=np.int32)
    for k in range(nodes.size):
        first, last = indptr[nodes[k]], indptr[nodes[k] + 1]
        for e in range(first, last):
            stamp[indices[e]] = k + 1
            counts[k, bins[indices[e]]] += 1
        for e in range(first, last):
            for f in range(indptr[indices[e]], indptr[indices[e] + 1]):
                end = indices[f]
                counts[k, BINS + bins[end]] += 1
                counts[k, 2 * BINS] += stamp[end] == k + 1
