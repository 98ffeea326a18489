"""Doubts about tables that could be read as edges, but hardly are: a line each, in the order in which they are raised.

A doubt looks at rows with names, whatever file they came from, and says in words what they look like. Those over the
first rows are raised before all is read; those over the whole table, after. A user who names the format is believed;
who names the columns is believed in which they are, but not that a sum is an id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thinveil.errors import GraphFileError
from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.doubts.absent import answer_note, asks, every_pair, unconnected
from thinveil.graph.reading.doubts.cells import (
    brackets,
    cut_ids,
    drawn,
    invisible,
    lists,
    mails,
    nobody,
    prefixed,
    quoted,
    several,
    spelled_twice,
)
from thinveil.graph.reading.doubts.columns import foreign_column, further_ids, hyperedges, weight_before
from thinveil.graph.reading.doubts.headers import (
    bears_out_header,
    first_line_note,
    footer,
    header_width,
    late_header,
    our_table,
    repeated_header,
    second_header,
    unknown_header,
)
from thinveil.graph.reading.doubts.kinds import two_kinds
from thinveil.graph.reading.doubts.nodes import about_nodes, attributes, id_note, node_table, parted_note
from thinveil.graph.reading.doubts.rows import MOST_ROWS, Doubt, Rows, Whole, WholeDoubt, text_rows
from thinveil.graph.reading.doubts.shapes import count_line, is_named_matrix, matrix, matrix_words, neighbours, ragged
from thinveil.graph.reading.doubts.spreadsheets import (
    dates,
    decimals,
    money,
    scientific,
    scientific_below,
    totals,
    turned_into_dates,
)
from thinveil.graph.reading.doubts.texts import log, program, prose
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import CANDIDATES, check_delimiter, split_line
from thinveil.graph.reading.names import is_attribute, is_word
from thinveil.graph.reading.sources import Source

__all__ = [
    "MOST_ROWS",
    "Rows",
    "asks",
    "bears_out_header",
    "check_edges",
    "check_header",
    "check_names",
    "check_rows",
    "check_table",
    "text_rows",
]

_ALWAYS: tuple[Doubt, ...] = (scientific, unconnected)
_UNLESS_CHOSEN: tuple[Doubt, ...] = (
    matrix,
    log,
    dates,
    decimals,
    cut_ids,
    neighbours,
    ragged,
    attributes,
    brackets,
    header_width,
    foreign_column,
    weight_before,
    hyperedges,
    further_ids,
    second_header,
    money,
    program,
    prose,
)
_WHOLE_ALWAYS: tuple[WholeDoubt, ...] = (
    scientific_below,
    repeated_header,
    totals,
    quoted,
    drawn,
    nobody,
    invisible,
    spelled_twice,
    mails,
    turned_into_dates,
    lists,
    several,
    late_header,
    every_pair,
)
_WHOLE_UNLESS_CHOSEN: tuple[WholeDoubt, ...] = (count_line, prefixed, two_kinds, node_table, unknown_header, footer)


def check_names(source: Source, names: Sequence[str], options: Options) -> None:
    """Refuse a table of our own by the names of its columns."""
    problem = None if _is_believed(options) else our_table(names)
    if problem:
        raise source.fail(problem)


def check_header(head: Head, options: Options) -> None:
    """Refuse a table whose first line says that it is none of edges: a matrix with names, or a table about nodes."""
    if _is_believed(options) or not head.data:
        return
    for delimiter in (check_delimiter(options.delimiter),) if options.delimiter else CANDIDATES:
        rows = [split_line(line, delimiter) for line in head.data]
        check_names(head.source, rows[0], options)
        if len(rows) < 3:
            continue
        if is_named_matrix(rows):
            raise head.source.fail(matrix_words(len(rows[1]) - 1))
        if len(rows[0]) > 2 and is_word(rows[0][0]) and all(map(is_attribute, rows[0][1:])):
            raise head.source.fail(about_nodes(rows[0][1]))


def check_rows(rows: Rows, options: Options) -> None:
    """Refuse a table whose first rows are no edges."""
    if options.is_sure or not rows.fields:
        return
    for doubt in _ALWAYS if _is_believed(options) else (*_ALWAYS, *_UNLESS_CHOSEN):
        _refuse(rows, doubt(rows, options))


def check_edges(rows: Rows, edges: Edges, options: Options) -> str:
    """Refuse a table all of whose rows together are no edges; else return what the user should know."""
    whole = Whole(rows, edges)
    if options.is_sure:
        return ""
    for doubt in _WHOLE_ALWAYS if _is_believed(options) else (*_WHOLE_ALWAYS, *_WHOLE_UNLESS_CHOSEN):
        _refuse(rows, doubt(whole, options))
    return "" if _is_believed(options) else _note(whole)


def _note(whole: Whole) -> str:
    return first_line_note(whole) or parted_note(whole) or id_note(whole) or answer_note(whole)


def check_table(
    source: Source,
    options: Options,
    edges: Edges,
    fields: Sequence[Sequence[object]],
    names: Sequence[str] | None = None,
) -> Edges:
    """Refuse a table that was read in plain Python, if it holds no edges; ``fields`` are its first rows at least."""
    check_names(source, names or (), options)
    first = [["" if field is None else str(field) for field in row] for row in fields[:MOST_ROWS]]
    places = {role: edges.origin.columns[role] for role in IDS}
    choice = {role: names.index(name) if names else IDS.index(role) for role, name in places.items()}
    are_numbers = edges.labels is None or edges.labels.dtype.kind != "U"
    rows = Rows(source, first, choice, names, are_numbers, edges.source.size <= MOST_ROWS)
    check_rows(rows, options)
    note = check_edges(rows, edges, options) or edges.origin.note
    return replace(edges, origin=replace(edges.origin, note=note))


def _is_believed(options: Options) -> bool:
    return options.is_sure or "source" in options.wish.given()


def _refuse(rows: Rows, problem: str | None) -> None:
    if problem:
        error: GraphFileError = rows.source.fail(problem)
        raise error
