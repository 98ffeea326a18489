"""Learn an attack once, to use it on releases made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from thinveil.attacks import Attack, Examples
from thinveil.auditing.draw import Side, Sides, learn
from thinveil.auditing.models import Model
from thinveil.auditing.plan import Plan
from thinveil.auditing.suiting import run_suited, suit
from thinveil.errors import InputError, SampleError
from thinveil.features.pairs import Question
from thinveil.graph import Graph
from thinveil.graph.events import cut_time
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.runtime.notices import notify
from thinveil.runtime.progress import Clock, Progress, part, report_nothing, stage
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import Scheme
from thinveil.threats import Threat

_FEW = 30
"""People of whom fewer teach an attack next to nothing."""


def train(
    graph: GraphLike,
    scheme: str | Scheme | None = None,
    *,
    attack: str | Attack | None = None,
    threat: str | Threat | None = None,
    plan: Plan | None = None,
    on_progress: Progress = report_nothing,
    threads: int | None = None,
    **changes: Any,
) -> Model:
    """Learn an attack on a release drawn from a graph.

    Parameters
    ----------
    graph
        The graph to learn from: the one that was published, or another of its kind.
    scheme, attack, threat, plan, changes
        As for ``audit``.
    on_progress
        Called with stage, steps done and steps in all.
    threads
        Number of threads; it does not change the result.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> model = train(synthetic_graph(3000, seed=1), "d4d-2:egonets=20,min_size=50", attack="forest:trees=20")
    >>> model.categories
    ('1-hop', '1,2-hop', '2-hop', 'complete')
    """
    chosen = Plan.make(scheme, attack, threat=threat, beside=(), base=plan, **changes).resolved(other_graph=True)
    work = cut_time(as_graph(graph), chosen.needs.slots)
    with limit_threads(threads), Clock(on_progress).running():
        chosen = suit(chosen, work, releases=1)
        _, model = run_suited(chosen, work, lambda plan: _train(plan, work), lambda plan, _: _can_learn(plan, work))
    return model


def _train(plan: Plan, graph: Graph) -> Model:
    sides = _set_scene(plan, graph)
    with part(1.0):
        fitted, examples = learn(plan.attack, sides)
    if not any(question.category == "complete" for question in examples):
        raise SampleError(f"nobody with more than {plan.sampling.min_degree} contacts stands in two sub-graphs")
    _tell_few(plan, sides, examples)
    return Model.of(plan, fitted, examples)


def _tell_few(plan: Plan, sides: Sides, examples: Mapping[Question, Examples]) -> None:
    """Say that an attack learned from a handful of people."""
    pairs = [given.identical.left for given in examples.values()]
    people = np.unique(sides.known.labels.person[np.concatenate(pairs)]).size
    if people < _FEW:
        learned = "1 person" if people == 1 else f"{people} people"
        notify(
            f"the attack learned from {learned} only, and needs {_FEW} or more to be trusted: give a larger "
            "graph, or more sub-graphs with --scheme, or a smaller --min-degree (min_degree=)"
        )


def _set_scene(plan: Plan, graph: Graph) -> Sides:
    """Publish a release to learn from, and look at it."""
    seeds = Seeds(plan.seed)
    with stage("publish"):
        release = plan.threat.publish_training(plan.scheme, graph, seeds=seeds)
    if len(release) < 2:
        raise InputError(f"scheme {plan.scheme.name} publishes one sub-graph, and there is nothing to link: "
                         "choose --threat identification, or another --scheme, such as d4d-2")  # fmt: skip
    with stage("observe"):
        side = Side.of(release, plan)
    return Sides(plan, seeds, side, side)


def _can_learn(plan: Plan, graph: Graph) -> bool:
    try:
        return _set_scene(plan, graph).examples(Question("complete", plan.sampling.protocol)).suffice
    except SampleError:
        return False
