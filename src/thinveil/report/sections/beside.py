"""Compared with other attacks: all of them on the same releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from thinveil.attacks import Attack
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import Auc, AuditResult, FoundRate
from thinveil.report.cells import Cell, auc_cell, rate_cell
from thinveil.report.plans import title_of
from thinveil.report.shares import one_in
from thinveil.report.templates import fill
from thinveil.report.words import spoken_rate
from thinveil.runtime.parameters import to_word

_NONE = Cell("no such pairs", missing=True)


@dataclass(frozen=True)
class AttackRow:
    """An attack under a protocol: what it found in each category, None without pairs, and the AUC over everybody."""

    attack: str
    words: str
    protocol: str
    found: tuple[FoundRate | None, ...]
    area: Auc | None
    is_main: bool

    @property
    def cells(self) -> tuple[Cell, ...]:
        """A cell for each category."""
        return tuple(_NONE if rate is None else rate_cell(rate) for rate in self.found)

    @property
    def auc(self) -> Cell:
        """The cell of the AUC."""
        return auc_cell(self.area)


def section(result: AuditResult) -> Markup | None:
    """Show the chosen attack and those beside it."""
    rows, spoken = attack_rows(result), spoken_rate(result)
    if not rows or spoken is None:
        return None
    return fill(
        "sections/beside.html",
        attacks=rows,
        fpr=one_in(spoken.fpr),
        repeats=result.plan.repeats,
        categories=result.categories,
    )


def attack_rows(result: AuditResult) -> list[AttackRow]:
    """Return a line for the chosen attack and for each beside it; none where there are no others to compare."""
    spoken = spoken_rate(result)
    if not result.beside or spoken is None:
        return []
    found = [(result.rates, result.auc), *((other.rates, other.auc) for other in result.beside)]
    return [
        AttackRow(
            _called(attack, result.plan),
            title_of(attack),
            protocol,
            tuple(_find(rates, category, spoken.fpr) for category in result.categories),
            areas.get("complete"),
            number == 0,
        )
        for number, ((attack, protocol), (rates, areas)) in enumerate(zip(result.plan.measured, found, strict=True))
    ]


def _called(attack: Attack, plan: Plan) -> str:
    """Return the name of an attack, with its parameters where two attacks of that name are compared."""
    same = [one for one in (plan.attack, *plan.beside) if one.name == attack.name]
    return attack.name if len(same) == 1 else to_word(attack.name, attack)


def _find(rates: Sequence[FoundRate], category: str, fpr: float) -> FoundRate | None:
    return next((rate for rate in rates if (rate.category, rate.fpr) == (category, fpr)), None)
