"""The invariant of the paper's ad-hoc attack (Section 2.3): the degrees inside a node's own 1-hop network.

The 1-hop network of a node is the node, its neighbours, and the edges among them. A neighbour's degree in it is
one more than the number of neighbours that the two have in common. Scheme 1 keeps these numbers exactly for
everybody within one hop of the ego. (Degrees inside the whole egonet would not do: a neighbour two hops away
from the ego has lost edges.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.runtime.splitmix import STEP, mix

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


@dataclass(frozen=True)
class Signature:
    """The number of neighbours, and a fingerprint of their degrees in the node's own 1-hop network.

    The fingerprint is 62 bits that are equal for equal lists of degrees, in whatever order, and different for
    different ones but for a chance of one in 2^62; it fills two components.

    Examples
    --------
    >>> triangle_with_tail = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> vectors = Signature().extract(triangle_with_tail, np.array([0, 1, 3], dtype=np.int32))
    >>> bool((vectors[0] == vectors[1]).all()), bool((vectors[0] == vectors[2]).all())
    (True, False)
    """

    @property
    def name(self) -> str:
        """What the channel measures."""
        return "signature"

    @property
    def events(self) -> tuple[str, ...]:
        """It uses no events."""
        return ()

    def words(self, component: int) -> str:
        """Say what a component is."""
        return "size of the signature" if component == 0 else "fingerprint of the signature"

    @property
    def width(self) -> int:
        """Number of components."""
        return 3

    def extract(self, subgraph: Graph, nodes: I32) -> I32:
        """Return size and fingerprint of the signature of each of the given nodes."""
        signatures: I32 = _fingerprints(subgraph.indptr, subgraph.common_neighbors, nodes)
        return signatures


@numba.njit(cache=True, nogil=True)
def _fingerprints(indptr: I64, shared: I32, nodes: I32) -> I32:
    signatures = np.empty((nodes.size, 3), dtype=np.int32)
    for row in range(nodes.size):
        total = np.uint64(0)
        for k in range(indptr[nodes[row]], indptr[nodes[row] + 1]):
            total += mix(np.uint64(shared[k] + 1) * STEP)  # a sum does not care for order
        signatures[row, 0] = indptr[nodes[row] + 1] - indptr[nodes[row]]
        signatures[row, 1] = np.int32(total & np.uint64(0x7FFFFFFF))
        signatures[row, 2] = np.int32((total >> np.uint64(32)) & np.uint64(0x7FFFFFFF))
    return signatures
