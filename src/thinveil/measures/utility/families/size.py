"""How many nodes and edges there are."""

from __future__ import annotations

from thinveil.measures.utility.base import About, Answers, Comparison, Family, say
from thinveil.measures.utility.distances import share_apart


def compare(given: Comparison) -> Answers:
    """Compare the numbers of nodes and of edges."""
    nodes, edges = ([getattr(side.graph, name) for side in given.sides] for name in ("node_count", "edge_count"))
    return {"nodes": say(nodes, share_apart(*nodes)), "edges": say(edges, share_apart(*edges))}


SIZE = Family(
    "size",
    (
        About("nodes", "number of nodes", "0: as many; 1: none left, or almost all made up"),
        About("edges", "number of edges", "0: as many; 1: none left, or almost all made up"),
    ),
    compare,
)
