"""Tables of polars, such as those of Parquet files. Messages name rows, counted from 1, since a table has no lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.origin import Origin
from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS, choose_columns
from thinveil.graph.reading.doubts import MOST_ROWS, Rows, asks, check_edges, check_names, check_rows
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.labels import MISSING, Ends, Labels, number_integers, text_labels
from thinveil.graph.reading.names import id_columns
from thinveil.graph.reading.sources import Source
from thinveil.graph.reading.tokens import LONGEST_FIELD
from thinveil.graph.reading.values import ONE_KIND, parse_directions, problem_of_value, spells_dates, text_values
from thinveil.runtime.parquet import read_parquet_names, read_parquet_safely

_LONGEST_DIRECTION = 32
_MOST_BESIDE = 4  # columns that are looked at beside those that are read


def read_table(source: Source, options: Options) -> Edges:
    """Read two id columns, and what else the user wishes, from a Parquet file."""
    table, roles = _load(source, options)
    return edges_of(source, table, roles, options, "Parquet")


def edges_of(source: Source, table: pl.DataFrame, roles: dict[str, str], options: Options, kind: str) -> Edges:
    """Return the edges of a table, whose columns have roles; ``source`` is what messages name."""
    if not table.height:
        raise source.fail("the table has no rows; look whether this is the right one")
    pair = [_check_ids(source, role, table[roles[role]]) for role in IDS]
    is_text = options.ids == "string" or any(column.dtype == pl.String for column in pair)
    if is_text and options.ids == "integer":
        raise source.fail("the node ids are text, but --ids integer (ids='integer') was given; leave it out")
    rows = _first_rows(source, table, roles, integers=not is_text)
    check_rows(rows, options)
    ends, labels = _number_texts(source, pair) if is_text else _number_integers(source, pair)
    values = {role: values_of(source, role, table[name]) for role, name in roles.items() if role not in IDS}
    edges = Edges(ends[0], ends[1], labels, values)
    return replace(edges, origin=Origin(kind, columns=roles, note=check_edges(rows, edges, options)))


def _first_rows(source: Source, table: pl.DataFrame, roles: dict[str, str], *, integers: bool) -> Rows:
    """Return the first rows of the columns that are read or may hold ids too, as the doubts see them."""
    names = [*roles.values(), *(name for name in table.columns if name not in roles.values())]
    fields = [["" if cell is None else str(cell) for cell in row] for row in table.head(MOST_ROWS).select(names).rows()]
    choice = {role: place for place, role in enumerate(roles)}
    return Rows(source, fields, choice, names, integers, table.height <= MOST_ROWS)


def _load(source: Source, options: Options) -> tuple[pl.DataFrame, dict[str, str]]:
    """Return the wished columns and others that may hold ids, and which of them has which role."""
    content = source.data.tobytes()
    try:
        names = read_parquet_names(content)
        wanted, roles = choose_names(source, names, options)
        return read_parquet_safely(content, wanted), roles
    except GraphFileError:
        raise
    except InputError as error:
        raise source.fail(str(error)) from None


def choose_names(source: Source, names: list[str], options: Options) -> tuple[list[str], dict[str, str]]:
    """Return which columns of a table are looked at, and which of them has which role."""
    check_names(source, names, options)
    try:
        choice = choose_columns(options.wish, names, len(names))
    except InputError as error:
        raise source.fail(str(error)) from None
    roles = {role: names[column] for role, column in choice.items()}
    is_chosen = options.is_sure or "source" in options.wish.given()
    beside = set() if is_chosen else {names[column] for column in id_columns(names)[:_MOST_BESIDE]}
    beside |= {name for name in names if asks(name)} if not options.is_sure else set()
    return sorted({*roles.values(), *beside}), roles


def _check_ids(source: Source, role: str, column: pl.Series) -> pl.Series:
    """Return an id column as integers or text, or say which row has no id."""
    if column.dtype in (pl.Categorical, pl.Enum):
        column = column.cast(pl.String)
    missing = column.is_null()
    if column.dtype.is_float():
        missing |= column.is_nan().fill_null(True)
    if column.dtype == pl.String:
        missing |= column.is_in(list(MISSING)).fill_null(True)
    _check_rows(source, missing.to_numpy(), f"the {role} id is missing; fill it in or remove the row")
    if column.dtype == pl.String:
        _check_texts(source, role, column)
    elif not _is_integer(column.dtype):
        raise source.fail(f"column {column.name!r} holds {column.dtype}; node ids are integers or text")
    return column


def _check_texts(source: Source, role: str, column: pl.Series) -> None:
    """Refuse what is no id in a text file either: arrays of texts would drop a NUL, and be as wide as the longest."""
    is_long = (column.str.len_bytes() > LONGEST_FIELD).to_numpy()
    _check_rows(source, is_long, f"the {role} id is longer than {LONGEST_FIELD} bytes; shorten it")
    has_control = column.str.contains(r"[\x00-\x1f\x7f-\x9f]").to_numpy()
    _check_rows(source, has_control, f"the {role} id has a control character in it, such as NUL; remove the character")


def _is_integer(dtype: pl.DataType) -> bool:
    return dtype.is_integer() and str(dtype) not in ("Int128", "UInt128")


def _check_rows(source: Source, is_bad: NDArray[np.bool_], problem: str) -> None:
    if is_bad.any():
        raise source.fail(f"row {np.argmax(is_bad) + 1}: {problem}")


def _number_integers(source: Source, pair: list[pl.Series]) -> tuple[Ends, Labels | None]:
    is_big = any(column.dtype == pl.UInt64 and column.to_numpy().max() >= 2**63 for column in pair)
    if is_big and any(column.to_numpy().min() < 0 for column in pair):
        raise source.fail(
            "negative ids and ids above 2**63 - 1 do not fit one 64-bit type "
            '(to keep them as text, pass --ids string or ids="string")'
        )
    kind = pl.UInt64 if is_big else pl.Int64
    return number_integers([np.stack([column.cast(kind).to_numpy() for column in pair])])


def _number_texts(source: Source, pair: list[pl.Series]) -> tuple[Ends, Labels]:
    texts = [column.cast(pl.String) for column in pair]
    labels = pl.concat([column.unique().alias("label") for column in texts]).unique().sort()
    numbers = [column.cast(pl.Enum(labels)).to_physical().cast(pl.Int32).to_numpy() for column in texts]
    return np.stack(numbers), text_labels(source, labels.to_list())


def values_of(source: Source, role: str, column: pl.Series) -> NDArray[Any]:
    """Return an edge column: directions as signs, numbers as they are, dates as seconds since 1970."""
    if role == "direction":
        # cut before they become one array, as wide as the longest; no direction is as long
        texts = column.cast(pl.String).fill_null("").str.slice(0, _LONGEST_DIRECTION).to_list()
        values, bad = parse_directions(np.array([text.encode() for text in texts], dtype=np.bytes_))
        if bad >= 0:
            raise source.fail(f"row {bad + 1}: {problem_of_value(role, str(column[bad]))}")
        return values
    is_date = column.dtype in (pl.Datetime, pl.Date)
    if is_date:
        column = column.dt.epoch("s")
    if column.dtype == pl.String and role == "time":
        return _parse(source, role, column)
    if not column.dtype.is_numeric():
        raise source.fail(f"column {column.name!r} holds {column.dtype}; a {role} is a number")
    kind = pl.Int64 if column.dtype.is_integer() and column.dtype != pl.UInt64 else pl.Float64
    values = column.cast(pl.Float64).fill_null(np.nan).to_numpy()
    _check_rows(source, ~np.isfinite(values), f"the {role} is missing or not a finite number")
    numbers = column.cast(kind).to_numpy()
    if role == "time" and not is_date and spells_dates(numbers):
        raise source.fail(f"row 1: {problem_of_value(role, str(numbers[0]))}")
    return numbers


def _parse(source: Source, role: str, column: pl.Series) -> NDArray[Any]:
    """Return values that are spelled in text, as they are in text files."""
    missing = (column.is_null() | column.is_in(list(MISSING))).fill_null(True).to_numpy()
    _check_rows(source, missing, f"the {role} is missing; fill it in or remove the row")
    values, bad = text_values(source.name, role, column.to_list())
    if bad >= 0:
        problem = problem_of_value(role, column[bad]) or f"the {role}: {ONE_KIND}"
        raise source.fail(f"row {bad + 1}: {problem}")
    return values
