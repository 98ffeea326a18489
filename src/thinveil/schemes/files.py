"""Releases on disk.

A release is a folder that can be published as it is::

    release.toml    format, scheme, number of sub-graphs, checksums; no seed, which would undo the anonymization
    nodes.parquet   subgraph, node
    edges.parquet   subgraph, source, target

``node`` is a pseudonym: a random number that no other node of the release has, whoever is behind it. Rows
stand in random order within a sub-graph, and so do the two ends of an edge. Who is who stands in a file of its
own, which the auditor names and keeps: subgraph, node, person (the user's label), hops.
"""

from __future__ import annotations

import hashlib
import io
import os
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import tomli_w
from numpy.typing import NDArray

from thinveil.errors import InputError, ReleaseError
from thinveil.graph import Graph
from thinveil.runtime.files import check_new_folder, fill_folder, write_whole
from thinveil.runtime.streams import stream
from thinveil.schemes.base import Published, Release, Secret

_FORMAT = 1
_TABLES = {"nodes.parquet": ["subgraph", "node"], "edges.parquet": ["subgraph", "source", "target"]}
_PSEUDONYMS = 2**48


def write_release(
    release: Iterable[Published], folder: str | os.PathLike[str], truth: str | os.PathLike[str], *,
    graph: Graph, scheme: str, seed: int,
) -> None:  # fmt: skip
    """Write the public half of a release into a new folder, and who is who into the file ``truth``."""
    _check_places(check_new_folder(folder), Path(truth))
    rng = stream(seed, "release files")
    parts = [_tables(number, public, secret, rng) for number, (public, secret) in enumerate(release)]
    names = _pseudonyms(sum(len(part["nodes"]) for part in parts), rng)
    nodes, edges, people = (_join(parts, kind, names) for kind in ("nodes", "edges", "people"))
    if graph.labels is not None:
        people = people.with_columns(pl.Series("person", graph.labels[people["person"].to_numpy()]))
    public = {"nodes.parquet": _parquet(nodes), "edges.parquet": _parquet(edges)}
    about = {"format": _FORMAT, "scheme": scheme, "subgraphs": len(parts)}
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in public.items()}
    public["release.toml"] = tomli_w.dumps({**about, "sha256": sums}).encode()
    write_whole(truth, _parquet(people), secret=True)
    try:
        fill_folder(folder, public)
    except InputError:
        Path(truth).unlink()
        raise


def read_release(folder: str | os.PathLike[str]) -> Release:
    """Read the public half of a release back; nodes are numbered in order of their pseudonyms."""
    path = Path(folder)
    about = _read_about(path)
    nodes, edges = (_read_table(path / name, about) for name in _TABLES)
    node_parts, edge_parts = (table.partition_by("subgraph", as_dict=True) for table in (nodes, edges))
    subgraphs = []
    for number in range(about["subgraphs"]):
        labels = node_parts.get((number,), nodes.clear())["node"].sort().to_numpy()
        table = edge_parts.get((number,), edges.clear())
        named = [table[side].to_numpy() for side in ("source", "target")]
        ends = [np.minimum(np.searchsorted(labels, names), max(labels.size - 1, 0)) for names in named]
        if len(table) and not (labels.size and np.array_equal(labels[np.stack(ends)], np.stack(named))):
            raise ReleaseError(f"{path}: sub-graph {number} has an edge to a node that it does not list")
        subgraphs.append(Graph.from_edges(*ends, node_count=labels.size, labels=labels))
    return Release(tuple(subgraphs), about["scheme"])


def read_truth(path: str | os.PathLike[str], release: Release) -> tuple[pl.DataFrame, ...]:
    """Read who is who: for each sub-graph a table of person and hops, in the order of the release's nodes."""
    try:
        table = pl.read_parquet(Path(path)).sort("subgraph", "node")
        parts = table.partition_by("subgraph", as_dict=True)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ReleaseError(f"{path}: not a truth file ({_first_line(error)})") from None
    for number, subgraph in enumerate(release.subgraphs):
        if parts.get((number,), table.clear())["node"].to_list() != np.asarray(subgraph.labels).tolist():
            raise ReleaseError(f"{path}: does not belong to this release (sub-graph {number} has other nodes)")
    return tuple(parts[number,].select("person", "hops") for number in range(len(release)))


def _check_places(folder: Path, truth: Path) -> None:
    if folder.resolve() == truth.resolve() or folder.resolve() in truth.resolve().parents:
        raise InputError(f"{truth}: the truth must not lie in the folder that will be published: name another place")
    if truth.exists():
        raise InputError(f"{truth}: is there already, and may be the truth of another release: name a new file")


def _pseudonyms(count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return different random numbers in random order."""
    names = np.empty(0, dtype=np.int64)
    while names.size < count:
        names = np.union1d(names, rng.integers(_PSEUDONYMS, size=count))
    return rng.permutation(names)[:count]


def _tables(number: int, public: Graph, secret: Secret, rng: np.random.Generator) -> dict[str, pl.DataFrame]:
    """Return the tables of one sub-graph in random order, nodes still by their number within it."""
    subgraph = pl.lit(number, dtype=pl.Int32).alias("subgraph")
    order = rng.permutation(public.node_count)
    hops = pl.Series([None] * order.size if secret.hops is None else secret.hops[order], dtype=pl.Int8)
    tables = {
        "nodes": pl.DataFrame({"node": rng.permutation(public.node_count)}),
        "edges": _edge_table(public, rng),
        "people": pl.DataFrame({"node": order, "person": secret.people[order], "hops": hops}),
    }
    return {kind: table.select(subgraph, pl.all()) for kind, table in tables.items()}


def _edge_table(public: Graph, rng: np.random.Generator) -> pl.DataFrame:
    source = np.repeat(np.arange(public.node_count), public.degrees)
    once = rng.permutation(np.flatnonzero(source < public.indices))
    ends = np.stack((source[once], public.indices[once]))
    swap = rng.random(once.size) < 0.5
    ends[:, swap] = ends[::-1, swap]
    return pl.DataFrame({"source": ends[0], "target": ends[1]})


def _join(parts: list[dict[str, pl.DataFrame]], kind: str, names: NDArray[np.int64]) -> pl.DataFrame:
    """Put the tables of all sub-graphs together, pseudonyms in place of node numbers."""
    firsts = np.cumsum([0] + [len(part["nodes"]) for part in parts])
    table = pl.concat([part[kind] for part in parts])
    shift = firsts[table["subgraph"].to_numpy()]
    columns = [column for column in ("node", "source", "target") if column in table.columns]
    return table.with_columns(pl.Series(column, names[table[column].to_numpy() + shift]) for column in columns)


def _parquet(table: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    table.write_parquet(buffer)
    return buffer.getvalue()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_about(path: Path) -> dict[str, Any]:
    try:
        about = tomllib.loads((path / "release.toml").read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ReleaseError(f"{path}: not a release, release.toml cannot be read ({_first_line(error)})") from None
    if about.get("format") != _FORMAT:
        raise ReleaseError(f"{path}: release format {about.get('format')!r}, this thinveil reads {_FORMAT}")
    if not isinstance(about.get("subgraphs"), int) or not isinstance(about.get("scheme"), str):
        raise ReleaseError(f"{path}: release.toml must give scheme and subgraphs")
    return about


def _read_table(path: Path, about: dict[str, Any]) -> pl.DataFrame:
    try:
        if _sha256(path) != about.get("sha256", {}).get(path.name):
            raise ReleaseError(f"{path}: the checksum is wrong: the file was damaged or changed")
        return pl.read_parquet(path, columns=_TABLES[path.name])
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ReleaseError(f"{path}: cannot be read ({_first_line(error)})") from None


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
