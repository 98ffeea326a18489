"""All published nodes of a release, one behind the other.

Node ``v`` of sub-graph ``k`` is appearance ``start[k] + v``. An appearance nearer to the center than the rim is
*inner*: all its contacts were published with it. Where several nodes can be the center, inner are those that are so for
each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.base import KnownNames
from thinveil.attacks.matching.egonets.cutting import Cut, count_near
from thinveil.graph import Graph
from thinveil.graph.twins import has_twin, twin_marks, without_twins
from thinveil.runtime.threads import map_threads

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Appearances:
    """The appearances' rows, sub-graphs, degrees, whether they are inner, and whether they have a twin beside them.

    ``center[k]`` is the center of sub-graph k, -1 where several nodes can be it. One of a group of twins, the
    ``delegate``, can stand for all; who has no twin is his own.
    """

    start: I64
    indptr: I64
    indices: I32
    subgraph: I32
    degree: I32
    inner: Bools
    twin: Bools
    delegate: Bools
    center: I64
    rim: bool

    @property
    def count(self) -> int:
        """How many there are."""
        return self.subgraph.size

    def places(self, known: KnownNames) -> I32:
        """Return the person of each appearance that is known, -1 elsewhere."""
        person = np.full(self.count, -1, dtype=np.int32)
        person[self.start[known.subgraph] + known.node] = known.person
        return person

    @classmethod
    def of(cls, target: Sequence[Graph], cut: Cut) -> Appearances:
        """Put the sub-graphs of a release one behind the other."""
        graphs = list(target)
        start = np.cumsum([0, *(one.node_count for one in graphs)])
        entries = np.cumsum([0, *(one.indices.size for one in graphs)])
        indptr = np.concatenate([one.indptr[:-1] + first for one, first in zip(graphs, entries, strict=False)])
        indices = np.concatenate([one.indices + np.int32(first) for one, first in zip(graphs, start, strict=False)])
        subgraph = np.repeat(np.arange(len(graphs), dtype=np.int32), np.diff(start))
        looks = map_threads(lambda one: _look(one, cut), graphs)
        inner, twin, delegate = (np.concatenate([look[fact] for look in looks]) for fact in range(3))
        center = np.array([look[3] for look in looks], dtype=np.int64)
        center = np.where(center >= 0, center + start[:-1], -1)
        indptr = np.append(indptr, entries[-1])
        degree = np.diff(indptr).astype(np.int32)
        return cls(start, indptr, indices.astype(np.int32), subgraph, degree, inner, twin, delegate, center, cut.rim)


def _look(subgraph: Graph, cut: Cut) -> tuple[Bools, Bools, Bools, int]:
    """Return which nodes are inner, which have twins, which stand for theirs; and the only center, or -1."""
    nodes = np.arange(subgraph.node_count)
    centers = cut.centers(subgraph, nodes)
    near: I32 = count_near(subgraph.indptr, subgraph.indices, centers, cut.radius - 1)
    delegate = np.zeros(subgraph.node_count, dtype=bool)
    delegate[without_twins(nodes, twin_marks(subgraph))] = True
    inner = np.asarray((near == centers.size) & (centers.size > 0))
    return inner, has_twin(subgraph), delegate, int(centers[0]) if centers.size == 1 else -1
