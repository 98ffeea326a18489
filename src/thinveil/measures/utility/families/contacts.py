"""Edges: whether the same people are contacts."""

from __future__ import annotations

import numpy as np

from thinveil.measures.utility.alignment import shared_edges
from thinveil.measures.utility.base import About, Answers, Comparison, Family, Said


def compare(given: Comparison) -> Answers:
    """Compare who is in contact with whom; an edge of somebody who is not aligned is not in the other graph."""
    if not given.aligned.shape[1]:
        return {"edges-kept": given.unaligned}
    counts = [side.graph.edge_count for side in given.sides]
    if not max(counts):
        return {"edges-kept": "neither graph has edges"}
    both = int(np.count_nonzero(shared_edges(given)))
    return {"edges-kept": Said(counts[0], both, 1 - both / max(counts))}


CONTACTS = Family(
    "contacts",
    (
        About(
            "edges-kept",
            "edges between the same two people as in the original",
            "0: exactly the same edges; 1: none in common, as a share of the larger number of edges",
        ),
    ),
    compare,
)
