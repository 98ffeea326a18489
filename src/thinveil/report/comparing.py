"""Other attacks beside the chosen one, and links that support each other: rows of tables, and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thinveil.auditing.results import Auc, AuditResult, FoundRate, LinkRound
from thinveil.report.shares import NOT_GIVEN, percent, plural, round_percent
from thinveil.report.tables import Cell, auc_cell, rate_cell
from thinveil.report.words import spoken_rate

ATTACK_NAMES = {
    "strong": "many comparisons, and links that support each other",
    "forest": "the forest of Sharad and Danezis (2014)",
    "signature": "equal degrees among a person's contacts",
}
"""What stands below the name of an attack."""

_NONE = Cell("no such pairs", missing=True)


@dataclass(frozen=True)
class AttackRow:
    """An attack under a protocol: a cell for each category, and the AUC over everybody."""

    attack: str
    words: str
    protocol: str
    cells: tuple[Cell, ...]
    auc: Cell
    is_main: bool


def attack_rows(result: AuditResult) -> list[AttackRow]:
    """Return a row for the chosen attack and for each beside it; none where there are no others to compare."""
    spoken = spoken_rate(result)
    if not result.beside or spoken is None:
        return []
    chosen = result.settings
    kinds: list[tuple[str, str, Sequence[FoundRate], dict[str, Auc]]] = [
        (chosen.attack, chosen.protocol, result.rates, result.auc),
        *((found.attack, found.protocol, found.rates, found.auc) for found in result.beside),
    ]
    return [
        AttackRow(
            attack,
            ATTACK_NAMES.get(attack, ""),
            protocol,
            tuple(_cell(rates, category, spoken.fpr) for category in result.categories),
            auc_cell(areas.get("complete")),
            number == 0,
        )
        for number, (attack, protocol, rates, areas) in enumerate(kinds)
    ]


def _cell(rates: Sequence[FoundRate], category: str, fpr: float) -> Cell:
    return next((rate_cell(rate) for rate in rates if (rate.category, rate.fpr) == (category, fpr)), _NONE)


@dataclass(frozen=True)
class MeanRound:
    """One round, over all draws: mean counts, and shares of all their links."""

    people: float
    rows: float
    pairs: float
    precision: float | None
    recall: float | None


def mean_rounds(draws: Sequence[Sequence[LinkRound]]) -> list[MeanRound]:
    """Join the rounds of all draws; one that needed fewer stays at its last.

    Examples
    --------
    >>> first, second = LinkRound(10, 20, 10, 9, 40), LinkRound(20, 50, 40, 30, 40)
    >>> [(each.people, each.precision, each.recall) for each in mean_rounds([(first, second), (first,)])]
    [(10.0, 0.9, 0.225), (15.0, 0.78, 0.4875)]
    """
    held = [rounds for rounds in draws if rounds]
    longest = max((len(rounds) for rounds in held), default=0)
    return [_mean([rounds[min(k, len(rounds) - 1)] for rounds in held]) for k in range(longest)]


def _mean(rounds: Sequence[LinkRound]) -> MeanRound:
    people, rows, pairs, right, every = (
        sum(getattr(each, name) for each in rounds) for name in ("people", "rows", "pairs", "right", "all_pairs")
    )
    total, draws = LinkRound(people, rows, pairs, right, every), len(rounds)
    return MeanRound(people / draws, rows / draws, pairs / draws, total.precision, total.recall)


def round_rows(rounds: Sequence[MeanRound]) -> list[tuple[str, ...]]:
    """Return a line for each round: its number, people, appearances, links, share right, share of all found."""
    return [
        (
            str(number),
            *(f"{value:,.0f}" for value in (each.people, each.rows, each.pairs)),
            *(NOT_GIVEN if share is None else percent(share) for share in (each.precision, each.recall)),
        )
        for number, each in enumerate(rounds, start=1)
    ]


def rounds_sentence(rounds: Sequence[MeanRound]) -> str:
    """Say where the last round ended; empty where there were none, or nothing was linked."""
    if not rounds:
        return ""
    last = rounds[-1]
    if last.precision is None or last.recall is None:
        return "No two appearances were so alike that the attack put them together."
    return (
        f"After {plural(len(rounds), 'round')} the attack had put {last.rows:,.0f} appearances together as "
        f"{last.people:,.0f} people. Of the links that this claims, {round_percent(last.precision)} are right; they "
        f"are {round_percent(last.recall)} of all links that there are to find."
    )
