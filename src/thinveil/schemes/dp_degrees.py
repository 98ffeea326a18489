"""A random graph with noisy degrees: differential privacy for single edges (Hay, Li, Miklau & Jensen 2009).

"Accurate estimation of the degree distribution of private networks". An edge changes two degrees by one, and so the
sorted degrees by two in all: each gets noise for that, and isotonic regression puts them in order again. Nothing else
of the true graph is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.schemes.base import NOBODY, Promise, Published, Secret
from thinveil.schemes.kit import draw_with_degrees
from thinveil.schemes.whole import NO_EVENTS, WholeGraph, check_edges, graph_of


@dataclass(frozen=True)
class DpDegrees(WholeGraph):
    """Publish a random graph whose degrees are those of the true one with noise; nobody stands behind its nodes.

    Examples
    --------
    >>> ring = Graph.from_edges(range(10), [*range(1, 10), 0])
    >>> set(DpDegrees(epsilon=20).publish(ring, seed=0).public[0].degrees.tolist())
    {2}
    """

    name: ClassVar[str] = "dp-degrees"

    epsilon: float = parameter(1.0, "how far a single edge may show: smaller is stricter", low=1e-12, high=1e6)

    @property
    def promise(self) -> Promise:
        """Differential privacy for one edge."""
        return Promise("epsilon", self.epsilon, "edge")

    def describe(self) -> str:
        """Say what is published."""
        return (
            "publishes a random graph with as many people as the true one, whose sorted degrees are the true ones with "
            f"noise of size 2 / {self.epsilon:g}. Nobody stands behind a published node; {NO_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Published:
        """Return a random graph with noisy degrees."""
        noisy = np.sort(graph.degrees) + rng.laplace(0.0, 2 / self.epsilon, graph.node_count)
        from scipy.optimize import isotonic_regression  # late: it takes a second to import

        smooth = isotonic_regression(noisy).x if noisy.size else noisy
        degrees = np.clip(np.rint(smooth), 0, max(graph.node_count - 1, 0)).astype(np.int64)
        check_edges(self.name, self.epsilon, float(degrees.sum()) / 2)
        edges = draw_with_degrees(_realizable(degrees), rng)
        return Published(graph_of(*edges, graph.node_count), Secret(np.full(graph.node_count, NOBODY)))


def _realizable(degrees: np.ndarray[tuple[int], np.dtype[np.int64]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return rising degrees lowered where no simple graph has them (Erdős & Gallai 1960), with an even sum.

    The r largest can have r (r - 1) edge ends among themselves, and min(d, r) from each other node.

    Examples
    --------
    >>> _realizable(np.array([0, 0, 1, 3])).tolist()
    [0, 0, 1, 1]
    """
    degrees = degrees.copy()
    while degrees.size:
        if degrees.sum() % 2:
            degrees[-1] -= 1
            degrees.sort()
        falling, many = degrees[::-1], np.arange(1, degrees.size + 1)
        sums = np.append(0, np.cumsum(degrees))  # of the smallest
        small = np.minimum(np.searchsorted(degrees, many), degrees.size - many)  # how many have less than r
        room = many * (many - 1) + sums[small] + many * (degrees.size - many - small)
        over = np.cumsum(falling) - room
        worst = int(np.argmax(over))
        if over[worst] <= 0:
            return degrees
        degrees[degrees.size - 1 - np.arange(min(int(over[worst]), worst + 1))] -= 1
        degrees.sort()
    return degrees
