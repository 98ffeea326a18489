"""The paper's attack: the pair forest on degree histograms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import (
    Effort,
    Fitted,
    Known,
    Lesson,
    Packed,
    PairModel,
    best_known,
    question_key,
    read_question,
)
from thinveil.attacks.slots import SlotParameters, fit_in_slots, needs_in_slots, restore_in_slots
from thinveil.features import (
    FEATURES,
    Channel,
    Needs,
    View,
    component_words,
    feature_words,
    make_channels,
    vector_words,
)
from thinveil.features.pairs import Pairs, Question
from thinveil.learners.forest import PairForest, print_tree
from thinveil.learners.forest.storage import pack_forest, unpack_forest
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.progress import stage, steps
from thinveil.runtime.streams import Seeds


@dataclass(frozen=True)
class ForestAttack(SlotParameters):
    """A forest of decision trees on histograms: the attack of Sharad and Danezis (2014)."""

    name: ClassVar[str] = "forest"
    effort: ClassVar[Effort] = Effort(learn=0, each=3, enter=0, ask=3)
    title: ClassVar[str] = "the forest of Sharad and Danezis (2014)"
    learns: ClassVar[bool] = True
    beside: ClassVar[tuple[str, ...]] = ()

    features: tuple[str, ...] = parameter(
        (), "what is compared; none for what suits the threat", choices=tuple(FEATURES)
    )
    bins: int = parameter(70, "length of the degree histogram", low=1, high=2_000)
    bin_size: int = parameter(15, "width of its bins", low=1, high=10**6)
    trees: int = parameter(400, "trees in the forest", low=1, high=10**6)
    bag_size: int = parameter(600, "pairs of each kind per tree", low=1, high=10**6)
    candidates: float = parameter(0.05, "share of component pairs tried at each split", low=0, high=1)
    thresholds: int = parameter(21, "thresholds tried for each", low=2, high=65_536)
    smallest: float = parameter(0.1, "share of a bag below which a node is not split", low=0, high=1)

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """What the forest compares."""
        return make_channels(self.features or ("degrees",), bins=self.bins, bin_size=self.bin_size)

    @property
    def needs(self) -> Needs:
        """What must be seen of every appearance: the histograms."""
        return needs_in_slots(Needs(self.channels), self.slots)

    def describe(self) -> str:
        """Say what it does."""
        compared = feature_words(self.features or ("degrees",))
        return f"A forest of decision trees on {compared}, as in Sharad and Danezis (2014).{self.slots_words()}"

    def fit(self, known: Known, *, seeds: Seeds) -> Fitted:
        """Grow a forest for every question."""
        if self.slots > 1:
            return fit_in_slots(self, replace(self, slots=1), known, seeds=seeds)
        vectors = known.view.vectors(*(channel.name for channel in self.channels))
        forests, step = {}, steps(len(known.examples) or 1)
        for question, (identical, different) in known.examples.items():
            with stage("train", question.category):
                forest = self._forest(seeds(f"forest {question.category}"))
                forests[question] = forest.fit_pairs(
                    vectors,
                    np.concatenate((identical.left, different.left)),
                    np.concatenate((identical.right, different.right)),
                    np.repeat([True, False], [len(identical), len(different)]),
                )
            step()
        return ForestModel(self.channels, forests)

    def restore(self, packed: Packed) -> Fitted:
        """Make the forests again."""
        if self.slots > 1:
            return restore_in_slots(self, replace(self, slots=1), packed)
        forests = {read_question(key): unpack_forest(part.tobytes(), key) for key, part in packed.arrays.items()}
        width = sum(channel.width for channel in self.channels)
        if not forests or any(forest.n_features_in_ != 2 * width for forest in forests.values()):
            raise ValueError("forests that compare something else than the parameters say")
        return ForestModel(self.channels, forests)

    def _forest(self, seed: int) -> PairForest:
        return PairForest(
            widths=tuple(channel.width for channel in self.channels), trees=self.trees, bag_size=self.bag_size,
            candidates=self.candidates, thresholds=self.thresholds, smallest=self.smallest, seed=seed,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class ForestModel(PairModel):
    """A forest for every question."""

    channels: tuple[Channel, ...]
    forests: Mapping[Question, PairForest]

    def score(self, view: View, pairs: Pairs, question: Question) -> NDArray[np.float64]:
        """Return the mean leaf probability of being one person."""
        forest = self.forests[best_known(question, self.forests)]
        return forest.score_pairs(view.vectors(*(channel.name for channel in self.channels)), pairs.left, pairs.right)

    def lesson(self, question: Question) -> Lesson:
        """Return the component pairs that decided most, and the first tree."""
        forest = self.forests.get(question)
        if forest is None:
            return Lesson()
        pairs = tuple(forest.important_pairs(12))
        words = [component_words(place, self.channels) for pair in pairs for place in pair[:2]]
        compared = tuple(zip(words[::2], words[1::2], (share for *_, share in pairs), strict=True))
        return Lesson(pairs, compared, print_tree(forest, 0), vector_words(self.channels))

    def pack(self) -> Packed:
        """Return the files of the forests as bytes."""
        parts = {
            question_key(one): np.frombuffer(pack_forest(forest), np.uint8) for one, forest in self.forests.items()
        }
        return Packed({}, parts)
