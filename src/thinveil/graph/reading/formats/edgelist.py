"""Edge lists in text: SNAP, CSV, TSV.

How a file is laid out is told from its first lines; all are read by ``blocks``; doubts are raised before and after.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from numpy.typing import NDArray

from thinveil.graph.origin import Origin
from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.blocks import (
    DELIMITER_NAMES,
    check_comments,
    common_type,
    explain_line,
    read_blocks,
    read_values,
)
from thinveil.graph.reading.collecting import fail
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.doubts import bears_out_header, check_edges, check_header, check_rows, text_rows
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.labels import number_integers, number_texts
from thinveil.graph.reading.layout import BLANKS, OPEN_QUOTE, Layout, has_open_quote, quote, sniff_layout, split_line
from thinveil.graph.reading.sources import Source
from thinveil.graph.reading.streaming import read_lines_on_disk


class _WrongGuessError(Exception):
    """All lines together say that the first of them is an edge, not a header."""


def read_text(source: Source, options: Options) -> Edges:
    """Read an edge list: find out how it is laid out, then read all lines."""
    head = Head(source)
    check_header(head, options)
    try:
        return _read_laid_out(head, options, may_guess=not options.is_sure)
    except _WrongGuessError:
        return _read_laid_out(head, options, may_guess=False)


def _read_laid_out(head: Head, options: Options, *, may_guess: bool) -> Edges:
    """Read all lines as the first ones tell, unless these misled to the guess that there is a header."""
    layout = sniff_layout(head, options.wish, delimiter=options.delimiter, ids=options.ids, may_guess=may_guess)
    _check_quotes(head, layout, options)
    rows = text_rows(head, layout)
    check_rows(rows, options)
    edges = _read_lines(head.source, layout, options)
    if layout.is_guess and not bears_out_header(rows, edges):
        raise _WrongGuessError
    return replace(edges, origin=_describe(layout, check_edges(rows, edges, options)))


def _check_quotes(head: Head, layout: Layout, options: Options) -> None:
    """Refuse a cell among the first lines, the header too, that goes on below; a cut cell may hide the delimiter."""
    delimiters = (layout.delimiter,) if options.delimiter or layout.delimiter != BLANKS else (BLANKS, "\t", ",", ";")
    for number, line in enumerate(head.lines, start=1):
        if '"' not in line or line.lstrip().startswith(("#", "%")):
            continue
        if any(has_open_quote(line, mark) and (len(split_line(line, mark)) > 1) for mark in delimiters):
            raise fail(head.source, f"{quote(line)}: {OPEN_QUOTE}", number)


def _read_lines(source: Source, layout: Layout, options: Options) -> Edges:
    if options.scratch is not None:
        if len(layout.roles()) > len(IDS):
            raise source.fail("weights, times and directions are kept in memory, and --memory is too small: give more")
        return read_lines_on_disk(source, layout, options.scratch, is_sure=options.is_sure)
    blocks = read_blocks(source, layout)
    if not options.is_sure:
        check_comments(source, blocks)
    ids: list[NDArray[Any]] = [block.cells[:2] for block in blocks]
    if layout.integers:
        kind = common_type(source, blocks)
        # the bits of a big number already stand for it: no value changes here
        ends, labels = number_integers([cells.astype(kind, copy=False) for cells in ids])
    else:
        ends, labels = number_texts(source, ids, partial(explain_line, source, layout))
    return Edges(ends[0], ends[1], labels=labels, columns=read_values(source, layout, blocks))


def _describe(layout: Layout, note: str) -> Origin:
    """Return how the file was read, for people."""
    words = {",": "CSV", ";": "CSV", "\t": "TSV"}.get(layout.delimiter, "edge list")
    names = {role: str(k) if layout.names is None else layout.names[k] for role, k in layout.choice.items()}
    parted = DELIMITER_NAMES.get(layout.delimiter, repr(layout.delimiter))
    return Origin(words, parted, layout.names is not None, names, note=note)


# the last to be tried: whatever nothing else recognises is read, or refused, as an edge list
EDGE_LIST = Format("edge-list", lambda _: True, read_text, ("csv", "tsv", "txt", "snap", "edgelist", "text"))
