"""The weakest scheme there is: the whole graph, with pseudonyms for names. Every comparison's ceiling of risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thinveil.graph import EdgeRows, Graph, trusted_graph
from thinveil.graph.balls import sorted_rows
from thinveil.runtime.streams import stream
from thinveil.schemes.base import Published, Release, Secret
from thinveil.schemes.egonets import shuffle_events


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
            1, lambda k: _publish(graph, stream(seed, "pseudonyms", len(avoid), k)), scheme=self.name, graph=graph
        )


def _publish(graph: Graph, rng: np.random.Generator) -> Published:
    people = rng.permutation(graph.node_count).astype(np.int32)
    pseudonyms = np.empty_like(people)
    pseudonyms[people] = np.arange(people.size, dtype=np.int32)
    source = np.repeat(pseudonyms, graph.degrees)
    once = np.repeat(np.arange(people.size), graph.degrees) < graph.indices
    rows = sorted_rows(source[once], pseudonyms[graph.indices[once]], people.size)
    return Published(trusted_graph(*rows, rows=_events(graph.rows, pseudonyms, rng)), Secret(people))


def _events(rows: EdgeRows | None, pseudonyms: NDArray[np.int32], rng: np.random.Generator) -> EdgeRows | None:
    if rows is None:
        return None
    return shuffle_events(np.stack((pseudonyms[rows.source], pseudonyms[rows.target])), rows.columns, rng)
