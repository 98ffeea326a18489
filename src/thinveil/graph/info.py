"""What a graph holds, in plain numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.graph import Graph

_QUANTILES = (0, 25, 50, 75, 90, 99, 100)


def info(graph: GraphLike) -> dict[str, Any]:
    """Return nodes, edges, degree quantiles, what was dropped, how the file was read, and what is known of the events.

    Examples
    --------
    >>> from thinveil.graph import Graph
    >>> facts = info(Graph.from_edges([0, 1], [1, 2]))
    >>> facts["nodes"], facts["edges"], facts["degree_quantiles"]["100%"]
    (3, 2, 2)
    """
    if not isinstance(graph, Graph):
        from thinveil.graph.exchange.kinds import as_graph  # late: it imports polars

        graph = as_graph(graph)
    degrees = graph.degrees if graph.node_count else np.zeros(1, dtype=np.int64)
    levels = np.quantile(degrees, [q / 100 for q in _QUANTILES], method="higher")
    facts: dict[str, Any] = {
        "nodes": graph.node_count,
        "edges": graph.edge_count,
        "mean_degree": round(float(degrees.mean()), 3),
        "degree_quantiles": {f"{q}%": int(level) for q, level in zip(_QUANTILES, levels, strict=True)},
        "dropped": {"self_loops": graph.dropped.loops, "duplicates": graph.dropped.duplicates},
        "digest": graph.digest(),
    }
    if graph.origin is not None:
        facts["read_as"] = graph.origin.to_dict()
    if graph.rows is not None:
        columns = {name: _range(values) for name, values in graph.rows.columns.items()}
        facts["rows"] = {"count": graph.rows.source.size, "columns": columns}
    return facts


def _range(values: NDArray[Any]) -> dict[str, Any]:
    return {"min": values.min().item(), "max": values.max().item()} if values.size else {"min": None, "max": None}
