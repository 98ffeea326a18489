"""A start without any known person: the people with the most contacts on either side are compared with each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.copies import Copies, Overlaps, Treatment, split
from thinveil.attacks.matching.whole.beliefs import Likeness, believe
from thinveil.attacks.matching.whole.cores import Core, find_core
from thinveil.attacks.matching.whole.moments import Moments, compare_moments
from thinveil.attacks.matching.whole.scan import Linked
from thinveil.graph import Graph

F32 = NDArray[np.float32]

CORE = 1000
"""People of a core, at most."""
_DIFFERENT = 20_000
_SURE = 0.5


def start(
    left: Graph, right: Graph, assumed: Overlaps, chance: np.random.Generator, treatment: Treatment | None = None
) -> Linked:
    """Link the cores of two graphs, without anybody known."""
    size = min(CORE, left.node_count, right.node_count)
    copies = split(left, assumed, chance, treatment)
    mine, theirs, one, two = (
        find_core(graph, min(size, graph.node_count), chance, assumed.events)
        for graph in (copies.left, copies.right, left, right)
    )
    likeness = learn_likeness(copies, mine, theirs, chance)
    return compare_cores(left, right, one, two, likeness.compare(one.portraits, two.portraits), assumed)


def compare_cores(left: Graph, right: Graph, one: Core, two: Core, unary: F32, assumed: Overlaps) -> Linked:
    """Link the people of two cores who are probably one person, by what speaks for each pair and by their edges."""
    if assumed.events is not None:
        mine, theirs = (Moments.of(graph, assumed.events) for graph in (left, right))
        unary += compare_moments(mine, theirs, one.nodes, two.nodes)
    absent = float(np.log(max(one.nodes.size, two.nodes.size, 2)))
    beliefs = believe(one, two, unary, survival=assumed.survival, absent=absent)
    best, sure = beliefs.argmax(axis=1), beliefs.max(axis=1)
    chosen = np.flatnonzero((beliefs.argmax(axis=0)[best] == np.arange(best.size)) & (sure > _SURE))
    linked = Linked.nobody(left.node_count)
    linked.other[one.nodes[chosen]] = two.nodes[best[chosen]]
    linked.sure[one.nodes[chosen]] = sure[chosen]
    return linked


def learn_likeness(copies: Copies, one: Core, two: Core, chance: np.random.Generator) -> Likeness:
    """Learn from people of two copies of a graph how alike the portraits of one person are."""
    place = np.full(copies.right.node_count + 1, -1)  # the last stands for nobody
    place[two.nodes] = np.arange(two.nodes.size)
    there = place[copies.truth[one.nodes]]
    mine = np.flatnonzero(there >= 0)
    i, j = chance.integers(one.nodes.size, size=_DIFFERENT), chance.integers(two.nodes.size, size=_DIFFERENT)
    return Likeness.learn(one.portraits[mine] - two.portraits[there[mine]], one.portraits[i] - two.portraits[j])
