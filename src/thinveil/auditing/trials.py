"""One attack under one protocol: for each category, learn from what is known and score what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Attack, StrongAttack
from thinveil.auditing.results import HEADLINE_FPR
from thinveil.auditing.settings import Settings, beside_of
from thinveil.auditing.summary import Trial
from thinveil.features import Channel, RowTruth, View
from thinveil.features.pairs import NO_PAIRS, Pairs, PairSampler, classes_of
from thinveil.measures.mistakes import sample_overlaps
from thinveil.measures.people import PAIRS_EACH, PeopleTable, tabulate
from thinveil.runtime.progress import Clock
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import map_threads
from thinveil.schemes import Published

F64 = NDArray[np.float64]


@dataclass(frozen=True)
class Run:
    """What one draw needs to know; ``is_main`` is false for other attacks on the same releases."""

    settings: Settings
    number: int
    clock: Clock
    threads: int | None
    is_main: bool = True

    def seed(self, purpose: str) -> int:
        """Return a seed for one purpose; it is the same for all attacks."""
        return int(stream(self.settings.seed, purpose, self.number).integers(2**62))

    def chance(self, purpose: str, category: str) -> np.random.Generator:
        """Return the stream for one purpose and category; it is the same for all attacks."""
        return stream(self.settings.seed, purpose, self.number, category)

    def attack(self, category: str = "complete") -> Attack:
        """Return the attack, which has learned nothing yet."""
        return self.settings.make_attack(seed=self.seed(f"forest {category}"), threads=self.threads)

    def beside(self) -> tuple[Run, ...]:
        """Return the runs of other attacks, and under other protocols, on the same releases."""
        kinds = beside_of(self.settings) if self.is_main else ()
        changed = [replace(self.settings, attack=attack, protocol=protocol) for attack, protocol in kinds]
        return tuple(replace(self, settings=settings, is_main=False) for settings in changed)

    def channels(self) -> tuple[Channel, ...]:
        """Return what any of the attacks wants to see."""
        every = (channel for run in (self, *self.beside()) for channel in run.attack().channels)
        return tuple({channel.name: channel for channel in every}.values())

    def stage(self, name: str, category: str | None, *, steps: int = 1) -> AbstractContextManager[None]:
        """Time a stage; other attacks have an account of their own."""
        account = (name, category) if self.is_main else ("other attacks", None)
        return self.clock.stage(*account, steps=steps)


@dataclass(frozen=True, eq=False)
class Side:
    """A release as the attacker sees it; apart from it who is who, and the sampler of labelled pairs."""

    release: Sequence[Published]
    view: View
    truth: RowTruth
    pairs: PairSampler

    def draw(self, category: str, purpose: str, most: tuple[int, int], run: Run) -> tuple[Pairs, Pairs]:
        """Draw identical and non-identical pairs."""
        chance = run.chance(purpose, category)
        if not self.pairs.count(category):
            return NO_PAIRS, NO_PAIRS
        identical = self.pairs.identical(category, most[0], chance)
        return identical, self.pairs.different(run.settings.protocol, category, most[1], chance)


class Trained(NamedTuple):
    """An attack trained for one category, and the pairs that it learned from."""

    category: str
    attack: Attack
    examples: tuple[Pairs, Pairs]


def train_attacks(categories: Sequence[str], known: Side, run: Run) -> list[Trained]:
    """Train the classifier of each category on pairs of the training release."""

    def train(category: str) -> Trained:
        attack, chosen = run.attack(category), run.settings
        examples = known.draw(category, "training pairs", (chosen.train_pairs, chosen.train_negatives), run)
        if all(map(len, examples)):
            attack.fit(known.view, *examples)
        return Trained(category, attack, examples)

    if isinstance(run.attack(), StrongAttack):  # each of its models is grown by one thread
        with run.stage("train", None, steps=len(categories)):
            return map_threads(train, categories, run.threads)
    trained = []
    for category in categories:
        with run.stage("train", category):
            trained.append(train(category))
    return trained


def make_trial(trained: Trained, asked: Side, run: Run) -> Trial | None:
    """Test the classifier of one category; None where a release holds no such pairs."""
    (category, attack, examples), chosen = trained, run.settings
    with run.stage("test", category):
        identical, different = asked.draw(category, "test pairs", (chosen.test_pairs, chosen.test_negatives), run)
        if chosen.seeds:  # the release is the same: what was learned by heart must not be asked
            different = different.without(examples[1])
        if not all(map(len, (*examples, identical, different))):
            return None
        positives, negatives = _score_together(attack, asked.view, identical, different, run.chance("order", category))
        trial = Trial(
            category=category,
            positives=positives,
            negatives=negatives,
            distinct=different.count_distinct(),
            people=asked.truth.person[identical.left],
            couples=_couples(asked.view, identical),
            degrees=np.minimum(asked.view.degree[identical.left], asked.view.degree[identical.right]),
            crowd=_crowd(asked, identical, matched=chosen.protocol == "matched"),
            lesson=attack.lesson(),
        )
    if category != "complete" or not run.is_main:
        return trial
    with run.clock.stage("look at mistakes"):
        tested, chance = ((identical, positives), (different, negatives)), run.chance("overlaps", category)
        overlaps = sample_overlaps(asked.release, asked.view, *tested, chance=chance, threads=run.threads)
    with run.clock.stage("look at people"):
        table = _look_at_people(attack, asked, trial.threshold(HEADLINE_FPR), run.chance("people", category))
    return replace(trial, overlaps=overlaps, table=table)


def _score_together(
    attack: Attack, view: View, identical: Pairs, different: Pairs, chance: np.random.Generator
) -> tuple[F64, F64]:
    """Score all test pairs at once and in random order, so that an attack cannot tell which are which."""
    left = np.concatenate((identical.left, different.left))
    right = np.concatenate((identical.right, different.right))
    scores = _score_shuffled(attack, view, Pairs(left, right), chance)
    return scores[: len(identical)], scores[len(identical) :]


def _score_shuffled(attack: Attack, view: View, pairs: Pairs, chance: np.random.Generator) -> F64:
    order = chance.permutation(len(pairs))
    scores = np.empty(len(pairs))
    scores[order] = attack.score(view, Pairs(pairs.left[order], pairs.right[order]))
    return scores


def _look_at_people(
    attack: Attack, side: Side, threshold: float | None, chance: np.random.Generator
) -> PeopleTable | None:
    """Score some pairs of everybody who stands in two sub-graphs; None where no threshold is supported."""
    if threshold is None:
        return None
    pairs = side.pairs.of_each_person(PAIRS_EACH, chance)
    linked = _score_shuffled(attack, side.view, pairs, chance) > threshold
    rows, truth = side.pairs.rows, side.truth
    is_far = truth.is_far[rows] if truth.has_hops else None
    return tabulate(truth.person[rows], side.view.degree[rows], is_far, truth.person[pairs.left], linked)


def _couples(view: View, pairs: Pairs) -> NDArray[np.int64]:
    """Return a number for the two sub-graphs of each pair, the same in either order."""
    left, right = (view.subgraph[side].astype(np.int64) for side in (pairs.left, pairs.right))
    return np.minimum(left, right) << 32 | np.maximum(left, right)


def _crowd(side: Side, identical: Pairs, *, matched: bool) -> float:
    """Return among how many rows of a sub-graph a person is looked for, on average over the pairs to be found.

    People stand in large sub-graphs more often than in small ones. Under the matched protocol the rates hold for
    the hop class that the person is in.
    """
    keys = classes_of(side.view.subgraph, side.truth) if matched else side.view.subgraph
    _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    return float(sizes[group[np.concatenate((identical.left, identical.right))]].mean())
