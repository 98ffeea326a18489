"""What the attacker can teach himself: his own graph, split into two noisy copies, in which he knows who is who.

He plays the rounds on the copies, from starts that are partly wrong, and learns which candidates were right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.copies import Copies, Overlaps, Treatment, split
from thinveil.attacks.matching.whole.rounds import Candidates, Judge, candidates_of, judge_by_evidence, link
from thinveil.attacks.matching.whole.scan import Linked, Scanned, scan
from thinveil.attacks.matching.whole.traits import Sides, describe
from thinveil.graph import Graph
from thinveil.learners.boosting import Boosted, Growth
from thinveil.runtime.threads import map_threads

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

GROWTH = Growth(trees=60, leaves=15, rate=0.12)
_ROUNDS = 3
_LINES = 10_000  # of each round, at most
_WRONG = (0.2, 0.5)  # shares of a start
_SMALL = 100_000  # people, up to which several starts are played at a time: each takes memory of its own


@dataclass(frozen=True, eq=False)
class Learned:
    """A judge that has learned on copies."""

    model: Boosted
    sides: Sides

    def __call__(self, found: Candidates, scanned: Scanned, linked: Linked) -> F64:
        """Give every candidate a probability."""
        return self.model.predict(_lines(self.sides, found, scanned, linked))


def learn(
    graph: Graph, overlaps: Overlaps, chance: np.random.Generator, *, first: Boosted | None = None,
    treatment: Treatment | None = None,
) -> Boosted | None:  # fmt: skip
    """Play the rounds on copies of a graph, and learn which candidates are right; None if none was.

    ``first`` judges in the rounds where there is a model already. Each start has copies of its own.
    """
    starts = [(wrong, np.random.default_rng(chance.integers(2**63))) for wrong in _WRONG]

    def play(start: tuple[float, np.random.Generator]) -> tuple[F32, Bools]:
        return _play(split(graph, overlaps, start[1], treatment), overlaps, *start, first)

    played = map_threads(play, starts, None if graph.node_count <= _SMALL else 1)
    table, right = (np.concatenate(parts) for parts in zip(*played, strict=True))
    return Boosted.fit(table, right, GROWTH, seed=int(chance.integers(2**31))) if right.any() else None


def _play(
    copies: Copies, overlaps: Overlaps, wrong: float, chance: np.random.Generator, first: Boosted | None
) -> tuple[F32, Bools]:
    """Play the rounds from a start that is partly wrong, and tell of candidates which are right."""
    sides, linked = Sides.of(copies.left, copies.right, overlaps.events), start_partly_wrong(copies, wrong, chance)
    judge: Judge = judge_by_evidence if first is None else Learned(first, sides)
    tables, rights = list[F32](), list[Bools]()
    for number in range(_ROUNDS):
        scanned = scan(copies.left, copies.right, linked, overlaps.survival)
        found = candidates_of(scanned)
        if number:
            part = found.take(chance.permutation(found.left.size)[:_LINES])
            tables.append(_lines(sides, part, scanned, linked))
            rights.append(copies.truth[part.left] == part.right)
        if number < _ROUNDS - 1:
            linked = link(found, judge(found, scanned, linked), (copies.left.node_count, copies.right.node_count))
    return np.concatenate(tables), np.concatenate(rights)


def _lines(sides: Sides, found: Candidates, scanned: Scanned, linked: Linked) -> F32:
    return describe(sides, found.left, found.right, found.evidence, found.shared, scanned, linked)


def start_partly_wrong(copies: Copies, wrong: float, chance: np.random.Generator) -> Linked:
    """Link the people with the most contacts as a start would, a share of them wrongly."""
    order = np.argsort(-copies.left.degrees, kind="stable")[:1000]
    mine = order[copies.truth[order] >= 0]
    other = copies.truth[mine].copy()
    some = np.flatnonzero(chance.random(mine.size) < wrong)
    other[some] = np.roll(other[some], 1)
    linked = Linked.nobody(copies.left.node_count)
    linked.other[mine], linked.sure[mine] = other, 0.9
    return linked
