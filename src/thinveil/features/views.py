"""What an attacker sees of a release.

An *appearance* is a published node with enough neighbours to say something about it. A *channel* is a group of numbers
about an appearance that are only ever compared with the same group of another. A *view* is the table an attack works
on: appearances are numbered through the whole release, sub-graph by sub-graph, and for each channel there are the
values of all of them. ``observe`` makes it from the public half of a release alone. Who the appearances are stands in
``Labels``, which ``label`` makes from the secret: an attack sees those of a release it may learn from, and no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.features.neighbors import Neighbors
from thinveil.features.ties import TieKeys, Ties
from thinveil.graph import Graph
from thinveil.runtime.threads import map_threads
from thinveil.schemes.base import NOBODY, Secret, told_apart


class Channel(Protocol):
    """A group of components in a node's feature vector."""

    @property
    def name(self) -> str:
        """What the channel measures, in a word or two."""

    @property
    def width(self) -> int:
        """Number of components."""

    def extract(self, subgraph: Graph, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the components of the given nodes, a line each."""

    def words(self, component: int) -> str:
        """Say what a component counts."""

    @property
    def events(self) -> tuple[str, ...]:
        """What of the events behind edges it uses, in words; nothing for most."""


@dataclass(frozen=True, eq=False)
class View:
    """The appearances of a release as an attacker sees them; ``channels[name][a]`` holds a channel's components.

    ``neighbors`` says who knows whom among the appearances, ``ties`` what exactly passed between an appearance and each
    contact, and ``graphs`` are the published sub-graphs themselves, where the attack needs them.
    """

    channels: Mapping[str, NDArray[np.int32]]
    subgraph: NDArray[np.int32]
    node: NDArray[np.int32]
    degree: NDArray[np.int32]
    neighbors: Neighbors | None = None
    graphs: Sequence[Graph] = ()
    ties: Mapping[str, Ties] = field(default_factory=dict)
    _joined: dict[tuple[str, ...], NDArray[np.int32]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return self.subgraph.size

    def part(self, subgraphs: NDArray[np.integer]) -> tuple[View, NDArray[np.bool_]]:
        """Return what is seen of some sub-graphs alone, numbered anew in order, and which appearances these are."""
        keep, number = np.isin(self.subgraph, subgraphs), np.unique(subgraphs)
        return View(
            channels={name: table[keep] for name, table in self.channels.items()},
            subgraph=np.searchsorted(number, self.subgraph[keep]).astype(np.int32),
            node=self.node[keep],
            degree=self.degree[keep],
            neighbors=None if self.neighbors is None else self.neighbors.part(keep),
            ties={name: ties.take(keep) for name, ties in self.ties.items()},
        ), keep

    def vectors(self, *names: str) -> NDArray[np.int32]:
        """Return the components of the named channels side by side; they are joined once."""
        if len(names) == 1:
            return self.channels[names[0]]
        if names not in self._joined:
            self._joined[names] = np.hstack([self.channels[name] for name in names])
        return self._joined[names]

    def take(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> View:
        """Return some appearances alone; who knows whom is not kept."""
        tables = {name: table[chosen] for name, table in self.channels.items()}
        ties = {name: ties.take(chosen) for name, ties in self.ties.items()}
        return View(tables, self.subgraph[chosen], self.node[chosen], self.degree[chosen], ties=ties)

    @classmethod
    def join(cls, first: View, second: View, *, shift: int) -> View:
        """Put two views one behind the other; the sub-graphs of the second are numbered on by ``shift``."""
        kept = [one.neighbors for one in (first, second) if one.neighbors is not None]
        return cls(
            channels={name: np.concatenate((table, second.channels[name])) for name, table in first.channels.items()},
            subgraph=np.concatenate((first.subgraph, (second.subgraph + shift).astype(np.int32))),
            node=np.concatenate((first.node, second.node)),
            degree=np.concatenate((first.degree, second.degree)),
            neighbors=Neighbors.join(kept) if len(kept) == 2 else None,
            ties={name: Ties.join((ties, second.ties[name])) for name, ties in first.ties.items()},
        )


class Needs(NamedTuple):
    """What an attack must see of every appearance.

    ``neighbors`` is whether it must know who knows whom, ``slots`` into how many equal spans the time must be cut,
    ``graphs`` whether it must have the published sub-graphs whole, with the people of few contacts, and ``ties`` what
    of the events it must know of every contact.
    """

    channels: tuple[Channel, ...] = ()
    neighbors: bool = False
    slots: int = 1
    graphs: bool = False
    ties: tuple[TieKeys, ...] = ()

    def join(self, *others: Needs) -> Needs:
        """Return what several attacks on the same release need together."""
        every = (self, *others)
        slots = {need.slots for need in every}
        if len(slots) > 1:
            raise InputError(f"attacks in {' and '.join(map(str, sorted(slots)))} slots of time see different releases")
        channels = {channel.name: channel for need in every for channel in need.channels}
        neighbors, graphs = (any(getattr(need, name) for need in every) for name in ("neighbors", "graphs"))
        ties = {one.name: one for need in every for one in need.ties}
        return Needs(tuple(channels.values()), neighbors, self.slots, graphs, tuple(ties.values()))


@dataclass(frozen=True, eq=False)
class Labels:
    """Who the appearances of a view are, and everybody who stands in the release at all.

    ``is_far`` says who is two hops from an ego; a scheme without egos has no such classes (``has_hops`` is false).
    ``auxiliary`` is the sub-graph that is an auxiliary graph, without an ego, where everybody is compared with its
    people alone. Whoever stands for nobody, or for several people, is somebody of their own in ``person``, who comes
    once; of the latter (``is_merged``) nothing is asked.
    """

    person: NDArray[np.int32]
    is_far: NDArray[np.bool_]
    everybody: NDArray[np.int32]
    has_hops: bool = True
    auxiliary: int | None = None
    is_merged: NDArray[np.bool_] | None = None


class _Part(NamedTuple):
    """What one sub-graph adds to the view."""

    channels: dict[str, NDArray[np.int32]]
    nodes: NDArray[np.int32]
    degrees: NDArray[np.int32]
    neighbors: Neighbors | None
    ties: dict[str, Ties]


def observe(public: Sequence[Graph], needs: Needs, *, min_degree: int = 5) -> View:
    """Look at every published sub-graph once, and keep the nodes with more than ``min_degree`` edges.

    Sub-graphs are made, looked at and forgotten one by one: what stays is what the attack needs of the appearances.
    """

    def look(k: int) -> _Part:
        subgraph = public[k]
        degrees = subgraph.degrees
        nodes = np.flatnonzero(degrees > min_degree).astype(np.int32)
        tables = {channel.name: channel.extract(subgraph, nodes) for channel in needs.channels}
        neighbors = Neighbors.among(subgraph, nodes) if needs.neighbors else None
        ties = {one.name: one.extract(subgraph, nodes) for one in needs.ties}
        return _Part(tables, nodes, degrees[nodes].astype(np.int32), neighbors, ties)

    view = _join_view(map_threads(look, range(len(public))), needs)
    # made now: what makes a sub-graph of a release knows its secret, and no attack may hold that
    return replace(view, graphs=tuple(public)) if needs.graphs else view


def label(secret: Sequence[Secret], view: View, *, auxiliary: int | None = None) -> Labels:
    """Return who the appearances of a view are: only the auditor can, and who made the release."""
    parts = [secret[k] for k in range(len(secret))]
    starts = np.searchsorted(view.subgraph, np.arange(len(parts) + 1))
    nodes = [view.node[first:last] for first, last in pairwise(starts)]
    nobody = np.empty(0, dtype=np.int32)
    return Labels(
        person=np.concatenate([nobody, *(people[mine] for people, mine in zip(told_apart(parts), nodes, strict=True))]),
        is_far=np.concatenate([nobody, *map(_is_far, parts, nodes)]).astype(bool),
        everybody=np.unique(np.concatenate([nobody, *(part.everybody for part in parts)])),
        has_hops=all(part.hops is not None for k, part in enumerate(parts) if k != auxiliary),
        auxiliary=auxiliary,
        is_merged=np.concatenate([nobody, *map(_is_merged, parts, nodes)]).astype(bool),
    )


def kept_neighbors(view: View) -> Neighbors:
    """Return who knows whom among the appearances, or say how to keep it."""
    if view.neighbors is None:
        raise InputError("the view holds no neighbours: observe the release with Needs(neighbors=True)")
    return view.neighbors


def _join_view(parts: list[_Part], needs: Needs) -> View:
    kept = [part.neighbors for part in parts if part.neighbors is not None]
    none = np.empty(0, dtype=np.int32)
    return View(
        channels={
            channel.name: np.concatenate(
                [part.channels[channel.name] for part in parts] or [np.empty((0, channel.width), dtype=np.int32)]
            )
            for channel in needs.channels
        },
        subgraph=np.repeat(np.arange(len(parts), dtype=np.int32), [part.nodes.size for part in parts]),
        node=np.concatenate([none, *(part.nodes for part in parts)]),
        degree=np.concatenate([none, *(part.degrees for part in parts)]),
        neighbors=Neighbors.join(kept) if kept else None,
        ties={one.name: Ties.join([part.ties[one.name] for part in parts]) for one in needs.ties},
    )


def _is_far(secret: Secret, nodes: NDArray[np.int32]) -> NDArray[np.bool_]:
    return np.zeros(nodes.size, dtype=bool) if secret.hops is None else secret.hops[nodes] == 2


def _is_merged(secret: Secret, nodes: NDArray[np.int32]) -> NDArray[np.bool_]:
    return np.asarray(~secret.is_one[nodes] & (secret.people[nodes] != NOBODY))
