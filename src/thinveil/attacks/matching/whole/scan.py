"""One pass over all pairs that share a linked neighbour: evidence for and against each, and the best few either way.

::

    u --- x        x is linked to y: every neighbour v of y may be u
          |        evidence for: the rarer x and y, and the surer their link, the more
    v --- y        evidence against: linked neighbours of u that v does not have, and the other way round

Only the best ``KEPT`` of each person are kept, on either side, and only pairs that reach the *bar*: not far behind
being nobody. The bar saves most of the work (see ``visits``). Rivals far behind a link are kept all the same: that
nobody else comes near is what tells people who are in one graph only from others.
Threads share the pass: each takes some people of the auxiliary graph, and the best of the other side are put together
at the end, so the result does not depend on them.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.whole.best import Best, merge
from thinveil.attacks.matching.whole.visits import Near, Rows, Side, visit_pairs
from thinveil.graph import Graph
from thinveil.runtime.threads import map_threads, thread_count

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]

_BEHIND_NOBODY = 4.0


class Linked(NamedTuple):
    """Links of a round: whom each person of the auxiliary graph is taken for (-1 for nobody), and how surely."""

    other: I32
    sure: F32

    @classmethod
    def nobody(cls, people: int) -> Linked:
        """Link nobody."""
        return cls(np.full(people, -1, dtype=np.int32), np.zeros(people, dtype=np.float32))

    def __len__(self) -> int:
        return int(np.count_nonzero(self.other >= 0))

    def back(self, nodes: int) -> I32:
        """Return the same links by node of the target."""
        back = np.full(nodes, -1, dtype=np.int32)
        back[self.other[self.other >= 0]] = np.flatnonzero(self.other >= 0)
        return back

    def turned(self, nodes: int) -> Linked:
        """Return the same links as seen from the target."""
        people = np.flatnonzero(self.other >= 0)
        turned = Linked.nobody(nodes)
        turned.other[self.other[people]], turned.sure[self.other[people]] = people, self.sure[people]
        return turned

    def surer(self, least: float) -> Linked:
        """Return the links that are at least as sure."""
        keep = self.sure >= least
        return Linked(np.where(keep, self.other, -1).astype(np.int32), np.where(keep, self.sure, 0).astype(np.float32))


class Scanned(NamedTuple):
    """What a pass found: the best of each person on the left and on the right, and their linked neighbours."""

    left: Best
    right: Best
    left_linked: I32
    right_linked: I32


def scan(left: Graph, right: Graph, linked: Linked, survival: float) -> Scanned:
    """Look at all pairs that share a linked neighbour."""
    one, two = _both_sides(left, right, linked, survival)
    counts = tuple(np.diff(side.near.starts).astype(np.int32) for side in (one, two))
    against = np.float32(missing_penalty(survival))
    bar = np.float32(weight_of_nobody(left.node_count) - _BEHIND_NOBODY)
    mine, rows = Best.empty(left.node_count), _sorted_rows(right, counts[1], two.half)

    def work(people: I32) -> Best:
        theirs = Best.empty(right.node_count)
        visit_pairs(one, two, rows, against, bar, people, mine, theirs)
        return theirs

    first, *others = map_threads(work, _share_out(one, right))
    for other in others:
        merge(first, other)
    return Scanned(mine, first, *counts)


def _both_sides(left: Graph, right: Graph, linked: Linked, survival: float) -> tuple[Side, Side]:
    """Return what the pass needs of each side."""
    rarity, back = rarities(left, right, linked, survival), linked.back(right.node_count)
    people, nodes = np.flatnonzero(linked.other >= 0).astype(np.int32), np.flatnonzero(back >= 0).astype(np.int32)
    people = people[np.argsort(right.degrees[linked.other[people]], kind="stable")]
    near = (
        Near(*_near(left.indptr, left.indices, people, linked.other[people], rarity[people])),
        Near(*_near(right.indptr, right.indices, nodes, nodes, rarity[back[nodes]])),
    )
    return Side(near[0], half_logs(left)), Side(near[1], half_logs(right))


def half_logs(graph: Graph) -> F32:
    """Return half the log of everybody's degree."""
    return np.asarray(0.5 * np.log(np.maximum(graph.degrees, 1)), dtype=np.float32)


@numba.njit(cache=True, nogil=True)
def _near(indptr: I64, indices: I32, order: I32, other: I32, gain: F32) -> tuple[I64, I32, F32]:
    """Return everybody's linked neighbours, in the given order of these."""
    starts = np.zeros(indptr.size, dtype=np.int64)
    for x in order:
        for e in range(indptr[x], indptr[x + 1]):
            starts[indices[e] + 1] += 1
    starts = np.cumsum(starts)
    cursor = starts.copy()
    others, gains = np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1], dtype=np.float32)
    for k in range(order.size):
        for e in range(indptr[order[k]], indptr[order[k] + 1]):
            place = cursor[indices[e]]
            others[place], gains[place] = other[k], gain[k]
            cursor[indices[e]] += 1
    return starts, others, gains


def weight_of_nobody(people: int) -> float:
    """Return the evidence that being nobody has."""
    return float(0.5 * np.log(max(people, 2)))


def _sorted_rows(graph: Graph, linked: I32, half: F32) -> Rows:
    order = np.argsort(linked, kind="stable").astype(np.int32)
    others = _order_rows(graph.indptr, graph.indices, order)
    return Rows(graph.indptr, others, linked[others], half[others])


@numba.njit(cache=True, nogil=True)
def _order_rows(indptr: I64, indices: I32, order: I32) -> I32:
    """Return the rows of a graph, each in the given order of nodes: who comes first writes itself down first."""
    cursor, others = indptr.copy(), np.empty(indices.size, dtype=np.int32)
    for v in order:
        for e in range(indptr[v], indptr[v + 1]):
            others[cursor[indices[e]]] = v
            cursor[indices[e]] += 1
    return others


def missing_penalty(survival: float) -> float:
    """Return what a linked neighbour that is missing on the other side speaks against a pair."""
    gone = max(1 - survival, 1e-3)
    return float(0.7 * (-np.log(gone) - survival / 2))


def rarities(left: Graph, right: Graph, linked: Linked, survival: float) -> F32:
    """Return for each linked person how much a pair gains by sharing it, before the pair's own degrees count."""
    people = np.flatnonzero(linked.other >= 0)
    degrees = left.degrees[people].astype(np.float64) * right.degrees[linked.other[people]]
    ends = np.sqrt(4.0 * left.edge_count * right.edge_count)
    rarity = np.zeros(left.node_count, dtype=np.float32)
    with np.errstate(divide="ignore"):
        rarity[people] = np.log(linked.sure[people] * survival * ends / np.sqrt(np.maximum(degrees, 1)))
    return rarity


def _share_out(left: Side, right: Graph) -> list[I32]:
    """Deal the people of the left out to threads, so that all have about as much to do."""
    work = np.concatenate([[0], np.cumsum(right.degrees[left.near.others])])[left.near.starts]
    bounds = np.searchsorted(work, np.arange(1, thread_count()) / thread_count() * work[-1])
    return np.split(np.arange(work.size - 1, dtype=np.int32), bounds)
