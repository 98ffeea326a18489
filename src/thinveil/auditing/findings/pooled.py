"""The draws of an audit, put together: what every finding is made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from thinveil.auditing.plan import Plan
from thinveil.auditing.trials import Draw, Trial, most_left_open
from thinveil.measures.agreement import Agreement
from thinveil.measures.intervals import GroupedRate, group_sums, grouped_rate

Found = TypeVar("Found")


class Interval(Protocol):
    """Something with a lower and an upper end."""

    @property
    def low(self) -> float:
        """The lower end."""

    @property
    def high(self) -> float:
        """The upper end."""


@dataclass(frozen=True, eq=False)
class Pooled:
    """All draws of an audit, and the plan that they followed."""

    draws: Sequence[Draw]
    plan: Plan
    _kept: dict[str, Any] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[], Found]) -> Found:
        """Return what was made under a name before, or make it."""
        if name not in self._kept:
            self._kept[name] = make()
        found: Found = self._kept[name]
        return found

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that were asked for."""
        return self.draws[0].categories

    @cached_property
    def trials(self) -> dict[str, list[Trial]]:
        """The trials of the chosen attack, by category."""
        return by_category(self.categories, [draw.trials for draw in self.draws])

    @property
    def complete(self) -> list[Trial]:
        """The trials with all pairs, one of each draw."""
        return self.trials["complete"]

    @property
    def kind(self) -> tuple[str, str]:
        """The names of the attack and of the protocol."""
        return self.plan.attack.name, self.plan.sampling.protocol


def by_category(categories: Sequence[str], draws: Sequence[Sequence[Trial]]) -> dict[str, list[Trial]]:
    """Return the trials of all draws by category."""
    return {name: [trial for trials in draws for trial in trials if trial.category == name] for name in categories}


def thresholds(trials: Sequence[Trial], fpr: float) -> list[float]:
    """Return the draws' thresholds; none at all where one draw cannot support the rate."""
    found = [limit for trial in trials if (limit := trial.threshold(fpr)) is not None]
    return found if len(found) == len(trials) else []


def pool(trials: Sequence[Trial], hits: Sequence[NDArray[np.bool_]], chance: np.random.Generator) -> GroupedRate:
    """Return the share of hits; the groups are the pairs of sub-graphs of all draws."""
    found, pairs = sums_by_group(trials, hits)
    share = grouped_rate(found.astype(np.int64), pairs, chance, agreement=agreement_of(trials, hits))
    share = replace(share, high=max(share.high, most_left_open(trials)))
    singles = [pool([one], [mine], chance) for one, mine in each_alone(trials, hits)]
    low, high = as_wide(share, singles)
    return replace(share, low=low, high=high)


def each_alone(trials: Sequence[Trial], values: Sequence[NDArray[Any]]) -> list[tuple[Trial, NDArray[Any]]]:
    """Return the draws that attack one and the same release, each with its values; none where each has its own."""
    if len(trials) < 2 or not trials[0].shared:
        return []
    return [(trial, value) for trial, value in zip(trials, values, strict=True) if trial.positives.size]


def as_wide(found: Interval, singles: Sequence[Interval]) -> tuple[float, float]:
    """Return the ends of an interval, no narrower than those of single draws of one release are on average.

    What such draws share does not become surer by being looked at again.
    """
    if not singles:
        return found.low, found.high
    low, high = (float(np.mean([getattr(one, end) for one in singles])) for end in ("low", "high"))
    return min(found.low, low), max(found.high, high)


def agreement_of(trials: Sequence[Trial], values: Sequence[NDArray[Any]]) -> Agreement:
    """Return how far what positive pairs gave agrees, over all draws."""
    first, *others = (trial.clusters.agreement(value) for trial, value in zip(trials, values, strict=True))
    return sum(others, start=first)


def sums_by_group(
    trials: Sequence[Trial], values: Sequence[NDArray[Any]]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Add up what each positive pair gave, by pairs of sub-graphs of all draws; return the sums and the sizes."""
    sums = [group_sums(trial.subgraphs, value) for trial, value in zip(trials, values, strict=True)]
    added, sizes = zip(*sums, strict=True)
    return np.concatenate(added), np.concatenate(sizes)


def spread(values: Sequence[float]) -> float | None:
    """Return the standard deviation between draws; one draw has none."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else None
