"""Doubts about which columns hold the ids: something else stands where they should, or beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS, known_pair
from thinveil.graph.reading.doubts.rows import CHOOSE, Rows
from thinveil.graph.reading.labels import is_missing
from thinveil.graph.reading.layout import is_integer, quote
from thinveil.graph.reading.names import is_word, plain, stem

_ENOUGH = 8  # rows: what holds in fewer may be chance
_MANY, _DISTINCT = 20, 12  # rows and values from which numbers can be compared
_MOST_COLUMNS = 16  # that are looked at
_OF_ROWS = frozenset(("id", "oid", "uid", "uuid", "guid", "no", "nr", "number", "n", "nummer", "numero", "ident"))
_WORDS = """
friend contact neighbor neighbour alter nominee nom choice follower followee colleague classmate mate buddy peer tie
link acquaintance connection freund kontakt nachbar ami amie amigo amiga amico contacto contatto vriend
"""
_OTHERS = frozenset(_WORDS.split())  # names of columns of people whom somebody else knows


def foreign_column(rows: Rows, options: Options) -> str | None:
    """Find a column taken for ids that has none: a verb, a sign, a time or the number of the row.

    The other id column and one that was left aside have ids in common, and this one has none of them.
    """
    columns, chosen, count = _columns_of(rows), [rows.choice[role] for role in IDS], len(rows.fields)
    if len(columns) < 3 or count < 3 or max(chosen) >= len(columns):
        return None
    for mine, other in (chosen, chosen[::-1]):
        for aside in set(range(len(columns))) - set(rows.choice.values()):
            ids, left = set(columns[other]), set(columns[aside])
            if _is_foreign(columns[mine], ids | left) and _are_ids(ids, left, count):
                return f"column {mine} ({quote(columns[mine][0], 20)}, ...) seems to hold no node ids: {CHOOSE}"
    return None


def weight_before(rows: Rows, options: Options) -> str | None:
    """Find a column taken for ids that has other numbers, as counts before two ids: the one left aside fits better."""
    columns, chosen = _columns_of(rows), [rows.choice[role] for role in IDS]
    if len(columns) < 3 or len(rows.fields) < _MANY or rows.names is not None or max(chosen) >= len(columns):
        return None
    for mine, other in (chosen, chosen[::-1]):
        for aside in set(range(len(columns))) - set(rows.choice.values()):
            if _fits_better(columns[aside], columns[mine], columns[other]):
                return (
                    f"column {mine} ({quote(columns[mine][0], 20)}, ...) seems to hold no node ids, for column {aside} "
                    f"has far more in common with column {other}: {CHOOSE}"
                )
    return None


def _columns_of(rows: Rows) -> list[list[str]]:
    """Return the columns that all rows have; one that was chosen may be missing from some."""
    return [[row[place] for row in rows.fields] for place in range(rows.width())]


def _fits_better(aside: list[str], mine: list[str], other: list[str]) -> bool:
    """Say whether a column is the other end of edges, rather than the one that was taken for it."""
    ids, values = set(other), set(aside)
    if min(len(ids), len(values)) < _DISTINCT or 2 * len(values) < len(ids):
        return False
    share = sum(field in ids for field in aside) / len(aside)
    shared = sum(field in values for field in other) / len(other)
    return min(share, shared) >= 0.6 and 2 * sum(field in ids for field in mine) <= share * len(mine)


def hyperedges(rows: Rows, options: Options) -> str | None:
    """Find three people or more on each line: a column left aside holds ids like the first two."""
    if rows.width() < 3 or rows.names is not None or len(rows.fields) < _ENOUGH or {*rows.choice.values()} != {0, 1}:
        return None
    ids = set(rows.ids())
    for place in range(2, min(rows.width(), _MOST_COLUMNS)):
        filled = [row[place] for row in rows.fields if not is_missing(row[place])]
        if 2 * len(filled) < len(rows.fields) or len(set(filled)) < 4:
            continue
        if 10 * sum(field in ids for field in filled) < 9 * len(filled):
            continue
        if all(is_integer(field) for field in filled) and not _are_like_ids(rows, filled, len(ids)):
            continue
        return (
            f"column {place} ({quote(filled[0], 20)}, ...) holds ids like the first two: if each line is a group, "
            f"write a line for each pair in it; if two columns are the ids, {CHOOSE}"
        )
    return None


def further_ids(rows: Rows, options: Options) -> str | None:
    """Find a third column of ids beside names that are no sure pair: ego, friend_1, friend_2 are two edges of ego's."""
    names, width = rows.names, rows.width()
    if names is None or width < 3 or width != len(names) or _is_sure_pair(names):
        return None
    are_others = all(stem(names[rows.choice[role]]) in _OTHERS for role in IDS)  # than the person that stands beside
    for place in sorted(set(range(min(width, _MOST_COLUMNS))) - set(rows.choice.values())):
        is_named = is_word(names[place]) and (are_others or plain(names[place]) not in _OF_ROWS)
        if is_named and _holds_ids(rows, place):
            chosen = " and ".join(quote(names[rows.choice[role]], 20) for role in IDS)
            return (
                f"the column {quote(names[place], 20)} holds ids like {chosen}: if each line is a person with several "
                f"others, write a line for each pair; if two columns are the ids, {CHOOSE}"
            )
    return None


def _is_sure_pair(names: Sequence[str]) -> bool:
    pair = known_pair(names)
    return pair is not None and not names[pair[0]].strip()[-1:].isdigit()  # of user1 and user2 there may be a third


def _holds_ids(rows: Rows, place: int) -> bool:
    """Say whether most rows have somebody in a column who is neither of their two, and one of the others'."""
    ids, pairs = set(rows.ids()), zip(rows.column("source"), rows.column("target"), strict=True)
    others = [row[place] for row, pair in zip(rows.fields, pairs, strict=True) if row[place] not in pair]
    others = [field for field in others if not is_missing(field)]
    if len(rows.fields) < 3 or 2 * len(others) < len(rows.fields):
        return False
    # of small numbers, classes and ids have some in common by chance
    is_spread = not all(map(is_integer, others)) or 10 * len(set(others)) >= 4 * len(ids)
    return is_spread and 2 * sum(field in ids for field in others) >= len(others)


def _are_like_ids(rows: Rows, third: list[str], count: int) -> bool:
    """Say whether integers are spread as ids are, and weights and times hardly: many of them, and none is common."""
    values, numbers = Counter(third), [int(field) for field in third]
    if len(third) < _MANY or len(values) < _DISTINCT or numbers == sorted(numbers):
        return False
    are_groups = all(len(set(row)) == rows.width() for row in rows.fields)
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
