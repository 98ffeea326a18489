"""What everybody can see without an attack: how many people are alone with what is easily known of them.

Whoever knows of a person how many contacts they have, in how many triangles they stand, or how many contacts each of
their contacts has, looks for nodes of which the same is true: the *candidates*. To single somebody out (WP216) takes a
single candidate. In a release of sub-graphs each node is counted among the nodes of its own sub-graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import map_threads

I64 = NDArray[np.int64]

SIZES = ((1, 1), (2, 4), (5, 10), (11, 20), (21, None))
"""The classes of numbers of candidates, by the least and the largest number in each; the last has no end."""

TRAITS = ("degree", "degree and triangles", "degrees of all contacts")
"""What the attacker knows of a person, from little to much."""


@dataclass(frozen=True)
class Candidates:
    """Among how many nodes a person hides from whoever knows one of the ``TRAITS`` of them.

    ``alone`` is the share of nodes that are the only one with their trait; ``sizes`` are the shares of nodes in each
    class of ``SIZES``.
    """

    knowing: str
    alone: float
    sizes: tuple[float, ...]


@dataclass(frozen=True)
class Uniqueness:
    """Candidates in the original and in a release, for each of the ``TRAITS``; ``nodes`` are those of the release."""

    people: int
    nodes: int
    subgraphs: int
    original: tuple[Candidates, ...]
    release: tuple[Candidates, ...]


def find_uniqueness(graph: Graph, public: Sequence[Graph]) -> Uniqueness:
    """Count candidates in a graph and in what was published of it.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> found = find_uniqueness(path, [star])
    >>> found.original[0].alone, found.release[0].alone, found.release[0].sizes
    (0.0, 0.25, (0.25, 0.75, 0.0, 0.0, 0.0))
    """
    counts = map_threads(lambda k: count_candidates(public[k]), range(len(public)))
    every = np.sum(counts, axis=0) if counts else np.zeros((len(TRAITS), len(SIZES)), dtype=np.int64)
    return Uniqueness(
        graph.node_count, int(every[0].sum()), len(counts), _shares(count_candidates(graph)), _shares(every)
    )


def count_candidates(graph: Graph) -> I64:
    """Return the number of nodes by trait, a row each, and by class of the number of candidates."""
    return np.stack([_classes(share_trait(graph, trait)) for trait in TRAITS])


def share_trait(graph: Graph, trait: str) -> I64:
    """Return for each node how many nodes share one of the ``TRAITS`` with it, itself included.

    Examples
    --------
    >>> share_trait(Graph.from_edges([0, 1, 2], [1, 2, 3]), "degree")
    array([2, 2, 2, 2])
    """
    _, place, counts = np.unique(_trait_of(graph, trait), return_inverse=True, return_counts=True)
    return np.asarray(counts[place])


def _trait_of(graph: Graph, trait: str) -> NDArray[Any]:
    if trait == TRAITS[2]:
        return _neighbor_degrees(graph)
    return graph.degrees if trait == TRAITS[0] else _joined(graph.degrees, count_triangles(graph))


def count_triangles(graph: Graph) -> I64:
    """Return the triangles in which each node stands."""
    return np.asarray(_sum_rows(graph, graph.common_neighbors.astype(np.int64)) // 2)


def _joined(first: I64, second: I64) -> I64:
    names, place = np.unique(second, return_inverse=True)
    return np.asarray(first * max(1, names.size) + place)


def _neighbor_degrees(graph: Graph) -> NDArray[np.uint64]:
    """Return a number for the degrees of all contacts, in whatever order they come.

    It is the sum of a random number of 64 bits for each degree: two different sets have the same one by a chance of
    about 1 in 2^64.
    """
    degrees = graph.degrees
    lots = stream(0, "degrees").integers(2**64, size=int(degrees.max(initial=0)) + 1, dtype=np.uint64)
    return _sum_rows(graph, lots[degrees[graph.indices]])


def _sum_rows(graph: Graph, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sum of each node's values; of 64 bits without a sign, without what flows over."""
    upto = np.zeros(values.size + 1, dtype=values.dtype)
    np.cumsum(values, out=upto[1:])
    return np.asarray(upto[graph.indptr[1:]] - upto[graph.indptr[:-1]])


def _classes(candidates: I64) -> I64:
    number = np.searchsorted([largest for _, largest in SIZES[:-1]], candidates)
    return np.bincount(number, minlength=len(SIZES))


def _shares(counts: I64) -> tuple[Candidates, ...]:
    shares = (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)).tolist()
    return tuple(Candidates(name, row[0], tuple(row)) for name, row in zip(TRAITS, shares, strict=True))
