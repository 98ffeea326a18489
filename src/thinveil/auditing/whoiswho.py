"""Files that say who is who: people known beforehand, and the truth of a whole graph; CSV or Parquet.

Columns are node and person, and subgraph where there are several; further columns are left aside. In CSV a single
quote in front of a text is taken away: ``runtime.csvtext`` puts it there.
"""

from __future__ import annotations

import io
import os

import numpy as np
import polars as pl

from thinveil.errors import InputError
from thinveil.graph import Graph, labels_of
from thinveil.runtime.inputs import first_line, read_input
from thinveil.runtime.parquet import read_parquet_names, read_parquet_safely
from thinveil.schemes import Release, Secret

_COLUMNS = ("subgraph", "node", "person")


def read_who(path: str | os.PathLike[str]) -> pl.DataFrame:
    """Read a table of who is who, all as text; or say in one line what is wrong with it."""
    try:
        content = read_input(path)
        table = _from_parquet(content) if content.startswith(b"PAR1") else _from_csv(content)
    except InputError as error:
        raise InputError(f"{os.fspath(path)}: {error}") from None
    missing = [name for name in ("node", "person") if name not in table.columns]
    if missing or not len(table):
        what = f"has no column {missing[0]!r}" if missing else "has no lines"
        raise InputError(f"{os.fspath(path)}: {what}: give a table with the columns node and person")
    for name in ("node", "person"):
        if table[name].null_count() or (table[name] == "").any():
            raise InputError(f"{os.fspath(path)}: a {name} is missing: fill it in or remove the line")
    return table


def _from_csv(content: bytes) -> pl.DataFrame:
    try:
        table = pl.read_csv(io.BytesIO(content), infer_schema=False)
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        raise InputError(f"is no CSV table ({first_line(error)})") from None
    kept = table.select(name for name in _COLUMNS if name in table.columns)
    texts = [name for name in ("node", "person") if name in kept.columns]
    return kept.with_columns(pl.col(name).str.strip_prefix("'") for name in texts)


def _from_parquet(content: bytes) -> pl.DataFrame:
    names = [name for name in read_parquet_names(content) if name in _COLUMNS]
    table = read_parquet_safely(content, names)
    texts = [name for name in ("node", "person") if name in names]
    return table.with_columns(pl.col(name).cast(pl.String) for name in texts)


def with_truth(target: Graph, who: pl.DataFrame) -> Release:
    """Return a whole graph as a release whose secret says who its nodes are; whoever is not listed is absent."""
    person: dict[str, str] = dict(zip(who["node"].to_list(), who["person"].to_list(), strict=True))
    nodes = labels_of(target)
    unknown = person.keys() - set(nodes)
    if unknown:
        raise InputError(f"the truth has node {min(unknown)!r}, which the target does not have: give the truth of it")
    if len(set(person.values())) < len(person):
        raise InputError("the truth gives one person two nodes: correct it")
    # a node whose person is not told is somebody whom no auxiliary graph can hold: no label is as long
    names = np.array([person.get(node, f"\0{node}") for node in nodes], dtype=object)
    return Release((target,), (Secret(np.arange(len(nodes), dtype=np.int32)),), names=names)
