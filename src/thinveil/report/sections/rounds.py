"""Links that support each other: what was linked, round by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from thinveil.auditing.results import AuditResult, LinkRound
from thinveil.measures.rates import share_bounds
from thinveil.report.cells import Cell
from thinveil.report.plots import inline_svg
from thinveil.report.riskplots import Share, draw_rounds
from thinveil.report.shares import NOT_GIVEN, percent, plural, plural_people, round_percent
from thinveil.report.spans import percent_range, round_range
from thinveil.report.templates import fill


def section(result: AuditResult) -> Markup | None:
    """Show the rounds, where the attack has any."""
    rounds = mean_rounds(result.rounds)
    if not rounds:
        return None
    rows = round_rows(rounds)
    shares = ", ".join(f"round {row[0].main}: {row[4].main} and {row[5].main}" for row in rows)
    label = f"Share of links that are right, and of all links that were found: {shares}."
    figure = draw_rounds([each.precision for each in rounds], [each.recall for each in rounds])
    return fill(
        "sections/rounds.html",
        rounds=rows,
        words=rounds_sentence(rounds),
        figure=inline_svg(figure, name="rounds", label=label),
        draws=len(result.rounds),
    )


@dataclass(frozen=True)
class MeanRound:
    """One round, over all draws: mean counts, and shares of all their links, each with its 95% interval.

    The links of one person are right or wrong, found or missed, together: in the intervals they count as one.
    """

    people: float
    appearances: float
    pairs: float
    precision: Share | None
    recall: Share | None


def mean_rounds(draws: Sequence[Sequence[LinkRound]]) -> list[MeanRound]:
    """Join the rounds of all draws; one that needed fewer stays at its last.

    Examples
    --------
    >>> first, second = LinkRound(10, 20, 10, 9, 40), LinkRound(20, 50, 40, 30, 40)
    >>> [(each.people, each.precision[0], each.recall[0]) for each in mean_rounds([(first, second), (first,)])]
    [(10.0, 0.9, 0.225), (15.0, 0.78, 0.4875)]
    """
    held = [rounds for rounds in draws if rounds]
    longest = max((len(rounds) for rounds in held), default=0)
    return [_mean([rounds[min(k, len(rounds) - 1)] for rounds in held]) for k in range(longest)]


def _mean(rounds: Sequence[LinkRound]) -> MeanRound:
    names = ("people", "appearances", "pairs", "right", "all_pairs")
    total, draws = LinkRound(*(sum(getattr(each, name) for each in rounds) for name in names)), len(rounds)
    counts = (total.people / draws, total.appearances / draws, total.pairs / draws)
    if not total.people:  # nothing tells how many links hang together, and so how sure "none" would be
        return MeanRound(*counts, None, None)
    size = total.pairs / total.people  # links that stand for one independent trial
    return MeanRound(
        *counts, _with_ends(total.precision, total.pairs / size), _with_ends(total.recall, total.all_pairs / size)
    )


def _with_ends(share: float | None, trials: float) -> Share | None:
    return None if share is None else (share, *share_bounds(share, max(1, int(trials + 1e-9))))


def round_rows(rounds: Sequence[MeanRound]) -> list[tuple[Cell, ...]]:
    """Return a line for each round: its number, people, appearances, links, share right, share of all found."""
    return [
        (
            Cell(str(number)),
            *(Cell(f"{value:,.0f}") for value in (each.people, each.appearances, each.pairs)),
            *map(_share_cell, (each.precision, each.recall)),
        )
        for number, each in enumerate(rounds, start=1)
    ]


def _share_cell(share: Share | None) -> Cell:
    return Cell(NOT_GIVEN) if share is None else Cell(percent(share[0]), (percent_range(*share[1:]),))


def rounds_sentence(rounds: Sequence[MeanRound]) -> str:
    """Say where the last round ended; empty where there were none."""
    if not rounds:
        return ""
    last = rounds[-1]
    if last.precision is None or last.recall is None:
        return (
            "No two appearances were so alike that the attack took them for one person. That is what this attack did "
            "not find, not what cannot be found."
        )
    return (
        f"After {plural(len(rounds), 'round')} the attack had put {last.appearances:,.0f} appearances together as "
        f"{plural_people(last.people)}. Of the {last.pairs:,.0f} links that this claims, {_rough(last.precision)} are "
        f"right; they are {_rough(last.recall)} of all links that there are to find."
    )


def _rough(share: Share) -> str:
    return f"{round_percent(share[0])} (95% interval {round_range(*share[1:])})"
