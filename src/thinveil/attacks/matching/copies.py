"""Two noisy copies of the attacker's own graph, in which he knows who is who.

What he learns there holds for the target. The copies overlap as his graph and the target seem to do. Where the scheme
that made the target is known and does more than rename people, one of the copies goes through it::

    graph --thin--> left
          --thin--> right --scheme--> right, with edges as the scheme leaves them
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.division import Division, divide
from thinveil.errors import ThinveilError
from thinveil.graph import Graph
from thinveil.graph.csr import has_edge
from thinveil.graph.thinning import thin
from thinveil.runtime.notices import unheard
from thinveil.schemes import Scheme

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
_MOST_KEPT = 0.98


class Overlaps(NamedTuple):
    """Which share of all people, and of the edges among them, two graphs have in common.

    ``events`` says what their events have in common; None where they have none to compare.
    """

    nodes: float
    edges: float
    events: Division | None = None

    @property
    def survival(self) -> float:
        """The share of the edges of one graph that are in the other too, among people of both."""
        return 2 * self.edges / (1 + self.edges)


@dataclass(frozen=True, eq=False)
class Copies:
    """Two noisy copies of a graph; ``truth[u]`` is who person u of the left is on the right, -1 for nobody."""

    left: Graph
    right: Graph
    truth: I32


@dataclass(frozen=True, eq=False)
class Treatment:
    """A scheme for whole graphs, used as a black box on graphs of the attacker's own.

    ``survival`` is the share of the edges of a graph that are in what the scheme makes of it, and the other way round.
    """

    scheme: Scheme
    survival: float

    @classmethod
    def of(cls, scheme: Scheme | None, graph: Graph, seed: int) -> Treatment | None:
        """Try a scheme on the attacker's own graph; None where it does nothing to learn, such as renaming people."""
        published = None if scheme is None else _publish(scheme, graph, seed)
        if scheme is None or published is None:
            return None
        treated, people = published
        kept = int(_count_kept(treated.indptr, treated.indices, graph.indptr, graph.indices, people))
        survival = 2 * kept / max(treated.indices.size + graph.indices.size, 1)
        return cls(scheme, survival) if survival < 1 else None

    def before(self, overlaps: Overlaps) -> Overlaps:
        """Return the overlaps that copies must have for the scheme to leave those that are wanted."""
        survival = min(overlaps.survival / max(self.survival, 1e-3), _MOST_KEPT)
        return overlaps._replace(edges=survival / (2 - survival))

    def apply(self, copies: Copies, seed: int) -> Copies:
        """Let the scheme publish the right copy; where it cannot, leave the copies as they are."""
        published = _publish(self.scheme, copies.right, seed)
        if published is None:
            return copies
        treated, people = published
        place = np.full(copies.right.node_count + 1, -1, dtype=np.int32)  # the last stands for nobody
        real = np.flatnonzero(people >= 0).astype(np.int32)
        place[people[real]] = real
        return Copies(copies.left, treated, place[copies.truth])


def _publish(scheme: Scheme, graph: Graph, seed: int) -> tuple[Graph, I32] | None:
    """Return what a scheme makes of a whole graph, and who is who in it; None if it does not publish one graph."""
    try:
        with unheard():
            release = scheme.publish(graph, seed=seed)
        if len(release) != 1 or release.secret is None:
            return None
        return release.public[0], release.secret[0].people
    except ThinveilError:  # such as one that finds the graph too small
        return None


@numba.njit(cache=True, nogil=True)
def _count_kept(indptr: I64, indices: I32, old_indptr: I64, old_indices: I32, people: I32) -> int:
    """Count the directed edges of a published graph that were there before, among real people."""
    kept = 0
    for v in range(indptr.size - 1):
        for e in range(indptr[v], indptr[v + 1]):
            one, two = people[v], people[indices[e]]  # less than 0 where nobody stands behind a node
            kept += one >= 0 and two >= 0 and has_edge(old_indptr, old_indices, one, two)
    return kept


def split(graph: Graph, overlaps: Overlaps, chance: np.random.Generator, treatment: Treatment | None = None) -> Copies:
    """Make two copies that overlap as said; who is in which, and which edges are lost, is drawn by lot."""
    if treatment is None:
        return _split(graph, overlaps, chance)
    copies = _split(graph, treatment.before(overlaps), chance)
    return treatment.apply(copies, int(chance.integers(2**31)))


def _split(graph: Graph, overlaps: Overlaps, chance: np.random.Generator) -> Copies:
    order = chance.permutation(graph.node_count).astype(np.int32)
    both = round(overlaps.nodes * order.size)
    alone = (order.size - both) // 2
    members = [chance.permutation(part).astype(np.int32) for part in (order[: alone + both], order[alone:])]
    deleted = (1 - overlaps.edges) / (1 + overlaps.edges)
    keys = [int(chance.integers(2**63)) for _ in members]
    halves = (graph, graph) if overlaps.events is None else divide(graph, overlaps.events, chance)
    left, right = (thin(half, part, deleted, key) for half, part, key in zip(halves, members, keys, strict=True))
    place = np.full(graph.node_count, -1, dtype=np.int32)
    place[members[1]] = np.arange(members[1].size, dtype=np.int32)
    return Copies(left, right, place[members[0]])
