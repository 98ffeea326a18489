"""The strong attack: gradient boosting on everything that two appearances show, and on what links say about them.

Pairs are compared by what each appearance shows alone (``features.comparison``) and, where the release has been linked,
by what the links around them say (``collective``). The score is the probability that the two are one person if one of
two such pairs is: the prior is one half, and calibrated on pairs that the model has not seen. From a few known people
nothing can be learned about links: then pairs are compared by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import (
    Effort,
    Examples,
    Fitted,
    Known,
    Lesson,
    Packed,
    Session,
    best_known,
    question_key,
    read_question,
)
from thinveil.attacks.collective import Linker, Played
from thinveil.attacks.collective import Links as LinkEvidence
from thinveil.attacks.collective.columns import WORDS
from thinveil.attacks.pairwise import Links, link_pairs
from thinveil.features import Needs, View, feature_words, make_channels
from thinveil.features.channels.events import KINDS
from thinveil.features.comparison import Comparer, Seen
from thinveil.features.further import Further
from thinveil.features.pairs import Pairs, Question
from thinveil.learners.boosting import Boosted, Growth
from thinveil.learners.boosting.packing import pick, prefix
from thinveil.learners.calibration import Calibration
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.progress import stage, steps
from thinveil.runtime.streams import Seeds, stream
from thinveil.runtime.threads import map_threads

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

_GROWTH = Growth(trees=120, leaves=15, rate=0.1, columns=0.5, lines=0.8)
_FEW = Growth(trees=60, leaves=4, rate=0.1, columns=0.7)
_FEW_PAIRS = 1_000
_MOST_LESSONS = 20_000
_LINKING = 0.65  # of the time to learn
_EARLY = 0.3
_HELD_OUT = 5  # every fifth pair is kept for calibration


@dataclass(frozen=True)
class StrongAttack:
    """Gradient boosting from all that is seen of a pair, and links that support each other, round by round."""

    name: ClassVar[str] = "strong"
    effort: ClassVar[Effort] = Effort(learn=60, each=4, enter=10, ask=6)
    title: ClassVar[str] = "many comparisons, and links that support each other"
    learns: ClassVar[bool] = True
    beside: ClassVar[tuple[str, ...]] = ("forest", "signature")

    features: tuple[str, ...] = parameter(
        (), "what of the events is compared besides the network; in slots at least contacts", choices=tuple(KINDS)
    )
    slots: int = parameter(1, "equal spans of time, in each of which events are compared", low=1, high=1_000)
    rounds: int = parameter(
        6, "rounds of links in training, at most; three times as many in the attack", low=0, high=100
    )
    sure: float = parameter(0.5, "how probable a link must be", low=0, high=0.999)

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def compared(self) -> tuple[str, ...]:
        """What of the events is compared: slots of time say nothing but by the events in them."""
        return self.features or ("contacts",) * (self.slots > 1)

    @property
    def further(self) -> Further:
        """What is compared besides what the attack always looks at."""
        return Further.of(make_channels(self.compared), self.slots)

    @property
    def needs(self) -> Needs:
        """What must be seen of every appearance."""
        channels, ties = self.further
        seen = (*Linker.channels, *channels)
        return Needs(seen, neighbors=True, slots=self.slots, ties=() if ties is None else (ties,))

    def describe(self) -> str:
        """Say what it does."""
        spans = f", in each of {self.slots:,} equal slots of time" * (self.slots > 1)
        besides = f" It also compares {feature_words(self.compared)}{spans}." if self.compared else ""
        return (
            "Gradient boosting. It compares what two appearances have around them: their own contacts, the contacts "
            f"of these, who of them know each other, and coincidences that are exact.{besides} Then links support each "
            "other: two appearances who know the same re-linked people are more probably one person, so links found "
            "lead to more links, in rounds."
        )

    def fit(self, known: Known, *, seeds: Seeds) -> Fitted:
        """Learn to link from a release whose people are known, and to score the pairs of every question."""
        comparer = Comparer.of(known.view, self.further)
        linker, played = None, None
        if known.is_whole:
            with stage("link", share=_LINKING):
                linker, played = Linker.learn(
                    known.view, known.person, comparer, rounds=self.rounds, sure=self.sure,
                    seed=seeds("forest complete"),
                )  # fmt: skip
                evidence = _Evidence.learned(comparer, played)
        else:
            evidence = _Evidence(comparer, None, None)
        with stage("train", share=1.0):  # each of the models is grown by one thread
            questions = list(known.examples.items())
            step = steps(len(questions) or 1)

            def fit(one: tuple[Question, Examples]) -> PairScorer:
                made = PairScorer.fit(evidence, one[1], seed=seeds(f"forest {one[0].category}"))
                step()
                return made

            models = map_threads(fit, questions)
        return StrongModel(
            linker, self.further, evidence.words, {q: m for (q, _), m in zip(questions, models, strict=True)}
        )

    def restore(self, packed: Packed) -> Fitted:
        """Make what was learned again."""
        return StrongModel.unpack(packed, self.further)


@dataclass(frozen=True, eq=False)
class _Evidence:
    """What can be said about any two appearances of a release: by themselves, and by the links around them.

    A release to learn from also has its ``early`` links: releases in which links spread badly stay like that.
    """

    comparer: Comparer
    links: LinkEvidence | None
    early: LinkEvidence | None

    @classmethod
    def learned(cls, comparer: Comparer, played: Played) -> _Evidence:
        """Return the evidence of a release to learn from."""
        return cls(comparer, played.last(), played.early())

    @property
    def words(self) -> tuple[str, ...]:
        """What each column looks at, in words."""
        return (*self.comparer.columns, *(() if self.links is None else WORDS))

    def table(self, left: I64, right: I64) -> F32:
        """Return a line for each pair."""
        alone = self.comparer.compare(left, right)
        return alone if self.links is None else np.hstack((alone, self.links.compare(left, right)))


@dataclass(frozen=True, eq=False)
class PairScorer:
    """The model of one question, and its calibration."""

    model: Boosted
    calibration: Calibration

    @classmethod
    def fit(cls, evidence: _Evidence, examples: Examples, *, seed: int) -> PairScorer:
        """Learn from labelled pairs."""
        chance = stream(seed, "strong")
        chosen = [_choose(pairs, chance) for pairs in examples]
        left, right = (np.concatenate([getattr(pairs, side) for pairs in chosen]) for side in ("left", "right"))
        same = np.repeat([True, False], [len(pairs) for pairs in chosen])
        table = evidence.table(left, right)
        if evidence.early is not None:
            # some pairs as they looked after the first round: the attacked release may not get any further
            early = chance.random(same.size) < _EARLY
            table[early, len(evidence.comparer.columns) :] = evidence.early.compare(left[early], right[early])
        few = min(len(pairs) for pairs in chosen) < _FEW_PAIRS
        held_out = chance.permutation(same.size) % _HELD_OUT == 0
        if few or same[held_out].all() or not same[held_out].any():
            held_out[:] = False
        model = Boosted.fit(table[~held_out], same[~held_out], _FEW if few else _GROWTH, seed=seed)
        test = held_out if held_out.any() else ~held_out
        return cls(model, Calibration.fit(model.predict(table[test], raw=True), same[test]))

    def score(self, table: F32) -> F64:
        """Return the probability of each line."""
        return self.calibration.apply(self.model.predict(table, raw=True))


@dataclass(frozen=True, eq=False)
class StrongModel:
    """What links releases, where that was learned, and what scores the pairs of every question."""

    linker: Linker | None
    further: Further
    words: tuple[str, ...]
    scorers: Mapping[Question, PairScorer]

    def enter(self, view: View) -> Session:
        """Link a release of which only the view is known."""
        comparer = Comparer.of(view, self.further)
        if self.linker is None:
            return StrongSession(self, view, _Evidence(comparer, None, None), None)
        with stage("link", share=1.0):
            played = self.linker.link(view, comparer)
            return StrongSession(self, view, _Evidence(comparer, played.last(), None), played)

    def lesson(self, question: Question) -> Lesson:
        """Return what decided most, in words."""
        if question not in self.scorers:
            return Lesson()
        shares: dict[str, float] = {}
        for words, gain in zip(self.words, self.scorers[question].model.gains(), strict=True):
            shares[words] = shares.get(words, 0.0) + float(gain)
        return Lesson(channels=tuple(sorted(shares.items(), key=lambda item: -item[1])))

    def pack(self) -> Packed:
        """Return all models as plain arrays."""
        arrays: dict[str, NDArray[Any]] = {}
        facts: dict[str, Any] = {"words": list(self.words), "linker": None, "scorers": {}}
        if self.linker is not None:
            facts["linker"], parts = self.linker.pack()
            arrays |= prefix("linker", parts)
        for question, scorer in self.scorers.items():
            key = question_key(question)
            facts["scorers"][key] = [scorer.calibration.shift, scorer.calibration.slope]
            arrays |= prefix(key, scorer.model.pack()[1])
        return Packed(facts, arrays)

    @classmethod
    def unpack(cls, packed: Packed, further: Further) -> StrongModel:
        """Make the models again."""
        linker = packed.facts["linker"]
        words = tuple(map(str, packed.facts["words"]))
        scorers = {
            read_question(key): PairScorer(Boosted.unpack({}, pick(key, packed.arrays)), Calibration.read(values))
            for key, values in packed.facts["scorers"].items()
        }
        found = None if linker is None else Linker.unpack(linker, pick("linker", packed.arrays))
        columns = len(Seen) + len(further.words)
        if found is not None and found.anchors is not None and found.anchors.model.column_count != columns:
            raise ValueError(f"anchors that do not compare the {columns} columns that there are")
        columns += len(WORDS) if found is not None and found.model is not None else 0
        sizes = {len(words), *(scorer.model.won.size for scorer in scorers.values())}
        if not scorers or sizes != {columns}:
            raise ValueError(f"models that do not compare the {columns} columns that there are")
        return cls(found, further, words, scorers)


@dataclass(frozen=True, eq=False)
class StrongSession:
    """A release that has been linked, where linking was learned."""

    model: StrongModel
    view: View
    evidence: _Evidence
    played: Played | None

    @property
    def rounds(self) -> tuple[NDArray[np.int32], ...]:
        """The clusters after each round; none where no linking was learned."""
        return () if self.played is None else self.played.clusters

    def score(self, pairs: Pairs, question: Question) -> F64:
        """Return for each pair how probably it is one person, if half of all pairs are."""
        scorer = self.model.scorers[best_known(question, self.model.scorers)]
        return scorer.score(self.evidence.table(pairs.left, pairs.right))

    def links(self, sure: float = 0.5) -> Links | None:
        """Return the clusters of the last round; those of the surest pairs where no linking was learned."""
        if self.played is None:
            return link_pairs(self.view, lambda pairs: self.score(pairs, Question()), sure=sure)
        cluster = np.where(self.played.trust >= sure, self.rounds[-1], -1).astype(np.int32)
        return Links(cluster, np.where(cluster >= 0, self.played.trust, 0.0).astype(np.float64)).without_singles()


def _choose(pairs: Pairs, chance: np.random.Generator) -> Pairs:
    chosen = chance.permutation(len(pairs))[:_MOST_LESSONS]
    return Pairs(pairs.left[chosen], pairs.right[chosen])
