"""Who is who, as others write it down: a table with a line for each person behind each published node.

Its columns are subgraph, node, person and, if they like, hops; a line without a person is a node that was made up, and
several lines of one node are people who were put together. Node and person are compared as texts, or as numbers where
the published ids are numbers (007 is 7).
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.errors import InputError, ReleaseError
from thinveil.runtime.inputs import first_line, read_input
from thinveil.runtime.parquet import read_parquet_safely
from thinveil.schemes.base import NOBODY, Secret
from thinveil.schemes.foreign.parts import SUBGRAPH, Part

_GUARD = "'"
Numbering = Callable[[pl.Series], NDArray[np.int64]]
"""Gives each of several texts the number of the person, or ``NOBODY`` for one that is not known."""


def read_who(path: str | os.PathLike[str], *, node: str = "node", person: str = "person") -> pl.DataFrame:
    """Read a table of who is who, CSV or Parquet, its columns as texts but for hops, or say what is wrong with it."""
    try:
        content = read_input(path)
        table = _parquet(content) if content.startswith(b"PAR1") else _csv(content)
        table = _renamed(table, {**dict.fromkeys(SUBGRAPH, "subgraph"), node: "node", person: "person"}, (node, person))
        _check_cells(table)
    except InputError as error:
        raise ReleaseError(f"{os.fspath(path)}: {error}") from None
    return table


def _parquet(content: bytes) -> pl.DataFrame:
    table = read_parquet_safely(content)
    strange = [name for name, kind in table.schema.items() if not (kind.is_numeric() or kind in (pl.String, pl.Null))]
    return table.drop(strange).select(pl.all().cast(pl.String))


def _csv(content: bytes) -> pl.DataFrame:
    head = content.split(b"\n", 1)[0].decode(errors="replace")
    separator = max(",;\t", key=head.count)
    try:
        table = pl.read_csv(io.BytesIO(content), infer_schema=False, separator=separator)
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        raise InputError(f"is no CSV table ({first_line(error)})") from None
    return table.select(pl.all().str.strip_chars().str.strip_prefix(_GUARD))


def _renamed(table: pl.DataFrame, names: Mapping[str, str], needed: Sequence[str]) -> pl.DataFrame:
    plain = [name.strip().strip('"\ufeff').lower() for name in table.columns]
    table.columns = [f"{name} {k}" if name in plain[:k] else name for k, name in enumerate(plain)]
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise InputError(f"has no column {missing[0]!r}: give a table with {' and '.join(needed)}, and subgraph if "
                         "there are several")  # fmt: skip
    kept = {**names, "hops": "hops"}
    table = table.select(pl.col(old).alias(new) for old, new in kept.items() if old in table.columns)
    texts = pl.col("person").replace("", None)
    hops = pl.lit(None, dtype=pl.Int8) if "hops" not in table.columns else _hops(table["hops"])
    return table.with_columns(texts, hops.alias("hops"))


def _hops(column: pl.Series) -> pl.Series:
    texts = column.replace("", None)
    numbers = texts.cast(pl.Float64, strict=False)
    if (texts.is_not_null() & ~numbers.is_in([0.0, 1.0, 2.0]).fill_null(False)).any():
        raise InputError("column 'hops' must hold 0, 1 or 2, the distance from the ego, or nothing")
    return numbers.cast(pl.Int8)


def _check_cells(table: pl.DataFrame) -> None:
    if not len(table):
        raise InputError("has no lines below its header: list who the nodes are")
    for name in ("subgraph", "node"):
        if name in table.columns and (table[name].is_null() | (table[name] == "")).any():
            raise InputError(f"a {name} is missing: fill it in or remove the line")


def secrets_of(parts: Sequence[Part], who: pl.DataFrame, numbers: Numbering, *, all_there: bool = True) -> list[Secret]:
    """Return who the nodes of all parts are, or the first thing in which the two do not fit each other.

    Parameters
    ----------
    parts
        The sub-graphs.
    who
        What ``read_who`` has read. Without a column subgraph it holds for all parts.
    numbers
        What number a person has.
    all_there
        Whether every node in the table must be in its sub-graph.
    """
    lines = _placed(parts, who, all_there=all_there)
    called = lines["person"]
    person = np.full(len(lines), NOBODY, dtype=np.int64)
    person[called.is_not_null().to_numpy()] = numbers(called.drop_nulls())
    _check_nodes(parts, lines)
    return [_secret(one, person[mine]) for one, mine in _each(parts, lines)]


def _placed(parts: Sequence[Part], who: pl.DataFrame, *, all_there: bool) -> pl.DataFrame:
    """Return the lines of all nodes, sorted by part and place; every node of every part has one at least."""
    nodes = pl.concat([_nodes(k, part) for k, part in enumerate(parts)])
    who = _with_parts(parts, who)
    named = who.join(nodes, on=["part", "node"], how="left", maintain_order="left")
    if all_there and named["place"].null_count():
        lost = named.filter(pl.col("place").is_null()).row(0, named=True)
        raise ReleaseError(f"{_title(parts, lost['part'])} has no node {lost['written']!r}, which is listed as one of "
                           f"its own{_example(parts, lost['part'])}")  # fmt: skip
    untold = nodes.join(who, on=["part", "node"], how="anti", maintain_order="left")
    if len(untold):
        lost = untold.row(0, named=True)
        raise ReleaseError(f"node {lost['node']!r} of {_title(parts, lost['part'])} is not listed: add a line for it, "
                           "without a person if it was made up")  # fmt: skip
    return named.filter(pl.col("place").is_not_null()).sort("part", "place", maintain_order=True)


def _nodes(k: int, part: Part) -> pl.DataFrame:
    labels = pl.Series("node", [str(one) for one in part.labels.tolist()], dtype=pl.String)
    return pl.DataFrame({"part": pl.repeat(k, len(labels), dtype=pl.Int64, eager=True), "node": labels,
                         "place": pl.int_range(len(labels), eager=True)})  # fmt: skip


def _with_parts(parts: Sequence[Part], who: pl.DataFrame) -> pl.DataFrame:
    """Return the lines with the number of their part, and nodes spelled as in that part."""
    who = who.with_columns(written=pl.col("node"))
    if "subgraph" not in who.columns:
        who = who.join(pl.DataFrame({"part": np.arange(len(parts))}), how="cross", maintain_order="left")
    else:
        names = [part.name for part in parts]
        numbers = {name: k for k, name in enumerate(names)} if names != [""] else dict.fromkeys(who["subgraph"], 0)
        who = who.with_columns(part=pl.col("subgraph").replace_strict(numbers, default=None, return_dtype=pl.Int64))
        _check_parts(parts, who)
    spelled = {k: part.labels.dtype.kind in "iu" for k, part in enumerate(parts)}
    is_number = pl.col("part").replace_strict(spelled, return_dtype=pl.Boolean)
    number = pl.col("node").cast(pl.Int128, strict=False).cast(pl.String)
    return who.with_columns(node=pl.when(is_number).then(pl.coalesce(number, "node")).otherwise("node"))


def _check_parts(parts: Sequence[Part], who: pl.DataFrame) -> None:
    strange = who.filter(pl.col("part").is_null())
    if len(strange):
        some = ", ".join(repr(part.name) for part in parts[:3]) + ", ..." * (len(parts) > 3)
        raise ReleaseError(f"there is no sub-graph {strange['subgraph'][0]!r}: the release has {some}")
    if who["subgraph"].n_unique() > len(parts):
        raise ReleaseError("several sub-graphs are listed, and the release is a single graph")
    untold = set(range(len(parts))) - set(who["part"].to_list())
    if untold:
        raise ReleaseError(f"{_title(parts, min(untold))} is not listed: say who its nodes are")


def _check_nodes(parts: Sequence[Part], lines: pl.DataFrame) -> None:
    """Refuse a line that comes twice, a node that is somebody and nobody, and a person who is two nodes."""
    node = ["part", "node"]
    is_real = pl.col("person").is_not_null()
    _refuse(parts, lines, pl.struct(*node, "person").is_duplicated(), "node {written!r} is listed twice")
    torn = ~is_real & pl.struct(node).is_duplicated()
    _refuse(parts, lines, torn, "node {written!r} is listed both as somebody and as nobody")
    twice = is_real & pl.struct("part", "person").is_duplicated()
    _refuse(parts, lines, twice, "person {person!r} stands twice, where each person is one node at most")


def _refuse(parts: Sequence[Part], lines: pl.DataFrame, wrong: pl.Expr, words: str) -> None:
    found = lines.filter(wrong)
    if len(found):
        one = found.row(0, named=True)
        raise ReleaseError(f"{words.format_map(one)}, in {_title(parts, one['part'])}")


def _each(parts: Sequence[Part], lines: pl.DataFrame) -> list[tuple[pl.DataFrame, slice]]:
    starts = lines["part"].search_sorted(pl.Series(np.arange(len(parts) + 1)))
    slices = [slice(int(one), int(two)) for one, two in pairwise(starts)]
    return [(lines[mine], mine) for mine in slices]


def _secret(lines: pl.DataFrame, person: NDArray[np.int64]) -> Secret:
    place = lines["place"].to_numpy()
    first = np.ones(place.size, dtype=bool)
    first[1:] = place[1:] != place[:-1]
    others = np.stack((place[~first], person[~first])) if not first.all() else None
    return Secret(person[first].astype(np.int32), _known_hops(lines.filter(pl.Series(first))), others)


def _known_hops(lines: pl.DataFrame) -> Any:
    hops = lines["hops"]
    if not hops.null_count():
        return hops.to_numpy()
    if hops.null_count() < len(hops):
        raise ReleaseError("column 'hops' must hold something for all nodes of a sub-graph, or for none")
    return None


def _title(parts: Sequence[Part], k: int) -> str:
    return f"sub-graph {parts[k].name!r}" if parts[k].name else "the graph"


def _example(parts: Sequence[Part], k: int) -> str:
    labels = parts[k].labels
    return f" (they are called {str(labels[0])!r} and the like)" if labels.size else ""


def truth_of(parts: Sequence[Part], truth: Path) -> tuple[list[Secret], NDArray[Any]]:
    """Return who is who in parts, and what the people are called, by number: whole numbers if all are called so."""
    who = read_who(truth)
    if "subgraph" not in who.columns and len(parts) > 1:
        raise ReleaseError(f"{truth}: has no column 'subgraph', and the release has {len(parts)} sub-graphs")
    called = who["person"].drop_nulls().unique()
    numbers = called.cast(pl.Int64, strict=False)
    names = np.sort((called if numbers.null_count() or numbers.n_unique() < len(called) else numbers).to_numpy())
    number = {str(name): k for k, name in enumerate(names.tolist())}
    is_int = names.dtype.kind == "i"

    def find(texts: pl.Series) -> NDArray[np.int64]:
        spelled = texts.cast(pl.Int64).cast(pl.String) if is_int else texts
        return spelled.replace_strict(number, return_dtype=pl.Int64).to_numpy()

    try:
        return secrets_of(parts, who, find), names
    except InputError as error:
        raise ReleaseError(f"{truth}: {error}") from None
