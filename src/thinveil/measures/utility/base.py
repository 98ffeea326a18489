"""What a measure of utility is, and what it is given.

A *family* holds measures that are worked out together. It is handed a ``Comparison``: the original and what was
published of it, numbered so that people come in the same order in both, and the pairs of nodes that are the same
person, where that is known. It answers for each of its measures with what is ``Said``, or with the reason why nothing
can be said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.measures.uniqueness import count_triangles
from thinveil.runtime.networkit import one_thread

I64 = NDArray[np.int64]


class Said(NamedTuple):
    """The value in the original, in the release, how far apart they are, and its standard error where sampled."""

    original: float | None
    release: float | None
    distance: float
    error: float | None = None


def say(values: Iterable[float | None], distance: float, error: float | None = None) -> Said:
    """Return what is said of the original and of the release."""
    original, release = values
    return Said(original, release, distance, error)


class About(NamedTuple):
    """What a measure is: its name, its value in words, and what its distance says at either end."""

    name: str
    words: str
    direction: str


@dataclass(frozen=True)
class Measure:
    """One measure of what a release keeps of the original.

    ``distance`` goes from 0, the same, to 1; ``direction`` says what both mean, and ``error`` is its standard error
    where it rests on a sample. Where nothing can be said it is None, and ``reason`` says why. In a release of many
    sub-graphs all numbers are means over the ``subgraphs`` in which something could be said.
    """

    name: str
    family: str
    words: str
    original: float | None
    release: float | None
    distance: float | None
    direction: str
    error: float | None = None
    reason: str = ""
    subgraphs: int = 1


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two graphs, and what several families want to know of it.

    ``lots`` are random numbers by which nodes are drawn: the same for one person on both sides, so that a sample of
    both is as far as possible one of the same people.
    """

    graph: Graph
    lots: NDArray[np.uint64]

    @cached_property
    def triangles(self) -> I64:
        """The triangles in which each node stands."""
        return count_triangles(self.graph)

    @cached_property
    def edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The two ends of each edge, the smaller first."""
        graph = self.graph
        source = np.repeat(np.arange(graph.node_count, dtype=np.int32), graph.degrees)
        once = source < graph.indices
        return source[once], graph.indices[once]

    @cached_property
    def network(self) -> Any:
        """The graph as networkit has it."""
        with one_thread() as networkit:
            ends = tuple(end.astype(np.uint64) for end in self.edges)
            return networkit.GraphFromCoo(ends, n=self.graph.node_count)

    @cached_property
    def spectrum(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The largest eigenvalues by size, and the eigenvector centrality of each node."""
        from thinveil.measures.utility.spectrum import find_spectrum

        return find_spectrum(self.graph)

    def draw(self, count: int, parts: int) -> list[I64]:
        """Return so many nodes, or all there are, in parts by their lots: one person is in the same part of both."""
        drawn = np.argsort(self.lots, kind="stable")[:count]
        part = self.lots[drawn] % np.uint64(parts)
        return [drawn[part == k] for k in range(parts)]


@dataclass(frozen=True, eq=False)
class Comparison:
    """The original and the release; ``aligned`` are two rows, the nodes of one person in both.

    Where nobody is aligned, ``unaligned`` says why. ``sources`` is how many nodes are drawn where not all are taken.
    """

    original: Side
    release: Side
    aligned: NDArray[np.int32]
    unaligned: str
    seed: int
    sources: int

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides."""
        return self.original, self.release


Answers = Mapping[str, Said | str]


@dataclass(frozen=True)
class Family:
    """Measures that are worked out together; ``compare`` answers for each by its name."""

    name: str
    measures: tuple[About, ...]
    compare: Callable[[Comparison], Answers]
