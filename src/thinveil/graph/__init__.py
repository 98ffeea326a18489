"""The graph that flows everywhere, its events, and balls around its nodes; readers and built-in graphs."""

from thinveil.graph.checks import check_node_count
from thinveil.graph.graph import Dropped, EdgeRows, Graph, labels_of, trusted_graph

__all__ = ["Dropped", "EdgeRows", "Graph", "check_node_count", "labels_of", "trusted_graph"]
