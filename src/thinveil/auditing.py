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

from thinveil.attacks import ForestAttack
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


def audit(
    graph: Graph,
    scheme: str | Scheme | None = None,
    *,
    settings: Settings | None = None,
    facts: GraphFacts | None = None,
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
    settings, changes
        All that decides the numbers: a ``Settings``, or its fields by name (``seed=1, trees=100``).
    facts
        What the report says of the graph's origin.
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
    draws = [_draw(graph, scheme, settings, number, clock, threads) for number in range(settings.repeats)]
    return summarize(draws, settings, facts or GraphFacts.of(graph), clock.seconds)


def _draw(graph: Graph, scheme: Scheme, settings: Settings, number: int, clock: _Clock, threads: int | None) -> Draw:
    """Publish twice around new egos, learn from the first release, attack the second."""
    seed = int(stream(settings.seed, "draw", number).integers(2**62))
    with clock.stage("publish and look"):
        training, testing = scheme.draw(graph, releases=2, seed=seed)
        channels = [DegreeHistogram(settings.bins, settings.bin_size)]
        view, truth = observe(training, channels, min_degree=settings.min_degree, threads=threads)
        target, secret = observe(testing, channels, min_degree=settings.min_degree, threads=threads)
    with clock.stage("detect egos"):
        egos = _find_egos(testing, threads)
    known = PairSampler(view.subgraph, truth)
    asked = PairSampler(target.subgraph, secret, admit=_admitted(truth, secret) if settings.unseen else None)
    trials = [_trial(category, view, known, target, asked, settings, seed, clock, threads) for category in CATEGORIES]
    if not any(trials):
        raise SampleError(
            f"nobody with more than {settings.min_degree} edges stands in two sub-graphs of both releases: "
            "there is nothing to link; take more or larger egonets, or lower the minimum degree"
        )
    return Draw(
        trials=tuple(trial for trial in trials if trial is not None),
        people=asked.mean_rows(),
        pairs=asked.mean_pairs(),
        shared=asked.mean_shared(),
        egos=egos,
    )


def _trial(
    category: str, view: View, known: PairSampler, target: View, asked: PairSampler,
    settings: Settings, seed: int, clock: _Clock, threads: int | None,
) -> Trial | None:  # fmt: skip
    """Train and test the classifier of one category; None where the releases hold no such pairs."""
    attack = ForestAttack(
        trees=settings.trees, bag_size=settings.bag_size, candidates=settings.candidates,
        thresholds=settings.thresholds, smallest=settings.smallest, seed=seed, threads=threads,
    )  # fmt: skip
    chance = stream(seed, "training pairs", category)
    with clock.stage("train"):
        if not known.count(category) or not asked.count(category):
            clock.done += 1  # there will be nothing to test
            return None
        identical = known.identical(category, settings.train_pairs, chance)
        different = known.different(settings.protocol, category, settings.train_negatives, chance)
        attack.fit(view, identical, different)
    chance = stream(seed, "test pairs", category)
    with clock.stage("test"):
        identical = asked.identical(category, settings.test_pairs, chance)
        different = asked.different(settings.protocol, category, settings.test_negatives, chance)
        return Trial(
            category=category,
            positives=attack.score(target, identical),
            negatives=attack.score(target, different),
            distinct=different.count_distinct(),
            degrees=np.minimum(target.degree[identical.left], target.degree[identical.right]),
            forest=attack.forest,
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
