"""The findings in the words of those who must judge them: the risks that data protection authorities name.

WP216 (2014) asks of anonymized data whether people can be singled out, linked, or have something inferred about them.
What was measured is told apart from what a scheme declares, and what was not measured is said to be so.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from thinveil.auditing.results import AuditResult
from thinveil.measures.uniqueness import Uniqueness
from thinveil.report.sections.naming import naming_of
from thinveil.report.shares import FEW, one_in, percent
from thinveil.report.spans import round_range
from thinveil.report.templates import fill
from thinveil.report.whereabouts import has_several
from thinveil.report.words import telling_rate


def section(result: AuditResult) -> Markup:
    """Show which risks were measured, and how."""
    return fill("sections/risks.html", risks=list(risks(result)), declared="promise" in result.more)


def risks(result: AuditResult) -> Iterator[tuple[str, str]]:
    """Return each risk with what was measured of it."""
    yield "Linkability", _linkability(result)
    yield "Singling out", _singling_out(result)
    yield (
        "Inference",
        "Not measured. Whoever links or names a node learns all that is published of it, and who its contacts are.",
    )


def _linkability(result: AuditResult) -> str:
    found, rate = naming_of(result), telling_rate(result)
    right = None if found is None else found.groups[0].right
    if right is not None and right.trials >= FEW:
        return (
            f"{percent(right.value)} (95% interval {round_range(right.low, right.high)}) of the published nodes whose "
            "person the attacker holds are named rightly. That is a lower estimate, for this attacker."
        )
    if rate is None or rate.tpr is None or rate.low is None or rate.high is None:
        return "Too few people could be compared to say anything."
    return (
        f"{percent(rate.tpr)} (95% interval {round_range(rate.low, rate.high)}) of the pairs of one person are linked, "
        f"while wrongly linking {one_in(rate.fpr)} pairs of different people. That is a lower estimate, for this "
        "attacker."
    )


def _singling_out(result: AuditResult) -> str:
    found: Uniqueness | None = result.more.get("uniqueness")
    if found is None:
        return "Not measured."
    where = " of their sub-graph" if has_several(result) else ""
    return (
        f"{percent(found.release[0].alone)} of the published nodes are the only ones{where} with their number of "
        f"contacts, {percent(found.release[1].alone)} with that and their number of triangles."
    )
