"""Sub-graphs that somebody else wrote: *parts*, each with a name and a graph whose labels are the published ids.

They lie in one of three ways::

    a folder with a file for each        anna.csv, bob.csv: the name without its ending is that of the sub-graph
    a table with a column subgraph       subgraph, source, target; a file, or alone in its folder
    one file without such a column       a whole graph

Beside a table with edges there may be one with nodes (subgraph, node), for those without an edge.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.errors import GraphFileError, InputError, ReleaseError
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.reading.columns import known_pair
from thinveil.graph.reading.sources import Source, open_source
from thinveil.runtime.inputs import first_line
from thinveil.runtime.parquet import read_parquet_names, read_parquet_safely
from thinveil.runtime.places import entries

SUBGRAPH = ("subgraph", "sub-graph", "sub_graph")
_PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip", ".lz4")
_DELIMITERS = ",\t;|"
_LONGEST_HEADER = 10_000
_NO_NODES = pl.DataFrame(schema={"subgraph": pl.String, "node": pl.String})


class Part(NamedTuple):
    """A sub-graph, and what it is called; a whole graph is called nothing."""

    name: str
    graph: Graph

    @property
    def labels(self) -> NDArray[Any]:
        """The published ids of the nodes."""
        return np.arange(self.graph.node_count) if self.graph.labels is None else self.graph.labels


def read_parts(path: Path) -> list[Part]:
    """Read all sub-graphs in a file or a folder, or say in one line what cannot be read."""
    if not path.is_dir():
        return _of_file(path)
    files = [path / name for name in entries(path) if not name.startswith(".")]
    if not files:
        raise ReleaseError(f"{path}: holds no files: give a folder with a file for each sub-graph")
    folder = next((one for one in files if not one.is_file()), None)
    if folder is not None:
        raise ReleaseError(f"{folder}: is no file: a release is a folder with a file for each sub-graph")
    tables = [one for one in files if is_table(one)]
    if tables:
        return _of_tables(path, files, tables)
    return [Part(name, read_graph(file)) for name, file in _named(files)]


def _of_file(path: Path) -> list[Part]:
    if is_table(path):
        return _of_tables(path, [path], [path])
    return [Part("", read_graph(path))]


def _named(files: Sequence[Path]) -> list[tuple[str, Path]]:
    """Return the files, each with its name without endings."""
    named: dict[str, Path] = {}
    for file in files:
        stem = file.stem if file.suffix.lower() in _PACKED else file.name
        name = Path(stem).stem or stem
        if name in named:
            raise ReleaseError(f"{file}: {named[name].name} is sub-graph {name!r} too: give each another name")
        named[name] = file
    return list(named.items())


def _of_tables(path: Path, files: Sequence[Path], tables: Sequence[Path]) -> list[Part]:
    """Read a table of edges, and one of nodes beside it."""
    strange = next((one for one in files if one not in tables), None)
    if strange is not None:
        raise ReleaseError(f"{strange}: has no column subgraph, which {tables[0].name} has: give one or the other")
    edges: list[pl.DataFrame] = []
    nodes: list[pl.DataFrame] = []
    for file in tables:
        table = _read_table(file)
        if "node" in table.columns:
            nodes.append(table.select("subgraph", "node"))
        else:
            edges.append(_edges(table))
    if len(edges) != 1 or len(nodes) > 1:
        raise ReleaseError(f"{path}: holds {len(edges)} tables of edges and {len(nodes)} of nodes: give one of each")
    return _split(edges[0], nodes[0] if nodes else _NO_NODES)


def _edges(table: pl.DataFrame) -> pl.DataFrame:
    source, target = _ends(table.columns)
    return table.select("subgraph", source=source, target=target)


def _ends(names: Sequence[str]) -> tuple[str, str]:
    ends = known_pair(names)
    if ends is None:
        raise ReleaseError(f"its columns are {', '.join(names)}: call them subgraph, source and target")
    return names[ends[0]], names[ends[1]]


def _split(edges: pl.DataFrame, nodes: pl.DataFrame, *, may_be_numbers: bool = True) -> list[Part]:
    """Make a graph of the lines of each sub-graph; ids are numbers if all of them are."""
    ends = pl.concat([edges["source"], edges["target"], nodes["node"]])
    if may_be_numbers and not ends.cast(pl.Int64, strict=False).null_count():
        edges = edges.with_columns(pl.col("source", "target").cast(pl.Int64))
        nodes = nodes.with_columns(pl.col("node").cast(pl.Int64))
    listed = {str(key[0]): one["node"].to_numpy() for key, one in nodes.group_by("subgraph")}
    drawn = {str(key[0]): one for key, one in edges.group_by("subgraph")}
    return [Part(name, _graph(drawn.get(name), listed.get(name))) for name in sorted(drawn.keys() | listed)]


def _graph(edges: pl.DataFrame | None, nodes: NDArray[Any] | None) -> Graph:
    ends = [] if edges is None else [edges["source"].to_numpy(), edges["target"].to_numpy()]
    labels, numbers = np.unique(np.concatenate([*ends, *([] if nodes is None else [nodes])]), return_inverse=True)
    count = 0 if edges is None else len(edges)
    source, target = numbers[:count], numbers[count : 2 * count]
    return Graph.from_edges(source, target, node_count=labels.size, labels=labels)


def is_table(path: Path) -> bool:
    """Tell whether a file is a table with a column that names sub-graphs, by its first line."""
    try:
        names = _columns(open_source(path))
    except InputError:  # said again, and better, by whoever reads it as a graph
        return False
    return any(name in SUBGRAPH for name in names)


def _columns(source: Source) -> list[str]:
    if source.starts_with(b"PAR1"):
        return [_plain(name) for name in read_parquet_names(source.data.tobytes())]
    header = source.data[: min(source.line_end(0), _LONGEST_HEADER)].tobytes().decode(errors="replace")
    return [_plain(name) for name in header.removeprefix("\ufeff").split(_delimiter(header))]


def _delimiter(header: str) -> str:
    return max(_DELIMITERS, key=header.count)


def _plain(name: str) -> str:
    return name.strip().strip('"').lower()


def _read_table(path: Path) -> pl.DataFrame:
    """Read a table with a column subgraph, all of it as text."""
    source = open_source(path)
    content = source.data.tobytes()
    try:
        table = read_parquet_safely(content) if source.starts_with(b"PAR1") else _read_csv(content)
        return _checked(table.select(pl.all().cast(pl.String)))
    except (InputError, pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        raise GraphFileError(first_line(error), path=str(path)) from None


def _checked(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table with plain names for its columns, and something in every cell that matters."""
    names = [_plain(name) for name in table.columns]
    if not len(table):
        raise ReleaseError("holds no lines below its header")
    if len(set(names)) < len(names):
        raise ReleaseError(f"two columns have one name: {', '.join(names)}")
    table = table.rename(dict(zip(table.columns, names, strict=True)))
    table = table.rename({name: "subgraph" for name in names if name in SUBGRAPH})
    for name in _needed(table.columns):
        if table[name].null_count() or (table[name] == "").any():
            raise ReleaseError(f"column {name!r} has an empty cell: fill it in or remove the line")
    return table


def parts_of(table: pl.DataFrame, title: str) -> list[Part]:
    """Return the sub-graphs of a table of edges; without a column subgraph it is a whole graph."""
    try:
        texts = _checked(table.select(pl.all().cast(pl.String)))
        if "subgraph" not in texts.columns:
            texts = texts.with_columns(subgraph=pl.lit(""))
        ends = _ends(texts.columns)
        are_numbers = all(kind.is_integer() for name, kind in table.schema.items() if _plain(name) in ends)
        return _split(_edges(texts), _NO_NODES, may_be_numbers=are_numbers)
    except (InputError, pl.exceptions.PolarsError) as error:
        raise ReleaseError(f"{title}: {first_line(error)}") from None


def _needed(names: Sequence[str]) -> list[str]:
    """Return the columns in which every cell must hold something."""
    ends = () if "node" in names else _ends(names)
    return [*ends, *(name for name in names if name in ("subgraph", "node"))]


def _read_csv(content: bytes) -> pl.DataFrame:
    separator = _delimiter(content[:_LONGEST_HEADER].split(b"\n", 1)[0].decode(errors="replace"))
    table = pl.read_csv(io.BytesIO(content), infer_schema=False, separator=separator)
    return table.with_columns(pl.all().str.strip_chars())
