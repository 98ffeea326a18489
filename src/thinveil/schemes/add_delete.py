"""Delete edges at random and add as many (Hay, Miklau, Jensen, Weis & Srivastava 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.schemes.edgeset import absent_pairs
from thinveil.schemes.sparsify import kept_by_lot
from thinveil.schemes.whole import NO_EVENTS, WholeGraph, edges_of, graph_of, kernel_seed, pairs_of


@dataclass(frozen=True)
class AddDelete(WholeGraph):
    """Publish the whole graph with some of its edges replaced by pairs of people who were no contacts.

    Deleted edges and added pairs are drawn with equal chances; none that was deleted is added again. The number of
    edges stays as it is.

    Examples
    --------
    >>> ring = Graph.from_edges(range(10), [*range(1, 10), 0])
    >>> AddDelete(share=0.5).publish(ring, seed=0).public[0].edge_count
    10
    """

    name: ClassVar[str] = "add-delete"

    share: float = parameter(0.1, "share of the edges that are deleted, and replaced by others", low=0, high=1)

    def describe(self) -> str:
        """Say what is published."""
        return (
            f"publishes the whole graph under fresh pseudonyms, with {100 * self.share:g}% of its edges deleted at "
            f"random and as many added between people who were no contacts; {NO_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return the graph with edges deleted and added."""
        kept = kept_by_lot(graph.edge_count, self.share, rng)
        added = kept.size - int(kept.sum())
        free = pairs_of(graph.node_count) - graph.edge_count
        if added > free:
            raise SampleError(
                f"{self.name}: {added:,} edges are to be added, and only {free:,} pairs of people are no contacts yet: "
                f"{_what_works(free, graph.edge_count)}"
            )
        source, target = edges_of(graph)
        more = absent_pairs(graph.indptr, graph.indices, added, kernel_seed(rng))
        return graph_of(np.append(source[kept], more[0]), np.append(target[kept], more[1]), graph.node_count)


def _what_works(free: int, edges: int) -> str:
    share = int(1e4 * free / edges) / 1e4
    return f"give share={share:g} or less" if share else "every two people are contacts: nothing can be added"
