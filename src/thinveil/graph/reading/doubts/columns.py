"""Doubts about which columns hold the ids: something else stands where they should, or beside them."""

from __future__ import annotations

import re
from collections import Counter

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.doubts.rows import CHOOSE, Rows
from thinveil.graph.reading.layout import is_integer, quote

_ENOUGH = 8  # rows: what holds in fewer may be chance
_MANY, _DISTINCT = 20, 12  # rows and values from which numbers can be compared


def foreign_column(rows: Rows, options: Options) -> str | None:
    """Find a column taken for ids that has none: a verb, a sign, a time or the number of the row.

    The other id column and one that was left aside have ids in common, and this one has none of them.
    """
    width, count = rows.width(), len(rows.fields)
    if width < 3 or count < 3:
        return None
    columns = [[row[place] for row in rows.fields] for place in range(width)]
    chosen = [rows.choice[role] for role in IDS]
    for mine, other in (chosen, chosen[::-1]):
        for aside in set(range(width)) - set(rows.choice.values()):
            ids, left = set(columns[other]), set(columns[aside])
            if _is_foreign(columns[mine], ids | left) and _are_ids(ids, left, count):
                return f"column {mine} ({quote(columns[mine][0], 20)}, ...) seems to hold no node ids: {CHOOSE}"
    return None


def weight_before(rows: Rows, options: Options) -> str | None:
    """Find a column taken for ids that has other numbers, as counts before two ids: the one left aside fits better."""
    width, count = rows.width(), len(rows.fields)
    if width < 3 or count < _MANY or rows.names is not None:
        return None
    columns = [[row[place] for row in rows.fields] for place in range(width)]
    chosen = [rows.choice[role] for role in IDS]
    for mine, other in (chosen, chosen[::-1]):
        for aside in set(range(width)) - set(rows.choice.values()):
            if _fits_better(columns[aside], columns[mine], columns[other]):
                return (
                    f"column {mine} ({quote(columns[mine][0], 20)}, ...) seems to hold no node ids, for column {aside} "
                    f"has far more in common with column {other}: {CHOOSE}"
                )
    return None


def _fits_better(aside: list[str], mine: list[str], other: list[str]) -> bool:
    """Say whether a column is the other end of edges, rather than the one that was taken for it."""
    ids, values = set(other), set(aside)
    if min(len(ids), len(values)) < _DISTINCT or 2 * len(values) < len(ids):
        return False
    share = sum(field in ids for field in aside) / len(aside)
    shared = sum(field in values for field in other) / len(other)
    return min(share, shared) >= 0.6 and 2 * sum(field in ids for field in mine) <= share * len(mine)


def hyperedges(rows: Rows, options: Options) -> str | None:
    """Find three people on each line: the third column holds ids like the first two."""
    if rows.width() != 3 or rows.names is not None or len(rows.fields) < _ENOUGH or {*rows.choice.values()} != {0, 1}:
        return None
    third, ids = [row[2] for row in rows.fields], set(rows.ids())
    if 10 * sum(field in ids for field in third) < 9 * len(third) or len(set(third)) < 4:
        return None
    if all(is_integer(field) for field in third) and not _are_like_ids(rows, third, len(ids)):
        return None
    return (
        f"the third column ({quote(third[0], 20)}, ...) holds ids like the first two: if each line is a group, write a "
        f"line for each pair in it; if two columns are the ids, {CHOOSE}"
    )


def _are_like_ids(rows: Rows, third: list[str], count: int) -> bool:
    """Say whether integers are spread as ids are, and weights and times hardly: many of them, and none is common."""
    values, numbers = Counter(third), [int(field) for field in third]
    if len(third) < _MANY or len(values) < _DISTINCT or numbers == sorted(numbers):
        return False
    are_groups = all(len(set(row)) == 3 for row in rows.fields)
    is_even = max(values.values()) <= max(3, 0.15 * len(third))
    return is_even and 10 * len(values) >= (4 if are_groups else 6) * count


def _is_foreign(column: list[str], ids: set[str]) -> bool:
    values = set(column)
    is_word = len(values) == 1 or (len(values) <= 3 and len(column) >= _ENOUGH)
    is_other = not values & ids and (is_word or len(column) >= _ENOUGH)
    return is_other or (len(column) >= _ENOUGH and _counts_up(column))


def _counts_up(column: list[str]) -> bool:
    """Say whether a column numbers its rows."""
    is_whole = all(re.fullmatch("[0-9]{1,9}", field) for field in column)
    return is_whole and [int(field) - int(column[0]) for field in column] == list(range(len(column)))


def _are_ids(ids: set[str], left: set[str], count: int) -> bool:
    """Say whether two columns hold ids of the same people; a few classes beside many ids are none."""
    common = len(ids & left)
    if min(len(ids), len(left)) < 2:
        return False
    return common >= 1 and 3 * common >= min(len(ids), len(left), count / 2) and 3 * len(left) >= len(ids)
