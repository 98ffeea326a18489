"""The first links, before there is any: inner rows that look alike by themselves.

An inner row shows all its contacts, so that one person has about the same degree in all inner rows. How near the
degrees must be, and what makes two such rows one person, is learned from the training release.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.evidence import Anchors
from thinveil.attacks.collective.figures import F64, I32, Rows
from thinveil.attacks.collective.margins import margin
from thinveil.attacks.collective.merging import Merged, merge
from thinveil.features.comparison import Comparer
from thinveil.features.pairs import NO_PAIRS, Pairs
from thinveil.learners.boosting import CrossFitted, Growth

_PER_ROW = 20
_UNLIKELY = 0.05
_GROWTH = Growth(trees=80, leaves=15, rate=0.1, columns=0.7)


@dataclass(frozen=True, eq=False)
class AnchorModel:
    """What makes two inner rows one person: how near their degrees must be, and the model of all else."""

    ratio: float
    model: CrossFitted

    @classmethod
    def learn(
        cls, rows: Rows, comparer: Comparer, person: I32, half: NDArray[np.int8], *, seed: int, threads: int | None
    ) -> tuple[AnchorModel, Pairs, F64] | None:
        """Learn from a release whose people are known; return the pairs looked at too, and how sure of each.

        None where no two inner rows of one person are alike, or all are.
        """
        ratio = _usual_ratio(rows, person)
        pairs = alike(rows, ratio=ratio)
        right = person[pairs.left] == person[pairs.right]
        if right.all() or not right.any():
            return None
        lines = comparer.compare(pairs.left, pairs.right, threads=threads)
        fold = half[np.minimum(person[pairs.left], person[pairs.right])]
        model = CrossFitted.fit(lines, right, fold, _GROWTH, seed=seed, threads=threads)
        return cls(ratio, model), pairs, model.predict_blind(lines, fold, threads=threads)

    def judge(self, rows: Rows, comparer: Comparer, *, threads: int | None) -> tuple[Pairs, F64]:
        """Return the inner rows that look alike, and how sure it is that they are one person."""
        pairs = alike(rows, ratio=self.ratio)
        return pairs, self.model.predict(comparer.compare(pairs.left, pairs.right, threads=threads), threads=threads)


def keep_anchors(pairs: Pairs, sure: F64, rows: int) -> Anchors:
    """Keep the likelier pairs as evidence for later rounds, for each row the surest first."""
    likely = sure >= _UNLIKELY
    left, right, sure = pairs.left[likely], pairs.right[likely], sure[likely]
    one, two, both = np.append(left, right), np.append(right, left), np.append(sure, sure)
    order = np.lexsort((-both, one))
    starts = np.searchsorted(one[order], np.arange(rows + 1)).astype(np.int64)
    return Anchors(starts, two[order].astype(np.int64), both[order])


def first_people(pairs: Pairs, sure: F64, subgraph: I32, threshold: float) -> Merged:
    """Merge the pairs that are sure enough, and the surest of both rows between their two sub-graphs."""
    subgraphs = int(subgraph.max(initial=0)) + 1
    leads = [
        margin(one * subgraphs + subgraph[two], sure) >= 0
        for one, two in ((pairs.left, pairs.right), (pairs.right, pairs.left))
    ]
    links = np.flatnonzero((sure >= threshold) & leads[0] & leads[1])
    links = links[np.argsort(-sure[links], kind="stable")]
    chosen = Pairs(pairs.left[links], pairs.right[links])
    person, kept = merge(chosen, sure[links], subgraph)
    return Merged.along(person, Pairs(chosen.left[kept], chosen.right[kept]), sure[links][kept])


def alike(rows: Rows, *, ratio: float) -> Pairs:
    """Return the inner rows of two sub-graphs whose smaller degree is at least ``ratio`` times the larger.

    They are listed from the largest degrees down, to the last degree at which there are no more than 20 per inner row.

    Examples
    --------
    >>> degree, subgraph = np.array([90, 9, 100, 9], dtype=np.int32), np.array([0, 0, 1, 1], dtype=np.int32)
    >>> nobody = np.empty(0, dtype=np.int32)
    >>> rows = Rows(nobody, nobody, nobody, np.ones(4, dtype=bool), degree, subgraph, nobody, nobody, nobody)
    >>> pairs = alike(rows, ratio=0.8)
    >>> sorted(zip(pairs.left.tolist(), pairs.right.tolist()))
    [(0, 2), (1, 3)]
    """
    inner = np.flatnonzero(rows.inner)
    order = inner[np.argsort(-rows.degree[inner].astype(np.int64), kind="stable")]
    falling = rows.degree[order].astype(np.int64)
    # of the rows before it, the k-th in order is compared with those from the first of not too large a degree on
    first = np.searchsorted(-falling, -np.floor(falling / ratio + 1e-9), side="left")
    counts = np.arange(order.size) - first
    total = np.cumsum(counts)
    last_of_degree = np.searchsorted(-falling, -falling, side="right") - 1
    taken = int(np.count_nonzero(total[last_of_degree] <= _PER_ROW * order.size)) if order.size else 0
    if not taken or not total[taken - 1]:
        return NO_PAIRS
    low = np.repeat(np.arange(taken), counts[:taken])
    high = np.arange(low.size) - np.repeat(total[:taken] - counts[:taken], counts[:taken]) + first[low]
    one, two = order[low], order[high]
    apart = rows.subgraph[one] != rows.subgraph[two]
    return Pairs(np.minimum(one, two)[apart], np.maximum(one, two)[apart])


def _usual_ratio(rows: Rows, person: I32) -> float:
    """Return 1 where most people have the same degree in two inner rows, or else what three of four pairs exceed."""
    inner = np.flatnonzero(rows.inner)
    inner = inner[np.lexsort((rows.subgraph[inner], person[inner]))]
    same = person[inner[1:]] == person[inner[:-1]]
    one, two = rows.degree[inner[1:]][same], rows.degree[inner[:-1]][same]
    if not one.size:
        return 1.0
    ratios = np.minimum(one, two) / np.maximum(one, two)
    return 1.0 if np.mean(ratios == 1) > 0.5 else float(max(0.5, np.quantile(ratios, 0.25)))


def no_anchors(rows: int) -> Anchors:
    """Return anchors that say nothing."""
    return Anchors(np.zeros(rows + 1, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))
