"""Communities, degrees inside and edges between, each with noise: differential privacy for single edges.

Yuan, Zhang, Du, Chen, Cheng & Sun 2023, "PrivGraph: differentially private graph data publication by exploiting
community information" (USENIX Security). Three parts of the work have a third of epsilon each:

1. Random groups of people; the numbers of edges inside and between them, with noise; Louvain's communities of groups.
2. Each person moves to a community drawn by the exponential mechanism: the more contacts there, the more probable.
3. Degrees inside communities and numbers of edges between them, with noise. An edge is one or the other.

From these a graph is drawn: inside a community edges join people in proportion to their degrees (Chung & Lu 2002), and
between two communities all pairs are equally probable. Negative numbers are made 0 at the expense of the others, so
that sums stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.runtime.splitmix import STEP, mix, scale
from thinveil.schemes.base import Promise
from thinveil.schemes.edgeset import add, empty_set
from thinveil.schemes.kit import find_communities
from thinveil.schemes.whole import NO_EVENTS, WholeGraph, check_edges, edges_of, graph_of, kernel_seed, notify_once

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
_MOST_GROUPS = 5_000
_SLOW = 20_000  # people, from which on it takes a while


@dataclass(frozen=True)
class PrivGraph(WholeGraph):
    """Publish a random graph with noisy communities, degrees inside them and edges between them.

    Examples
    --------
    >>> PrivGraph(epsilon=3).promise
    Promise(kind='epsilon', value=3, unit='edge')
    """

    name: ClassVar[str] = "priv-graph"

    epsilon: float = parameter(2.0, "how far a single edge may show: smaller is stricter", low=1e-12, high=1e6)
    group: int = parameter(20, "people in a group, of which communities are made", low=1, high=10**6)

    @property
    def promise(self) -> Promise:
        """Differential privacy for one edge."""
        return Promise("epsilon", self.epsilon, "edge")

    def describe(self) -> str:
        """Say what is published."""
        return (
            "publishes a random graph under fresh pseudonyms that has nothing of the true one but communities, "
            f"people's degrees inside them and numbers of edges between them, all with noise for epsilon = "
            f"{self.epsilon:g}; {NO_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return a graph drawn from noisy communities."""
        people, epsilon = graph.node_count, self.epsilon / 3
        if people < 2:
            return graph_of(*edges_of(graph), people)
        if people > _SLOW:
            notify_once(f"{self.name}: communities of {people:,} people take some seconds each time it publishes")
        community = _communities(graph, max(self.group, -(-people // _MOST_GROUPS)), epsilon, rng)
        moved = _move(graph.indptr, graph.indices, community, int(community.max()) + 1, epsilon / 4, kernel_seed(rng))
        return _draw(graph, moved, epsilon, rng)


def _communities(graph: Graph, size: int, epsilon: float, rng: np.random.Generator) -> I64:
    """Return a community for each person: Louvain's on groups drawn by lot, with noisy numbers of edges."""
    group = rng.permutation(graph.node_count) // size
    count = int(group.max()) + 1
    one, other = (group[ends] for ends in edges_of(graph))
    noisy = _noisy_pairs(one, other, count, epsilon, rng)
    first, second = np.nonzero(noisy)
    found = find_communities(first.astype(np.int32), second.astype(np.int32), noisy[first, second], count, rng)
    return found[group]


def _noisy_pairs(one: I64, other: I64, count: int, epsilon: float, rng: np.random.Generator) -> F64:
    """Return noisy numbers of edges between groups and inside each, above the diagonal and on it; none is negative."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    table = np.bincount(low * count + high, minlength=count * count).reshape(count, count).astype(np.float64)
    above = np.triu_indices(count)
    cells = table[above]
    cells += rng.laplace(0.0, 1 / epsilon, cells.size)
    table[:] = 0.0
    table[above] = without_negatives(cells)
    return table


def without_negatives(values: F64) -> F64:
    """Return values lowered by one number, those below it 0, so that their sum is what it was (or 0).

    Examples
    --------
    >>> without_negatives(np.array([5.0, 3.0, -2.0])).tolist()
    [4.0, 2.0, 0.0]
    """
    total = float(values.sum())
    if total <= 0 or not values.size:
        return np.zeros_like(values)
    falling = np.sort(values)[::-1]
    lowered = (np.cumsum(falling) - total) / np.arange(1, falling.size + 1)
    last = int(np.flatnonzero(falling > lowered)[-1])
    return np.maximum(values - lowered[last], 0.0)


@numba.njit(cache=True, nogil=True)
def _move(indptr: I64, indices: I32, community: I64, count: int, weight: float, state: np.uint64) -> I64:
    """Draw a community for each node, c with a chance in proportion to exp(weight * its neighbours in c)."""
    moved = np.empty(community.size, dtype=np.int64)
    votes = np.zeros(count, dtype=np.int64)
    for u in range(community.size):
        most = 0
        for k in range(indptr[u], indptr[u + 1]):
            votes[community[indices[k]]] += 1
            most = max(most, votes[community[indices[k]]])
        nothing = np.exp(-weight * most)  # what a community without votes weighs
        whole = count * nothing
        for k in range(indptr[u], indptr[u + 1]):
            c = community[indices[k]]
            if votes[c] > 0:
                whole += np.exp(weight * (votes[c] - most)) - nothing
                votes[c] = -votes[c]  # counted once
        state += STEP
        lot = np.float64(mix(state) >> np.uint64(11)) * 2.0**-53 * whole
        state += STEP
        moved[u] = scale(mix(state), count)
        lot -= count * nothing  # that much falls on all alike
        for k in range(indptr[u], indptr[u + 1]):
            c = community[indices[k]]
            if lot >= 0 and votes[c] < 0:
                lot -= np.exp(weight * (-votes[c] - most)) - nothing
                if lot < 0:
                    moved[u] = c
            votes[c] = 0
    return moved


def _draw(graph: Graph, community: I64, epsilon: float, rng: np.random.Generator) -> Graph:
    """Return a graph with noisy degrees inside communities, and noisy numbers of edges between them."""
    source, target = edges_of(graph)
    # numbered anew: communities that nobody moved to say nothing
    community = np.unique(community, return_inverse=True)[1]
    count = int(community.max()) + 1
    inside = community[source] == community[target]
    degrees = np.bincount(np.append(source[inside], target[inside]), minlength=graph.node_count)
    noisy = degrees + rng.laplace(0.0, 2 / epsilon, graph.node_count)
    order = np.argsort(community, kind="stable").astype(np.int32)
    starts = np.searchsorted(community[order], np.arange(count + 1))
    expected = np.zeros(order.size)
    for c in range(count):
        mine = slice(starts[c], starts[c + 1])
        expected[mine] = without_negatives(noisy[order[mine]])
    check_edges(PrivGraph.name, 3 * epsilon, float(expected.sum()) / 2)
    wanted = _rounded(expected, rng)
    stubs, ends = np.repeat(order, wanted), np.append(0, np.cumsum(wanted))[starts]
    table = _noisy_pairs(community[source[~inside]], community[target[~inside]], count, epsilon, rng)
    np.fill_diagonal(table, 0.0)
    first, second = np.nonzero(table)
    check_edges(PrivGraph.name, 3 * epsilon, float(table.sum()))
    between = _rounded(table[first, second], rng)
    edges = _draw_edges(stubs, ends, order, starts, first, second, between, kernel_seed(rng))
    return graph_of(*edges, graph.node_count)


def _rounded(values: F64, rng: np.random.Generator) -> I64:
    """Return whole numbers, up or down by lot, with the same mean."""
    return np.floor(values + rng.random(values.size)).astype(np.int64)


@numba.njit(cache=True, nogil=True)
def _draw_edges(
    stubs: I32, ends: I64, people: I32, starts: I64, first: I64, second: I64, between: I64, state: np.uint64
) -> tuple[I32, I32]:
    """Draw edges inside communities by their stubs, and then between two of them; a pair that is there is drawn again.

    Community c has the stubs from ``ends[c]`` and the people from ``starts[c]`` on. Each edge has a few tries.
    """
    most = stubs.size // 2 + between.sum()
    edges, found = empty_set(most), 0
    source, target = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
    blocks = starts.size - 1
    for block in range(blocks + first.size):
        if block < blocks:
            one, other = stubs[ends[block] : ends[block + 1]], stubs[ends[block] : ends[block + 1]]
            count = one.size // 2
        else:
            c, d = first[block - blocks], second[block - blocks]
            one, other = people[starts[c] : starts[c + 1]], people[starts[d] : starts[d + 1]]
            count = between[block - blocks]
        for _ in range(20 * count):
            if count == 0:
                break
            state += STEP
            u = one[scale(mix(state), one.size)]
            state += STEP
            v = other[scale(mix(state), other.size)]
            if u != v and add(edges, u, v):
                source[found], target[found] = u, v
                found += 1
                count -= 1
    return source[:found], target[:found]
