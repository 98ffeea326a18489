"""Sub-graphs that were cut out of the very graph that the attacker holds.

1. The center of a sub-graph can be any node from which the cut makes the whole of it. What is seen of a center up to
   the rim is what is seen of the person in the graph: the people of the same color are the *candidates*. People with
   the same contacts (twins) are cut out alike, and one of them stands for all.
2. The piece around a candidate is *verified* if it has as many nodes of every stable color as the sub-graph.
   A known person must have the color of his node.
3. A color that one node has names that node, if all verified pieces say the same name.

Two sub-graphs of the same colors have the same verified pieces, so that none of them can help to choose for the other.
A small and plain sub-graph, a star say, is found in many graphs. So it is believed by itself only if it has many
colors, and otherwise only where nearly the whole release is verified, most of it by many colors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.base import KnownNames
from thinveil.attacks.matching.egonets.colors import colors_after, seen_colors, stable_colors
from thinveil.attacks.matching.egonets.cutting import Cut, Cutter, Piece
from thinveil.graph import Graph
from thinveil.graph.twins import twin_marks, without_twins
from thinveil.runtime.threads import map_threads

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
Bools = NDArray[np.bool_]

MANY_COLORS = 20
"""So many colors do not agree by chance."""
NEARLY_ALL = 0.9
_MOST_CANDIDATES = 2_000


class Exact(NamedTuple):
    """Names of one sub-graph: ``person[v]``, -1 where there is none; how many pieces were verified, and its colors."""

    person: I32
    verified: int
    colors: int


class Originals:
    """The attacker's graph, prepared for one cut."""

    def __init__(self, graph: Graph, cut: Cut) -> None:
        self.graph, self.cut = graph, cut
        colors = seen_colors(graph, cut.radius)
        self._order = np.argsort(colors, kind="stable")
        self._colors = colors[self._order]
        self._twins = twin_marks(graph)

    def name(self, subgraph: Graph, known: Mapping[int, int]) -> Exact:
        """Return the names that are certain if this sub-graph was cut out of the graph; of known nodes, the people."""
        colors, rounds = stable_colors(subgraph.indptr, subgraph.indices)
        order = np.argsort(colors, kind="stable")
        wanted = [(colors[v], person) for v, person in known.items()]
        cutter, found = self.cut.pieces(self.graph), list[I32]()
        for candidate in self._candidates(subgraph):
            people = _verify(cutter, int(candidate), subgraph, colors[order], rounds)
            if people is not None and _agrees(people, colors[order], wanted):
                found.append(people)
        single = is_single(colors[order])
        names = np.full(subgraph.node_count, -1, dtype=np.int32)
        names[order] = np.where(single & _is_agreed(found, order.size), found[0], -1) if found else -1
        return Exact(names, len(found), int(np.unique(colors).size))

    def _candidates(self, subgraph: Graph) -> I64:
        """Return people who look as a possible center does, one for each group of twins."""
        seen = seen_colors(subgraph, self.cut.radius)
        nodes = without_twins(np.flatnonzero(np.isin(seen, self._colors)), twin_marks(subgraph))
        wanted = np.unique(seen[self.cut.centers(subgraph, nodes)])
        first, last = (np.searchsorted(self._colors, wanted, side) for side in ("left", "right"))
        spans = [self._order[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        people = without_twins(np.concatenate([np.empty(0, dtype=np.int64), *spans]), self._twins)
        return people[:_MOST_CANDIDATES]


def name_exactly(graph: Graph, target: Sequence[Graph], cut: Cut, known: KnownNames) -> list[Exact]:
    """Return the names of all sub-graphs that are certain if they were cut out of this graph by this cut."""
    originals = Originals(graph, cut)
    return map_threads(lambda k: originals.name(target[k], known.of(k)), range(len(target)))


def is_believed(named: Sequence[Exact]) -> Bools:
    """Return for each sub-graph whether its names should be believed."""
    verified = np.array([one.verified > 0 for one in named])
    telling = verified & np.array([one.colors >= MANY_COLORS for one in named])
    whole = verified.mean() >= NEARLY_ALL and 2 * telling.sum() >= verified.sum() > 0
    return verified if whole else telling


def _verify(cutter: Cutter, candidate: int, subgraph: Graph, colors: U64, rounds: int) -> I32 | None:
    """Return the people of the candidate's piece in the order of the sorted colors; None where the colors differ."""
    piece: Piece | None = cutter.around(candidate, subgraph.node_count)
    if piece is None or piece.indices.size != subgraph.indices.size:
        return None
    own = colors_after(piece.indptr, piece.indices, rounds)
    order = np.argsort(own, kind="stable")
    return piece.members[order] if np.array_equal(own[order], colors) else None


def _agrees(people: I32, ordered: U64, known: Sequence[tuple[U64, int]]) -> bool:
    """Return whether all known people have the colors of their nodes; people stand by the sorted colors."""
    for color, person in known:
        first, last = (np.searchsorted(ordered, color, side) for side in ("left", "right"))
        if person not in people[first:last]:
            return False
    return True


def is_single(ordered: U64) -> Bools:
    """Return which of the sorted colors stand there once."""
    differs = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])
    return np.asarray(differs[1:] & differs[:-1])


def _is_agreed(found: Sequence[I32], size: int) -> Bools:
    agreed = np.ones(size, dtype=bool)
    for people in found[1:]:
        agreed &= people == found[0]
    return agreed
