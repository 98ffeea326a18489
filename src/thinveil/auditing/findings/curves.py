"""ROC curves with the intervals of the rates: what a few pairs show is no surer as a curve than in a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thinveil.auditing.findings.pooled import Pooled, pool, thresholds
from thinveil.auditing.results import RocCurve
from thinveil.auditing.trials import Trial
from thinveil.runtime.streams import stream

_POINTS, _STEP = 201, 20  # intervals are worked out at every twentieth point, and carried over to those between

F64 = NDArray[np.float64]


def find_curves(pooled: Pooled) -> dict[str, RocCurve]:
    """Return the curves of all categories that have pairs."""
    seed = pooled.plan.seed
    return {
        name: _curve(trials, stream(seed, "curves", *pooled.kind, name))
        for name, trials in pooled.trials.items()
        if trials
    }


def _curve(trials: Sequence[Trial], chance: np.random.Generator) -> RocCurve:
    """Average the draws' curves at the same false-positive rates, from the smallest they can tell on."""
    smallest = max(1 / trial.distinct for trial in trials)
    fpr = np.geomspace(smallest, 1.0, _POINTS)
    tpr = np.array([trial.curve.at(fpr) for trial in trials]).mean(axis=0)
    low, high = _ends(trials, fpr, chance)
    return RocCurve(fpr, tpr, np.minimum(low, tpr), np.maximum(high, tpr))


def _ends(trials: Sequence[Trial], fpr: F64, chance: np.random.Generator) -> tuple[F64, F64]:
    """Return the ends of the 95% intervals: those of the rates at some points, and straight lines between them."""
    known = [_interval(trials, float(one), chance) for one in fpr[::_STEP]]
    told = [(at, *ends) for at, ends in zip(fpr[::_STEP], known, strict=True) if ends is not None]
    if not told:
        return np.zeros(fpr.size), np.ones(fpr.size)
    places, lows, highs = np.array(told).T
    low, high = (np.interp(np.log(fpr), np.log(places), ends) for ends in (lows, highs))
    return low, high


def _interval(trials: Sequence[Trial], fpr: float, chance: np.random.Generator) -> tuple[float, float] | None:
    limits = thresholds(trials, fpr)
    if not limits:
        return None
    hits = [trial.positives > limit for trial, limit in zip(trials, limits, strict=True)]
    found = pool(trials, hits, chance)
    return found.low, found.high
