"""What becomes of a release when one link leads to the next: sub-graphs that join, and the worth of known people.

Both were proposed in Section 5 of the paper. Each draw is that of an audit with the same plan: the attack learns from
one release and attacks another; of the latter it sees the view, and the truth counts.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from thinveil.attacks import Attack, Session
from thinveil.auditing.audit import collect
from thinveil.auditing.draw import Side, learn, set_scene
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import GraphFacts
from thinveil.auditing.suiting import compares, run_suited, suit
from thinveil.errors import InputError, SampleError
from thinveil.features import Needs
from thinveil.features.pairs import Question
from thinveil.graph import Graph
from thinveil.graph.events import cut_time
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.measures.known import KnownResult, measure_known
from thinveil.measures.rebuilt import Rebuilt, count_rebuilt
from thinveil.runtime.engines import ENGINES, Engine
from thinveil.runtime.progress import Clock, Progress, part, report_nothing, stage
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import Scheme
from thinveil.threats import Linkage

_LEARN, _ENTER = 0.7, 0.15  # shares of a draw


@dataclass(frozen=True)
class StitchResult:
    """The rounds of each draw, and the worth of known people in each; ``seconds`` says what took how long."""

    plan: Plan
    graph: GraphFacts
    rounds: tuple[tuple[Rebuilt, ...], ...]
    known: tuple[KnownResult, ...]
    seconds: dict[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in plain types."""
        return {
            "settings": self.plan.tables(),
            "graph": {**asdict(self.graph), "name": self.graph.title},
            "rounds": [[asdict(one) for one in draw] for draw in self.rounds],
            "known": [asdict(one) for one in self.known],
            "seconds": self.seconds,
        }


def stitch(
    graph: GraphLike,
    scheme: str | Scheme | None = None,
    *,
    attack: str | Attack | None = None,
    known: int = 1,
    links: bool = True,
    plan: Plan | None = None,
    facts: GraphFacts | None = None,
    on_progress: Progress = report_nothing,
    engine: str | Engine = "local",
    threads: int | None = None,
    **changes: Any,
) -> StitchResult:
    """Measure how much of a graph an attacker rebuilds from a release, and what known people are worth.

    Parameters
    ----------
    graph, scheme, attack, plan, changes
        As for ``audit``.
    known
        People known in every two sub-graphs that are looked at; 0 leaves them out.
    links
        Whether to link the release and count what is rebuilt.
    facts
        What is told of the graph's origin.
    on_progress
        Called with stage, steps done and steps in all.
    engine, threads
        As for ``audit``.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> result = stitch(synthetic_graph(3000, seed=1), "d4d-1:egonets=10,min_size=50", attack="forest:trees=20")
    >>> len(result.rounds), len(result.known)
    (1, 1)
    """
    given = as_graph(graph)
    categories = changes.pop("categories", ("complete",))
    chosen = Plan.make(scheme, attack, beside=(), base=plan, categories=categories, **changes)
    chosen = chosen.resolved(other_graph=False)
    _check_threat(chosen)
    clock = Clock(on_progress, chosen.repeats)
    work, runner = cut_time(given, chosen.needs.slots), ENGINES.make(engine)

    def run(plan: Plan) -> list[StitchDraw]:
        outcomes = runner.map(run_stitch, range(plan.repeats), given=(plan, work, known, links))
        return collect(outcomes, clock)

    with limit_threads(threads), clock.running():
        chosen = suit(chosen, work)
        chosen, draws = run_suited(chosen, work, run, lambda plan, k: compares(plan, work, None, k))
    for draw in draws:
        clock.add(draw.seconds, {})
    return StitchResult(
        chosen, facts or GraphFacts.of(given), tuple(draw.rounds for draw in draws if links),
        tuple(draw.known for draw in draws if draw.known is not None), clock.seconds,
    )  # fmt: skip


@dataclass(frozen=True)
class StitchDraw:
    """What one draw gives."""

    rounds: tuple[Rebuilt, ...]
    known: KnownResult | None
    seconds: dict[str, float]


def run_stitch(plan: Plan, graph: Graph, known: int, links: bool, number: int) -> StitchDraw:
    """Run one draw: everything in it can be pickled."""
    seeds = Seeds(plan.seed, (number,))
    with Clock().running() as clock:
        sides = set_scene(plan, graph, None, seeds, Needs(neighbors=True))
        question = Question("complete", plan.sampling.protocol)
        with part(_LEARN):
            fitted, examples = learn(plan.attack, sides)
        if question not in examples:
            raise SampleError(
                f"no two training sub-graphs share anybody with more than {plan.sampling.min_degree} contacts"
            )
        with part(_ENTER):
            session, worth = fitted.enter(sides.attacked.view), None
        if known:
            with stage("known people", share=1 - _LEARN - _ENTER):
                side = sides.attacked
                worth = measure_known(
                    side.view, side.labels, lambda pairs: session.score(pairs, question), people=known,
                    seed=seeds("seeds"),
                )  # fmt: skip
        with stage("rebuild"):
            rounds = _rebuild(session, sides.attacked) if links else ()
    return StitchDraw(rounds, worth, clock.seconds)


def _rebuild(session: Session, side: Side) -> tuple[Rebuilt, ...]:
    """Count what is rebuilt after each round; an attack that judges pairs by themselves has one."""
    clusters = session.rounds
    if not clusters and (links := session.links()) is not None:
        clusters = (links.cluster,)
    return tuple(count_rebuilt(side.view, side.labels, cluster) for cluster in clusters)


def _check_threat(plan: Plan) -> None:
    if plan.threat != Linkage():
        raise InputError(
            "stitch joins the sub-graphs of one release by links: give --threat linkage, without parameters, or none"
        )
