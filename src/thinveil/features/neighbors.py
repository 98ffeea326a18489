"""Who knows whom among the appearances of a view: what an attack needs to walk from one to the next.

Compressed sparse rows: the neighbours of appearance a are ``indices[indptr[a] : indptr[a + 1]]``, sorted. A neighbour
with too few edges to be an appearance is left out, and none has a neighbour in another sub-graph. ``shared`` says for
each entry how many neighbours the two have in common, appearances or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The neighbours of every appearance that are appearances themselves."""

    indptr: I64
    indices: I32
    shared: I32

    def of(self, appearance: int) -> I32:
        """Return the neighbours of an appearance."""
        return self.indices[self.indptr[appearance] : self.indptr[appearance + 1]]

    @property
    def counts(self) -> I64:
        """The number of neighbours of every appearance."""
        return np.diff(self.indptr)

    @classmethod
    def among(cls, subgraph: Graph, nodes: I32) -> Neighbors:
        """Return who knows whom among the given nodes, in ascending order, of one sub-graph.

        Examples
        --------
        >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
        >>> Neighbors.among(path, np.array([1, 2], dtype=np.int32)).of(0).tolist()
        [1]
        """
        return cls(*_rows_among(subgraph.indptr, subgraph.indices, subgraph.common_neighbors, nodes))

    def part(self, keep: NDArray[np.bool_]) -> Neighbors:
        """Return those of the kept appearances, who must be all of some sub-graphs, by their new numbers."""
        number, entries = np.cumsum(keep) - 1, np.repeat(keep, self.counts)
        starts = np.concatenate(([0], np.cumsum(self.counts[keep])))
        return Neighbors(starts, number[self.indices[entries]].astype(np.int32), self.shared[entries])

    @classmethod
    def join(cls, parts: Sequence[Neighbors]) -> Neighbors:
        """Put the appearances of several sub-graphs one behind the other."""
        rows = np.cumsum([0, *(part.indptr.size - 1 for part in parts)])
        entries = np.cumsum([0, *(part.indices.size for part in parts)])
        starts = [part.indptr[:-1] + first for part, first in zip(parts, entries, strict=False)]
        indices = np.empty(entries[-1], dtype=np.int32)
        for k, part in enumerate(parts):
            np.add(part.indices, rows[k], out=indices[entries[k] : entries[k + 1]], casting="unsafe")
        shared = np.concatenate([np.empty(0, dtype=np.int32), *(part.shared for part in parts)])
        return cls(np.concatenate((*starts, entries[-1:])), indices, shared)


@numba.njit(cache=True, nogil=True)
def _rows_among(indptr: I64, indices: I32, common: I32, nodes: I32) -> tuple[I64, I32, I32]:
    row_of = np.empty(indptr.size - 1, dtype=np.int32)
    for v in range(row_of.size):
        row_of[v] = -1
    for row in range(nodes.size):
        row_of[nodes[row]] = row
    starts = np.zeros(nodes.size + 1, dtype=np.int64)
    for row in range(nodes.size):
        starts[row + 1] = starts[row]
        for k in range(indptr[nodes[row]], indptr[nodes[row] + 1]):
            starts[row + 1] += row_of[indices[k]] >= 0
    rows, shared = np.empty(starts[nodes.size], dtype=np.int32), np.empty(starts[nodes.size], dtype=np.int32)
    place = 0
    for row in range(nodes.size):
        for k in range(indptr[nodes[row]], indptr[nodes[row] + 1]):
            if row_of[indices[k]] >= 0:
                rows[place], shared[place] = row_of[indices[k]], common[k]
                place += 1
    return starts, rows, shared
