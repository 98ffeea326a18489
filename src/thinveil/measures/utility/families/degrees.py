"""Degrees, the degrees at both ends of an edge, and how far they go together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.measures.utility.base import About, Answers, Comparison, Family, Said, Side, say
from thinveil.measures.utility.distances import kolmogorov_smirnov, total_variation

F64 = NDArray[np.float64]

_CLASSES = 32  # of degrees that double: 1, 2-3, 4-7, ...
_NO_EDGES = "one of the two graphs has no edges"


def compare(given: Comparison) -> Answers:
    """Compare the laws of degrees and of pairs of degrees, and the assortativity."""
    degrees = [side.graph.degrees for side in given.sides]
    means = [float(one.mean()) for one in degrees]
    answers: dict[str, Said | str] = {"degrees": say(means, kolmogorov_smirnov(*degrees))}
    if not all(side.graph.edge_count for side in given.sides):
        return {**answers, "joint-degrees": _NO_EDGES, "assortativity": _NO_EDGES}
    ends = [float((one.astype(float) ** 2).sum() / one.sum()) for one in degrees]
    answers["joint-degrees"] = say(ends, total_variation(*map(_joint, given.sides)))
    found = [assortativity(side) for side in given.sides]
    if found[0] is None or found[1] is None:
        which = "the original" if found[0] is None else "the release"
        return {**answers, "assortativity": f"in {which} all edges end in nodes of one degree"}
    return {**answers, "assortativity": say(found, abs(found[0] - found[1]) / 2)}


def _joint(side: Side) -> F64:
    """Return how many edges join each two classes of degrees."""
    classes = np.frexp(side.graph.degrees)[1]  # the number of binary digits
    low, high = (pick(*(classes[end] for end in side.edges)) for pick in (np.minimum, np.maximum))
    return np.bincount(low * _CLASSES + high, minlength=_CLASSES * _CLASSES).astype(float)


def assortativity(side: Side) -> float | None:
    """Return the correlation of the degrees at both ends of an edge; None where they are all the same."""
    degrees = side.graph.degrees.astype(float)
    weights = degrees / degrees.sum()  # how often a node is an end
    mean = float(weights @ degrees)
    spread = float(weights @ (degrees - mean) ** 2)
    if spread <= 1e-12 * mean * mean:
        return None
    first, second = (degrees[end] - mean for end in side.edges)
    return float(np.clip(first @ second / first.size / spread, -1, 1))


DEGREES = Family(
    "degrees",
    (
        About("degrees", "mean number of contacts", "0: the same law of degrees; 1: no degree in common"),
        About(
            "joint-degrees",
            "mean number of contacts of whoever stands at an end of an edge",
            "0: the same law of the degrees (in classes that double) at both ends of an edge; 1: nothing in common",
        ),
        About(
            "assortativity",
            "correlation of the degrees at both ends of an edge",
            "0: the same correlation; 1: from -1 to 1, or back",
        ),
    ),
    compare,
)
