"""Who is found: the share by number of contacts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from thinveil.auditing.findings.pooled import Pooled, pool, thresholds
from thinveil.auditing.results import HEADLINE_FPR, DegreeRisk
from thinveil.auditing.trials import Trial
from thinveil.measures.people import degree_ranges
from thinveil.runtime.streams import stream


def find_by_degree(pooled: Pooled) -> tuple[DegreeRisk, ...]:
    """Return the share of pairs found in each range of degrees; nothing where the rate is not supported."""
    limits = thresholds(pooled.complete, HEADLINE_FPR)
    return tuple(_by_degree(pooled, limits)) if limits else ()


def _by_degree(pooled: Pooled, limits: list[float]) -> Iterator[DegreeRisk]:
    trials, plan = pooled.complete, pooled.plan
    degrees = np.concatenate([trial.degrees for trial in trials])
    for low, high in degree_ranges(degrees, plan.sampling.min_degree):
        parts = [_narrow(trial, (trial.degrees > low) & (trial.degrees <= (high or np.inf))) for trial in trials]
        hits = [part.positives > limit for part, limit in zip(parts, limits, strict=True)]
        share = pool(parts, hits, stream(plan.seed, "intervals by degree", low))
        yield DegreeRisk(low + 1, high, share.value, share.low, share.high, share.hits, share.trials)


def _narrow(trial: Trial, mine: NDArray[np.bool_]) -> Trial:
    """Return the trial with some of its positives only."""
    return replace(
        trial,
        positives=trial.positives[mine],
        people=trial.people[mine],
        subgraphs=trial.subgraphs[mine],
        degrees=trial.degrees[mine],
    )
