r"""Text in CSV files that no spreadsheet takes for a formula, and that comes back as it was.

A spreadsheet runs a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return, also behind spaces
and quotes, and also in their full width. So a text that begins with anything but a letter, a digit or one of ``_ # . /
: ( [ { <`` gets a single quote in front, one that begins with a single quote as well: to read a text back, take one
leading single quote away. Numbers stay numbers, negative ones too.
"""

from __future__ import annotations

import csv
import io

import polars as pl

_PLAIN = frozenset("_#./:([{<")
_SPLITTING = "[;|\t\r\n]"  # a spreadsheet may begin a new cell there, unless the text stands in quotes


def guard_text(text: str) -> str:
    """Return a text as it may stand in a CSV file.

    Examples
    --------
    >>> guard_text("=1+1"), guard_text("'tis"), guard_text("anna"), guard_text("+225 07")
    ("'=1+1", "''tis", 'anna', "'+225 07")
    """
    return text if not text or text[0].isalnum() or text[0] in _PLAIN else f"'{text}"


def read_guarded(text: str) -> str:
    """Return the text that ``guard_text`` was given.

    Examples
    --------
    >>> read_guarded("'=1+1"), read_guarded("anna")
    ('=1+1', 'anna')
    """
    return text.removeprefix("'")


def guarded_csv(table: pl.DataFrame, *, float_precision: int | None = None) -> bytes:
    """Return a table as CSV with guarded texts."""
    texts = [name for name, kind in table.schema.items() if kind == pl.String]
    guarded = table.with_columns(_guard_column(table[name]) for name in texts)
    splits = any(guarded[name].str.contains(_SPLITTING).any() for name in texts)
    head, body = io.StringIO(), io.BytesIO()
    csv.writer(head, lineterminator="\n").writerow(map(guard_text, table.columns))
    guarded.write_csv(
        body, include_header=False, float_precision=float_precision,
        quote_style="non_numeric" if splits else "necessary",
    )  # fmt: skip
    return head.getvalue().encode() + body.getvalue()


def _guard_column(column: pl.Series) -> pl.Series:
    values = [None if text is None else guard_text(text) for text in column.to_list()]
    return pl.Series(column.name, values, dtype=pl.String)
