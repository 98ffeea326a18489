"""From any graph to a folder that opens in a moment, in a given memory."""

from __future__ import annotations

import os
import re
import shutil
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from thinveil.errors import InputError
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.graph.graph import Graph
from thinveil.graph.reading.base import Ids, Scratch
from thinveil.graph.reading.columns import Column
from thinveil.graph.reading.edges import graph_of, origin_of
from thinveil.graph.reading.reader import Wanted, edges_of
from thinveil.graph.reading.sources import PathLike, Source, open_source
from thinveil.graph.stored.layout import CONVERTED, INDICES, INDPTR, About
from thinveil.graph.stored.opening import open_stored
from thinveil.graph.stored.saving import finish, save_graph, write_column
from thinveil.runtime.files import Filled, write_together
from thinveil.runtime.mapped import forget
from thinveil.runtime.memory import free_memory
from thinveil.runtime.places import check_place

DEFAULT_MEMORY = "4GiB"
_LEAST_MEMORY = 2**26
_COPIED = 2**24  # bytes up to which a file is copied into memory; a longer one is mapped, which spares time too
_PER_EDGE = 56  # bytes that an edge takes in memory while a file of text is read, the text itself apart
_SAMPLE, _SAMPLES = 1 << 14, 16  # bytes, and how many such pieces of a file
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?) *(?:([kmgt])i?)?b?", re.IGNORECASE)
_POWERS = {"k": 10, "m": 20, "g": 30, "t": 40}


def convert(
    graph: GraphLike,
    folder: PathLike,
    *,
    memory: int | str = DEFAULT_MEMORY,
    force: bool = False,
    source: Column | None = None,
    target: Column | None = None,
    weight: Column | None = None,
    time: Column | None = None,
    direction: Column | None = None,
    directed: bool = False,
    ids: Ids = "auto",
    delimiter: str | None = None,
    format: str | None = None,  # noqa: A002 (the word that users know)
) -> Graph:
    """Write a graph into a folder that every command opens in a moment, whatever its size.

    Processes that use the graph share the pages of its files. It has the digest that it had, and gives the same
    results.

    Parameters
    ----------
    graph
        A file, or a graph of thinveil or of another library, which is written as it is.
    folder
        A new folder.
    memory
        Bytes, or a text such as ``4GiB``: what the conversion may take besides the program itself. A text file whose
        edges need more is sorted block by block on the disk, next to ``folder``. Ids always stand in memory.
    force
        Whether an earlier converted graph may be replaced.
    source, target, weight, time, direction, directed, ids, delimiter, format
        As for `read_graph`; a converted graph keeps what was chosen.

    Returns
    -------
    Graph
        The graph in the folder.

    Examples
    --------
    >>> import tempfile
    >>> triangle = Graph.from_edges([0, 1, 2], [1, 2, 0])
    >>> with tempfile.TemporaryDirectory() as place:
    ...     graph = convert(triangle, f"{place}/triangle.thinveil")
    ...     print(graph, graph.digest() == triangle.digest())
    <Graph: 3 nodes, 3 edges> True

    """
    allowed = read_memory(memory)
    wanted = Wanted.of(source, target, weight, time, direction, directed, ids, delimiter, format)
    inputs = [graph] if isinstance(graph, str | os.PathLike) else []
    place = check_place(folder, CONVERTED, inputs=inputs, force=force)
    fill = partial(_fill, graph, wanted, allowed)
    write_together(Filled(place, fill, CONVERTED.may_replace(force)))
    return open_stored(folder)


def read_memory(memory: int | str) -> int:
    """Return a number of bytes, which may be written as people do.

    Examples
    --------
    >>> read_memory("64 MiB") == read_memory(2**26) == 67_108_864
    True
    """
    found = _SIZE.fullmatch(str(memory).strip())
    if found is None or isinstance(memory, bool):
        raise InputError(f"--memory {memory}: give a number of bytes, such as 512MiB or 4GiB")
    size = int(float(found[1]) * 2 ** _POWERS.get((found[2] or "").lower(), 0))
    if size < _LEAST_MEMORY:
        raise InputError(f"--memory {memory}: less than {_LEAST_MEMORY >> 20}MiB is not enough for anything")
    return size


def _fill(graph: GraphLike, wanted: Wanted, memory: int, work: Path) -> None:
    if not isinstance(graph, str | os.PathLike) and not hasattr(graph, "read"):
        save_graph(as_graph(graph), work)
        return
    folder = work / "scratch"
    folder.mkdir()
    opened = open_source(cast(PathLike | BinaryIO, graph), most=min(_COPIED, memory // 8), scratch=folder)
    if _needed(opened) <= min(memory, free_memory()):
        save_graph(graph_of(edges_of(opened, wanted), opened.name, directed=wanted.directed), work)
    else:
        _sort(opened, wanted, Scratch(folder, memory), work)
    shutil.rmtree(folder)


def _needed(source: Source) -> int:
    """Return how many bytes of memory it takes to read a file of text at once, as far as pieces of it tell."""
    size = int(source.data.size)
    starts = {k * max(0, size - _SAMPLE) // (_SAMPLES - 1) for k in range(_SAMPLES)}
    lines = 0.0
    for start in starts:
        piece = source.data[start : start + _SAMPLE]
        lines = max(lines, (np.count_nonzero(piece == ord("\n")) + 1) / max(1, piece.size))
        forget(source.data)
    return size + int(_PER_EDGE * lines * size)


def _sort(opened: Source, wanted: Wanted, scratch: Scratch, work: Path) -> None:
    """Make the rows of a file on the disk."""
    from thinveil.graph.stored.sorting import largest, sort_rows  # late: numba takes a third of a second to import

    edges = edges_of(opened, wanted, scratch)
    ends = edges.source, edges.target
    nodes = 1 + max(largest(end) for end in ends)
    rows = sort_rows(*ends, nodes, memory=scratch.memory, scratch=scratch.folder, out=work / INDICES)
    write_column(work / INDPTR, rows.indptr, "<i8")
    about = About(nodes, int(rows.indptr[-1]), rows.digest, rows.loops, rows.duplicates)
    finish(work, about, edges.labels, origin_of(edges, opened.name))
