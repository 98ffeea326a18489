"""Writing the folder of a converted graph, piece by piece: no part of it stands in memory a second time."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph.graph import EdgeRows, Graph
from thinveil.graph.origin import Origin
from thinveil.graph.stored.layout import (
    ABOUT,
    INDICES,
    INDPTR,
    LABELS,
    MOST_COLUMNS,
    SOURCE,
    TARGET,
    VALUES,
    About,
)
from thinveil.runtime.mapped import column_header, file_sum

_PIECE = 1 << 23  # bytes written at once


def save_graph(graph: Graph, folder: Path) -> None:
    """Write a graph that stands in memory."""
    with ThreadPoolExecutor(1) as beside:
        digest = beside.submit(graph.digest)
        write_column(folder / INDPTR, graph.indptr, np.int64)
        write_column(folder / INDICES, graph.indices, np.int32)
        events = None if graph.rows is None else save_events(graph.rows, folder)
    dropped = graph.dropped
    about = About(graph.node_count, graph.indices.size, digest.result(), dropped.loops, dropped.duplicates)
    finish(folder, about, graph.labels, graph.origin, events)


def save_events(rows: EdgeRows, folder: Path) -> tuple[int, dict[str, str], dict[str, str]]:
    """Write events; return how many there are, the type of each of their columns, and the checksums of the files."""
    if len(rows.columns) > MOST_COLUMNS:
        raise InputError(f"events with {len(rows.columns)} columns: at most {MOST_COLUMNS} can be kept")
    arrays = {SOURCE: rows.source, TARGET: rows.target, **dict(zip(VALUES, rows.columns.values(), strict=False))}
    for name, array in arrays.items():
        write_column(folder / name, array, array.dtype)
    sums = {name: file_sum(folder / name) for name in arrays}
    return rows.source.size, {name: values.dtype.str for name, values in rows.columns.items()}, sums


def write_column(path: Path, array: NDArray[Any], dtype: Any) -> None:
    """Write an array into a file of its own."""
    with open(path, "xb") as file:
        file.write(column_header(dtype, array.size))
        step = max(1, _PIECE // np.dtype(dtype).itemsize)
        for first in range(0, array.size, step):
            file.write(np.ascontiguousarray(array[first : first + step], dtype=dtype).data)


def finish(
    folder: Path, about: About, labels: NDArray[Any] | None, origin: Origin | None,
    events: tuple[int, Mapping[str, str], Mapping[str, str]] | None = None,
) -> None:  # fmt: skip
    """Write what is beside the rows: labels, and what the folder is."""
    sums: dict[str, str] = {}
    if labels is not None:
        sums[LABELS] = _write_labels(folder / LABELS, labels)
    more: dict[str, Any] = {"has_labels": labels is not None, "read_as": _read_as(origin, about)}
    if events is not None:
        count, columns, event_sums = events
        more |= {"events": count, "columns": dict(columns)}
        sums |= event_sums
    (folder / ABOUT).write_bytes(About(**{**vars(about), **more, "sha256": sums}).to_toml())


def _write_labels(path: Path, labels: NDArray[Any]) -> str:
    import polars as pl  # late: it takes its time

    pl.DataFrame({"label": labels}).write_parquet(path)
    return file_sum(path)


def _read_as(origin: Origin | None, about: About) -> dict[str, Any]:
    if origin is None:
        return {"file": "", "ids": "integer", "rows": about.entries // 2, "columns": {}, "first": []}
    # columns that have no names are of no use to whom has not the file
    columns = {} if origin.header is False else dict(origin.columns)
    return {"file": os.path.basename(origin.file), "ids": origin.ids, "rows": origin.rows, "columns": columns,
            "first": [list(pair) for pair in origin.first]}  # fmt: skip
