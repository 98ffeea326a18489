"""Collective linkage: links support each other, round by round.

The first links are between inner rows that look alike. Each round then asks of every row which figure it may be, given
the links of the round before, and makes *all* links anew, so that a wrong one can be taken back. What to believe is
learned by playing the same rounds on the training release, whose people are known: each round by a model for either
half of the people that has not seen them, so that training sees links as imperfect as the attack will. The release
under attack gives nothing but its view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.boosting import Boosted, CrossFitted, Growth
from thinveil.errors import InputError
from thinveil.features import Channel, Signature, Surroundings, View
from thinveil.features.comparison import Comparer
from thinveil.linkage.anchors import AnchorModel, first_people, keep_anchors, no_anchors
from thinveil.linkage.candidates import F32, Candidates, find_candidates
from thinveil.linkage.counting import count_pairs
from thinveil.linkage.evidence import Anchors
from thinveil.linkage.figures import F64, I32, I64, Figures, Rows, list_figures
from thinveil.linkage.links import Links
from thinveil.linkage.margins import margin
from thinveil.linkage.merging import merge
from thinveil.pairs import Pairs
from thinveil.seeds import stream
from thinveil.threads import map_threads

_LESSONS = 80_000
_SUBGRAPHS_AT_ONCE = 8
_NOTHING: Mapping[int, Candidates] = {}
_GROWTH = Growth(trees=60, leaves=15, rate=0.2)
_NEAR_BEST = 0.3  # how much less sure than its best a further link of a row may be
_PATIENCE = 2  # rounds of the attack for each of training: there is nothing to be learned in them, and they are cheap
_GROWS = 1.01  # a round that claims hardly more than the one before is the last

Judge = Callable[[Candidates], F64]


@dataclass(frozen=True, eq=False)
class LinkedView(View):
    """A view, what is needed to compare its rows, and the links among them.

    ``links`` is None where no link was made; ``rounds`` holds the person of every row after each round. The view of a
    training release also has its ``early`` links: releases in which links spread badly stay like that.
    """

    comparer: Comparer | None = None
    links: Links | None = None
    rounds: tuple[I32, ...] = ()
    early: Links | None = None


class Linkage:
    """Learns to link from a release whose people are known, and links another.

    Parameters
    ----------
    rounds
        Rounds after the first links in training, at most, and twice as many in the attack: it stops when the number
        of links does not grow any more.
    sure
        A link must be at least so probable.
    seed
        Decides what is random.
    threads
        Number of threads; it does not change the result.
    """

    channels: ClassVar[tuple[Channel, ...]] = (Surroundings(), Signature())
    """What it must see of every row, besides the neighbours."""

    def __init__(self, *, rounds: int = 8, sure: float = 0.5, seed: int = 0, threads: int | None = None) -> None:
        if rounds < 0 or not 0 < sure < 1:
            raise InputError(f"{rounds} rounds of links at least {sure} probable: give 0 or more, and between 0 and 1")
        self.rounds, self.sure, self.seed, self._threads = rounds, sure, seed, threads
        self._anchors: AnchorModel | None = None
        self._model: Boosted | None = None

    def fit(self, view: View, person: I32, comparer: Comparer | None = None) -> LinkedView:
        """Learn from a release whose people are known; return its view with the links that it had without cheating."""
        comparer = comparer or Comparer.of(view, threads=self._threads)
        rows, half = Rows.of(view), stream(self.seed, "halves").integers(2, size=int(person.max()) + 1, dtype=np.int8)
        self._model = None
        learned = AnchorModel.learn(rows, comparer, person, half, seed=self.seed, threads=self._threads)
        if learned is None:
            self._anchors = None
            return self._finish(view, comparer, rows, [_nobody(len(view))], no_anchors(len(view)))
        self._anchors, pairs, sure = learned
        anchors = keep_anchors(pairs, sure, len(view))
        made = [first_people(pairs, sure, view.subgraph, self.sure)]
        lessons: list[_Lessons] = []
        while len(made) <= self.rounds and _still_grows(made):
            figures = list_figures(rows, made[-1], self._chance(len(made)))
            found = self._find_lessons(rows, figures, anchors)
            lessons.append(self._draw_lessons(list(found.values()), figures, person, half))
            model = self._learn(lessons)
            if model is None:
                break
            self._model = model.whole
            made.append(self._link(rows, figures, anchors, _blind_judge(model, half[person]), found))
        linked = self._finish(view, comparer, rows, made, anchors)
        return replace(linked, early=self._look_back(rows, made[1], anchors)) if len(made) > 2 else linked

    def link(self, view: View, comparer: Comparer | None = None) -> LinkedView:
        """Link a release of which only the view is known."""
        comparer, rows = comparer or Comparer.of(view, threads=self._threads), Rows.of(view)
        if self._anchors is None:
            return self._finish(view, comparer, rows, [_nobody(len(view))], no_anchors(len(view)))
        pairs, sure = self._anchors.judge(rows, comparer, threads=self._threads)
        anchors = keep_anchors(pairs, sure, len(view))
        made = [first_people(pairs, sure, view.subgraph, self.sure)]
        while self._model is not None and len(made) <= _PATIENCE * self.rounds and _still_grows(made):
            figures = list_figures(rows, made[-1], self._chance(len(made)))
            made.append(self._link(rows, figures, anchors, _open_judge(self._model)))
        return self._finish(view, comparer, rows, made, anchors)

    def _chance(self, number: int) -> np.random.Generator:
        return stream(self.seed, "round", number)

    def _find_lessons(self, rows: Rows, figures: Figures, anchors: Anchors) -> dict[int, Candidates]:
        """Find the candidates of as many sub-graphs, chosen by lot, as give enough to learn from."""
        starts, lessons = rows.starts(), 0
        found: dict[int, Candidates] = {}
        order = self._chance(figures.persons).permutation(starts.size - 1).tolist()
        for first in range(0, len(order), _SUBGRAPHS_AT_ONCE):
            if lessons >= _LESSONS:
                break
            chosen = order[first : first + _SUBGRAPHS_AT_ONCE]
            spans = [(int(starts[k]), int(starts[k + 1])) for k in chosen]
            part = map_threads(lambda span: find_candidates(span, rows, figures, anchors), spans, self._threads)
            found.update(zip(chosen, part, strict=True))
            lessons += sum(one.row.size for one in part)
        return found

    def _draw_lessons(self, found: list[Candidates], figures: Figures, person: I32, half: NDArray[np.int8]) -> _Lessons:
        """Draw some of a round's candidates, with the answers."""
        row, figure, evidence = (np.concatenate([getattr(one, name) for one in found]) for name in _FIELDS)
        chosen = self._chance(row.size).permutation(row.size)[:_LESSONS]
        right = is_person(row[chosen], figure[chosen], figures.figure, person)
        return _Lessons(evidence[chosen], right, half[person[row[chosen]]])

    def _learn(self, lessons: list[_Lessons]) -> CrossFitted | None:
        """Learn which candidates are right, from this round and those before; None where there is nothing to learn.

        Releases differ in how fast links spread: a model must know what to make of few links as well as of many.
        """
        share = _LESSONS // len(lessons)
        evidence, right, half = (np.concatenate([getattr(one, name)[:share] for one in lessons]) for name in _PARTS)
        if not right.any() or right.all():
            return None
        return CrossFitted.fit(evidence, right, half, _GROWTH, seed=self.seed, threads=self._threads)

    def _link(
        self, rows: Rows, figures: Figures, anchors: Anchors, judge: Judge, known: Mapping[int, Candidates] = _NOTHING
    ) -> I32:
        """Look for the candidates of all rows, a sub-graph at a time, and merge along those that are sure enough."""
        starts = rows.starts()

        def accept(subgraph: int) -> tuple[I64, I64, F64]:
            span = (int(starts[subgraph]), int(starts[subgraph + 1]))
            found = known.get(subgraph) or find_candidates(span, rows, figures, anchors)
            sure = judge(found)
            keep = (sure >= self.sure) & (margin(found.figure, sure) >= 0) & (margin(found.row, sure) >= -_NEAR_BEST)
            return found.row[keep], found.figure[keep].astype(np.int64), sure[keep]

        parts = map_threads(accept, range(starts.size - 1), self._threads)
        row, figure, sure = (np.concatenate(column) for column in zip(*parts, strict=True))
        return merge_figures(row, figure, sure, rows, figures)

    def _finish(self, view: View, comparer: Comparer, rows: Rows, made: list[I32], anchors: Anchors) -> LinkedView:
        links = self._look_back(rows, made[-1], anchors)
        shown = (view.channels, view.subgraph, view.node, view.degree, view.neighbors)
        return LinkedView(*shown, comparer, links, tuple(made))

    def _look_back(self, rows: Rows, person: I32, anchors: Anchors) -> Links | None:
        """Return what a round's links say; None where nothing was learned."""
        if self._model is None:
            return None
        figures = list_figures(rows, person, self._chance(0))
        return Links.of(rows, figures, anchors, self._model, threads=self._threads)


class _Lessons(NamedTuple):
    """Candidates with the answers, and the half to which each row's person belongs."""

    evidence: F32
    right: NDArray[np.bool_]
    half: NDArray[np.int8]


_FIELDS, _PARTS = ("row", "figure", "evidence"), _Lessons._fields


def merge_figures(row: I64, figure: I64, sure: F64, rows: Rows, figures: Figures) -> I32:
    """Merge rows with figures, the surest first; nobody stands twice in a sub-graph. Return the person of each row.

    A merged person is there as a row of its own in a sub-graph of its own: rows may leave it, and it may join another.
    """
    count, persons = rows.subgraph.size, figures.persons
    is_person = figure < persons
    target = np.where(is_person, count + figure, 0)
    target[~is_person] = figures.single[figure[~is_person] - persons]
    extra = int(rows.subgraph.max(initial=-1)) + 1 + np.arange(persons, dtype=np.int32)
    order = np.argsort(-sure, kind="stable")
    merged, _ = merge(Pairs(row[order], target[order]), sure[order], np.append(rows.subgraph, extra).astype(np.int32))
    person = merged[:count].copy()
    sizes = np.bincount(person[person >= 0], minlength=1)
    person[(person >= 0) & (sizes[np.maximum(person, 0)] < 2)] = -1
    person[person >= 0] = np.unique(person[person >= 0], return_inverse=True)[1]  # no gaps in the numbers
    return person


def is_person(row: I64, figure: I32, figure_of: I32, person: I32) -> NDArray[np.bool_]:
    """Return whether most of a figure's other rows are the row's person: the answer that training learns from."""
    keys, counts = np.unique(figure_of.astype(np.int64) << 32 | person, return_counts=True)
    wanted = figure.astype(np.int64) << 32 | person[row]
    place = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
    own = figure_of[row] == figure
    same = np.where(keys[place] == wanted, counts[place], 0) - own
    others = np.bincount(figure_of)[figure] - own
    return np.asarray(2 * same > others)


def _nobody(rows: int) -> I32:
    return np.full(rows, -1, dtype=np.int32)


def _still_grows(made: list[I32]) -> bool:
    if len(made) < 3:
        return True
    before, now = (count_pairs(person[person >= 0]) for person in made[-2:])
    return now > _GROWS * before


def _blind_judge(model: CrossFitted, half: NDArray[np.int8]) -> Judge:
    return lambda found: model.predict_blind(found.evidence, half[found.row], threads=1)


def _open_judge(model: Boosted) -> Judge:
    return lambda found: model.predict(found.evidence, threads=1)
