"""The graph that flows everywhere.

A graph is a simple undirected graph in compressed sparse rows: the neighbours of node ``v`` are
``indices[indptr[v] : indptr[v + 1]]``, sorted, and every edge stands in two rows. Nodes are the dense
integers 0 .. node_count - 1; what the user called them stands in ``labels``. Where the input had weights,
times or directions, the input's own rows are kept beside in ``rows``, since several of them may fold into
one edge.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thinveil.errors import InputError
from thinveil.graph.checks import check_columns, check_events, check_labels, check_node_count, check_nodes, check_rows
from thinveil.graph.exchange.methods import Exchange
from thinveil.graph.origin import Origin
from thinveil.runtime.arrays import frozen


@dataclass(frozen=True, eq=False)
class EdgeRows:
    """The input's rows without self-loops, called events: each is between ``source[k]`` and ``target[k]``.

    ``columns[name][k]`` are its values. Where there is a column ``direction``, the event went from source to target
    (1) or both ways (0), whatever the input's own spelling; where there is none, which end is the source says nothing.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def frozen(self) -> EdgeRows:
        """Return the same events in arrays that cannot be written."""
        columns = {name: frozen(values) for name, values in self.columns.items()}
        return EdgeRows(frozen(self.source), frozen(self.target), columns)


@dataclass(frozen=True)
class Dropped:
    """How many input rows did not become an edge of their own."""

    loops: int = 0
    duplicates: int = 0


@dataclass(frozen=True, eq=False)
class Graph(Exchange):
    """An immutable undirected graph.

    Rows that are given are checked and copied; ``from_edges`` and its like make them.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1, 1, 2, 2], [1, 2, 0, 0, 2])
    >>> g.node_count, g.edge_count, g.dropped
    (3, 3, Dropped(loops=1, duplicates=1))
    >>> g.neighbors(0).tolist()
    [1, 2]

    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    labels: NDArray[Any] | None = None
    rows: EdgeRows | None = None
    dropped: Dropped = Dropped()
    origin: Origin | None = None

    def __post_init__(self) -> None:
        indptr, indices = check_rows(self.indptr, self.indices)
        labels = check_labels(self.labels, indptr.size - 1)
        rows = None if self.rows is None else _check_events(self.rows, indptr, indices)
        if not isinstance(self.dropped, Dropped):
            raise InputError(f"dropped is {self.dropped!r}: it must be a Dropped")
        self._fill(indptr, indices, labels, rows, self.dropped, self.origin)

    def _fill(self, *values: Any) -> None:
        indptr, indices, labels, rows, *rest = values
        names = None if labels is None else frozen(labels)
        frozen_values = (frozen(indptr), frozen(indices), names, None if rows is None else rows.frozen(), *rest)
        for one, value in zip(fields(self), frozen_values, strict=True):
            object.__setattr__(self, one.name, value)

    @classmethod
    def from_edges(
        cls,
        source: ArrayLike | Iterable[tuple[Any, Any]],
        target: ArrayLike | None = None,
        *,
        node_count: int | None = None,
        labels: NDArray[Any] | None = None,
        columns: Mapping[str, NDArray[Any]] | None = None,
        origin: Origin | None = None,
    ) -> Graph:
        """Build a graph from pairs of labels, or from two columns of node numbers.

        Self-loops and repeated edges (in either direction) are dropped and counted.

        Parameters
        ----------
        source, target
            One list of pairs, whose ends are labels of any hashable kind; or two columns of node numbers from 0.
        node_count
            Number of nodes, where some have no edge; for numbers only.
        labels
            What the nodes are called: whole numbers or texts; for numbers only.
        columns
            Values of each edge, under ``weight``, ``time`` or ``direction``; giving them keeps the edges as events. In
            ``direction``, 1 means from source to target, -1 the other way and 0 both.
        origin
            From which file they come.

        Examples
        --------
        >>> graph = Graph.from_edges([("ann", "bob"), ("bob", "cem")], columns={"weight": [3, 1]})
        >>> graph, graph.label(2)
        (<Graph: 3 nodes, 2 edges>, 'cem')
        >>> Graph.from_edges([0, 1], [1, 2]).edge_count
        2
        """
        if target is None:
            return _from_pairs(source, node_count, labels, columns)
        source, target = check_nodes(cast(ArrayLike, source)), check_nodes(target)
        if source.shape != target.shape:
            raise InputError(f"{source.size} sources but {target.size} targets: one of each per edge is needed")
        node_count = check_node_count(source, target, node_count)
        labels = check_labels(labels, node_count)
        # writeable, since numba would compile the kernels once more for read-only columns
        ends = np.require(source, np.int32, ["C", "W"]), np.require(target, np.int32, ["C", "W"])
        indptr, indices, loops = _neighbor_rows(*ends, node_count)
        duplicates = source.size - loops - indices.size // 2
        rows = None if columns is None else _keep_rows(*ends, columns)
        return trusted_graph(indptr, indices, labels, rows, Dropped(loops, duplicates), origin)

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return self.indptr.size - 1

    @property
    def edge_count(self) -> int:
        """Number of undirected edges."""
        return self.indices.size // 2

    @cached_property
    def events_of(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The events of every node: those of ``v`` are ``events[starts[v] : starts[v + 1]]``, numbers of ``rows``."""
        from thinveil.graph.csr import incidence_rows  # late: numba takes a third of a second to import

        rows = self.rows or EdgeRows(*np.empty((2, 0), dtype=np.int32))
        return incidence_rows(rows.source, rows.target, self.node_count)

    @cached_property
    def common_neighbors(self) -> NDArray[np.int32]:
        """For each entry of ``indices``, how many neighbours the two ends of the edge have in common."""
        from thinveil.graph.csr import common_neighbors  # late: numba takes a third of a second to import

        shared: NDArray[np.int32] = common_neighbors(self.indptr, self.indices)
        return shared

    @property
    def degrees(self) -> NDArray[np.int64]:
        """Number of neighbours of every node."""
        return np.diff(self.indptr)

    def neighbors(self, node: int) -> NDArray[np.int32]:
        """Return the sorted neighbours of a node."""
        self._check_node(node)
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def label(self, node: int) -> Any:
        """Return what the user called a node."""
        self._check_node(node)
        return int(node) if self.labels is None else self.labels[node].item()

    def _check_node(self, node: int) -> None:
        if not isinstance(node, int | np.integer) or not 0 <= node < self.node_count:
            raise InputError(f"node {node!r} is not there: nodes are numbered from 0 to {self.node_count - 1:,}")

    def digest(self) -> str:
        """Return a SHA-256 of nodes and edges: equal graphs, equal digests, whatever file they came from."""
        return digest_of(self.indptr, self.indices)

    def __repr__(self) -> str:
        return f"<Graph: {self.node_count:,} nodes, {self.edge_count:,} edges>"


def _from_pairs(pairs: Any, node_count: Any, labels: Any, columns: Any) -> Graph:
    from thinveil.graph.exchange.pairs import from_pairs  # late: polars takes its time

    if node_count is not None or labels is not None:
        raise InputError("node_count and labels are for two columns of node numbers: pairs hold the labels themselves")
    return from_pairs(pairs, columns)


def digest_of(indptr: NDArray[np.int64], *parts: NDArray[np.int32]) -> str:
    """Return the SHA-256 of rows, whose neighbours may come in several parts."""
    sha = hashlib.sha256(b"thinveil graph 1")
    sha.update(np.ascontiguousarray(indptr, dtype="<i8").data)
    for part in parts:
        sha.update(np.ascontiguousarray(part, dtype="<i4").data)
    return sha.hexdigest()


def labels_of(graph: Graph) -> list[str]:
    """Return what the nodes of a graph are called, as text."""
    labels = np.arange(graph.node_count) if graph.labels is None else graph.labels
    return [str(label) for label in labels.tolist()]


def trusted_graph(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    labels: NDArray[Any] | None = None,
    rows: EdgeRows | None = None,
    dropped: Dropped | None = None,
    origin: Origin | None = None,
) -> Graph:
    """Return a graph of arrays that thinveil made itself: they are kept as they are, and nothing is checked."""
    graph = Graph.__new__(Graph)
    graph._fill(indptr, indices, labels, rows, dropped or Dropped(), origin)
    return graph


def _check_events(rows: EdgeRows, indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> EdgeRows:
    if not isinstance(rows, EdgeRows):
        raise InputError(f"rows is {type(rows).__name__}: it must be EdgeRows")
    source, target = check_events(rows.source, rows.target, indptr, indices)
    columns = check_columns(rows.columns, source.size)
    if "direction" in columns and (columns["direction"] < 0).any():
        raise InputError("column 'direction' of rows must hold 1 or 0: swap source and target where it is -1")
    return EdgeRows(source, target, {name: values.copy() for name, values in columns.items()})


def _keep_rows(source: NDArray[np.int32], target: NDArray[np.int32], columns: Mapping[str, NDArray[Any]]) -> EdgeRows:
    keep = source != target
    kept = {name: values[keep] for name, values in check_columns(columns, source.size).items()}
    source, target = source[keep], target[keep]
    if "direction" in kept:
        kept["direction"] = kept["direction"].astype(np.int8)
        against = kept["direction"] < 0
        source, target = np.where(against, target, source), np.where(against, source, target)
        kept["direction"] = np.abs(kept["direction"])
    return EdgeRows(source, target, kept)


def _neighbor_rows(
    source: NDArray[np.int32], target: NDArray[np.int32], node_count: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], int]:
    from thinveil.graph.csr import neighbor_rows  # late: numba takes a third of a second to import

    return neighbor_rows(source, target, node_count)
