"""Compressed sparse rows: built from two columns of node numbers, and looked through.

Each edge becomes one 64-bit key, smaller end first, so that the two directions of an edge are one key. The
keys are sorted and freed of repeats; then one walk over them fills all rows in ascending order, for when
the walk reaches the keys that start with ``v``, every smaller neighbour has written itself into the row of
``v`` already::

    edges   2-0 1-2 0-2 0-1
    keys    0-1 0-2 1-2
    rows    0: 1 2    1: 0 2    2: 0 1

Threads share both walks: each counts first what it will write, so that each knows where to write it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.runtime.splitmix import mix
from thinveil.runtime.threads import map_threads, thread_count

Longs = NDArray[np.int64]
Nodes = NDArray[np.int32]
_BUCKETS = 256
_FEW_EDGES = 1 << 14
_MOST_THREADS = 8  # each holds a counter per node


def neighbor_rows(source: Nodes, target: Nodes, node_count: int) -> tuple[Longs, Nodes, int]:
    """Return row starts, the rows of sorted distinct neighbours, and how many self-loops were left out."""
    keys, ends = _bucket_keys(source, target, node_count)
    few = _threads(source.size)
    # buckets of neighbouring nodes are sorted apart: in parallel, and each within the cache
    map_threads(np.ndarray.sort, [keys] if few else np.split(keys, ends[:-1]))
    shares = np.arange(1, _crew()) * keys.size // _crew()
    kept = map_threads(drop_repeats, np.split(keys, ends[np.searchsorted(ends, shares)]), few)
    counts = np.array(map_threads(lambda run: _count_ends(run, node_count), kept, few))
    indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts.sum(axis=0))))
    indices = np.empty(indptr[-1], dtype=np.int32)
    cursors = indptr[:-1] + np.cumsum(counts, axis=0) - counts
    _map_pairs(lambda run, cursor: _fill_rows(run, cursor, indices), kept, cursors, few)
    return indptr, indices, source.size - keys.size


@numba.njit(cache=True, nogil=True)
def incidence_rows(source: Nodes, target: Nodes, node_count: int) -> tuple[Longs, Longs]:
    """Return row starts, and for each node the numbers of the edges that end in it, in ascending order."""
    starts = np.zeros(node_count + 1, dtype=np.int64)
    for k in range(source.size):
        starts[source[k] + 1] += 1
        starts[target[k] + 1] += 1
    for v in range(node_count):
        starts[v + 1] += starts[v]
    cursor, edges = starts.copy(), np.empty(2 * source.size, dtype=np.int64)
    for k in range(source.size):
        edges[cursor[source[k]]] = k
        cursor[source[k]] += 1
        edges[cursor[target[k]]] = k
        cursor[target[k]] += 1
    return starts, edges


def _bucket_keys(source: Nodes, target: Nodes, node_count: int) -> tuple[Longs, Longs]:
    """Return the keys of all edges but self-loops, by buckets of the smaller end, and the buckets' ends."""
    shift = max(0, node_count.bit_length() - _BUCKETS.bit_length() + 1)
    sources, targets = np.array_split(source, _crew()), np.array_split(target, _crew())
    counts = np.array(_map_pairs(lambda u, v: _count_buckets(u, v, shift), sources, targets, _threads(source.size)))
    ends = np.cumsum(counts.sum(axis=0))
    keys = np.empty(ends[-1], dtype=np.int64)
    cursors = list(ends - counts.sum(axis=0) + np.cumsum(counts, axis=0) - counts)
    shares = list(zip(sources, targets, cursors, strict=True))
    map_threads(lambda share: _fill_buckets(*share, shift, keys), shares, _threads(source.size))
    return keys, ends


def _crew() -> int:
    return min(thread_count(), _MOST_THREADS)


def _threads(edges: int) -> int | None:
    """Return one thread for few edges, which are done before others have started; None for all there are."""
    return 1 if edges < _FEW_EDGES else None


def _map_pairs(function: Callable[[Any, Any], Any], first: Any, second: Any, threads: int | None) -> list[Any]:
    return map_threads(lambda pair: function(*pair), list(zip(first, second, strict=True)), threads)


@numba.njit(cache=True, nogil=True)
def _count_buckets(source: Nodes, target: Nodes, shift: int) -> Longs:
    counts = np.zeros(_BUCKETS, dtype=np.int64)
    for k in range(source.size):
        if source[k] != target[k]:
            counts[min(source[k], target[k]) >> shift] += 1
    return counts


@numba.njit(cache=True, nogil=True)
def _fill_buckets(source: Nodes, target: Nodes, cursor: Longs, shift: int, keys: Longs) -> None:
    for k in range(source.size):
        low, high = min(source[k], target[k]), max(source[k], target[k])
        if low != high:
            keys[cursor[low >> shift]] = (np.int64(low) << 32) | high
            cursor[low >> shift] += 1


@numba.njit(cache=True, nogil=True)
def drop_repeats(keys: Longs) -> Longs:
    """Move the distinct keys of a sorted run to its front, and return that part."""
    kept = 0
    for k in range(keys.size):
        if k == 0 or keys[k] != keys[kept - 1]:
            keys[kept] = keys[k]
            kept += 1
    return keys[:kept]


@numba.njit(cache=True, nogil=True)
def _count_ends(keys: Longs, node_count: int) -> Longs:
    counts = np.zeros(node_count, dtype=np.int64)
    for key in keys:
        counts[key >> 32] += 1
        counts[key & 0xFFFFFFFF] += 1
    return counts


@numba.njit(cache=True, nogil=True)
def _fill_rows(keys: Longs, cursor: Longs, indices: Nodes) -> None:
    for key in keys:
        low, high = key >> 32, key & 0xFFFFFFFF
        indices[cursor[low]] = high
        indices[cursor[high]] = low
        cursor[low] += 1
        cursor[high] += 1


@numba.njit(cache=True, nogil=True)
def common_neighbors(indptr: Longs, indices: Nodes) -> Nodes:
    """Return for each entry of ``indices`` how many neighbours the two ends of the edge have in common.

    Each edge is counted once, from its end with more neighbours: what it costs is the smaller degree of the two.
    """
    nodes = indptr.size - 1
    shared = np.empty(indices.size, dtype=np.int32)
    place = np.empty(nodes, dtype=np.int64)  # where the current node stands in a neighbour's row, once found
    marks = np.empty(nodes, dtype=np.int64)
    for v in range(nodes):
        place[v], marks[v] = indptr[v], -1
    for u in range(nodes):
        for k in range(indptr[u], indptr[u + 1]):
            marks[indices[k]] = u
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            back = place[v]  # rows are sorted and u only grows: the next entry of v's row is u
            place[v] += 1
            degree_u, degree_v = indptr[u + 1] - indptr[u], indptr[v + 1] - indptr[v]
            if degree_v < degree_u or (degree_v == degree_u and v < u):
                count = 0
                for e in range(indptr[v], indptr[v + 1]):
                    if marks[indices[e]] == u:
                        count += 1
                shared[k], shared[back] = count, count
    return shared


def is_simple(indptr: Longs, indices: Nodes) -> bool:
    """Say whether rows are those of a simple undirected graph; ``indptr`` goes up from 0 to the number of indices.

    Whether every edge stands in two rows is told by sums of a hash that nobody can know beforehand: met from its
    smaller end an edge is added, and from its larger end taken away again. That reads the rows once, in order; to find
    each edge in its other row, as ``first_fault`` does, takes several times as long. Rows that are not those of a graph
    pass with a probability of about 2 to the power of -128, as far as a hash can promise it.
    """
    keys: list[Any] = [np.uint64(secrets.randbits(64)) for _ in range(2)]
    bounds = _node_bounds(indptr, indices.size, None if indices.size >= _FEW_EDGES else 1)
    found = _map_pairs(
        lambda first, last: _sum_edges(indptr, indices, first, last, *keys), bounds[:-1], bounds[1:], len(bounds) - 1
    )
    return all(one[0] for one in found) and all(sum(int(one[k]) for one in found) % 2**64 == 0 for k in (1, 2))


def _node_bounds(indptr: Longs, entries: int, threads: int | None) -> list[int]:
    """Cut nodes into as many parts as there are threads, with about as many entries each."""
    parts, nodes = threads or _crew(), indptr.size - 1
    cuts = np.searchsorted(indptr, np.linspace(0, entries, 1 + parts).astype(np.int64)[1:-1])
    return [0, *np.minimum(cuts, nodes).tolist(), nodes]


@numba.njit(cache=True, nogil=True)
def _sum_edges(
    indptr: Longs, indices: Nodes, first: int, last: int, key: np.uint64, other_key: np.uint64
) -> tuple[bool, np.uint64, np.uint64]:
    """Say whether some rows ascend and name other nodes only, and add up their edges; see ``is_simple``."""
    nodes, one, other = indptr.size - 1, np.uint64(0), np.uint64(0)
    for u in range(first, last):
        before = -1
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if v <= before or v >= nodes or v == u:
                return False, one, other
            before = v
            edge = np.uint64((np.int64(min(u, v)) << 32) | max(u, v))
            if u < v:
                one += mix(mix(edge + key) ^ key)
                other += mix(mix(edge + other_key) ^ other_key)
            else:
                one -= mix(mix(edge + key) ^ key)
                other -= mix(mix(edge + other_key) ^ other_key)
    return True, one, other


def first_fault(indptr: Longs, indices: Nodes) -> tuple[int, int]:
    """Return the first node whose row is not that of a simple undirected graph, and what is wrong with it.

    1: a neighbour is not a node; 2: it is the node itself; 3: out of order, or twice; 4: the neighbour's row does not
    have the node; 0: nothing is wrong. ``indptr`` is known to go up from 0 to the number of indices.
    """
    node, fault = _find_fault(indptr, indices)
    return int(node), int(fault)


@numba.njit(cache=True, nogil=True)
def _find_fault(indptr: Longs, indices: Nodes) -> tuple[int, int]:
    """See ``first_fault``."""
    nodes = indptr.size - 1
    place = indptr[:nodes].copy()
    for u in range(nodes):
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if not 0 <= v < nodes:
                return u, 1
            if v == u:
                return u, 2
            if k > indptr[u] and indices[k - 1] >= v:
                return u, 3
            # rows that are sorted and symmetric are met in step: the next entry of v's row is u
            if place[v] >= indptr[v + 1] or indices[place[v]] != u:
                return u, 4
            place[v] += 1
    return 0, 0


@numba.njit(cache=True, nogil=True)
def _place_of(indptr: Longs, indices: Nodes, node: int, other: int) -> int:
    """Return where a neighbour stands in the sorted row of a node, or where it would."""
    low, high = indptr[node], indptr[node + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < other:
            low = middle + 1
        else:
            high = middle
    return int(low)


@numba.njit(cache=True, nogil=True)
def has_edge(indptr: Longs, indices: Nodes, node: int, other: int) -> bool:
    """Return whether two nodes are neighbours; rows are sorted."""
    place = _place_of(indptr, indices, node, other)
    return bool(place < indptr[node + 1] and indices[place] == other)


@numba.njit(cache=True, nogil=True)
def find_stray(indptr: Longs, indices: Nodes, source: Nodes, target: Nodes) -> int:
    """Return the first pair of nodes that is not an edge, or -1; rows are sorted, and the nodes are there."""
    for k in range(source.size):
        if not has_edge(indptr, indices, source[k], target[k]):
            return k
    return -1
