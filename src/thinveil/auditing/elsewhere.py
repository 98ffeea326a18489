"""Audits of releases that were made elsewhere: no scheme is run, only what lies there is attacked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import ATTACKS, Attack
from thinveil.auditing.audit import audit
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import AuditResult, GraphFacts
from thinveil.errors import InputError
from thinveil.graph import Graph, labels_of
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.runtime.engines import Engine
from thinveil.runtime.progress import Progress, report_nothing
from thinveil.schemes import NOBODY, Elsewhere, Release, Secret
from thinveil.schemes.given import ReleaseLike, as_release
from thinveil.threats import THREATS, Threat

_OVERLAPS = ("node_overlap", "edge_overlap")


def audit_release(
    release: ReleaseLike,
    graph: GraphLike | None = None,
    *,
    attack: str | Attack | None = None,
    threat: str | Threat | None = None,
    beside: Iterable[str | Attack] | None = None,
    plan: Plan | None = None,
    name: str = "",
    truth: str = "",
    facts: GraphFacts | None = None,
    on_progress: Progress = report_nothing,
    engine: str | Engine = "local",
    threads: int | None = None,
    **changes: Any,
) -> AuditResult:
    """Measure how many people an attacker would find again in a release that was made elsewhere.

    For linkage the sub-graphs are split by lot, anew in each draw (``repeats``): the attack learns from one half, and
    is tested on the other.

    Parameters
    ----------
    release
        The release with its truth, as ``read_release(folder, truth)`` returns it.
    graph
        A graph with names, those of the truth: what an attacker who wants to name people holds. With it the threat is
        identification.
    attack, threat, beside
        As in ``audit``. Under identification the attacker has all of the graph where the threat does not say less.
    plan
        A whole plan, such as that of an earlier audit.
    name, truth
        What the release and its truth are called in the report.
    facts
        What the report says of the graph's origin.
    on_progress, engine, threads
        As in ``audit``.
    changes
        Single settings by name: ``repeats=5``, ``seed=1``, ``protocol="paper"`` and all others of ``Sampling``.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.schemes import make_scheme
    >>> release = make_scheme("d4d-1:egonets=20,min_size=50").publish(synthetic_graph(3000, seed=1), seed=0)
    >>> result = audit_release(release, attack="forest:trees=20")
    >>> result.rate("complete", 0.01).positives > 100
    True
    """
    published, named = as_release(release), None if graph is None else as_graph(graph)
    made, audited, about = prepare(
        published, named, attack=attack, threat=threat, beside=beside, plan=plan, name=name, truth=truth, facts=facts,
        **changes,
    )  # fmt: skip
    return audit(audited, plan=made, facts=about, on_progress=on_progress, engine=engine, threads=threads)


def prepare(
    release: Release,
    graph: Graph | None,
    *,
    attack: str | Attack | None = None,
    threat: str | Threat | None = None,
    beside: Iterable[str | Attack] | None = None,
    plan: Plan | None = None,
    name: str = "",
    truth: str = "",
    facts: GraphFacts | None = None,
    **changes: Any,
) -> tuple[Plan, Graph, GraphFacts | None]:
    """Return what ``audit`` needs: a plan that holds the release, the people's graph, and what it is."""
    if release.secret is None:
        raise InputError("an audit needs to know who is who: read the release with its truth")
    if plan is None:
        chosen = _threat(threat, graph is not None)
        made = Plan.make(Elsewhere(name, truth), attack, threat=chosen, beside=beside, **changes)
    else:
        made = Plan.make(None, attack, threat=threat, beside=beside, base=plan, **changes)
    if not isinstance(made.scheme, Elsewhere):
        raise InputError(f"the settings are those of scheme {made.scheme.name}, and no scheme is run on a release")
    _check_threat(made, graph, len(release))
    if graph is None:
        audited = _by_person(release)
        facts = GraphFacts.of(audited, name=f"all that {name or 'the release'} shows, put together by person")
    else:
        release, audited = _as_in(graph, release), graph
    return _split(made, release, is_open=beside is None and plan is None), audited, facts


def _threat(given: str | Threat | None, has_graph: bool) -> Threat:
    """Return the threat; of a graph that is given, an attacker holds all, where nothing else is said."""
    word = given or ("identification" if has_graph else "linkage")
    made: Any = THREATS.make(word)
    left = {name: 1.0 for name in THREATS.left_open(word) if name in _OVERLAPS}
    return replace(made, **left) if left else made  # type: ignore[no-any-return]


def _check_threat(plan: Plan, graph: Graph | None, subgraphs: int) -> None:
    names = getattr(plan.threat, "auxiliary", False)
    if names and graph is None:
        raise InputError("threat identification needs a graph with names: give it with --graph (graph=)")
    if graph is not None and not names:
        raise InputError(f"a graph with names serves no {plan.threat.name}: leave --graph out, or --threat")
    if not names and subgraphs < 2:
        raise InputError("the release is a single graph, and linkage is between two or more: give a graph with names "
                         "with --graph (graph=)")  # fmt: skip


def _split(plan: Plan, release: Release, *, is_open: bool) -> Plan:
    """Return the plan with the release in it: in halves where anything is learned from one of them."""
    known = plan.threat.resolved(other_graph=False, learns=_learns(plan.attack)).known
    if is_open and not known and not _learns(plan.attack):
        plan = replace(plan, beside=tuple(one for one in plan.beside if not _learns(one)))
    in_halves = not known and any(map(_learns, (plan.attack, *plan.beside)))
    fewest = 2 if getattr(plan.threat, "auxiliary", False) else 4
    if in_halves and len(release) < fewest:
        able = ", ".join(name for name in ATTACKS if not _learns(ATTACKS[name]))
        raise InputError(
            f"the release has {len(release)} sub-graphs, and {fewest} are needed: half of them to learn from, half to "
            f"attack; give an --attack that learns nothing ({able}), alone, or --threat {plan.threat.name}:known=NUMBER"
        )
    scheme: Any = replace(plan.scheme, whole=not in_halves)  # type: ignore[type-var]
    return replace(plan, scheme=scheme.holding(release))


def _learns(attack: Any) -> bool:
    return bool(getattr(attack, "learns", True))


def _called(release: Release) -> list[str]:
    """Return what the people of a release are called."""
    if release.names is not None:
        return [str(one) for one in release.names.tolist()]
    most = max((int(one.everybody.max(initial=-1)) for one in release.secret or ()), default=-1)
    return [str(k) for k in range(most + 1)]


def _by_person(release: Release) -> Graph:
    """Return all edges that a release shows among people who stand in a node alone."""
    ends: list[NDArray[np.int32]] = [np.empty((2, 0), dtype=np.int32)]
    for public, secret in zip(release.public, release.secret or (), strict=True):
        source = np.repeat(np.arange(public.node_count), public.degrees)
        person = np.where(secret.is_one, secret.people, np.int32(NOBODY))
        both = np.stack((person[source], person[public.indices]))
        ends.append(both[:, (both[0] < both[1]) & (both[0] != NOBODY)])
    edges = np.unique(np.concatenate(ends, axis=1), axis=1)
    names = np.array(_called(release)) if release.names is None else release.names
    return Graph.from_edges(edges[0], edges[1], node_count=names.size, labels=names)


def _as_in(graph: Graph, release: Release) -> Release:
    """Return the release with its people numbered as in a graph with names, and behind them whoever is not there."""
    place = {label: k for k, label in enumerate(labels_of(graph))}
    called = _called(release)
    if called and not any(name in place for name in called):
        raise InputError(
            f"nobody of the truth is in the graph with names: the truth has {called[0]!r}, the graph "
            f"{next(iter(place), 'nobody')!r}: give the graph whose people the truth names"
        )
    strangers = iter(range(graph.node_count, graph.node_count + len(called)))
    number = np.array([place[name] if name in place else next(strangers) for name in called], dtype=np.int32)
    secrets: tuple[Secret, ...] = tuple(one.renumbered(number) for one in release.secret or ())
    return Release(tuple(release.public), secrets, release.scheme)
