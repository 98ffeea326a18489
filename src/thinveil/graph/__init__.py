"""The graph that flows everywhere, its events, and balls around its nodes; readers and built-in graphs."""

from thinveil.graph.graph import Dropped, EdgeRows, Graph, check_node_count

__all__ = ["Dropped", "EdgeRows", "Graph", "check_node_count"]
