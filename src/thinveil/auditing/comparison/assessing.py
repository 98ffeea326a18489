"""One scheme of a comparison: published, attacked under every threat that makes sense for it, and measured."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from thinveil.auditing.audit import audit
from thinveil.auditing.comparison.records import FAILED, UNDEFINED, Assessment, Risk
from thinveil.auditing.findings.naming import Naming
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import HEADLINE_FPR, AuditResult
from thinveil.auditing.suiting import suit_scheme
from thinveil.errors import SampleError, ThinveilError, UndefinedError
from thinveil.graph import Graph
from thinveil.measures.uniqueness import find_uniqueness
from thinveil.measures.utility import utility
from thinveil.runtime.inputs import first_line
from thinveil.runtime.streams import Seeds
from thinveil.schemes import SCHEMES, Release

_FEW = 30  # people or pairs of whom nothing is said


@dataclass(frozen=True)
class Asked:
    """What all schemes of a comparison are asked; with a scheme's word and the graph it decides all numbers."""

    threat: str
    repeats: int
    seed: int


def assess(graph: Graph, asked: Asked, word: str) -> Assessment:
    """Assess one scheme; one that fails is said to have failed, and why."""
    start = time.perf_counter()
    try:
        found = _assess(graph, asked, word)
    except ThinveilError as error:
        found = Assessment(word, status=FAILED, why=first_line(error))
    except Exception as error:  # a scheme of somebody's own may raise anything, and the others go on
        found = Assessment(word, status=FAILED, why=f"{type(error).__name__}: {first_line(error)}")
    return replace(found, seconds=time.perf_counter() - start)


def _assess(graph: Graph, asked: Asked, word: str) -> Assessment:
    given = SCHEMES.make(word)
    scheme = suit_scheme(given, graph, left_open=SCHEMES.left_open(word))
    release = scheme.publish(graph, seed=Seeds(asked.seed)("comparison"))
    kept = utility(graph, release, seed=asked.seed)
    seen = find_uniqueness(graph, release.public)
    common: dict[str, Any] = {
        "says": scheme.describe(), "utility": kept.measures, "basis": kept.basis, "fakes": kept.fakes.auc,
        "alone": seen.release[0].alone,
    }  # fmt: skip
    try:
        risks = tuple(_risk(threat, graph, word, asked) for threat in _threats(release, asked))
    except UndefinedError as error:
        return Assessment(word, status=UNDEFINED, why=first_line(error), **common)
    return Assessment(word, risks=risks, **common)


def _threats(release: Release, asked: Asked) -> tuple[str, ...]:
    """Return the threats that make sense: sub-graphs can be linked with each other, one graph cannot."""
    return (asked.threat,) if len(release) == 1 else ("linkage", asked.threat)


def _risk(threat: str, graph: Graph, word: str, asked: Asked) -> Risk:
    """Audit a scheme under one threat, by its own attack; where nobody can be compared, that is said."""
    plan = Plan.make(word, threat=threat, beside=(), repeats=asked.repeats, seed=asked.seed)
    try:
        result = audit(graph, plan=plan)
    except UndefinedError:
        raise
    except SampleError as error:
        return Risk(plan.threat.name, why=first_line(error))
    return _read_names(result) if "identification" in result.more else _read_links(result)


def _read_names(result: AuditResult) -> Risk:
    found: Naming = result.more["identification"]
    everybody = found.groups[0]
    if everybody.right is None or everybody.wrong is None or everybody.people < _FEW:
        return Risk("identification", why=f"only {everybody.people} people could be named: too few to say anything")
    right, wrong = everybody.right, everybody.wrong
    return Risk(
        "identification", right.value, right.low, right.high, right.trials, wrong.value, found.draws, found.failed,
        wrong_low=wrong.low, wrong_high=wrong.high,
    )  # fmt: skip


def _read_links(result: AuditResult) -> Risk:
    found = result.rate("complete", HEADLINE_FPR)
    if found.positives < _FEW:
        return Risk("linkage", why=f"only {found.positives} pairs could be linked: too few to say anything")
    if found.tpr is None or found.low is None or found.high is None:
        return Risk("linkage", why=f"the test cannot support a false-positive rate of 1 in {1 / HEADLINE_FPR:,.0f}")
    return Risk("linkage", found.tpr, found.low, found.high, found.positives, draws=found.draws)
