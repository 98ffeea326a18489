"""MatrixMarket coordinate files: a sparse adjacency matrix, rows and columns counted from 1.

The size line says how many nodes there are, so nodes without an edge are kept, unlike in an edge list.
"""

from __future__ import annotations

import re

import numpy as np

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.origin import Origin
from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.blocks import Block, read_blocks, read_values
from thinveil.graph.reading.columns import IDS, choose_columns
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import BLANKS, Layout, line_text, quote, split_line
from thinveil.graph.reading.sources import Source

_FIELDS = ("pattern", "integer", "real")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric")
_MOST_DIGITS = 18
# nodes without an edge take memory and stand in no line: so many at most, or so many for each entry
_MOST_NODES, _MOST_NODES_PER_ENTRY = 1_000_000, 1_000
_EXPECTED = "expected '%%MatrixMarket matrix coordinate', then pattern, integer or real, then general or symmetric"


def read_matrix(source: Source, options: Options) -> Edges:
    """Read a square sparse matrix as the edges between its rows and columns."""
    has_values = _check_banner(source)
    size_start, nodes, entries = _read_size(source)
    names = ["source", "target", "weight"][: 2 + has_values]
    try:
        choice = choose_columns(options.wish, names, len(names))
    except InputError as error:
        raise source.fail(str(error)) from None
    if {choice["source"], choice["target"]} != {0, 1}:
        raise source.fail("the nodes of a matrix are its rows and columns: source and target are columns 0 and 1")
    layout = Layout(BLANKS, source.line_end(size_start), choice, len(names), integers=True)
    blocks = read_blocks(source, layout)
    _check_entries(source, blocks, layout, nodes, entries)
    ends = np.concatenate([block.cells[:2] for block in blocks], axis=1).astype(np.int32) - np.int32(1)
    labels = np.arange(1, nodes + 1)
    origin = Origin("MatrixMarket", columns={role: names[column] for role, column in choice.items()})
    return Edges(ends[0], ends[1], labels, read_values(source, layout, blocks), nodes, origin)


def _check_banner(source: Source) -> bool:
    """Check the first line; return whether entries have values."""
    banner = line_text(source, 0)
    words = banner.lower().split()
    if len(words) != 5 or words[1:3] != ["matrix", "coordinate"] or words[3] not in _FIELDS:
        raise source.fail(f"{quote(banner)} cannot be read; {_EXPECTED}", offset=0)
    if words[4] not in _SYMMETRIES:
        raise source.fail(f"{quote(banner)} cannot be read; {_EXPECTED}", offset=0)
    return words[3] != "pattern"


def _read_size(source: Source) -> tuple[int, int, int]:
    """Return where the size line starts, the number of nodes and the number of entries."""
    start = 0
    while start < source.data.size:
        text = line_text(source, start)
        if text.strip() and not text.startswith("%"):
            break
        start = source.line_end(start)
    else:
        raise source.fail("the line with the matrix's size is missing; fetch the file again")
    words = text.split()
    if len(words) != 3 or not all(word.isdecimal() and len(word) <= _MOST_DIGITS for word in words):
        raise source.fail(f"{quote(text)}: expected the size: rows, columns, entries", offset=start)
    rows, columns, entries = map(int, words)
    if rows != columns:
        raise source.fail(f"{quote(text)}: {rows} rows but {columns} columns; a graph is square", offset=start)
    if not entries or rows >= 2**31:
        raise source.fail(f"{quote(text)}: expected 1 to 2**31 - 1 nodes and at least one entry", offset=start)
    most = max(_MOST_NODES, _MOST_NODES_PER_ENTRY * entries)
    if rows > most:
        raise source.fail(f"{quote(text)}: {rows} nodes for {entries} entries; at most {most} are read", offset=start)
    return start, rows, entries


def _check_entries(source: Source, blocks: list[Block], layout: Layout, nodes: int, entries: int) -> None:
    found = sum(block.cells.shape[1] for block in blocks)
    if found != entries:
        promise = f"the size line promises {entries} entries, but the file has {found}"
        raise source.fail(f"{promise}; fetch it again, or correct the line")
    for block in blocks:
        ids = block.cells[:2]
        outside = np.flatnonzero((ids < 1).any(axis=0) | (ids > nodes).any(axis=0))
        if outside.size:
            raise _outside(source, layout, ids[:, outside[0]].tolist(), nodes)


def _outside(source: Source, layout: Layout, pair: list[int], nodes: int) -> GraphFileError:
    """Return the error about an entry outside the matrix, at the first line that has it."""
    problem = f"row and column must be from 1 to {nodes}"
    spelled = re.compile(r"[+-]?[0-9]{1,20}")
    start = layout.start
    while start < source.data.size:
        fields = split_line(line_text(source, start), layout.delimiter)
        ids = [fields[layout.choice[role]] for role in IDS if layout.choice[role] < len(fields)]
        if all(map(spelled.fullmatch, ids)) and [int(text) for text in ids] == pair:
            return source.fail(f"{quote(line_text(source, start))}: {problem}", offset=start)
        start = source.line_end(start)
    return source.fail(problem)


def _recognises(head: Head) -> bool:
    return head.text.lower().startswith("%%matrixmarket")


MATRIX_MARKET = Format("matrixmarket", _recognises, read_matrix, ("mtx",))
