"""Shortest paths from some nodes: how many go through each node (Brandes 2001).

networkit has this too, but draws the nodes itself; here they are the same people in the original and in the release,
so that a sample does not make two equal graphs differ.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.runtime.threads import map_threads

F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


def betweenness(graph: Graph, groups: list[I64]) -> list[F64]:
    """Return for each group of sources the share of shortest paths from them that go through each node, added up."""
    return map_threads(lambda sources: _dependencies(graph.indptr, graph.indices, sources), groups)


@numba.njit(cache=True, nogil=True)
def _dependencies(indptr: I64, indices: I32, sources: I64) -> F64:
    nodes = indptr.size - 1
    total, share = np.zeros(nodes), np.empty(nodes)
    paths, distance = np.empty(nodes), np.empty(nodes, dtype=np.int32)
    queue = np.empty(nodes, dtype=np.int32)
    for source in sources:
        distance[:] = -1
        queue[0], distance[source], paths[source], reached = source, 0, 1.0, 1
        place = 0
        while place < reached:
            v = queue[place]
            place += 1
            for k in range(indptr[v], indptr[v + 1]):
                w = indices[k]
                if distance[w] < 0:
                    distance[w], paths[w], queue[reached] = distance[v] + 1, 0.0, w
                    reached += 1
                if distance[w] == distance[v] + 1:
                    paths[w] += paths[v]
        # backwards: what depends on a node is complete before it is handed on to those before it
        for place in range(reached):
            share[queue[place]] = 0.0
        for place in range(reached - 1, 0, -1):
            w = queue[place]
            total[w] += share[w]
            for k in range(indptr[w], indptr[w + 1]):
                v = indices[k]
                if distance[v] == distance[w] - 1:
                    share[v] += paths[v] / paths[w] * (1.0 + share[w])
    return total
