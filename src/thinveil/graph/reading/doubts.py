"""Doubts about text that could be read as an edge list, but hardly is one.

Each doubt looks at the first rows and says what they look like. It is raised before all lines are read; those that
need the whole file, after. A user who names the format, or the columns, is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS, known_pair
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import BLANKS, Layout, check_delimiter, is_integer, is_number, quote, split_line
from thinveil.graph.reading.misreadings import (
    brackets,
    commented_edges,
    foreign_column,
    header_width,
    repeated_header,
)
from thinveil.graph.reading.names import has_id_names, is_attribute, is_word

_AFTER_ALL = "if it is an edge list all the same, pass --format edge-list"
_SCIENTIFIC = re.compile(r"[+-]?[0-9]([.,][0-9]+)?[eE]\+?[0-9]+")
_DATE = re.compile(r"([0-9]{4}([-/.])[0-9]{1,2}\2[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\3[0-9]{4})([T ].*)?")
_TIME = re.compile(r"\[?[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?\]?")
_LOG = re.compile(
    r"(<[0-9]+>)?[A-Z][a-z]{2} +[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2} "  # Nov 18 08:00:01 host ...
    r"|\[?[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ][0-9]{2}:[0-9]{2}"  # 2026-11-18 08:00:01 ...
    r"|\S+ \S+ \S+ \[[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}:"  # 10.0.0.1 - - [18/Nov/2026: ...
    r"|\[ *[0-9]+[.:][0-9]+|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]"  # [   12.345678] ..., [Wed Nov 18 ...
    r"|\[?(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b"
    r"|[a-z_]+=\S+ [a-z_]+=|[A-Z]/\S+ *\( *[0-9]+\):"  # time=... level=..., D/Tag( 123):
)
_MARKED = re.compile(r"[()=;'\"<>]|[^}]\{|\}[^}]")
_ENOUGH = 8  # rows: fewer edges may well have no node in common


@dataclass(frozen=True)
class Rows:
    """The first rows of a file, as the layout parts them, without the header."""

    head: Head
    layout: Layout
    fields: list[list[str]]

    def column(self, role: str) -> list[str]:
        """Return the fields of a role, as far as they are there."""
        place = self.layout.choice[role]
        return [row[place] for row in self.fields if place < len(row)]

    def width(self) -> int:
        """Return the number of columns if all rows have as many, else 0."""
        widths = {len(row) for row in self.fields}
        return widths.pop() if len(widths) == 1 else 0


def first_rows(head: Head, layout: Layout) -> Rows:
    """Return the first rows of a text file."""
    lines = head.data[layout.header_lines :]
    return Rows(head, layout, [split_line(line, layout.delimiter) for line in lines])


def check_header(head: Head, options: Options) -> None:
    """Refuse a table whose first line says that it is none of edges: a matrix with names, or a table about nodes."""
    if options.is_sure or "source" in options.wish.given() or len(head.data) < 3:
        return
    for delimiter in (check_delimiter(options.delimiter),) if options.delimiter else ("\t", ",", ";", BLANKS):
        rows = [split_line(line, delimiter) for line in head.data]
        if _is_named_matrix(rows):
            raise head.source.fail(_matrix_words(len(rows[1]) - 1))
        if len(rows[0]) > 2 and is_word(rows[0][0]) and all(map(is_attribute, rows[0][1:])):
            raise head.source.fail(_about_nodes(rows[0][1]))


def _is_named_matrix(rows: list[list[str]]) -> bool:
    """Say whether rows have the names of the columns, in their order."""
    width, names = len(rows[1]), [row[0] for row in rows[1:]]
    columns = rows[0] if len(rows[0]) == width - 1 else rows[0][1:]
    has_corner = len(rows[0]) == width and not is_integer(rows[0][0])
    size = min(len(columns), len(names))
    return size > 1 and columns[:size] == names[:size] and (has_corner or len(rows[0]) == width - 1)


def check_rows(rows: Rows, options: Options) -> None:
    """Refuse a file whose first rows are no edges."""
    if options.is_sure or not rows.fields:
        return
    for doubt in _ALWAYS if "source" in options.wish.given() else (*_ALWAYS, *_UNLESS_CHOSEN):
        problem = doubt(rows, options)
        if problem:
            raise rows.head.source.fail(problem)


def check_edges(rows: Rows, edges: Edges, options: Options) -> None:
    """Refuse a file all of whose rows together are a table about nodes, not edges between them."""
    count = edges.source.size
    nodes = 1 + max(edges.source.max(), edges.target.max())
    is_named = rows.layout.names is not None and has_id_names(rows.layout.names, rows.layout.choice)
    # a table about nodes has a row for each: more rows than nodes are edges, whatever else they are
    if options.is_sure or "source" in options.wish.given() or is_named or nodes < count:
        return
    sources = np.bincount(edges.source)
    if sources.max() > 1:
        return
    targets = np.bincount(edges.target)
    kinds = [[is_integer(field) for field in rows.column(role)] for role in IDS]
    few = int(np.count_nonzero(targets))
    if (kinds[0] and all(kinds[0]) and not any(kinds[1])) or (count >= 50 and few <= min(20, count / 10)):
        problem = "every first id has one line, with a name or a class: this looks like a table about nodes"
    elif count >= _ENOUGH and targets.max() == 1 and few + count == nodes:
        problem = "no id stands on two lines: this looks like a table about nodes"
    else:
        return
    raise rows.head.source.fail(f"{problem}, not like edges between them; {_AFTER_ALL}")


def _scientific(rows: Rows, options: Options) -> str | None:
    for role in IDS:
        fields = rows.column(role)
        found = next((field for field in fields if _SCIENTIFIC.fullmatch(field)), None)
        is_sure = found is not None and ("+" in found[1:] or "." in found or "," in found)
        if found is not None and (is_sure or all(is_number(field) for field in fields)):
            return (
                f"the {role} id {quote(found)} was written by a spreadsheet, which has lost its last digits: "
                "export the column again, as text"
            )
    return None


def _decimals(rows: Rows, options: Options) -> str | None:
    if options.ids == "string" or rows.layout.integers:
        return None
    for role in IDS:
        fields = rows.column(role)
        fraction = next((field for field in fields if re.search(r"\.[0-9]", field)), None)
        if fraction is not None and all(is_number(field) for field in fields):
            return (
                f"column {rows.layout.choice[role]} holds {quote(fraction, 20)}, a fraction and no node id: choose the "
                "columns with --source and --target (source= and target=), or pass --ids string"
            )
    return None


def _matrix(rows: Rows, options: Options) -> str | None:
    cells, width = rows.fields, rows.width()
    if width < 3 or not all(is_number(field) for row in cells for field in row):
        return None
    is_binary = all(field in ("0", "1") for row in cells for field in row)
    is_square = rows.head.is_whole and len(cells) == width
    if is_binary or (is_square and _is_symmetric(cells)):
        return _matrix_words(width)
    return None


def _is_symmetric(cells: list[list[str]]) -> bool:
    values = [[float(field) for field in row] for row in cells]
    size = range(len(values))
    return all(values[i][i] == 0 and values[i][j] == values[j][i] for i in size for j in size)


def _matrix_words(size: int) -> str:
    return (
        f"this looks like a whole adjacency matrix ({size} columns), not like edges: write a line for each "
        f"edge (in numpy: savetxt of argwhere); {_AFTER_ALL}"
    )


def _cut_ids(rows: Rows, options: Options) -> str | None:
    """Phone numbers and names with spaces, which spaces between columns cut up."""
    width = rows.width()
    if rows.layout.delimiter != BLANKS or options.delimiter:
        return None
    fields = rows.fields
    has_plus = all(row[0].startswith("+") for row in fields)
    is_constant = len(fields) > 1 and len({row[0] for row in fields}) == 1
    is_padded = width >= 4 and width % 2 == 0 and all(_is_group(row) for row in fields)
    if (has_plus and (is_constant or min(map(len, fields)) > 2)) or is_padded or _is_cut_name(rows, width):
        return (
            f"{quote(rows.head.data[-1], 60)}: ids with spaces in them would be cut up: put a comma or a tab between "
            "the two ids, and pass --delimiter"
        )
    return None


def _is_group(row: Sequence[str]) -> bool:
    is_short = all(field.isdecimal() and 2 <= len(field) <= 4 for field in row)
    return is_short and any(field.startswith("0") for field in row)


def _is_cut_name(rows: Rows, width: int) -> bool:
    if rows.layout.integers or width < 4 or width % 2 or len(rows.fields) < 2:
        return False
    columns = [set(column) for column in zip(*rows.fields, strict=True)]
    if any(is_number(field) for column in columns for field in column) or columns[0] & columns[1]:
        return False
    return any(columns[place] & columns[place + width // 2] for place in range(width // 2))


def _log(rows: Rows, options: Options) -> str | None:
    hits = sum(_LOG.match(line) is not None for line in rows.head.data)
    if rows.layout.delimiter == BLANKS and 5 * hits >= 4 * len(rows.head.data):
        return f"this looks like a log, not like edges: export who met whom as CSV; {_AFTER_ALL}"
    return None


def _dates(rows: Rows, options: Options) -> str | None:
    for role in IDS:
        fields = rows.column(role)
        if fields and all(_DATE.fullmatch(field) or _TIME.fullmatch(field) for field in fields):
            return (
                f"column {rows.layout.choice[role]} holds dates or times, not node ids: choose the columns with "
                "--source and --target (source= and target=)"
            )
    return None


def _ragged(rows: Rows, options: Options) -> str | None:
    widths = [_width(row) for row in rows.fields]
    others = sum(width != widths[0] for width in widths)
    if len(widths) > 2 and min(widths) >= widths[0] and 2 * others > len(widths):
        return (
            f"lines have between {min(widths)} and {max(widths)} columns: if each is a node and its neighbours, pass "
            f"--format adjacency; {_AFTER_ALL}"
        )
    return None


def _width(row: list[str]) -> int:
    """Return the number of columns before what networkx writes about an edge: {'weight': 3, 'colour': 'red'}."""
    return next((place for place, field in enumerate(row) if field.startswith("{")), len(row))


def _neighbours(rows: Rows, options: Options) -> str | None:
    """Nodes with their neighbours, as many for each: they look like columns, but all are ids that have a line."""
    width, fields = rows.width(), rows.fields
    firsts = {row[0] for row in fields}
    if width < 4 or len(fields) < 4 or len(firsts) < len(fields) or not rows.head.is_whole:
        return None
    if all(field in firsts for row in fields for field in row) and all(len(set(row)) == width for row in fields):
        return (
            "every field is an id that has a line of its own: if each line is a node and its neighbours, pass "
            f"--format adjacency; {_AFTER_ALL}"
        )
    return None


def _attributes(rows: Rows, options: Options) -> str | None:
    names = rows.layout.names
    if names is None or known_pair(names) is not None:
        return None
    name = names[rows.layout.choice["target"]]
    return _about_nodes(name) if is_attribute(name) else None


def _about_nodes(name: str) -> str:
    return (
        f"the column {quote(name, 30)} tells about nodes, not who knows whom: this looks like a table of nodes; "
        "choose the columns of the two ids with --source and --target (source= and target=)"
    )


def _keys(rows: Rows, options: Options) -> str | None:
    """Find settings, ``name: value``, and programs: lines of words, with marks that ids do not have."""
    if rows.layout.integers or rows.layout.delimiter != BLANKS:
        return None
    fields = [field for role in IDS for field in rows.column(role)]
    marked = sum(_MARKED.search(field) is not None for field in fields)
    if not fields:
        return None
    if all(field.endswith(":") for field in rows.column("source")) or 4 * marked >= len(fields):
        return (
            f"{quote(rows.head.data[-1], 60)}: this looks like settings or a program, not like edges: if each line is "
            f"a node and its neighbours, pass --format adjacency; {_AFTER_ALL}"
        )
    return None


def note_of(rows: Rows) -> str:
    """Say what the user should know where the first line could be a header or an edge."""
    if rows.layout.names is not None or rows.layout.integers or len(rows.fields) < 2:
        return ""
    first, *others = ({row[rows.layout.choice[role]] for role in IDS if rows.layout.choice[role] < len(row)}
                      for row in rows.fields)  # fmt: skip
    if any(first & other for other in others):
        return ""
    return "the first line is taken for an edge: if it is a header, name its columns with --source and --target"


Doubt = Callable[[Rows, Options], str | None]
_ALWAYS: tuple[Doubt, ...] = (_scientific,)
_UNLESS_CHOSEN: tuple[Doubt, ...] = (
    _matrix,
    _log,
    _dates,
    _decimals,
    _cut_ids,
    _neighbours,
    _ragged,
    _attributes,
    brackets,
    header_width,
    repeated_header,
    foreign_column,
    commented_edges,
    _keys,
)
