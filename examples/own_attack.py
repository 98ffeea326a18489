"""Measure an attack of your own: two appearances are alike if their contacts have about the same degrees.

An attack is a frozen dataclass with a name, its parameters as fields, what it must see of every appearance, and a
method ``fit`` that learns from what the attacker may know. One that judges each pair by itself needs no more than a
score; linking, saving and naming follow from it. Once it is registered, ``thinveil`` knows it by name, like its own.

    python examples/own_attack.py
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import thinveil
from thinveil.attacks import Fitted, Known, Packed, PairModel
from thinveil.features import DegreeHistogram, Needs, View
from thinveil.features.pairs import Pairs, Question
from thinveil.runtime.streams import Seeds


@thinveil.register_attack
@dataclass(frozen=True)
class Alike:
    """Compare how the degrees of two appearances' contacts are spread, without learning anything."""

    name: ClassVar[str] = "alike"
    bin_size: int = 15

    @property
    def needs(self) -> Needs:
        """What must be seen of every appearance: its contacts by degree."""
        return Needs((self.histogram,))

    @property
    def histogram(self) -> DegreeHistogram:
        """Contacts by degree."""
        return DegreeHistogram(70, self.bin_size)

    def describe(self) -> str:
        """Say what it does, in a sentence or two."""
        return "Two appearances are alike as far as the degrees of their contacts overlap. Nothing is learned."

    def fit(self, known: Known, *, seeds: Seeds) -> Fitted:
        """Learn nothing; an attack that learns finds its labelled pairs in ``known.examples``."""
        return Overlap(self.histogram.name)

    def restore(self, packed: Packed) -> Fitted:
        """Make what was learned again: there is nothing to read."""
        return Overlap(self.histogram.name)


@dataclass(frozen=True)
class Overlap(PairModel):
    """The share of contacts whose degrees two appearances have in common."""

    channel: str

    def score(self, view: View, pairs: Pairs, question: Question) -> np.ndarray:
        """Return for each pair how alike the two are, from 0 to 1."""
        left, right = (view.vectors(self.channel)[side] for side in (pairs.left, pairs.right))
        return np.minimum(left, right).sum(axis=1) / np.maximum(left, right).sum(axis=1)


def main() -> None:
    """Print how many people each attack re-links on the same releases."""
    graph = thinveil.synthetic_graph(8_000, seed=1)
    for attack in ("alike", "alike:bin_size=5", "forest:trees=50"):
        result = thinveil.audit(graph, "d4d-2:egonets=30,min_size=200", attack=attack, seed=1)
        rate = result.rate("1-hop", fpr=0.01)
        print(f"{attack}: {rate.tpr:.1%} re-linked ({rate.low:.1%} to {rate.high:.1%})")


if __name__ == "__main__":
    main()
