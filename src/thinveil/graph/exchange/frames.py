"""Tables with a line per edge or event: of polars, of pandas, and of whatever speaks Arrow."""

from __future__ import annotations

from typing import Any

import polars as pl

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.exchange.base import NO_BYTES, Kind
from thinveil.graph.exchange.labels import enrol
from thinveil.graph.graph import Graph
from thinveil.graph.reading.base import Ids, Options
from thinveil.graph.reading.columns import IDS, Column, Wish, check_directed
from thinveil.graph.reading.edges import graph_of
from thinveil.graph.reading.formats.tables import choose_names, edges_of
from thinveil.graph.reading.sources import Source
from thinveil.runtime.visible import one_line, shown

_POLARS, _PANDAS = "polars table", "pandas table"


def from_polars(
    table: Any, *, source: Column | None = None, target: Column | None = None, weight: Column | None = None,
    time: Column | None = None, direction: Column | None = None, directed: bool = False, ids: Ids = "auto",
) -> Graph:  # fmt: skip
    """Return the graph of a table of polars; see ``Graph.from_polars``."""
    table = table.collect() if isinstance(table, pl.LazyFrame) else table
    if not isinstance(table, pl.DataFrame):
        if not hasattr(table, "__arrow_c_stream__"):
            raise InputError(f"{shown(table)} is no table of polars")
        table = pl.DataFrame(table)
    wish = Wish(source, target, weight, time, direction)
    return _from_table(_POLARS, table.columns, lambda name, _: table[name], Options(wish, ids), directed)


def from_pandas(
    table: Any, *, source: Column | None = None, target: Column | None = None, weight: Column | None = None,
    time: Column | None = None, direction: Column | None = None, directed: bool = False, ids: Ids = "auto",
) -> Graph:  # fmt: skip
    """Return the graph of a table of pandas; see ``Graph.from_pandas``."""
    if not _is_pandas(table):
        raise InputError(f"{shown(table)} is no table of pandas")
    names = [str(name) for name in table.columns]
    wish = Wish(source, target, weight, time, direction)

    def column(name: str, is_id: bool) -> pl.Series:
        return _series(name, table.iloc[:, names.index(name)], is_id)

    return _from_table(_PANDAS, names, column, Options(wish, ids), directed)


def _from_table(kind: str, names: list[str], column: Any, options: Options, directed: bool) -> Graph:
    check_directed(directed, options.wish.direction)
    place = Source(f"the {kind}", NO_BYTES)
    if len(names) < 2:
        raise place.fail("has fewer than two columns: two with node ids are needed")
    wanted, roles = choose_names(place, names, options)
    ends = {roles[role] for role in IDS}
    try:
        table = pl.DataFrame([column(name, name in ends) for name in wanted])
    except GraphFileError:
        raise
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise place.fail(f"a column cannot be read: {one_line(str(error))}") from None
    return graph_of(edges_of(place, table, roles, options, kind), "", directed=directed)


def _series(name: str, column: Any, is_id: bool) -> pl.Series:
    """Return a column of pandas as one of polars, without Arrow, which pandas may not have."""
    if hasattr(column, "cat"):
        column = column.astype(object)
    if getattr(column.dtype, "tz", None) is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    if getattr(column.dtype, "kind", "O") in "iufM" and not hasattr(column.dtype, "na_value"):
        return pl.Series(name, column.to_numpy())
    empty = column.isna().tolist()
    values = [None if missing else value for value, missing in zip(column.tolist(), empty, strict=True)]
    if is_id:
        values = _labels(values)
    return pl.Series(name, values)


def _labels(values: list[Any]) -> list[Any]:
    """Return ids as whole numbers or texts, whatever they are."""
    there = [value for value in values if value is not None]
    if all(isinstance(value, str) for value in there):
        return values
    place, labels = enrol(there)
    called = list(range(len(place))) if labels is None else labels.tolist()
    return [None if value is None else called[place[value]] for value in values]


def to_polars(graph: Graph) -> pl.DataFrame:
    """Return a table of polars; see ``Graph.to_polars``."""
    import numpy as np

    rows = graph.rows
    if rows is None:
        source = np.repeat(np.arange(graph.node_count, dtype=np.int32), graph.degrees)
        once = source < graph.indices
        source, target, columns = source[once], graph.indices[once], {}
    else:
        source, target, columns = rows.source, rows.target, dict(rows.columns)
    ends = (source, target) if graph.labels is None else (graph.labels[source], graph.labels[target])
    return pl.DataFrame({"source": ends[0], "target": ends[1], **columns})


def to_pandas(graph: Graph) -> Any:
    """Return a table of pandas; see ``Graph.to_pandas``."""
    try:
        import pandas as pd
    except ImportError:
        raise InputError("pandas is not installed: pip install pandas") from None
    table = to_polars(graph)
    return pd.DataFrame({name: table[name].to_numpy() for name in table.columns})


def _is_pandas(given: Any) -> bool:
    return type(given).__module__.partition(".")[0] == "pandas" and hasattr(given, "iloc") and hasattr(given, "columns")


def _is_polars(given: Any) -> bool:
    return isinstance(given, pl.DataFrame | pl.LazyFrame) or (
        not isinstance(given, type) and hasattr(given, "__arrow_c_stream__")
    )


PANDAS = Kind(_PANDAS, _is_pandas, from_pandas)
POLARS = Kind(_POLARS, _is_polars, from_polars)
