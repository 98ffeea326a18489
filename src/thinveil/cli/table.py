"""An audit's result as a compact table on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from thinveil.auditing.results import Auc, AuditResult, FoundRate
from thinveil.measures.rates import FPRS
from thinveil.report.plans import protocol_warning
from thinveil.report.sections.beside import AttackRow, attack_rows
from thinveil.report.sections.naming import naming_sentence
from thinveil.report.shares import FEW, one_in
from thinveil.report.spans import area_range, short_range
from thinveil.report.words import caution, headline, person_sentence, spoken_rate, worst_sentence
from thinveil.runtime.visible import visible
from thinveil.schemes.base import title_of


def plain_console() -> Console:
    """Return a terminal that prints names as they are: brackets and colons in them are no markup."""
    return Console(highlight=False, markup=False, emoji=False)


def print_result(result: AuditResult, page: Path) -> None:
    """Print the headline, the rates and where the report is."""
    console = plain_console()
    told = (
        headline(result), naming_sentence(result), caution(result), worst_sentence(result), person_sentence(result),
        protocol_warning(result),
    )  # fmt: skip
    console.print("\n" + "\n".join(sentence for sentence in told if sentence) + "\n")
    show(console, rates_table(result))
    if rows := attack_rows(result):
        show(console, attacks_table(result, rows), keys=2)
    console.print(f"report  {visible(str(page))}", soft_wrap=True)


def show(console: Console, table: Table, *, keys: int = 1) -> None:
    """Print a table; on a terminal too narrow for it, each of its lines as a short list, so that no digit is lost.

    ``keys`` is how many of its first columns say what a line is about.
    """
    given = table.padding
    for padding in (given, 0):
        table.padding = padding
        with console.capture() as drawn:
            console.print(table)
        if "…" not in drawn.get():
            console.print(table)
            return
    if table.title:
        console.print(table.title)
    columns = [list(column.cells) for column in table.columns]
    for line in zip(*columns, strict=True):
        said = [str(cell) for cell in line[:keys]]
        last = str(table.columns[keys - 1].header)
        console.print(", ".join([*said, last] if last.startswith("at ") else said))
        for column, cell in zip(table.columns[keys:], line[keys:], strict=True):
            console.print(f"  {column.header}: {' '.join(str(cell).split())}")
    console.print()


def rates_table(result: AuditResult) -> Table:
    """Return the rates as a table: categories down, false-positive rates across."""
    plan = result.plan
    draws = "" if plan.repeats == 1 else f", {plan.repeats} draws (± between draws)"
    scheme = visible(title_of(plan.scheme))
    table = Table(
        title=f"Re-linked, % of pairs of one person (95% interval){draws}; scheme {scheme}, "
        f"protocol {plan.sampling.protocol}",
        title_justify="left",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    table.add_column("at FPR", no_wrap=True)
    for fpr in FPRS:
        table.add_column(f"{100 * fpr:g}%", justify="right", no_wrap=True)
    table.add_column("AUC", justify="right", no_wrap=True)
    for category in result.categories:
        rates = [result.rate(category, fpr) for fpr in FPRS]
        table.add_row(category, *map(_cell, rates), _area(result.auc.get(category)))
    return table


def attacks_table(result: AuditResult, rows: Sequence[AttackRow]) -> Table:
    """Return the attacks on the same releases as a table: attacks and protocols down, categories across."""
    spoken = spoken_rate(result)
    at = f" at FPR {one_in(spoken.fpr)}" if spoken else ""
    table = Table(
        title=f"Compared with other attacks{at}, % (95% interval)", title_justify="left", box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )  # fmt: skip
    for name in ("attack", "protocol"):
        table.add_column(name, no_wrap=True)
    for category in (*result.categories, "AUC"):
        table.add_column(category, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row.attack, row.protocol, *map(_cell, row.found), _area(row.area))
    return table


def _cell(rate: FoundRate | None) -> str:
    if rate is None:
        return "-"
    if rate.tpr is None or rate.low is None or rate.high is None:
        return "too few\npairs" if rate.positives else "no pairs"
    interval = short_range(rate.low, rate.high)
    if rate.positives < FEW:
        return f"{rate.hits} of {rate.positives}\n{interval}\ntoo few"
    spread = "" if rate.sd is None else f"\n±{100 * rate.sd:.1f}"
    return f"{_percent(rate.tpr)}\n{interval}{spread}"


def _percent(share: float) -> str:
    """Return a share in percent with one decimal; only exactly none is 0, and only exactly all is 100."""
    if 0 < share < 0.0005:
        return "<0.1"
    return ">99.9" if 0.9995 <= share < 1 else f"{100 * share:.1f}"


def _area(auc: Auc | None) -> str:
    return "-" if auc is None else f"{auc.mean:.3f}\n{area_range(auc.low, auc.high, between='-')}"
