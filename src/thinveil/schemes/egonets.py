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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError, SampleError
from thinveil.graph import EdgeRows, Graph, balls
from thinveil.runtime.streams import stream
from thinveil.schemes.base import Published, Secret


@dataclass(frozen=True)
class EgonetScheme:
    """Publish the 2-hop egonets of randomly chosen, well-connected people.

    Parameters
    ----------
    name
        ``d4d-1`` or ``d4d-2``.
    outer_edges
        Whether edges between two 2-hop nodes are published.
    egonets
        Number of egonets in a release.
    min_size
        An egonet is published only if it has more nodes than this.
    """

    name: str
    outer_edges: bool
    egonets: int = 100
    min_size: int = 400

    def __post_init__(self) -> None:
        if not isinstance(self.egonets, int) or not isinstance(self.min_size, int):
            raise InputError(f"{self.egonets} egonets of more than {self.min_size} nodes: give whole numbers")
        if self.egonets < 2:
            raise InputError(f"egonets = {self.egonets}: linking people across sub-graphs takes at least 2")
        if self.min_size < 0:
            raise InputError(f"min_size = {self.min_size}: give 0 or more")

    def settings(self) -> dict[str, Any]:
        """Return the parameters that make the scheme again."""
        return {"egonets": self.egonets, "min_size": self.min_size}

    def draw(self, graph: Graph, *, releases: int = 1, seed: int = 0) -> tuple[Sequence[Published], ...]:
        """Return releases of egonets, no ego chosen twice."""
        if releases < 1:
            raise InputError(f"releases = {releases}: give 1 or more")
        egos = choose_egos(graph, releases * self.egonets, self.min_size, seed)
        return tuple(
            _Egonets(graph, part, self.outer_edges, seed, number)
            for number, part in enumerate(np.split(egos, releases))
        )


def d4d_1(*, egonets: int = 100, min_size: int = 400) -> EgonetScheme:
    """Scheme 1 of the paper: the complete 2-hop egonet."""
    return EgonetScheme("d4d-1", True, egonets, min_size)


def d4d_2(*, egonets: int = 100, min_size: int = 400) -> EgonetScheme:
    """Scheme 2 of the paper: without the edges between 2-hop nodes."""
    return EgonetScheme("d4d-2", False, egonets, min_size)


def choose_egos(graph: Graph, count: int, min_size: int, seed: int) -> NDArray[np.int64]:
    """Choose people at random among those whose 2-hop egonet has more than ``min_size`` nodes."""
    order = stream(seed, "egos").permutation(graph.node_count)
    egos: NDArray[np.int64] = balls.first_large(graph.indptr, graph.indices, order, min_size, count)
    if egos.size < count:
        raise SampleError(
            f"only {egos.size:,} of {graph.node_count:,} people have a 2-hop egonet of more than {min_size:,} nodes, "
            f"and {count:,} are needed (an audit takes twice the egonets of a release): lower min_size or egonets"
        )
    return egos


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
    return Published(Graph(indptr, indices, rows=events), Secret(people, hops))


def _publish_events(
    graph: Graph, members: NDArray[np.int32], pseudonyms: NDArray[np.int32], inner: int, outer_edges: bool,
    rng: np.random.Generator,
) -> EdgeRows:  # fmt: skip
    """Return the events on the published edges in random order, under pseudonyms."""
    assert graph.rows is not None
    rows, (starts, events) = graph.rows, graph.events_of
    kept, places = balls.induced_events(starts, events, rows.source, rows.target, members, inner, outer_edges)
    order = rng.permutation(kept.size)
    columns = {name: values[kept[order]] for name, values in rows.columns.items()}
    ends = pseudonyms[places[:, order]]
    has_no_direction = columns["direction"] == 0 if "direction" in columns else np.ones(kept.size, dtype=bool)
    swap = has_no_direction & (rng.random(kept.size) < 0.5)
    return EdgeRows(np.where(swap, ends[1], ends[0]), np.where(swap, ends[0], ends[1]), columns)


class _Egonets(Sequence[Published]):
    """A release whose egonets are made when asked for; the k-th is the same however often it is asked for."""

    def __init__(self, graph: Graph, egos: NDArray[np.int64], outer_edges: bool, seed: int, number: int) -> None:
        self._graph, self._egos, self._outer_edges = graph, egos, outer_edges
        self._seed, self._number = seed, number

    def __len__(self) -> int:
        return self._egos.size

    @overload
    def __getitem__(self, k: int) -> Published: ...
    @overload
    def __getitem__(self, k: slice) -> Sequence[Published]: ...
    def __getitem__(self, k: int | slice) -> Published | Sequence[Published]:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        if k >= len(self):
            raise IndexError(k)
        rng = stream(self._seed, "pseudonyms", self._number, k % len(self))
        return publish_egonet(self._graph, int(self._egos[k]), outer_edges=self._outer_edges, rng=rng)
