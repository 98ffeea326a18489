"""Finding the ego of a published egonet (Section 2.3 of the paper)."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph.balls import mark_ball
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


def detect_ego(subgraph: GraphLike) -> int | None:
    """Return the one node from which all others are at most two hops away; None if there is no such single one.

    Examples
    --------
    >>> from thinveil.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> detect_ego(path)
    2
    >>> detect_ego(Graph.from_edges([0, 1, 2], [1, 2, 0])) is None
    True
    """
    subgraph = as_graph(subgraph, "subgraph")
    if subgraph.node_count == 0:
        return None
    # nodes with few neighbours are within two hops of few others: they rule out most candidates
    order = np.argsort(subgraph.degrees, kind="stable")
    ego = int(_single_center(subgraph.indptr, subgraph.indices, order))
    return None if ego < 0 else ego


@numba.njit(cache=True, nogil=True)
def _single_center(indptr: I64, indices: I32, order: I64) -> int:
    """Return the only node whose 2-hop ball is everything; -1 if there is none or more than one."""
    nodes = indptr.size - 1
    marks, is_center = np.empty(nodes, dtype=np.int64), np.empty(nodes, dtype=np.bool_)
    for v in range(nodes):
        marks[v], is_center[v] = -1, True
    # "x is within two hops of y" goes both ways: a center lies in the ball of every witness
    for w in range(min(nodes, 32)):
        mark_ball(indptr, indices, order[w], marks, w)
        for v in range(nodes):
            is_center[v] &= marks[v] == w
    center = -1
    for v in range(nodes):
        if is_center[v] and mark_ball(indptr, indices, v, marks, nodes + v) == nodes:
            if center >= 0:
                return -1
            center = v
    return center
