"""A scheme's own promise put to the test: k by counting, epsilon by canaries.

A *canary* is a pair of people for whom a coin is tossed: heads they are made contacts, tails they are not. The scheme
publishes that graph once, and from what is published each coin is guessed, or left open. Canaries have no person in
common, so that one edge's privacy decides each guess. How to guess is chosen on some canaries, and counted on others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.csr import has_edge
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.measures.promises import PromiseTest, bound_epsilon, count_sharing, refuted_epsilon
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import NOBODY, SCHEMES, Promise, Release, Scheme

I32 = NDArray[np.int32]
Bools = NDArray[np.bool_]

CANARIES = 20_000
_CHOOSING = 0.1  # share of the canaries by which it is chosen how to guess
_FEWEST = 100


class Canaries(NamedTuple):
    """Pairs of people, and whether the coin made contacts of them."""

    one: I32
    two: I32
    heads: Bools

    def part(self, mine: Any) -> Canaries:
        """Return some of them."""
        return Canaries(*(column[mine] for column in self))


def check_promise(
    graph: GraphLike, scheme: str | Scheme, *, seed: int = 0, canaries: int = CANARIES, threads: int | None = None
) -> PromiseTest:
    """Test what a scheme promises, whatever the graph, on one graph.

    A promise that is refuted is broken: the scheme, or its code, does not do what it states. One that is not refuted is
    not proven.

    Parameters
    ----------
    graph
        The graph to test it on.
    scheme
        A word, or the scheme itself; it states its promise by a property ``promise``.
    seed
        Decides all that is random.
    canaries
        Pairs of people for whom a coin is tossed; a graph of n people has room for n / 2.
    threads
        Number of threads; it does not change the result.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> found = check_promise(synthetic_graph(2000), "k-degree:k=5")
    >>> found.promised, found.found >= 5, found.is_broken
    (5, True, False)
    """
    work, made, seeds = as_graph(graph), SCHEMES.make(scheme), Seeds(seed)
    promise = check_promised(made)
    if canaries < _FEWEST:
        raise InputError(f"canaries = {canaries}: give {_FEWEST} or more")
    with limit_threads(threads):
        if promise.kind == "k":
            release = made.publish(work, seed=seeds("promise"))
            return count_sharing(release.public, promise.value, promise.unit)
        return _test_epsilon(work, made, promise, seeds, canaries)


def check_promised(scheme: Scheme) -> Promise:
    """Return what a scheme promises, or refuse one that promises nothing."""
    promise: Promise | None = getattr(scheme, "promise", None)
    if promise is None:
        raise InputError(f"scheme {scheme.name} makes no promise: there is nothing to test")
    return promise


def _test_epsilon(graph: Graph, scheme: Scheme, promise: Promise, seeds: Seeds, count: int) -> PromiseTest:
    if promise.unit != "edge":
        return PromiseTest(
            "epsilon", promise.value, promise.unit, why=f"only an edge can be tested, not {promise.unit}"
        )
    canaries = draw_canaries(graph, count, seeds.stream("canaries"))
    if canaries.heads.size < _FEWEST:
        return PromiseTest("epsilon", promise.value, promise.unit, why="the graph is too small to hide canaries in it")
    release = scheme.publish(with_canaries(graph, canaries), seed=seeds("promise"))
    seen, asked = look_for(release, canaries)
    if not asked.any():
        why = "nobody stands behind the published nodes: no single edge can be looked for"
        return PromiseTest("epsilon", promise.value, promise.unit, canaries=canaries.heads.size, why=why)
    first = np.arange(seen.size) < _CHOOSING * seen.size
    chosen = _choose(seen[first & asked], canaries.heads[first & asked])
    guesses, right = _guess(chosen, seen[~first & asked], canaries.heads[~first & asked])
    return bound_epsilon(promise.value, promise.unit, canaries=seen.size, guesses=guesses, right=right)


def draw_canaries(graph: Graph, count: int, chance: np.random.Generator) -> Canaries:
    """Draw pairs of people who have nobody in common, and toss a coin for each."""
    people = chance.permutation(graph.node_count).astype(np.int32)
    count = min(count, people.size // 2)
    return Canaries(people[:count], people[count : 2 * count], chance.random(count) < 0.5)


def with_canaries(graph: Graph, canaries: Canaries) -> Graph:
    """Return the graph in which exactly the pairs whose coin shows heads are contacts."""
    source = np.repeat(np.arange(graph.node_count, dtype=np.int32), graph.degrees)
    other = np.full(graph.node_count, NOBODY, dtype=np.int32)
    other[canaries.one], other[canaries.two] = canaries.two, canaries.one
    kept = (source < graph.indices) & (other[source] != graph.indices)
    ends = (
        np.append(source[kept], canaries.one[canaries.heads]),
        np.append(graph.indices[kept], canaries.two[canaries.heads]),
    )
    return Graph.from_edges(*ends, node_count=graph.node_count)


def look_for(release: Release, canaries: Canaries) -> tuple[Bools, Bools]:
    """Return which canaries are contacts in what was published, and which of them can be looked for there at all."""
    seen, asked = (np.zeros(canaries.heads.size, dtype=bool) for _ in range(2))
    for public, secret in zip(release.public, release.secret or (), strict=False):
        node = np.full(
            1 + max(int(canaries.one.max()), int(canaries.two.max()), int(secret.people.max(initial=0))), NOBODY
        )
        real = np.flatnonzero(secret.is_one)
        node[secret.people[real]] = real
        one, two = node[canaries.one], node[canaries.two]
        here = np.flatnonzero((one != NOBODY) & (two != NOBODY))
        asked[here] = True
        found = [has_edge(public.indptr, public.indices, one[k], two[k]) for k in here]
        seen[here] |= np.array(found, dtype=bool)
    return seen, asked


def _choose(seen: Bools, heads: Bools) -> tuple[bool, bool]:
    """Return whether to guess where an edge is seen, and where none is: whatever refutes the most."""
    ways = ((True, True), (True, False), (False, True))
    return max(ways, key=lambda way: refuted_epsilon(*_guess(way, seen, heads)))


def _guess(way: tuple[bool, bool], seen: Bools, heads: Bools) -> tuple[int, int]:
    """Return how many coins are guessed, each as it is seen, and how many of these rightly."""
    guessed = np.where(seen, way[0], way[1])
    return int(guessed.sum()), int((guessed & (seen == heads)).sum())
