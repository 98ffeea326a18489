"""The second channel of the two-graph task (Section 4.4 of the paper): the degrees within two hops.

The paper's Appendix A defines the n-hop neighbourhood of a node as the network of all nodes up to n hops away. So
neighbours are counted here too, and not only the nodes at a distance of exactly two; the node itself is not, as
in the first channel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.features.channels.degrees import DegreeHistogram, bin_of_nodes
from thinveil.graph import Graph


@dataclass(frozen=True)
class TwoHopHistogram(DegreeHistogram):
    """Count the people within two hops by degree, in the bins of ``DegreeHistogram``.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> TwoHopHistogram(bins=2, bin_size=1).extract(path, np.array([0, 1], dtype=np.int32)).tolist()
    [[0, 2], [2, 1]]
    """

    counted: ClassVar[str] = "people within two hops"

    @property
    def name(self) -> str:
        """What the channel measures."""
        return f"degrees within two hops, {self.bins} x {self.bin_size}"

    def extract(self, subgraph: Graph, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the histogram of each of the given nodes."""
        histograms: NDArray[np.int32] = _two_hop(subgraph.indptr, subgraph.indices, nodes, self.bins, self.bin_size)
        return histograms


@numba.njit(cache=True, nogil=True)
def _two_hop(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], nodes: NDArray[np.int32], bins: int, bin_size: int
) -> NDArray[np.int32]:
    bin_of = bin_of_nodes(indptr, bins, bin_size)
    histograms = np.zeros((nodes.size, bins), dtype=np.int32)
    stamps = np.empty(bin_of.size, dtype=np.int64)  # the last row that has met the node
    for v in range(stamps.size):
        stamps[v] = -1
    for row in range(nodes.size):
        stamps[nodes[row]] = row
        for k in range(indptr[nodes[row]], indptr[nodes[row] + 1]):
            near = indices[k]
            if stamps[near] != row:
                stamps[near] = row
                histograms[row, bin_of[near]] += 1
            for e in range(indptr[near], indptr[near + 1]):
                if stamps[indices[e]] != row:
                    stamps[indices[e]] = row
                    histograms[row, bin_of[indices[e]]] += 1
    return histograms
