"""The paper's attack: the pair forest on degree histograms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import Lesson
from thinveil.features import Channel, DegreeHistogram, View
from thinveil.features.pairs import Pairs
from thinveil.learners.forest import PairForest, print_tree


class ForestAttack:
    """Learn with a ``PairForest``.

    Parameters
    ----------
    channels
        What the forest compares; the paper's degree histogram by default.
    parameters
        Anything that ``PairForest`` takes: trees, bag_size, candidates, thresholds, smallest, seed, threads.
    """

    def __init__(self, *channels: Channel, **parameters: Any) -> None:
        self.channels = channels or (DegreeHistogram(),)
        self._names = [channel.name for channel in self.channels]
        self.forest = PairForest(widths=tuple(channel.width for channel in self.channels), **parameters)

    def fit(self, view: View, identical: Pairs, different: Pairs) -> None:
        """Grow the forest on labelled pairs of the training release."""
        self.forest.fit_pairs(
            view.vectors(*self._names),
            np.concatenate((identical.left, different.left)),
            np.concatenate((identical.right, different.right)),
            np.repeat([True, False], [len(identical), len(different)]),
        )

    def score(self, view: View, pairs: Pairs) -> NDArray[np.float64]:
        """Return the mean leaf probability of being identical."""
        return self.forest.score_pairs(view.vectors(*self._names), pairs.left, pairs.right)

    def lesson(self) -> Lesson:
        """Return the component pairs that decided most, and the first tree."""
        return Lesson(tuple(self.forest.important_pairs(12)), print_tree(self.forest, 0))
