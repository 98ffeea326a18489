"""The whole story: graph, scheme, release, view, pairs, attack, scores, rates.

Each draw makes two releases around different people. The attack learns from labelled pairs of the first and
scores pairs of the second; labels of the second are used for nothing but counting. With *seeds* there is one release:
the attack learns from the pairs of a few people, the seeds, and scores the pairs of all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Attack
from thinveil.clocks import Clock, Progress
from thinveil.errors import InputError, SampleError
from thinveil.events import cut_time
from thinveil.features import RowTruth, View, observe
from thinveil.graph import Graph
from thinveil.overlaps import sample_overlaps
from thinveil.pairs import NO_PAIRS, Pairs, PairSampler, categories_of, classes_of, has_company
from thinveil.results import AuditResult, Egos, GraphFacts
from thinveil.schemes import Published, Scheme, detect_ego
from thinveil.seeds import stream
from thinveil.settings import Settings, choose_scheme
from thinveil.summary import Draw, Trial, summarize
from thinveil.threads import map_threads


def audit(
    graph: Graph,
    scheme: str | Scheme | None = None,
    *,
    train_on: Graph | None = None,
    settings: Settings | None = None,
    facts: GraphFacts | None = None,
    train_facts: GraphFacts | None = None,
    on_progress: Progress = lambda stage, done, total: None,
    threads: int | None = None,
    seconds: Mapping[str, float] | None = None,
    **changes: Any,
) -> AuditResult:
    """Measure how many people an attacker would re-link across the sub-graphs that a scheme publishes.

    Parameters
    ----------
    graph
        The graph that someone wants to release.
    scheme
        Name of a scheme, or any object that makes releases.
    train_on
        Another graph to learn the attack from, for an attacker who has nothing of this one. By default the
        attack learns from other people's sub-graphs of the same graph.
    settings, changes
        All that decides the numbers: a ``Settings``, or its fields by name (``seed=1, trees=100``).
    facts, train_facts
        What the report says of the graphs' origin.
    on_progress
        Called with stage, steps done and steps in all.
    threads
        Number of threads; it does not change the result.
    seconds
        Time already spent, by stage, to be told with the audit's own.

    Examples
    --------
    >>> from thinveil.datasets import synthetic_graph
    >>> result = audit(synthetic_graph(3000, seed=1), "d4d-1", egonets=10, min_size=50, trees=20)
    >>> result.rate("complete", 0.01).positives > 100
    True
    """
    if not isinstance(graph, Graph):
        raise InputError(f"{graph!r} is not a graph: read one with thinveil.read_graph(path)")
    settings = Settings.from_dict({**(settings or Settings()).to_dict(), **changes})
    settings, scheme = choose_scheme(settings, scheme, changes)
    settings = settings.resolved(other_graph=train_on is not None)
    _check_seeds(settings, train_on)
    if train_on is not None:
        _check_other(graph, train_on, settings)
        train_facts = train_facts or GraphFacts.of(train_on)
        train_on = cut_time(train_on, settings.slots)
    graph, facts = cut_time(graph, settings.slots), facts or GraphFacts.of(graph)
    clock = Clock(on_progress, settings.repeats * (3 + 2 * len(settings.categories)), dict(seconds or {}))
    draws = [
        _draw(graph, train_on, scheme, _Run(settings, number, clock, threads)) for number in range(settings.repeats)
    ]
    result = summarize(draws, settings, facts, train_facts, clock.seconds)
    return replace(result, category_seconds=clock.by_category)


@dataclass(frozen=True)
class _Run:
    """What one draw needs to know."""

    settings: Settings
    number: int
    clock: Clock
    threads: int | None

    def seed(self, purpose: str) -> int:
        return int(stream(self.settings.seed, purpose, self.number).integers(2**62))

    def chance(self, purpose: str, category: str) -> np.random.Generator:
        return stream(self.settings.seed, purpose, self.number, category)

    def attack(self, category: str = "complete") -> Attack:
        return self.settings.make_attack(seed=self.seed(f"forest {category}"), threads=self.threads)


@dataclass(frozen=True, eq=False)
class _Side:
    """A release as the attacker sees it; apart from it who is who, and the sampler of labelled pairs."""

    release: Sequence[Published]
    view: View
    truth: RowTruth
    pairs: PairSampler

    def draw(self, category: str, purpose: str, most: tuple[int, int], run: _Run) -> tuple[Pairs, Pairs]:
        """Draw identical and non-identical pairs."""
        chance = run.chance(purpose, category)
        if not self.pairs.count(category):
            return NO_PAIRS, NO_PAIRS
        identical = self.pairs.identical(category, most[0], chance)
        return identical, self.pairs.different(run.settings.protocol, category, most[1], chance)


def _draw(graph: Graph, train_on: Graph | None, scheme: Scheme, run: _Run) -> Draw:
    """Publish and look, learn from what is known, attack what is asked."""
    with run.clock.stage("publish and look"):
        known, asked, testing = _publish(graph, train_on, scheme, run)
    with run.clock.stage("detect egos"):
        egos = _find_egos(testing, run.threads) if asked.truth.has_hops else Egos(0, 0, 0)
    categories = [name for name in categories_of(asked.truth) if name in run.settings.categories]
    trials = [trial for category in categories if (trial := _trial(category, known, asked, run))]
    if not trials:
        changeable = (*scheme.settings(), "min_degree")
        raise SampleError(
            f"nobody with more than {run.settings.min_degree} edges{' who is not in training' * run.settings.unseen} "
            f"stands in two sub-graphs of both releases: nothing can be linked; change {', '.join(changeable)}"
        )
    sizes = asked.pairs.mean_rows(), asked.pairs.mean_pairs(), asked.pairs.mean_shared()
    return Draw(tuple(trials), *sizes, egos, tuple(categories))


def _publish(
    graph: Graph, train_on: Graph | None, scheme: Scheme, run: _Run
) -> tuple[_Side, _Side, Sequence[Published]]:
    """Return what the attack may learn from, what it is asked, and the release that it attacks."""
    if run.settings.seeds:
        (release,) = scheme.draw(graph, releases=1, seed=run.seed("releases"))
        return *_part_seeds(_look(release, run), run), release
    if train_on is None:
        training, testing = scheme.draw(graph, releases=2, seed=run.seed("releases"))
    else:
        (testing,) = scheme.draw(graph, releases=1, seed=run.seed("releases"))
        (training,) = scheme.draw(train_on, releases=1, seed=run.seed("training release"))
    known = _look(training, run)
    return known, _look(testing, run, unlike=known.truth if run.settings.unseen else None), testing


def _part_seeds(side: _Side, run: _Run) -> tuple[_Side, _Side]:
    """Part one release into what the attacker knows, pairs of the seeds, and what is asked: everybody else."""
    candidates, wanted = side.pairs.linkable(), run.settings.seeds or 0
    if candidates.size <= wanted:
        raise SampleError(
            f"only {candidates.size:,} people have more than {run.settings.min_degree} edges in two sub-graphs, and "
            f"{wanted:,} of them would be seeds: lower seeds or min_degree, or take a larger graph"
        )
    seeds = stream(run.settings.seed, "seeds", run.number).choice(candidates, size=wanted, replace=False)
    known, asked = side.pairs.part(np.isin(side.truth.person, seeds))
    return replace(side, pairs=known), replace(side, pairs=asked)


def _look(release: Sequence[Published], run: _Run, unlike: RowTruth | None = None) -> _Side:
    """Look at a release; ``unlike`` leaves out the people of another."""
    view, truth = observe(release, run.attack().channels, min_degree=run.settings.min_degree, threads=run.threads)
    admit = np.ones(len(view), dtype=bool)
    if unlike is not None:
        admit &= ~np.isin(truth.person, unlike.everybody)
        if not admit.any():
            raise SampleError(
                "everybody in the test release is in the training release too: leave unseen out, or publish less"
            )
    if run.settings.protocol == "matched":
        admit &= has_company(view.subgraph, truth)
    return _Side(release, view, truth, PairSampler(view.subgraph, truth, admit=admit))


def _trial(category: str, known: _Side, asked: _Side, run: _Run) -> Trial | None:
    """Train and test the classifier of one category; None where a release holds no such pairs."""
    attack, chosen = run.attack(category), run.settings
    with run.clock.stage("train", category):
        examples = known.draw(category, "training pairs", (chosen.train_pairs, chosen.train_negatives), run)
        if all(map(len, examples)):
            attack.fit(known.view, *examples)
    with run.clock.stage("test", category):
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
            degrees=np.minimum(asked.view.degree[identical.left], asked.view.degree[identical.right]),
            crowd=_crowd(asked, identical, matched=chosen.protocol == "matched"),
            lesson=attack.lesson(),
        )
    if category != "complete":
        return trial
    with run.clock.stage("look at mistakes"):
        tested, chance = ((identical, positives), (different, negatives)), run.chance("overlaps", category)
        return replace(
            trial, overlaps=sample_overlaps(asked.release, asked.view, *tested, chance=chance, threads=run.threads)
        )


def _score_together(
    attack: Attack, view: View, identical: Pairs, different: Pairs, chance: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Score all test pairs at once and in random order, so that an attack cannot tell which are which."""
    left = np.concatenate((identical.left, different.left))
    right = np.concatenate((identical.right, different.right))
    order = chance.permutation(left.size)
    scores = np.empty(left.size)
    scores[order] = attack.score(view, Pairs(left[order], right[order]))
    return scores[: len(identical)], scores[len(identical) :]


def _crowd(side: _Side, identical: Pairs, *, matched: bool) -> float:
    """Return among how many rows of a sub-graph a person is looked for, on average over the pairs to be found.

    People stand in large sub-graphs more often than in small ones. Under the matched protocol the rates hold for
    the hop class that the person is in.
    """
    keys = classes_of(side.view.subgraph, side.truth) if matched else side.view.subgraph
    _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    return float(sizes[group[np.concatenate((identical.left, identical.right))]].mean())


def _check_other(graph: Graph, train_on: Graph, settings: Settings) -> None:
    if graph.digest() == train_on.digest():
        raise InputError("the attack would learn from the graph that it attacks: leave train_on out, or give another")
    if settings.unseen:
        raise InputError("unseen people cannot be told apart across two graphs: leave unseen out, or train_on")


def _check_seeds(settings: Settings, train_on: Graph | None) -> None:
    if settings.seeds and train_on is not None:
        raise InputError(f"seeds = {settings.seeds} are people of the attacked graph: leave train_on out, or seeds")
    if settings.seeds and settings.unseen:
        raise InputError(f"seeds = {settings.seeds} come from the attacked release, with everybody: leave unseen out")


def _find_egos(release: Sequence[Published], threads: int | None) -> Egos:
    """Try to tell the ego of each sub-graph from the public half alone, then look at the secret."""

    def find(k: int) -> tuple[bool, bool]:
        public, secret = release[k]
        ego = detect_ego(public)
        right = ego is not None and secret.hops is not None and secret.hops[ego] == 0
        return ego is not None, bool(right)

    found = map_threads(find, range(len(release)), threads)
    return Egos(len(found), sum(detected for detected, _ in found), sum(right for _, right in found))
