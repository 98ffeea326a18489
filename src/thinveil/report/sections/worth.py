"""What a claimed link is worth: how many of an attacker's links would be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from thinveil.auditing.results import AuditResult, LinkWorth
from thinveil.report.cells import Cell, Row, column_heads, missing_cell, rates_of
from thinveil.report.plans import leak
from thinveil.report.shares import NOT_GIVEN, amount, amount_or_bound, round_percent
from thinveil.report.spans import round_range
from thinveil.report.templates import fill
from thinveil.report.whereabouts import has_egos, places_of
from thinveil.report.words import category_words


def section(result: AuditResult) -> Markup:
    """Show the worth of links, or say that it is not known."""
    sampling = result.plan.sampling
    return fill(
        "sections/worth.html",
        alone=search_rows(result),
        whole=whole_rows(result),
        sizes=whole_sizes(result),
        fprs=column_heads(result),
        people=sampling.people,
        is_near=has_egos(result) and sampling.protocol == "matched",
        leaking=sampling.protocol if leak(result) else "",
        places=places_of(result),
    )


def search_rows(result: AuditResult) -> list[Row]:
    """Return, for each category, what a claimed link is worth to somebody who looks for one person."""
    alone = _of_task(result, "one person")
    crowds = {worth.category: f"one among {worth.people:,.0f} people" for worth in alone}
    return [
        Row(name, crowds.get(name, category_words(result).get(name, "")), tuple(_cells(result, alone, name)))
        for name in (result.categories if alone else ())
    ]


def whole_rows(result: AuditResult) -> list[Row]:
    """Return what somebody gets who compares everybody of one sub-graph with everybody of another."""
    tasks = _of_task(result, "two sub-graphs")
    return (
        [Row("complete", category_words(result)["complete"], tuple(_cells(result, tasks, "complete")))] if tasks else []
    )


def whole_sizes(result: AuditResult) -> tuple[str, str] | None:
    """Return the pairs compared in the task of two sub-graphs, and the people who are in both."""
    tasks = _of_task(result, "two sub-graphs")
    # all pairs but those of the people in both can be wrong, at the false-positive rate
    return (amount(tasks[0].pairs), amount(tasks[0].shared)) if tasks else None


def _of_task(result: AuditResult, task: str) -> list[LinkWorth]:
    return [worth for worth in result.worth if worth.task == task]


def _cells(result: AuditResult, tasks: Sequence[LinkWorth], category: str) -> Iterable[Cell]:
    for rate in rates_of(result.rates, category):
        worth = next((task for task in tasks if task.category == category and task.fpr == rate.fpr), None)
        if worth is None:
            yield missing_cell(rate)
        else:
            yield _worth_cell(worth)


def _worth_cell(worth: LinkWorth) -> Cell:
    share = NOT_GIVEN if worth.precision is None else round_percent(worth.precision)
    right = f"{amount_or_bound(worth.right, worth.right_high)} right"
    wrong = f"{amount_or_bound(worth.wrong, worth.wrong_high)} wrong"
    return Cell(share, (round_range(worth.precision_low, worth.precision_high), right, wrong))
