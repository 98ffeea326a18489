"""How sure should the attacker be? He rehearses the attack on two copies of his graph, and sees how often he is right.

A judge that has learned on copies is too sure of itself: copies hold fewer people than the graphs that it then judges.
In the rehearsal one copy stands for his own graph and the other for the target. A judge learns on copies of the first
copy, and links the two; how far it is too sure there, it will be on the target.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.copies import Overlaps, Treatment, split
from thinveil.attacks.matching.giving import limit_wrong
from thinveil.attacks.matching.whole.lessons import Learned, learn, start_partly_wrong
from thinveil.attacks.matching.whole.rounds import SURE, propagate
from thinveil.attacks.matching.whole.scan import Linked
from thinveil.attacks.matching.whole.traits import Sides
from thinveil.graph import Graph
from thinveil.learners.boosting import Boosted
from thinveil.learners.calibration import Calibration

F64 = NDArray[np.float64]

_GIVEN = 1 / 3  # the probability, after the rehearsal, from which on names are given
_MOST_WRONG = 0.015  # of all published people, as far as probabilities tell
_LOST = 0.2  # of right names, at most, for the sake of these
LEAST = 0.25
"""How sure links must be, by the judge, to be corrected at all: what is corrected may become surer, too."""
_WRONG = 0.2
_FEWEST = 50  # links to learn from
_SUREST = 1 - 1e-6


def rehearse(
    graph: Graph, overlaps: Overlaps, chance: np.random.Generator, first: Boosted, treatment: Treatment | None = None
) -> Calibration | None:
    """Play the attack on copies, with ``first`` for a judge while another one learns; None if too few are linked."""
    copies = split(graph, overlaps, chance, treatment)
    model = learn(copies.left, overlaps, chance, first=first, treatment=treatment)
    if model is None:
        return None
    linked, nobody = start_partly_wrong(copies, _WRONG, chance), Linked.nobody(copies.left.node_count)
    judge = Learned(model, Sides.of(copies.left, copies.right, overlaps.events))
    linked, _ = propagate(copies.left, copies.right, linked, overlaps.survival, judge, known=nobody, last=LEAST)
    people = np.flatnonzero(linked.other >= 0)
    right = copies.truth[people] == linked.other[people]
    if people.size < _FEWEST or right.all() or not right.any():
        return None
    even = Calibration.fit(_odds(linked.sure[people]), right)
    return Calibration(even.shift + float(np.log(right.sum() / (~right).sum())), even.slope)


def recalibrate(linked: Linked, known: Linked, calibration: Calibration | None) -> Linked:
    """Return the links as sure as they should be; those of known people stay."""
    if calibration is None:
        return linked.surer(SURE)
    sure = np.where(linked.other >= 0, calibration.apply(_odds(linked.sure)), 0)
    return Linked(linked.other, np.where(known.other >= 0, known.sure, sure).astype(np.float32))


def choose(linked: Linked, nodes: int, least: float) -> Linked:
    """Return the links that give names: the surest, as long as few of so many published nodes get a wrong name.

    Where only links that are surer than others are believed, ``least`` says how sure these are.
    """
    surest = limit_wrong(linked.sure[linked.other >= 0], _MOST_WRONG * nodes, _LOST)
    return linked.surer(max(_GIVEN, surest, least if least > SURE else 0.0))


def _odds(sure: NDArray[np.float32]) -> F64:
    share = np.clip(sure.astype(np.float64), 1 - _SUREST, _SUREST)
    return np.asarray(np.log(share / (1 - share)))
