"""Top-m filter: the whole matrix of contacts with noise, at the cost of its edges.

Nguyen, Imine & Rusinowitch 2015, "Differentially private publication of social graphs at linear cost". Every pair of
people is a cell, 1 where they are contacts, that gets Laplace noise and is published if it passes a threshold. The
cells that are 0 are never looked at one by one: how many of them pass is binomial, and which is drawn by lot. That is
the same as noise on each, so that each cell has its whole epsilon. (In the paper, random pairs are added up to an exact
number of edges instead.) The threshold comes from a noisy count of edges, so that about as many pass as there were.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, log
from typing import ClassVar

import numpy as np

from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.schemes.base import Promise
from thinveil.schemes.edgeset import absent_pairs
from thinveil.schemes.whole import NO_EVENTS, WholeGraph, edges_of, graph_of, kernel_seed, notify_once, pairs_of

_MOST_FAKES = 50_000_000
"""Fake edges take 40 bytes each while they are drawn: 2 GB."""


@dataclass(frozen=True)
class TopMFilter(WholeGraph):
    """Publish the whole graph with each pair of people kept, added or deleted by differentially private noise.

    Examples
    --------
    >>> scheme = TopMFilter(epsilon=8)
    >>> round(scheme.kept(75_879, 405_740), 2), round(TopMFilter(epsilon=1).kept(75_879, 405_740), 4)
    (0.22, 0.0004)
    """

    name: ClassVar[str] = "tmf"

    epsilon: float = parameter(8.0, "how far a single edge may show: smaller is stricter", low=1e-12, high=100)
    counting: float = parameter(0.05, "share of epsilon that is spent on the number of edges", low=1e-6, high=0.5)

    @property
    def promise(self) -> Promise:
        """Differential privacy for one edge."""
        return Promise("epsilon", self.epsilon, "edge")

    def describe(self) -> str:
        """Say what is published."""
        return (
            "publishes a graph under fresh pseudonyms in which every pair of people, contacts or not, passed a "
            f"threshold after noise, with epsilon = {self.epsilon:g} for each edge. Of the true edges "
            f"{_percent(self.kept(100_000, 1_000_000))} would be kept in a graph of 100,000 people with 20 contacts "
            f"each, and the others are fakes; {NO_EVENTS}"
        )

    def kept(self, people: int, edges: int) -> float:
        """Return the expected share of the edges that is kept in a graph of this size."""
        return self._chances(people, edges)[0]

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return the graph of the pairs that pass."""
        cells, edges = pairs_of(graph.node_count), graph.edge_count
        if not cells:
            return graph_of(*edges_of(graph), graph.node_count)
        noisy = float(edges + rng.laplace(0.0, 1 / (self.counting * self.epsilon)))
        stay, pass_ = self._chances(graph.node_count, noisy)
        self._check_fakes(pass_ * (cells - edges), graph)
        notify_once(f"{self.name}: about {_percent(stay)} of the true edges are kept, the others are fakes")
        kept = rng.random(edges) < stay
        fakes = absent_pairs(graph.indptr, graph.indices, int(rng.binomial(cells - edges, pass_)), kernel_seed(rng))
        source, target = edges_of(graph)
        return graph_of(np.append(source[kept], fakes[0]), np.append(target[kept], fakes[1]), graph.node_count)

    def _chances(self, people: int, edges: float) -> tuple[float, float]:
        """Return with which probability a pair passes, for contacts and for others, given the noisy count of edges."""
        cells, epsilon = pairs_of(people), (1 - self.counting) * self.epsilon
        edges = min(max(edges, 1.0), max(cells - 1.0, 1.0))
        border = log(cells / edges - 1) if cells > edges else 0.0
        if epsilon < border:
            threshold = log(cells / (2 * edges) + expm1(epsilon) / 2) / epsilon
        else:
            threshold = 0.5 + border / (2 * epsilon)
        return _passes(threshold - 1, epsilon), _passes(threshold, epsilon)

    def _check_fakes(self, fakes: float, graph: Graph) -> None:
        if fakes > _MOST_FAKES:
            least = 20 / (self.counting * graph.edge_count) if graph.edge_count else self.epsilon
            raise SampleError(
                f"{self.name}: epsilon = {self.epsilon:g} would add {fakes:,.0f} fake edges to {graph.edge_count:,} "
                f"true ones, more than memory should hold: give epsilon={max(least, 2 * self.epsilon):.1g} or more, "
                "or a scheme that does not look at every pair, such as dp-degrees"
            )


def _passes(threshold: float, epsilon: float) -> float:
    """Return the probability that Laplace noise of size 1 / epsilon is above a threshold."""
    tail = exp(-epsilon * abs(threshold)) / 2
    return tail if threshold > 0 else 1 - tail


def _percent(share: float) -> str:
    return f"{100 * share:.2g}%"
