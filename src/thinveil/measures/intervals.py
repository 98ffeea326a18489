"""Intervals for shares of things that come in groups.

All identical pairs of one pair of sub-graphs share their surroundings: they are found together or missed together.
Counted as independent they would make a rate look surer than it is, so whole groups are drawn anew (a bootstrap). Of
few groups, or of few hits, that says too little, and of groups that share a sub-graph it does not know: no interval is
narrower than the one by ``agreement``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.measures.agreement import Agreement, agreement_of_groups
from thinveil.measures.rates import Rate, effective_bounds, rate, share_bounds

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

_RESAMPLES = 1_000
_MOST_NUMBERS = 2**21
"""Numbers held at once while groups are drawn anew."""


@dataclass(frozen=True)
class GroupedRate(Rate):
    """A share of successes that come in groups, with its 95% interval.

    ``independent`` is the number of independent trials that would tell as much, by the groups alone.
    """

    groups: int
    independent: int


def grouped_rate(
    hits: I64, trials: I64, chance: np.random.Generator, *, agreement: Agreement | None = None, confidence: float = 0.95
) -> GroupedRate:
    """Return the share of all hits, with an interval that knows of groups.

    The interval is the percentile one of 1,000 draws of as many groups, with replacement. It is never narrower than
    the exact binomial one of Clopper and Pearson, nor than the one by the agreement of trials. Where all or nothing was
    hit, drawing anew says nothing at all: then a group counts as one trial, as if its trials always agreed. But fewer
    than five groups never tell less than the largest of them alone, whose trials count each.

    Parameters
    ----------
    hits, trials
        Hits and trials of each group.
    chance
        Draws the groups.
    agreement
        How far trials agree; by groups alone, unless given.
    confidence
        How often the interval should hold the true share.

    Examples
    --------
    >>> hits, trials = np.array([9, 0, 8, 1, 0, 7]), np.full(6, 10)
    >>> found = grouped_rate(hits, trials, np.random.default_rng(0))
    >>> found.value == 25 / 60, found.low < rate(25, 60).low, found.independent < 60
    (True, True, True)
    """
    if hits.shape != trials.shape or (hits < 0).any() or (hits > trials).any():
        raise InputError("each group must have no more hits than trials, and none below 0")
    held = trials > 0  # an empty group says nothing
    hits, trials = hits[held], trials[held]
    exact = rate(int(hits.sum()), int(trials.sum()), confidence=confidence)
    low, high = resampled_share(hits, trials, chance, confidence=confidence)
    agreeing = agreement or agreement_of_groups(hits, trials)
    ends = agreed_bounds(exact.value, exact.trials, agreeing, confidence=confidence)
    independent = independent_trials(hits, trials)
    if exact.value in (0, 1):
        low, high = share_bounds(exact.value, max(independent, int(trials.max())), confidence=confidence)
    low, high = min(low, exact.low, ends[0]), max(high, exact.high, ends[1])
    return GroupedRate(exact.value, low, high, exact.hits, exact.trials, hits.size, independent)


def agreed_bounds(
    share: float, trials: float, agreement: Agreement, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the exact binomial interval of as many independent trials as would tell as much, end by end.

    Examples
    --------
    >>> agreeing = agreement_of_groups(np.repeat([10, 0], 20), np.full(40, 10))
    >>> [round(end, 2) for end in agreed_bounds(0.5, 400, agreeing)], round(rate(200, 400).low, 2)
    ([0.33, 0.67], 0.45)
    """
    lower, upper = (agreement.independent(trials, more) for more in (False, True))
    ends = (effective_bounds(share, number, confidence=confidence) for number in (lower, upper))
    return next(ends)[0], next(ends)[1]


def widened_rate(found: Rate, agreement: Agreement) -> Rate:
    """Return a rate with the interval that knows how far its trials agree; never a narrower one.

    Examples
    --------
    >>> agreeing = agreement_of_groups(np.repeat([10, 0], 20), np.full(40, 10))
    >>> widened_rate(rate(200, 400), agreeing).low < rate(200, 400).low
    True
    """
    low, high = agreed_bounds(found.value, found.trials, agreement)
    return replace(found, low=min(low, found.low), high=max(high, found.high))


def resampled_share(
    amounts: NDArray[np.int64] | F64, sizes: I64, chance: np.random.Generator, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Return between which ends sum(amounts) / sum(sizes) mostly lies when the groups are drawn anew.

    Groups that are alike are drawn together: how often each kind comes is multinomial. So the cost is that of the
    kinds of groups, of which there are few even among a hundred thousand groups.

    Examples
    --------
    >>> resampled_share(np.array([1, 1, 1]), np.array([2, 2, 2]), np.random.default_rng(0))
    (0.5, 0.5)
    """
    kinds, counts = np.unique(np.column_stack((amounts, sizes)), axis=0, return_counts=True)
    shares, step = [], max(1, _MOST_NUMBERS // counts.size)
    for start in range(0, _RESAMPLES, step):
        drawn = chance.multinomial(counts.sum(), counts / counts.sum(), size=min(step, _RESAMPLES - start))
        totals = drawn @ kinds
        shares.append(totals[:, 0] / totals[:, 1])
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(shares), (tail, 1 - tail))
    value = amounts.sum() / sizes.sum()
    return min(float(low), float(value)), max(float(high), float(value))


def effective_number(weights: I64) -> int:
    """Return how many that count once would tell as much as some that count several times (Kish).

    Examples
    --------
    >>> effective_number(np.array([1, 1, 1, 1])), effective_number(np.array([3, 3])), effective_number(np.array([2, 1]))
    (4, 2, 1)
    """
    return int(weights.sum() ** 2 / (weights**2).sum() + 1e-9)


def group_sums(keys: I64, found: NDArray[np.bool_] | F64) -> tuple[F64, I64]:
    """Return the sum of hits and the trials of each group, by the key of every trial.

    Examples
    --------
    >>> group_sums(np.array([7, 3, 7]), np.array([True, True, False]))
    (array([1., 1.]), array([1, 2]))
    """
    _, group, trials = np.unique(keys, return_inverse=True, return_counts=True)
    return np.bincount(group, weights=found, minlength=trials.size).astype(np.float64), trials


def independent_trials(hits: I64 | F64, trials: I64) -> int:
    """Return how many independent trials would give as large a variance; never more than there are.

    Where all or nothing was hit there is no variance to go by: then a group counts as one trial, as if its trials
    always agreed. One group says nothing of how groups differ, and its trials count each. Where trials give anything
    from 0 to 1, ``hits`` are the sums of it.

    Examples
    --------
    >>> pairs = np.full(4, 10)
    >>> independent_trials(np.array([10, 0, 10, 0]), pairs), independent_trials(np.zeros(4), pairs)
    (3, 4)
    """
    total, groups = int(trials.sum()), hits.size
    if groups == 1:
        return total
    share = hits.sum() / total
    if share in (0, 1):
        return groups
    variance = groups / (groups - 1) * float(((hits - share * trials) ** 2).sum()) / total**2
    alone = share * (1 - share) / total
    return max(1, min(total, round(total * alone / variance))) if variance > 0 else total
