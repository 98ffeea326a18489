"""The paper's features (Section 3.3): how many neighbours of a node have a degree in each range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph


@dataclass(frozen=True)
class DegreeHistogram:
    """Count the neighbours by degree: bin i holds those with i*b < degree <= (i+1)*b.

    Degrees beyond the last bin are counted in it. (The rule puts degree 1030 into bin 68; the paper's figure
    shows it in bin 69. We follow the rule.)

    Parameters
    ----------
    bins
        Length of the vector: n in the paper.
    bin_size
        Width of a bin: b in the paper.

    Examples
    --------
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> DegreeHistogram(bins=3, bin_size=2).extract(star, np.array([0, 1], dtype=np.int32)).tolist()
    [[3, 0, 0], [0, 1, 0]]
    """

    bins: int = 70
    bin_size: int = 15

    def __post_init__(self) -> None:
        if self.bins < 1 or self.bin_size < 1:
            raise InputError(f"{self.bins} bins of size {self.bin_size}: both must be 1 or more")

    @property
    def name(self) -> str:
        """What the channel measures."""
        return f"degrees of neighbours, {self.bins} x {self.bin_size}"

    @property
    def width(self) -> int:
        """Number of components."""
        return self.bins

    events: ClassVar[tuple[str, ...]] = ()
    counted: ClassVar[str] = "contacts"

    def words(self, component: int) -> str:
        """Say whom a component counts.

        Examples
        --------
        >>> DegreeHistogram().words(0), DegreeHistogram().words(69)
        ('contacts with 1 to 15 contacts', 'contacts with more than 1,035 contacts')
        """
        first, last = component * self.bin_size, (component + 1) * self.bin_size
        if component == self.bins - 1:
            return f"{self.counted} with more than {first:,} contacts"
        if self.bin_size == 1:
            return f"{self.counted} with {last:,} contact{'s' * (last > 1)}"
        return f"{self.counted} with {first + 1:,} to {last:,} contacts"

    def extract(self, subgraph: Graph, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the histogram of each of the given nodes."""
        histograms: NDArray[np.int32] = _histograms(subgraph.indptr, subgraph.indices, nodes, self.bins, self.bin_size)
        return histograms


@numba.njit(cache=True, nogil=True)
def bin_of_nodes(indptr: NDArray[np.int64], bins: int, bin_size: int) -> NDArray[np.int32]:
    """Return the bin of every node once: a division per node instead of one per edge."""
    bin_of = np.empty(indptr.size - 1, dtype=np.int32)
    for v in range(bin_of.size):
        bin_of[v] = max(0, min((indptr[v + 1] - indptr[v] - 1) // bin_size, bins - 1))
    return bin_of


@numba.njit(cache=True, nogil=True)
def _histograms(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], nodes: NDArray[np.int32], bins: int, bin_size: int
) -> NDArray[np.int32]:
    bin_of = bin_of_nodes(indptr, bins, bin_size)
    histograms = np.zeros((nodes.size, bins), dtype=np.int32)
    for row in range(nodes.size):
        for k in range(indptr[nodes[row]], indptr[nodes[row] + 1]):
            histograms[row, bin_of[indices[k]]] += 1
    return histograms
