"""What the strong attack sees of a row by itself: where it stands, and its neighbours in logarithmic bins.

The components of a row, in this order::

    STANDING   is it an inner node; inner neighbours; triangles; nodes of the sub-graph; inner nodes of the sub-graph
    DEGREES    inner neighbours by degree, then the other neighbours by degree
    SHARED     neighbours by how many neighbours they share with the row (embeddedness)

Degrees of inner neighbours are whole, those of the others are what is left of them: they are never mixed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.features.channels.inner import find_inner
from thinveil.graph import Graph

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]

INNER, INNER_NEIGHBORS, TRIANGLES, NODES, INNER_NODES = range(5)
_DEGREE_BINS, _SHARED_BINS = 24, 16

STANDING = slice(0, 5)
INNER_DEGREES = slice(5, 5 + _DEGREE_BINS)
OUTER_DEGREES = slice(INNER_DEGREES.stop, INNER_DEGREES.stop + _DEGREE_BINS)
SHARED = slice(OUTER_DEGREES.stop, OUTER_DEGREES.stop + _SHARED_BINS)

_BIN_OF = np.rint(2 * np.log2(np.arange(8192) + 1.0)).astype(np.int32)
"""Two bins for every doubling: 0, 1, 2, 3, 4-5, 6-7, 8-10, ..."""


@dataclass(frozen=True)
class Surroundings:
    """Standing and neighbours of a row, in logarithmic bins.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> table = Surroundings().extract(path, np.array([2, 4], dtype=np.int32))
    >>> table[:, STANDING].tolist()
    [[1, 2, 0, 5, 3], [0, 1, 0, 5, 3]]
    """

    name: str = "surroundings"
    width: int = SHARED.stop
    events: tuple[str, ...] = ()

    def words(self, component: int) -> str:
        """Say what a component is about."""
        return "standing in the sub-graph, and contacts in ranges"

    def extract(self, subgraph: Graph, nodes: I32) -> I32:
        """Return the components of each of the given nodes."""
        inner, table = find_inner(subgraph), np.zeros((nodes.size, self.width), dtype=np.int32)
        table[:, NODES], table[:, INNER_NODES] = subgraph.node_count, np.count_nonzero(inner)
        table[:, INNER] = inner[nodes]
        _fill(subgraph.indptr, subgraph.indices, subgraph.common_neighbors, inner, nodes, _BIN_OF, table)
        return table


@numba.njit(cache=True, nogil=True)
def _fill(indptr: I64, indices: I32, shared: I32, inner: Bools, nodes: I32, bin_of: I32, table: I32) -> None:
    last = bin_of.size - 1
    for row in range(nodes.size):
        wedges = 0
        for k in range(indptr[nodes[row]], indptr[nodes[row] + 1]):
            v = indices[k]
            degree = min(indptr[v + 1] - indptr[v], last)
            place = min(bin_of[degree], _DEGREE_BINS - 1)
            table[row, INNER_NEIGHBORS] += inner[v]
            table[row, (5 if inner[v] else 5 + _DEGREE_BINS) + place] += 1
            table[row, 5 + 2 * _DEGREE_BINS + min(bin_of[min(shared[k], last)], _SHARED_BINS - 1)] += 1
            wedges += shared[k]
        table[row, TRIANGLES] = min(wedges // 2, 2**31 - 1)
