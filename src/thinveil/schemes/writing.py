"""Writing a release: the public half into a folder, and who is who into a file of its own."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import tomli_w
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.runtime.files import File, Folder, write_together
from thinveil.runtime.keys import Key
from thinveil.runtime.places import Inputs, Kind, check_folder, check_place, starts_with
from thinveil.schemes.base import NOBODY, Release, Secret
from thinveil.schemes.layout import ABOUT, EDGES, EVENTS, FORMAT, KEY, NODES, REPEATABLE
from thinveil.schemes.sealing import seal

_PSEUDONYM_BITS = 48


RELEASE = Kind("release", {
    ABOUT: lambda path: starts_with(path, b"format = "),
    **dict.fromkeys((NODES, EDGES, EVENTS), lambda path: starts_with(path, b"PAR1")),
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
    """Write the public half of a release into a new folder, and who is who into the new file ``truth``.

    Both are on the disk before either takes its place, and an error or a signal leaves both or none. Only a kill
    between the two (SIGKILL, a power cut) can leave a truth without its release: remove that truth and run again.

    Names and orders are drawn by the release's key, which goes into the truth too; a release without one, straight from
    a scheme, is sealed by a fresh key first, and so has its sub-graphs in another order. With ``force`` an earlier
    release is replaced, but never a truth, which is the only key to a release that may be out already; and nothing that
    is among the ``inputs``.
    """
    places = check_release_places(folder, truth, force=force, inputs=inputs)
    if release.key is None or release.secret is None:
        release = seal(release, Key.fresh())
    if not len(release):
        raise InputError("this release has no sub-graphs: there is nothing to publish")
    public, secret, key = release.public, release.secret, release.key
    assert secret is not None
    assert key is not None
    parts = [_tables(k, public[k], secret[k], key) for k in range(len(release))]
    names = key.numbers(sum(len(part["nodes"]) for part in parts), _PSEUDONYM_BITS, "pseudonyms")
    kinds = [kind for kind in ("nodes", "edges", "events") if all(kind in part for part in parts)]
    files = {f"{kind}.parquet": _parquet(_join(parts, kind, names)) for kind in kinds}
    people = _join(parts, "people", names)
    people = people.with_columns(_called(people["person"], release.names))
    files[ABOUT] = _about(release, files)
    who = _parquet(people, {KEY: key.secret.hex()})
    write_together(
        File(places[1], who, secret=True, may_replace=TRUTH.may_replace(False)),
        Folder(places[0], files, RELEASE.may_replace(force)),
    )


def check_release_places(
    folder: str | os.PathLike[str], truth: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = ()
) -> tuple[Path, Path]:
    """Return the places of a release and its truth, or say early that they could not be written there."""
    check_folder(folder)
    public, secret = Path(folder).resolve(), Path(truth).resolve()
    if public in (secret, *secret.parents):
        raise InputError(f"{truth}: the truth must not lie in the folder that will be published: name another place")
    inputs = list(inputs)
    place = check_place(folder, RELEASE, force=force, inputs=inputs)
    if os.path.lexists(truth) and not Path(truth).is_dir():
        raise InputError(
            f"{truth}: is there already, and may be the only key to a release: name a new file with --truth"
        )
    return place, check_place(truth, TRUTH, inputs=inputs)


def _about(release: Release, tables: Mapping[str, bytes]) -> bytes:
    about: dict[str, Any] = {"format": FORMAT, "scheme": release.scheme, "subgraphs": len(release)}
    if release.key is not None and release.key.is_repeatable:
        about |= {"repeatable": True, "warning": REPEATABLE}
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in tables.items()}
    return tomli_w.dumps({**about, "sha256": sums}).encode()


def _tables(number: int, public: Graph, secret: Secret, key: Key) -> dict[str, pl.DataFrame]:
    """Return the tables of one sub-graph in random order, nodes still by their number within it."""
    if not public.node_count:
        raise InputError("a sub-graph without nodes cannot be published: mend the scheme")
    subgraph = pl.lit(number, dtype=pl.Int32).alias("subgraph")
    nodes = np.arange(public.node_count)
    tables = {
        "nodes": pl.DataFrame({"node": key.permutation(nodes.size, "lines of nodes", number)}),
        "edges": _edge_table(number, public, key),
        "people": _people_table(secret),
    }
    if public.rows is not None:
        rows = public.rows  # in random order since the release was sealed
        ends = {"source": rows.source.astype(np.int64), "target": rows.target.astype(np.int64)}
        tables["events"] = pl.DataFrame({**ends, **rows.columns})
    return {kind: table.select(subgraph, pl.all()) for kind, table in tables.items()}


def _people_table(secret: Secret) -> pl.DataFrame:
    """Return a line for each person behind a node, and one without a person for a node that is nobody."""
    nodes, people = np.arange(secret.people.size), secret.people
    if secret.others is not None:
        nodes, people = np.append(nodes, secret.others[0]), np.append(people, secret.others[1])
    hops = pl.Series([None] * nodes.size if secret.hops is None else secret.hops[nodes], dtype=pl.Int8)
    return pl.DataFrame({"node": nodes, "person": people, "hops": hops})


def _called(person: pl.Series, names: NDArray[Any] | None) -> pl.Series:
    """Return what people are called; nobody is called nothing."""
    numbers = person.to_numpy()
    called = person if names is None else pl.Series("person", names[np.maximum(numbers, 0)])
    return called.zip_with(pl.Series(numbers != NOBODY), pl.Series("person", [None], dtype=called.dtype))


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
