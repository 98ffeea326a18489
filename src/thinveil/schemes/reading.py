"""Reading a release that may come from a stranger: it is one, or it is refused in one line."""

from __future__ import annotations

import hashlib
import os
import reprlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.errors import InputError, ReleaseError
from thinveil.graph import EdgeRows, Graph, trusted_graph
from thinveil.runtime.inputs import MOST_TOML, parse_toml, read_input
from thinveil.runtime.parquet import read_parquet_names, read_parquet_safely
from thinveil.schemes.base import NOBODY, Parts, Release, Secret
from thinveil.schemes.columns import Lines, Nodes, whole_numbers
from thinveil.schemes.layout import ABOUT, COLUMNS, EDGES, ENDS, EVENTS, FORMAT, NODES, TRUTH_COLUMNS

Made = TypeVar("Made")

_LONGEST_NAME = 200
_MOST_VALUES = 100  # columns of an event


class _About(NamedTuple):
    """What ``release.toml`` says: scheme, number of sub-graphs, and the checksum of each table."""

    scheme: str
    subgraphs: int
    sums: dict[str, str]


def read_own_release(folder: str | os.PathLike[str], truth: str | os.PathLike[str] | None = None) -> Release:
    """Read a release of thinveil back, with the secret where its file is given.

    Nodes are numbered in order of their pseudonyms. Every line of the tables is checked; a sub-graph is made of them
    when it is asked for.

    Raises
    ------
    ReleaseError
        If the folder is not a release, is damaged, or the truth is that of another one.
    """
    path = Path(folder)
    about = _read_about(path)
    nodes = _read_table(path / NODES, about, lambda table: Nodes.of(table, about.subgraphs))
    edges = _read_table(path / EDGES, about, lambda table: Lines.of(table, nodes))
    events = _read_table(path / EVENTS, about, lambda table: _on(edges, table, nodes)) if EVENTS in about.sums else None

    def make(k: int) -> Graph:
        mine, labels = edges.part(k), nodes.names[nodes.part(k)]
        graph = Graph.from_edges(edges.source[mine], edges.target[mine], node_count=labels.size, labels=labels)
        return graph if events is None else _with_events(graph, events, events.part(k))

    public = Parts(about.subgraphs, make)
    if truth is None:
        return Release(public, None, about.scheme)
    table = _named(Path(truth), lambda: _read(Path(truth), TRUTH_COLUMNS), "not a truth file, ")
    secret, names = _named(Path(truth), lambda: _read_truth(table, nodes))
    return Release(public, secret, about.scheme, names)


def _on(edges: Lines, table: pl.DataFrame, nodes: Nodes) -> Lines:
    events = Lines.of(table, nodes)
    events.check_on(edges)
    return events


def _with_events(graph: Graph, events: Lines, mine: slice) -> Graph:
    columns = {name: values[mine] for name, values in events.columns.items()}
    rows = EdgeRows(events.source[mine], events.target[mine], columns)
    return trusted_graph(graph.indptr, graph.indices, graph.labels, rows, graph.dropped)


def _read_about(path: Path) -> _About:
    try:
        about = parse_toml(read_input(path / ABOUT, MOST_TOML))
    except InputError as error:
        raise ReleaseError(
            f"{path}: not a release ({ABOUT}: {error}): give the folder that 'anonymize' wrote"
        ) from None
    number, scheme, subgraphs, sums = (about.get(name) for name in ("format", "scheme", "subgraphs", "sha256"))
    if type(number) is not int or number != FORMAT:
        raise ReleaseError(f"{path}: release format {reprlib.repr(number)}, this thinveil reads {FORMAT}")
    if not isinstance(scheme, str) or not scheme.isprintable() or len(scheme) > _LONGEST_NAME:
        raise ReleaseError(f"{path}: {ABOUT} must give scheme, a name")
    if type(subgraphs) is not int or not 1 <= subgraphs < 2**31:
        raise ReleaseError(f"{path}: {ABOUT} must give subgraphs, their number, and not {reprlib.repr(subgraphs)}")
    if not isinstance(sums, dict) or not all(isinstance(one, str) for one in sums.values()):
        raise ReleaseError(f"{path}: {ABOUT} must give the checksums in a table [sha256]")
    return _About(scheme, subgraphs, sums)


def _read_table(path: Path, about: _About, make: Callable[[pl.DataFrame], Made]) -> Made:
    """Make something of one of the tables, or say which table it is that makes no sense."""
    return _named(path, lambda: make(_read(path, COLUMNS.get(path.name), about.sums.get(path.name, ""))))


def _named(path: Path, make: Callable[[], Made], words: str = "") -> Made:
    try:
        return make()
    except InputError as error:
        raise ReleaseError(f"{path}: {words}{error}") from None


def _read(path: Path, columns: Sequence[str] | None, checksum: str | None = None) -> pl.DataFrame:
    """Read some columns of a table, or those of events; a table of the public half must have its checksum."""
    content = read_input(path)
    if checksum is not None and hashlib.sha256(content).hexdigest() != checksum:
        raise ReleaseError("the checksum is wrong: the file was damaged or changed")
    names = read_parquet_names(content)
    missing = [name for name in columns or ENDS if name not in names]
    if missing or len(names) > _MOST_VALUES:
        raise ReleaseError(f"the table has no column {missing[0]!r}" if missing else "the table has too many columns")
    return read_parquet_safely(content, columns)


def _read_truth(table: pl.DataFrame, nodes: Nodes) -> tuple[Sequence[Secret], NDArray[Any]]:
    """Return who is who: the secrets in the order of the release's nodes, and what the people are called."""
    subgraph, node = whole_numbers(table, "subgraph"), whole_numbers(table, "node")
    order = np.lexsort((node, subgraph))
    subgraph, node = subgraph[order], node[order]
    # a node into which several people were put has a line for each
    is_first = np.ones(node.size, dtype=bool)
    is_first[1:] = (node[1:] != node[:-1]) | (subgraph[1:] != subgraph[:-1])
    if not (np.array_equal(node[is_first], nodes.names) and np.array_equal(subgraph[is_first], nodes.subgraph)):
        raise ReleaseError("does not belong to this release: other nodes stand in it")
    people, names = _number_people(table["person"], order)
    _check_once(people, subgraph)
    hops, is_known = _hops(table["hops"], order[is_first], nodes)
    place = np.cumsum(is_first) - 1
    firsts, more = people[is_first], np.flatnonzero(~is_first)
    if more.size and (people[more].min() == NOBODY or firsts[place[more]].min() == NOBODY):
        raise ReleaseError("has a node that is several people and nobody")

    def make(k: int) -> Secret:
        mine = nodes.part(k)
        mine_too = more[(place[more] >= mine.start) & (place[more] < mine.stop)] if more.size else more
        others = np.stack((place[mine_too] - mine.start, people[mine_too])) if mine_too.size else None
        return Secret(firsts[mine], hops[mine] if is_known[k] else None, others)

    return Parts(nodes.starts.size - 1, make), names


def _number_people(person: pl.Series, order: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Return a number for each line's person, ``NOBODY`` where it is empty, and what the people are called."""
    is_real = person.is_not_null().to_numpy()[order]
    names, numbers = np.unique(_called(person.gather(order).drop_nulls()), return_inverse=True)
    people = np.full(order.size, NOBODY, dtype=np.int32)
    people[is_real] = numbers
    return people, names


def _check_once(people: NDArray[np.int32], subgraph: NDArray[np.int64]) -> None:
    """Refuse a person who stands twice in one sub-graph."""
    is_real = people != NOBODY
    stays = np.sort(subgraph[is_real] << 32 | people[is_real])
    twice = stays[1:][stays[1:] == stays[:-1]]
    if twice.size:
        raise ReleaseError(f"names one person twice in sub-graph {twice[0] >> 32}, where each stands once at most")


def _called(person: pl.Series) -> NDArray[Any]:
    if not (person.dtype.is_integer() or person.dtype == pl.String):
        raise ReleaseError("column 'person' must hold a whole number or a text, or nothing where a node is nobody")
    try:
        return person.to_numpy()
    except pl.exceptions.PolarsError:
        raise ReleaseError("column 'person' holds numbers that are too large") from None


def _hops(column: pl.Series, order: NDArray[np.int64], nodes: Nodes) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return the hops of all nodes, and which sub-graphs have any."""
    if not column.dtype.is_integer() and column.null_count() == len(column):
        column = pl.Series("hops", [None] * len(column), dtype=pl.Int8)
    if not column.dtype.is_integer() or not column.is_between(0, 2).fill_null(True).all():
        raise ReleaseError("column 'hops' must hold 0, 1 or 2, or nothing")
    is_missing = column.is_null().to_numpy()[order]
    missing = np.bincount(nodes.subgraph[is_missing], minlength=nodes.starts.size - 1)
    if ((missing > 0) & (missing < np.diff(nodes.starts))).any():
        raise ReleaseError("column 'hops' must hold something for all nodes of a sub-graph, or for none")
    return column.fill_null(0).cast(pl.Int8).to_numpy()[order], missing == 0
