"""Kernels that cut 2-hop balls out of a graph.

A ball is an array of nodes: the ego, its neighbours in order, then the nodes two hops away. A *table* finds
the place of a node in its ball: open addressing over ``keys`` (node or -1) and ``places``, sized by the ball
and not by the graph, so that memory follows the egonet even in a graph of a billion people.

All kernels release the interpreter lock and may run in several threads. They spell out loops that numpy has a
word for (filling, summing up): numba takes seconds to compile the words, and milliseconds for the loops.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


@numba.njit(cache=True, nogil=True)
def _slot(keys: I32, node: int) -> int:
    """Return where ``node`` stands in the table, or the empty slot where it would."""
    mask = keys.size - 1
    # Fibonacci hashing: neighbouring node numbers land far apart
    slot = ((np.uint64(node) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & np.uint64(mask)
    while keys[slot] != node and keys[slot] != -1:
        slot = (slot + np.uint64(1)) & np.uint64(mask)
    return slot


@numba.njit(cache=True, nogil=True)
def _empty_keys(entries: int) -> I32:
    size = 4
    while size < 2 * entries:
        size *= 2
    keys = np.empty(size, dtype=np.int32)
    for slot in range(size):
        keys[slot] = -1
    return keys


@numba.njit(cache=True, nogil=True)
def _ball_bound(indptr: I64, indices: I32, ego: int) -> int:
    """Return a number of nodes that the 2-hop ball cannot exceed."""
    bound = 1 + indptr[ego + 1] - indptr[ego]
    for k in range(indptr[ego], indptr[ego + 1]):
        bound += indptr[indices[k] + 1] - indptr[indices[k]]
    return min(bound, indptr.size - 1)


@numba.njit(cache=True, nogil=True)
def _fill_ball(indptr: I64, indices: I32, ego: int, keys: I32, ball: I32) -> int:
    """Write the ball of ``ego`` until it is complete or ``ball`` is full; return how many nodes it got."""
    keys[_slot(keys, ego)] = ego
    ball[0] = ego
    count = 1
    for k in range(indptr[ego], indptr[ego + 1]):
        if count == ball.size:
            return count
        keys[_slot(keys, indices[k])] = indices[k]
        ball[count] = indices[k]
        count += 1
    for near in range(1, count):
        for k in range(indptr[ball[near]], indptr[ball[near] + 1]):
            slot = _slot(keys, indices[k])
            if keys[slot] == -1:
                if count == ball.size:
                    return count
                keys[slot] = indices[k]
                ball[count] = indices[k]
                count += 1
    return count


@numba.njit(cache=True, nogil=True)
def two_hop_ball(indptr: I64, indices: I32, ego: int) -> I32:
    """Return the nodes within two hops of ``ego``: itself, its neighbours, the rest."""
    bound = _ball_bound(indptr, indices, ego)
    ball = np.empty(bound, dtype=np.int32)
    count = _fill_ball(indptr, indices, ego, _empty_keys(bound), ball)
    return ball[:count].copy()


@numba.njit(cache=True, nogil=True)
def first_large(indptr: I64, indices: I32, order: I64, min_size: int, most: int, count: int) -> I64:
    """Return the first ``count`` nodes in ``order`` whose ball has more than ``min_size`` nodes, and at most ``most``.

    ``most`` is 0 where there is no such bound, and else above ``min_size``.
    """
    chosen = np.empty(count, dtype=np.int64)
    found = 0
    # one more than the bound is all there is to know
    ball = np.empty((most if most > 0 else min_size) + 1, dtype=np.int32)
    keys = _empty_keys(ball.size)
    for ego in order:
        if found == count:
            break
        if _ball_bound(indptr, indices, ego) <= min_size:
            continue
        for slot in range(keys.size):
            keys[slot] = -1
        size = _fill_ball(indptr, indices, ego, keys, ball)
        if size > min_size and (most == 0 or size <= most):
            chosen[found] = ego
            found += 1
    return chosen[:found].copy()


@numba.njit(cache=True, nogil=True)
def _table(members: I32) -> tuple[I32, I32]:
    """Return the table that finds the place of each member."""
    keys = _empty_keys(members.size)
    places = np.empty(keys.size, dtype=np.int32)
    for p in range(members.size):
        slot = _slot(keys, members[p])
        keys[slot] = members[p]
        places[slot] = p
    return keys, places


@numba.njit(cache=True, nogil=True)
def induced_events(
    starts: I64, events: I64, source: I32, target: I32, members: I32, inner: int, outer_edges: bool
) -> tuple[I64, I32]:
    """Return the numbers of the events on published edges, and the places of their sources and targets in the ball.

    The events of node v are ``events[starts[v] : starts[v + 1]]``; which are published is as in ``induced_rows``.
    """
    keys, places = _table(members)
    rows = members.size if outer_edges else inner
    bound = 0
    for p in range(rows):
        bound += starts[members[p] + 1] - starts[members[p]]
    kept, ends = np.empty(bound, dtype=np.int64), np.empty((2, bound), dtype=np.int32)
    count = 0
    for p in range(rows):
        for k in range(starts[members[p]], starts[members[p] + 1]):
            event = events[k]
            is_source = source[event] == members[p]
            slot = _slot(keys, target[event] if is_source else source[event])
            if keys[slot] != -1 and places[slot] > p:
                kept[count] = event
                ends[0, count] = p if is_source else places[slot]
                ends[1, count] = places[slot] if is_source else p
                count += 1
    return kept[:count].copy(), ends[:, :count].copy()


@numba.njit(cache=True, nogil=True)
def induced_rows(
    indptr: I64, indices: I32, members: I32, pseudonyms: I32, inner: int, outer_edges: bool
) -> tuple[I64, I32]:
    """Return the rows of the published ball; ``members[p]`` is published as ``pseudonyms[p]``.

    The first ``inner`` members are the ego and its neighbours. All neighbours of these are in the ball; only
    the rows of the others must be searched, and only where edges between them are wanted.
    """
    keys, places = _table(members)
    rows = members.size if outer_edges else inner
    bound = 0
    for p in range(rows):
        bound += indptr[members[p] + 1] - indptr[members[p]]
    source = np.empty(bound, dtype=np.int32)
    target = np.empty(bound, dtype=np.int32)
    count = 0
    for p in range(rows):
        for k in range(indptr[members[p]], indptr[members[p] + 1]):
            slot = _slot(keys, indices[k])
            # an edge between two of the rows is met twice: keep it when met from its earlier end
            if keys[slot] != -1 and places[slot] > p:
                source[count] = pseudonyms[p]
                target[count] = pseudonyms[places[slot]]
                count += 1
    return sorted_rows(source[:count], target[:count], members.size)


@numba.njit(cache=True, nogil=True)
def sorted_rows(source: I32, target: I32, nodes: int) -> tuple[I64, I32]:
    """Return the rows of an edge list. Transposing a symmetric matrix sorts its rows without a sort."""
    indptr = np.zeros(nodes + 1, dtype=np.int64)
    for k in range(source.size):
        indptr[source[k] + 1] += 1
        indptr[target[k] + 1] += 1
    for v in range(nodes):
        indptr[v + 1] += indptr[v]
    unsorted = np.empty(indptr[nodes], dtype=np.int32)
    cursor = indptr.copy()
    for k in range(source.size):
        unsorted[cursor[source[k]]] = target[k]
        unsorted[cursor[target[k]]] = source[k]
        cursor[source[k]] += 1
        cursor[target[k]] += 1
    indices = np.empty(indptr[nodes], dtype=np.int32)
    cursor = indptr.copy()
    for v in range(nodes):
        for k in range(indptr[v], indptr[v + 1]):
            indices[cursor[unsorted[k]]] = v
            cursor[unsorted[k]] += 1
    return indptr, indices


@numba.njit(cache=True, nogil=True)
def mark_ball(indptr: I64, indices: I32, center: int, marks: I64, stamp: int) -> int:
    """Stamp all nodes within two hops; return how many there are."""
    marks[center] = stamp
    count = 1
    for k in range(indptr[center], indptr[center + 1]):
        if marks[indices[k]] != stamp:
            marks[indices[k]] = stamp
            count += 1
    for k in range(indptr[center], indptr[center + 1]):
        near = indices[k]
        for e in range(indptr[near], indptr[near + 1]):
            if marks[indices[e]] != stamp:
                marks[indices[e]] = stamp
                count += 1
    return count


@numba.njit(cache=True, nogil=True)
def _mark_up_to(indptr: I64, indices: I32, center: int, marks: I64, most: int) -> int:
    """Stamp the ball of a node with its number until ``most`` are stamped; return how many are."""
    marks[center] = center
    count = 1
    for hop in range(2):
        for k in range(indptr[center], indptr[center + 1]):
            near = indices[k]
            first, last = (k, k + 1) if hop == 0 else (indptr[near], indptr[near + 1])
            for e in range(first, last):
                if count >= most:
                    return count
                if marks[indices[e]] != center:
                    marks[indices[e]] = center
                    count += 1
    return count


@numba.njit(cache=True, nogil=True)
def ball_sizes(indptr: I64, indices: I32, most: int) -> I64:
    """Return how many nodes the ball of each node has, counted up to ``most``."""
    nodes = indptr.size - 1
    sizes, marks = np.empty(nodes, dtype=np.int64), np.empty(nodes, dtype=np.int64)
    for v in range(nodes):
        marks[v] = -1
    for v in range(nodes):
        sizes[v] = _mark_up_to(indptr, indices, v, marks, most)
    return sizes
