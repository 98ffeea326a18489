"""Graphs to start with, without a file of one's own."""

from thinveil.graph.synthetic.synthetic import synthetic_graph

__all__ = ["synthetic_graph"]
