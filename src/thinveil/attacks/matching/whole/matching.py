"""Two whole graphs, with or without known people: who is who, and whether to believe it.

::

    hide some edges -> start on the cores -> rounds -> (estimate overlaps -> learn on copies -> rounds) x 2 or 3
                    -> check by the hidden edges -> rounds with all edges -> probabilities by a rehearsal

All is made from the two graphs alone. A start supposes an overlap; where the check fails, there is a second start from
another one. Where both fail or link little, and one graph may be a part of the other, all its people are placed there
at once (see ``nested``). Where that fails, too, nobody is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from thinveil.attacks.matching.base import KnownNames, Names, Verdict
from thinveil.attacks.matching.copies import Overlaps, Treatment
from thinveil.attacks.matching.division import Division
from thinveil.attacks.matching.hiding import Check, Hidden, hide_edges
from thinveil.attacks.matching.whole.events import estimate_division
from thinveil.attacks.matching.whole.lessons import Learned, learn
from thinveil.attacks.matching.whole.nested import may_be_part, place
from thinveil.attacks.matching.whole.rehearsal import LEAST, choose, recalibrate, rehearse
from thinveil.attacks.matching.whole.rounds import SURE, Judge, join_known, judge_by_evidence, propagate, survival_of
from thinveil.attacks.matching.whole.scan import Linked
from thinveil.attacks.matching.whole.selfcheck import check_links
from thinveil.attacks.matching.whole.start import CORE, start
from thinveil.attacks.matching.whole.traits import Sides
from thinveil.attacks.matching.whole.unreached import begin_again
from thinveil.graph import Graph
from thinveil.graph.thinning import thin
from thinveil.learners.boosting import Boosted
from thinveil.learners.calibration import Calibration
from thinveil.runtime.progress import stage
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Scheme

ASSUMED = (Overlaps(0.5, 0.75), Overlaps(0.25, 0.5))
"""Overlaps that the starts suppose."""
_MUCH = 0.2
_HUBS = 300
_LESSONS = 6  # at most: most starts have grown after two or three
_ROUGH = 0.02  # growth at which the first rounds stop: a judge that has learned will go on
_ENOUGH = 0.02  # a further lesson must have brought more links than this share
_MORE = 0.01  # and so must another start, or no rounds follow it
_LEASTS = (0.5, 0.7, 0.9)
_LITTLE = 0.7  # of the smaller graph's people: if no more are named, it may be a part of the larger one


class Begun(NamedTuple):
    """The links of a start, and the overlap that it supposes."""

    linked: Linked
    assumed: Overlaps


@dataclass(frozen=True, eq=False)
class Outcome:
    """Links, the judge and the share of surviving edges that made them, and what is believed of them.

    The check speaks of links that are at least as sure as ``least``.
    """

    linked: Linked
    least: float
    model: Boosted | None
    survival: float
    overlaps: Overlaps
    check: Check

    @property
    def believed(self) -> int:
        """How many links are believed."""
        return len(self.linked.surer(self.least)) if self.check.is_passed else 0


def match_whole(left: Graph, right: Graph, known: KnownNames, *, seeds: Seeds, scheme: Scheme | None = None) -> Names:
    """Name the nodes of the right graph with the people of the left one; ``scheme`` made the right one, if known.

    Nodes are numbered by degree first, equals by lot: those that are met most often then lie close together.
    """
    people, nodes = (by_degree(graph, seeds.stream("order", k)) for k, graph in enumerate((left, right)))
    held = KnownNames(known.subgraph, np.argsort(nodes)[known.node].astype(np.int32),
                      np.argsort(people)[known.person].astype(np.int32))  # fmt: skip
    treatment = Treatment.of(scheme, left, seeds("own release"))
    with threadpool_limits(1, user_api="blas"):  # its threads would change the last digits, and wait for each other
        found = _match(thin(left, people, 0.0, 0), thin(right, nodes, 0.0, 0), held, treatment, seeds=seeds)
    return Names.of_graph(nodes[found.node], people[found.person], found.probability, found.verdict)


def by_degree(graph: Graph, chance: np.random.Generator) -> NDArray[np.int32]:
    """Return the nodes in descending order of degree, equals by lot."""
    return np.lexsort((chance.random(graph.node_count), -graph.degrees)).astype(np.int32)


def _match(left: Graph, right: Graph, known: KnownNames, treatment: Treatment | None, *, seeds: Seeds) -> Names:
    hidden, links = hide_edges(left, seeds.stream("hidden edges")), _known_links(known, left)
    tried: list[Outcome] = []
    for number, begun in enumerate(_starts(hidden.graph, right, links, seeds, treatment)):
        tried.append(_try(hidden, right, links, begun, seeds.stream("rounds", number), treatment))
        if tried[-1].check.is_passed:
            break
    best = max(tried, key=lambda one: (one.check.is_passed, one.check.ratio))
    named = _settle(left, right, links, best, treatment, seeds) if best.check.is_passed else links
    if len(named) <= _LITTLE * min(left.node_count, right.node_count):
        inside = _place(left, right, links, seeds.stream("one in the other"))
        if inside is not None and inside.believed > len(named):
            return _names(inside.linked.surer(inside.least), inside)
    return _names(named, best)


def _settle(
    left: Graph, right: Graph, known: Linked, found: Outcome, treatment: Treatment | None, seeds: Seeds
) -> Linked:  # fmt: skip
    """Go on from believed links with all edges, and return those that are probable enough to be names."""
    with stage("last rounds"):
        linked = _finish(left, right, known, found)
    with stage("rehearsal"):
        calibration = _rehearse(left, found, seeds.stream("rehearsal"), treatment)
    return choose(recalibrate(linked, known, calibration), right.node_count, found.least)


def _place(left: Graph, right: Graph, known: Linked, chance: np.random.Generator) -> Outcome | None:
    """Place all people of the smaller graph in the larger one; None where that fails."""
    is_left = may_be_part(left, right)
    inner, outer = (left, right) if is_left else (right, left)
    if not may_be_part(inner, outer):
        return None
    found = place(inner, outer, known if is_left else known.turned(right.node_count), chance)
    if not found.check.is_passed:
        return None
    linked = found.linked if is_left else found.linked.turned(left.node_count)
    survival, _ = survival_of(left, right, linked.surer(found.least))
    overlaps = Overlaps(inner.node_count / outer.node_count, survival / (2 - survival))
    return Outcome(linked, found.least, None, survival, overlaps, found.check)


def _starts(
    left: Graph, right: Graph, known: Linked, seeds: Seeds, treatment: Treatment | None
) -> Iterator[Begun]:  # fmt: skip
    """Start from each assumed overlap; that with the most links comes first. Known people alone are the last start.

    A start that links much of the cores goes on before others are made: wrong links do not agree with so many.
    """
    begun: list[Begun] = []
    division, size = Division.of(left, right), min(CORE, left.node_count, right.node_count)
    for number, overlaps in enumerate(ASSUMED):
        assumed = overlaps._replace(events=division)
        with stage("start on the cores", share=0.15):
            begun.append(Begun(start(left, right, assumed, seeds.stream("start", number), treatment), assumed))
        if len(begun) == 1 and len(begun[0].linked) >= _MUCH * size:
            yield begun.pop()
    yield from sorted(begun, key=lambda one: -len(one.linked))
    if len(known):
        yield Begun(Linked.nobody(left.node_count), ASSUMED[0]._replace(events=division))


def _try(
    hidden: Hidden, right: Graph, known: Linked, begun: Begun, chance: np.random.Generator,
    treatment: Treatment | None,
) -> Outcome:  # fmt: skip
    """Go on from a start, and learn as long as that brings links."""
    left, model, overlaps = hidden.graph, None, begun.assumed
    with stage("first rounds", share=0.1):
        linked = join_known(begun.linked, known)
        linked, survival = propagate(left, right, linked, overlaps.survival, known=known, growth=_ROUGH)
    sides = Sides.of(left, right, overlaps.events)
    for number in range(_LESSONS):
        before, overlaps = len(linked), estimate_overlaps(left, right, linked, overlaps.events)
        with stage(f"lesson {number + 1}", share=0.2):
            model = learn(left, overlaps, chance, first=model, treatment=treatment) if before else None
            if model is None:
                break
            linked, survival = _spread(
                sides, linked, survival, Learned(model, sides), known, overlaps, chance, treatment
            )
        if number and len(linked) < (1 + _ENOUGH) * before:
            break
    for least in _LEASTS:  # where not all links can be believed, the surest perhaps can
        check = check_links(hidden, right, linked.surer(least), known)
        if check.is_passed:
            return Outcome(linked, least, model, survival, overlaps, check)
    return Outcome(linked, 1.0, model, survival, overlaps, check_links(hidden, right, linked, known))


def _spread(
    sides: Sides, linked: Linked, survival: float, judge: Judge, known: Linked, overlaps: Overlaps,
    chance: np.random.Generator, treatment: Treatment | None,
) -> tuple[Linked, float]:  # fmt: skip
    """Play rounds, and more of them from another start where they have left people out."""
    left, right = sides.left, sides.right
    linked, survival = propagate(left, right, linked, survival, judge, known=known)
    more = begin_again(left, right, linked, overlaps, survival, chance, treatment)
    is_little = len(more) < (1 + _MORE) * len(linked)
    return (linked, survival) if is_little else propagate(left, right, more, survival, judge, known=known)


def _finish(left: Graph, right: Graph, known: Linked, found: Outcome) -> Linked:
    """Go on with the edges that were hidden."""
    judge: Judge = judge_by_evidence
    if found.model is not None:
        judge = Learned(found.model, Sides.of(left, right, found.overlaps.events))
    return propagate(left, right, found.linked, found.survival, judge, known=known, last=LEAST)[0]


def _rehearse(
    left: Graph, found: Outcome, chance: np.random.Generator, treatment: Treatment | None
) -> Calibration | None:
    return None if found.model is None else rehearse(left, found.overlaps, chance, found.model, treatment)


def estimate_overlaps(left: Graph, right: Graph, linked: Linked, division: Division | None = None) -> Overlaps:
    """Estimate from links what two graphs have in common: who has many contacts and is in both is mostly linked."""
    hubs = np.argsort(-left.degrees, kind="stable")[:_HUBS]
    share, survival = float(np.mean(linked.other[hubs] >= 0)), survival_of(left, right, linked)[0]
    nodes, edges = share / (2 - share), survival / (2 - survival)
    events = estimate_division(left, right, linked, division)
    return Overlaps(float(np.clip(nodes, 0.05, 1.0)), float(np.clip(edges, 0.05, 0.98)), events)


def _known_links(known: KnownNames, left: Graph) -> Linked:
    linked = Linked.nobody(left.node_count)
    linked.other[known.person], linked.sure[known.person] = known.node, 1
    return linked


def _names(linked: Linked, found: Outcome) -> Names:
    people = np.flatnonzero(linked.other >= 0).astype(np.int32)
    return Names.of_graph(linked.other[people], people, linked.sure[people].astype(np.float64), _verdict(found))


def _verdict(found: Outcome) -> Verdict:
    check = found.check
    which = (
        "the links can be believed" if found.least <= SURE else f"only links surer than {found.least:g} are believed"
    )
    words = f"{which}: {check.words}" if check.is_passed else f"the start failed: nobody is named ({check.words})"
    facts: dict[str, float] = {"hidden_edges": check.edges}
    if check.edges:
        facts |= {"ratio": check.ratio, "hidden_rate": check.hidden, "shown_rate": check.shown, "chance": check.chance}
    if check.is_passed:  # links that are not believed tell nothing of overlaps
        facts |= {"node_overlap": found.overlaps.nodes, "edge_overlap": found.overlaps.edges}
    return Verdict(check.is_passed, words, facts)
