"""Put the end of a short random walk in the place of each contact.

Mittal, Papamanthou & Song 2013, "Preserving link privacy in social network based systems".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.runtime.splitmix import STEP, mix, scale
from thinveil.schemes.whole import NO_EVENTS, WholeGraph, graph_of, kernel_seed

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


@dataclass(frozen=True)
class RandomWalk(WholeGraph):
    """Publish an edge to the end of a random walk in the place of each edge.

    From each contact v of each person u a walk of ``steps`` - 1 hops is made, up to ``tries`` times, until it ends at
    somebody who is neither u nor joined to u yet. The first edge found for u is published, each further one with
    probability (d/2 - 1) / (d - 1), where d is the number of u's contacts: d/2 of them in the mean, and so about as
    many edges as before in all. People with one contact add one edge instead of a half.
    """

    name: ClassVar[str] = "random-walk"

    steps: int = parameter(2, "length of the walk, the edge itself counted", low=2, high=100)
    tries: int = parameter(10, "walks for each contact until one ends at somebody new", low=1, high=1000)

    def describe(self) -> str:
        """Say what is published."""
        return (
            "publishes a graph under fresh pseudonyms in which each contact of a person is replaced by the end of a "
            f"random walk of {self.steps} steps that begins with that contact, with about as many edges as before; "
            f"{NO_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return the graph of the walks' ends."""
        found = _walk_edges(graph.indptr, graph.indices, self.steps - 1, self.tries, kernel_seed(rng))
        return graph_of(*found, graph.node_count)


@numba.njit(cache=True, nogil=True)
def _walk_edges(indptr: I64, indices: I32, hops: int, tries: int, state: np.uint64) -> tuple[I32, I32]:
    """Return the edges that walks of so many hops from every neighbour find.

    The edges found for others that end in u are a list: ``last[u]`` is one of them, ``earlier`` the one before. With
    ``joined[v] == u`` the edge u-v is there. That stays in the cache, where a table of all edges would not.
    """
    found = 0
    last, joined = np.full(indptr.size - 1, -1), np.full(indptr.size - 1, -1)
    earlier = np.empty(indices.size, dtype=np.int64)
    source, target = np.empty(indices.size, dtype=np.int32), np.empty(indices.size, dtype=np.int32)
    for u in range(indptr.size - 1):
        degree, own, edge = indptr[u + 1] - indptr[u], 0, last[u]
        while edge >= 0:
            joined[source[edge]], edge = u, earlier[edge]
        share = (0.5 * degree - 1) / max(degree - 1, 1)
        state += STEP
        place = indptr[u] + scale(mix(state), max(degree, 1))  # not always the same neighbour has the sure edge
        for _ in range(degree):
            v = indices[place]
            place = place + 1 if place + 1 < indptr[u + 1] else indptr[u]
            for _ in range(tries):
                end = v
                for _ in range(hops):
                    state += STEP
                    end = indices[indptr[end] + scale(mix(state), indptr[end + 1] - indptr[end])]
                if end != u and joined[end] != u:
                    state += STEP
                    if own == 0 or np.float64(mix(state) >> np.uint64(11)) * 2.0**-53 < share:
                        source[found], target[found] = u, end
                        joined[end], earlier[found], last[end] = u, last[end], found
                        found += 1
                    own += 1
                    break
    return source[:found], target[:found]
