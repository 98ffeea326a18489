"""How many egonets, and how large, a graph has room for.

A *shape* is what decides both: the number of egonets in a release, and the size that each must exceed. Releases that
must not share an ego (one to learn from, one to attack) need that many times the egonets.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph, balls

_FEWEST = 2


class Shape(NamedTuple):
    """Egonets in a release, the number of people that each must exceed, and the most that it may have (0: any)."""

    egonets: int
    min_size: int
    most_nodes: int = 0


def count_large(graph: Graph, shape: Shape, most: int) -> int:
    """Count the people with an egonet of such a size, up to ``most``."""
    return int(first_of_size(graph, np.arange(graph.node_count), shape, min(most, graph.node_count)).size)


def first_of_size(graph: Graph, order: NDArray[np.int64], shape: Shape, count: int) -> NDArray[np.int64]:
    """Return the first people in an order with an egonet of such a size."""
    low, most = shape.min_size, min(shape.most_nodes, graph.node_count)
    if low >= graph.node_count or 0 < most <= low:
        return np.empty(0, dtype=np.int64)
    found: NDArray[np.int64] = balls.first_large(graph.indptr, graph.indices, order, low, most, count)
    return found


def fit_shape(graph: Graph, shape: Shape, *, releases: int, left_open: Collection[str]) -> Shape | None:
    """Return a shape that a graph has room for, changed only in what is left open; None where there is none.

    Where the size is open, egos come from twice as many people as are needed, so that draws differ, or from half of all
    people. Where the number is open too, at most half of all people become egos.

    Examples
    --------
    >>> ring = Graph.from_edges(range(20), [*range(1, 20), 0])
    >>> fit_shape(ring, Shape(100, 400), releases=2, left_open=("egonets", "min_size"))
    Shape(egonets=5, min_size=4, most_nodes=0)
    >>> fit_shape(ring, Shape(100, 400), releases=2, left_open=("egonets",)) is None
    True
    """
    needed = releases * shape.egonets
    if count_large(graph, shape, needed) == needed:
        return shape
    if "min_size" in left_open:
        return _smaller(graph, shape, releases, may_be_fewer="egonets" in left_open)
    room = count_large(graph, shape, needed) // releases
    return shape._replace(egonets=room) if "egonets" in left_open and room >= _FEWEST else None


def suggest_shape(graph: Graph, shape: Shape, *, releases: int) -> Shape | None:
    """Return a shape that works, with as little changed as can be."""
    ways = (("min_size",), ("egonets",), ("egonets", "min_size"))
    found = (fit_shape(graph, shape, releases=releases, left_open=way) for way in ways)
    return next((one for one in found if one is not None), None)


def _smaller(graph: Graph, shape: Shape, releases: int, *, may_be_fewer: bool) -> Shape | None:
    people = graph.node_count
    egonets = min(shape.egonets, max(_FEWEST, people // (2 * releases))) if may_be_fewer else shape.egonets
    needed = releases * egonets
    if needed > people:
        return None
    highest = max(min(shape.min_size, people), min(shape.most_nodes, people))
    sizes = balls.ball_sizes(graph.indptr, graph.indices, highest + 1)
    sizes = np.sort(sizes[sizes <= shape.most_nodes] if shape.most_nodes else sizes)[::-1]
    if sizes.size < needed:
        return None
    among = min(2 * needed, max(needed, sizes.size // 2))
    return shape._replace(egonets=egonets, min_size=min(shape.min_size, int(sizes[among - 1]) - 1))
