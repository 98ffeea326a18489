"""The whole story: graph, scheme, release, view, pairs, attack, scores, rates.

Each draw makes two releases around different people. The attack learns from labelled pairs of the first and
scores pairs of the second; labels of the second are used for nothing but counting. With *seeds* there is one release:
the attack learns from the pairs of a few people, the seeds, and scores the pairs of all others. The strong attack also
learns to link from the first release as a whole, and links the second before it scores. Where other attacks stand
beside the chosen one, they get the same releases, and the same pairs under each protocol.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import StrongAttack
from thinveil.attacks.collective import LinkedView
from thinveil.auditing.results import AuditResult, Egos, GraphFacts, LinkRound
from thinveil.auditing.settings import Settings, beside_of, choose_scheme
from thinveil.auditing.summary import Draw, Measured, Trial, summarize
from thinveil.auditing.trials import Run, Side, make_trial, train_attacks
from thinveil.errors import InputError, SampleError
from thinveil.features import RowTruth, View, observe
from thinveil.features.pairs import PairSampler, categories_of, count_pairs, has_company
from thinveil.graph import Graph
from thinveil.graph.events import cut_time
from thinveil.measures.rebuilt import count_links
from thinveil.runtime.progress import Clock, Progress
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import map_threads
from thinveil.schemes import Published, Scheme, detect_ego


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
    >>> from thinveil.graph.synthetic import synthetic_graph
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
    clock = Clock(on_progress, settings.repeats * _steps(settings), dict(seconds or {}))
    draws = [
        _draw(graph, train_on, scheme, Run(settings, number, clock, threads)) for number in range(settings.repeats)
    ]
    result = summarize(draws, settings, facts, train_facts, clock.seconds)
    return replace(result, category_seconds=clock.by_category)


@dataclass(frozen=True, eq=False)
class _Seen:
    """A release as the attacker sees it; apart from it who is who, and of which rows questions may be asked."""

    release: Sequence[Published]
    view: View
    truth: RowTruth
    admit: NDArray[np.bool_]

    def under(self, protocol: str) -> Side:
        """Return what can be asked under a protocol."""
        admit = self.admit & has_company(self.view.subgraph, self.truth) if protocol == "matched" else self.admit
        return Side(self.release, self.view, self.truth, PairSampler(self.view.subgraph, self.truth, admit=admit))


@dataclass(frozen=True, eq=False)
class _Scene:
    """What one draw publishes: a release to learn from and one to attack, or one where ``seeds`` are known."""

    known: _Seen
    asked: _Seen
    seeds: NDArray[np.int32] | None = None
    made: dict[str, tuple[Side, Side]] = field(default_factory=dict)

    def sides(self, protocol: str) -> tuple[Side, Side]:
        """Return what the attack may learn from, and what it is asked: the same for all attacks."""
        if protocol not in self.made:
            self.made[protocol] = self._make_sides(protocol)
        return self.made[protocol]

    def _make_sides(self, protocol: str) -> tuple[Side, Side]:
        asked = self.asked.under(protocol)
        if self.seeds is None:
            return self.known.under(protocol), asked
        # pairs of the seeds are known, and everybody else is asked for
        known, others = asked.pairs.part(np.isin(asked.truth.person, self.seeds))
        return replace(asked, pairs=known), replace(asked, pairs=others)


def _draw(graph: Graph, train_on: Graph | None, scheme: Scheme, run: Run) -> Draw:
    """Publish and look, learn from what is known, attack what is asked; then other attacks on the same releases."""
    with run.clock.stage("publish and look"):
        scene = _publish(graph, train_on, scheme, run)
    scene = _link(scene, run)
    with run.clock.stage("detect egos"):
        egos = _find_egos(scene.asked.release, run.threads) if scene.asked.truth.has_hops else Egos(0, 0, 0)
    categories = tuple(name for name in categories_of(scene.asked.truth) if name in run.settings.categories)
    trials = _measure(scene, categories, run)
    if not trials:
        changeable = (*scheme.settings(), "min_degree")
        raise SampleError(
            f"nobody with more than {run.settings.min_degree} edges{' who is not in training' * run.settings.unseen} "
            f"stands in two sub-graphs of both releases: nothing can be linked; change {', '.join(changeable)}"
        )
    pairs = scene.sides(run.settings.protocol)[1].pairs
    sizes = pairs.mean_rows(), pairs.mean_pairs(), pairs.mean_shared()
    beside = tuple(
        Measured(other.settings.attack, other.settings.protocol, _measure(scene, categories, other))
        for other in run.beside()
    )
    return Draw(trials, *sizes, egos, categories, beside, tuple(_count_rounds(scene.asked)))


def _measure(scene: _Scene, categories: Sequence[str], run: Run) -> tuple[Trial, ...]:
    """Measure one attack under one protocol, category by category."""
    known, asked = scene.sides(run.settings.protocol)
    trained = train_attacks(categories, known, run)
    return tuple(trial for one in trained if (trial := make_trial(one, asked, run)))


def _publish(graph: Graph, train_on: Graph | None, scheme: Scheme, run: Run) -> _Scene:
    """Publish what the attack may learn from and what it attacks, and look at both."""
    if run.settings.seeds:
        (release,) = scheme.draw(graph, releases=1, seed=run.seed("releases"))
        seen = _look(release, run)
        return _Scene(seen, seen, _choose_seeds(seen, run))
    if train_on is None:
        training, testing = scheme.draw(graph, releases=2, seed=run.seed("releases"))
    else:
        (testing,) = scheme.draw(graph, releases=1, seed=run.seed("releases"))
        (training,) = scheme.draw(train_on, releases=1, seed=run.seed("training release"))
    known = _look(training, run)
    return _Scene(known, _look(testing, run, unlike=known.truth if run.settings.unseen else None))


def _link(scene: _Scene, run: Run) -> _Scene:
    """Let an attack that follows links learn it from the first release, and link the second; seeds do not suffice."""
    attack = run.attack()
    if not isinstance(attack, StrongAttack):
        return scene
    with run.clock.stage("link"):
        if scene.seeds is not None:
            seen = replace(scene.asked, view=attack.look(scene.asked.view))
            return replace(scene, known=seen, asked=seen)
        known, asked = attack.link(scene.known.view, scene.known.truth.person, scene.asked.view)
    return replace(scene, known=replace(scene.known, view=known), asked=replace(scene.asked, view=asked))


def _count_rounds(seen: _Seen) -> Iterator[LinkRound]:
    """Count the links of each round, and how many are right: this is all that the truth serves for."""
    made = seen.view.rounds if isinstance(seen.view, LinkedView) else ()
    for person in made:
        links, right = count_links(person, seen.truth.person)
        people, rows = int(person.max(initial=-1)) + 1, int(np.count_nonzero(person >= 0))
        yield LinkRound(people, rows, links, right, count_pairs(seen.truth.person))


def _choose_seeds(seen: _Seen, run: Run) -> NDArray[np.int32]:
    """Draw the people whom the attacker knows."""
    candidates, wanted = seen.under(run.settings.protocol).pairs.linkable(), run.settings.seeds or 0
    if candidates.size <= wanted:
        raise SampleError(
            f"only {candidates.size:,} people have more than {run.settings.min_degree} edges in two sub-graphs, and "
            f"{wanted:,} of them would be seeds: lower seeds or min_degree, or take a larger graph"
        )
    return stream(run.settings.seed, "seeds", run.number).choice(candidates, size=wanted, replace=False)


def _look(release: Sequence[Published], run: Run, unlike: RowTruth | None = None) -> _Seen:
    """Look at a release once for all attacks; ``unlike`` leaves out the people of another."""
    view, truth = observe(
        release, run.channels(), min_degree=run.settings.min_degree,
        keep_neighbors=isinstance(run.attack(), StrongAttack), threads=run.threads,
    )  # fmt: skip
    admit = np.ones(len(view), dtype=bool)
    if unlike is not None:
        admit &= ~np.isin(truth.person, unlike.everybody)
        if not admit.any():
            raise SampleError(
                "everybody in the test release is in the training release too: leave unseen out, or publish less"
            )
    return _Seen(release, view, truth, admit)


def _steps(settings: Settings) -> int:
    """Return the number of stages of a draw: a few, and training and testing for each attack and category."""
    return 4 + (settings.attack == "strong") + 2 * len(settings.categories) * (1 + len(beside_of(settings)))


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
