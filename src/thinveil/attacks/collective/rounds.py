"""Collective linkage: links support each other, round by round.

The first links are between inner rows that look alike. Each round then asks of every row which figure it may be, given
the links of the round before, and makes *all* links anew, so that a wrong one can be taken back. What to believe is
learned by playing the same rounds on the training release, whose people are known: each round by a model for either
half of the people that has not seen them, so that training sees links as imperfect as the attack will. What is not
sure enough for a link is passed on as a guess, and weighs less. The release under attack gives nothing but its view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.anchors import AnchorModel, first_people, keep_anchors, no_anchors
from thinveil.attacks.collective.candidates import F32, Candidates, find_candidates
from thinveil.attacks.collective.evidence import Anchors
from thinveil.attacks.collective.figures import F64, I32, I64, Figures, Rows, list_figures
from thinveil.attacks.collective.joining import join
from thinveil.attacks.collective.links import Judge
from thinveil.attacks.collective.margins import margin
from thinveil.attacks.collective.merging import Merged
from thinveil.attacks.collective.played import Played
from thinveil.errors import InputError
from thinveil.features import Channel, Signature, Surroundings, View
from thinveil.features.comparison import Comparer
from thinveil.features.pairs import count_pairs
from thinveil.learners.boosting import CrossFitted, Growth
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import map_threads

_LESSONS, _SPARSE_LESSONS = 120_000, 40_000
_SUBGRAPHS_AT_ONCE = 8
_NOTHING: Mapping[int, Candidates] = {}
_GROWTH = Growth(trees=60, leaves=15, rate=0.2)
_GUESS = 0.1  # what is at least so probable and the best there is, is guessed
_NEAR_BEST = 0.3  # how much less sure than its best a further link of a row may be
_PATIENCE = 3  # rounds of the attack for each of training: there is nothing to be learned in them, and they are cheap
_WAIT, _GROWS = 3, 1.05  # links that have hardly grown for three rounds will not


class Linkage:
    """Learns to link from a release whose people are known, and links another.

    Parameters
    ----------
    rounds
        Rounds after the first links in training, at most, and three times as many in the attack: it stops when the
        number of links does not grow any more.
    sure
        A link must be at least so probable.
    seed
        Decides what is random.
    threads
        Number of threads; it does not change the result.
    """

    channels: ClassVar[tuple[Channel, ...]] = (Surroundings(), Signature())
    """What it must see of every row, besides the neighbours."""

    def __init__(self, *, rounds: int = 6, sure: float = 0.5, seed: int = 0, threads: int | None = None) -> None:
        if rounds < 0 or not 0 < sure < 1:
            raise InputError(f"{rounds} rounds of links at least {sure} probable: give 0 or more, and between 0 and 1")
        self.rounds, self.sure, self.seed, self._threads = rounds, sure, seed, threads
        self._anchors: AnchorModel | None = None
        self._model: CrossFitted | None = None

    def fit(self, view: View, person: I32, comparer: Comparer | None = None) -> Played:
        """Learn from a release whose people are known; return the rounds that it has seen without cheating.

        The rounds are played with half of the sub-graphs first: the release under attack may be a sparser one, in
        which links spread badly, and what to believe there is a lesson too.
        """
        side = stream(self.seed, "halves").integers(2, size=int(person.max()) + 1, dtype=np.int8)
        subgraphs = stream(self.seed, "sparser").permutation(int(view.subgraph.max(initial=0)) + 1)
        sparse, kept = view.part(subgraphs[: (subgraphs.size + 1) // 2])
        looked = comparer or Comparer.of(view, threads=self._threads), Comparer.of(sparse, threads=self._threads)
        _, lessons = self._teach(sparse, person[kept], side, looked[1], _SPARSE_LESSONS)
        played, _ = self._teach(view, person, side, looked[0], _LESSONS, lessons)
        return played

    def _teach(
        self, view: View, person: I32, half: NDArray[np.int8], comparer: Comparer, most: int,
        before: Sequence[_Lessons] = (),
    ) -> tuple[Played, list[_Lessons]]:  # fmt: skip
        """Play the rounds on a release whose people are known, learning from each and from the lessons before.

        ``half`` says for every person which model must not see it, ``most`` from how many candidates a model learns.
        """
        rows = Rows.of(view)
        self._model = None
        learned = AnchorModel.learn(rows, comparer, person, half, seed=self.seed, threads=self._threads)
        if learned is None:
            self._anchors = None
            return self._nothing(view, comparer, rows), []
        self._anchors, pairs, sure = learned
        anchors = keep_anchors(pairs, sure, len(view))
        made = [first_people(pairs, sure, view.subgraph, self.sure)]
        lessons: list[_Lessons] = []
        judge: Judge | None = None
        while len(made) <= self.rounds and _still_grows(made):
            figures = list_figures(rows, made[-1], self._chance(len(made)))
            found = self._find_lessons(rows, figures, anchors, most)
            lessons.append(self._draw_lessons(list(found.values()), figures, person, half, most))
            model = self._learn([*before, *lessons], most)
            if model is None:
                break
            self._model, judge = model, _blind_judge(model, half[person])
            made.append(self._link(rows, figures, anchors, judge, found))
        return Played(view, comparer, rows, anchors, tuple(made), judge, self.seed, self._threads), lessons

    def link(self, view: View, comparer: Comparer | None = None) -> Played:
        """Link a release of which only the view is known."""
        comparer, rows = comparer or Comparer.of(view, threads=self._threads), Rows.of(view)
        if self._anchors is None:
            return self._nothing(view, comparer, rows)
        pairs, sure = self._anchors.judge(rows, comparer, threads=self._threads)
        anchors = keep_anchors(pairs, sure, len(view))
        made = [first_people(pairs, sure, view.subgraph, self.sure)]
        judge = None if self._model is None else _open_judge(self._model)
        while judge is not None and len(made) <= _PATIENCE * self.rounds and _still_grows(made):
            figures = list_figures(rows, made[-1], self._chance(len(made)))
            made.append(self._link(rows, figures, anchors, judge))
        return Played(view, comparer, rows, anchors, tuple(made), judge, self.seed, self._threads)

    def _nothing(self, view: View, comparer: Comparer, rows: Rows) -> Played:
        nobody = (Merged.nobody(len(view)),)
        return Played(view, comparer, rows, no_anchors(len(view)), nobody, None, self.seed, self._threads)

    def _chance(self, number: int) -> np.random.Generator:
        return stream(self.seed, "round", number)

    def _find_lessons(self, rows: Rows, figures: Figures, anchors: Anchors, most: int) -> dict[int, Candidates]:
        """Find the candidates of as many sub-graphs, chosen by lot, as give enough to learn from."""
        starts, lessons = rows.starts(), 0
        found: dict[int, Candidates] = {}
        order = self._chance(figures.persons).permutation(starts.size - 1).tolist()
        for first in range(0, len(order), _SUBGRAPHS_AT_ONCE):
            if lessons >= most:
                break
            chosen = order[first : first + _SUBGRAPHS_AT_ONCE]
            spans = [(int(starts[k]), int(starts[k + 1])) for k in chosen]
            part = map_threads(lambda span: find_candidates(span, rows, figures, anchors), spans, self._threads)
            found.update(zip(chosen, part, strict=True))
            lessons += sum(one.row.size for one in part)
        return found

    def _draw_lessons(
        self, found: list[Candidates], figures: Figures, person: I32, half: NDArray[np.int8], most: int
    ) -> _Lessons:
        """Draw some of a round's candidates, with the answers."""
        row, figure, evidence = (np.concatenate([getattr(one, name) for one in found]) for name in _FIELDS)
        chosen = self._chance(row.size).permutation(row.size)[:most]
        right = is_person(row[chosen], figure[chosen], figures.figure, person)
        return _Lessons(evidence[chosen], right, half[person[row[chosen]]])

    def _learn(self, lessons: list[_Lessons], most: int) -> CrossFitted | None:
        """Learn which candidates are right, from this round and those before; None where there is nothing to learn.

        Releases differ in how fast links spread: a model must know what to make of few links as well as of many.
        """
        share = most // len(lessons)
        evidence, right, half = (np.concatenate([getattr(one, name)[:share] for one in lessons]) for name in _PARTS)
        if not right.any() or right.all():
            return None
        return CrossFitted.fit(evidence, right, half, _GROWTH, seed=self.seed, threads=self._threads)

    def _link(
        self, rows: Rows, figures: Figures, anchors: Anchors, judge: Judge, known: Mapping[int, Candidates] = _NOTHING
    ) -> Merged:
        """Look for the candidates of all rows, a sub-graph at a time, and merge along those that are sure enough."""
        starts = rows.starts()

        def accept(subgraph: int) -> tuple[I64, I64, F64]:
            span = (int(starts[subgraph]), int(starts[subgraph + 1]))
            found = known.get(subgraph) or find_candidates(span, rows, figures, anchors)
            sure = judge(found.row, found.evidence)
            behind = np.where(sure >= self.sure, _NEAR_BEST, 0.0)
            keep = (sure >= _GUESS) & (margin(found.figure, sure) >= 0) & (margin(found.row, sure) >= -behind)
            return found.row[keep], found.figure[keep].astype(np.int64), sure[keep]

        parts = map_threads(accept, range(starts.size - 1), self._threads)
        row, figure, sure = (np.concatenate(column) for column in zip(*parts, strict=True))
        return join(row, figure, sure, rows, figures, self.sure)


class _Lessons(NamedTuple):
    """Candidates with the answers, and the half to which each row's person belongs."""

    evidence: F32
    right: NDArray[np.bool_]
    half: NDArray[np.int8]


_FIELDS, _PARTS = ("row", "figure", "evidence"), _Lessons._fields


def is_person(row: I64, figure: I32, figure_of: I32, person: I32) -> NDArray[np.bool_]:
    """Return whether most of a figure's other rows are the row's person: the answer that training learns from."""
    keys, counts = np.unique(figure_of.astype(np.int64) << 32 | person, return_counts=True)
    wanted = figure.astype(np.int64) << 32 | person[row]
    place = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
    own = figure_of[row] == figure
    same = np.where(keys[place] == wanted, counts[place], 0) - own
    others = np.bincount(figure_of)[figure] - own
    return np.asarray(2 * same > others)


def _still_grows(made: list[Merged]) -> bool:
    counts = [count_pairs(one.person[one.person >= 0]) for one in made]
    return len(made) <= _WAIT or max(counts[-_WAIT:]) > _GROWS * max(counts[:-_WAIT])


def _blind_judge(model: CrossFitted, half: NDArray[np.int8]) -> Judge:
    return lambda row, evidence: model.predict_blind(evidence, half[row], threads=1)


def _open_judge(model: CrossFitted) -> Judge:
    return lambda row, evidence: model.predict(evidence, threads=1)
