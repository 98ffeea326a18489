"""Guards in front of the kernels, which check nothing: whatever is in a graph has passed here, or was made by thinveil.

Numbers of nodes are checked by one walk over the rows, which costs less than reading them from a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thinveil.errors import InputError
from thinveil.runtime.arrays import check_array

Ints = NDArray[np.integer[Any]]
MAX_NODES = 2**31 - 1
_ADVICE = "make graphs with Graph.from_edges"
_FAULTS = {
    1: "has a neighbour that is not a node",
    2: "has itself as a neighbour",
    3: "has neighbours out of order, or one twice",
    4: "has a neighbour in whose row it does not stand",
}


def check_node_count(source: Ints, target: Ints, node_count: int | None) -> int:
    """Return the number of nodes, or say which node number does not fit it."""
    if node_count is not None and (isinstance(node_count, bool) or not isinstance(node_count, int | np.integer)):
        raise InputError(f"node_count is {node_count!r}: it must be a whole number, or None")
    limit = MAX_NODES if node_count is None else int(node_count)
    if not 0 <= limit <= MAX_NODES:
        raise InputError(f"node_count is {node_count}: it must be between 0 and {MAX_NODES}")
    if not source.size:
        return int(node_count or 0)
    low = int(min(source.min(), target.min()))
    high = int(max(source.max(), target.max()))
    if low < 0:
        raise InputError(f"node number {low} is negative: node numbers start at 0")
    if high >= limit:
        raise InputError(f"node number {high} is too large: use dense numbers below {limit}")
    return high + 1 if node_count is None else limit


def check_nodes(values: ArrayLike) -> Ints:
    """Return a column of node numbers of whatever integer type."""
    column = check_array("node numbers", values)
    if column.size == 0:
        return np.empty(0, dtype=np.int32)
    if column.ndim != 1 or not np.issubdtype(column.dtype, np.integer):
        raise InputError(f"node numbers must be one column of integers, not {column.ndim}-d {column.dtype}")
    return column


def check_rows(indptr: Any, indices: Any) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return copies of compressed sparse rows as the kernels need them, or say what is wrong with them."""
    starts, flat = check_nodes(indptr), check_nodes(indices)
    check_row_starts(starts, flat.size)
    check_node_count(flat, flat, starts.size - 1)
    copies = starts.astype(np.int64), flat.astype(np.int32)
    if words := fault_words(*copies):
        raise InputError(words)
    return copies


def check_row_starts(starts: Ints, entries: int) -> None:
    """Refuse row starts that do not go up from 0 to the number of indices."""
    if starts.size == 0 or starts[0] != 0 or starts[-1] != entries or starts.size - 1 > MAX_NODES:
        raise InputError(f"indptr must start at 0 and end at the number of indices: {_ADVICE}")
    if (starts[1:] < starts[:-1]).any():
        raise InputError(f"indptr must never go down: {_ADVICE}")


def fault_words(indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> str | None:
    """Say what is wrong with rows whose starts are right; nothing if they are those of a simple undirected graph."""
    from thinveil.graph.csr import first_fault, is_simple  # late: numba takes a third of a second to import

    if is_simple(indptr, indices):
        return None
    node, fault = first_fault(indptr, indices)
    return f"node {node} {_FAULTS[fault]}: {_ADVICE}" if fault else None


def check_labels(labels: Any, node_count: int) -> NDArray[Any] | None:
    """Return what the nodes are called: integers or texts, one each; a copy, unless nobody can write to them."""
    if labels is None:
        return None
    names = check_array("labels", labels)
    if names.dtype == object and all(isinstance(name, str) for name in names.flat):
        names = names.astype(np.str_)
    if names.ndim != 1 or names.size != node_count:
        raise InputError(f"{names.size} labels for {node_count} nodes: one of each is needed")
    if names.dtype.kind not in "iuU" and names.size:
        raise InputError(f"labels must be integers or texts, not {names.dtype}")
    return names.copy() if names.flags.writeable else names


def check_columns(columns: Any, count: int) -> dict[str, NDArray[Any]]:
    """Return the values of events: one finite number for each event and name."""
    if not isinstance(columns, Mapping):
        raise InputError("columns must be a mapping from names to one value per edge")
    return {name: _check_values(name, values, count) for name, values in columns.items()}


def _check_values(name: Any, values: Any, count: int) -> NDArray[Any]:
    column = check_array(f"column {name!r}", values)
    if column.shape != (count,):
        size = column.size if column.ndim == 1 else f"{column.ndim}-d"
        raise InputError(f"column {name!r} has {size} values for {count} edges")
    if column.dtype.kind not in "biuf" or not np.isfinite(column).all():
        raise InputError(f"column {name!r} must hold finite numbers, one per edge, not {column.dtype}")
    if name == "direction" and not np.isin(column, (-1, 0, 1)).all():
        raise InputError("column 'direction' must hold 1 (from source to target), -1 (the other way) or 0 (both)")
    return column


def check_events(source: Any, target: Any, indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> list[NDArray[Any]]:
    """Return the two ends of events as the kernels need them: each event is on an edge."""
    ends = check_nodes(source), check_nodes(target)
    if ends[0].shape != ends[1].shape:
        raise InputError(f"{ends[0].size} sources but {ends[1].size} targets: one of each per event is needed")
    check_node_count(*ends, indptr.size - 1)
    copies = [column.astype(np.int32) for column in ends]
    from thinveil.graph.csr import find_stray  # late: numba takes a third of a second to import

    stray = find_stray(indptr, indices, *copies)
    if stray >= 0:
        raise InputError(f"row {stray} of the events is between {source[stray]} and {target[stray]}: no edge is there")
    return copies
