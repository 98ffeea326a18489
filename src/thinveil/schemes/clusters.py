"""Put people into clusters of at least k, and make everybody in a cluster look alike.

After Thompson & Yao 2009, "The union-split algorithm and cluster-based anonymization of social networks". What must
look alike is the number of contacts (``hops=0``), or that and how many contacts each contact has (``hops=1``).

Clusters by the number of contacts alone are runs of k people in their order, so that cutting the sorted list does what
bounded t-means searches for in time O(n² / k). For ``hops=1``, edges are changed until everybody in a cluster has
equally many contacts in every other cluster::

    cluster of a, b, c   cluster of x, y, z
    a-x  b-z                                  a-x  b-y  c-z     a turn of 0: the edges a-x, ...
                         either becomes       a-z  b-x  c-y     a turn of 2: or these
                         or nothing

The k edges that join all of a cluster to all of another, each to the one whose place is a fixed *turn* farther, are
published together or not at all. So many turns are published as there were edges for, in the mean, and those with the
most true edges first. Nobody can then be told from the others of a cluster by their contacts, nor these by theirs, nor
any farther on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.schemes.base import Promise
from thinveil.schemes.groups import Grouped, check_k
from thinveil.schemes.k_degree import even_sum
from thinveil.schemes.rewiring import rewire
from thinveil.schemes.whole import NO_EVENTS, edges_of, graph_of

I64 = NDArray[np.int64]


@dataclass(frozen=True)
class Clusters(Grouped):
    """Publish the whole graph, changed so that everybody in a cluster of k people looks alike.

    With ``hops=1`` about one true edge in k is kept, and fewer than 2k people with the fewest contacts lose them all.

    Examples
    --------
    >>> star = Graph.from_edges([0, 0, 0, 0, 0], [1, 2, 3, 4, 5])
    >>> Clusters(k=3, hops=0).publish(star, seed=0).public[0].degrees.tolist()
    [1, 1, 1, 1, 1, 1]
    """

    name: ClassVar[str] = "clusters"

    k: int = parameter(5, "people in a cluster, at the least", low=2, high=10**9)
    hops: int = parameter(0, "0: equally many contacts; 1: contacts with equally many contacts, too", low=0, high=1)

    @property
    def promise(self) -> Promise:
        """At least k people share what an attacker knows of them."""
        return Promise("k", self.k, "degree" if self.hops == 0 else "degree and neighbours' degrees")

    def describe(self) -> str:
        """Say what is published."""
        alike = "as many contacts" if self.hops == 0 else "as many contacts, with as many contacts each,"
        return (
            f"publishes the whole graph under fresh pseudonyms, with edges changed so that everybody has {alike} as "
            f"at least {self.k - 1:,} others; {NO_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return the graph in which clusters look alike."""
        check_k(self.name, self.k, graph)
        order = np.lexsort((rng.random(graph.node_count), -graph.degrees))
        place = np.empty(order.size, dtype=np.int64)
        place[order] = np.arange(order.size)
        if self.hops:
            return _alike(graph, order, place, self.k, rng)
        middles = graph.degrees[order[(self.k // 2) :: self.k][: order.size // self.k]]
        wanted = even_sum(middles[np.minimum(place // self.k, middles.size - 1)], self.k)
        changed = rewire(graph, wanted, rng)
        if changed is None:
            raise SampleError(f"{self.name}: no graph was found in which clusters of {self.k:,} have equal degrees: "
                              "give another k")  # fmt: skip
        return changed


def _alike(graph: Graph, order: I64, place: I64, k: int, rng: np.random.Generator) -> Graph:
    """Return a graph in which all of a cluster have equally many contacts in each other cluster.

    The last cluster takes the rest too, and loses its edges.
    """
    clusters = order.size // k - 1
    first, second = (place[ends] for ends in edges_of(graph))
    first, second = np.minimum(first, second), np.maximum(first, second)
    inside = second // k < clusters
    first, second = first[inside], second[inside]
    one, other, turn = first // k, second // k, (second - first) % k
    # inside a cluster, turns of s and k - s are the same edges
    turn = np.where(one == other, np.minimum(turn, k - turn), turn)
    turns, votes = np.unique(np.stack((one, other, turn)), axis=1, return_counts=True)
    chosen = turns[:, _choose(turns, votes, k, rng)]
    start = np.arange(k)[:, None]
    source, target = chosen[0] * k + start, chosen[1] * k + (start + chosen[2]) % k
    once = (chosen[0] != chosen[1]) | (2 * chosen[2] != k) | (start < k // 2)
    return graph_of(order[source[once]], order[target[once]], graph.node_count)


def _choose(turns: I64, votes: I64, k: int, rng: np.random.Generator) -> I64:
    """Choose turns between each two clusters: as many as their edges fill, rounded by lot, the fullest first."""
    pair = turns[0] * (turns[1].max(initial=0) + 1) + turns[1]
    ranked = np.lexsort((rng.random(votes.size), -votes, pair))
    _, starts, sizes = np.unique(pair[ranked], return_index=True, return_counts=True)
    edges = np.add.reduceat(votes[ranked], starts) if starts.size else np.empty(0, dtype=np.int64)
    count = (edges + rng.integers(0, k, starts.size)) // k
    rank = np.arange(votes.size) - np.repeat(starts, sizes)
    return ranked[rank < np.repeat(count, sizes)]
