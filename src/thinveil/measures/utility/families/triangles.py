"""Triangles: three people who all know each other."""

from __future__ import annotations

from thinveil.measures.utility.base import About, Answers, Comparison, Family, say
from thinveil.measures.utility.distances import kolmogorov_smirnov


def compare(given: Comparison) -> Answers:
    """Compare the laws of triangles for each node: a few triangles more or less are never much."""
    every = [side.triangles for side in given.sides]
    return {"triangles": say((int(one.sum()) // 3 for one in every), kolmogorov_smirnov(*every))}


TRIANGLES = Family(
    "triangles",
    (
        About(
            "triangles",
            "number of triangles",
            "0: the same law of the triangles in which a person stands; 1: no number of them in common",
        ),
    ),
    compare,
)
