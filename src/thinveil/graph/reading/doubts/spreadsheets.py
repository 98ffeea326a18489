"""Doubts about what spreadsheets do to ids: rounded numbers, fractions, dates, and a line of sums at the end."""

from __future__ import annotations

import re

import numpy as np

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.doubts.rows import Rows, Whole
from thinveil.graph.reading.layout import is_number, quote
from thinveil.graph.reading.names import plain

_SCIENTIFIC = re.compile(r"[+-]?[0-9]([.,][0-9]+)?[eE]\+?[0-9]+")
_SURELY = re.compile(r"[+-]?[0-9]([.,][0-9]+[eE]\+?|[eE]\+)[0-9]+")  # 1e5 may well be an id, 1.5E+11 hardly
_DATE = re.compile(r"([0-9]{4}([-/.])[0-9]{1,2}\2[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\3[0-9]{4})([T ].*)?")
_TIME = re.compile(r"\[?[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?\]?")
_MONEY = re.compile(r"[$€£¥] ?-?[0-9][0-9.,]*|-?[0-9][0-9.,]* ?[$€£¥%]")
_MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mrz|Mai|Okt|Dez)"
_DAY = re.compile(f"[0-9]{{1,2}}-{_MONTH}|{_MONTH}-[0-9]{{2}}")
_LONGEST_DAY = 6
_SUMS = """
all average avg count gesamt gesamtsumme insgesamt mean overall razem soma somma somme subtotal sum suma summe sums
toplam totaal total totale totals totalt
"""
_TOTALS = frozenset((*_SUMS.split(), "grand total", "total general"))


def scientific(rows: Rows, options: Options) -> str | None:
    """Find ids that a spreadsheet wrote with an exponent."""
    for role in IDS:
        fields = rows.column(role)
        found = next((field for field in fields if _SCIENTIFIC.fullmatch(field)), None)
        if found is not None and (_SURELY.fullmatch(found) or all(is_number(field) for field in fields)):
            return _rounded(found)
    return None


def scientific_below(whole: Whole, options: Options) -> str | None:
    """Find the same among all ids."""
    if whole.texts is None:
        return None
    marked = whole.texts[(np.char.find(whole.texts, "E") > 0) | (np.char.find(whole.texts, "e") > 0)]
    found = next((label for label in marked.tolist() if _SURELY.fullmatch(label)), None)
    return None if found is None else _rounded(found)


def _rounded(found: str) -> str:
    return (
        f"the id {quote(found)} was written by a spreadsheet, which has lost its last digits: export the column "
        "again, as text"
    )


def decimals(rows: Rows, options: Options) -> str | None:
    """Find a column of numbers with fractions."""
    if options.ids == "string" or rows.integers:
        return None
    for role in IDS:
        fields = rows.column(role)
        fraction = next((field for field in fields if re.search(r"\.[0-9]", field)), None)
        if fraction is not None and all(re.fullmatch(r"[0-9]+(\.0)?", field) for field in fields):
            return (
                f"column {rows.choice[role]} holds {quote(fraction, 20)}, a whole number with a point: write all ids "
                "without it (in pandas: .astype('Int64')); if it is so in both columns, --ids string will do"
            )
        if fraction is not None and all(is_number(field) for field in fields):
            return (
                f"column {rows.choice[role]} holds {quote(fraction, 20)}, a fraction and no node id: choose the "
                "columns with --source and --target (source= and target=), or pass --ids string"
            )
    return None


def dates(rows: Rows, options: Options) -> str | None:
    """Find a column of dates or times."""
    for role in IDS:
        fields = rows.column(role)
        if fields and all(_DATE.fullmatch(field) or _TIME.fullmatch(field) for field in fields):
            return (
                f"column {rows.choice[role]} holds dates or times, not node ids: choose the columns with "
                "--source and --target (source= and target=)"
            )
    return None


def money(rows: Rows, options: Options) -> str | None:
    """Find a column of prices or percentages."""
    for role in IDS:
        fields = rows.column(role)
        if fields and all(_MONEY.fullmatch(field) for field in fields):
            return (
                f"column {rows.choice[role]} ({quote(fields[0], 20)}, ...) holds prices or percentages, not node ids: "
                "choose the columns with --source and --target (source= and target=)"
            )
    return None


def turned_into_dates(whole: Whole, options: Options) -> str | None:
    """Find an id that a spreadsheet turned into a date: 1-Mar, Mar-05."""
    if whole.texts is None:
        return None
    short = whole.texts[np.char.str_len(whole.texts) <= _LONGEST_DAY]
    found = next((label for label in short[np.char.find(short, "-") > 0].tolist() if _DAY.fullmatch(label)), None)
    if found is None:
        return None
    return (
        f"the id {quote(found)} seems to be a date that a spreadsheet made of an id: export the column again, as text; "
        "if it is an id, pass --format edge-list"
    )


def totals(whole: Whole, options: Options) -> str | None:
    """Find a last row that sums up the others."""
    last = whole.edges.source.size - 1
    if last < 1:
        return None
    row = whole.rows.fields[-1] if whole.rows.is_whole and whole.rows.fields else []
    beside = {_bare(field) for place, field in enumerate(row) if place not in whole.rows.choice.values()}
    if beside & _TOTALS and not any(_bare(field) in beside for other in whole.rows.fields[:-1] for field in other):
        return _summed(row)
    if whole.texts is None:
        return None
    for end, label in zip((whole.edges.source, whole.edges.target), whole.pair(last), strict=True):
        if _bare(label) in _TOTALS and whole.counts[end[last]] == 1:
            return _summed([label])
    return None


def _bare(field: str) -> str:
    return plain(field).strip(" :=.")


def _summed(row: list[str]) -> str:
    shown = quote(" ".join(row), 30)
    return f"the last row, {shown}, seems to sum up the others: remove it, or pass --format edge-list if it is an edge"
