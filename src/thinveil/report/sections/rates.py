"""How many are re-linked: the rates of each category, beside those of guessing."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from thinveil.auditing.results import Auc, AuditResult, FoundRate
from thinveil.report.cells import Row, auc_cell, column_heads, rate_cell, rates_of
from thinveil.report.templates import fill
from thinveil.report.whereabouts import has_egos, places_of
from thinveil.report.words import category_words, interval_sentence


def section(result: AuditResult) -> Markup:
    """Show the rates."""
    rows = rate_rows(result)
    return fill(
        "sections/rates.html",
        rates=rows,
        fprs=column_heads(result),
        shaky=any(cell.shaky for row in rows for cell in row.cells),
        repeats=result.plan.repeats,
        interval=interval_sentence(result),
        has_egos=has_egos(result),
        places=places_of(result),
    )


def rate_rows(result: AuditResult) -> list[Row]:
    """Return a line for each category, and one for guessing."""
    rows = [
        _row(name, category_words(result).get(name, ""), rates_of(result.rates, name), result.auc.get(name))
        for name in result.categories
    ]
    return [
        *rows,
        _row("guessing", "random scores, same pairs as complete", rates_of(result.baseline, "complete"), None),
    ]


def _row(name: str, words: str, rates: Sequence[FoundRate], auc: Auc | None) -> Row:
    return Row(
        name,
        words,
        tuple(rate_cell(rate) for rate in rates),
        auc_cell(auc),
        f"{max((rate.positives for rate in rates), default=0):,}",
        f"{max((rate.negatives for rate in rates), default=0):,}",
    )
