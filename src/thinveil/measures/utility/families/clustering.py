"""Whether the contacts of a person know each other, and triangles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.measures.utility.base import About, Answers, Comparison, Family, Side, say
from thinveil.measures.utility.distances import kolmogorov_smirnov

_FEW = "in one of the two graphs nobody has two contacts"


def compare(given: Comparison) -> Answers:
    """Compare local and global clustering."""
    local = [local_clustering(side) for side in given.sides]
    if not all(one.size for one in local):
        return {"local-clustering": _FEW, "global-clustering": _FEW}
    means, overall = ([find(side) for side in given.sides] for find in (_mean, transitivity))
    return {
        "local-clustering": say(means, kolmogorov_smirnov(*local)),
        "global-clustering": say(overall, abs(overall[0] - overall[1])),
    }


def local_clustering(side: Side) -> NDArray[np.float64]:
    """Return the share of pairs of contacts that are contacts, of everybody with two or more."""
    degrees = side.graph.degrees
    several = degrees > 1
    return np.asarray(2 * side.triangles[several] / (degrees * (degrees - 1))[several])


def _mean(side: Side) -> float:
    return float(local_clustering(side).mean())


def transitivity(side: Side) -> float:
    """Return the share of all pairs of contacts of anybody that are contacts; somebody has two."""
    degrees = side.graph.degrees
    return float(2 * side.triangles.sum() / (degrees * (degrees - 1)).sum())


CLUSTERING = Family(
    "clustering",
    (
        About(
            "local-clustering",
            "mean over people of the share of pairs of contacts who are contacts themselves",
            "0: the same law of these shares; 1: none in common",
        ),
        About(
            "global-clustering",
            "share of all pairs of contacts of somebody who are contacts themselves",
            "0: the same share; 1: from none to all, or back",
        ),
    ),
    compare,
)
