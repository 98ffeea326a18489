"""How many are found: rates with their intervals, areas, curves, what guessing finds, and other attacks beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from thinveil.auditing.findings.pooled import (
    Pooled,
    agreement_of,
    as_wide,
    by_category,
    each_alone,
    pool,
    spread,
    sums_by_group,
    thresholds,
)
from thinveil.auditing.results import Auc, Compared, FoundRate
from thinveil.auditing.trials import Trial, Trials, most_left_open
from thinveil.measures.intervals import agreed_bounds, independent_trials
from thinveil.measures.rates import FPRS, placements, share_bounds
from thinveil.runtime.streams import stream


def find_rates(pooled: Pooled) -> tuple[FoundRate, ...]:
    """Return the rates of all categories at all false-positive rates."""
    # other findings ask for them too, and their intervals take a while
    return pooled.once("rates", lambda: _found_rates(pooled.trials, pooled.kind, pooled.plan.seed))


def find_areas(pooled: Pooled) -> dict[str, Auc]:
    """Return the areas under the curves."""
    return _areas(pooled.trials)


def find_baseline(pooled: Pooled) -> tuple[FoundRate, ...]:
    """Return what guessing finds among the same pairs."""
    seed = pooled.plan.seed
    guesses = [_guesses(trial, stream(seed, "guesses", k)) for k, trial in enumerate(pooled.complete)]
    return _found_rates({"complete": guesses}, ("guessing",), seed)


def find_beside(pooled: Pooled) -> tuple[Compared, ...]:
    """Return what other attacks find, and the same attack under other protocols."""
    kinds = zip(*(draw.beside for draw in pooled.draws), strict=True)
    return tuple(_compare(pooled.categories, draws, pooled.plan.seed) for draws in kinds)


def _compare(categories: Sequence[str], draws: Sequence[Trials], seed: int) -> Compared:
    """Join the draws of another attack."""
    kind, trials = (draws[0].attack, draws[0].protocol), by_category(categories, [draw.trials for draw in draws])
    return Compared(*kind, _found_rates(trials, kind, seed), _areas(trials))


def _found_rates(trials: Mapping[str, Sequence[Trial]], kind: tuple[str, ...], seed: int) -> tuple[FoundRate, ...]:
    return tuple(
        _found_rate(name, fpr, trials[name], stream(seed, "intervals", *kind, name, str(fpr)))
        for name in trials
        for fpr in FPRS
    )


def _found_rate(category: str, fpr: float, trials: Sequence[Trial], chance: np.random.Generator) -> FoundRate:
    """Pool the hits of all draws."""
    positives, negatives = (sum(getattr(t, side).size for t in trials) for side in ("positives", "negatives"))
    distinct = _distinct(trials)
    limits = thresholds(trials, fpr)
    if not limits:
        return FoundRate(category, fpr, None, None, None, 0, positives, negatives, distinct, 0)
    hits = [trial.positives > limit for trial, limit in zip(trials, limits, strict=True)]
    wrong = sum(int((trial.negatives > limit).sum()) for trial, limit in zip(trials, limits, strict=True))
    pooled = pool(trials, hits, chance)
    shares = tuple(float(found.mean()) for found in hits)
    # draws differ from each other for many reasons: whether guessing does as well is asked of each by itself
    independent = [independent_trials(*sums_by_group([one], [found])) for one, found in zip(trials, hits, strict=True)]
    per_person = float(np.mean([trial.share_per_person(found) for trial, found in zip(trials, hits, strict=True)]))
    return FoundRate(
        category, fpr, pooled.value, pooled.low, pooled.high, pooled.hits, positives, negatives, distinct, wrong,
        per_person, float(np.mean(shares)), spread(shares), shares, pooled.groups,
        min(independent) if trials[0].shared else sum(independent),
    )  # fmt: skip


def _areas(trials: Mapping[str, Sequence[Trial]]) -> dict[str, Auc]:
    return {name: _auc(mine) for name, mine in trials.items() if mine}


def _auc(trials: Sequence[Trial]) -> Auc:
    areas = tuple(trial.curve.area for trial in trials)
    above = [placements(trial.positives, trial.negatives) for trial in trials]
    # the negatives are a sample too
    distinct = _distinct(trials)
    pairs = min(independent_trials(*sums_by_group(trials, above)), distinct)
    mean = float(np.mean(areas))
    low, high = share_bounds(mean, pairs)
    least, most = agreed_bounds(mean, min(distinct, sum(map(len, above))), agreement_of(trials, above))
    found = Auc(mean, spread(areas), areas, min(low, least), max(high, most, most_left_open(trials)))
    ends = as_wide(found, [_auc([one]) for one, _ in each_alone(trials, above)])
    return replace(found, low=ends[0], high=ends[1])


def _distinct(trials: Sequence[Trial]) -> int:
    """Return how many different negatives there are at the least: draws of one release may share theirs."""
    return (max if trials[0].shared else sum)(trial.distinct for trial in trials) if trials else 0


def _guesses(trial: Trial, chance: np.random.Generator) -> Trial:
    """Return the same trial by an attacker who guesses: what any attack must beat."""
    positives, negatives = (chance.random(side.size) for side in (trial.positives, trial.negatives))
    return replace(trial, positives=positives, negatives=negatives, failed=False)
