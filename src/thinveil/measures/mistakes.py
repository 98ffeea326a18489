"""Mistakes by nearness: who is linked, rightly and wrongly, by how far two neighbourhoods overlap (Section 4.5).

A range of overlaps holds its lower end and not its upper one, since the paper calls its last range "0.15 or more".
Its five ranges always stand: nobody shared, below 0.05, 0.10, 0.15, and the rest. Most appearances of one person in
two egonets fall into the last of them, so that it is cut again where enough pairs lie on both sides of the cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.features import View
from thinveil.features.pairs import Pairs
from thinveil.measures.neighborhoods import neighborhood_overlaps
from thinveil.measures.rates import rate
from thinveil.schemes import Release

F64 = NDArray[np.float64]

MOST_PAIRS = 5_000
"""Pairs of each kind and draw whose neighbourhoods are compared: it takes a tenth of an audit's time, or less."""

PAPER_CUTS = (0.05, 0.10, 0.15)
MORE_CUTS = (0.3, 0.5)
_SMALLEST_GROUP = 20


@dataclass(frozen=True)
class OverlapRisk:
    """Pairs linked, rightly and wrongly, among those whose 2-hop neighbourhoods overlap to a given degree.

    The overlap is a Jaccard coefficient from ``lowest`` on and below ``highest``; the last range has no end
    (``highest`` is None), and the first, 0 to 0, holds the pairs that share nobody. ``hits`` of the ``positives``
    and ``false_positives`` of the ``negatives`` passed the threshold; intervals are Clopper-Pearson. Where there are
    a few pairs of a kind, but too few to tell of them without pointing at people, their rate and hits are None.
    """

    lowest: float
    highest: float | None
    tpr: float | None
    tpr_low: float | None
    tpr_high: float | None
    hits: int | None
    positives: int
    fpr: float | None
    fpr_low: float | None
    fpr_high: float | None
    false_positives: int | None
    negatives: int


class Sample(NamedTuple):
    """Scores of some test pairs, and how far the neighbourhoods of each overlap."""

    scores: F64
    overlaps: F64


@dataclass(frozen=True, eq=False)
class Overlaps:
    """Samples of one draw's pairs of the same person, and of different people."""

    positives: Sample
    negatives: Sample


def sample_overlaps(
    release: Release,
    view: View,
    identical: tuple[Pairs, F64],
    different: tuple[Pairs, F64],
    *,
    chance: np.random.Generator,
    most: int = MOST_PAIRS,
) -> Overlaps:
    """Compare the neighbourhoods of at most ``most`` pairs of each kind, given with their scores."""
    chosen = [_choose(pairs, scores, most, chance) for pairs, scores in (identical, different)]
    # all at once, so that each sub-graph is made only once
    together = Pairs(*(np.concatenate([getattr(pairs, side) for pairs, _ in chosen]) for side in ("left", "right")))
    overlaps = neighborhood_overlaps(release, view, together)
    parts = np.split(overlaps, [len(chosen[0][0])])
    return Overlaps(*(Sample(scores, part) for (_, scores), part in zip(chosen, parts, strict=True)))


def _choose(pairs: Pairs, scores: F64, most: int, chance: np.random.Generator) -> tuple[Pairs, F64]:
    mine = chance.permutation(len(pairs))[:most]
    return Pairs(pairs.left[mine], pairs.right[mine]), scores[mine]


def risk_by_overlap(samples: Sequence[Overlaps], limits: Sequence[float]) -> tuple[OverlapRisk, ...]:
    """Pool the draws, each with its threshold, and count what passes in each range of overlaps.

    Examples
    --------
    >>> same = Sample(np.full(100, 0.9), np.full(100, 0.4))
    >>> different = Sample(np.linspace(0, 1, 100), np.zeros(100))
    >>> for risk in risk_by_overlap([Overlaps(same, different)], [0.8]):
    ...     print(risk.lowest, risk.highest, risk.hits, risk.positives, risk.false_positives, risk.negatives)
    0.0 0.0 0 0 20 100
    0.0 0.05 0 0 0 0
    0.05 0.1 0 0 0 0
    0.1 0.15 0 0 0 0
    0.15 None 100 100 0 0
    """
    kinds = [[getattr(sample, kind) for sample in samples] for kind in ("positives", "negatives")]
    overlaps = [np.concatenate([sample.overlaps for sample in kind]) for kind in kinds]
    passed = [
        np.concatenate([sample.scores > limit for sample, limit in zip(kind, limits, strict=True)]) for kind in kinds
    ]
    return tuple(
        _risk(low, high, [hits[_inside(values, low, high)] for hits, values in zip(passed, overlaps, strict=True)])
        for low, high in _ranges(overlaps)
    )


def paper_ranges(risks: Sequence[OverlapRisk]) -> tuple[OverlapRisk, ...]:
    """Return the same counts in the five ranges of the paper's figure.

    Examples
    --------
    >>> same = Sample(np.full(100, 0.9), np.full(100, 0.4))
    >>> risks = risk_by_overlap([Overlaps(same, same)], [0.8])
    >>> [(risk.lowest, risk.hits) for risk in paper_ranges(risks)][-2:]
    [(0.1, 0), (0.15, 100)]
    """
    last = [risk for risk in risks if risk.lowest >= PAPER_CUTS[-1]]
    if len(last) < 2:
        return tuple(risks)
    names = (("hits", "positives"), ("false_positives", "negatives"))
    counts = [tuple(sum(getattr(risk, name) for risk in last) for name in kind) for kind in names]
    return (*(risk for risk in risks if risk not in last), _risk_of(PAPER_CUTS[-1], None, counts))


def _ranges(overlaps: Sequence[F64]) -> Iterable[tuple[float, float | None]]:
    """Cut the overlaps into the paper's ranges, and the last of them again where that leaves no small groups."""
    low = 0.0
    for high in (0.0, *PAPER_CUTS):
        yield low, high
        low = high
    for high in MORE_CUTS:
        parts = [[np.count_nonzero(part) for part in (_inside(v, low, high), v >= high)] for v in overlaps]
        below, above = zip(*parts, strict=True)
        if all(n == 0 or n >= _SMALLEST_GROUP for n in (*below, *above)) and any(below) and any(above):
            yield low, high
            low = high
    yield low, None


def _inside(overlaps: F64, low: float, high: float | None) -> NDArray[np.bool_]:
    if high == 0:
        return np.equal(overlaps, 0)
    # those who share nobody have a range of their own
    return np.asarray((overlaps > 0) & (overlaps >= low) & (overlaps < (np.inf if high is None else high)))


def _risk(low: float, high: float | None, passed: Sequence[NDArray[np.bool_]]) -> OverlapRisk:
    return _risk_of(low, high, [(int(hits.sum()), hits.size) for hits in passed])


def _risk_of(low: float, high: float | None, counts: Sequence[tuple[int, int]]) -> OverlapRisk:
    told = [_tell(*count) for count in counts]
    return OverlapRisk(low, high, *told[0], counts[0][1], *told[1], counts[1][1])


def _tell(hits: int, pairs: int) -> tuple[float | None, float | None, float | None, int | None]:
    """Return rate, interval and hits; of a few pairs nothing, for they could point at people."""
    if pairs < _SMALLEST_GROUP:
        return None, None, None, None if pairs else 0
    share = rate(hits, pairs)
    return share.value, share.low, share.high, hits
