"""How many names are right, where the truth is at hand.

Names are counted by published nodes: whoever is in several sub-graphs counts once for each. A node *can be named* if
its person is in the auxiliary graph; it is then named rightly, named wrongly, or not named. Whoever is not in the
auxiliary graph is *absent*: any name is wrong. Nodes whose person the attacker knew beforehand are not counted.

An attack may know that its start failed, and name nobody. Such a draw says little of the next one, in which the start
may succeed: then the interval of what names reach is as wide as that of so many draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thinveil.measures.agreement import agreement_of_appearances
from thinveil.measures.intervals import group_sums, grouped_rate
from thinveil.measures.rates import Rate, most_after_failures
from thinveil.runtime.streams import stream

I32 = NDArray[np.int32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

THRESHOLDS = (0.5, 0.7, 0.9, 0.99)
MANY_CONTACTS = 5


@dataclass(frozen=True, eq=False)
class Judged:
    """All published nodes that count: who they were said to be and who they are (-1 for nobody, or absent).

    ``hops`` is None where there are no egos. Nodes share their fate if they have one ``block``, a sub-graph, or one
    ``person``: the number of who it is, absent or not. In ``failed`` of the ``draws`` the attack knew that it failed.
    """

    said: I32
    true: I32
    probability: F64
    degree: I32
    block: I32
    has_twin: Bools
    person: I32
    hops: NDArray[np.int8] | None = None
    draws: int = 1
    failed: int = 0

    def part(self, mine: Bools) -> Judged:
        """Return some of the nodes."""
        hops = None if self.hops is None else self.hops[mine]
        return Judged(self.said[mine], self.true[mine], self.probability[mine], self.degree[mine], self.block[mine],
                      self.has_twin[mine], self.person[mine], hops, self.draws, self.failed)  # fmt: skip

    @classmethod
    def join(cls, parts: Sequence[Judged]) -> Judged:
        """Put the nodes of several draws one behind the other; sub-graphs of different draws are different."""
        shift = np.cumsum([0, *(int(part.block.max(initial=-1)) + 1 for part in parts)])
        blocks = [part.block + first for part, first in zip(parts, shift, strict=False)]
        names = ("said", "true", "probability", "degree", "has_twin", "person")
        said, true, probability, degree, twin, person = (
            np.concatenate([getattr(part, name) for part in parts]) for name in names
        )
        hops = None if any(part.hops is None for part in parts) else np.concatenate([part.hops for part in parts])
        draws, failed = (sum(getattr(part, name) for part in parts) for name in ("draws", "failed"))
        block = np.concatenate(blocks).astype(np.int32)
        return cls(said, true, probability, degree, block, twin, person, hops, draws, failed)

    def rate(self, found: Bools, among: Bools, chance: np.random.Generator) -> Rate | None:
        """Return how many of some nodes were found; the interval knows who are found or missed together."""
        if not among.any():
            return None
        found, block = found[among], self.block[among].astype(np.int64)
        agreement = agreement_of_appearances(found, self.person[among], block)
        hits, trials = group_sums(block, found)
        return grouped_rate(hits.astype(np.int64), trials, chance, agreement=agreement)

    def reached(self, found: Bools, among: Bools, chance: np.random.Generator) -> Rate | None:
        """Return the same of what a start must succeed for; the interval knows of draws in which it failed."""
        share = self.rate(found, among, chance)
        return share and replace(share, high=max(share.high, most_after_failures(self.draws, self.failed)))

    def missed(self, found: Bools, among: Bools, chance: np.random.Generator) -> Rate | None:
        """Return the same of what a start that succeeds would make less of."""
        share = self.rate(found, among, chance)
        return share and replace(share, low=min(share.low, 1 - most_after_failures(self.draws, self.failed)))


@dataclass(frozen=True)
class NameGroup:
    """How a group of published nodes fared.

    ``people`` of them can be named: ``right``, ``wrong`` and ``unnamed`` are shares of these, and ``unique`` the share
    that no structural twin hides. ``absent`` others are not in the auxiliary graph; ``absent_named`` is the share of
    those who were given a name all the same. A share of nobody is None.
    """

    group: str
    people: int
    right: Rate | None
    wrong: Rate | None
    unnamed: Rate | None
    unique: Rate | None
    absent: int
    absent_named: Rate | None


@dataclass(frozen=True)
class NameWorth:
    """What names of at least some probability are worth: how many people they find, and how many are right."""

    probability: float
    named: int
    found: Rate | None
    precision: Rate | None


def count_names(judged: Judged, *, seed: int = 0) -> tuple[NameGroup, ...]:
    """Count names by groups of published nodes."""
    groups: dict[str, Bools] = {
        "everybody": np.ones(judged.said.size, dtype=bool),
        f"more than {MANY_CONTACTS} contacts": judged.degree > MANY_CONTACTS,
    }
    if judged.hops is not None:
        groups |= {"egos": judged.hops == 0, "1-hop": judged.hops == 1, "2-hop": judged.hops == 2}
    return tuple(_count_group(name, judged.part(mine), seed) for name, mine in groups.items())


def _count_group(name: str, judged: Judged, seed: int) -> NameGroup:
    can, named = judged.true >= 0, judged.said >= 0
    is_right = named & (judged.said == judged.true)

    def chance(what: str) -> np.random.Generator:
        return stream(seed, "names", name, what)

    return NameGroup(
        name,
        int(can.sum()),
        judged.reached(is_right, can, chance("right")),
        judged.reached(named & ~is_right, can, chance("wrong")),
        judged.missed(~named, can, chance("unnamed")),
        judged.rate(~judged.has_twin, can, chance("unique")),
        int((~can).sum()),
        judged.reached(named, ~can, chance("absent")),
    )


def weigh_names(judged: Judged, *, seed: int = 0) -> tuple[NameWorth, ...]:
    """Return precision against coverage: what is left if the attacker only believes the surest names."""
    found = []
    can = judged.true >= 0
    for least in THRESHOLDS:
        named = (judged.said >= 0) & (judged.probability >= least)
        is_right = named & (judged.said == judged.true)
        chance = stream(seed, "names", str(least))
        found.append(NameWorth(
            least, int(named.sum()), judged.reached(is_right, can, chance), judged.rate(is_right, named, chance)
        ))  # fmt: skip
    return tuple(found)
