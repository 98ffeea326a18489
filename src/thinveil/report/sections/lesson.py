"""What the attack learned: which comparisons told people apart."""

from __future__ import annotations

from markupsafe import Markup

from thinveil.auditing.results import AuditResult
from thinveil.report.shares import percent, round_percent
from thinveil.report.templates import fill

_MOST_COMPARED = 8
_MOST_CHANNELS = 12


def section(result: AuditResult) -> Markup | None:
    """Show what was learned, where the attack can say it."""
    channels, compared = channel_rows(result), compared_rows(result)
    if not channels and not compared:
        return None
    return fill("sections/lesson.html", channels=channels, compared=compared, lesson=result.lesson)


def compared_rows(result: AuditResult) -> list[tuple[str, str, str]]:
    """Return the comparisons that decided most: here, there, share of what was learned."""
    return [(left, right, percent(share)) for left, right, share in result.lesson.compared[:_MOST_COMPARED]]


def channel_rows(result: AuditResult) -> list[tuple[str, str, str]]:
    """Return what was compared by what it told: words, share, and the width of a bar in percent of the longest."""
    told = sorted(result.lesson.channels, key=lambda pair: -pair[1])[:_MOST_CHANNELS]
    longest = max((share for _, share in told), default=0.0) or 1.0
    return [(words, round_percent(share), f"{100 * share / longest:.1f}") for words, share in told]
