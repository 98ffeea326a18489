"""The whole story: plan, draws, findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from thinveil.attacks import Attack
from thinveil.auditing.draw import run_draw
from thinveil.auditing.findings import summarize
from thinveil.auditing.forecast import tell_ahead
from thinveil.auditing.plan import Plan
from thinveil.auditing.promises import check_promise
from thinveil.auditing.results import AuditResult, GraphFacts
from thinveil.auditing.suiting import compares, run_suited, suit
from thinveil.auditing.trials import Draw
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.events import cut_time
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.runtime.engines import ENGINES, Engine, Outcome
from thinveil.runtime.progress import Clock, Progress, report_nothing
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import Scheme
from thinveil.threats import GivenIdentification, Threat


def audit(
    graph: GraphLike,
    scheme: str | Scheme | None = None,
    *,
    attack: str | Attack | None = None,
    threat: str | Threat | None = None,
    beside: Iterable[str | Attack] | None = None,
    train_on: GraphLike | None = None,
    auxiliary: GraphLike | None = None,
    plan: Plan | None = None,
    facts: GraphFacts | None = None,
    train_facts: GraphFacts | None = None,
    auxiliary_facts: GraphFacts | None = None,
    on_progress: Progress = report_nothing,
    engine: str | Engine = "local",
    threads: int | None = None,
    seconds: Mapping[str, float] | None = None,
    test_promise: bool = False,
    **changes: Any,
) -> AuditResult:
    """Measure how many people an attacker would find again in what a scheme publishes.

    Parameters
    ----------
    graph
        The graph that someone wants to release: a path, or a graph of thinveil or of another library.
    scheme, attack, threat
        A word such as ``d4d-2:egonets=50``, or any object that is a scheme, an attack, a threat. By default the strong
        attack links people across the sub-graphs of ``d4d-2``.
    beside
        Other attacks on the same releases; by default those that the attack names. ``()`` for none.
    train_on
        Another graph to learn the attack from, for an attacker who has nothing of this one. By default the
        attack learns from other people's sub-graphs of the same graph.
    auxiliary
        The graph with names that the attacker holds, of partly the same people, told by their labels: the threat is
        then identification. By default such a graph is drawn from this one.
    plan
        A whole plan, which what else is given changes.
    facts, train_facts, auxiliary_facts
        What the report says of the graphs' origin.
    on_progress
        Called with stage, steps done and steps in all.
    engine
        What runs the draws: ``local``, or ``local:jobs=2`` for two at a time. It does not change the result.
    threads
        Number of threads; it does not change the result.
    seconds
        Time already spent, by stage, to be told with the audit's own.
    test_promise
        Whether what the scheme promises (k, epsilon) is put to the test too; see ``check_promise``.
    changes
        Single settings by name: ``protocol="paper"``, ``repeats=5``, ``seed=1`` and all others of ``Sampling``;
        ``quick=True`` for a first look at a large graph.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> graph = synthetic_graph(3000, seed=1)
    >>> result = audit(graph, "d4d-1:egonets=10,min_size=50", attack="forest:trees=20")
    >>> result.rate("complete", 0.01).positives > 100
    True
    """
    work, other = as_graph(graph), None if train_on is None else as_graph(train_on, "train_on")
    facts = facts or GraphFacts.of(work)
    if auxiliary is not None and threat is None and plan is None:
        threat = GivenIdentification.name
    chosen = Plan.make(scheme, attack, threat=threat, beside=beside, base=plan, **changes)
    chosen = chosen.resolved(other_graph=other is not None)
    if other is not None:
        _check_other(work, other)
        train_facts, other = train_facts or GraphFacts.of(other), cut_time(other, chosen.needs.slots)
    if auxiliary is not None:
        held = as_graph(auxiliary, "auxiliary")
        auxiliary_facts = auxiliary_facts or GraphFacts.of(held)
        chosen = _holding(chosen, cut_time(held, chosen.needs.slots), work)
    work = cut_time(work, chosen.needs.slots)
    chosen = suit(chosen, work, train_on=other)
    # before the long work: what is refused is refused early
    tested = check_promise(work, chosen.scheme, seed=chosen.seed, threads=threads) if test_promise else None
    runner = ENGINES.make(engine)
    clock = Clock(on_progress, chosen.repeats, dict(seconds or {}))

    def run(plan: Plan) -> list[Draw]:
        outcomes = runner.map(run_draw, range(plan.repeats), given=(plan, work, other))
        return collect(outcomes, clock)

    with limit_threads(threads), clock.running():
        tell_ahead(chosen, work)
        chosen, draws = run_suited(chosen, work, run, lambda plan, k: compares(plan, work, other, k))
    for draw in draws:
        clock.add(draw.seconds, draw.category_seconds)
    result = summarize(draws, chosen, facts, train_facts, clock.seconds)
    if tested is not None:
        result = replace(result, more={**result.more, "promise": tested})
    return replace(result, category_seconds=clock.by_category, auxiliary=auxiliary_facts)


def collect(outcomes: Iterable[Outcome], clock: Clock) -> list[Any]:
    """Return what all draws gave, in their order; the clock is told of each that is done."""
    done: dict[int, Any] = {}
    for outcome in outcomes:
        done[outcome.job] = outcome.value
        clock.finish_draw()
    return [done[job] for job in sorted(done)]


def _holding(plan: Plan, auxiliary: Graph, graph: Graph) -> Plan:
    """Return the plan with the attacker's graph in it, where its threat is one that has such a graph."""
    threat = plan.threat
    if not isinstance(threat, GivenIdentification):
        raise InputError(
            f"a graph with names serves no threat {threat.name}: leave --aux out (auxiliary=), or choose --threat "
            f"{GivenIdentification.name}"
        )
    return replace(plan, threat=threat.holding(auxiliary, graph))


def _check_other(graph: Graph, train_on: Graph) -> None:
    if graph.digest() == train_on.digest():
        raise InputError(
            "the attack would learn from the graph that it attacks: leave --train-on out (train_on=), or give another"
        )
