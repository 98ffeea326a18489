"""Who is seen whole: a published sub-graph shows all contacts of the people near its center, and few of the others'.

The center of a sub-graph is the node within two hops of which most others are; where several are, the one with the
fewest neighbours, for an ego's ball is the union of its neighbours' circles and a hub's ball is large by itself. The
*inner* nodes are the center and its neighbours. A sub-graph without such a center has only inner nodes.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.graph.balls import mark_ball

I64 = NDArray[np.int64]
I32 = NDArray[np.int32]

_WITNESSES = 32
_TRIES = 64
_MOST = 0.9  # share of the nodes that must be within two hops of a center


def find_inner(subgraph: Graph) -> NDArray[np.bool_]:
    """Return which nodes are inner ones.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> find_inner(path).tolist()
    [False, True, True, True, False]
    """
    # nodes with few neighbours are within two hops of few others: they rule out most candidates
    order = np.argsort(subgraph.degrees, kind="stable")
    inner: NDArray[np.bool_] = _find_inner(subgraph.indptr, subgraph.indices, order)
    return inner


@numba.njit(cache=True, nogil=True)
def _find_inner(indptr: I64, indices: I32, order: I64) -> NDArray[np.bool_]:
    nodes = indptr.size - 1
    center = _find_center(indptr, indices, order)
    inner = np.empty(nodes, dtype=np.bool_)
    for v in range(nodes):
        inner[v] = center < 0 or v == center
    if center >= 0:
        for k in range(indptr[center], indptr[center + 1]):
            inner[indices[k]] = True
    return inner


@numba.njit(cache=True, nogil=True)
def _find_center(indptr: I64, indices: I32, order: I64) -> int:
    """Return the center, or -1; of the nodes in most witnesses' balls, those with few neighbours are tried first."""
    nodes = indptr.size - 1
    marks, votes = np.empty(nodes, dtype=np.int64), np.empty(nodes, dtype=np.int64)
    for v in range(nodes):
        marks[v], votes[v] = -1, 0
    stamp = 0
    for w in range(nodes):
        if indptr[order[w] + 1] > indptr[order[w]]:  # a node without neighbours knows nothing
            mark_ball(indptr, indices, order[w], marks, stamp)
            for v in range(nodes):
                votes[v] += marks[v] == stamp
            stamp += 1
        if stamp == _WITNESSES:
            break
    most = 0
    for v in range(nodes):
        most = max(most, votes[v])
    best, center, tries = 0, -1, 0
    for place in range(nodes):
        v = order[place]
        if votes[v] < most or most == 0:
            continue
        size = mark_ball(indptr, indices, v, marks, stamp)
        stamp, tries = stamp + 1, tries + 1
        if size > best:
            best, center = size, v
        if best == nodes or tries == _TRIES:
            break
    return center if best >= _MOST * nodes else -1
