"""Who matters: whether the same people stand on top."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from thinveil.measures.utility.base import About, Answers, Comparison, Family, Said, Side
from thinveil.measures.utility.distances import jackknife, rank_correlation
from thinveil.measures.utility.shortest import betweenness
from thinveil.runtime.networkit import one_thread

F64 = NDArray[np.float64]

_PARTS = 8  # of the sample of sources, for its error
_DAMPING = 0.85
_TOLERANCE = 1e-10


def compare(given: Comparison, centrality: Callable[[Side], F64]) -> Said | str:
    """Compare the order of aligned people by something that is worked out exactly."""
    if reason := why_not(given):
        return reason
    first, second = (centrality(side)[nodes] for side, nodes in zip(given.sides, given.aligned, strict=True))
    return _said(rank_correlation(first, second))


def why_not(given: Comparison) -> str:
    """Return why an order cannot be compared; empty if it can."""
    return given.unaligned if given.aligned.shape[1] > 1 else given.unaligned or "only one person is aligned"


def page_rank(side: Side) -> F64:
    """Return how often a walker is at each node who follows edges, and now and then starts anew anywhere."""
    with one_thread() as networkit:
        found = networkit.centrality.PageRank(side.network, _DAMPING, _TOLERANCE)
        found.run()
        return np.asarray(found.scores())


def compare_betweenness(given: Comparison) -> Said | str:
    """Compare the order of aligned people by how many shortest paths go through them, from a sample of people."""
    if reason := why_not(given):
        return reason
    sources = min(given.sources, max(side.graph.node_count for side in given.sides))
    parts = [_parts(side, sources, nodes) for side, nodes in zip(given.sides, given.aligned, strict=True)]
    correlation = _correlate([*zip(*parts, strict=True)])[0]
    nodes = max(side.graph.node_count for side in given.sides)
    if nodes <= given.sources:
        return _said(correlation)
    left = float(np.sqrt(1 - given.sources / nodes)) / 2
    return _said(correlation, left * jackknife([*zip(*parts, strict=True)], _correlate)[0])


def _parts(side: Side, sources: int, mine: NDArray[np.int32]) -> list[F64]:
    """Return how many shortest paths go through some nodes, by parts of the sample of sources."""
    return [found[mine] for found in betweenness(side.graph, side.draw(sources, _PARTS))]


def _correlate(parts: Sequence[tuple[F64, F64]]) -> list[float]:
    first, second = (np.sum(one, axis=0) for one in zip(*parts, strict=True))
    return [rank_correlation(first, second)]


def _said(correlation: float, error: float | None = None) -> Said:
    return Said(1.0, correlation, (1 - correlation) / 2, error)


def _compare_all(given: Comparison) -> Answers:
    return {
        "pagerank": compare(given, page_rank),
        "eigenvector": compare(given, lambda side: side.spectrum[1]),
        "betweenness": compare_betweenness(given),
    }


_WORDS = "rank correlation of {} with that in the original"
_DIRECTION = "0: the same order of people; 0.5: no relation; 1: the opposite order"

RANKS = Family(
    "ranks",
    (
        About("pagerank", _WORDS.format("PageRank"), _DIRECTION),
        About("eigenvector", _WORDS.format("eigenvector centrality"), _DIRECTION),
        About("betweenness", _WORDS.format("the number of shortest paths through a person"), _DIRECTION),
    ),
    _compare_all,
)
