"""What every reader hands over: edges between numbered nodes, and how they were read; and the graph made of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.graph.graph import Graph
from thinveil.graph.origin import Origin
from thinveil.runtime.arrays import frozen

_SHOWN = 3  # rows that are shown to the user


@dataclass(frozen=True, eq=False)
class Edges:
    """Two columns of dense node numbers, the nodes' labels (None: the numbers), and values per edge."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    labels: NDArray[Any] | None = None
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    node_count: int | None = None
    origin: Origin = field(default_factory=Origin)


def graph_of(edges: Edges, name: str, *, directed: bool = False) -> Graph:
    """Return the graph of what was read, under the name of its file; "" for what came out of no file."""
    columns = dict(edges.columns)
    if directed:
        columns["direction"] = np.ones(edges.source.size, dtype=np.int8)
    return Graph.from_edges(
        edges.source,
        edges.target,
        node_count=edges.node_count,
        labels=None if edges.labels is None else frozen(edges.labels),
        columns=columns or None,
        origin=origin_of(edges, name),
    )


def origin_of(edges: Edges, name: str) -> Origin:
    """Return how the edges were read, and log it."""
    pairs = np.stack([edges.source[:_SHOWN], edges.target[:_SHOWN]], axis=1)
    first = pairs if edges.labels is None else edges.labels[pairs]
    origin = replace(
        edges.origin,
        file=name,
        ids="integer" if first.dtype.kind in "iu" else "text",
        rows=edges.source.size,
        first=tuple(map(tuple, first.tolist())),
    )
    logging.getLogger("thinveil.reading").info(origin.words())
    return origin
