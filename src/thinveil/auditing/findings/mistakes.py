"""Where links are right and wrong: by the overlap of the two neighbourhoods."""

from __future__ import annotations

from thinveil.auditing.findings.pooled import Pooled, thresholds
from thinveil.auditing.results import OVERLAP_FPR
from thinveil.measures.mistakes import OverlapRisk, risk_by_overlap


def find_by_overlap(pooled: Pooled) -> tuple[OverlapRisk, ...]:
    """Return what is linked in each range of overlaps; nothing where the rate is not supported."""
    samples = [trial.overlaps for trial in pooled.complete if trial.overlaps is not None]
    limits = thresholds(pooled.complete, OVERLAP_FPR)
    return risk_by_overlap(samples, limits) if limits and len(samples) == len(limits) else ()
