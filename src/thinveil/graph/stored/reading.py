"""Labels and events of a converted graph, held against what the folder says of them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph.checks import check_columns
from thinveil.graph.graph import EdgeRows
from thinveil.graph.stored.layout import LABELS, SOURCE, TARGET, VALUES, About
from thinveil.runtime.inputs import read_input
from thinveil.runtime.mapped import file_sum

_PIECE = 1 << 20  # events that are looked at together


def read_labels(path: Path, about: About) -> NDArray[Any]:
    """Return what the nodes are called: integers or texts, one each."""
    from thinveil.runtime.parquet import read_parquet_safely  # late: polars takes its time

    content = read_input(path)
    if hashlib.sha256(content).hexdigest() != about.sha256.get(LABELS):
        raise InputError("was changed after it was written: convert the graph anew")
    table = read_parquet_safely(content)
    if table.columns != ["label"] or len(table) != about.nodes or table["label"].null_count():
        raise InputError(f"does not hold one label for each of {about.nodes:,} nodes")
    column = table["label"]
    labels = np.array(column.to_list(), dtype=np.str_) if str(column.dtype) == "String" else column.to_numpy()
    if labels.dtype.kind not in "iuU":
        raise InputError("holds neither integers nor texts")
    return labels


def stray_event(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], events: EdgeRows, folder: Path, about: About
) -> str | None:
    """Say what is wrong with events, if anything is: each is on an edge, and has finite values."""
    from thinveil.graph.csr import find_stray

    nodes = indptr.size - 1
    for first in range(0, events.source.size, _PIECE):
        part = slice(first, first + _PIECE)
        source, target = events.source[part], events.target[part]
        if min(source.min(), target.min()) < 0 or max(source.max(), target.max()) >= nodes:
            return "holds a node that is not there: convert the graph anew"
        if find_stray(indptr, indices, source, target) >= 0:
            return "holds an event where no edge is: convert the graph anew"
        check_columns({name: values[part] for name, values in events.columns.items()}, source.size)
    for name in (SOURCE, TARGET, *VALUES[: len(events.columns)]):
        if file_sum(folder / name) != about.sha256.get(name):
            return f"or another of the events ({name}) was changed after it was written: convert the graph anew"
    if (events.columns.get("direction", np.zeros(1)) < 0).any():
        return "holds directions below 0: convert the graph anew"
    return None
