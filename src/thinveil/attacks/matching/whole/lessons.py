"""What the attacker can teach himself: his own graph, split into two noisy copies, in which he knows who is who.

He plays the rounds on the copies, from starts that are partly wrong, and learns which candidates were right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.copies import Copies, Overlaps, Treatment, split
from thinveil.attacks.matching.whole.rounds import Candidates, Judge, candidates_of, judge_by_evidence, link
from thinveil.attacks.matching.whole.scan import Linked, Scanned, scan
from thinveil.attacks.matching.whole.traits import Sides, describe
from thinveil.graph import Graph
from thinveil.learners.boosting import Boosted, Growth

F64 = NDArray[np.float64]

GROWTH = Growth(trees=60, leaves=15, rate=0.12)
_ROUNDS = 4
_LINES = 10_000  # of each round, at most
_WRONG = (0.2, 0.5)  # shares of a start
_PEOPLE, _MOST_SPLITS = 16_000, 2


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

    ``first`` judges in the rounds where there is a model already. A small graph is split several times: there is little
    to learn from each of its copies.
    """
    tables, rights = list[NDArray[np.float32]](), list[NDArray[np.bool_]]()
    for _ in range(int(np.clip(_PEOPLE // max(graph.node_count, 1), 1, _MOST_SPLITS))):
        copies = split(graph, overlaps, chance, treatment)
        for wrong in _WRONG:
            for table, right in _play(copies, overlaps, wrong, chance, first):
                tables.append(table)
                rights.append(right)
    if not any(right.any() for right in rights):
        return None
    return Boosted.fit(np.concatenate(tables), np.concatenate(rights), GROWTH, seed=int(chance.integers(2**31)))


def _play(
    copies: Copies, overlaps: Overlaps, wrong: float, chance: np.random.Generator, first: Boosted | None
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.bool_]]]:
    """Play the rounds from a start that is partly wrong, and tell of candidates which are right."""
    sides, linked = Sides.of(copies.left, copies.right, overlaps.events), start_partly_wrong(copies, wrong, chance)
    judge: Judge = judge_by_evidence if first is None else Learned(first, sides)
    for number in range(_ROUNDS):
        scanned = scan(copies.left, copies.right, linked, overlaps.survival)
        found = candidates_of(scanned)
        if number:
            part = found.take(chance.permutation(found.left.size)[:_LINES])
            yield _lines(sides, part, scanned, linked), copies.truth[part.left] == part.right
        linked = link(found, judge(found, scanned, linked), (copies.left.node_count, copies.right.node_count))


def _lines(sides: Sides, found: Candidates, scanned: Scanned, linked: Linked) -> NDArray[np.float32]:
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
