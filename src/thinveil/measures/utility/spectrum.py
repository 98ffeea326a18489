"""The largest eigenvalues of a graph, and the centrality that goes with the first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.linalg import eigsh
from threadpoolctl import threadpool_limits

from thinveil.graph import Graph

F64 = NDArray[np.float64]

COUNT = 10
"""How many eigenvalues are found; a graph of fewer nodes has fewer, and zeros stand for the others."""

_SMALL = 128  # nodes, up to which all of them are found at once
_SAME = 1e-8  # two eigenvalues no further apart are one
_TOLERANCE = 1e-7  # of an eigenpair: the eigenvalue itself is far closer
_DIGITS = 6  # of a centrality as a share of the largest: the others are not told from chance


def find_spectrum(graph: Graph) -> tuple[F64, F64]:
    """Return the largest eigenvalues by size, and the eigenvector centrality of each node.

    Where the largest eigenvalue comes several times, its eigenvector is that part of the vector of ones which lies in
    its eigenspace: what a walk that starts everywhere tends to.
    """
    # threads of the linear algebra would change the last digits
    with threadpool_limits(1):
        values, vectors = _eigenpairs(graph)
        largest = float(values.max(initial=0))
        first = vectors[:, values >= largest * (1 - _SAME)]
        centrality = np.abs(first @ first.sum(axis=0))
    sizes = np.sort(np.abs(values))[::-1][:COUNT]
    top = float(centrality.max(initial=0))
    return np.pad(sizes, (0, COUNT - sizes.size)), np.round(centrality / top if top else centrality, _DIGITS)


def _eigenpairs(graph: Graph) -> tuple[F64, F64]:
    shape = (graph.node_count, graph.node_count)
    matrix = csr_array((np.ones(graph.indices.size), graph.indices, graph.indptr), shape=shape)
    if graph.node_count <= _SMALL or not graph.edge_count:
        return np.linalg.eigh(matrix.toarray()) if graph.edge_count else (np.zeros(0), np.zeros((shape[0], 0)))
    # any start will do but one at right angles to what is looked for; always the same one
    start = np.random.default_rng(0).random(graph.node_count)
    values, vectors = eigsh(matrix, k=COUNT, which="LM", v0=start, ncv=4 * COUNT, maxiter=10_000, tol=_TOLERANCE)
    return values, vectors
