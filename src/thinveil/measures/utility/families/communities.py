"""Communities: whether the same people are found together, and how clear-cut the communities are.

A search for communities (Leiden) finds others each time: only what two searches in one graph agree on can be asked of
another graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from thinveil.measures.utility.base import About, Answers, Comparison, Family, Said, Side, say
from thinveil.measures.utility.distances import jackknife
from thinveil.measures.utility.families.ranks import why_not
from thinveil.runtime.networkit import one_thread
from thinveil.runtime.streams import stream

SEARCHES = 3
"""How often communities are looked for, with a fresh start each time."""

_LEAST = 0.05  # the adjusted Rand index from which on two searches agree on anything
_NONE = "no communities: two searches in one graph do not agree"


def compare(given: Comparison) -> Answers:
    """Compare communities and their modularity."""
    if not all(side.graph.edge_count for side in given.sides):
        return dict.fromkeys(("communities", "modularity"), "one of the two graphs has no edges")
    first, second = ([_search(side, given.seed, k) for k in range(SEARCHES)] for side in given.sides)
    quality = [*zip((q for _, q in first), (q for _, q in second), strict=True)]
    modularity = say(np.mean(quality, axis=0).tolist(), _apart(quality)[0], jackknife(quality, _apart)[0])
    return {"communities": _compare_members(given, first, second), "modularity": modularity}


def _compare_members(given: Comparison, first: Sequence[Any], second: Sequence[Any]) -> Said | str:
    if reason := why_not(given):
        return reason
    found = [[groups[nodes] for groups, _ in one] for one, nodes in zip((first, second), given.aligned, strict=True)]
    own = [_agreements(one, one) for one in found]
    across = _agreements(*found)
    places = range(SEARCHES)
    values = _mean_agreements(own[0], places), _mean_agreements(across, places)
    if max(values[0], _mean_agreements(own[1], places)) < _LEAST:
        return _NONE
    measure = _lost(own, across)
    return say(values, measure(places)[0], jackknife(places, measure)[0])


def _search(side: Side, seed: int, number: int) -> tuple[NDArray[np.int64], float]:
    """Return the community of each node, and the modularity."""
    with one_thread(int(stream(seed, "communities", number).integers(2**31))) as networkit:
        search = networkit.community.ParallelLeiden(side.network)
        search.run()
        found = search.getPartition()
        quality = networkit.community.Modularity().getQuality(found, side.network)
        return np.asarray(found.getVector(), dtype=np.int64), max(0.0, float(quality))


def _apart(quality: Sequence[tuple[float, float]]) -> list[float]:
    first, second = np.mean(quality, axis=0)
    return [abs(float(first - second))]


def _agreements(first: Sequence[Any], second: Sequence[Any]) -> NDArray[np.float64]:
    """Return the adjusted Rand index of each search with each other one."""
    table = np.zeros((SEARCHES, SEARCHES))
    pairs = combinations(range(SEARCHES), 2) if first is second else product(range(SEARCHES), repeat=2)
    for i, j in pairs:
        if i != j:
            table[i, j] = adjusted_rand_score(first[i], second[j])
            if first is second:
                table[j, i] = table[i, j]
    return table


def _mean_agreements(table: NDArray[np.float64], places: Sequence[int]) -> float:
    """Return the mean over pairs of different searches: those of one start agree more than they should."""
    mine = table[np.ix_(places, places)]
    return float(mine.sum() - np.trace(mine)) / (len(places) * (len(places) - 1))


def _lost(own: Sequence[Any], across: NDArray[np.float64]) -> Callable[[Sequence[int]], list[float]]:
    """Return what tells by how much less two graphs agree than a graph with itself."""

    def measure(places: Sequence[int]) -> list[float]:
        most = max(_mean_agreements(one, places) for one in own)
        kept = _mean_agreements(across, places) / most if most > 0 else 0.0
        return [round(1 - min(1.0, max(0.0, kept)), 9)]

    return measure


COMMUNITIES = Family(
    "communities",
    (
        About(
            "communities",
            "agreement (adjusted Rand index) of communities with those that another search finds in the original",
            "0: agree as far as two searches in one graph; 1: no more than by chance",
        ),
        About(
            "modularity",
            "how far edges stay inside communities (modularity)",
            "0: as clear-cut communities; 1: from none to perfect ones, or back",
        ),
    ),
    compare,
)
