"""Releases on disk.

A release is a folder that can be published as it is::

    release.toml      format, scheme, number of sub-graphs, checksums; neither seed nor key
    nodes.parquet     subgraph, node
    edges.parquet     subgraph, source, target
    events.parquet    the same and a column for each value of an event, where the release has events

``node`` is a pseudonym: a random number that no other node of the release has, whoever is behind it. Lines
stand in random order within a sub-graph, and so do the two ends of an edge. Who is who stands in a file of its
own, which the auditor names and keeps: subgraph, node, person (the user's label), hops; and, beside the table, the key
that all names and orders were drawn by.
"""

from __future__ import annotations

import hashlib
import io
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import tomli_w
from numpy.typing import NDArray

from thinveil.errors import InputError, ReleaseError
from thinveil.graph import EdgeRows, Graph
from thinveil.runtime.files import File, Folder, write_together
from thinveil.runtime.keys import Key
from thinveil.runtime.places import Inputs, Kind, check_place, starts_with
from thinveil.schemes.base import Parts, Release, Secret
from thinveil.schemes.sealing import seal

_FORMAT = 1
_ENDS = ["subgraph", "source", "target"]
_TABLES = {"nodes.parquet": ["subgraph", "node"], "edges.parquet": _ENDS, "events.parquet": _ENDS}
_EVENTS = "events.parquet"
_PSEUDONYM_BITS = 48
_KEY = "thinveil key"
REPEATABLE = "made to be repeated: whoever guesses its seed can undo this release; never publish it"
"""What is said of a release whose key comes from a seed."""


RELEASE = Kind("release", {
    "release.toml": lambda path: starts_with(path, b"format = "),
    **dict.fromkeys(_TABLES, lambda path: starts_with(path, b"PAR1")),
})  # fmt: skip
"""The folder of a release, and how each of its files is told from a foreign one."""
TRUTH = Kind("truth", lambda path: False, option="--truth")
"""The file of who is who, which is never replaced."""


def write_release(
    release: Release,
    folder: str | os.PathLike[str],
    truth: str | os.PathLike[str],
    *,
    force: bool = False,
    inputs: Inputs = (),
) -> None:
    """Write the public half of a release into a new folder, and who is who into the new file ``truth``: both or none.

    Names and orders are drawn by the release's key, which goes into the truth too; a release without one, straight from
    a scheme, is sealed by a fresh key first, and so has its sub-graphs in another order. With ``force`` an earlier
    release is replaced, but never a truth, which is the only key to a release that may be out already; and nothing that
    is among the ``inputs``.
    """
    check_release_places(folder, truth, force=force, inputs=inputs)
    if release.key is None or release.secret is None:
        release = seal(release, Key.fresh())
    public, secret, key = release.public, release.secret, release.key
    assert secret is not None
    assert key is not None
    parts = [_tables(k, public[k], secret[k], key) for k in range(len(release))]
    names = key.numbers(sum(len(part["nodes"]) for part in parts), _PSEUDONYM_BITS, "pseudonyms")
    kinds = [kind for kind in ("nodes", "edges", "events") if all(kind in part for part in parts)]
    files = {f"{kind}.parquet": _parquet(_join(parts, kind, names)) for kind in kinds}
    people = _join(parts, "people", names)
    if release.names is not None:
        people = people.with_columns(pl.Series("person", release.names[people["person"].to_numpy()]))
    files["release.toml"] = _about(release, files)
    who = _parquet(people, {_KEY: key.secret.hex()})
    write_together(File(truth, who, secret=True), Folder(folder, files))


def check_release_places(
    folder: str | os.PathLike[str], truth: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = ()
) -> None:
    """Say early that a release or its truth could not be written there."""
    public, secret = Path(folder).resolve(), Path(truth).resolve()
    if public in (secret, *secret.parents):
        raise InputError(f"{truth}: the truth must not lie in the folder that will be published: name another place")
    inputs = list(inputs)
    check_place(folder, RELEASE, force=force, inputs=inputs)
    if os.path.lexists(truth):
        raise InputError(
            f"{truth}: is there already, and may be the only key to a release: name a new file with --truth"
        )
    check_place(truth, TRUTH, inputs=inputs)


def _about(release: Release, tables: Mapping[str, bytes]) -> bytes:
    about: dict[str, Any] = {"format": _FORMAT, "scheme": release.scheme, "subgraphs": len(release)}
    if release.key is not None and release.key.is_repeatable:
        about |= {"repeatable": True, "warning": REPEATABLE}
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in tables.items()}
    return tomli_w.dumps({**about, "sha256": sums}).encode()


def read_release(folder: str | os.PathLike[str], truth: str | os.PathLike[str] | None = None) -> Release:
    """Read a release back, with the secret where its file is given; nodes are numbered in order of their pseudonyms.

    The tables stay as they are; a sub-graph is made of them when it is asked for.
    """
    path = Path(folder)
    about = _read_about(path)
    nodes, edges = (_Lines(_read_table(path / name, about), about["subgraphs"]) for name in list(_TABLES)[:2])
    events = _Lines(_read_table(path / _EVENTS, about), about["subgraphs"]) if _EVENTS in about["sha256"] else None
    labels = [np.sort(nodes.part(k)["node"].to_numpy()) for k in range(about["subgraphs"])]
    for lines in (edges, events):
        _check_ends(path, labels, lines)

    def make(k: int) -> Graph:
        source, target = (_numbers(labels[k], edges.part(k)[side].to_numpy()) for side in _ENDS[1:])
        graph = Graph.from_edges(source, target, node_count=labels[k].size, labels=labels[k])
        return graph if events is None else _with_events(graph, events.part(k), labels[k])

    public = Parts(about["subgraphs"], make)
    if truth is None:
        return Release(public, None, about["scheme"])
    secret, names = _read_truth(truth, labels)
    return Release(public, secret, about["scheme"], names)


class _Lines:
    """A table cut by its sub-graphs."""

    def __init__(self, table: pl.DataFrame, subgraphs: int) -> None:
        self.table = table.sort("subgraph", maintain_order=True)
        self._starts = np.searchsorted(self.table["subgraph"].to_numpy(), np.arange(subgraphs + 1))

    def part(self, k: int) -> pl.DataFrame:
        return self.table[int(self._starts[k]) : int(self._starts[k + 1])]


def _numbers(labels: NDArray[np.int64], names: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the node that each pseudonym belongs to, or some other node's."""
    return np.minimum(np.searchsorted(labels, names), max(labels.size - 1, 0))


def _check_ends(path: Path, labels: list[NDArray[np.int64]], lines: _Lines | None) -> None:
    for k, mine in enumerate(labels if lines is not None else ()):
        assert lines is not None
        named = lines.part(k).select(_ENDS[1:]).to_numpy()
        if named.size and not (mine.size and np.array_equal(mine[_numbers(mine, named)], named)):
            raise ReleaseError(f"{path}: sub-graph {k} has an edge to a node that it does not list")


def _with_events(graph: Graph, table: pl.DataFrame, labels: NDArray[np.int64]) -> Graph:
    source, target = (_numbers(labels, table[side].to_numpy()).astype(np.int32) for side in _ENDS[1:])
    columns = {name: table[name].to_numpy() for name in table.columns if name not in _ENDS}
    return Graph(graph.indptr, graph.indices, labels, EdgeRows(source, target, columns), graph.dropped)


def _read_truth(path: str | os.PathLike[str], labels: list[NDArray[np.int64]]) -> tuple[list[Secret], NDArray[Any]]:
    """Read who is who: the secrets in the order of the release's nodes, and what the people are called."""
    try:
        table = pl.read_parquet(Path(path)).sort("subgraph", "node")
        lines, called = _Lines(table, len(labels)), table["person"].to_numpy()
        table.select("node", "hops")
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ReleaseError(f"{path}: not a truth file ({_first_line(error)})") from None
    for k, mine in enumerate(labels):
        if not np.array_equal(lines.part(k)["node"].to_numpy(), mine):
            raise ReleaseError(f"{path}: does not belong to this release (sub-graph {k} has other nodes)")
    names, numbers = np.unique(called, return_inverse=True)
    starts = np.cumsum([0, *map(len, labels)])
    secrets = []
    for k in range(len(labels)):
        hops = lines.part(k)["hops"]
        known = None if hops.null_count() == len(hops) else hops.to_numpy().astype(np.int8)
        secrets.append(Secret(numbers[starts[k] : starts[k + 1]].astype(np.int32), known))
    return secrets, names


def _tables(number: int, public: Graph, secret: Secret, key: Key) -> dict[str, pl.DataFrame]:
    """Return the tables of one sub-graph in random order, nodes still by their number within it."""
    subgraph = pl.lit(number, dtype=pl.Int32).alias("subgraph")
    nodes = np.arange(public.node_count)
    hops = pl.Series([None] * nodes.size if secret.hops is None else secret.hops, dtype=pl.Int8)
    tables = {
        "nodes": pl.DataFrame({"node": key.permutation(nodes.size, "lines of nodes", number)}),
        "edges": _edge_table(number, public, key),
        "people": pl.DataFrame({"node": nodes, "person": secret.people, "hops": hops}),
    }
    if public.rows is not None:
        rows = public.rows  # in random order since the release was sealed
        ends = {"source": rows.source.astype(np.int64), "target": rows.target.astype(np.int64)}
        tables["events"] = pl.DataFrame({**ends, **rows.columns})
    return {kind: table.select(subgraph, pl.all()) for kind, table in tables.items()}


def _edge_table(number: int, public: Graph, key: Key) -> pl.DataFrame:
    source = np.repeat(np.arange(public.node_count), public.degrees)
    once = np.flatnonzero(source < public.indices)
    once = once[key.permutation(once.size, "lines of edges", number)]
    ends = np.stack((source[once], public.indices[once]))
    swap = key.coins(once.size, "ends of edges", number)
    ends[:, swap] = ends[::-1, swap]
    return pl.DataFrame({"source": ends[0], "target": ends[1]})


def _join(parts: list[dict[str, pl.DataFrame]], kind: str, names: NDArray[np.int64]) -> pl.DataFrame:
    """Put the tables of all sub-graphs together, pseudonyms in place of node numbers."""
    firsts = np.cumsum([0] + [len(part["nodes"]) for part in parts])
    table = pl.concat([part[kind] for part in parts])
    shift = firsts[table["subgraph"].to_numpy()]
    columns = [column for column in ("node", "source", "target") if column in table.columns]
    return table.with_columns(pl.Series(column, names[table[column].to_numpy() + shift]) for column in columns)


def _parquet(table: pl.DataFrame, facts: Mapping[str, str] | None = None) -> bytes:
    buffer = io.BytesIO()
    table.write_parquet(buffer, metadata=None if facts is None else dict(facts))
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
    if not isinstance(about.setdefault("sha256", {}), dict):
        raise ReleaseError(f"{path}: release.toml must give the checksums in a table [sha256]")
    return about


def _read_table(path: Path, about: dict[str, Any]) -> pl.DataFrame:
    try:
        if _sha256(path) != about["sha256"].get(path.name):
            raise ReleaseError(f"{path}: the checksum is wrong: the file was damaged or changed")
        table = pl.read_parquet(path)
        return table.select(*_TABLES[path.name]) if path.name != _EVENTS else table.select(*_ENDS, pl.exclude(_ENDS))
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ReleaseError(f"{path}: cannot be read ({_first_line(error)})") from None


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
