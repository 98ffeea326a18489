"""What an attacker sees of a node.

A *channel* is a group of numbers about a node that are only ever compared with the same group of another
node. A *view* is the table an attack works on: a row per published node with enough neighbours to say
something about it, and for each channel the values of all rows. A view is made from the public half of a release
alone; what the auditor knows about its rows is kept in a ``RowTruth`` beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.features.neighbors import Neighbors
from thinveil.graph import Graph
from thinveil.runtime.threads import map_threads
from thinveil.schemes.base import Published, Secret


class Channel(Protocol):
    """A group of components in a node's feature vector."""

    @property
    def name(self) -> str:
        """What the channel measures, in a word or two."""

    @property
    def width(self) -> int:
        """Number of components."""

    def extract(self, subgraph: Graph, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the components of the given nodes, one row each."""


@dataclass(frozen=True, eq=False)
class View:
    """The rows of a release as an attacker sees them; ``channels[name][row]`` holds a channel's components.

    ``neighbors`` says who knows whom among the rows, where ``observe`` was asked to keep it.
    """

    channels: Mapping[str, NDArray[np.int32]]
    subgraph: NDArray[np.int32]
    node: NDArray[np.int32]
    degree: NDArray[np.int32]
    neighbors: Neighbors | None = None

    def __len__(self) -> int:
        return self.subgraph.size

    def part(self, subgraphs: NDArray[np.integer]) -> tuple[View, NDArray[np.bool_]]:
        """Return what is seen of some sub-graphs alone, numbered anew in ascending order, and which rows these are."""
        keep, number = np.isin(self.subgraph, subgraphs), np.unique(subgraphs)
        return View(
            channels={name: table[keep] for name, table in self.channels.items()},
            subgraph=np.searchsorted(number, self.subgraph[keep]).astype(np.int32),
            node=self.node[keep],
            degree=self.degree[keep],
            neighbors=None if self.neighbors is None else self.neighbors.part(keep),
        ), keep

    def vectors(self, *names: str) -> NDArray[np.int32]:
        """Return the components of the named channels side by side."""
        tables = [self.channels[name] for name in names]
        return tables[0] if len(tables) == 1 else np.hstack(tables)


@dataclass(frozen=True, eq=False)
class RowTruth:
    """Who the rows of a view are (the auditor's secret), and everybody who stands in the release at all.

    ``is_far`` says who is two hops from an ego; a scheme without egos has no such classes (``has_hops`` is false).
    """

    person: NDArray[np.int32]
    is_far: NDArray[np.bool_]
    everybody: NDArray[np.int32]
    has_hops: bool = True


class _Part(NamedTuple):
    """What one sub-graph adds to the view and to the truth about it."""

    channels: dict[str, NDArray[np.int32]]
    nodes: NDArray[np.int32]
    degrees: NDArray[np.int32]
    secret: Secret
    neighbors: Neighbors | None


def observe(
    release: Sequence[Published],
    channels: Sequence[Channel],
    *,
    min_degree: int = 5,
    keep_neighbors: bool = False,
    threads: int | None = None,
) -> tuple[View, RowTruth]:
    """Look at every sub-graph of a release once, and keep the rows of nodes with more than ``min_degree`` edges.

    Sub-graphs are made, looked at and forgotten one by one: what stays is the rows, who was there, and with
    ``keep_neighbors`` who knows whom among the rows.
    """

    def look(k: int) -> _Part:
        public, secret = release[k]
        degrees = public.degrees
        nodes = np.flatnonzero(degrees > min_degree).astype(np.int32)
        tables = {channel.name: channel.extract(public, nodes) for channel in channels}
        neighbors = Neighbors.among(public, nodes) if keep_neighbors else None
        return _Part(tables, nodes, degrees[nodes].astype(np.int32), secret, neighbors)

    parts = map_threads(look, range(len(release)), threads)
    return _join_view(parts), _join_truth(parts)


def kept_neighbors(view: View) -> Neighbors:
    """Return who knows whom among the rows, or say how to keep it."""
    if view.neighbors is None:
        raise InputError("the view holds no neighbours: observe the release with keep_neighbors=True")
    return view.neighbors


def _join_view(parts: list[_Part]) -> View:
    rows = [part.nodes.size for part in parts]
    kept = [part.neighbors for part in parts if part.neighbors is not None]
    return View(
        channels={name: np.concatenate([part.channels[name] for part in parts]) for name in parts[0].channels},
        subgraph=np.repeat(np.arange(len(parts), dtype=np.int32), rows),
        node=np.concatenate([part.nodes for part in parts]),
        degree=np.concatenate([part.degrees for part in parts]),
        neighbors=Neighbors.join(kept) if kept else None,
    )


def _join_truth(parts: list[_Part]) -> RowTruth:
    return RowTruth(
        person=np.concatenate([part.secret.people[part.nodes] for part in parts]),
        is_far=np.concatenate([_is_far(part) for part in parts]),
        everybody=np.unique(np.concatenate([part.secret.people for part in parts])),
        has_hops=all(part.secret.hops is not None for part in parts),
    )


def _is_far(part: _Part) -> NDArray[np.bool_]:
    hops = part.secret.hops
    return np.zeros(part.nodes.size, dtype=bool) if hops is None else hops[part.nodes] == 2
