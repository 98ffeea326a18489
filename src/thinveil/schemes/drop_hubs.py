"""Leave out the people with the most contacts.

The organisers of the D4D challenge (Blondel et al. 2012, "Data for Development") removed calls to and from public
phones before they published anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.graph.thinning import thin
from thinveil.runtime.parameters import parameter
from thinveil.schemes.base import Published, Secret
from thinveil.schemes.whole import KEPT_EVENTS, WholeGraph


@dataclass(frozen=True)
class DropHubs(WholeGraph):
    """Publish the whole graph without the people who have the most contacts, and without their edges.

    Exactly the share times the number of people, rounded up, is left out. Among equals chance decides.

    Examples
    --------
    >>> star = Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2])
    >>> public = DropHubs(share=0.1).publish(star, seed=0).public[0]
    >>> public.node_count, public.edge_count
    (3, 1)
    """

    name: ClassVar[str] = "drop-hubs"

    share: float = parameter(0.001, "share of the people who are left out", low=0, high=0.999)

    def describe(self) -> str:
        """Say what is published."""
        return (
            f"publishes the whole graph under fresh pseudonyms, without the {100 * self.share:g}% of the people who "
            f"have the most contacts and without their edges; {KEPT_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Published:
        """Return the graph of those who stay."""
        dropped = int(np.ceil(self.share * graph.node_count - 1e-9))
        order = np.lexsort((rng.random(graph.node_count), graph.degrees))
        if dropped >= graph.node_count:
            raise SampleError(f"{self.name}: nobody would be left of {graph.node_count} people")
        stay = np.sort(order[: graph.node_count - dropped]).astype(np.int32)
        return Published(thin(graph, stay, 0.0, 0), Secret(stay))
