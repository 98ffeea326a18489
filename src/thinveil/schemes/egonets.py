r"""The two schemes of the D4D challenge (Section 2.1 of the paper): 2-hop egonets under fresh pseudonyms.

Both publish the network around chosen people, the egos: their contacts (1-hop) and their contacts' contacts
(2-hop). ``d4d-1`` keeps every edge among them. ``d4d-2`` deletes the edges between two 2-hop nodes::

        ego                       ego
       /   \                     /   \
      a --- b      d4d-1        a --- b      d4d-2
      |     |                   |     |
      x --- y                   x     y

Where the graph has events (``Graph.rows``), an egonet has those on its own edges, with all their columns, in random
order. Exact times would link egonets at a glance: cut them into slots (``thinveil.graph.events``) before publishing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import SampleError
from thinveil.graph import EdgeRows, Graph, balls, trusted_graph
from thinveil.runtime.parameters import check_parameters, parameter, to_word
from thinveil.runtime.streams import stream
from thinveil.schemes.base import Published, Release, Secret
from thinveil.schemes.room import Shape, count_large, first_of_size, fit_shape, suggest_shape


@dataclass(frozen=True)
class Egonets:
    """Publish the 2-hop egonets of randomly chosen, well-connected people.

    Parameters
    ----------
    egonets
        Number of egonets in a release.
    min_size
        An egonet is published only if it has more nodes than this.
    most_nodes
        An egonet is published only if it has at most so many nodes; 0 for any number.
    """

    outer_edges: ClassVar[bool]
    draws_egos_only: ClassVar[bool] = True
    name: ClassVar[str]

    egonets: int = parameter(100, "sub-graphs in a release", low=2, high=10**6)
    min_size: int = parameter(400, "a sub-graph must have more people than this", low=0, high=2**31 - 2)
    most_nodes: int = parameter(0, "a sub-graph must not have more people than this; 0: any", low=0, high=2**31 - 2)

    def __post_init__(self) -> None:
        check_parameters(self)

    def resized(self, count: int) -> Self:
        """Return the same scheme with another number of sub-graphs."""
        return replace(self, egonets=count)

    def suited(self, graph: Graph, *, left_open: Collection[str] = (), releases: int = 1) -> Self:
        """Return the scheme with what is left open chosen from the graph, so that it has room for so many releases."""
        shape = fit_shape(graph, self._shape, releases=releases, left_open=left_open)
        if shape is None:
            raise SampleError(self._refusal(graph, releases))
        return replace(self, **shape._asdict())

    def suggested(self, graph: Graph, *, releases: int = 1) -> Self | None:
        """Return the scheme that a graph has room for, with as little changed as can be; None where there is none."""
        shape = suggest_shape(graph, self._shape, releases=releases)
        return None if shape is None else replace(self, **shape._asdict())

    @property
    def _shape(self) -> Shape:
        return Shape(self.egonets, self.min_size, self.most_nodes)

    def _refusal(self, graph: Graph, releases: int) -> str:
        """Say why there are too few egos, and which parameters work."""
        needed, people = releases * self.egonets, graph.node_count
        what = (
            f"only {count_large(graph, self._shape, needed):,} of {people:,} people have a 2-hop egonet of more than "
            f"{self.min_size:,} people{f' and at most {self.most_nodes:,}' * (self.most_nodes > 0)}, and {needed:,} "
            "are needed"
            f"{f' ({self.egonets:,} to learn from and as many to attack)' * (releases > 1)}"
        )
        works = self.suggested(graph, releases=releases)
        if works is None:
            return f"{what}: this graph is too small for {self.name}, which needs {2 * releases} people at the least"
        word = to_word(self.name, works)
        return f'{what}: give --scheme {word} (in Python scheme="{word}")'

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        """Return a release of egonets around people who are not egos of the releases to avoid."""
        egos = choose_egos(graph, self._shape, seed, avoid=[release.egos for release in avoid])
        if egos.size < self.egonets:
            raise SampleError(self._refusal(graph, 1 + len(avoid)))

        def make(k: int) -> Published:
            rng = stream(seed, "pseudonyms", len(avoid), k)
            return publish_egonet(graph, int(egos[k]), outer_edges=self.outer_edges, rng=rng)

        return Release.lazy(egos.size, make, scheme=self.name, graph=graph, centers=egos)


@dataclass(frozen=True)
class D4D1(Egonets):
    """Scheme 1 of the paper: the complete 2-hop egonet."""

    name: ClassVar[str] = "d4d-1"
    outer_edges: ClassVar[bool] = True

    @staticmethod
    def describe() -> str:
        """Say what is published."""
        return (
            "publishes whole 2-hop egonets: around each chosen person, the ego, all contacts, all contacts of "
            "contacts and every edge among them, under fresh pseudonyms"
        )


@dataclass(frozen=True)
class D4D2(Egonets):
    """Scheme 2 of the paper: without the edges between 2-hop nodes."""

    name: ClassVar[str] = "d4d-2"
    outer_edges: ClassVar[bool] = False

    @staticmethod
    def describe() -> str:
        """Say what is published."""
        return (
            "publishes 2-hop egonets with the edges between 2-hop nodes removed: around each chosen person, the "
            "ego, all contacts and all contacts of contacts, but not who knows whom among the latter, under fresh "
            "pseudonyms"
        )


def choose_egos(graph: Graph, shape: Shape, seed: int, *, avoid: Sequence[NDArray[np.int64]] = ()) -> NDArray[np.int64]:
    """Choose people at random among those whose 2-hop egonet is of such a size; fewer if there are."""
    order = stream(seed, "egos").permutation(graph.node_count)
    order = order[~np.isin(order, np.concatenate([np.empty(0, dtype=np.int64), *avoid]))]
    return first_of_size(graph, order, shape, shape.egonets)


def publish_egonet(graph: Graph, ego: int, *, outer_edges: bool, rng: np.random.Generator) -> Published:
    """Publish one egonet: node ``v`` of the public half is ``secret.people[v]`` of the graph."""
    members = balls.two_hop_ball(graph.indptr, graph.indices, ego)
    pseudonyms = rng.permutation(members.size).astype(np.int32)
    inner = 1 + graph.neighbors(ego).size
    indptr, indices = balls.induced_rows(graph.indptr, graph.indices, members, pseudonyms, inner, outer_edges)
    people = np.empty(members.size, dtype=np.int32)
    people[pseudonyms] = members
    hops = np.full(members.size, 2, dtype=np.int8)
    hops[pseudonyms[:inner]] = 1
    hops[pseudonyms[0]] = 0
    events = None if graph.rows is None else _publish_events(graph, members, pseudonyms, inner, outer_edges, rng)
    return Published(trusted_graph(indptr, indices, rows=events), Secret(people, hops))


def _publish_events(
    graph: Graph, members: NDArray[np.int32], pseudonyms: NDArray[np.int32], inner: int, outer_edges: bool,
    rng: np.random.Generator,
) -> EdgeRows:  # fmt: skip
    """Return the events on the published edges in random order, under pseudonyms."""
    assert graph.rows is not None
    rows, (starts, events) = graph.rows, graph.events_of
    kept, places = balls.induced_events(starts, events, rows.source, rows.target, members, inner, outer_edges)
    return shuffle_events(pseudonyms[places], {name: v[kept] for name, v in rows.columns.items()}, rng)


def shuffle_events(ends: NDArray[np.int32], columns: Mapping[str, NDArray[Any]], rng: np.random.Generator) -> EdgeRows:
    """Return events, given by both ends, in random order."""
    count = ends.shape[1]
    return reorder_events(ends, columns, rng.permutation(count), np.asarray(rng.random(count) < 0.5))


def reorder_events(
    ends: NDArray[np.int32], columns: Mapping[str, NDArray[Any]], order: NDArray[np.int64], coin: NDArray[np.bool_]
) -> EdgeRows:
    """Return events, given by both ends, in an order; a coin says which end is the source where no direction does."""
    columns, ends = {name: values[order] for name, values in columns.items()}, ends[:, order]
    has_no_direction = columns["direction"] == 0 if "direction" in columns else np.ones(order.size, dtype=bool)
    swap = has_no_direction & coin
    return EdgeRows(np.where(swap, ends[1], ends[0]), np.where(swap, ends[0], ends[1]), columns)
