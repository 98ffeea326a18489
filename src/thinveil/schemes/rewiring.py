"""Change as few edges as can be so that everybody has the degree wanted.

Whoever has too many contacts hands one of their edges on to somebody who has too few: u-w becomes v-w. Where all who
have too few know w already, it goes by way of another edge. What is left is met two at a time. Two people with too few
are joined; or, if they are contacts already, put into an edge a-b, which becomes u-a and v-b. Two with too many lose an
edge each, and the other two ends are joined. All others keep their degree.

Candidates are drawn at random, a bounded number of times, so that it may fail, though hardly in a large sparse graph.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.runtime.splitmix import STEP, mix, scale
from thinveil.schemes.edgeset import add, delete, empty_set, has
from thinveil.schemes.whole import edges_of, graph_of, kernel_seed

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
_TRIES = 1000


def rewire(graph: Graph, wanted: I64, rng: np.random.Generator) -> Graph | None:
    """Return the graph with few edges changed so that it has the degrees wanted; None where that was not found."""
    missing = wanted - graph.degrees
    everybody = np.arange(graph.node_count, dtype=np.int32)
    few, many = (rng.permutation(np.repeat(everybody, np.maximum(sign * missing, 0))) for sign in (1, -1))
    source, target = edges_of(graph)
    room = np.full(few.size, -1, dtype=np.int32)
    source, target = np.append(source, room), np.append(target, room)
    starts, places = incident(source[: graph.edge_count], target[: graph.edge_count], graph.node_count)
    _rewire(source, target, graph.edge_count, starts, places, many, few, kernel_seed(rng))
    there = source >= 0
    made = graph_of(source[there], target[there], graph.node_count)
    return made if np.array_equal(made.degrees, wanted) else None


def incident(source: I32, target: I32, nodes: int) -> tuple[I64, I64]:
    """Return row starts, and for each node the numbers of its edges."""
    from thinveil.graph.csr import incidence_rows

    starts, places = incidence_rows(source, target, nodes)
    return starts, places


@numba.njit(cache=True, nogil=True)
def _rewire(
    source: I32, target: I32, edges: int, starts: I64, places: I64, many: I32, few: I32, state: np.uint64
) -> None:
    """Change the edges in place, -1 for none; ``many`` and ``few`` hold a node for each edge too many or few."""
    present = empty_set(edges + 2 * (many.size + few.size))
    for e in range(edges):
        add(present, source[e], target[e])
    left = few.size
    waiting = 0  # of those with too many, who found nobody to hand an edge on to
    for i in range(many.size):
        u, done = many[i], False
        for _ in range(_TRIES if left else 0):
            state += STEP
            e = places[starts[u] + scale(mix(state), starts[u + 1] - starts[u])]
            state += STEP
            j = scale(mix(state), left)
            w, v = target[e] if source[e] == u else source[e], few[j]
            if (source[e] != u and target[e] != u) or w == v or has(present, v, w):
                continue
            delete(present, u, w)
            add(present, v, w)
            source[e], target[e] = v, w
            left -= 1
            few[j] = few[left]
            done = True
            break
        if not done and left:
            state += STEP
            j = scale(mix(state), left)
            done, state = _pass_on(source, target, edges, present, starts, places, u, few[j], state)
            if done:
                left -= 1
                few[j] = few[left]
        if not done:
            many[waiting] = u
            waiting += 1
    for i in range(0, waiting - 1, 2):
        state = _part(source, target, present, starts, places, many[i], many[i + 1], state)
    for i in range(0, left - 1, 2):
        state = _join(source, target, edges, edges + i // 2, present, few[i], few[i + 1], state)


@numba.njit(cache=True, nogil=True)
def _renumber(starts: I64, places: I64, node: int, old: int, new: int) -> None:
    """Let an edge of a node stand at another place."""
    for k in range(starts[node], starts[node + 1]):
        if places[k] == old:
            places[k] = new
            break


@numba.njit(cache=True, nogil=True)
def _pass_on(
    source: I32, target: I32, edges: int, present: I64, starts: I64, places: I64, u: int, v: int, state: np.uint64
) -> tuple[bool, np.uint64]:
    """Take an edge away from u and give v one, by way of an edge a-b: u-w and a-b become w-a and v-b."""
    for _ in range(_TRIES):
        state += STEP
        e = places[starts[u] + scale(mix(state), starts[u + 1] - starts[u])]
        state += STEP
        f = scale(mix(state), edges)
        state += STEP
        swap = mix(state) & np.uint64(1)
        a, b = (target[f], source[f]) if swap else (source[f], target[f])
        if (source[e] != u and target[e] != u) or a < 0 or a == u or b in (u, v):
            continue
        w = target[e] if source[e] == u else source[e]
        if w == a or has(present, w, a) or has(present, v, b):
            continue
        delete(present, u, w)
        delete(present, a, b)
        add(present, w, a)
        add(present, v, b)
        _renumber(starts, places, a, f, e)
        source[e], target[e] = w, a
        source[f], target[f] = v, b
        return True, state
    return False, state


@numba.njit(cache=True, nogil=True)
def _join(source: I32, target: I32, edges: int, free: int, present: I64, u: int, v: int, state: np.uint64) -> np.uint64:
    """Give u and v an edge more each; a new edge goes to the place ``free``."""
    if u != v and not has(present, u, v):
        add(present, u, v)
        source[free], target[free] = u, v
        return state
    for _ in range(_TRIES if edges else 0):
        state += STEP
        e = scale(mix(state), edges)
        state += STEP
        swap = mix(state) & np.uint64(1)
        a, b = (target[e], source[e]) if swap else (source[e], target[e])
        if a < 0 or a in (u, v) or b in (u, v) or has(present, u, a) or has(present, v, b):
            continue
        delete(present, a, b)
        add(present, u, a)
        add(present, v, b)
        source[e], target[e] = u, a
        source[free], target[free] = v, b
        break
    return state


@numba.njit(cache=True, nogil=True)
def _part(
    source: I32, target: I32, present: I64, starts: I64, places: I64, u: int, v: int, state: np.uint64
) -> np.uint64:
    """Take an edge away from u and v each."""
    for _ in range(_TRIES):
        state += STEP
        e = places[starts[u] + scale(mix(state), starts[u + 1] - starts[u])]
        state += STEP
        f = places[starts[v] + scale(mix(state), starts[v + 1] - starts[v])]
        if (source[e] != u and target[e] != u) or (source[f] != v and target[f] != v) or e == f:
            continue
        a = target[e] if source[e] == u else source[e]
        b = target[f] if source[f] == v else source[f]
        if u != v and a == v:
            delete(present, u, v)
            source[e], target[e] = -1, -1
            break
        if b == u or a in (v, b) or has(present, a, b):
            continue
        delete(present, u, a)
        delete(present, v, b)
        add(present, a, b)
        _renumber(starts, places, b, f, e)
        source[e], target[e] = a, b
        source[f], target[f] = -1, -1
        break
    return state
