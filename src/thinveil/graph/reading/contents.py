"""What columns hold, as far as their first rows show it: dates, numbers, or ids that two of them have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thinveil.graph.reading.labels import is_missing

_DATE = re.compile(r"([0-9]{4}([-/.])[0-9]{1,2}\2[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\3([0-9]{4}|[0-9]{2}))([T ].*)?")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?( ?[AaPp][Mm])?")
_FRACTION = re.compile(r"[+-]?[0-9]*[.,][0-9]+([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_LONG = 5  # digits: of shorter numbers, two columns have some in common by chance

Column = Sequence[str]


def columns_of(rows: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    """Return the fields of each column, without those that are missing."""
    return [[row[k] for row in rows if k < len(row) and not is_missing(row[k])] for k in range(width)]


def is_time(field: str) -> bool:
    """Say whether a field is a date or a time of day."""
    return _DATE.fullmatch(field) is not None or _TIME.fullmatch(field) is not None


def holds_values(column: Column) -> bool:
    """Say whether a column has only what is no id: dates, times, or numbers of which some are fractions."""
    if all(map(is_time, column)):
        return True
    return any(map(_FRACTION.fullmatch, column)) and all(map(_is_number, column))


def holds_numbers(column: Column) -> bool:
    """Say whether a column has only numbers, dates or times."""
    return all(is_time(field) or _is_number(field) for field in column)


def counts_up(column: Column) -> bool:
    """Say whether a column numbers its rows, from 0 or 1 on."""
    start = int(column[0]) if column and column[0] in ("0", "1") else -1
    return start >= 0 and list(column) == [str(start + k) for k in range(len(column))]


def share_ids(first: Column, second: Column) -> bool:
    """Say whether two columns hold ids of the same people: a good part of them, and too long for chance."""
    one, other = set(first), set(second)
    common = [label for label in one & other if len(label) >= _LONG or not _WHOLE.fullmatch(label)]
    if min(len(one), len(other)) < 2 or not common:
        return False
    are_same = sum(a == b for a, b in zip(first, second, strict=False))
    return 4 * len(common) >= min(len(one), len(other)) and 2 * are_same < len(first)


def _is_number(field: str) -> bool:
    return _WHOLE.fullmatch(field) is not None or _FRACTION.fullmatch(field) is not None
