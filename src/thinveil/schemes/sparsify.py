"""Delete edges at random (Hay, Miklau, Jensen, Weis & Srivastava 2007, "Anonymizing social networks")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.schemes.whole import KEPT_EVENTS, WholeGraph, part_of


@dataclass(frozen=True)
class Sparsify(WholeGraph):
    """Publish the whole graph without some of its edges, drawn at random.

    All sets of so many edges are equally probable. Exactly the share times the number of edges, rounded down, is
    deleted.

    Examples
    --------
    >>> ring = Graph.from_edges(range(10), [*range(1, 10), 0])
    >>> Sparsify(share=0.3).publish(ring, seed=0).public[0].edge_count
    7
    """

    name: ClassVar[str] = "sparsify"

    share: float = parameter(0.1, "share of the edges that are deleted", low=0, high=1)

    def describe(self) -> str:
        """Say what is published."""
        return (
            f"publishes the whole graph under fresh pseudonyms, without {100 * self.share:g}% of its edges, which are "
            f"drawn at random; {KEPT_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return the graph with the edges that are left."""
        return part_of(graph, kept_by_lot(graph.edge_count, self.share, rng))


def kept_by_lot(edges: int, share: float, rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which edges are kept when exactly a share of them, rounded down, is deleted.

    Examples
    --------
    >>> int(kept_by_lot(10, 0.3, np.random.default_rng(0)).sum())
    7
    """
    kept = np.ones(edges, dtype=bool)
    # a share is a decimal number: 0.29 of 100 edges are 29, though 0.29 * 100 is a little less
    kept[rng.choice(edges, int(share * edges + 1e-9), replace=False)] = False
    return kept
