"""Switch the ends of edges (Ying & Wu 2008, "Randomizing social networks: a spectrum preserving approach")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.schemes.kit import switch_edges
from thinveil.schemes.whole import NO_EVENTS, WholeGraph, edges_of, graph_of


@dataclass(frozen=True)
class Switch(WholeGraph):
    r"""Publish the whole graph with pairs of its edges switched: everybody keeps their number of contacts.

    Half as many times as the share times the number of edges, two edges are drawn and two of their ends change places::

        t --- w          t     w
                   ->      \ /
        u --- v            / \
                         u     v      t-v and u-w

    A switch that would make an edge twice, or one from a person to themselves, is not done, and not tried again: so all
    graphs with these degrees are equally probable in the long run.
    """

    name: ClassVar[str] = "switch"

    share: float = parameter(0.1, "edges drawn to be switched, two at a time, per edge of the graph", low=0, high=100)

    def describe(self) -> str:
        """Say what is published."""
        return (
            "publishes the whole graph under fresh pseudonyms, after pairs of its edges, drawn at random, have "
            f"switched ends wherever that is possible; {100 * self.share:g}% as many edges as there are were drawn. "
            f"Everybody has as many contacts as before; {NO_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return the graph after all switches."""
        tries = int(self.share * graph.edge_count / 2 + 1e-9)
        if graph.edge_count < 2 or not tries:
            return graph_of(*edges_of(graph), graph.node_count)
        return graph_of(*switch_edges(*edges_of(graph), graph.node_count, tries, rng), graph.node_count)
