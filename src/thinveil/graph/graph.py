"""The graph that flows everywhere.

A graph is a simple undirected graph in compressed sparse rows: the neighbours of node ``v`` are
``indices[indptr[v] : indptr[v + 1]]``, sorted, and every edge stands in two rows. Nodes are the dense
integers 0 .. node_count - 1; what the user called them stands in ``labels``. Where the input had weights,
times or directions, the input's own rows are kept beside in ``rows``, since several of them may fold into
one edge.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thinveil.errors import InputError

Ints = NDArray[np.integer[Any]]
_MAX_NODES = 2**31 - 1


@dataclass(frozen=True, eq=False)
class EdgeRows:
    """The input's rows without self-loops, called events: each is between ``source[k]`` and ``target[k]``.

    ``columns[name][k]`` are its values. Where there is a column ``direction``, the event went from source to target
    (1) or both ways (0), whatever the input's own spelling; where there is none, which end is the source says nothing.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Dropped:
    """How many input rows did not become an edge of their own."""

    loops: int = 0
    duplicates: int = 0


@dataclass(frozen=True, eq=False)
class Graph:
    """An immutable undirected graph.

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

    def __post_init__(self) -> None:
        if self.indptr.size == 0 or self.indptr[0] != 0 or self.indptr[-1] != self.indices.size:
            raise InputError("indptr must start at 0 and end at the number of indices: make graphs with from_edges")
        for array in (self.indptr, self.indices):
            array.flags.writeable = False

    @classmethod
    def from_edges(
        cls,
        source: ArrayLike,
        target: ArrayLike,
        *,
        node_count: int | None = None,
        labels: NDArray[Any] | None = None,
        columns: Mapping[str, NDArray[Any]] | None = None,
    ) -> Graph:
        """Build a graph from two columns of dense node numbers.

        Self-loops and repeated edges (in either direction) are dropped and counted. ``columns`` are values
        per input row; giving them keeps the rows. In a column ``direction``, 1 means from source to target, -1 the
        other way and 0 both.
        """
        source, target = _node_column(source), _node_column(target)
        if source.shape != target.shape:
            raise InputError(f"{source.size} sources but {target.size} targets: one of each per edge is needed")
        node_count = check_node_count(source, target, node_count)
        if labels is not None and len(labels) != node_count:
            raise InputError(f"{len(labels)} labels for {node_count} nodes: one of each is needed")
        # writeable, since numba would compile the kernels once more for read-only columns
        ends = np.require(source, np.int32, ["C", "W"]), np.require(target, np.int32, ["C", "W"])
        indptr, indices, loops = _neighbor_rows(*ends, node_count)
        duplicates = source.size - loops - indices.size // 2
        rows = None if columns is None else _keep_rows(*ends, columns)
        return cls(indptr, indices, labels, rows, Dropped(loops, duplicates))

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
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def label(self, node: int) -> Any:
        """Return what the user called a node."""
        return int(node) if self.labels is None else self.labels[node].item()

    def digest(self) -> str:
        """Return a SHA-256 of nodes and edges: equal graphs, equal digests, whatever file they came from."""
        sha = hashlib.sha256(b"thinveil graph 1")
        sha.update(np.ascontiguousarray(self.indptr, dtype="<i8").data)
        sha.update(np.ascontiguousarray(self.indices, dtype="<i4").data)
        return sha.hexdigest()

    def __repr__(self) -> str:
        return f"<Graph: {self.node_count:,} nodes, {self.edge_count:,} edges>"


def check_node_count(source: Ints, target: Ints, node_count: int | None) -> int:
    """Return the number of nodes, or say which node number does not fit it."""
    limit = _MAX_NODES if node_count is None else node_count
    if not 0 <= limit <= _MAX_NODES:
        raise InputError(f"node_count is {node_count}: it must be between 0 and {_MAX_NODES}")
    if not source.size:
        return node_count or 0
    low = int(min(source.min(), target.min()))
    high = int(max(source.max(), target.max()))
    if low < 0:
        raise InputError(f"node number {low} is negative: node numbers start at 0")
    if high >= limit:
        raise InputError(f"node number {high} is too large: use dense numbers below {limit}")
    return high + 1 if node_count is None else node_count


def _node_column(values: ArrayLike) -> Ints:
    column = np.asarray(values)
    if column.size == 0:
        return np.empty(0, dtype=np.int32)
    if column.ndim != 1 or not np.issubdtype(column.dtype, np.integer):
        raise InputError(f"node numbers must be one column of integers, not {column.ndim}-d {column.dtype}")
    return column


def _keep_rows(source: NDArray[np.int32], target: NDArray[np.int32], columns: Mapping[str, NDArray[Any]]) -> EdgeRows:
    for name, values in columns.items():
        if len(values) != source.size:
            raise InputError(f"column {name!r} has {len(values)} values for {source.size} edges")
    keep = source != target
    source, target = source[keep], target[keep]
    kept = {name: np.asarray(values)[keep] for name, values in columns.items()}
    if "direction" in kept:
        against = kept["direction"] < 0
        source, target = np.where(against, target, source), np.where(against, source, target)
        kept["direction"] = np.abs(kept["direction"])
    return EdgeRows(source, target, kept)


def _neighbor_rows(
    source: NDArray[np.int32], target: NDArray[np.int32], node_count: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], int]:
    from thinveil.graph.csr import neighbor_rows  # late: numba takes a third of a second to import

    return neighbor_rows(source, target, node_count)
