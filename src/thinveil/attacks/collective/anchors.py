"""Anchors, the first links before there are any: inner appearances that look alike by themselves.

An inner appearance shows all its contacts, so that one person has about the same degree wherever it is an inner node.
How near the degrees must be, and what else makes two such appearances one person, is learned from the training release.
Where events are compared, any two appearances may be anchors that have exact sums of events in common (see ``tied``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.appearances import F64, I32, I64, Appearances
from thinveil.attacks.collective.margins import margin
from thinveil.attacks.collective.merging import Clustering, merge
from thinveil.attacks.collective.tied import list_tied
from thinveil.features.comparison import Comparer
from thinveil.features.pairs import NO_PAIRS, Pairs
from thinveil.learners.boosting import CrossFitted, Growth
from thinveil.learners.boosting.packing import Arrays, Facts, check_facts

_PER_APPEARANCE = 20
_UNLIKELY = 0.05
_LEAST_RATIO = 0.5
_GROWTH = Growth(trees=80, leaves=15, rate=0.1, columns=0.7)


class Anchors(NamedTuple):
    """Appearances that look alike: r looks like ``others[starts[r] : starts[r + 1]]``, so ``sure``."""

    starts: I64
    others: I64
    sure: F64

    @classmethod
    def of(cls, pairs: Pairs, sure: F64, count: int) -> Anchors:
        """Keep the likelier pairs as evidence for later rounds, for each appearance the surest first."""
        likely = sure >= _UNLIKELY
        left, right, sure = pairs.left[likely], pairs.right[likely], sure[likely]
        one, two, both = np.append(left, right), np.append(right, left), np.append(sure, sure)
        order = np.lexsort((-both, one))
        starts = np.searchsorted(one[order], np.arange(count + 1)).astype(np.int64)
        return cls(starts, two[order].astype(np.int64), both[order])

    @classmethod
    def empty(cls, count: int) -> Anchors:
        """Return anchors that say nothing."""
        return cls(np.zeros(count + 1, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))


@dataclass(frozen=True, eq=False)
class AnchorModel:
    """What makes two inner appearances one person: how near their degrees must be, and the model of all else."""

    ratio: float
    model: CrossFitted

    @classmethod
    def learn(
        cls, seen: Appearances, comparer: Comparer, person: I32, half: NDArray[np.int8], *, seed: int
    ) -> tuple[AnchorModel, Pairs, F64] | None:
        """Learn from a release whose people are known; return the pairs compared too, and how sure of each.

        None where no two inner appearances of one person are alike, or all are.
        """
        ratio = _usual_ratio(seen, person)
        pairs = list_first(seen, comparer, ratio=ratio)
        right = person[pairs.left] == person[pairs.right]
        if right.all() or not right.any():
            return None
        lines = comparer.compare(pairs.left, pairs.right)
        fold = half[np.minimum(person[pairs.left], person[pairs.right])]
        model = CrossFitted.fit(lines, right, fold, _GROWTH, seed=seed)
        return cls(ratio, model), pairs, model.predict_blind(lines, fold)

    def judge(self, seen: Appearances, comparer: Comparer) -> tuple[Pairs, F64]:
        """Return the inner appearances that look alike, and how sure it is that they are one person."""
        pairs = list_first(seen, comparer, ratio=self.ratio)
        return pairs, self.model.predict(comparer.compare(pairs.left, pairs.right))

    def pack(self) -> tuple[Facts, Arrays]:
        """Return all that must be kept: facts for JSON, and plain arrays."""
        facts, arrays = self.model.pack()
        return {"ratio": self.ratio, "model": facts}, arrays

    @classmethod
    def unpack(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> AnchorModel:
        """Return the model that was packed; a ``ValueError`` says why it is none."""
        ratio = check_facts(facts).get("ratio")
        if not isinstance(ratio, float) or not _LEAST_RATIO <= ratio <= 1:
            raise ValueError(f"degrees of anchors in a ratio of {ratio}: it must be between {_LEAST_RATIO} and 1")
        return cls(ratio, CrossFitted.unpack(check_facts(facts.get("model")), arrays))


def first_clusters(pairs: Pairs, sure: F64, subgraph: I32, threshold: float) -> Clustering:
    """Merge the pairs that are sure enough, and the surest of both appearances between their two sub-graphs."""
    subgraphs = int(subgraph.max(initial=0)) + 1
    leads = [
        margin(one * subgraphs + subgraph[two], sure) >= 0
        for one, two in ((pairs.left, pairs.right), (pairs.right, pairs.left))
    ]
    links = np.flatnonzero((sure >= threshold) & leads[0] & leads[1])
    links = links[np.argsort(-sure[links], kind="stable")]
    chosen = Pairs(pairs.left[links], pairs.right[links])
    cluster, kept = merge(chosen, sure[links], subgraph)
    return Clustering.along(cluster, Pairs(chosen.left[kept], chosen.right[kept]), sure[links][kept])


def list_first(seen: Appearances, comparer: Comparer, *, ratio: float) -> Pairs:
    """Return the pairs that may be anchors: inner appearances of like degrees, and those with ties in common."""
    alike = list_alike(seen, ratio=ratio)
    if comparer.ties is None:
        return alike
    tied, count = list_tied(comparer.ties, seen.subgraph), seen.subgraph.size
    keys = np.unique(np.concatenate([pairs.left * count + pairs.right for pairs in (alike, tied)]))
    return Pairs(keys // max(1, count), keys % max(1, count))


def list_alike(seen: Appearances, *, ratio: float) -> Pairs:
    """Return the inner appearances of two sub-graphs whose smaller degree is at least ``ratio`` times the larger.

    They are listed from the largest degrees down, to the last degree at which there are at most 20 pairs for each inner
    appearance.

    Examples
    --------
    >>> degree, subgraph = np.array([90, 9, 100, 9], dtype=np.int32), np.array([0, 0, 1, 1], dtype=np.int32)
    >>> none = np.empty(0, dtype=np.int32)
    >>> seen = Appearances(none, none, none, np.ones(4, dtype=bool), degree, subgraph, none, none, none)
    >>> pairs = list_alike(seen, ratio=0.8)
    >>> sorted(zip(pairs.left.tolist(), pairs.right.tolist()))
    [(0, 2), (1, 3)]
    """
    inner = np.flatnonzero(seen.inner)
    order = inner[np.argsort(-seen.degree[inner].astype(np.int64), kind="stable")]
    falling = seen.degree[order].astype(np.int64)
    # the k-th in order is compared with those before it, from the first of not too large a degree on
    first = np.searchsorted(-falling, -np.floor(falling / ratio + 1e-9), side="left")
    counts = np.arange(order.size) - first
    total = np.cumsum(counts)
    last_of_degree = np.searchsorted(-falling, -falling, side="right") - 1
    taken = int(np.count_nonzero(total[last_of_degree] <= _PER_APPEARANCE * order.size)) if order.size else 0
    if not taken or not total[taken - 1]:
        return NO_PAIRS
    low = np.repeat(np.arange(taken), counts[:taken])
    high = np.arange(low.size) - np.repeat(total[:taken] - counts[:taken], counts[:taken]) + first[low]
    one, two = order[low], order[high]
    apart = seen.subgraph[one] != seen.subgraph[two]
    return Pairs(np.minimum(one, two)[apart], np.maximum(one, two)[apart])


def _usual_ratio(seen: Appearances, person: I32) -> float:
    """Return 1 where most people have the same degree twice as inner nodes, else what three of four pairs exceed."""
    inner = np.flatnonzero(seen.inner)
    inner = inner[np.lexsort((seen.subgraph[inner], person[inner]))]
    same = person[inner[1:]] == person[inner[:-1]]
    one, two = seen.degree[inner[1:]][same], seen.degree[inner[:-1]][same]
    if not one.size:
        return 1.0
    ratios = np.minimum(one, two) / np.maximum(one, two)
    return 1.0 if np.mean(ratios == 1) > 0.5 else float(max(_LEAST_RATIO, np.quantile(ratios, 0.25)))
