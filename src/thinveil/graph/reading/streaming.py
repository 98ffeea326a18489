"""Lines of text that memory does not hold as a whole: read some at a time, the edges kept on the disk.

What stands in memory are the distinct ids and a table that finds them; an edge takes eight bytes of the disk. Ids get
numbers as they come, and in the end the numbers that they would have had: in ascending order of the labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.graph.reading.base import Scratch
from thinveil.graph.reading.blocks import check_comments, explain_line, needs_unsigned, stream_blocks
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.enrolling import Enrolled, Integers, Texts
from thinveil.graph.reading.layout import Layout
from thinveil.graph.reading.sources import Source
from thinveil.runtime.mapped import column_header, forget, map_column

_ENDS = ("source", "target")
_CHUNK = (1 << 14, 1 << 22)  # bytes of text that a thread reads at a time, at least and at most
_CELLS = 96  # times its bytes that a chunk takes in memory while it is read
_PER_NODE = 64  # bytes that the rows of a graph take in memory for each node, besides the ids


def read_lines_on_disk(source: Source, layout: Layout, scratch: Scratch, *, is_sure: bool) -> Edges:
    """Read all lines; return edges that lie in files of the scratch folder."""
    enrolled: Enrolled = Integers() if layout.integers else Texts(source, partial(explain_line, source, layout))
    signs, count = [], 0
    forget(source.data)
    with ExitStack() as opened:
        files = [opened.enter_context(open(scratch.folder / f"{name}.raw", "wb")) for name in _ENDS]
        for block in stream_blocks(source, layout, _chunk(scratch.memory)):
            signs.append(_Signs(block.signs))
            ends = enrolled.add(source.data, block.cells[:2])
            for file, numbers in zip(files, ends, strict=True):
                file.write(numbers.data)
            count += ends.shape[1]
            forget(source.data)
            _check_memory(source, enrolled, scratch)
    if not is_sure:
        check_comments(source, signs)
    labels, numbers = enrolled.finish(needs_unsigned(source, signs))
    columns = [_renumber(scratch, name, numbers, count) for name in _ENDS]
    return Edges(columns[0], columns[1], labels=labels)


class _Signs(NamedTuple):
    """What is kept of a block when its cells are gone."""

    signs: NDArray[np.int64]


def _chunk(memory: int) -> int:
    return int(np.clip(memory // _CELLS // 4, *_CHUNK))


def _check_memory(source: Source, enrolled: Enrolled, scratch: Scratch) -> None:
    """Refuse a graph whose nodes alone do not fit the memory that is given."""
    needed = enrolled.size() + _PER_NODE * enrolled.count
    if 2 * needed > scratch.memory:
        raise source.fail(
            f"the ids of {enrolled.count:,} nodes and more take {2 * needed >> 20:,} MiB already, and --memory allows "
            f"{scratch.memory >> 20:,} MiB: only edges are kept on the disk; give more"
        )


def _renumber(scratch: Scratch, name: str, numbers: NDArray[np.int32], count: int) -> NDArray[Any]:
    """Write a column anew with the final numbers, and map it."""
    raw, path = scratch.folder / f"{name}.raw", scratch.folder / f"{name}.npy"
    with open(path, "xb") as out:
        out.write(column_header(np.int32, count))
        for column in _pieces(raw, max(1 << 12, scratch.memory // _CELLS)):
            out.write(numbers[column].data)
    raw.unlink()
    return map_column(path, np.int32, count)


def _pieces(path: Any, step: int) -> Iterator[NDArray[np.int32]]:
    with open(path, "rb") as file:
        while (column := np.fromfile(file, dtype=np.int32, count=step)).size:
            yield column
