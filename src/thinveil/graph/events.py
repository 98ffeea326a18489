"""The events of a graph: what its edges are made of.

An *event* is a row of the input (``Graph.rows``): a call, a message, a mail. An *entry* is a place in the compressed
sparse rows, one neighbour of one node; what the events of a node with a neighbour add up to is an array over entries.
A *slot* is one of several equal spans of time. People who publish call records publish them in slots, with pseudonyms
that persist (Section 2.1 of the paper): a graph *in slots* has the number of the slot, from 0, in place of each time.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import EdgeRows, Graph, trusted_graph

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_OPTIONS = {"time": "--time (time=)", "weight": "--weight (weight=)", "direction": "--directed or --direction"}


def check_events(graph: Graph, wanted_by: str, *columns: str) -> EdgeRows:
    """Return the events of a graph, or say which column is missing and how to get it."""
    if graph.rows is None:
        options = [_OPTIONS[name] for name in columns] or ["--directed, --time or --weight"]
        raise InputError(
            f"{wanted_by} needs the events behind the edges, and there are none: read the graph with "
            f"{' and '.join(options)}, and choose a scheme that publishes them"
        )
    for name in columns:
        if name not in graph.rows.columns:
            raise InputError(f"{wanted_by} needs a {name} of each event: read the graph with {_OPTIONS[name]}")
    return graph.rows


class CutGraph(Graph):
    """A graph whose times are cut; it travels to another process as what it was made from, which may be a folder."""

    _made_from: tuple[Graph, int]

    def __reduce__(self) -> tuple[Any, ...]:
        return cut_time, self._made_from


def cut_time(graph: Graph, slots: int) -> Graph:
    """Return the graph with times cut into equal spans; without times for a single slot.

    The first span starts with the earliest event and the last ends with the latest, in whatever order they stand.

    Examples
    --------
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], columns={"time": np.array([90, 0, 100])})
    >>> cut_time(graph, 4).rows.columns["time"].tolist()
    [3, 0, 3]
    """
    if slots == 1 and graph.rows is None:
        return graph
    rows = check_events(graph, "time in slots", *["time"] * (slots > 1))
    columns = {name: values for name, values in rows.columns.items() if name != "time"}
    if slots > 1:
        columns["time"] = _slots_of(rows.columns["time"], slots)
    events = EdgeRows(rows.source, rows.target, columns)
    cut = CutGraph.__new__(CutGraph)
    cut._fill(graph.indptr, graph.indices, graph.labels, events, graph.dropped, None)
    vars(cut)["_made_from"] = graph, slots
    return cut


def _slots_of(times: NDArray[Any], slots: int) -> I32:
    first, last = (float(times.min()), float(times.max())) if times.size else (0.0, 0.0)
    if first == last:
        raise InputError(f"all events have the same time: there is nothing to cut into {slots} slots")
    spans = (times.astype(np.float64) - first) / (last - first) * slots
    return np.minimum(spans, slots - 1).astype(np.int32)


def split_slots(graph: Graph, slots: int) -> list[Graph]:
    """Return for each slot the graph of its own events, on the nodes of the whole period."""
    rows = check_events(graph, "time in slots", "time")
    if rows.source.size and not 0 <= rows.columns["time"].min() <= rows.columns["time"].max() < slots:
        raise InputError(f"times are cut into more than {slots} slots: attack the release with as many slots as it has")
    order = np.argsort(rows.columns["time"], kind="stable")
    ends = np.searchsorted(rows.columns["time"][order], np.arange(slots + 1))
    return [_subset(graph, rows, order[first:last]) for first, last in pairwise(ends)]


def _subset(graph: Graph, rows: EdgeRows, events: I64) -> Graph:
    columns = {name: values[events] for name, values in rows.columns.items()}
    part = EdgeRows(rows.source[events], rows.target[events], columns)
    ones = np.ones(events.size)
    keep = sum_entries(graph, part, ones, ones) > 0
    kept = np.concatenate(([0], np.cumsum(keep))).astype(np.int64)
    return trusted_graph(kept[graph.indptr], graph.indices[keep], rows=part)


def sum_entries(graph: Graph, rows: EdgeRows, forth: F64, back: F64) -> F64:
    """Return for every entry the sum over its events: ``forth`` where the node is their source, else ``back``."""
    sums: F64 = _sum_entries(graph.indptr, graph.indices, rows.source, rows.target, forth, back)
    return sums


@numba.njit(cache=True, nogil=True)
def _find_entry(indptr: I64, indices: I32, node: int, neighbor: int) -> int:
    """Return where a neighbour stands in the sorted row of a node."""
    low, high = int(indptr[node]), int(indptr[node + 1]) - 1
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < neighbor:
            low = middle + 1
        else:
            high = middle
    return low


@numba.njit(cache=True, nogil=True)
def _sum_entries(indptr: I64, indices: I32, source: I32, target: I32, forth: F64, back: F64) -> F64:
    sums = np.zeros(indices.size, dtype=np.float64)
    for k in range(source.size):
        sums[_find_entry(indptr, indices, source[k], target[k])] += forth[k]
        sums[_find_entry(indptr, indices, target[k], source[k])] += back[k]
    return sums
