"""Adjacency lists: each line has a node and all its neighbours, ``0 1 2 3``, ``0: 1 2 3`` or ``0,1,2,3``.

They look like edge lists with columns. What tells them apart: a node has one line, so the first ids are all different,
and lines have as many ids as there are neighbours, so their numbers differ.
"""

from __future__ import annotations

import re

from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, text_lines
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import check_delimiter, is_integer, split_line
from thinveil.graph.reading.sources import Source

_NOTE = "each line is a node and its neighbours"


def _recognises(head: Head) -> bool:
    delimiter = _delimiter(head.data)
    rows = [_split(line, delimiter) for line in head.data]
    return (_has_colons(head.data) and _overlap(rows)) or is_adjacency(rows, is_whole=head.is_whole)


def is_adjacency(rows: list[list[str]], *, is_whole: bool) -> bool:
    """Say whether lines can only be nodes with their neighbours."""
    firsts = {row[0] for row in rows}
    widths = {len(row) for row in rows[:-1]}  # the last line of an edge list may be cut off
    if len(firsts) < len(rows) or len(widths) < 2 or not _are_ids(rows):
        return False
    if len(rows[0]) == 1 and len({len(row) for row in rows[1:]}) == 1:
        return False  # the first line may be the number of nodes
    if _names_relations(rows, firsts):
        return False
    is_closed = is_whole and all(field in firsts for row in rows for field in row)
    if max(widths) < 3:
        return is_closed
    if all(is_integer(field) for row in rows for field in row):
        return is_closed or max(widths) > 3 or 1 in widths
    return is_closed or (_overlap(rows) and max(widths) > 3)


def _names_relations(rows: list[list[str]], firsts: set[str]) -> bool:
    """Say whether a relation stands behind each node, as in SIF: ``a knows b c``."""
    seconds = [row[1] for row in rows if len(row) > 1]
    return len(seconds) == len(rows) > 1 and 2 * len(set(seconds)) <= len(rows) and not firsts & set(seconds)


def _are_ids(rows: list[list[str]]) -> bool:
    """Say whether all fields are of one kind, with nothing in them that is no id: no fractions, no empty fields."""
    fields = [field for row in rows for field in row]
    numbers = sum(is_integer(field) for field in fields)
    return numbers in (0, len(fields)) and all(re.fullmatch(r"[\w@+-][\w@.+-]*", field) for field in fields)


def _overlap(rows: list[list[str]]) -> bool:
    """Say whether many neighbours have a line of their own."""
    firsts = {row[0] for row in rows}
    others = {field for row in rows for field in row[1:]}
    return 2 * len(firsts & others) >= min(len(firsts), len(others)) > 0


def _has_colons(lines: list[str]) -> bool:
    return bool(lines) and all(re.match(r"[^\s:,;]+\s*:(\s|$)", line) for line in lines)


def _delimiter(lines: list[str]) -> str:
    return next((mark for mark in ("\t", ",", ";") if any(mark in line for line in lines)), " ")


def _split(line: str, delimiter: str) -> list[str]:
    node, colon, others = line.partition(":") if re.match(r"[^\s:,;]+\s*:(\s|$)", line) else (line, "", "")
    if not colon:
        fields = split_line(line, delimiter)
        return fields[:-1] if len(fields) > 1 and not fields[-1] else fields
    return [node.strip(), *(field for field in re.split(r"[\s,;]+", others) if field)]


def _read(source: Source, options: Options) -> Edges:
    found = Collector(source, options)
    delimiter = check_delimiter(options.delimiter) if options.delimiter else _delimiter(Head(source).data)
    for number, line in text_lines(source):
        line = line.partition("#")[0].strip()
        if not line or line.startswith("%"):
            continue
        node, *others = _split(line, delimiter)
        found.add_node(node, number)
        for other in others:
            found.add_edge((node, other), number)
    return found.edges("adjacency list", _NOTE)


ADJACENCY = Format("adjacency", _recognises, _read, ("adjlist", "adjacency-list"), is_guess=True)
