"""Sparse matrices of scipy: rows and columns are nodes, and what is stored and not zero is an edge."""

from __future__ import annotations

from typing import Any

import numpy as np

from thinveil.errors import InputError
from thinveil.graph.exchange.base import Kind
from thinveil.graph.graph import Graph
from thinveil.graph.origin import Origin
from thinveil.graph.reading.edges import Edges, graph_of
from thinveil.runtime.arrays import check_array
from thinveil.runtime.visible import shown

_KIND = "scipy matrix"


def from_scipy(matrix: Any, *, labels: Any = None, weights: bool = False, directed: bool | None = None) -> Graph:
    """Return the graph of a sparse matrix; see ``Graph.from_scipy``."""
    if not _recognises(matrix):
        raise InputError(f"{shown(matrix)} is no sparse matrix of scipy")
    cells = matrix.tocoo()
    if len(cells.shape) != 2 or cells.shape[0] != cells.shape[1]:
        raise InputError(f"a matrix of shape {cells.shape} is no graph: as many rows as columns are needed")
    if not np.isfinite(check_array("values of the matrix", cells.data)).all():
        raise InputError("the matrix has values that are no finite numbers: leave them out")
    stored = cells.data != 0
    source, target, data = cells.row[stored], cells.col[stored], cells.data[stored]
    is_symmetric = (cells != cells.T).nnz == 0
    if is_symmetric and not directed:  # each edge stands in it twice
        once = source <= target
        source, target, data = source[once], target[once], data[once]
    columns = {"weight": data} if weights else {}
    names = None if labels is None else check_array("labels", labels)
    edges = Edges(source, target, names, columns, cells.shape[0], Origin(_KIND))
    return graph_of(edges, "", directed=not is_symmetric if directed is None else directed)


def to_scipy(graph: Graph, *, weights: bool = False) -> Any:
    """Return an adjacency matrix; see ``Graph.to_scipy``."""
    from scipy.sparse import csr_array

    shape = (graph.node_count, graph.node_count)
    if not weights:
        return csr_array((np.ones(graph.indices.size), graph.indices, graph.indptr), shape=shape)
    if graph.rows is None or "weight" not in graph.rows.columns:
        raise InputError("the graph has no weights: read it with weight=, or leave weights=True out")
    rows = graph.rows
    ends = np.concatenate([rows.source, rows.target]), np.concatenate([rows.target, rows.source])
    return csr_array((np.tile(rows.columns["weight"], 2), ends), shape=shape)


def _recognises(given: Any) -> bool:
    return not isinstance(given, type) and hasattr(given, "tocoo") and hasattr(given, "nnz")


SCIPY = Kind(_KIND, _recognises, from_scipy)
