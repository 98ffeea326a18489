"""An uncertain graph, in which every edge has a probability (Boldi, Bonchi, Gionis & Tassa 2012).

"Injecting uncertainty in graphs for identity obfuscation". All edges and as many other pairs, drawn more often between
people whose degree is rare, become candidates. Each gets a random number r, mostly small, larger for people whose
degree is rare: an edge is there with probability 1 - r, another pair with r. The least spread of r is searched with
which somebody's degree leaves log2(k) bits of doubt who it is (entropy), for all but a few people.

What is published is a graph. Either one is drawn, each pair by its probability, as those do who work with uncertain
graphs. Or it has the pairs that are likelier than not: that is what an attacker makes of published probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.schemes.base import Promise
from thinveil.schemes.groups import Grouped, check_k
from thinveil.schemes.obfuscation import degree_entropies, draw_candidates
from thinveil.schemes.rewiring import incident
from thinveil.schemes.whole import NO_EVENTS, edges_of, graph_of, kernel_seed, notify_once

F64 = NDArray[np.float64]
_SLOW = 20_000  # people, from which on it takes a while
_LARGEST = 64.0  # with a spread of 1 r is nearly uniform already
_FINE = 1.1


class Candidates(NamedTuple):
    """Pairs with the probability that each is an edge."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    chances: F64


@dataclass(frozen=True)
class Uncertain(Grouped):
    """Publish a graph drawn from probabilities that hide among k people whose degree is known.

    The promise is about the probabilities: at least log2(k) bits of entropy, but for a share ``exposed`` of the people.
    """

    name: ClassVar[str] = "uncertain"

    k: int = parameter(20, "people among whom somebody with a known degree hides", low=2, high=10**9)
    exposed: float = parameter(0.01, "share of the people for whom that may fail", low=0, high=0.5)
    candidates: float = parameter(2.0, "pairs that get a probability, per edge", low=1, high=20)
    anything: float = parameter(0.01, "share of pairs whose r is uniform from 0 to 1", low=0, high=1)
    world: str = parameter("drawn", "publish a graph drawn by the probabilities, or of the likely pairs",
                           choices=("drawn", "likely"))  # fmt: skip

    @property
    def promise(self) -> Promise:
        """Entropy of the people with a degree, in the uncertain graph."""
        return Promise("k", self.k, "degree in the uncertain graph")

    def describe(self) -> str:
        """Say what is published."""
        made = "was drawn by them" if self.world == "drawn" else "has the pairs that are likelier than not"
        return (
            "publishes a graph under fresh pseudonyms. Its edges, and other pairs of people, were given probabilities "
            f"that leave log2({self.k:,}) bits of doubt about whoever has a known number of contacts, but for "
            f"{100 * self.exposed:g}% of the people, and the published graph {made}; {NO_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return a graph of candidates."""
        check_k(self.name, self.k, graph)
        if graph.node_count > _SLOW:
            notify_once(f"{self.name}: {graph.node_count:,} people take some seconds each time it publishes")
        found = self.hidden(graph, rng)
        there = rng.random(found.chances.size) < found.chances if self.world == "drawn" else found.chances >= 0.5
        return graph_of(found.source[there], found.target[there], graph.node_count)

    def hidden(self, graph: Graph, rng: np.random.Generator) -> Candidates:
        """Return probabilities with about the least spread that hide people well enough."""
        low, high, best = 0.0, 2.0**-6, None
        while best is None and high <= _LARGEST:
            best = self._tried(graph, high, rng)
            low, high = (low, high) if best else (high, 2 * high)
        if best is None:
            raise SampleError(
                f"{self.name}: no probabilities hide all but {100 * self.exposed:g}% of {graph.node_count:,} people "
                f"among {self.k:,}: give a smaller k, or a larger share exposed"
            )
        while low and high / low > _FINE:
            middle = (low * high) ** 0.5
            found = self._tried(graph, middle, rng)
            low, high, best = (middle, high, best) if found is None else (low, middle, found)
        return best

    def _tried(self, graph: Graph, spread: float, rng: np.random.Generator) -> Candidates | None:
        """Return probabilities of a given spread, if they hide people well enough."""
        rare = _rarity(graph.degrees, spread)
        found = self._candidates(graph, rare, spread, rng)
        starts, places = incident(found.source, found.target, graph.node_count)
        bits = degree_entropies(starts, places, found.chances, int(graph.degrees.max()))
        failed = int((bits[graph.degrees] < np.log2(self.k)).sum())
        return found if failed <= self.exposed * graph.node_count else None

    def _candidates(self, graph: Graph, rare: F64, spread: float, rng: np.random.Generator) -> Candidates:
        weight = rare.copy()
        # the rarest are given up: they may be exposed
        weight[np.argsort(-rare, kind="stable")[: int(np.ceil(self.exposed * rare.size / 2))]] = 0.0
        wanted = int((self.candidates - 1) * graph.edge_count)
        more = draw_candidates(graph.indptr, graph.indices, np.cumsum(weight), wanted, kernel_seed(rng))
        source, target = (np.append(*ends) for ends in zip(edges_of(graph), more, strict=True))
        about = rare[source] + rare[target]
        own = np.maximum(spread * about.size * about / max(about.sum(), 1e-300), 1e-9)
        lots = rng.random(own.size)
        # the right half of a normal law, cut off at 1
        r = np.clip(own * ndtri(0.5 + lots * (ndtr(1 / own) - 0.5)), 0.0, 1.0)
        r = np.where(rng.random(own.size) < self.anything, lots, r)
        r[: graph.edge_count] = 1 - r[: graph.edge_count]
        return Candidates(source, target, r)


def _rarity(degrees: NDArray[np.int64], spread: float) -> F64:
    """Return how rare the degree of each person is: 1 over the number of people about it, near ones counted more."""
    values, place, counts = np.unique(degrees, return_inverse=True, return_counts=True)
    apart = (values[:, None] - values) / spread
    common = np.exp(-(apart**2) / 2) @ counts.astype(np.float64)
    return (1 / common)[place]
