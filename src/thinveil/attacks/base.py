"""What an attack is: it learns from labelled pairs of the training release, then scores pairs of another.

An attack sees views, which are made from public halves only. The only labels it ever gets are those of the
training pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thinveil.features import Channel, View
from thinveil.features.pairs import Pairs


@dataclass(frozen=True)
class Lesson:
    """What an attack learned, for people to read.

    Component pairs by importance (i, j, share), one tree, and what was compared, in words, with its share of all that
    was learned.
    """

    important: tuple[tuple[int, int, float], ...] = ()
    tree: str = ""
    channels: tuple[tuple[str, float], ...] = ()


class Attack(Protocol):
    """Anything that learns which traces survive a scheme."""

    @property
    def channels(self) -> tuple[Channel, ...]:
        """What the attack wants to see of every row."""

    def fit(self, view: View, identical: Pairs, different: Pairs) -> None:
        """Learn from labelled pairs of the training release."""

    def score(self, view: View, pairs: Pairs) -> NDArray[np.float64]:
        """Return for each pair how probably it is identical."""

    def lesson(self) -> Lesson:
        """Return what was learned."""
