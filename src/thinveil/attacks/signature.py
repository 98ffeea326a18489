"""The paper's ad-hoc attack (Section 2.3): two appearances are one person if their signatures are large and equal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import Effort, Fitted, Known, Packed, PairModel
from thinveil.attacks.pairwise import Links
from thinveil.attacks.slots import SlotParameters, fit_in_slots, needs_in_slots, restore_in_slots
from thinveil.features import Needs, Signature, View
from thinveil.features.pairs import Pairs, Question
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import Seeds


@dataclass(frozen=True)
class SignatureAttack(SlotParameters):
    """Link appearances whose signatures match exactly, as in the paper's hand-made attack; nothing is learned."""

    name: ClassVar[str] = "signature"
    effort: ClassVar[Effort] = Effort(learn=0, each=0, enter=0, ask=0.5)
    title: ClassVar[str] = "equal degrees among a person's contacts"
    learns: ClassVar[bool] = False
    beside: ClassVar[tuple[str, ...]] = ()

    large: int = parameter(6, "contacts that a signature must have to be trusted", low=0, high=2**31 - 2)

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def needs(self) -> Needs:
        """What must be seen of every appearance: its signature."""
        return needs_in_slots(Needs((Signature(),)), self.slots)

    def describe(self) -> str:
        """Say what it does."""
        return (
            "The ad-hoc attack of Sharad and Danezis (2014): two appearances are linked if the sorted degrees inside "
            f"the person's own 1-hop network are equal. Nothing is learned.{self.slots_words()}"
        )

    def fit(self, known: Known, *, seeds: Seeds) -> Fitted:
        """Learn nothing: the invariant was found by hand."""
        if self.slots > 1:
            return fit_in_slots(self, replace(self, slots=1), known, seeds=seeds)
        return SignatureModel(self.large)

    def restore(self, packed: Packed) -> Fitted:
        """Make it again: there is nothing to read."""
        if self.slots > 1:
            return restore_in_slots(self, replace(self, slots=1), packed)
        return SignatureModel(self.large)


@dataclass(frozen=True)
class SignatureModel(PairModel):
    """Equal signatures, if they are large."""

    large: int

    def score(self, view: View, pairs: Pairs, question: Question) -> NDArray[np.float64]:
        """Return 1 where both signatures are large and equal, 0 elsewhere."""
        left, right = (view.vectors("signature")[side] for side in (pairs.left, pairs.right))
        return np.where((left == right).all(axis=1) & (left[:, 0] >= self.large), 1.0, 0.0)

    def links(self, view: View, sure: float = 0.5) -> Links:
        """Return the appearances of equal signatures; one that comes twice in a sub-graph tells nobody apart."""
        signatures = view.vectors("signature")
        large = np.flatnonzero(signatures[:, 0] >= self.large)
        _, group = np.unique(signatures[large], axis=0, return_inverse=True)
        order = np.argsort(group, kind="stable")
        follows = np.flatnonzero(group[order][1:] == group[order][:-1])
        pairs = Pairs(large[order[follows]], large[order[follows + 1]])
        return Links.along(pairs, np.ones(len(pairs)), view.subgraph)
