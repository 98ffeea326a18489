"""Raise degrees by adding edges alone.

People with too few contacts are joined to each other where they are no contacts yet. Whoever finds nobody is joined to
helpers: people of classes of equal degree so large that some can move up by one, with both classes left large enough.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.runtime.splitmix import STEP, mix, scale
from thinveil.schemes.edgeset import add, empty_set
from thinveil.schemes.whole import edges_of, graph_of, kernel_seed

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
_TRIES = 200
_IDLE = 20
"""Times in a row that helpers are drawn of whom none can be joined to anybody."""


def raise_degrees(graph: Graph, wanted: I64, k: int, rng: np.random.Generator) -> Graph | None:
    """Return the graph with edges added so that at least k people share each degree; None where that was not found."""
    source, target = edges_of(graph)
    stubs = np.repeat(np.arange(graph.node_count, dtype=np.int32), wanted - graph.degrees)
    # those who lack most choose first
    stubs = stubs[np.argsort(-(wanted - graph.degrees)[stubs], kind="stable")]
    present = empty_set(source.size + stubs.size)
    _add_all(present, source, target)
    first = _join_stubs(present, stubs, kernel_seed(rng))
    alone = stubs[: stubs.size - 2 * first[0].size]
    added, wanted, idle = [first], wanted.copy(), 0
    while alone.size:
        helpers = _helpers(wanted, alone.size, k, rng)
        if not helpers.size or idle == _IDLE:
            return None
        added.append(_join_helpers(present, alone, helpers, kernel_seed(rng)))
        idle = 0 if added[-1][0].size else idle + 1
        wanted[added[-1][1]] += 1
        alone = alone[: alone.size - added[-1][0].size]
    ends = [np.concatenate(parts) for parts in zip((source, target), *added, strict=True)]
    made = graph_of(ends[0], ends[1], graph.node_count)
    counts = np.bincount(made.degrees)
    return made if counts[counts > 0].min() >= k else None


def _helpers(wanted: I64, count: int, k: int, rng: np.random.Generator) -> I32:
    """Choose so many people who may have one contact more, or fewer where there are not so many."""
    sizes = np.bincount(wanted, minlength=int(wanted.max()) + 2)
    chosen: list[I32] = []
    for degree in np.argsort(-sizes, kind="stable").tolist():
        people = np.flatnonzero(wanted == degree)  # not those who have moved up into it
        taken = min(count, people.size, int(sizes[degree]) - k)
        if taken > 0 and sizes[degree + 1] + taken >= k:
            chosen.append(rng.choice(people, taken, replace=False).astype(np.int32))
            sizes[degree] -= taken
            sizes[degree + 1] += taken
            count -= taken
    return np.concatenate([np.empty(0, dtype=np.int32), *chosen])


@numba.njit(cache=True, nogil=True)
def _add_all(present: I64, source: I32, target: I32) -> None:
    for e in range(source.size):
        add(present, source[e], target[e])


@numba.njit(cache=True, nogil=True)
def _join_stubs(present: I64, stubs: I32, state: np.uint64) -> tuple[I32, I32]:
    """Join stubs two by two; those that find no partner are moved to the front."""
    source, target = np.empty(stubs.size, dtype=np.int32), np.empty(stubs.size, dtype=np.int32)
    open_ones, alone, found = stubs.copy(), 0, 0
    first, last = 0, stubs.size
    while first < last:
        u, partner = open_ones[first], -1
        first += 1
        for _ in range(_TRIES if first < last else 0):
            state += STEP
            j = first + scale(mix(state), last - first)
            if open_ones[j] != u and add(present, u, open_ones[j]):
                partner = j
                break
        if partner < 0:
            stubs[alone] = u
            alone += 1
            continue
        source[found], target[found] = u, open_ones[partner]
        found += 1
        last -= 1
        open_ones[partner] = open_ones[last]
    return source[:found], target[:found]


@numba.njit(cache=True, nogil=True)
def _join_helpers(present: I64, stubs: I32, helpers: I32, state: np.uint64) -> tuple[I32, I32]:
    """Join each stub to one of the helpers, each of whom is used once; stubs that find none are moved to the front."""
    source, target = np.empty(stubs.size, dtype=np.int32), np.empty(stubs.size, dtype=np.int32)
    left, found, alone = helpers.size, 0, 0
    for u in stubs:
        before = left
        for _ in range(_TRIES if left else 0):
            state += STEP
            j = scale(mix(state), left)
            if helpers[j] != u and add(present, u, helpers[j]):
                source[found], target[found] = u, helpers[j]
                found += 1
                left -= 1
                helpers[j] = helpers[left]
                break
        if left == before:
            stubs[alone] = u
            alone += 1
    return source[:found], target[:found]
