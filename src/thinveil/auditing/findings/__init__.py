"""Findings: from the scores of all draws to the result of an audit; one function for each, a line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from thinveil.auditing.findings.attack import find_egos, find_lesson, find_rounds
from thinveil.auditing.findings.curves import find_curves
from thinveil.auditing.findings.groups import find_by_degree
from thinveil.auditing.findings.mistakes import find_by_overlap
from thinveil.auditing.findings.naming import find_naming
from thinveil.auditing.findings.people import find_people, find_risk
from thinveil.auditing.findings.pooled import Pooled
from thinveil.auditing.findings.rates import find_areas, find_baseline, find_beside, find_rates
from thinveil.auditing.findings.seen import find_alone, find_made_up
from thinveil.auditing.findings.worth import find_worth
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import AuditResult, GraphFacts
from thinveil.auditing.trials import Draw

FINDINGS: dict[str, Callable[[Pooled], Any]] = {
    "rates": find_rates,
    "auc": find_areas,
    "roc": find_curves,
    "baseline": find_baseline,
    "beside": find_beside,
    "by_degree": find_by_degree,
    "by_overlap": find_by_overlap,
    "worth": find_worth,
    "risk": find_risk,
    "people": find_people,
    "rounds": find_rounds,
    "egos": find_egos,
    "lesson": find_lesson,
    "identification": find_naming,
    "uniqueness": find_alone,
    "fake_edges": find_made_up,
}
"""What an audit finds. What is no field of ``AuditResult``, and not None, stands in its ``more`` and in result.json."""

__all__ = ["FINDINGS", "Pooled", "summarize"]


def summarize(
    draws: Sequence[Draw], plan: Plan, graph: GraphFacts, trained_on: GraphFacts | None, seconds: dict[str, float]
) -> AuditResult:
    """Join the draws into one result."""
    pooled = Pooled(draws, plan)
    found = {name: find(pooled) for name, find in FINDINGS.items()}
    known = {one.name for one in fields(AuditResult)}
    more = {name: found.pop(name) for name in list(found) if name not in known}
    more = {name: one for name, one in more.items() if one is not None}
    return AuditResult(plan=plan, graph=graph, trained_on=trained_on, seconds=dict(seconds), more=more, **found)
