"""Figures of a result: each function takes results and returns a matplotlib figure; ``inline_svg`` prints it.

No pyplot and no lasting change of matplotlib's settings, so that drawing a report disturbs nobody's figures.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, PercentFormatter

from thinveil.auditing.results import DegreeRisk, FoundRate, RocCurve
from thinveil.measures.mistakes import OverlapRisk
from thinveil.report.shares import one_in, overlap_span, percent, round_percent
from thinveil.report.words import CATEGORY_WORDS

INK, MUTED, GRID, BAR, WRONG = "#22272e", "#5b6470", "#e3e1da", "#0072b2", "#d55e00"

# Okabe and Ito's colours, told apart by the colour-blind; the dashes tell them apart in grey print
_LOOKS: dict[str, dict[str, Any]] = {
    "1-hop": {"color": "#d55e00", "linestyle": (0, (6, 1.5))},
    "1,2-hop": {"color": "#009e73", "linestyle": (0, (3, 1, 1, 1))},
    "2-hop": {"color": "#0072b2", "linestyle": (0, (1.5, 1))},
    "complete": {"color": INK, "linestyle": "solid", "linewidth": 2.4},
}

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: small, searchable, read aloud
    "svg.hashsalt": "thinveil",  # else ids differ from run to run
    "font.family": ["DejaVu Sans"],  # comes with matplotlib: the same layout everywhere
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "legend.frameon": False,
}
_FONTS = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
_NO_METADATA = {"Creator": None, "Date": None, "Format": None, "Type": None}


def draw_roc(curves: Mapping[str, RocCurve], *, words: Mapping[str, str] = CATEGORY_WORDS) -> Figure:
    """Draw the share found against the false-positive rate, on a logarithmic axis; bands are 95% intervals."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 5.0), layout="constrained")
        axes = figure.add_subplot()
        for category, curve in curves.items():
            look = {"linewidth": 1.8, **_LOOKS.get(category, {})}
            (line,) = axes.plot(curve.fpr, curve.tpr, label=_curve_name(category, words), **look)
            axes.fill_between(curve.fpr, curve.low, curve.high, color=line.get_color(), alpha=0.12, lw=0)
        least = min((curve.fpr[0] for curve in curves.values()), default=1e-4)
        diagonal = sorted(next(iter(curves.values())).fpr) if curves else [least, 1.0]
        axes.plot(diagonal, diagonal, color=MUTED, linewidth=1, linestyle="dotted", label="guessing")
        axes.set_xscale("log")
        axes.set_xlim(least, 1)
        axes.set_ylim(0, 1.01)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda fpr, _: "all" if fpr >= 1 else one_in(fpr)))
        axes.minorticks_off()
        _name(axes, "Pairs of different people wrongly linked", "Appearances of one person rightly linked")
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        # above the axes, for no corner of a ROC curve is sure to be empty
        figure.legend(loc="outside upper left", ncols=2)
        axes.grid(True)
    return figure


def draw_categories(rates: Sequence[FoundRate], words: Mapping[str, str] = CATEGORY_WORDS) -> Figure:
    """Draw the share found in each category as bars with their intervals; unsupported ones stay empty."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 0.62 * len(rates) + 0.9), layout="constrained")
        axes = figure.add_subplot()
        for place, rate in enumerate(rates):
            color = _LOOKS.get(rate.category, {}).get("color", BAR)
            if rate.tpr is None or rate.low is None or rate.high is None:
                axes.text(0.005, place, "cannot be given", va="center", color=MUTED)
                continue
            axes.barh(place, rate.tpr, height=0.56, color=color, alpha=0.6)
            _draw_interval(axes, place, rate)
        axes.set_yticks(range(len(rates)), [_bar_name(rate.category, words) for rate in rates])
        _set_shares(axes, [rate.high or 0.0 for rate in rates])
        axes.set_xlabel("Share re-linked, with 95% interval; beside it, pairs found")
    return figure


def draw_degrees(risks: Sequence[DegreeRisk], *, contacts: str = "Contacts") -> Figure:
    """Draw the share found by the number of contacts, as bars with intervals, and the counts beside them."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 0.36 * len(risks) + 1.0), layout="constrained")
        axes = figure.add_subplot()
        for place, risk in enumerate(risks):
            axes.barh(place, risk.tpr, height=0.62, color=BAR, alpha=0.6)
            _draw_interval(axes, place, risk)
        axes.set_yticks(range(len(risks)), [degree_span(risk) for risk in risks])
        axes.set_ylabel("Contacts")
        _set_shares(axes, [risk.high for risk in risks])
        axes.set_xlabel(f"Share re-linked, with 95% interval; beside it, pairs found\nLeft, {_begin_low(contacts)}")
    return figure


def draw_overlaps(risks: Sequence[OverlapRisk]) -> Figure:
    """Draw the shares linked, rightly and wrongly, side by side by overlap, with intervals and the counts below."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 4.4), layout="constrained")
        axes = figure.add_subplot()
        for place, risk in enumerate(risks):
            right, wrong = (risk.tpr, risk.tpr_low, risk.tpr_high), (risk.fpr, risk.fpr_low, risk.fpr_high)
            _draw_side(axes, place - 0.2, risk.positives, right, color=BAR)
            _draw_side(axes, place + 0.2, risk.negatives, wrong, color=WRONG, hatch="///")
        axes.set_xticks(range(len(risks)), [_overlap_counts(risk) for risk in risks])
        tops = [top for risk in risks for top in (risk.tpr_high, risk.fpr_high) if top is not None]
        axes.set_xlim(-0.6, len(risks) - 0.4)
        axes.set_ylim(0, min(1.1, _headroom(tops)))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.tick_params(axis="x", length=0, labelsize=9)
        axes.grid(True, axis="y")
        _name(
            axes, "Overlap of the two neighbourhoods; below, pairs linked: one person, different people", "Share linked"
        )
        looks: list[dict[str, Any]] = [{"facecolor": BAR}, {"facecolor": WRONG, "hatch": "///"}]
        names = ("one person, rightly linked", "different people, wrongly linked")
        bars = [Patch(alpha=0.6, label=name, **look) for name, look in zip(names, looks, strict=True)]
        figure.legend(handles=bars, loc="outside upper left", ncols=2)
    return figure


def _draw_interval(axes: Axes, place: float, found: FoundRate | DegreeRisk) -> None:
    """Draw an interval on a lying bar, and beside it the share and the counts behind it."""
    if found.tpr is None or found.low is None or found.high is None:
        return
    axes.plot([found.low, found.high], [place, place], color=INK, linewidth=1.6, marker="|", markersize=8)
    label = f"{percent(found.tpr)}, {found.hits:,} of {found.positives:,}"
    axes.annotate(label, (found.high, place), (7, 0), textcoords="offset points", va="center")


def _set_shares(axes: Axes, tops: Sequence[float]) -> None:
    """Give lying bars an axis of shares that leaves room for the words beside them; the first bar is on top."""
    axes.invert_yaxis()
    axes.set_xlim(0, 1.2 * _headroom(tops))
    axes.set_xticks([tick for tick in axes.get_xticks() if 0 <= tick <= 1])
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.tick_params(axis="y", length=0)
    axes.grid(True, axis="x")


def _begin_low(words: str) -> str:
    return words[:1].lower() + words[1:]


def _draw_side(axes: Axes, place: float, pairs: int, share: tuple[float | None, ...], **look: Any) -> None:
    """Draw one bar with its interval and number; where there are too few pairs, say so."""
    value, low, high = share
    if value is None or low is None or high is None:
        words = "too few" if pairs else "no pairs"
        axes.annotate(words, (place, 0), (0, 4), textcoords="offset points", rotation=90, ha="center", color=MUTED)
        return
    axes.bar(place, value, width=0.36, alpha=0.6, **look)
    axes.plot([place, place], [low, high], color=INK, linewidth=1.4, marker="_", markersize=6)
    label = round_percent(value)
    axes.annotate(label, (place, high), (0, 4), textcoords="offset points", ha="center", fontsize=8)


def _overlap_counts(risk: OverlapRisk) -> str:
    sides = ((risk.hits, risk.positives), (risk.false_positives, risk.negatives))
    counts = [f"{'?' if hits is None else f'{hits:,}'} of {pairs:,}" for hits, pairs in sides]
    return "\n".join((overlap_span(risk), *counts))


def inline_svg(figure: Figure, *, name: str, label: str) -> Markup:
    """Print a figure as SVG to stand in a page: labelled, ids its own, nothing referred to outside."""
    page = io.StringIO()
    with mpl.rc_context(STYLE):
        figure.savefig(page, format="svg", metadata=_NO_METADATA, transparent=True)
    svg = page.getvalue()
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)  # would style the page
    svg = re.sub(r"(\d\.\d\d)\d+", r"\1", svg)  # a hundredth of a point is finer than any screen
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg).replace("xlink:href", "href")
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = svg.replace("'DejaVu Sans'", _FONTS)
    words = escape(label)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{words}"', 1)
    return Markup(svg.replace(">", f"><title>{words}</title>", 1))


def _curve_name(category: str, words: Mapping[str, str]) -> str:
    return f"{category}: {words[category]}" if category in words else category


def _bar_name(category: str, words: Mapping[str, str]) -> str:
    return f"{category}\n{words.get(category, '')}".replace(", ", ",\n")


def degree_span(risk: DegreeRisk) -> str:
    """Say which degrees a range holds."""
    return f"{risk.lowest:,} or more" if risk.highest is None else f"{risk.lowest:,} to {risk.highest:,}"


def _name(axes: Axes, x: str, y: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def _headroom(tops: Sequence[float]) -> float:
    """Return the end of an axis that leaves room for the labels beside the bars."""
    return max(0.01, 1.15 * max(tops, default=0.0))
