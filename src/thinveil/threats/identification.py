"""Whose name belongs to a published node? The attacker holds the release, and a second graph with names.

The second, *auxiliary* graph knows some of the same people and some of their edges (Section 4.4 of the paper, whose
two-graph task is this threat with the scheme ``pseudonyms``). The people are split at random into three groups::

    published = A + B      A and C: (1 - node_overlap) / 2 of the people each
    auxiliary = B + C      B: node_overlap of the people, those who can be named

Each graph has its own copy of the edges, from which a share of (1 - edge_overlap) / (1 + edge_overlap) is deleted
by lot. Among the people of both graphs, then, a share of ``edge_overlap`` of all remaining edges is in both. The scheme
publishes what it makes of the first copy: one graph, or many sub-graphs. In the attacked release the auxiliary graph
stands as one more sub-graph, the last, whose people have names. An attacker who knows nobody learns from two such
copies of his auxiliary graph, never from the audited one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError, SampleError
from thinveil.graph import Graph
from thinveil.graph.thinning import thin
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import Seeds, stream
from thinveil.schemes import Pseudonyms, Release, Scheme, Secret
from thinveil.schemes.base import Parts
from thinveil.threats.base import Scene, publish, publish_both, publish_training

I32 = NDArray[np.int32]


@dataclass(frozen=True)
class Identification:
    """Name the people of a published graph with the help of a second, noisy graph with names."""

    name: ClassVar[str] = "identification"
    features: ClassVar[tuple[str, ...]] = ("degrees", "two-hop")
    scheme: ClassVar[str] = "pseudonyms"
    attack: ClassVar[str] = "names"
    unseen: ClassVar[bool] = False
    auxiliary: ClassVar[bool] = True

    node_overlap: float = parameter(0.25, "share of all people who are in both graphs", low=0, high=1)
    edge_overlap: float = parameter(0.25, "share of the edges among these people that are in both", low=0, high=1)
    known: int | None = parameter(
        None,
        "people of both graphs whom the attacker knows; 50 for an attack that learns from nothing else",
        low=0,
        high=10**8,
    )

    def __post_init__(self) -> None:
        check_parameters(self)

    def describe(self) -> str:
        """Say who holds what and wants what."""
        return (
            "The attacker holds the release and an auxiliary graph with names, and wants to know which name belongs to "
            f"which published node. Of all people {100 * self.node_overlap:g}% are in both graphs, and of all edges "
            f"among these people {100 * self.edge_overlap:g}% are in both; the others were deleted at random."
        )

    def resolved(self, *, other_graph: bool, learns: bool = True) -> Identification:
        """Return the threat with a number of known people, or say what does not go together."""
        if self.known and other_graph:
            raise InputError(f"known = {self.known} are people of the attacked graph: leave --train-on out, or known")
        return self if self.known is not None else replace(self, known=50 if learns and not other_graph else 0)

    @property
    def teacher_words(self) -> str | None:
        """From what an attack learns that knows nobody beforehand."""
        return None if self.known else "two noisy copies of the auxiliary graph, one of them put through the scheme"

    def publish(self, scheme: Scheme, graph: Graph, *, seeds: Seeds, train_on: Graph | None = None) -> Scene:
        """Publish what the scheme makes of the graph, and put the auxiliary graph beside it; he learns from his own."""
        if getattr(scheme, "is_fixed", False):
            fixed = _BesideFixed(scheme, self)
            return publish_both(fixed, graph, seeds=seeds, train_on=train_on, known=self.known or 0)
        attacked = publish(self._beside(scheme), graph, seed=seeds("releases"))
        if self.known:
            return Scene(attacked, None)
        if train_on is not None:
            return Scene(attacked, self.publish_training(scheme, train_on, seeds=seeds))
        return Scene(attacked, self.publish_training(_Suited(scheme), attacked.public[-1], seeds=seeds))

    def _beside(self, scheme: Scheme) -> Scheme:
        """Return what publishes both graphs."""
        return _WithAuxiliary(scheme, self)

    def split(self, graph: Graph, seed: int, number: int = 0) -> tuple[I32, I32]:
        """Draw who is published, and who is in the auxiliary graph."""
        order = stream(seed, "overlap", number).permutation(graph.node_count).astype(np.int32)
        both = round(self.node_overlap * order.size)
        alone = (order.size - both) // 2
        return order[: alone + both], order[alone:]

    def examples(self, *graphs: Graph, seed: int) -> list[Graph]:
        """Return examples of what a scheme is given to publish of some graphs: to see whether it has room for it."""
        key = int(stream(seed, "example").integers(2**63))
        return [thin(one, self.split(one, seed)[0], self.deleted, key) for one in graphs]

    @property
    def deleted(self) -> float:
        """The share of edges that is deleted from each copy."""
        return (1 - self.edge_overlap) / (1 + self.edge_overlap)

    def publish_training(self, scheme: Scheme, graph: Graph, *, seeds: Seeds) -> Release:
        """Publish a release to learn from."""
        return publish_training(_WithAuxiliary(scheme, self), graph, seeds=seeds)


@dataclass(frozen=True)
class Beside:
    """A scheme whose releases have an auxiliary graph as their last sub-graph: what publishes both is up to others."""

    scheme: Scheme
    name: ClassVar[str] = ""

    def describe(self) -> str:
        """Say what is published beside the auxiliary graph."""
        return self.scheme.describe()


@dataclass(frozen=True)
class _Suited(Beside):
    """A scheme as an attacker uses it on his own graph: with as many and as large sub-graphs as there is room for.

    Where a scheme for whole graphs refuses his graph, he learns from what ``pseudonyms`` makes of it.
    """

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        scheme, fit = self.scheme, getattr(self.scheme, "suited", None)
        if fit is not None:
            scheme = fit(graph, left_open=[one.name for one in fields(scheme)], releases=1)  # type: ignore[arg-type]
        try:
            release = publish(scheme, graph, seed=seed, avoid=avoid)
            release.public[:1]  # some publish only when they are looked at
            return release
        except SampleError:
            if hasattr(scheme, "resized"):
                raise
            return publish(Pseudonyms(), graph, seed=seed, avoid=avoid)


@dataclass(frozen=True)
class _WithAuxiliary(Beside):
    """Two parts of a graph: the scheme publishes one, and the other is the auxiliary graph."""

    threat: Identification

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        groups = self.threat.split(graph, seed, len(avoid))
        streams = [stream(seed, "pseudonyms", len(avoid), k) for k in range(2)]
        # in each stream the pseudonyms come first, which the scheme draws again, and then the lots of the edges
        orders = [chance.permutation(members) for chance, members in zip(streams, groups, strict=True)]
        keys = [int(chance.integers(2**63)) for chance in streams]
        deleted = self.threat.deleted
        avoided = [_seen_from(groups[0], one, graph.node_count) for one in avoid]
        release = publish(self.scheme, thin(graph, groups[0], deleted, keys[0]), seed=seed, avoid=avoided)
        if len(release) > 1:  # the second of several sub-graphs has its pseudonyms from the second stream
            orders[1] = stream(seed, "auxiliary", len(avoid)).permutation(groups[1])
        return beside(release, groups[0], thin(graph, orders[1], deleted, keys[1]), orders[1], graph)


@dataclass(frozen=True)
class _BesideFixed(Beside):
    """A release that is there already, and beside it a graph with names: of all or some of its people and edges."""

    threat: Identification

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        release = publish(self.scheme, graph, seed=seed, avoid=avoid)
        chance = stream(seed, "auxiliary", len(avoid))
        known = round(self.threat.node_overlap * graph.node_count)
        order: I32 = chance.permutation(graph.node_count)[:known].astype(np.int32)
        auxiliary = thin(graph, order, 1 - self.threat.edge_overlap, int(chance.integers(2**63)))
        people = 1 + max(int(one.everybody.max(initial=-1)) for one in release.secret or ())
        everybody: I32 = np.arange(max(people, graph.node_count)).astype(np.int32)
        return beside(release, everybody, auxiliary, order, graph)


def _seen_from(members: I32, release: Release, people: int) -> Release:
    """Return an earlier release with its egos as they are numbered among the members; others are left out."""
    place = np.full(people, -1, dtype=np.int64)
    place[members] = np.arange(members.size)
    egos = place[release.egos]
    return Release(release.public, release.secret, release.scheme, centers=egos[egos >= 0])


def beside(release: Release, members: I32, auxiliary: Graph, order: I32, graph: Graph) -> Release:
    """Return what was published of the members, and as one more sub-graph the auxiliary graph; none is made yet."""
    secrets, count = release.secret or (), len(release)

    def make_public(k: int) -> Graph:
        return auxiliary if k == count else release.public[k]

    def make_secret(k: int) -> Secret:
        return Secret(order) if k == count else secrets[k].renumbered(members)

    public, secret = Parts(count + 1, make_public), Parts(count + 1, make_secret)
    if count == 1:  # two graphs are not too many to stand in memory
        return Release(tuple(public), tuple(secret), release.scheme, graph.labels)
    return Release(public, secret, release.scheme, graph.labels, members[release.egos].astype(np.int64))
