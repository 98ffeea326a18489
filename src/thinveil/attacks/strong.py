"""The strong attack: gradient boosting on everything that two rows show, and on what links say about them.

Pairs are compared by what each row shows alone (``features.comparison``) and, where the view has been linked, by what
the links around them say (``linkage``). The score is the probability that the two are one person if one of two such
pairs is: the prior is one half, and calibrated on pairs that the model has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import Lesson
from thinveil.attacks.collective import Linkage, LinkedView
from thinveil.attacks.collective.links import WORDS
from thinveil.features import Channel, View
from thinveil.features.comparison import Comparer
from thinveil.features.pairs import Pairs
from thinveil.learners.boosting import Boosted, Growth
from thinveil.runtime.streams import stream

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

_GROWTH = Growth(trees=120, leaves=15, rate=0.1, columns=0.5, lines=0.8)
_FEW = Growth(trees=60, leaves=4, rate=0.1, columns=0.7)
_FEW_PAIRS = 1_000
_MOST_LESSONS = 20_000
_EARLY = 0.3
_HELD_OUT = 5  # every fifth pair is kept for calibration
_STEPS = 50


class StrongAttack:
    """Learn with gradient boosting from all that is seen of a pair, links included.

    Parameters
    ----------
    channels
        Histograms to be compared besides what the attack always looks at.
    seed
        Decides what is random.
    threads
        Number of threads; it does not change the result.
    """

    def __init__(self, *channels: Channel, seed: int = 0, threads: int | None = None) -> None:
        self._further, self._seed, self._threads = channels, seed, threads
        self.channels: tuple[Channel, ...] = (*Linkage.channels, *channels)
        self._model: Boosted | None = None
        self._calibration = _Calibration()
        self._words: tuple[str, ...] = ()

    def link(self, known: View, person: NDArray[np.int32], asked: View) -> tuple[LinkedView, LinkedView]:
        """Learn to link from a release whose people are known, and link another; return both views with their links."""
        linkage = Linkage(seed=self._seed, threads=self._threads)
        comparers = [Comparer.of(view, self._further, threads=self._threads) for view in (known, asked)]
        learned, played = linkage.fit(known, person, comparers[0]), linkage.link(asked, comparers[1])
        return learned.linked(early=True), played.linked()

    def look(self, view: View) -> LinkedView:
        """Return a view made ready for comparing, without links."""
        return LinkedView(**vars(view), comparer=Comparer.of(view, self._further, threads=self._threads))

    def fit(self, view: View, identical: Pairs, different: Pairs) -> None:
        """Learn from labelled pairs of the training release."""
        chance = stream(self._seed, "strong")
        chosen = [_choose(pairs, chance) for pairs in (identical, different)]
        left, right = (np.concatenate([getattr(pairs, side) for pairs in chosen]) for side in ("left", "right"))
        same = np.repeat([True, False], [len(pairs) for pairs in chosen])
        table, self._words = self._look(view, left, right)
        if isinstance(view, LinkedView) and view.early is not None:
            # some pairs as they looked after the first round: the attacked release may not get any further
            early = chance.random(same.size) < _EARLY
            table[early, -len(WORDS) :] = view.early.compare(left[early], right[early], threads=self._threads)
        few = min(len(pairs) for pairs in chosen) < _FEW_PAIRS
        held_out = chance.permutation(same.size) % _HELD_OUT == 0
        if few or same[held_out].all() or not same[held_out].any():
            held_out[:] = False
        self._model = Boosted.fit(table[~held_out], same[~held_out], _FEW if few else _GROWTH, seed=self._seed)
        test = held_out if held_out.any() else ~held_out
        odds = self._model.predict(table[test], raw=True, threads=self._threads)
        self._calibration = _Calibration.fit(odds, same[test])

    def score(self, view: View, pairs: Pairs) -> F64:
        """Return for each pair how probably it is identical, if half of all pairs are."""
        assert self._model is not None, "fit first"
        table, _ = self._look(view, pairs.left, pairs.right)
        return self._calibration.apply(self._model.predict(table, raw=True, threads=self._threads))

    def lesson(self) -> Lesson:
        """Return what decided most, in words."""
        if self._model is None:
            return Lesson()
        shares: dict[str, float] = {}
        for words, gain in zip(self._words, self._model.gains(), strict=True):
            shares[words] = shares.get(words, 0.0) + float(gain)
        return Lesson(channels=tuple(sorted(shares.items(), key=lambda item: -item[1])))

    def _look(self, view: View, left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[F32, tuple[str, ...]]:
        linked = view if isinstance(view, LinkedView) else self.look(view)
        comparer = linked.comparer
        assert comparer is not None  # views are linked or looked at by this attack
        table = comparer.compare(left, right, threads=self._threads)
        if linked.links is None:
            return table, comparer.columns
        said = linked.links.compare(left, right, threads=self._threads)
        return np.hstack((table, said)), (*comparer.columns, *WORDS)


@dataclass(frozen=True)
class _Calibration:
    """Turns log odds into a probability under even odds: sigmoid(shift + slope * odds)."""

    shift: float = 0.0
    slope: float = 1.0

    @classmethod
    def fit(cls, odds: F64, right: Bools) -> _Calibration:
        """Fit by Newton's steps; both kinds of pairs weigh the same, whatever their numbers."""
        weight = np.where(right, 0.5 / max(1, right.sum()), 0.5 / max(1, (~right).sum()))
        terms = np.column_stack((np.ones(odds.size), np.clip(odds, -20, 20)))
        answer = np.array([0.0, 1.0])
        for _ in range(_STEPS):
            sure = 1 / (1 + np.exp(-terms @ answer))
            # a little shrinkage towards the model's own odds keeps separable pairs finite
            slope = terms.T @ (weight * (right - sure)) - 1e-3 * (answer - [0.0, 1.0])
            curve = (terms * (weight * sure * (1 - sure))[:, None]).T @ terms + 1e-3 * np.eye(2)
            step = np.linalg.solve(curve, slope)
            answer = answer + np.clip(step, -1, 1)
            if np.abs(step).max() < 1e-9:
                break
        return cls(float(answer[0]), max(float(answer[1]), 1e-3))

    def apply(self, odds: F64) -> F64:
        """Return probabilities."""
        return np.asarray(1 / (1 + np.exp(-(self.shift + self.slope * odds))))


def _choose(pairs: Pairs, chance: np.random.Generator) -> Pairs:
    chosen = chance.permutation(len(pairs))[:_MOST_LESSONS]
    return Pairs(pairs.left[chosen], pairs.right[chosen])
