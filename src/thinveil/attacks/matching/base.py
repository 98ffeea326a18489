"""What an attack that names people is given, and what it gives.

::

    Held (an auxiliary graph with names, a release, known people) --match--> Names (one per named node) and a Verdict

The attacker holds two things: an *auxiliary graph*, whose nodes are people with names, and the *target*, the public
half of a release. He may know a few people in it already. Nobody is forced a name: a node that is left out has none.
The verdict says whether the attacker himself should believe his names; it is made without any truth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import Effort, Fitted, Known, Lesson, Packed, Session
from thinveil.attacks.pairwise import Links
from thinveil.errors import InputError
from thinveil.features import Needs, View
from thinveil.features.pairs import Pairs, Question
from thinveil.graph import Graph
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Scheme

I32 = NDArray[np.int32]
F64 = NDArray[np.float64]


def _nobody() -> I32:
    return np.empty(0, dtype=np.int32)


@dataclass(frozen=True, eq=False)
class KnownNames:
    """People whom the attacker knows beforehand: node ``node[k]`` of sub-graph ``subgraph[k]`` is ``person[k]``."""

    subgraph: I32 = field(default_factory=_nobody)
    node: I32 = field(default_factory=_nobody)
    person: I32 = field(default_factory=_nobody)

    def __len__(self) -> int:
        return self.node.size

    def of(self, subgraph: int) -> dict[int, int]:
        """Return the known people of one sub-graph, by node."""
        mine = self.subgraph == subgraph
        return dict(zip(self.node[mine].tolist(), self.person[mine].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Held:
    """What the attacker holds.

    ``auxiliary`` is the graph with names, ``target`` the published sub-graphs, one for a whole graph. ``scheme`` made
    the target, as far as that is known; it is a black box that the attacker can use on graphs of his own.
    """

    auxiliary: Graph
    target: Sequence[Graph]
    known: KnownNames = field(default_factory=KnownNames)
    scheme: Scheme | None = None

    def whole(self, attack: str) -> Graph:
        """Return the one published graph, or say that this attack is for whole graphs."""
        if len(self.target) != 1:
            raise InputError(
                f"attack {attack} matches two whole graphs, and the release has {len(self.target)} sub-graphs: "
                "choose --attack names"
            )
        return self.target[0]


@dataclass(frozen=True)
class Verdict:
    """Whether the attacker should believe his names, told without any truth.

    ``facts`` are the numbers behind it, by name; an attack that cannot check itself is believed, and says so.
    """

    accepted: bool = True
    words: str = "this attack does not check itself"
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Names:
    """One line per named node: node ``node[k]`` of sub-graph ``subgraph[k]`` is ``person[k]`` of the auxiliary graph.

    ``probability[k]`` is how probably that is right. No node stands twice, and no person twice in a sub-graph.
    """

    subgraph: I32
    node: I32
    person: I32
    probability: F64
    verdict: Verdict = Verdict()

    def __len__(self) -> int:
        return self.node.size

    @classmethod
    def none(cls, verdict: Verdict) -> Names:
        """Name nobody."""
        return cls(_nobody(), _nobody(), _nobody(), np.empty(0), verdict)

    def with_known(self, known: KnownNames) -> Names:
        """Return the names with those of known people, for certain, in place of whatever contradicts them."""
        if not len(known):
            return self
        kept = np.ones(len(self), dtype=bool)
        for mine, theirs in ((self.node, known.node), (self.person, known.person)):
            kept &= ~np.isin(_keys(self.subgraph, mine), _keys(known.subgraph, theirs))
        subgraph, node, person, probability = (
            np.concatenate([getattr(self, name)[kept], other])
            for name, other in (("subgraph", known.subgraph), ("node", known.node), ("person", known.person),
                                ("probability", np.ones(len(known))))
        )  # fmt: skip
        order = np.lexsort((node, subgraph))
        return Names(subgraph[order], node[order], person[order], probability[order], self.verdict)

    @classmethod
    def of_graph(cls, node: I32, person: I32, probability: F64, verdict: Verdict) -> Names:
        """Return the names in a whole graph, in the order of its nodes."""
        order = np.argsort(node, kind="stable")
        return cls(np.zeros(node.size, dtype=np.int32), node[order].astype(np.int32), person[order].astype(np.int32),
                   probability[order].astype(np.float64), verdict)  # fmt: skip


def _keys(subgraph: I32, number: I32) -> NDArray[np.int64]:
    return subgraph.astype(np.int64) << 32 | number


class MatchingAttack(ABC):
    """An attack that names people: a frozen dataclass whose fields are its parameters.

    All it takes is ``match``. It must not depend on the numbers that nodes have on either side: they are drawn by lot
    beforehand, and ties are broken by lot too. In an audit it is an attack like others: the last sub-graph of what it
    sees is the auxiliary graph, and a pair is as probable as the name that it stands for.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    learns: ClassVar[bool] = False
    names_people: ClassVar[bool] = True
    beside: ClassVar[tuple[str, ...]] = ()
    effort: ClassVar[Effort] = Effort(learn=0, each=0, enter=10, ask=0.1)

    @property
    def needs(self) -> Needs:
        """What must be seen: both graphs, whole."""
        return Needs(graphs=True)

    def describe(self) -> str:
        """Say in plain English what it does, as one or more sentences."""
        return (type(self).__doc__ or "").partition("\n")[0]

    def fit(self, known: Known, *, seeds: Seeds) -> Fitted:
        """Learn nothing beforehand: all that can be learned is in the two graphs."""
        return MatchingModel(self, seeds("match"), _known_people(known), known.scheme)

    def restore(self, packed: Packed) -> Fitted:
        """Make it again: there is nothing to read."""
        return MatchingModel(self, 0, KnownNames())

    @abstractmethod
    def match(self, held: Held, *, seeds: Seeds) -> Names:
        """Return the names that the attacker puts on published nodes."""


@dataclass(frozen=True, eq=False)
class MatchingModel:
    """An attack on names that is ready: it has learned nothing yet."""

    attack: MatchingAttack
    seed: int
    known: KnownNames
    scheme: Scheme | None = None

    def enter(self, view: View) -> Session:
        """Match the published sub-graphs with the auxiliary graph, the last of a release under identification."""
        *target, auxiliary = view.graphs
        names = self.attack.match(Held(auxiliary, target, self.known, self.scheme), seeds=Seeds(self.seed))
        return MatchingSession(view, names, self.known)

    def lesson(self, question: Question) -> Lesson:
        """Return nothing."""
        return Lesson()

    def pack(self) -> Packed:
        """Return nothing: there is nothing to keep."""
        return Packed({}, {})


@dataclass(frozen=True, eq=False)
class MatchingSession:
    """A release whose people were given names."""

    view: View
    names: Names
    known: KnownNames
    rounds: tuple[I32, ...] = ()

    def score(self, pairs: Pairs, question: Question) -> F64:
        """Return the probability of each pair's name, and 0 for all other pairs."""
        left, right = self._named(pairs.left, pairs.right), self._named(pairs.right, pairs.left)
        return np.maximum(left, right)

    def _named(self, published: NDArray[np.int64], auxiliary: NDArray[np.int64]) -> F64:
        view, last = self.view, len(self.view.graphs) - 1
        sure = np.zeros(published.size)
        for k in range(last):
            mine, part = np.flatnonzero(view.subgraph[published] == k), self.names.subgraph == k
            said = np.full(view.graphs[k].node_count, -1, dtype=np.int64)
            probability = np.zeros(said.size)
            said[self.names.node[part]], probability[self.names.node[part]] = (
                self.names.person[part], self.names.probability[part],
            )  # fmt: skip
            node, other = view.node[published[mine]], auxiliary[mine]
            is_name = (view.subgraph[other] == last) & (said[node] == view.node[other])
            sure[mine] = np.where(is_name, probability[node], 0)
        return sure

    def links(self, sure: float = 0.5) -> Links | None:
        """Return no clusters: the attack gives names."""
        return None


def _known_people(known: Known) -> KnownNames:
    """Return the people whom the attacker knows in both graphs of the release that he attacks."""
    view = known.view
    if known.is_whole or not len(view.graphs):  # a release to learn from, which is not the one attacked
        return KnownNames()
    last = len(view.graphs) - 1
    there = np.flatnonzero((known.person >= 0) & (view.subgraph == last))
    here = np.flatnonzero((known.person >= 0) & (view.subgraph < last))
    people = np.full(int(known.person.max(initial=0)) + 1, -1, dtype=np.int32)
    people[known.person[there]] = view.node[there]
    here = here[people[known.person[here]] >= 0]
    return KnownNames(view.subgraph[here], view.node[here], people[known.person[here]])
