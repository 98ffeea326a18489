"""From what was said of each sub-graph to one record of each measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thinveil.measures.utility.base import About, Family, Measure, Said

_DIGITS = 12  # of a distance: what differs behind them differs by rounding
_NEEDS_TRUTH = "sub-graphs can only be compared with the original's own where the truth is given"


def join_answers(family: Family, about: About, answers: Sequence[Said | str], subgraphs: int) -> Measure:
    """Join what was said of each sub-graph, of so many that there are."""
    said = [one for one in answers if not isinstance(one, str)]
    reason = next((one for one in answers if isinstance(one, str)), _NEEDS_TRUTH)
    distance = _mean([one.distance for one in said])
    return Measure(
        name=about.name,
        family=family.name,
        words=about.words,
        original=_mean([one.original for one in said]),
        release=_mean([one.release for one in said]),
        distance=None if distance is None else round(distance, _DIGITS),
        direction=about.direction,
        error=_error(said, subgraphs) if said else None,
        reason="" if said else reason,
        subgraphs=len(said),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return float(np.mean(known)) if known else None


def _error(said: Sequence[Said], subgraphs: int) -> float | None:
    """Return the standard error of the mean distance: of the sub-graphs drawn, or of the samples within them."""
    if 1 < len(said) < subgraphs:
        spread = float(np.std([one.distance for one in said], ddof=1))
        return spread * float(np.sqrt((1 - len(said) / subgraphs) / len(said)))
    errors = [one.error for one in said if one.error is not None]
    return float(np.sqrt(np.sum(np.square(errors)))) / len(said) if errors else None
