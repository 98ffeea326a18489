"""Lines of text, read into blocks of cells.

The bytes are cut at line ends into chunks, which threads read apart into blocks of cells: one row of cells
per column, source and target first. A bad line is explained by taking it apart once more in Python, which
knows the words for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import GraphFileError
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.labels import has_control, is_missing, span_bytes
from thinveil.graph.reading.layout import (
    BLANKS,
    OPEN_QUOTE,
    RETURNS,
    Layout,
    has_open_quote,
    is_integer,
    line_text,
    quote,
    split_line,
)
from thinveil.graph.reading.sources import Source
from thinveil.graph.reading.tokens import LONGEST_FIELD, SPAN, Cells, read_cells
from thinveil.graph.reading.values import ONE_KIND, edge_values, problem_of_value
from thinveil.runtime.threads import map_threads, thread_count

_ALONE = "add the other id; or, if each line is a node and its neighbours, pass --format adjacency"
_CHUNK = 1 << 22  # bytes per task: the cells of one fit the cache
DELIMITER_NAMES = {BLANKS: "spaces or tabs", "\t": "tabs", ",": "commas", ";": "semicolons", "|": "pipes"}


@dataclass(frozen=True)
class Block:
    """The cells of a chunk's lines, where its bad line starts or -1, and its signs.

    Signs are the first negative id, the first big one, and the first comment with as many columns as an edge.

    Cells are int32 where all of them fit: fresh memory costs as much time as the reading itself.
    """

    cells: NDArray[np.int32] | Cells
    bad: int
    signs: NDArray[np.int64]


class Signed(Protocol):
    """Anything with the signs of a block."""

    @property
    def signs(self) -> NDArray[np.int64]:
        """See ``Block``."""


def read_values(source: Source, layout: Layout, blocks: list[Block]) -> dict[str, NDArray[Any]]:
    """Return the edge columns: what stands in the blocks besides the ids."""
    columns = {}
    for slot, role in enumerate(layout.roles()[2:], start=2):
        spans = np.concatenate([block.cells[slot] for block in blocks])
        columns[role], bad = edge_values(source, role, spans)
        if bad >= 0:
            raise explain_value(source, role, int(spans[bad]))
    return columns


def read_blocks(source: Source, layout: Layout) -> list[Block]:
    """Read all lines into blocks of cells, or explain the first bad line."""
    blocks = map_threads(lambda bounds: _read_block(source, layout, bounds), _cut(source, layout.start))
    for block in blocks:
        if block.bad >= 0:
            raise explain_line(source, layout, block.bad)
    return blocks


def stream_blocks(source: Source, layout: Layout, chunk: int) -> Iterator[Block]:
    """Yield blocks in order, as many at a time as there are threads, or explain the first bad line."""
    bounds = _cut(source, layout.start, chunk)
    while some := list(islice(bounds, thread_count())):
        for block in map_threads(lambda one: _read_block(source, layout, one), some):
            if block.bad >= 0:
                raise explain_line(source, layout, block.bad)
            yield block


def check_comments(source: Source, blocks: Sequence[Signed]) -> None:
    """Refuse a comment that stands among the edges with as many columns: ids may begin with #."""
    found = next((int(block.signs[2]) for block in blocks if block.signs[2] >= 0), -1)
    if found >= 0:
        raise source.fail(
            f"{quote(line_text(source, found).strip(), 60)} stands among the edges: if its first sign belongs to an "
            "id, put the id in double quotes; if it is a comment, remove the line, or pass --format edge-list to pass "
            "over all such lines",
            offset=found,
        )


def explain_value(source: Source, role: str, span: int) -> GraphFileError:
    """Return the error that says what is wrong with the value that a span points at."""
    field, offset = span_bytes(source, span).decode(errors="replace"), span // SPAN
    problem = _problem_of_text(role, field) or problem_of_value(role, field) or f"the {role}: {ONE_KIND}"
    return source.fail(f"{quote(line_text(source, offset))}: {problem}", offset=offset)


def explain_line(source: Source, layout: Layout, offset: int) -> GraphFileError:
    """Return the error that says what is wrong with the line around a byte."""
    text = line_text(source, offset)
    fields = split_line(text, layout.delimiter)
    problem = RETURNS if "\r" in text else OPEN_QUOTE if has_open_quote(text, layout.delimiter) else None
    problem = problem or _problem_of_line(fields, layout)
    for role, column in () if problem else layout.choice.items():
        problem = problem or _problem_of_field(role, fields[column], layout)
    return source.fail(f"{quote(text)}: {problem or 'something stands behind a closing quote'}", offset=offset)


def _problem_of_line(fields: list[str], layout: Layout) -> str | None:
    if len(fields) >= layout.width:
        return None
    parted = DELIMITER_NAMES.get(layout.delimiter, repr(layout.delimiter))
    columns = "1 column" if len(fields) == 1 else f"{len(fields)} columns"
    problem = f"{columns} where {layout.width} were expected, separated by {parted}"
    # networkx writes a node alone on its line once its neighbours have listed it
    is_alone = layout.width == 2 and len(fields) == 1 and re.fullmatch(r"[\w@.+-]+", fields[0])
    return f"{problem} ({_ALONE})" if is_alone else problem


def _problem_of_text(name: str, field: str) -> str | None:
    if is_missing(field):
        return f"the {name} is missing ({quote(field)}); fill it in or remove the line"
    if len(field.encode()) > LONGEST_FIELD:
        return f"the {name} is longer than {LONGEST_FIELD} bytes; shorten it"
    if "\0" in field or "\ufffd" in field:
        return f"the {name} is not UTF-8 text; save the file as UTF-8"
    if has_control(field):
        return f"the {name} {quote(field, 40)} has a control character in it, such as a tab; remove the character"
    return None


def _problem_of_field(role: str, field: str, layout: Layout) -> str | None:
    name = f"{role} id" if role in IDS else role
    problem = _problem_of_text(name, field)
    if problem or role not in IDS or not layout.integers:
        return problem
    if re.fullmatch(r"[+-]?[0-9][.,]?[0-9]*[eE]\+?[0-9]+", field):
        return f"the {name} {quote(field)} was written by a spreadsheet, which has lost digits: export it as text"
    if not is_integer(field):
        return f'the {name} {quote(field)} is not an integer (if the ids are text, pass --ids string or ids="string")'
    if -(2**63) <= int(field) < 2**64:
        return None
    return f'the {name} {quote(field)} does not fit 64 bits (to keep it as text, pass --ids string or ids="string")'


def _cut(source: Source, start: int, chunk: int = _CHUNK) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the chunks: each ends right after a line end."""
    while start < source.data.size:
        stop = source.line_end(start + chunk)
        yield start, stop
        start = stop


def _read_block(source: Source, layout: Layout, bounds: tuple[int, int]) -> Block:
    roles = layout.roles()
    slots = np.full(layout.width, -1, dtype=np.int64)
    slots[[layout.choice[role] for role in roles]] = np.arange(len(roles))
    is_text = np.array([role not in IDS or not layout.integers for role in roles])
    lines = 1 + np.count_nonzero(source.data[slice(*bounds)] == ord("\n"))
    cells = np.empty((len(roles), lines), dtype=np.int64)
    signs = np.full(3, -1, dtype=np.int64)
    rows, bad = read_cells(source.data, bounds, ord(layout.delimiter), slots, is_text, cells, signs)
    # spans stay wide; and a big number's bits look like a small negative one, only signs tell them apart
    may_fit = not is_text.any() and signs[1] < 0
    return Block(_narrow(cells[:, :rows]) if may_fit else cells[:, :rows], bad, signs)


def _narrow(cells: Cells) -> NDArray[np.int32] | Cells:
    limits = np.iinfo(np.int32)
    fits = not cells.size or (limits.min <= cells.min() and cells.max() <= limits.max)
    return cells.astype(np.int32) if fits else cells


def common_type(source: Source, blocks: list[Block]) -> type[np.int32 | np.int64 | np.uint64]:
    """Return the narrowest type for the integer ids of all blocks."""
    if all(block.cells.dtype == np.int32 for block in blocks):
        return np.int32
    return np.uint64 if needs_unsigned(source, blocks) else np.int64


def needs_unsigned(source: Source, blocks: Sequence[Signed]) -> bool:
    """Say whether some integer is above 63 bits, which no negative one may stand beside."""
    negative, big = (next((b.signs[k] for b in blocks if b.signs[k] >= 0), -1) for k in (0, 1))
    if negative >= 0 and big >= 0:
        later = int(max(negative, big))
        kinds = "negative ids and ids above 2**63 - 1 do not fit one 64-bit type"
        advice = '(to keep them as text, pass --ids string or ids="string")'
        raise source.fail(f"{quote(line_text(source, later))}: {kinds} {advice}", offset=later)
    return bool(big >= 0)
