"""What a comparison says of each scheme, in sentences that a decision maker can act on."""

from __future__ import annotations

from thinveil.auditing.comparison import Assessment, Comparison, Risk
from thinveil.auditing.comparison.grid import CEILING, FLOOR
from thinveil.auditing.comparison.records import FAILED, UNDEFINED
from thinveil.report.shares import plural, round_percent
from thinveil.report.spans import round_range

_WHOM = {
    "identification": "of the published nodes whose person is in the auxiliary graph too",
    "linkage": "of the pairs of appearances of one person",
}
_DONE = {"identification": "named rightly", "linkage": "linked, with one wrong link in 1,000 pairs of different people"}


def sentence(one: Assessment, comparison: Comparison) -> str:
    """Say of one scheme what it leaves to be found, and what it costs."""
    if one.status == FAILED:
        return f"Not measured: {one.why}."
    if one.status == UNDEFINED:
        return (
            "Linking is undefined, which is not a risk of 0%: nobody stands behind the published nodes. "
            f"{_cost(one, comparison)}"
        )
    told = [_of_risk(risk) for risk in one.risks]
    return f"{' '.join(told)} {_cost(one, comparison)}{_remark(one, comparison)}"


def _of_risk(risk: Risk) -> str:
    if risk.share is None:
        return f"Under {risk.threat} nothing can be said: {risk.why}."
    interval = f"95% interval {round_range(risk.low, risk.high)}"
    failed = _of_failure(risk) if risk.failed else ""
    if risk.share == 0:
        none = f"Of {risk.trials:,} {_plain(risk)}, none were {_DONE[risk.threat]} ({interval})"
        return f"{none}: no proof of safety.{failed}"
    wrong = "" if risk.wrong is None else f", and {round_percent(risk.wrong)}{_of_wrong(risk)} wrongly"
    return f"{round_percent(risk.share)} ({interval}) {_WHOM[risk.threat]} were {_DONE[risk.threat]}{wrong}.{failed}"


def _of_wrong(risk: Risk) -> str:
    if risk.wrong_low is None or risk.wrong_high is None:
        return ""
    return f" (95% interval {round_range(risk.wrong_low, risk.wrong_high)})"


def _of_failure(risk: Risk) -> str:
    """Say that an attack which fails as a whole tells little of the scheme."""
    often = "" if len(risk.draws) == 1 else f" in {risk.failed:,} of {len(risk.draws):,} draws"
    return (
        f" The attack knew that it had failed{often}, and named nobody there. It may succeed in the next draw: more of "
        "them (--repeats) narrow the interval."
    )


def _plain(risk: Risk) -> str:
    if risk.threat == "identification":
        return "published nodes whose person is in the auxiliary graph too"
    return "pairs of appearances of one person"


def _cost(one: Assessment, comparison: Comparison) -> str:
    distance = one.distance(comparison.plane)
    if distance is None:
        missing = [name for name in comparison.plane if _is_missing(one, name)]
        return f"What it costs cannot be said in one number: {', '.join(missing)} cannot be measured."
    if distance < 5e-4:
        return "By the chosen measures nothing of the graph is lost."
    parts = {found.name: found.distance for found in one.utility if found.name in comparison.plane}
    most = max(parts, key=lambda name: parts[name] or 0.0)
    return f"It costs {distance:.2f} of utility (0: all is kept, 1: nothing), most of it in {most} ({parts[most]:.2f})."


def _is_missing(one: Assessment, name: str) -> bool:
    return next((found.distance for found in one.utility if found.name == name), None) is None


def _remark(one: Assessment, comparison: Comparison) -> str:
    if one.scheme == CEILING:
        return " All other schemes are measured against this one, which only takes the names away."
    if one.scheme == FLOOR:
        return " In such a graph nothing of the people is left to be found: whatever is found here is found by chance."
    if one.scheme in comparison.frontier:
        return " No other scheme that was compared is better in risk or in utility without being worse in the other."
    return ""


def headline(comparison: Comparison) -> str:
    """Say on top what was compared, and where the choice lies."""
    count, frontier = len(comparison.points), comparison.frontier
    if comparison.points and not comparison.is_telling:
        has_ceiling = any(one.scheme == CEILING for one in comparison.points)
        where = "where only names are taken away" if has_ceiling else "whatever the scheme"
        return f"The attacks found nobody, {where}: this comparison says nothing about risk"
    if not frontier:
        asked = plural(len(comparison.assessments), "scheme")
        return f"Of {asked} that were compared, of none both risk and utility could be measured"
    if count == 1:
        return f"Both risk and utility were measured of {frontier[0]} alone"
    measured = f"Of {plural(count, 'scheme')} of which both risk and utility were measured"
    if len(frontier) == 1:
        return f"{measured}, none is better than {frontier[0]} in risk or in utility"
    return f"{measured}, {len(frontier)} are worth a choice between the two"
