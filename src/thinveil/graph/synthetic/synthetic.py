"""A made-up social graph that looks like a real one.

Every node is promised a degree from a power law and has as many stubs, which are linked as people meet:

1. in communities of heavy-tailed sizes. A node splits its stubs into handfuls, one per community, so that
   busy people belong to many. Communities stand along a line and a node's handfuls fall near its home, at
   distances of every scale, so that small communities sit in larger ones;
2. anywhere, which makes hubs know each other and holds the graph together;
3. through a friend: to a neighbour of a neighbour, which closes triangles around the least busy, too.

Node numbers carry no information: the degrees are shuffled first, and nothing afterwards looks at a number.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.synthetic.wiring import GrowingRows, close, make_rows, match, shuffle_segments, splice

_HANDFUL = 60  # most stubs that a node spends in one community
_COMMUNITY_EXPONENT = 2.0
_COMMUNITY_SMALLEST = 24  # in handfuls
_COMMUNITY_LARGEST = 20  # as a divisor of all handfuls
_LINE = 40  # bits of a place on the line
_FARTHEST = 4  # a handful falls within 1/2**4 of the line from home

_Counts = NDArray[np.int64]
_Stubs = NDArray[np.int32]


def synthetic_graph(
    nodes: int = 20_000,
    *,
    mean_degree: float = 12.0,
    exponent: float = 2.3,
    max_degree: int | None = None,
    mixing: float = 0.25,
    closure: float = 0.05,
    seed: int = 0,
) -> Graph:
    """Make a social graph: heavy-tailed degrees, overlapping communities, triangles, one large component.

    The defaults were set by comparison with soc-Epinions1, the data set of Sharad and Danezis (2014), and
    GitHub's mutual followers (``benchmarks/bench_datasets.py``). Time and memory grow with the edges.

    Parameters
    ----------
    nodes
        Number of nodes.
    mean_degree
        Mean number of neighbours.
    exponent
        Degrees k are drawn with weights ``(k + shift) ** -exponent``, with the shift that yields the mean.
    max_degree
        Largest number of neighbours that can be drawn; ``nodes ** 0.7`` unless told.
        Near the number of nodes, hubs may not find as many.
    mixing
        Share of links made without regard to communities: 0 for communities only, 1 for none.
    closure
        Share of links made to a neighbour of a neighbour: more of them, more triangles.
    seed
        The same seed gives the same graph on every machine.

    Returns
    -------
    Graph
        A graph whose node numbers tell nothing about the nodes.

    Examples
    --------
    >>> synthetic_graph(1_000, mean_degree=8, seed=1)
    <Graph: 1,000 nodes, 4,006 edges>

    """
    nodes = _check_whole("nodes", nodes, 4, 2**31 - 1)
    max_degree = min(nodes - 1, round(nodes**0.7)) if max_degree is None else max_degree
    max_degree = _check_whole("max_degree", max_degree, 3, nodes - 1)
    _check_shape(nodes, mean_degree, exponent, max_degree)
    _check_range("mixing", mixing, 0, 1)
    _check_range("closure", closure, 0, 1)
    rng = np.random.default_rng(_check_whole("seed", seed, 0, 2**64 - 1))
    degrees = _draw_degrees(rng, nodes, mean_degree, exponent, max_degree)
    return _to_graph(_wire(rng, degrees, mixing, closure))


def _wire(rng: np.random.Generator, degrees: _Counts, mixing: float, closure: float) -> GrowingRows:
    """Link the stubs of all nodes, in the ways the module's docstring tells."""
    grown = make_rows(degrees)
    first = np.maximum(_part(rng, degrees, 1 - closure), 1)
    inside = _part(rng, first, 1 - mixing)
    match(_community_stubs(rng, inside), grown)
    match(_shuffled_stubs(rng, first - inside), grown)
    close(_shuffled_stubs(rng, degrees - grown.filled), grown, _kernel_seed(rng))
    for _ in range(2):  # what was refused meets others
        match(_shuffled_stubs(rng, degrees - grown.filled), grown)
    splice(_shuffled_stubs(rng, degrees - grown.filled), grown, _kernel_seed(rng))
    return grown


def _to_graph(grown: GrowingRows) -> Graph:
    source = np.repeat(np.arange(grown.filled.size, dtype=np.int32), np.diff(grown.starts))
    once = source < grown.rows  # each link stands in two rows, and an open place holds -1
    return Graph.from_edges(source[once], grown.rows[once], node_count=grown.filled.size)


def _draw_degrees(
    rng: np.random.Generator, nodes: int, mean_degree: float, exponent: float, max_degree: int
) -> _Counts:
    values = np.arange(1, max_degree + 1)
    shift = _find_shift(values, mean_degree, exponent)
    return values[_draw_strata(rng, nodes, (values + shift) ** -exponent)]


def _find_shift(values: _Counts, mean: float, exponent: float) -> float:
    """Bisect for the shift with which the power law has the mean: larger shift, larger mean."""
    low, high = 2.0**-20 - 1, 1000.0 * values.size
    for _ in range(60):
        middle = (low + high) / 2
        weights = (values + middle) ** -exponent
        if (weights * values).sum() < mean * weights.sum():
            low = middle
        else:
            high = middle
    return high


def _draw_strata(rng: np.random.Generator, count: int, weights: NDArray[np.floating[Any]]) -> _Counts:
    """Draw places in ``weights``, one from each of ``count`` equal parts of their sum, then shuffle them.

    Independent draws would let the mean degree swing by its heavy tail. The comparison is between integers,
    so that the last bits of the weights, where machines may differ, decide nothing.
    """
    steps = 2**32
    limits = np.floor(np.cumsum(weights) / weights.sum() * count * steps).astype(np.int64)
    drawn = np.arange(count, dtype=np.int64) * steps + rng.integers(steps, size=count)
    places = np.minimum(np.searchsorted(limits, drawn, side="right"), weights.size - 1)
    rng.shuffle(places)
    return places


def _part(rng: np.random.Generator, counts: _Counts, share: float) -> _Counts:
    """Return that share of every count, rounded up or down at random to be right on average."""
    steps = 2**20
    return (counts * round(share * steps) + rng.integers(steps, size=counts.size)) // steps


def _shuffled_stubs(rng: np.random.Generator, counts: _Counts) -> _Stubs:
    stubs = np.repeat(np.arange(counts.size, dtype=np.int32), counts)
    rng.shuffle(stubs)
    return stubs


def _community_stubs(rng: np.random.Generator, counts: _Counts) -> _Stubs:
    """Return ``counts[v]`` stubs of every node v, community after community, shuffled in each.

    Matched two by two, those of an odd community meet one of the next: neighbours on the line, no harm.
    """
    handfuls = -(-counts // _HANDFUL)
    owner = np.repeat(np.arange(counts.size, dtype=np.int32), handfuls)
    rank = np.arange(owner.size) - np.repeat(np.cumsum(handfuls) - handfuls, handfuls)
    sizes = (counts[owner] + rank) // handfuls[owner]  # as even as can be
    line = np.argsort(_places_on_line(rng, counts.size, owner), kind="stable")
    ends = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes[line])))
    stubs = np.repeat(owner[line], sizes[line])
    shuffle_segments(stubs, ends[_community_bounds(rng, owner.size)], _kernel_seed(rng))
    return stubs


def _places_on_line(rng: np.random.Generator, nodes: int, owner: _Stubs) -> _Counts:
    """Return where each handful falls: its owner's home, moved by a distance of random scale."""
    home = rng.integers(2**_LINE, size=nodes)
    scale = rng.integers(_FARTHEST, max(2 * nodes.bit_length(), _FARTHEST + 1), size=owner.size)
    moved = rng.integers(-(2**_LINE), 2**_LINE, size=owner.size) >> scale
    places: _Counts = (home[owner] + moved) % 2**_LINE
    return places


def _community_bounds(rng: np.random.Generator, handfuls: int) -> _Counts:
    """Cut a line of handfuls into communities of power-law sizes."""
    largest = max(_COMMUNITY_SMALLEST, handfuls // _COMMUNITY_LARGEST)
    sizes = np.arange(_COMMUNITY_SMALLEST, largest + 1)
    drawn = _draw_strata(rng, handfuls // _COMMUNITY_SMALLEST + 1, sizes**-_COMMUNITY_EXPONENT)
    ends = np.cumsum(sizes[drawn])
    inner = ends[ends < handfuls]
    return np.concatenate((np.zeros(1, dtype=np.int64), inner, np.full(1, handfuls)))


def _kernel_seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**63))


def _check_whole(name: str, value: int, low: int, high: int) -> int:
    try:
        whole = operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}: take a whole number") from None
    _check_range(name, whole, low, high)
    return whole


def _check_range(name: str, value: float, low: float, high: float) -> None:
    if not isinstance(value, int | float | np.number) or not low <= value <= high:
        raise InputError(f"{name} is {value}: take a number from {low} to {high}")


def _check_shape(nodes: int, mean_degree: float, exponent: float, max_degree: int) -> None:
    _check_range("exponent", exponent, 1.5, 10)
    highest = (1 + max_degree) / 2  # the mean of equal weights
    if not isinstance(mean_degree, int | float | np.number) or not 2 <= mean_degree <= highest:
        fit = f"{nodes} nodes with at most {max_degree} neighbours each"
        raise InputError(f"mean_degree is {mean_degree}: for {fit}, take a number from 2 to {highest:g}")
