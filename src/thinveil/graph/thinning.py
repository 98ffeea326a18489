"""Noisy copies: the network among some people, with a share of its edges lost by lot.

The events of an edge go with it. They stand in the order of their ends' new numbers and of their own values, which says
nothing about the order in which they stood before.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph.balls import sorted_rows
from thinveil.graph.csr import has_edge
from thinveil.graph.graph import EdgeRows, Graph, trusted_graph
from thinveil.runtime.splitmix import STEP, mix

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
_LOTS = 2**53
"""An edge draws a lot below this number: as fine as a float can tell shares apart."""


def thin(graph: Graph, members: I32, deleted: float, key: int) -> Graph:
    """Return the network among some people, in their order, of which a share of the edges is deleted by lot."""
    place = np.full(graph.node_count, -1, dtype=np.int32)
    place[members] = np.arange(members.size, dtype=np.int32)
    rows = _thinned_rows(graph.indptr, graph.indices, place, members.size, key, round(deleted * _LOTS))
    return trusted_graph(*rows, rows=None if graph.rows is None else keep_events(graph.rows, place, *rows))


def keep_events(events: EdgeRows, place: I32, indptr: I64, indices: I32) -> EdgeRows:
    """Return the events on the edges that there are, under the new numbers of their ends (-1 for nobody).

    Examples
    --------
    >>> calls = Graph.from_edges([0, 1, 0], [1, 2, 1], columns={"weight": np.array([9, 5, 3])})
    >>> place = np.array([2, 1, 0], dtype=np.int32)
    >>> kept = keep_events(calls.rows, place, np.array([0, 0, 1, 2]), np.array([2, 1], dtype=np.int32))
    >>> kept.source.tolist(), kept.target.tolist(), kept.columns["weight"].tolist()
    ([1, 1], [2, 2], [3, 9])
    """
    ends = np.stack((place[events.source], place[events.target]))
    kept = are_edges(ends[0], ends[1], indptr, indices)
    ends, columns = ends[:, kept], {name: values[kept] for name, values in events.columns.items()}
    # who is the source says something only where there is a direction
    is_plain = columns["direction"] == 0 if "direction" in columns else np.ones(ends.shape[1], dtype=bool)
    ends = np.where(is_plain & (ends[0] > ends[1]), ends[::-1], ends)
    order = np.lexsort((*(columns[name] for name in sorted(columns)), ends[1], ends[0]))
    return EdgeRows(ends[0][order], ends[1][order], {name: values[order] for name, values in columns.items()})


@numba.njit(cache=True, nogil=True)
def are_edges(source: I32, target: I32, indptr: I64, indices: I32) -> NDArray[np.bool_]:
    """Return which pairs of nodes are edges; a number that is no node's has none."""
    found, nodes = np.zeros(source.size, dtype=np.bool_), indptr.size - 1
    for k in range(source.size):
        if 0 <= source[k] < nodes and 0 <= target[k] < nodes:
            found[k] = has_edge(indptr, indices, source[k], target[k])
    return found


@numba.njit(cache=True, nogil=True)
def _thinned_rows(indptr: I64, indices: I32, place: I32, nodes: int, key: int, cut: int) -> tuple[I64, I32]:
    """Return the rows of the people with a place, without the edges that draw a lot below ``cut``.

    The lot of an edge depends on ``key`` and on where the edge stands in the row of its smaller end, and on
    nothing else: whether a person is in the graph does not change the luck of other people's edges.
    """
    source, target = np.empty(indices.size // 2, dtype=np.int32), np.empty(indices.size // 2, dtype=np.int32)
    count = 0
    for v in range(indptr.size - 1):
        for k in range(indptr[v], indptr[v + 1]):
            if indices[k] < v or place[v] < 0 or place[indices[k]] < 0:
                continue
            if np.int64(mix(np.uint64(key) + np.uint64(k) * STEP) >> np.uint64(11)) >= cut:
                source[count], target[count] = place[v], place[indices[k]]
                count += 1
    return sorted_rows(source[:count], target[:count], nodes)
