"""Names by a graph that is there: the attacker holds a second graph of partly the same people, say from a file.

Nothing is drawn of either graph: the scheme publishes all of the audited one, and the attacker holds all of the other.
Who is in both is told by the labels, which serve for counting and never for the attack. To learn, he makes two noisy
copies of his own graph, as ``identification`` does, and puts one of them through the scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph, labels_of
from thinveil.graph.thinning import thin
from thinveil.runtime.parameters import AT_HAND, parameter
from thinveil.runtime.streams import stream
from thinveil.schemes import Release, Scheme
from thinveil.threats.base import publish
from thinveil.threats.identification import Beside, Identification, beside


class Given(NamedTuple):
    """The attacker's graph, and the numbers that its people have in the audited one; strangers stand behind those."""

    graph: Graph
    people: NDArray[np.int32]


@dataclass(frozen=True)
class GivenIdentification(Identification):
    """Name the people of a published graph with the help of another graph: --aux FILE."""

    name: ClassVar[str] = "identification-given"

    node_overlap: float = parameter(
        0.5, "share of people that two copies have in common, made to learn from", low=0, high=1
    )
    edge_overlap: float = parameter(0.75, "share of edges that these copies have in common", low=0, high=1)
    known: int | None = parameter(
        None, "people of both graphs whom the attacker knows, and learns from; none by default", low=0, high=10**8
    )
    given: Given | None = field(default=None, repr=False, compare=False, metadata=AT_HAND)

    def describe(self) -> str:
        """Say who holds what and wants what."""
        held = ""
        if self.given is not None:
            held = f" of {self.given.graph.node_count:,} people and {self.given.graph.edge_count:,} edges"
        return (
            f"The attacker holds the release and another graph{held}, with names, and wants to know which name belongs "
            "to which published node. Nothing was deleted from either graph by lot; who is in both is told by the "
            "labels, for counting alone"
        )

    def holding(self, auxiliary: Graph, graph: Graph) -> Self:
        """Return the same with the attacker's graph at hand, or say that nobody is in both."""
        place = {label: k for k, label in enumerate(labels_of(graph))}
        called = labels_of(auxiliary)
        if called and place and not any(name in place for name in called):
            raise InputError(
                f"nobody is in both graphs: the audited one has {next(iter(place))!r}, the auxiliary one "
                f"{called[0]!r}: give a graph that calls the same people the same"
            )
        strangers = iter(range(graph.node_count, graph.node_count + len(called)))
        people = np.array([place[name] if name in place else next(strangers) for name in called], dtype=np.int32)
        return replace(self, given=Given(auxiliary, people))

    def resolved(self, *, other_graph: bool, learns: bool = True) -> Self:
        """Return the threat with a number of known people: nobody, where nobody chose."""
        resolved = super().resolved(other_graph=other_graph, learns=False)
        return replace(self, known=resolved.known)

    def _beside(self, scheme: Scheme) -> Scheme:
        return _BesideGiven(scheme, self._at_hand())

    def examples(self, *graphs: Graph, seed: int) -> list[Graph]:
        """Return what a scheme is given to publish: all of the first graph, and a copy of one to learn from."""
        audited, *others = graphs
        return [audited, *super().examples(*others, seed=seed)]

    def _at_hand(self) -> Given:
        if self.given is None:
            raise InputError(f"threat {self.name} needs the attacker's graph: give it with --aux FILE (auxiliary=)")
        return self.given


@dataclass(frozen=True)
class _BesideGiven(Beside):
    """All of a graph by the scheme, and beside it the attacker's own."""

    given: Given

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        order = stream(seed, "auxiliary", len(avoid)).permutation(self.given.people.size).astype(np.int32)
        everybody = np.arange(graph.node_count, dtype=np.int32)
        release = publish(self.scheme, graph, seed=seed, avoid=avoid)
        return beside(release, everybody, thin(self.given.graph, order, 0.0, 0), self.given.people[order], graph)
