"""What a claimed link is worth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thinveil.auditing.findings.pooled import Pooled
from thinveil.auditing.findings.rates import find_rates
from thinveil.auditing.results import LinkWorth
from thinveil.measures.rates import link_outlook, outlook_bounds, precision_bounds, share_bounds


def find_worth(pooled: Pooled) -> tuple[LinkWorth, ...]:
    """Return what to expect of claiming all links above the threshold, for each supported rate."""
    return tuple(_worth(pooled))


def _worth(pooled: Pooled) -> Iterator[LinkWorth]:
    appearances, pairs, shared = (
        float(np.mean([getattr(draw, name) for draw in pooled.draws])) for name in ("appearances", "pairs", "shared")
    )
    for found in find_rates(pooled):
        if found.tpr is None or found.low is None or found.high is None:
            continue
        crowd = float(pooled.plan.sampling.people or np.mean([one.crowd for one in pooled.trials[found.category]]))
        tasks = [("one person", crowd, crowd, 1.0)]
        if found.category == "complete":
            tasks.append(("two sub-graphs", appearances, pairs, shared))
        passed = found.false_positives / found.negatives
        # a negative that was drawn twice is no more evidence than once
        right, wrong = (found.low, found.high), share_bounds(passed, found.distinct)
        for task, size, compared, matches in tasks:
            sizes = {"pairs": compared, "matches": min(matches, compared)}
            outlook, (worst, best) = link_outlook(found.tpr, passed, **sizes), outlook_bounds(right, wrong, **sizes)
            worth = (outlook.right, outlook.wrong, outlook.precision, worst.right, best.right, best.wrong, worst.wrong)
            ends = precision_bounds(worst, best)
            yield LinkWorth(task, found.category, found.fpr, size, compared, matches, *worth, *ends)
