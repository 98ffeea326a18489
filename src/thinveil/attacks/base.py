"""What an attack is, from learning to linking.

::

    Attack --fit(known)--> Fitted --enter(view)--> Session --score(pairs, question) / links()

An attack sees views, which are made from public halves only. All it ever learns from is what the attacker can know
(``Known``): a release of his own making, or a few people whom he knows in the attacked one. ``fit`` learns to answer
all questions at once; what it gives can be saved. ``enter`` takes up one release: an attack whose links support each
other links it there, once. The session then scores pairs, and says which appearances it takes for one person.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.pairwise import Links, link_pairs
from thinveil.features import Needs, View
from thinveil.features.pairs import CATEGORIES, PROTOCOLS, Pairs, Question
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Scheme

F64 = NDArray[np.float64]


class Examples(NamedTuple):
    """Pairs to learn from: two appearances of one person, and of different people."""

    identical: Pairs
    different: Pairs

    @property
    def suffice(self) -> bool:
        """Whether there are pairs of both kinds."""
        return len(self.identical) > 0 and len(self.different) > 0


@dataclass(frozen=True, eq=False)
class Known:
    """What the attacker has to learn from: appearances, who they are (-1 for unknown), and examples by question.

    Examples of one question must not be used for another: where a few people are known, what is asked under one may be
    an example of another. ``scheme`` made the release, where that is known: a black box for graphs of his own.
    """

    view: View
    person: NDArray[np.int32]
    examples: Mapping[Question, Examples]
    scheme: Scheme | None = None

    @property
    def is_whole(self) -> bool:
        """Whether everybody in the release is known, and not only some people."""
        return bool((self.person >= 0).all())


class Effort(NamedTuple):
    """About how long an attack takes, against other attacks: how far an audit is is told by it.

    ``learn`` is spent once, ``each`` for every question that is learned, ``enter`` once for a release under attack,
    and ``ask`` for every question that is asked. An attack may say its own as a class variable ``effort``.
    """

    learn: float = 1.0
    each: float = 3.0
    enter: float = 1.0
    ask: float = 3.0

    @classmethod
    def of(cls, attack: object) -> Effort:
        """Return what an attack says, or the usual."""
        said: Effort = getattr(attack, "effort", None) or cls()
        return said


@dataclass(frozen=True)
class Lesson:
    """What an attack learned, for people to read.

    ``important`` are pairs of components (i, j, share), ``compared`` the same in words; ``tree`` is one tree, and
    ``tree_words`` says how to read it. ``channels`` are all things compared, in words, each with its share of all that
    was learned.
    """

    important: tuple[tuple[int, int, float], ...] = ()
    compared: tuple[tuple[str, str, float], ...] = ()
    tree: str = ""
    tree_words: str = ""
    channels: tuple[tuple[str, float], ...] = ()


class Packed(NamedTuple):
    """What was learned, as plain data for a file: facts that JSON can hold, and arrays by name."""

    facts: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]


class Session(Protocol):
    """An attack on one release.

    ``rounds`` holds the cluster of every appearance (-1 for none) after each round of links that support each other; it
    is empty for an attack that judges pairs by themselves. A session that gives names has them in ``names``, and in
    ``known`` whom it knew beforehand (see ``matching.base``).
    """

    @property
    def rounds(self) -> tuple[NDArray[np.int32], ...]:
        """The clusters after each round."""

    def score(self, pairs: Pairs, question: Question) -> F64:
        """Return for each pair how probably it is one person, if half of all such pairs are."""

    def links(self, sure: float = 0.5) -> Links | None:
        """Return the clusters of appearances that are taken for one person; None if the attack makes none.

        An appearance belongs to a cluster if that is at least as probable as ``sure``.
        """


class Fitted(Protocol):
    """An attack that has learned."""

    def enter(self, view: View) -> Session:
        """Take up a release."""

    def lesson(self, question: Question) -> Lesson:
        """Return what was learned."""

    def pack(self) -> Packed:
        """Return what was learned as plain data."""


class Attack(Protocol):
    """Anything that learns which traces survive a scheme: a frozen dataclass whose fields are its parameters.

    ``title`` says in a few words what it is, ``learns`` whether it learns at all, and ``beside`` which other attacks
    are measured beside it on the same releases.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    learns: ClassVar[bool]
    beside: ClassVar[tuple[str, ...]]

    @property
    def needs(self) -> Needs:
        """What must be seen of every appearance."""

    def describe(self) -> str:
        """Say in plain English what it does, as one or more sentences."""

    def fit(self, known: Known, *, seeds: Seeds) -> Fitted:
        """Learn to answer all questions of which there are examples."""

    def restore(self, packed: Packed) -> Fitted:
        """Make what was learned again from plain data, or raise a ValueError that says why not."""


class PairModel(ABC):
    """A fitted attack that judges each pair by itself: all it takes is ``score``.

    Its links are those of the surest pairs (see ``pairwise``).
    """

    @abstractmethod
    def score(self, view: View, pairs: Pairs, question: Question) -> F64:
        """Return for each pair how probably it is one person, if half of all such pairs are."""

    def enter(self, view: View) -> Session:
        """Take up a release: pairs are judged when they are asked for."""
        return PairSession(self, view)

    def links(self, view: View, sure: float = 0.5) -> Links | None:
        """Return the clusters that the surest pairs give."""
        return link_pairs(view, lambda pairs: self.score(view, pairs, Question()), sure=sure)

    def lesson(self, question: Question) -> Lesson:
        """Return nothing."""
        return Lesson()

    def pack(self) -> Packed:
        """Return nothing: there is nothing to keep."""
        return Packed({}, {})


@dataclass(frozen=True, eq=False)
class PairSession:
    """A release under an attack that judges each pair by itself."""

    model: PairModel
    view: View
    rounds: tuple[NDArray[np.int32], ...] = ()

    def score(self, pairs: Pairs, question: Question) -> F64:
        """Return for each pair how probably it is one person."""
        return self.model.score(self.view, pairs, question)

    def links(self, sure: float = 0.5) -> Links | None:
        """Return the clusters of appearances that are taken for one person."""
        return self.model.links(self.view, sure)


def best_known(asked: Question, known: Mapping[Question, Any]) -> Question:
    """Return the question of those learned that is closest to the one asked.

    Examples
    --------
    >>> best_known(Question("1-hop", "matched"), {Question("complete", "paper"): None})
    Question(category='complete', protocol='paper')
    """
    if not known:
        raise ValueError("nothing was learned")
    return max(known, key=lambda one: (one.category == asked.category, one.category == "complete",
                                       one.protocol == asked.protocol))  # fmt: skip


def question_key(question: Question) -> str:
    """Return a question as a key for files: ``matched 1-hop``."""
    return f"{question.protocol} {question.category}"


def read_question(key: str) -> Question:
    """Return the question of a key, or raise a ValueError."""
    protocol, _, category = key.partition(" ")
    if category not in CATEGORIES or protocol not in PROTOCOLS:
        raise ValueError(f"an unknown question {key[:40]!r}")
    return Question(category, protocol)
