"""Who is at risk: by distance from the egos, and by number of contacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from thinveil.auditing.results import HEADLINE_FPR, AuditResult, DegreeRisk, FoundRate
from thinveil.report import plots
from thinveil.report.shares import one_in, percent
from thinveil.report.spans import percent_range
from thinveil.report.templates import fill
from thinveil.report.whereabouts import places_of
from thinveil.report.words import category_words, spoken_rate


def section(result: AuditResult) -> Markup:
    """Show the share re-linked of each group."""
    spoken = spoken_rate(result)
    rates = [rate for rate in result.rates if spoken and rate.fpr == spoken.fpr]
    return fill(
        "sections/groups.html",
        by_category=_categories(rates, category_words(result)) if len(rates) > 1 else None,
        by_degree=_degrees(result) if result.by_degree else None,
        spoken=one_in(spoken.fpr) if spoken else "",
        fpr=one_in(HEADLINE_FPR),
    )


def _categories(rates: Sequence[FoundRate], words: Mapping[str, str]) -> Markup:
    shares = ", ".join(f"{rate.category} {share}" for rate in rates if (share := _share(rate)))
    label = f"Share of people re-linked by category, with 95% intervals: {shares}."
    return plots.inline_svg(plots.draw_categories(rates, words), name="categories", label=label)


def _share(found: FoundRate | DegreeRisk) -> str:
    """Return a share with its interval and the pairs it rests on; empty where it cannot be given."""
    if found.tpr is None or found.low is None or found.high is None:
        return ""
    return f"{percent(found.tpr)} ({percent_range(found.low, found.high)}; {found.hits:,} of {found.positives:,} pairs)"


def _degrees(result: AuditResult) -> Markup:
    shares = ", ".join(f"{plots.degree_span(risk)} contacts {_share(risk)}" for risk in result.by_degree)
    label = f"Share of people re-linked by number of contacts, with 95% intervals: {shares}."
    figure = plots.draw_degrees(result.by_degree, contacts=places_of(result).least)
    return plots.inline_svg(figure, name="degrees", label=label)
