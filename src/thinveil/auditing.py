"""The whole story: graph, scheme, release, view, pairs, attack, scores, rates.

Each draw makes two releases around different people. The attack learns from labelled pairs of the first and
scores pairs of the second; labels of the second are used for nothing but counting.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Attack, ForestAttack, SignatureAttack
from thinveil.errors import SampleError
from thinveil.features import DegreeHistogram, RowTruth, View, observe
from thinveil.graph import Graph
from thinveil.pairs import CATEGORIES, PairSampler
from thinveil.results import AuditResult, Egos, GraphFacts
from thinveil.schemes import Published, Scheme, detect_ego, make_scheme
from thinveil.seeds import stream
from thinveil.settings import Settings
from thinveil.summary import Draw, Trial, summarize
from thinveil.threads import map_threads

Progress = Callable[[str, int, int], None]
"""Called with the stage, steps done and steps in all."""


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
    settings = Settings.from_dict({**(settings or Settings()).to_dict(), **changes})
    if isinstance(scheme, str) or scheme is None:
        settings = replace(settings, scheme=scheme or settings.scheme)
        scheme = make_scheme(settings.scheme, egonets=settings.egonets, min_size=settings.min_size)
    else:
        settings = replace(settings, scheme=scheme.name)
    clock = _Clock(on_progress, settings.repeats * (2 + 2 * len(CATEGORIES)), dict(seconds or {}))
    draws = [
        _draw(graph, train_on, scheme, _Run(settings, number, clock, threads)) for number in range(settings.repeats)
    ]
    if train_on is not None:
        train_facts = train_facts or GraphFacts.of(train_on)
    return summarize(draws, settings, facts or GraphFacts.of(graph), train_facts, clock.seconds)


@dataclass
class _Clock:
    """Seconds per stage, and the progress report."""

    report: Progress
    total: int
    seconds: dict[str, float] = field(default_factory=dict)
    done: int = 0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.report(name, self.done, self.total)
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
        self.done += 1
        self.report(name, self.done, self.total)


@dataclass(frozen=True)
class _Run:
    """What one draw needs to know."""

    settings: Settings
    number: int
    clock: _Clock
    threads: int | None

    @property
    def seed(self) -> int:
        return int(stream(self.settings.seed, "draw", self.number).integers(2**62))

    def attack(self) -> Attack:
        chosen = self.settings
        if chosen.attack == "signature":
            return SignatureAttack(large=chosen.large_signature)
        return ForestAttack(
            DegreeHistogram(chosen.bins, chosen.bin_size),
            trees=chosen.trees, bag_size=chosen.bag_size, candidates=chosen.candidates,
            thresholds=chosen.thresholds, smallest=chosen.smallest, seed=self.seed, threads=self.threads,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Side:
    """A release as the attacker sees it, and the sampler that knows who is who."""

    view: View
    pairs: PairSampler


def _draw(graph: Graph, train_on: Graph | None, scheme: Scheme, run: _Run) -> Draw:
    """Publish twice around new egos, learn from the first release, attack the second."""
    with run.clock.stage("publish and look"):
        if train_on is None:
            training, testing = scheme.draw(graph, releases=2, seed=run.seed)
        else:
            (training,), (testing,) = (scheme.draw(g, releases=1, seed=run.seed) for g in (train_on, graph))
        (view, truth), (target, secret) = (
            observe(release, run.attack().channels, min_degree=run.settings.min_degree, threads=run.threads)
            for release in (training, testing)
        )
    with run.clock.stage("detect egos"):
        egos = _find_egos(testing, run.threads)
    admit = _admitted(truth, secret) if run.settings.unseen and train_on is None else None
    known = _Side(view, PairSampler(view.subgraph, truth))
    asked = _Side(target, PairSampler(target.subgraph, secret, admit=admit))
    trials = [trial for category in CATEGORIES if (trial := _trial(category, known, asked, run))]
    if not trials:
        raise SampleError(
            f"nobody with more than {run.settings.min_degree} edges stands in two sub-graphs of both releases: "
            "there is nothing to link; take more or larger egonets, or lower the minimum degree"
        )
    sizes = asked.pairs.mean_rows(), asked.pairs.mean_pairs(), asked.pairs.mean_shared()
    return Draw(tuple(trials), *sizes, egos)


def _trial(category: str, known: _Side, asked: _Side, run: _Run) -> Trial | None:
    """Train and test the classifier of one category; None where the releases hold no such pairs."""
    attack, chosen = run.attack(), run.settings
    chance = stream(run.seed, "training pairs", category)
    with run.clock.stage("train"):
        if not known.pairs.count(category) or not asked.pairs.count(category):
            run.clock.done += 1  # there will be nothing to test
            return None
        identical = known.pairs.identical(category, chosen.train_pairs, chance)
        different = known.pairs.different(chosen.protocol, category, chosen.train_negatives, chance)
        attack.fit(known.view, identical, different)
    chance = stream(run.seed, "test pairs", category)
    with run.clock.stage("test"):
        identical = asked.pairs.identical(category, chosen.test_pairs, chance)
        different = asked.pairs.different(chosen.protocol, category, chosen.test_negatives, chance)
        return Trial(
            category=category,
            positives=attack.score(asked.view, identical),
            negatives=attack.score(asked.view, different),
            distinct=different.count_distinct(),
            degrees=np.minimum(asked.view.degree[identical.left], asked.view.degree[identical.right]),
            lesson=attack.lesson(),
        )


def _admitted(training: RowTruth, testing: RowTruth) -> NDArray[np.bool_]:
    """Admit the rows of people who stand nowhere in the training release."""
    admitted = ~np.isin(testing.person, training.everybody)
    if not admitted.any():
        raise SampleError("everybody in the test release is in the training release too: draw fewer egonets")
    return admitted


def _find_egos(release: Sequence[Published], threads: int | None) -> Egos:
    """Try to tell the ego of each sub-graph from the public half alone, then look at the secret."""

    def find(k: int) -> tuple[bool, bool]:
        public, secret = release[k]
        ego = detect_ego(public)
        return ego is not None, ego is not None and bool(secret.hops[ego] == 0)

    found = map_threads(find, range(len(release)), threads)
    return Egos(len(found), sum(detected for detected, _ in found), sum(right for _, right in found))
