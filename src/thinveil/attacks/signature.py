"""The paper's ad-hoc attack (Section 2.3): two rows are one person if their signatures are large and equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import Lesson
from thinveil.features import Channel, Signature, View
from thinveil.features.pairs import Pairs


class SignatureAttack:
    """Link rows whose signatures match exactly; nothing is learned.

    Parameters
    ----------
    large
        A signature with fewer neighbours than this is not trusted.
    """

    def __init__(self, *, large: int = 6) -> None:
        self.large = large
        self.channels: tuple[Channel, ...] = (Signature(),)

    def fit(self, view: View, identical: Pairs, different: Pairs) -> None:
        """Learn nothing: the invariant was found by hand."""

    def score(self, view: View, pairs: Pairs) -> NDArray[np.float64]:
        """Return 1 where both signatures are large and equal, 0 elsewhere."""
        left, right = (view.vectors("signature")[side] for side in (pairs.left, pairs.right))
        return np.where((left == right).all(axis=1) & (left[:, 0] >= self.large), 1.0, 0.0)

    def lesson(self) -> Lesson:
        """Return nothing."""
        return Lesson()
