"""The weakest scheme there is: the whole graph, with pseudonyms for names. Every comparison's ceiling of risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from thinveil.graph import Graph
from thinveil.runtime.streams import stream
from thinveil.schemes.base import Release
from thinveil.schemes.whole import renamed


@dataclass(frozen=True)
class Pseudonyms:
    """Publish the whole graph as one sub-graph, its nodes in random order under fresh pseudonyms.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> release = Pseudonyms().publish(path, seed=0)
    >>> len(release), release.public[0].edge_count, sorted(release.secret[0].people.tolist())
    (1, 2, [0, 1, 2])
    """

    name: ClassVar[str] = "pseudonyms"

    @staticmethod
    def describe() -> str:
        """Say what is published."""
        return "publishes the whole graph, every edge of it, and puts pseudonyms in the place of names"

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        """Return a release of one sub-graph; each of several gets pseudonyms of its own."""
        return Release.lazy(
            1, lambda k: renamed(graph, stream(seed, "pseudonyms", len(avoid), k)), scheme=self.name, graph=graph
        )
