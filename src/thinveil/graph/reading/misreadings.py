"""Doubts about which columns hold the ids: something else stands where they should, or beside them.

Like all doubts (``doubts``), these look at the first rows only, and are not raised where the user chose the columns.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.layout import quote, split_line

if TYPE_CHECKING:
    from thinveil.graph.reading.doubts import Rows

_CHOOSE = "choose the two columns of ids with --source and --target (source= and target=)"
_OPENED = re.compile(r"(- ?)?[\[({].*[^\])}]")
_ENOUGH = 8  # rows: what holds in fewer may be chance


def commented_edges(rows: Rows, options: Options) -> str | None:
    """Find lines that look like comments, but stand among the edges with as many columns: ids may begin with #."""
    seen = False
    for line in map(str.strip, rows.head.lines):
        is_comment = line.startswith(("#", "%"))
        if seen and is_comment and len(split_line(line.lstrip("#% "), rows.layout.delimiter)) >= rows.layout.width:
            return (
                f"{quote(line, 60)} stands among the edges: if its first sign belongs to an id, put the id in double "
                "quotes; if it is a comment, remove the line, or pass --format edge-list to pass over all such lines"
            )
        seen |= bool(line) and not is_comment
    return None


def brackets(rows: Rows, options: Options) -> str | None:
    """Find pairs as a program prints them: a bracket opens before the first id, and does not close behind it."""
    opened = sum(_OPENED.fullmatch(field) is not None for field in rows.column("source"))
    if 5 * opened >= 4 * len(rows.fields):
        return f"{quote(rows.head.data[0], 60)} is in brackets: write two ids on each line, with a comma between them"
    return None


def header_width(rows: Rows, options: Options) -> str | None:
    """Find a header of fewer names than columns, as R writes it beside the numbers of the rows; or of more."""
    names, width = rows.layout.names, rows.width()
    if names is None or not rows.layout.header_lines or not width or width == len(names):
        return None
    is_filled = all(row[-1] for row in rows.fields) and bool(names[-1])
    if not is_filled:
        return None  # a comma too many at the end of each line
    return (
        f"the header has {len(names)} names, and the lines below have {width} columns: export the table again, "
        "without numbers of the rows (in R: row.names = FALSE), or remove the header"
    )


def repeated_header(rows: Rows, options: Options) -> str | None:
    """Find a header that stands again below, where several files were put together."""
    if rows.layout.names is not None and rows.layout.header_lines and list(rows.layout.names) in rows.fields:
        return "the header stands again among the lines below it: remove it there"
    return None


def foreign_column(rows: Rows, options: Options) -> str | None:
    """Find a column taken for ids that has none: a verb, a sign, a time or the number of the row.

    The other id column and one that was left aside have ids in common, and this one has none of them.
    """
    width, count = rows.width(), len(rows.fields)
    if width < 3 or count < 3:
        return None
    columns = [[row[place] for row in rows.fields] for place in range(width)]
    chosen = [rows.layout.choice[role] for role in IDS]
    for mine, other in (chosen, chosen[::-1]):
        for aside in set(range(width)) - set(rows.layout.choice.values()):
            ids, left = set(columns[other]), set(columns[aside])
            if _is_foreign(columns[mine], ids | left) and _are_ids(ids, left, count):
                return f"column {mine} ({quote(columns[mine][0], 20)}, ...) seems to hold no node ids: {_CHOOSE}"
    return None


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
