"""The one function that opens graph files."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import BinaryIO, get_args

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.reading.base import Ids, Options, Scratch
from thinveil.graph.reading.columns import Column, Wish, check_directed
from thinveil.graph.reading.edges import Edges, graph_of
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.sources import PathLike, Source, open_source
from thinveil.graph.stored.layout import is_stored
from thinveil.graph.stored.opening import open_read
from thinveil.runtime.parameters import suggest


def read_graph(
    path: PathLike | BinaryIO,
    *,
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
    r"""Read a graph from a file of any known format.

    Edge lists (SNAP, CSV, TSV; lines that start with ``#`` or ``%`` are comments), Parquet, MatrixMarket, JSON,
    GraphML, GML, Graphviz, Pajek, DIMACS, TGF, METIS, adjacency lists and lines with arrows are told apart by how they
    start, and so is what they are packed with. ``Graph.origin`` says how the file was read, and so does a line in the
    log ``thinveil``. Self-loops and repeated edges are dropped and counted in ``Graph.dropped``. Nodes are numbered in
    ascending order of their labels, so the order of the lines does not matter.

    Parameters
    ----------
    path
        A path, ``-`` for standard input, or a file opened in binary mode; or the folder of a converted graph.
    source, target
        The columns with the node ids: names from a header, or numbers from 0. Without them a header with
        well-known names (source and target, caller and callee, ...) decides, else the first two columns.
    weight, time, direction
        Columns to keep in ``Graph.rows``. Weights and times are numbers; a direction is 1, out, outgoing or
        -> from source to target, -1, in, incoming or <- from target to source, and 0, both or <-> for both. Rows
        are turned so that all but those for both go from source to target.
    directed
        Every row goes from source to target: keep the rows, with a column ``direction`` of ones.
    ids
        What node ids are: ``integer`` (up to 64 bits, signed or unsigned), ``string``, or ``auto``: integers
        if the first edge has integers.
    delimiter
        What stands between columns of text: one character, where a space stands for any run of spaces and tabs.
        Without it the first two lines decide.
    format
        The name of the format, where it is told wrongly: ``edge-list``, ``adjacency``, ``json``, ... A file whose
        format is named is not refused for looking like something else.

    Returns
    -------
    Graph
        The simple undirected graph, with the user's labels beside.

    Raises
    ------
    GraphFileError
        If the file cannot be read; names the file, and the line where there is one.

    Examples
    --------
    >>> import io
    >>> calls = io.BytesIO(b"caller,callee,seconds\n7,9,60\n9,7,10\n9,9,1\n")
    >>> graph = read_graph(calls, weight="seconds")
    >>> graph, graph.dropped
    (<Graph: 2 nodes, 1 edges>, Dropped(loops=1, duplicates=1))
    >>> graph.label(1), graph.rows.columns["weight"].tolist()
    (9, [60, 10])

    """
    if is_stored(path):
        wishes = (source, target, weight, time, direction, directed or None, delimiter, format)
        return open_read(os.fspath(path), any(wish is not None for wish in wishes) or ids != "auto")  # type: ignore[arg-type]
    wanted = Wanted.of(source, target, weight, time, direction, directed, ids, delimiter, format)
    opened = open_source(path)
    return graph_of(edges_of(opened, wanted), opened.name, directed=wanted.directed)


@dataclass(frozen=True)
class Wanted:
    """What a user asks of the reader, found to fit together."""

    options: Options
    directed: bool = False
    format: str | None = None

    @classmethod
    def of(
        cls, source: Column | None, target: Column | None, weight: Column | None, time: Column | None,
        direction: Column | None, directed: bool, ids: Ids, delimiter: str | None, name: str | None,
    ) -> Wanted:  # fmt: skip
        """Check what is asked for."""
        if ids not in get_args(Ids):
            raise InputError(f"--ids {ids} (ids={ids!r}): {suggest(str(ids), get_args(Ids))}")
        check_directed(directed, direction)
        wish = Wish(source, target, weight, time, direction)
        return cls(Options(wish, ids, delimiter), bool(directed), name)


def edges_of(source: Source, wanted: Wanted, scratch: Scratch | None = None) -> Edges:
    """Return the edges of a file; in files of a scratch folder, if one is given and they may be many."""
    from thinveil.graph.reading.foreign import check_foreign  # late: numba takes its time
    from thinveil.graph.reading.formats import find_format, recognise

    head = Head(source)
    options = replace(wanted.options, delimiter=wanted.options.delimiter or head.separator, scratch=scratch)
    if wanted.format is not None:
        found, options = find_format(wanted.format), replace(options, is_sure=True)
    else:
        check_foreign(head)
        found = recognise(head, options)
    if scratch is not None and (found.name != "edge-list" or wanted.directed):
        raise source.fail(
            f"{'the events of a directed graph are' if wanted.directed else f'the format {found.name} is'} read into "
            f"memory as a whole, which --memory {scratch.memory >> 20}MiB does not allow: give more, or write the "
            "edges as CSV"
        )
    return _with_note(found.read(source, options), source.note)


def _with_note(edges: Edges, note: str) -> Edges:
    """Return the edges with what there is to say of the file that they come from."""
    notes = "; ".join(one for one in (edges.origin.note, note) if one)
    return replace(edges, origin=replace(edges.origin, note=notes))
