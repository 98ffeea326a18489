"""Schemes that publish one whole graph, changed in some way, under fresh pseudonyms.

Such a scheme says how a graph is changed (``change``), in numbers of people; everything else is here. The change is
made when the release is first looked at, and kept. It draws from a stream of its own, so that the pseudonyms are the
same whatever was changed.

Where edges are only deleted, the events of those that are kept are published with them. Where edges are changed
otherwise no events are: an edge without events among edges with some would be known for a fake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import SampleError
from thinveil.graph import EdgeRows, Graph, trusted_graph
from thinveil.graph.balls import sorted_rows
from thinveil.graph.thinning import keep_events
from thinveil.runtime.notices import notify
from thinveil.runtime.parameters import check_parameters, to_word
from thinveil.runtime.streams import stream
from thinveil.schemes.base import Published, Release, Secret
from thinveil.schemes.egonets import shuffle_events

I32 = NDArray[np.int32]
NO_EVENTS = "events are not published"
KEPT_EVENTS = "events of the edges that are kept stay with them"
_MOST_EDGES = 50_000_000
"""Edges that noise may make up take some 40 bytes each while they are drawn: 2 GB."""


@dataclass(frozen=True)
class WholeGraph:
    """A scheme that publishes one graph: what it does to the edges is its method ``change``."""

    name: ClassVar[str]

    def __post_init__(self) -> None:
        check_parameters(self)

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph | Published:
        """Return the changed graph: its node v is person v, unless a secret beside it says otherwise."""
        raise NotImplementedError

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        """Return a release of one sub-graph; each of several is changed anew and gets pseudonyms of its own."""

        @cache
        def make(k: int) -> Published:
            changed = self.change(graph, stream(seed, self.name, len(avoid)))
            return renamed(changed, stream(seed, "pseudonyms", len(avoid), k))

        return Release.lazy(1, make, scheme=to_word(self.name, self), graph=graph)


def renamed(changed: Graph | Published, rng: np.random.Generator) -> Published:
    """Return a graph with its nodes in random order under fresh pseudonyms, and who they are."""
    graph, secret = changed if isinstance(changed, Published) else (changed, None)
    order = rng.permutation(graph.node_count).astype(np.int32)
    pseudonyms = np.empty_like(order)
    pseudonyms[order] = np.arange(order.size, dtype=np.int32)
    source, target = edges_of(graph)
    rows = sorted_rows(pseudonyms[source], pseudonyms[target], order.size)
    public = trusted_graph(*rows, rows=_events(graph.rows, pseudonyms, rng))
    return Published(public, Secret(order) if secret is None else secret.reordered(order))


def _events(rows: EdgeRows | None, pseudonyms: I32, rng: np.random.Generator) -> EdgeRows | None:
    if rows is None:
        return None
    return shuffle_events(np.stack((pseudonyms[rows.source], pseudonyms[rows.target])), rows.columns, rng)


def edges_of(graph: Graph) -> tuple[I32, I32]:
    """Return both ends of every edge, the smaller number first, in ascending order.

    Examples
    --------
    >>> [ends.tolist() for ends in edges_of(Graph.from_edges([2, 1], [1, 0]))]
    [[0, 1], [1, 2]]
    """
    source = np.repeat(np.arange(graph.node_count, dtype=np.int32), graph.degrees)
    once = source < graph.indices
    return source[once], graph.indices[once]


def graph_of(source: I32, target: I32, node_count: int) -> Graph:
    """Return the graph of distinct edges, without events."""
    one, other = (np.require(end, np.int32, ["C", "W"]) for end in (source, target))
    return trusted_graph(*sorted_rows(one, other, node_count))


def part_of(graph: Graph, kept: NDArray[np.bool_]) -> Graph:
    """Return the graph with some of its edges, as they stand in ``edges_of``, and the events on these."""
    source, target = edges_of(graph)
    part = graph_of(source[kept], target[kept], graph.node_count)
    if graph.rows is None:
        return part
    everybody = np.arange(graph.node_count, dtype=np.int32)
    return trusted_graph(part.indptr, part.indices, rows=keep_events(graph.rows, everybody, part.indptr, part.indices))


def pairs_of(node_count: int) -> int:
    """Return how many pairs there are among so many people."""
    return node_count * (node_count - 1) // 2


def check_edges(name: str, epsilon: float, count: float) -> None:
    """Refuse to draw more edges than memory should hold: with little epsilon, noise may ask for any number."""
    if count > _MOST_EDGES:
        raise SampleError(
            f"{name}: the noise of epsilon = {epsilon:g} asks for {count:,.0f} edges, more than memory should hold: "
            "give a larger epsilon"
        )


def kernel_seed(rng: np.random.Generator) -> np.uint64:
    """Return a start for the random numbers of a kernel."""
    return np.uint64(rng.integers(2**63))


notify_once = cache(notify)
"""Say something once: an attack may publish by the same scheme many times."""
