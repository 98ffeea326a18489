"""From scores to rates: ROC, AUC, true positives at small false-positive rates, and what a link is worth.

Scores of identical pairs are *positives*, of non-identical pairs *negatives*; a higher score means more
probably identical. No rate stands without its interval and its sample sizes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv
from sklearn import metrics

from thinveil.errors import InputError

Scores = NDArray[np.float64]

FPRS = (0.0001, 0.001, 0.01, 0.1, 0.25)
"""The false-positive rates of the paper's tables."""


@dataclass(frozen=True)
class Rate:
    """A share of successes with its 95% interval (Clopper-Pearson)."""

    value: float
    low: float
    high: float
    hits: int
    trials: int


class Curve(NamedTuple):
    """A ROC curve: the rates of all thresholds, from the strictest on."""

    fpr: Scores
    tpr: Scores

    @property
    def area(self) -> float:
        """The area under the curve: the probability that a positive scores above a negative, ties counting half."""
        return float(metrics.auc(self.fpr, self.tpr))

    def at(self, fpr: Scores) -> Scores:
        """Return the best rate that needs no more than the given false-positive rates."""
        return self.tpr[np.searchsorted(self.fpr, fpr, side="right") - 1]


@dataclass(frozen=True)
class Outlook:
    """What to expect of an attacker who claims every link above the threshold."""

    right: float
    wrong: float

    @property
    def precision(self) -> float | None:
        """Share of claimed links that are right; None where no link is expected to be claimed."""
        claimed = self.right + self.wrong
        return self.right / claimed if claimed > 0 else None


def rate(hits: int, trials: int, *, confidence: float = 0.95) -> Rate:
    """Return hits / trials with the exact binomial interval of Clopper and Pearson.

    Examples
    --------
    >>> rate(0, 10).low, round(rate(0, 10).high, 4)
    (0.0, 0.3085)
    """
    if not 0 <= hits <= trials or trials < 1:
        raise InputError(f"{hits} hits in {trials} trials: give at least one trial and no more hits than trials")
    return Rate(hits / trials, *_ends(hits, hits, trials, confidence), hits, trials)


def share_bounds(share: float, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return the exact binomial interval of a share of so many trials, whose hits need not be whole.

    Where each trial gives anything from 0 to 1 (the share of a person's pairs that were linked), their sum is no more
    spread than a number of hits would be. The lower end is that of the whole number of hits below, the upper end that
    of the whole number above.

    Examples
    --------
    >>> low, high = share_bounds(0.25, 10)
    >>> low == rate(2, 10).low, high == rate(3, 10).high
    (True, True)
    """
    return _ends(math.floor(share * trials + 1e-9), math.ceil(share * trials - 1e-9), trials, confidence)


def effective_bounds(share: float, trials: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return the exact binomial interval of a share of an effective number of trials, which need not be whole.

    Examples
    --------
    >>> effective_bounds(0.2, 10) == share_bounds(0.2, 10)
    True
    """
    return _ends(share * trials, share * trials, trials, confidence)


def most_after_failures(draws: int, failed: int) -> float:
    """Return the largest share that is left open by draws in some of which an attack failed; 0 where it never did.

    Whether a start succeeds is all or nothing: it is one trial for each draw, however many people hang on it.

    Examples
    --------
    >>> [round(most_after_failures(draws, failed), 3) for draws, failed in ((4, 0), (1, 1), (10, 10))]
    [0.0, 0.975, 0.308]
    """
    return rate(draws - failed, draws).high if failed else 0.0


def _ends(least: float, most: float, trials: float, confidence: float) -> tuple[float, float]:
    """Return the lower end of the interval of the least hits, and the upper end of that of the most."""
    # the formula behind scipy's binomtest, which takes a hundred times as long for the p-value that it also works out
    tail = (1 - confidence) / 2
    low = 0.0 if least <= 0 else float(betaincinv(least, trials - least + 1, tail))
    return low, 1.0 if most >= trials else float(betaincinv(most + 1, trials - most, 1 - tail))


def allowed_false_positives(fpr: float, negatives: int) -> int:
    """Return how many negatives may pass: the whole part of fpr * negatives."""
    return int(fpr * negatives + 1e-9)


def threshold_at(negatives: Scores, fpr: float) -> float | None:
    """Return the threshold above which at most fpr of the negatives score.

    None if there are too few negatives to tell: fewer than 1 / fpr.

    Examples
    --------
    >>> threshold_at(np.array([0.1, 0.2, 0.3, 0.4]), 0.25)
    0.3
    """
    allowed = allowed_false_positives(fpr, negatives.size)
    if allowed < 1:
        return None
    if allowed >= negatives.size:
        return float("-inf")
    place = negatives.size - 1 - allowed
    return float(np.partition(negatives, place)[place])


def tpr_at_fpr(positives: Scores, negatives: Scores, fpr: float) -> Rate | None:
    """Return the share of positives above the threshold for a false-positive rate; None if out of reach."""
    threshold = threshold_at(negatives, fpr)
    if threshold is None:
        return None
    return rate(int(np.count_nonzero(positives > threshold)), positives.size)


def auc(positives: Scores, negatives: Scores) -> float:
    """Return the probability that a positive scores above a negative, ties counting half.

    Examples
    --------
    >>> auc(np.array([0.9, 0.5]), np.array([0.5, 0.1]))
    0.875
    """
    return roc_curve(positives, negatives).area


def placements(positives: Scores, negatives: Scores) -> Scores:
    """Return the share of negatives below each positive, ties counting half; their mean is the area.

    Examples
    --------
    >>> placements(np.array([0.9, 0.5]), np.array([0.5, 0.1]))
    array([1.  , 0.75])
    """
    ranked = np.sort(negatives)
    below, upto = (np.searchsorted(ranked, positives, side=side) for side in ("left", "right"))
    return np.asarray((below + upto) / (2 * ranked.size))


def roc_curve(positives: Scores, negatives: Scores) -> Curve:
    """Return the curve through all thresholds, from (0, 0) to (1, 1)."""
    # every point: a step function has no slopes on which some could be left out
    fpr, tpr, _ = metrics.roc_curve(*_labelled(positives, negatives), drop_intermediate=False)
    return Curve(fpr, tpr)


def _labelled(positives: Scores, negatives: Scores) -> tuple[NDArray[np.bool_], Scores]:
    """Return which scores are those of identical pairs, and all scores."""
    if not positives.size or not negatives.size:
        raise InputError(f"{positives.size} positives and {negatives.size} negatives: at least one of each is needed")
    return np.repeat([True, False], [positives.size, negatives.size]), np.concatenate((positives, negatives))


def link_outlook(tpr: float, fpr: float, *, pairs: float, matches: float) -> Outlook:
    """Return the expected right and wrong links when ``matches`` of ``pairs`` compared are identical.

    To look for one person in a sub-graph of n people compares n pairs with one match.

    Examples
    --------
    >>> outlook = link_outlook(0.5, 0.001, pairs=501, matches=1)
    >>> outlook.right, outlook.wrong, outlook.precision
    (0.5, 0.5, 0.5)
    """
    return Outlook(right=tpr * matches, wrong=fpr * (pairs - matches))


def outlook_bounds(
    tpr: tuple[float, float], fpr: tuple[float, float], *, pairs: float, matches: float
) -> tuple[Outlook, Outlook]:
    """Return the worst and the best that an attacker can hope for, by the ends of both rates' intervals.

    Examples
    --------
    >>> worst, best = outlook_bounds((0.0, 0.5), (0.0, 0.001), pairs=501, matches=1)
    >>> worst.precision, best.precision
    (0.0, 1.0)
    """
    worst = link_outlook(tpr[0], fpr[1], pairs=pairs, matches=matches)
    return worst, link_outlook(tpr[1], fpr[0], pairs=pairs, matches=matches)


def precision_bounds(worst: Outlook, best: Outlook) -> tuple[float, float]:
    """Return between which shares the right links lie; where no link may be claimed, that is any share."""
    return worst.precision or 0.0, 1.0 if best.precision is None else best.precision
