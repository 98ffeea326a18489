"""How often the attacker can tell who the ego is."""

from __future__ import annotations

from markupsafe import Markup

from thinveil.auditing.results import AuditResult, Egos
from thinveil.measures.rates import rate
from thinveil.report.shares import plural, round_percent
from thinveil.report.spans import round_range
from thinveil.report.templates import fill
from thinveil.report.whereabouts import has_egos


def section(result: AuditResult) -> Markup | None:
    """Say how often the ego was told, where there are egos."""
    return fill("sections/egos.html", words=egos_sentence(result.egos)) if has_egos(result) else None


def egos_sentence(egos: Egos) -> str:
    """Say how often the ego can be told from the published sub-graph."""
    if not egos.subgraphs:
        return "There was no sub-graph with an ego."
    share = rate(egos.right, egos.subgraphs)
    found = f"{round_percent(share.value)} of the sub-graphs (95% interval {round_range(share.low, share.high)})"
    if not egos.detected:
        return (
            f"In none of {plural(egos.subgraphs, 'sub-graph')} was exactly one person within two hops of everybody: "
            f"in this way the ego is found in {found}."
        )
    verdict = "in each of them" if egos.right == egos.detected else f"in {egos.right:,} of them"
    return (
        f"In {egos.detected:,} of {plural(egos.subgraphs, 'sub-graph')} exactly one person is within two hops of "
        f"everybody, and {verdict} this was the ego: the ego is found in {found}. Who "
        "knows the ego knows how far everybody is from it, and so which category each pair is in."
    )
