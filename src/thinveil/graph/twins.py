"""Twins: people with the same contacts, whether they know each other or not. No structure tells them apart."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph.graph import Graph
from thinveil.runtime.splitmix import STEP, mix

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
Marks = tuple[U64, U64]


def twin_marks(graph: Graph) -> Marks:
    """Return two marks of every node: of its contacts, and of these with itself. Twins have one of them alike."""
    apart, together = _sum_contacts(graph.indptr, graph.indices)
    return apart, together


def without_twins(nodes: I64, marks: Marks) -> I64:
    """Return the nodes, one for each group of twins.

    Examples
    --------
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> without_twins(np.arange(4), twin_marks(star)).size
    2
    """
    for mark in marks:
        nodes = nodes[np.unique(mark[nodes], return_index=True)[1]]
    return nodes


def has_twin(graph: Graph) -> NDArray[np.bool_]:
    """Return which nodes have a twin."""
    found = np.zeros(graph.node_count, dtype=bool)
    for mark in twin_marks(graph):
        _, group, size = np.unique(mark, return_inverse=True, return_counts=True)
        found |= size[group] > 1
    return found


@numba.njit(cache=True, nogil=True)
def _sum_contacts(indptr: I64, indices: I32) -> tuple[U64, U64]:
    apart, together = np.zeros(indptr.size - 1, dtype=np.uint64), np.zeros(indptr.size - 1, dtype=np.uint64)
    for v in range(apart.size):
        for k in range(indptr[v], indptr[v + 1]):
            apart[v] += mix(np.uint64(indices[k] + 1) * STEP)
        together[v] = apart[v] + mix(np.uint64(v + 1) * STEP)
    return apart, together
