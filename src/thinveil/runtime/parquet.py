"""Parquet tables from strangers, read by polars.

polars believes what a file says of itself: where that is absurd, it ends the process, or takes all memory. So the
footer and the heads of the pages are read here first, and the sizes that they promise are held against the file's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import polars as pl

from thinveil.errors import InputError
from thinveil.runtime.memory import most_unpacked
from thinveil.runtime.thrift import Struct, ThriftError, read_struct

Result = TypeVar("Result")
_MAGIC = b"PAR1"
_ENDS = 12  # bytes: the magic number twice, and the footer's length
_MOST_FOOTER = 2**24  # bytes
_CELL = 8  # bytes that a cell takes in memory, at the most of a number


def read_parquet_safely(content: bytes, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """Return a table, or some of its columns; whatever is wrong with it is an InputError of one line.

    Parameters
    ----------
    content
        The whole file.
    columns
        Names of the columns to read; None reads all.

    """
    _refuse_damage(lambda: _check_pages(content, columns))
    return _refuse_damage(lambda: pl.read_parquet(content, columns=None if columns is None else list(columns)))


def read_parquet_names(content: bytes) -> list[str]:
    """Return the names of the columns, or an InputError of one line."""
    _refuse_damage(lambda: _read_footer(memoryview(content)))
    return _refuse_damage(lambda: list(pl.read_parquet_schema(content)))


def _refuse_damage(read: Callable[[], Result]) -> Result:
    try:
        return read()
    except InputError:
        raise
    except MemoryError:
        raise InputError("the Parquet file needs more memory than there is; split it") from None
    except (ThriftError, OSError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        reason = (str(error).splitlines() or ["no reason given"])[0][:200]
    except pl.exceptions.PanicException:  # a bug of polars: no Exception, but nothing else is known to raise it
        reason = "its content contradicts itself"
    raise InputError(f"the Parquet file is damaged ({reason}); fetch it again")


def _read_footer(data: memoryview) -> tuple[Struct, int]:
    """Return what the file says of itself, and where its footer starts."""
    if len(data) < _ENDS or data[:4] != _MAGIC or data[-4:] != _MAGIC:
        raise ThriftError("it does not start and end with PAR1")
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    if start < 4:
        raise ThriftError("its footer is longer than the file")
    if len(data) - 8 - start > _MOST_FOOTER:
        raise InputError(f"the Parquet file has a footer of more than {_MOST_FOOTER:,} bytes; write it anew, or as CSV")
    return read_struct(data, start, len(data) - 8)[0], start


def _check_pages(content: bytes, columns: Sequence[str] | None) -> None:
    """Check all that a file says of the sizes of the wished columns."""
    data = memoryview(content)
    footer, body_end = _read_footer(data)
    most = most_unpacked(len(content))
    rows = _count(footer, 3)
    groups = _structs(footer, 4)
    if sum(_count(group, 3) for group in groups) != rows:
        raise ThriftError("its parts do not have as many rows as the whole")
    needed = 0
    for group in groups:
        for chunk in _chunks(group, columns):
            needed += _count(chunk, 5) * _CELL + _check_chunk(data, chunk, _count(group, 3), body_end, most)
            if needed > most:
                raise InputError(
                    f"the Parquet file of {len(content):,} bytes says that it unpacks to more than {most:,}: "
                    "it is damaged or made to fill the memory; if it is neither, convert it to CSV"
                )


def _chunks(group: Struct, columns: Sequence[str] | None) -> Iterator[Struct]:
    """Yield what is said of each wished column of a group of rows."""
    for chunk in _structs(group, 1):
        said = chunk.get(3)
        path = said.get(3) if isinstance(said, dict) else None
        if not isinstance(said, dict) or not isinstance(path, list) or not path or not isinstance(path[0], bytes):
            raise ThriftError("a column is not described")
        if columns is None or path[0].decode(errors="replace") in columns:
            yield said


def _check_chunk(data: memoryview, chunk: Struct, rows: int, body_end: int, most: int) -> int:
    """Check a column of a group of rows; return to how many bytes its pages unpack."""
    values, size = _count(chunk, 5), _count(chunk, 7)
    starts = [_count(chunk, number) for number in (9, 11) if chunk.get(number)]
    start = min(starts, default=0)
    if start < 4 or start + size > body_end:
        raise ThriftError("a column lies outside the file")
    if len(chunk[3]) == 1 and values != rows:
        raise ThriftError("a column does not have as many values as there are rows")
    place, stop, unpacked = start, start + size, 0
    while place < stop and values > 0:
        head, place = read_struct(data, place, stop)
        place += _count(head, 3)
        unpacked += _count(head, 2)
        values -= _page_values(head)
        if place > stop or unpacked > most:
            raise ThriftError("a page is larger than its column")
    if values:
        raise ThriftError("the pages of a column do not have as many values as the column")
    return unpacked


def _page_values(head: Struct) -> int:
    """Return how many values of the column stand on a page."""
    for number in (5, 8):
        if isinstance(head.get(number), dict):
            return _count(head[number], 1)
    if isinstance(head.get(7), dict) and _count(head[7], 1) > _count(head, 2):
        raise ThriftError("a dictionary has more words than bytes")
    return 0


def _count(struct: Struct, number: int) -> int:
    """Return a field that holds a number of things."""
    value = struct.get(number)
    if not isinstance(value, int) or not 0 <= value < 2**62:
        raise ThriftError("a size is missing or absurd")
    return value


def _structs(struct: Struct, number: int) -> list[Struct]:
    items = struct.get(number)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ThriftError("a list of its parts is missing")
    return items
