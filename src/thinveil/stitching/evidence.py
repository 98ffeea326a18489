"""How sure a link is: learned from the training release, where the answers are known.

Evidence is a table: a line per candidate pair, a column per thing seen of it. A ``Logistic`` turns a line into a
probability. The threshold is the lowest one at which the links of the training release reach the wanted precision;
it is set with probabilities from a model that has not seen the people.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.pairs import NO_PAIRS, Pairs
from thinveil.stitching.logistic import Logistic
from thinveil.stitching.support import Acquaintances, count_support

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

_MOST_LESSONS = 10_000


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs that may be links, and the evidence for each."""

    pairs: Pairs
    evidence: F64


@dataclass(frozen=True, eq=False)
class Judge:
    """What was learned for one round; where there was nothing to learn it accepts nothing (model None)."""

    model: Logistic | None
    threshold: float

    def accept(self, found: Candidates, subgraph: I32) -> tuple[Pairs, F64]:
        """Return the accepted links with their probabilities, the surest first."""
        if self.model is None or not len(found.pairs):
            return NO_PAIRS, np.empty(0)
        sure = self.model.predict(found.evidence)
        links = np.flatnonzero((sure >= self.threshold) & (lead_of(found.pairs, sure, subgraph) > 0))
        links = links[np.argsort(-sure[links], kind="stable")]
        return Pairs(found.pairs.left[links], found.pairs.right[links]), sure[links]

    def likely(self, found: Candidates, least: float) -> Pairs:
        """Return the candidates that are at least so probable."""
        keep = self.model.predict(found.evidence) >= least if self.model and len(found.pairs) else slice(0)
        return Pairs(found.pairs.left[keep], found.pairs.right[keep])


def learn_judge(found: Candidates, one: I32, two: I32, subgraph: I32, precision: float) -> Judge:
    """Learn from the training release's candidates, the pairs of people ``one`` and ``two``.

    A well-connected person has a hundred rows and thousands of pairs, and other releases have other such people. So
    all pairs of the same two people count as one together, and stand in the same half.
    """
    low, high = np.minimum(one, two).astype(np.int64), np.maximum(one, two)
    _, claim, pairs = np.unique((low << 32) | high, return_inverse=True, return_counts=True)
    identical, worth, half = low == high, 1 / pairs[claim], low % 2 == 0
    sure = np.zeros(half.size)
    for part in (half, ~half):
        model = _fit(found.evidence[~part], identical[~part], worth[~part])
        if model is not None:
            sure[part] = model.predict(found.evidence[part])
    best = lead_of(found.pairs, sure, subgraph) > 0
    threshold = _threshold(sure[best], identical[best], claim[best], precision)
    return Judge(_fit(found.evidence, identical, worth), threshold)


def look_around(known: Acquaintances, pairs: Pairs, subgraph: I32, threads: int | None = None) -> F64:
    """Return what the links around each pair say: shared acquaintances, out of how many, and how far others are."""
    support = count_support(known, pairs, threads=threads)
    counts = np.sort(np.stack((known.counts[pairs.left], known.counts[pairs.right])), axis=0)
    lead = lead_of(pairs, support.cosine, subgraph)
    return np.column_stack((np.log1p(support.shared), support.cosine, lead, *np.log1p(counts)))


def lead_of(pairs: Pairs, value: F64, subgraph: I32) -> F64:
    """Return how far each pair is before the best other pair of either row between the same two sub-graphs."""
    lead = np.full(len(pairs), np.inf)
    subgraphs = int(subgraph.max(initial=0)) + 1
    for one, two in ((pairs.left, pairs.right), (pairs.right, pairs.left)):
        key = one * subgraphs + subgraph[two]
        order = np.lexsort((-value, key))
        is_first = np.append(True, key[order][1:] != key[order][:-1])[: order.size]
        firsts = np.flatnonzero(is_first)
        group = np.cumsum(is_first) - 1
        ends = np.append(firsts[1:], order.size)
        falling = value[order]
        top = falling[firsts]
        second = np.where(ends - firsts > 1, falling[np.minimum(firsts + 1, order.size - 1)], 0.0)
        lead[order] = np.minimum(lead[order], falling - np.where(is_first, second[group], top[group]))
    return lead


def _fit(evidence: F64, identical: Bools, worth: F64) -> Logistic | None:
    """Learn from all rare lines and a share of the many: each of those stands for several."""
    if not identical.any() or identical.all():
        return None
    stands_for = np.zeros(identical.size)
    for kind in (identical, ~identical):
        step = -(-int(kind.sum()) // _MOST_LESSONS)
        stands_for[np.flatnonzero(kind)[::step]] = step
    taken = stands_for > 0
    return Logistic.fit(evidence[taken], identical[taken], worth=(stands_for * worth)[taken])


def _threshold(sure: F64, right: Bools, claim: I64, precision: float) -> float:
    """Return the lowest threshold at which the share of right claims reaches the precision; infinity if none does.

    A claim that is made several times counts once, from when it is first made.
    """
    order = np.argsort(-sure, kind="stable")
    order = order[np.sort(np.unique(claim[order], return_index=True)[1])]
    falling = sure[order]
    last = np.append(falling[1:] < falling[:-1], True)[: order.size]  # claims of one probability come together
    share = np.cumsum(right[order]) / np.arange(1, order.size + 1)
    reached = np.flatnonzero(last & (share >= precision))
    return float(falling[reached[-1]]) if reached.size else np.inf
