"""The paper's bar chart: columns of a block side by side, ours with the spread between draws, the paper's as lines."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from thinveil.paper.records import Block
from thinveil.report.plots import BAR, INK, STYLE, WRONG

_LOOKS: tuple[dict[str, Any], ...] = ({"facecolor": BAR}, {"facecolor": WRONG, "hatch": "///"})
_WIDTH = 0.36


def draw_bars(block: Block) -> Figure:
    """Draw the columns that the block wants drawn: bars for means, whiskers for spreads, lines for the paper."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 4.0), layout="constrained")
        axes = figure.add_subplot()
        chosen = [k for k, column in enumerate(block.columns) if column.name in block.bars]
        for number, k in enumerate(chosen):
            for place, line in enumerate(block.lines):
                value, at = line.values[k], place + (number - (len(chosen) - 1) / 2) * (_WIDTH + 0.04)
                if value.mean is not None:
                    axes.bar(at, value.mean, _WIDTH, yerr=value.sd, alpha=0.6, capsize=3, **_LOOKS[number % 2])
                if value.paper is not None:
                    axes.plot([at - _WIDTH / 2, at + _WIDTH / 2], [value.paper] * 2, color=INK, linewidth=2)
        axes.set_xticks(range(len(block.lines)), [line.name for line in block.lines])
        axes.set_ylabel("%")
        axes.grid(True, axis="y")
        handles = [Patch(alpha=0.6, label=name, **_LOOKS[k % 2]) for k, name in enumerate(block.bars)]
        figure.legend(handles=[*handles, Line2D([], [], color=INK, linewidth=2, label="the paper")],
                      loc="outside upper left", ncols=3)  # fmt: skip
    return figure
