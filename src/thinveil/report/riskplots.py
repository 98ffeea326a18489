"""Figures of each person's risk, and of links by round."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

from thinveil.measures.people import PersonRisks
from thinveil.report.plots import BAR, INK, MUTED, STYLE, WRONG

Share = tuple[float, float, float]
"""A share and the ends of its interval."""


def draw_risks(risk: PersonRisks) -> Figure:
    """Draw how many people have which risk; those who were never linked stand apart."""
    step = 100 // len(risk.bins)
    names = ["not\nlinked", *(f"up to\n{step * (k + 1)}%" for k in range(len(risk.bins)))]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 3.6), layout="constrained")
        axes = figure.add_subplot()
        places, counts = [-0.4, *range(1, len(names))], [risk.never, *risk.bins]
        colors = [MUTED, *[WRONG] * len(risk.bins)]
        axes.bar(places, counts, width=0.78, color=colors, alpha=0.65)
        for place, count in zip(places, counts, strict=True):
            axes.annotate(_count(count), (place, count), (0, 3), textcoords="offset points", ha="center", fontsize=9)
        axes.set_xticks(places, names)
        axes.set_ylim(0, 1.12 * max(counts) or 1)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count:,.0f}"))
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.tick_params(axis="x", length=0, labelsize=9)
        axes.grid(True, axis="y")
        axes.set_xlabel("Risk: share of the person's pairs of appearances that were linked")
        axes.set_ylabel("People")
    return figure


def draw_rounds(right: Sequence[Share | None], found: Sequence[Share | None]) -> Figure:
    """Draw by round which share of the links is right, and which share of all was found, with 95% intervals."""
    places = range(1, len(right) + 1)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 3.4), layout="constrained")
        axes = figure.add_subplot()
        lines = (
            ("links claimed that are right", right, BAR, "solid", "o"),
            ("links there are that were found", found, WRONG, (0, (5, 1.5)), "s"),
        )
        for name, shares, color, dashes, marker in lines:
            values = [float("nan") if share is None else share[0] for share in shares]
            axes.plot(places, values, color=color, linestyle=dashes, marker=marker, label=name, linewidth=1.8)
            given = [(place, *share[1:]) for place, share in zip(places, shares, strict=True) if share is not None]
            if given:
                axes.vlines(*zip(*given, strict=True), color=color, linewidth=1.2)
        axes.set_xticks(places)
        axes.set_xlim(0.7, len(right) + 0.3)
        axes.set_ylim(0, 1.03)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.grid(True)
        axes.set_xlabel("Round", color=INK)
        figure.legend(loc="outside upper left", ncols=2)
    return figure


def _count(value: float) -> str:
    return f"{value:,.0f}" if value >= 0.5 or value == 0 else "< 1"
