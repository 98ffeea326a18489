"""How far people are from each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.measures.utility.base import About, Answers, Comparison, Family, Said, Side, say
from thinveil.measures.utility.distances import jackknife, law_distance, share_apart
from thinveil.runtime.networkit import one_thread

F64 = NDArray[np.float64]

EFFECTIVE = 0.9
"""The share of connected pairs that are no further apart than the effective diameter."""

_PARTS = 16  # of the sample, for its error
_NO_PAIRS = "in one of the two graphs nobody can reach anybody"


class _Lengths(NamedTuple):
    """What is said of the distances of a graph."""

    mean: float | None
    connected: float
    diameter: float | None


def compare(given: Comparison) -> Answers:
    """Compare distances from a sample of people to all others."""
    if min(side.graph.node_count for side in given.sides) < 2:
        return dict.fromkeys((one.name for one in PATHS.measures), "one of the two graphs has fewer than two nodes")
    laws = [distance_laws(side, given.sources) for side in given.sides]
    width = max(law.shape[1] for law in laws)
    # the last place is that of nodes that cannot be reached
    padded = [np.concatenate((law[:, :-1], np.zeros((law.shape[0], width - law.shape[1])), law[:, -1:]), axis=1)
              for law in laws]  # fmt: skip
    every, errors = _distances([*zip(*padded, strict=True)]), _errors(given, padded)
    lengths = [_describe(law.sum(axis=0)) for law in padded]
    answers: dict[str, Said | str] = {
        name: say((getattr(one, about) for one in lengths), distance, error)
        for (name, about), distance, error in zip(_VALUES.items(), every, errors, strict=True)
    }
    if None in (lengths[0].diameter, lengths[1].diameter):
        answers["effective-diameter"] = _NO_PAIRS
    return answers


def distance_laws(side: Side, sources: int) -> F64:
    """Return by parts of a sample how many nodes are 1, 2, ... away, and last how many cannot be reached."""
    nodes = side.graph.node_count
    with one_thread() as networkit:
        found = [[_reach(networkit, side, source) for source in part.tolist()] for part in side.draw(sources, _PARTS)]
    laws = np.zeros((_PARTS, max(reached.size for part in found for reached in part)))
    for law, part in zip(laws, found, strict=True):
        for reached in part:
            law[: reached.size - 1] += reached[1:]
            law[-1] += nodes - reached.sum()
    return laws


def _reach(networkit: Any, side: Side, source: int) -> NDArray[np.int64]:
    """Return how many nodes are 0, 1, 2, ... steps away."""
    search = networkit.distance.BFS(side.network, source, False, False)
    search.run()
    far = np.asarray(search.getDistances(asarray=True))
    # what cannot be reached is said to be as far as a number can be
    return np.bincount(far[far < side.graph.node_count].astype(np.int64))


def _describe(law: F64) -> _Lengths:
    reached, every = float(law[:-1].sum()), float(law.sum())
    if not reached:
        return _Lengths(None, 0.0, None)
    mean = float(law[:-1] @ np.arange(1, law.size)) / reached
    return _Lengths(mean, reached / every, effective_diameter(law[:-1]))


def effective_diameter(law: F64) -> float:
    """Return how far apart 90% of the pairs are at most, in between two whole numbers where they are in between.

    Examples
    --------
    >>> effective_diameter(np.array([80.0, 20.0]))
    1.5
    """
    upto = np.cumsum(law) / law.sum()
    place = int(np.searchsorted(upto, EFFECTIVE))
    before = float(upto[place - 1]) if place else 0.0
    return round(place + (EFFECTIVE - before) / (float(upto[place]) - before), 9)


def _distances(parts: Sequence[tuple[F64, F64]]) -> list[float]:
    first, second = (np.sum(law, axis=0) for law in zip(*parts, strict=True))
    told = [_describe(law) for law in (first, second)]
    diameters = [one.diameter or 0.0 for one in told]
    return [law_distance(first, second), abs(told[0].connected - told[1].connected), share_apart(*diameters)]


def _errors(given: Comparison, laws: list[F64]) -> list[float | None]:
    """Return the standard errors of the distances, None where all nodes are in the sample."""
    nodes = max(side.graph.node_count for side in given.sides)
    if nodes <= given.sources:
        return [None, None, None]
    left = float(np.sqrt(1 - given.sources / nodes))
    return [left * error for error in jackknife([*zip(*laws, strict=True)], _distances)]


_VALUES = {"path-lengths": "mean", "connected": "connected", "effective-diameter": "diameter"}

PATHS = Family(
    "paths",
    (
        About(
            "path-lengths",
            "mean number of steps between two people who can reach each other",
            "0: the same law of steps between two people, out of reach included; 1: none in common",
        ),
        About(
            "connected",
            "share of pairs of people who can reach each other",
            "0: the same share; 1: from none to all, or back",
        ),
        About(
            "effective-diameter",
            "steps within which 90% of the pairs lie who can reach each other",
            "0: as many; towards 1: many times as many, or as few",
        ),
    ),
    compare,
)
