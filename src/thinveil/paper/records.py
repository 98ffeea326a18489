"""What a reproduction gives: tables of measured values with the paper's beside them, ready for JSON and CSV.

A *value* is what was measured in each draw, and what the paper prints, if anything. A *line* is a row of values
under a table's columns; lines stand in *blocks* (the paper's "Scheme 1" and "Scheme 2"), each of which may have
ROC curves. Everything is plain data, so that a finished table survives the run that made it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

_CSV_HEAD = (
    "table", "data", "block", "line", "column", "unit", "paper", "mean", "sd", "draws", "least", "most",
    "low", "high", "pairs", "seconds", "paper_hours",
)  # fmt: skip


@dataclass(frozen=True)
class Column:
    """A heading, the unit of what stands below, and with how many decimals it is printed."""

    name: str
    unit: str = "%"
    decimals: int = 2


@dataclass(frozen=True)
class Value:
    """One cell: what each draw gave (nothing where it cannot be told), and the paper's figure.

    A share has the ``ends`` of its 95% interval, in the unit of the column; a count has none.
    """

    draws: tuple[float, ...]
    paper: float | None = None
    ends: tuple[float, float] | None = None

    @property
    def mean(self) -> float | None:
        """Mean over draws."""
        return float(np.mean(self.draws)) if self.draws else None

    @property
    def sd(self) -> float | None:
        """Standard deviation between draws; one draw has none."""
        return float(np.std(self.draws, ddof=1)) if len(self.draws) > 1 else None


@dataclass(frozen=True)
class Line:
    """A row: its name, its values, what they rest on, and the time it took (the paper's in hours)."""

    name: str
    values: tuple[Value, ...]
    pairs: str = ""
    seconds: float | None = None
    hours: float | None = None


@dataclass(frozen=True)
class Curves:
    """ROC curves by name, each a list of (false-positive rate, mean, least and largest rate over draws)."""

    points: Mapping[str, tuple[tuple[float, float, float, float], ...]]


@dataclass(frozen=True)
class Block:
    """Lines under one heading; the columns named in ``bars`` are drawn as well, beside the paper's."""

    title: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    curves: Curves | None = None
    bars: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table or figure of the paper, measured.

    ``data`` names the graphs that were used, ``stand_in`` which of them is not the paper's own; ``text`` is shown as
    it is.
    """

    name: str
    title: str
    place: str
    data: str
    stand_in: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()
    text: str = ""
    draws: int = 1
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in plain types."""
        return asdict(self)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Table:
        """Make the table again from plain types."""
        blocks = tuple(_block(block) for block in plain["blocks"])
        return cls(**{**plain, "blocks": blocks, "notes": tuple(plain["notes"])})


def table_csv(table: Table) -> str:
    """Return a table as CSV, a row for each value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_HEAD)
    writer.writerows(_csv_rows(table))
    return text.getvalue()


def _csv_rows(table: Table) -> Iterable[tuple[Any, ...]]:
    for block in table.blocks:
        for line in block.lines:
            for column, value in zip(block.columns, line.values, strict=True):
                spread = (min(value.draws), max(value.draws)) if value.draws else ("", "")
                yield (
                    table.name, table.data, block.title, line.name, column.name, column.unit,
                    *(_given(number) for number in (value.paper, value.mean, value.sd)), len(value.draws), *spread,
                    *(value.ends or ("", "")), line.pairs, _given(line.seconds), _given(line.hours),
                )  # fmt: skip


def _given(number: float | None) -> float | str:
    return "" if number is None else number


def _value(plain: Mapping[str, Any]) -> Value:
    ends = plain.get("ends")  # tables kept by an earlier version have none
    return Value(tuple(plain["draws"]), plain["paper"], ends and (ends[0], ends[1]))


def _block(plain: Mapping[str, Any]) -> Block:
    curves = plain["curves"] and Curves({k: tuple(map(tuple, v)) for k, v in plain["curves"]["points"].items()})
    lines = tuple(Line(**{**line, "values": tuple(map(_value, line["values"]))}) for line in plain["lines"])
    columns = tuple(Column(**column) for column in plain["columns"])
    return Block(plain["title"], columns, lines, curves, tuple(plain["bars"]))
