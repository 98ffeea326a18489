"""The table that the paper could not make: names from a global match, ours and published attacks', side by side.

Section 4.4 compares with Narayanan and Shmatikov (2009), who match two networks as a whole, and says that it cannot:
the forest judges pairs. Their figures (30.8% right, 12.1% wrong, 57% not named) are of Twitter and Flickr.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from thinveil.attacks.matching import Held, KnownNames, MatchingAttack, NamesAttack
from thinveil.attacks.matching.peers import Bumblebee, ExpandWhenStuck, KorulaLattanzi, NarayananShmatikov, Percolation
from thinveil.auditing.judging import judge, places_of
from thinveil.graph import Graph
from thinveil.measures.naming import NameGroup, count_names
from thinveil.paper.experiments.base import Experiment, Outcome
from thinveil.paper.lab import Lab, of_rate, share_value
from thinveil.paper.records import Block, Column, Line, Value
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import Release
from thinveil.schemes.pseudonyms import Pseudonyms
from thinveil.threats import Identification

_OVERLAPS = (0.5, 0.75)
_PRINTED = (30.8, 12.1, 57.0, None)
_COLUMNS = (Column("right"), Column("wrong"), Column("not named"), Column("absent, but named"))


class _Rival(NamedTuple):
    """An attack with a number of people known beforehand."""

    attack: MatchingAttack
    known: int

    @property
    def words(self) -> str:
        return f"{self.attack.name}, {self.known} known"


def _rivals(*, quick: bool) -> Iterator[_Rival]:
    for known in (0, 50) if quick else (0, 10, 50):
        yield _Rival(NamesAttack(), known)
    peers: Sequence[MatchingAttack] = (NarayananShmatikov(), Bumblebee(), KorulaLattanzi(), Percolation())
    for known in (50,) if quick else (10, 50):
        for attack in (*peers, *(() if quick else (ExpandWhenStuck(),))):
            yield _Rival(attack, known)


def run_global(lab: Lab) -> Outcome:
    """Match two whole graphs by all attacks, on the same draws."""
    graph, rivals = lab.graph("epinions"), list(_rivals(quick=lab.effort.quick))
    found: dict[_Rival, list[NameGroup]] = {rival: [] for rival in rivals}
    draws = min(lab.effort.draws, 3)
    for draw in range(draws):
        release = _publish(graph, Seeds(lab.seed, (draw,)))
        for rival in rivals:
            lab.report(f"{rival.words}, draw {draw + 1}")
            found[rival].append(_name(release, rival, lab, draw))
    lines = [Line("printed: other graphs, 150 known", tuple(Value((), value) for value in _PRINTED))]
    lines += [_line(rival.words, groups) for rival, groups in found.items()]
    nodes, edges = _OVERLAPS
    notes = (
        f"Epinions, {100 * nodes:g}% of the people and {100 * edges:g}% of the edges among them in both graphs; known "
        "people are drawn at random among the quarter with the most contacts, and not counted.",
        "The printed line is of Narayanan and Shmatikov's own experiment on Twitter and Flickr, not of these graphs.",
    )
    return Outcome((Block("Names by a global match", _COLUMNS, tuple(lines)),), notes)


def _publish(graph: Graph, seeds: Seeds) -> Release:
    threat = Identification(node_overlap=_OVERLAPS[0], edge_overlap=_OVERLAPS[1], known=1)
    return threat.publish(Pseudonyms(), graph, seeds=seeds).attacked


def _name(release: Release, rival: _Rival, lab: Lab, draw: int) -> NameGroup:
    assert release.secret is not None
    (target, auxiliary), (mine, theirs) = release.public, release.secret
    place = places_of(theirs.people, (mine,))
    true = place[mine.people]
    seeds = Seeds(lab.seed, (draw,))
    known = _know(target, true, rival.known, seeds.stream("known people"))
    with limit_threads(lab.threads):
        names = rival.attack.match(Held(auxiliary, (target,), known), seeds=seeds)
    return count_names(judge(names, known, (target,), (mine,), place), seed=lab.seed)[0]


def _know(target: Graph, true: np.ndarray, count: int, chance: np.random.Generator) -> KnownNames:
    there = np.flatnonzero(true >= 0)
    many = there[np.argsort(-target.degrees[there], kind="stable")[: there.size // 4]]
    node = chance.choice(many, count, replace=False).astype(np.int32)
    return KnownNames(np.zeros(count, dtype=np.int32), node, true[node])


def _line(name: str, groups: Sequence[NameGroup]) -> Line:
    kinds = ("right", "wrong", "unnamed", "absent_named")
    rates = ([getattr(one, kind) for one in groups] for kind in kinds)
    return Line(name, tuple(share_value(of_rate(one) for one in given if one is not None) for given in rates))


EXPERIMENTS = (
    Experiment(
        "global", "Names by a global match, ours and others'", "missing in Section 4.4", ("epinions",), run_global
    ),
)
