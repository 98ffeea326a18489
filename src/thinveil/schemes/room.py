"""How many egonets, and how large, a graph has room for.

A *shape* is what decides both: the number of egonets in a release, and the size that each must exceed. Releases that
must not share an ego (one to learn from, one to attack) need that many times the egonets.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from thinveil.graph import Graph, balls

_FEWEST = 2


class Shape(NamedTuple):
    """Egonets in a release, and the number of people that each must exceed."""

    egonets: int
    min_size: int


def count_large(graph: Graph, min_size: int, most: int) -> int:
    """Count the people with an egonet of more than ``min_size`` people, up to ``most``."""
    if min_size >= graph.node_count:
        return 0
    order = np.arange(graph.node_count)
    found: int = balls.first_large(graph.indptr, graph.indices, order, min_size, min(most, order.size)).size
    return found


def fit_shape(graph: Graph, shape: Shape, *, releases: int, left_open: Collection[str]) -> Shape | None:
    """Return a shape that a graph has room for, changed only in what is left open; None where there is none.

    Where the size is open, egos come from twice as many people as are needed, so that draws differ, or from half of all
    people. Where the number is open too, at most half of all people become egos.

    Examples
    --------
    >>> ring = Graph.from_edges(range(20), [*range(1, 20), 0])
    >>> fit_shape(ring, Shape(100, 400), releases=2, left_open=("egonets", "min_size"))
    Shape(egonets=5, min_size=4)
    >>> fit_shape(ring, Shape(100, 400), releases=2, left_open=("egonets",)) is None
    True
    """
    needed = releases * shape.egonets
    if count_large(graph, shape.min_size, needed) == needed:
        return shape
    if "min_size" in left_open:
        return _smaller(graph, shape, releases, may_be_fewer="egonets" in left_open)
    room = count_large(graph, shape.min_size, needed) // releases
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
    sizes = np.sort(balls.ball_sizes(graph.indptr, graph.indices, min(shape.min_size, people) + 1))[::-1]
    among = min(2 * needed, max(needed, people // 2))
    return Shape(egonets, min(shape.min_size, int(sizes[among - 1]) - 1))
