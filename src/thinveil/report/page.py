"""One self-contained page: words, tables and figures of a result, poured into ``page.html``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from thinveil.auditing.results import HEADLINE_FPR, OVERLAP_FPR, AuditResult, FoundRate
from thinveil.report import comparing, limits, overlaps, people, plots, riskplots, tables, words
from thinveil.report.shares import Frequency, of_rate, one_in, percent, plural

_MOST_DOTS = 1000


def build_page(result: AuditResult) -> str:
    """Return the report as HTML that needs nothing outside itself."""
    return (
        make_environment()
        .get_template("report/page.html")
        .render(
            result=result,
            name=printable(result.graph.title) or "unnamed graph",
            **_top(result),
            **_tables(result),
            **_figures(result),
            **_people(result),
            **_rounds(result),
            egos=words.egos_sentence(result.egos) if words.has_egos(result) else "",
            leak=words.leak(result),
            limits=limits.limits(result),
        )
    )


def make_environment() -> Environment:
    """Return what fills the templates of this package."""
    return Environment(
        loader=PackageLoader("thinveil", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def printable(text: str) -> str:
    """Return a text with the bytes of a file name that are no text replaced by question marks."""
    return text.encode("utf-8", "replace").decode()


def _top(result: AuditResult) -> dict[str, Any]:
    """Return headline, the number that stands large beside it, and the sentences below."""
    graph, spoken = result.graph, words.spoken_rate(result)
    share = of_rate(spoken) if spoken and result.found_something else None
    return {
        "headline": words.headline(result),
        "caution": words.caution(result),
        "share": share,
        "dots": dots(share, spoken.tpr or 0.0) if share and spoken else None,
        "spread": words.spread_sentence(result),
        "per_person": words.person_sentence(result),
        "interval_words": limits.interval_sentence(result),
        "worst": words.worst_sentence(result),
        "scheme": words.scheme_sentence(result.settings),
        "attack": words.attack_sentence(result),
        "protocol": words.protocol_sentence(result),
        "draws": words.draws_sentence(result),
        "people": plural(graph.nodes, "node") + " and " + plural(graph.edges, "edge"),
    }


def _tables(result: AuditResult) -> dict[str, Any]:
    rates = tables.rate_rows(result)
    return {
        "fprs": [(percent_head(fpr), one_in(fpr)) for fpr in tables.fprs(result)],
        "rates": rates,
        "shaky": tables.has_shaky(rates),
        "worth": tables.worth_rows(result),
        "couples": tables.couple_rows(result),
        "sizes": tables.couple_sizes(result),
        "components": tables.component_rows(result),
        "learned": tables.learned_rows(result),
        "attacks": comparing.attack_rows(result),
        "settings": tables.setting_rows(result),
    }


def _figures(result: AuditResult) -> dict[str, Any]:
    """Return the figures as SVG; None where there is nothing to draw."""
    spoken = words.spoken_rate(result)
    rates = [rate for rate in result.rates if spoken and rate.fpr == spoken.fpr]
    return {
        "roc": _roc(result) if result.roc else None,
        "by_category": _category_bars(rates) if len(rates) > 1 else None,
        "by_degree": _degree_bars(result) if result.by_degree else None,
        "by_overlap": _overlap_bars(result) if result.by_overlap else None,
        "overlap_sample": overlaps.sample_sentence(result.by_overlap),
        "overlap_words": overlaps.overlap_sentences(result.by_overlap),
        "overlap_fpr": one_in(OVERLAP_FPR),
        "spoken_fpr": one_in(spoken.fpr) if spoken else "",
        "headline_fpr": one_in(HEADLINE_FPR),
    }


def _people(result: AuditResult) -> dict[str, Any]:
    """Return what the page says of each person's risk."""
    risk = result.risk
    if risk is None:
        return {"by_person": None}
    label = (
        f"People by risk: {risk.never:,.0f} never linked, and by steps of 10% from the lowest risk to the highest "
        f"{', '.join(f'{count:,.0f}' for count in risk.bins)}."
    )
    return {
        "by_person": plots.inline_svg(riskplots.draw_risks(risk), name="people", label=label),
        "people_words": people.people_sentence(risk),
        "exposed": people.exposed_sentences(risk),
        "risk_groups": people.group_rows(risk),
    }


def _rounds(result: AuditResult) -> dict[str, Any]:
    """Return what the page says of links that lead to more."""
    rounds = comparing.mean_rounds(result.rounds)
    rows = comparing.round_rows(rounds)
    if not rounds:
        return {"rounds": rows}
    shares = ", ".join(f"round {row[0]}: {row[4]} and {row[5]}" for row in rows)
    label = f"Share of links that are right, and of all links that were found: {shares}."
    return {
        "rounds": rows,
        "rounds_words": comparing.rounds_sentence(rounds),
        "by_round": plots.inline_svg(riskplots.draw_rounds(rounds), name="rounds", label=label),
    }


def _roc(result: AuditResult) -> Markup:
    areas = ", ".join(f"{name} {area.mean:.3f}" for name, area in result.auc.items())
    label = f"Share of people re-linked against false-positive rate. Areas under the curves: {areas}."
    return plots.inline_svg(plots.draw_roc(result.roc, draws=result.settings.repeats), name="roc", label=label)


def _category_bars(rates: Sequence[FoundRate]) -> Markup:
    shares = ", ".join(f"{rate.category} {percent(rate.tpr)}" for rate in rates if rate.tpr is not None)
    label = f"Share of people re-linked by category: {shares}."
    return plots.inline_svg(plots.draw_categories(rates), name="categories", label=label)


def _degree_bars(result: AuditResult) -> Markup:
    shares = ", ".join(f"{plots.degree_span(risk)} contacts {percent(risk.tpr)}" for risk in result.by_degree)
    label = f"Share of people re-linked by number of contacts: {shares}."
    return plots.inline_svg(plots.draw_degrees(result.by_degree), name="degrees", label=label)


def _overlap_bars(result: AuditResult) -> Markup:
    shown = [risk for risk in result.by_overlap if risk.positives or risk.negatives]
    given = [["not given" if share is None else percent(share) for share in (r.tpr, r.fpr)] for r in shown]
    spans = map(overlaps.overlap_span, shown)
    shares = ", ".join(f"{span}: {' and '.join(pair)}" for span, pair in zip(spans, given, strict=True))
    label = f"Shares of pairs of one person and of different people that are linked, by overlap: {shares}."
    return plots.inline_svg(plots.draw_overlaps(shown), name="overlaps", label=label)


def percent_head(fpr: float) -> str:
    """Return a false-positive rate as the head of a column: ``0.01%``, ``25%``."""
    return f"{100 * fpr:.6g}%"


def dots(share: Frequency, value: float) -> dict[str, str] | None:
    """Lay out one dot per person, those found apart from the others, as two SVG paths; None if too many."""
    if share.base > _MOST_DOTS:
        return None
    columns = 10 if share.base == 100 else 40
    found = round(value * share.base)
    marks = [f"M{k % columns} {k // columns}h0" for k in range(share.base)]
    return {
        "found": "".join(marks[:found]),
        "others": "".join(marks[found:]),
        "box": f"-0.5 -0.5 {columns} {share.base // columns}",
    }
