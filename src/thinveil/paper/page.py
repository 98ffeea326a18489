"""The page of a reproduction: each table with the paper's figures beside the measured ones, and its ROC curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from thinveil.auditing.results import RocCurve
from thinveil.paper.bars import draw_bars
from thinveil.paper.lab import Effort
from thinveil.paper.records import Block, Column, Line, Table, Value
from thinveil.report.page import make_environment
from thinveil.report.plots import draw_roc, inline_svg
from thinveil.report.shares import NOT_GIVEN, plural
from thinveil.report.spans import percent_range
from thinveil.runtime.versions import used_versions

if TYPE_CHECKING:
    from thinveil.paper.experiments import Experiment
    from thinveil.paper.running import Finished


def build_page(
    done: Sequence[Finished], sections: Sequence[dict[str, Any]], chosen: Sequence[Experiment], effort: Effort
) -> str:
    """Return the page as HTML that needs nothing outside itself; ``sections`` are those of the finished tables."""
    tables = [one.table for one in done if one.table]
    return (
        make_environment()
        .get_template("paper/page.html")
        .render(
            tables=sections,
            missing=[(one.experiment, one.missing) for one in done if one.missing],
            waiting=chosen[len(done) :],
            effort=effort_sentence(effort),
            quick=effort.quick,
            total=duration(sum(table.seconds for table in tables)),
            versions=used_versions(),
        )
    )


def effort_sentence(effort: Effort) -> str:
    """Say how much work stands behind each number."""
    return (
        f"{plural(effort.draws, 'draw')} of new people for each number, forests of {effort.trees:,} trees, "
        f"{effort.negatives:,} pairs of different people, unless a table says otherwise."
    )


def duration(seconds: float) -> str:
    """Return a time as a reader would say it.

    Examples
    --------
    >>> duration(3.21), duration(200)
    ('3.2 s', '3 min 20 s')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def print_number(number: float | None, column: Column) -> str:
    """Return a number as it stands in a column."""
    return NOT_GIVEN if number is None else f"{number:,.{column.decimals}f}"


def spread_words(value: Value, column: Column) -> str:
    """Return the spread between draws; where it says nothing, of one draw or of none or all, the 95% interval."""
    if value.ends is not None and (value.sd is None or value.mean in (0, 100)):
        return percent_range(*(end / 100 for end in value.ends))
    return "" if value.sd is None else f"± {value.sd:,.{column.decimals}f}"


def make_section(table: Table) -> dict[str, Any]:
    """Return what the page shows of a table. Its figures take a second, so it is made once."""
    return {
        "table": table,
        "seconds": duration(table.seconds),
        "draws": plural(table.draws, "draw"),
        "blocks": [_block(table.name, number, block) for number, block in enumerate(table.blocks)],
    }


def _block(name: str, number: int, block: Block) -> dict[str, Any]:
    timed = any(line.seconds is not None for line in block.lines)
    return {
        "title": block.title,
        "columns": block.columns,
        "lines": [_line(line, block.columns) for line in block.lines],
        "timed": timed,
        "roc": _roc(f"{name}-{number}", block) if block.curves else None,
        "bars": inline_svg(draw_bars(block), name=f"{name}-{number}-bars", label=block.title) if block.bars else None,
    }


def _line(line: Line, columns: Sequence[Column]) -> dict[str, Any]:
    cells = [
        (print_number(value.mean, column), spread_words(value, column), _paper(value, column))
        for value, column in zip(line.values, columns, strict=True)
    ]
    seconds = NOT_GIVEN if line.seconds is None else duration(line.seconds)
    return {
        "line": line,
        "cells": cells,
        "seconds": seconds,
        "hours": f"paper {line.hours:.1f} h" if line.hours else "",
    }


def _paper(value: Value, column: Column) -> str:
    return "" if value.paper is None else f"paper {print_number(value.paper, column)}"


def _roc(name: str, block: Block) -> Markup:
    assert block.curves is not None
    curves = {title: RocCurve(*np.array(points).T) for title, points in block.curves.points.items()}
    label = f"Share re-linked against false-positive rate, {block.title}: {', '.join(curves)}."
    return inline_svg(draw_roc(curves), name=name, label=label)
