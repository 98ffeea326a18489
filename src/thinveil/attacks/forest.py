"""The paper's attack: the pair forest on degree histograms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.features import View
from thinveil.forest import PairForest
from thinveil.pairs import Pairs


class ForestAttack:
    """Learn with a ``PairForest``; the parameters are its own.

    Parameters
    ----------
    parameters
        Anything that ``PairForest`` takes: trees, bag_size, candidates, thresholds, smallest, seed, threads.
    """

    name = "forest"

    def __init__(self, **parameters: Any) -> None:
        self.forest = PairForest(**parameters)

    def fit(self, view: View, identical: Pairs, different: Pairs) -> None:
        """Grow the forest on labelled pairs of the training release."""
        self.forest.set_params(widths=view.widths)
        self.forest.fit_pairs(
            view.vectors,
            np.concatenate((identical.left, different.left)),
            np.concatenate((identical.right, different.right)),
            np.repeat([True, False], [len(identical), len(different)]),
        )

    def score(self, view: View, pairs: Pairs) -> NDArray[np.float64]:
        """Return the mean leaf probability of being identical."""
        return self.forest.score_pairs(view.vectors, pairs.left, pairs.right)
