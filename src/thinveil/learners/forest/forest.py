"""The forest as an estimator: the paper's learner with scikit-learn's manners."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from thinveil.errors import InputError
from thinveil.learners.forest import growing
from thinveil.learners.forest.checks import as_pairs, check_labels, check_parameters, check_rows, check_widths
from thinveil.learners.forest.entropy import FRACTION_BITS, entropy_table
from thinveil.learners.forest.prediction import BLOCK, mean_leaf
from thinveil.learners.forest.trees import Trees, join, pack
from thinveil.runtime.threads import map_chunks

_LOOKUP_SIDE = 64
_TREES_AT_ONCE = 8
_PAIRS_AT_ONCE = 4096


class PairForest(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Random forest over pairs of count vectors, as in Sections 3.2 and 3.4 of the paper.

    A split compares one component of the left vector with one of the right: delta(x, y) = abs(x - y) / max(x, y),
    0 if both are 0. It asks whether delta <= tau, choosing component pair and tau for the largest information gain
    among a random few pairs and all thresholds.

    Parameters
    ----------
    trees
        Number of trees (T).
    bag_size
        Pairs per class that each tree learns from; fewer if a class has fewer.
    candidates
        Share of all component pairs that each split looks at.
    thresholds
        Number of equidistant values of tau from 0 to 1.
    smallest
        A node with less than this share of the tree's points is not split.
    widths
        Widths of the channels in a vector; components are compared within a channel only. One channel by
        default.
    seed
        The same seed gives the same forest, on any machine and number of threads.
    threads
        Number of threads; all cores by default.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> left = rng.integers(1, 9, size=(500, 4))
    >>> same = np.arange(500) % 2 == 0
    >>> right = np.where(same[:, None], left, rng.integers(1, 9, size=(500, 4)))
    >>> forest = PairForest(trees=50, seed=1).fit(np.hstack([left, right]), same)
    >>> bool(forest.score(np.hstack([left, right]), same) > 0.8)
    True
    """

    def __init__(
        self, *, trees: int = 400, bag_size: int = 600, candidates: float = 0.05, thresholds: int = 21,
        smallest: float = 0.1, widths: tuple[int, ...] | None = None, seed: int = 0, threads: int | None = None,
    ) -> None:  # fmt: skip
        self.trees = trees
        self.bag_size = bag_size
        self.candidates = candidates
        self.thresholds = thresholds
        self.smallest = smallest
        self.widths = widths
        self.seed = seed
        self.threads = threads

    def fit(self, X: ArrayLike, y: ArrayLike) -> PairForest:
        """Learn from pairs given as rows: the left vector, then the right one; ``y`` is true for identical."""
        return self.fit_pairs(*as_pairs(X), y)

    def fit_pairs(
        self, vectors: NDArray[np.int32], left: NDArray[np.int64], right: NDArray[np.int64], y: ArrayLike
    ) -> PairForest:
        """Learn from pairs given as row numbers of a table of vectors, without copying them."""
        self.check_parameters()
        identical = check_labels(y, left.size)
        widths = check_widths(self.widths, vectors.shape[1])
        rows = check_rows(vectors, left, right)
        examples = growing.Examples(*rows, np.flatnonzero(identical), np.flatnonzero(~identical))
        bag_size = min(int(self.bag_size), examples.identical.size, examples.different.size)
        rules = self._rules(bag_size, widths)

        def grow(first: int, last: int) -> Trees:
            # every split parts at least one point from the rest: no tree has more nodes than this
            nodes = np.empty((last - first, 4 * bag_size, 6), dtype=np.int32)
            gains = np.empty(nodes.shape[:2], dtype=np.int64)
            sizes = np.empty(last - first, dtype=np.int64)
            bag = growing.empty_bag(vectors.shape[1], 2 * bag_size)
            for k in range(last - first):
                sizes[k] = growing.grow_tree(examples, rules, int(self.seed), first + k, bag, nodes[k], gains[k])
            return pack(nodes, gains, sizes, rules.steps)

        self.adopt(join(map_chunks(grow, self.trees, chunk=_TREES_AT_ONCE, threads=self.threads)), widths)
        return self

    def adopt(self, grown: Trees, widths: tuple[int, ...]) -> None:
        """Take over grown trees, as if this forest had learned them."""
        self.grown_ = grown
        self.widths_ = widths
        self.classes_ = np.array([False, True])
        self.n_features_in_ = 2 * sum(widths)

    def score_pairs(
        self, vectors: NDArray[np.int32], left: NDArray[np.int64], right: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the probability of being identical for pairs given as row numbers."""
        check_is_fitted(self)
        vectors, left, right = check_rows(vectors, left, right)
        if 2 * vectors.shape[1] != self.n_features_in_:
            raise InputError(
                f"vectors of {vectors.shape[1]} components, but the forest learned {self.n_features_in_ // 2}"
            )
        grown, shares, scores = self.grown_, self.grown_.shares, np.empty(left.size)

        def score(first: int, last: int) -> None:
            part = slice(first, last)
            bag = growing.empty_bag(vectors.shape[1], BLOCK)
            mean_leaf(
                vectors, left[part], right[part], grown.nodes, shares, grown.roots, grown.steps, bag, scores[part]
            )

        map_chunks(score, left.size, chunk=_PAIRS_AT_ONCE, threads=self.threads)
        return scores

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the probabilities of (non-identical, identical)."""
        scores = self.score_pairs(*as_pairs(X))
        return np.column_stack((1 - scores, scores))

    def predict(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Return whether identical is the more probable answer."""
        return self.predict_proba(X)[:, 1] > 0.5

    def important_pairs(self, most: int = 10) -> list[tuple[int, int, float]]:
        """Return the component pairs (i, j, share) that won the largest shares of all information gain."""
        check_is_fitted(self)
        nodes, gains = self.grown_.nodes, self.grown_.gains / 2.0**FRACTION_BITS
        width = self.n_features_in_ // 2
        places = nodes[:, growing.FIRST].astype(np.int64) * width + nodes[:, growing.SECOND]
        found, place = np.unique(places, return_inverse=True)
        total = np.bincount(place, gains, minlength=found.size)
        order = np.argsort(-total, kind="stable")[:most]
        whole = total.sum() or 1.0
        return [(*divmod(int(found[k]), width), float(total[k] / whole)) for k in order if total[k] > 0]

    def _rules(self, bag_size: int, widths: tuple[int, ...]) -> growing.Rules:
        component_pairs = _component_pairs(widths)
        return growing.Rules(
            candidates=component_pairs,
            tries=max(1, round(self.candidates * len(component_pairs))),
            smallest=float(self.smallest * 2 * bag_size) - 1e-9,  # exactly the share is enough
            steps=int(self.thresholds) - 1,
            table=entropy_table(2 * bag_size + 1),
            lookup=_step_lookup(int(self.thresholds) - 1),
        )

    def check_parameters(self) -> None:
        """Say which parameter is out of range, if one is."""
        check_parameters(self.get_params())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.positive_only = True
        return tags


def _component_pairs(widths: tuple[int, ...]) -> NDArray[np.int32]:
    """List the component pairs (i, j) of every channel."""
    starts = np.concatenate(([0], np.cumsum(widths)))
    squares = [
        start + np.indices((width, width)).reshape(2, -1).T for start, width in zip(starts, widths, strict=False)
    ]
    return np.ascontiguousarray(np.concatenate(squares), dtype=np.int32)


def _step_lookup(steps: int) -> NDArray[np.uint16]:
    """Tabulate ``delta_step`` for small counts: most counts are small, and a division is slow."""
    x, y = np.indices((_LOOKUP_SIDE, _LOOKUP_SIDE))
    high = np.maximum(np.maximum(x, y), 1)
    return ((steps * abs(x - y) + high - 1) // high).astype(np.uint16)
