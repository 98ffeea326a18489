"""Graphs of networkx."""

from __future__ import annotations

from typing import Any

import numpy as np

from thinveil.errors import InputError
from thinveil.graph.exchange.base import Attributed, Kind, graph_of_attributed
from thinveil.graph.exchange.labels import enrol
from thinveil.graph.graph import Graph
from thinveil.runtime.visible import shown

_KIND = "networkx graph"


def from_networkx(
    graph: Any, *, weight: str | None = None, time: str | None = None, directed: bool | None = None
) -> Graph:
    """Return the graph of a networkx graph; see ``Graph.from_networkx``."""
    if not _recognises(graph):
        raise InputError(f"{shown(graph)} is no graph of networkx")
    place, labels = enrol(graph.nodes)
    edges = list(graph.edges(data=True))
    ends = np.array([(place[one], place[two]) for one, two, _ in edges], dtype=np.int32).reshape(-1, 2)
    read = Attributed(ends[:, 0], ends[:, 1], labels, len(place), [data for *_, data in edges])
    directed = bool(graph.is_directed()) if directed is None else directed
    return graph_of_attributed(read, _KIND, weight=weight, time=time, directed=directed)


def to_networkx(graph: Graph) -> Any:
    """Return a graph of networkx; see ``Graph.to_networkx``."""
    try:
        import networkx as nx
    except ImportError:
        raise InputError("networkx is not installed: pip install networkx") from None
    called = range(graph.node_count) if graph.labels is None else graph.labels.tolist()
    rows = graph.rows
    if rows is None:
        made = nx.Graph()
        source = np.repeat(np.arange(graph.node_count), graph.degrees)
        once = source < graph.indices
        edges = [(called[a], called[b]) for a, b in zip(source[once], graph.indices[once], strict=True)]
        made.add_nodes_from(called)
        made.add_edges_from(edges)
        return made
    columns = {name: values.tolist() for name, values in rows.columns.items()}
    ways = columns.pop("direction", None)
    made = nx.MultiGraph() if ways is None else nx.MultiDiGraph()
    made.add_nodes_from(called)
    for k, (a, b) in enumerate(zip(rows.source.tolist(), rows.target.tolist(), strict=True)):
        values = {name: column[k] for name, column in columns.items()}
        made.add_edge(called[a], called[b], **values)
        if ways is not None and ways[k] == 0:
            made.add_edge(called[b], called[a], **values)
    return made


def _recognises(given: Any) -> bool:
    methods = ("number_of_nodes", "is_directed", "adjacency")
    return not isinstance(given, type) and all(hasattr(given, name) for name in methods)


NETWORKX = Kind(_KIND, _recognises, from_networkx)
