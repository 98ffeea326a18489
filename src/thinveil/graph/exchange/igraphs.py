"""Graphs of igraph, told and read by their methods: igraph itself is never imported."""

from __future__ import annotations

from typing import Any

import numpy as np

from thinveil.errors import InputError
from thinveil.graph.exchange.base import Attributed, Kind, graph_of_attributed
from thinveil.graph.exchange.labels import enrol
from thinveil.graph.graph import Graph
from thinveil.runtime.visible import shown

_KIND = "igraph graph"


def from_igraph(
    graph: Any, *, weight: str | None = None, time: str | None = None, directed: bool | None = None, name: str = "name"
) -> Graph:
    """Return the graph of an igraph graph; see ``Graph.from_igraph``."""
    if not _recognises(graph):
        raise InputError(f"{shown(graph)} is no graph of igraph")
    count = int(graph.vcount())
    called = list(graph.vs[name]) if name in graph.vs.attributes() else list(range(count))
    place, labels = enrol(called)
    if len(place) < count:
        raise InputError(f"two vertices have the same {name!r}: choose another attribute with name=")
    number = np.array([place[one] for one in called], dtype=np.int32)
    ends = number[np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)]
    attributes = [dict(edge.attributes()) for edge in graph.es] if weight or time else ()
    read = Attributed(ends[:, 0], ends[:, 1], labels, count, attributes)
    directed = bool(graph.is_directed()) if directed is None else directed
    return graph_of_attributed(read, _KIND, weight=weight, time=time, directed=directed)


def _recognises(given: Any) -> bool:
    methods = ("get_edgelist", "vcount", "vs", "es")
    return not isinstance(given, type) and all(hasattr(given, one) for one in methods)


IGRAPH = Kind(_KIND, _recognises, from_igraph)
