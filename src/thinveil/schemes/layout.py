"""The files of a release.

A release is a folder that can be published as it is::

    release.toml      format, scheme, number of sub-graphs, checksums; neither seed nor key
    nodes.parquet     subgraph, node
    edges.parquet     subgraph, source, target
    events.parquet    the same and a column for each value of an event, where the release has events

``node`` is a pseudonym: a random number that no other node of the release has, whoever is behind it. Lines
stand in random order within a sub-graph, and so do the two ends of an edge. Who is who stands in a file of its
own, which the auditor names and keeps: subgraph, node, person (the user's label), hops; and, beside the table, the key
that all names and orders were drawn by.
"""

from __future__ import annotations

FORMAT = 1
ABOUT, NODES, EDGES, EVENTS = "release.toml", "nodes.parquet", "edges.parquet", "events.parquet"
ENDS = ("subgraph", "source", "target")
COLUMNS = {NODES: ("subgraph", "node"), EDGES: ENDS}
TRUTH_COLUMNS = ("subgraph", "node", "person", "hops")
KEY = "thinveil key"
REPEATABLE = "made to be repeated: whoever guesses its seed can undo this release; never publish it"
"""What is said of a release whose key comes from a seed."""
