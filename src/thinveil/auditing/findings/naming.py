"""Who is named: by group, by how sure the attacker must be, and whether he believes it himself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinveil.attacks.matching import Verdict
from thinveil.auditing.findings.pooled import Pooled
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
    every, seed = Judged.join(judged), pooled.plan.seed
    named = every.said >= 0
    right = named & (every.said == every.true)
    return Naming(
        count_names(every, seed=seed),
        weigh_names(every, seed=seed),
        every.rate(right, named, stream(seed, "names", "precision")),
        every.reached(right, np.ones_like(named), stream(seed, "names", "found")),
        tuple(_share(one) for one in judged),
        tuple(draw.verdict for draw in pooled.draws if draw.verdict is not None),
    )


def _share(judged: Judged) -> float:
    can = judged.true >= 0
    return float(np.mean(judged.said[can] == judged.true[can])) if can.any() else 0.0
