"""A graph drawn uniformly among all with as many people and edges: the floor of every comparison.

Its edges say nothing about anybody's contacts (Erdős & Rényi 1959, "On random graphs I"); what is left is how many
there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from thinveil.graph import Graph
from thinveil.schemes.edgeset import absent_pairs
from thinveil.schemes.whole import NO_EVENTS, WholeGraph, graph_of, kernel_seed


@dataclass(frozen=True)
class RandomGraph(WholeGraph):
    """Publish random edges in the place of the true ones, as many as there were.

    Examples
    --------
    >>> ring = Graph.from_edges(range(10), [*range(1, 10), 0])
    >>> RandomGraph().publish(ring, seed=0).public[0].edge_count
    10
    """

    name: ClassVar[str] = "random-graph"

    @staticmethod
    def describe() -> str:
        """Say what is published."""
        return (
            "publishes a random graph with as many people and edges as the true one, and nothing else of it; "
            f"{NO_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return a random graph of the same size."""
        nobody = np.zeros(graph.node_count + 1, dtype=np.int64), np.empty(0, dtype=np.int32)
        return graph_of(*absent_pairs(*nobody, graph.edge_count, kernel_seed(rng)), graph.node_count)
