"""Graphs as people have them, in and out: of networkx, igraph, pandas, polars and scipy, in files, in lists.

``kinds.as_graph`` is where every public function turns what it is given into a graph.
"""
