"""Who is named: by group, by how sure the attacker must be, and whether he believes it himself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from thinveil.attacks.matching import Verdict
from thinveil.auditing.findings.pooled import Pooled, as_wide
from thinveil.measures.naming import Judged, NameGroup, NameWorth, count_names, weigh_names
from thinveil.measures.rates import Rate
from thinveil.runtime.streams import stream


@dataclass(frozen=True)
class Naming:
    """What an attack on names found.

    ``groups`` and ``worth`` are over all draws. ``precision`` is the share of right ones among all names, those given
    to people who are not in the auxiliary graph too; ``found`` the share of all published nodes that were named
    rightly. ``draws`` are the shares of right names of the people who can be named, and ``verdicts`` what the attacker
    himself believes, draw by draw.
    """

    groups: tuple[NameGroup, ...]
    worth: tuple[NameWorth, ...]
    precision: Rate | None
    found: Rate | None
    draws: tuple[float, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def failed(self) -> int:
        """In how many draws the attack knew that it had failed."""
        return sum(not verdict.accepted for verdict in self.verdicts)


def find_naming(pooled: Pooled) -> Naming | None:
    """Return what names were right; None for attacks that give none."""
    judged = [draw.judged for draw in pooled.draws if draw.judged is not None]
    if len(judged) < len(pooled.draws):
        return None
    seed = pooled.plan.seed
    counted = _count(Judged.join(judged), seed)
    if len(judged) > 1 and getattr(pooled.plan.scheme, "is_fixed", False):  # all draws attack one release
        counted = _as_wide(counted, [_count(one, seed) for one in judged])
    verdicts = tuple(draw.verdict for draw in pooled.draws if draw.verdict is not None)
    groups, worth, precision, found = counted
    return Naming(groups, worth, precision, found, tuple(_share(one) for one in judged), verdicts)


def _count(judged: Judged, seed: int) -> tuple[Any, ...]:
    """Return the groups, the worth of names, and the shares of right ones among names and among nodes."""
    named = judged.said >= 0
    right = named & (judged.said == judged.true)
    return (
        count_names(judged, seed=seed),
        weigh_names(judged, seed=seed),
        judged.rate(right, named, stream(seed, "names", "precision")),
        judged.reached(right, np.ones_like(named), stream(seed, "names", "found")),
    )


def _as_wide(found: Any, singles: Sequence[Any]) -> Any:
    """Return what was counted with intervals that are no narrower than those of single draws of one release."""
    if isinstance(found, Rate):
        told = [one for one in singles if one is not None]
        low, high = as_wide(found, told)
        return replace(found, low=low, high=high)
    if isinstance(found, tuple):
        return tuple(_as_wide(one, parts) for one, *parts in zip(found, *singles, strict=True))
    if isinstance(found, NameGroup | NameWorth):
        names = [one.name for one in fields(found)]
        return replace(found, **{name: _as_wide(getattr(found, name), [getattr(one, name) for one in singles])
                                 for name in names})  # fmt: skip
    return found


def _share(judged: Judged) -> float:
    can = judged.true >= 0
    return float(np.mean(judged.said[can] == judged.true[can])) if can.any() else 0.0
