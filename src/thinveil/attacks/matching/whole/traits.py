"""What a candidate looks like in numbers: the columns from which the judge learns.

Traits that do not change from round to round (degrees, and how the degrees of a person's contacts spread) are made once
for each graph; the others come from the pass over the linked neighbours.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.division import Division
from thinveil.attacks.matching.whole.best import KEPT
from thinveil.attacks.matching.whole.cores import degree_ranks, rank_bins
from thinveil.attacks.matching.whole.events import Pair
from thinveil.attacks.matching.whole.scan import Linked, Scanned
from thinveil.graph import Graph
from thinveil.runtime.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]

BINS = 10
_LINES_AT_ONCE = 16_384

COLUMNS = (
    "evidence", "lead on the left", "lead on the right", "share of evidence on the left",
    "share of evidence on the right", "shared", "linked on the left", "linked on the right", "shared of the left",
    "shared of the right", "missing", "evidence each", "degree on the left", "degree on the right", "degree ratio",
    "unlinked on the left", "unlinked on the right", "unlinked ratio", "spread of contacts", "spread of unlinked",
    "rank on the left", "rank on the right", "rank ratio", "far on the left", "far ratio", "share linked",
    "rivals on the left", "rivals on the right",
)  # fmt: skip


class Traits(NamedTuple):
    """What stays: by person, the degree's rank as a share, and contacts by the rank of their degree (log steps)."""

    rank: F32
    bins: NDArray[np.int8]
    contacts: F32
    far: F32


def traits_of(graph: Graph) -> Traits:
    """Return the traits of everybody in a graph."""
    rank = degree_ranks(graph)
    bins = rank_bins(rank, BINS)
    contacts = np.zeros((graph.node_count, BINS), dtype=np.float32)
    far = np.zeros(graph.node_count, dtype=np.float32)
    _count_contacts(graph.indptr, graph.indices, bins, contacts, far)
    return Traits(np.log(rank).astype(np.float32), bins, contacts, far)


@numba.njit(cache=True, nogil=True)
def _count_contacts(indptr: I64, indices: I32, bins: NDArray[np.int8], contacts: F32, far: F32) -> None:
    for v in range(indptr.size - 1):
        for e in range(indptr[v], indptr[v + 1]):
            contacts[v, bins[indices[e]]] += 1
            far[v] += indptr[indices[e] + 1] - indptr[indices[e]]


def unlinked_contacts(graph: Graph, traits: Traits, is_linked: NDArray[np.bool_]) -> F32:
    """Return everybody's contacts that are not linked, by bin."""
    unlinked = np.zeros_like(traits.contacts)
    _count_unlinked(graph.indptr, graph.indices, traits.bins, is_linked, unlinked)
    return unlinked


@numba.njit(cache=True, nogil=True)
def _count_unlinked(
    indptr: I64, indices: I32, bins: NDArray[np.int8], is_linked: NDArray[np.bool_], unlinked: F32
) -> None:
    for v in range(indptr.size - 1):
        for e in range(indptr[v], indptr[v + 1]):
            if not is_linked[indices[e]]:
                unlinked[v, bins[indices[e]]] += 1


class Sides(NamedTuple):
    """Both graphs with their traits, and what passes in them where their events can be compared."""

    left: Graph
    right: Graph
    left_traits: Traits
    right_traits: Traits
    events: Pair | None = None

    @classmethod
    def of(cls, left: Graph, right: Graph, division: Division | None = None) -> Sides:
        """Look at both graphs once."""
        return cls(left, right, traits_of(left), traits_of(right), Pair.of(left, right, division))


def describe(sides: Sides, left: I32, right: I32, evidence: F32, shared: I32, found: Scanned, linked: Linked) -> F32:
    """Return a line of numbers for each candidate."""
    is_linked = linked.other >= 0
    is_linked_right = np.zeros(sides.right.node_count, dtype=bool)
    is_linked_right[linked.other[is_linked]] = True
    unlinked = (
        unlinked_contacts(sides.left, sides.left_traits, is_linked),
        unlinked_contacts(sides.right, sides.right_traits, is_linked_right),
    )
    table = np.empty((left.size, len(COLUMNS)), dtype=np.float32)
    degrees = sides.left.degrees.astype(np.int32), sides.right.degrees.astype(np.int32)
    spread = np.float32(len(linked) / max(min(sides.left.node_count, sides.right.node_count), 1))

    def work(first: int, last: int) -> None:
        mine = slice(first, last)
        _describe(
            left[mine], right[mine], evidence[mine], shared[mine], found.left.other, found.left.evidence,
            found.right.other, found.right.evidence, found.left_linked, found.right_linked, degrees[0], degrees[1],
            sides.left_traits, sides.right_traits, unlinked[0], unlinked[1], spread, table[mine],
        )  # fmt: skip

    map_chunks(work, left.size, chunk=_LINES_AT_ONCE)
    return table if sides.events is None else np.hstack((table, sides.events.describe(left, right, linked)))


@numba.njit(cache=True, nogil=True)
def _describe(
    left: I32, right: I32, evidence: F32, shared: I32, left_best: I32, left_evidence: F32, right_best: I32,
    right_evidence: F32, left_linked: I32, right_linked: I32, left_degree: I32, right_degree: I32, one: Traits,
    two: Traits, left_unlinked: F32, right_unlinked: F32, spread: np.float32, table: F32,
) -> None:  # fmt: skip
    for k in range(left.size):
        u, v, line = left[k], right[k], table[k]
        du, dv, both = left_degree[u], right_degree[v], shared[k]
        lu, lv = left_linked[u], right_linked[v]
        line[0] = evidence[k]
        line[1], line[3], line[26] = _stand(left_best[u], left_evidence[u], v, evidence[k])
        line[2], line[4], line[27] = _stand(right_best[v], right_evidence[v], u, evidence[k])
        line[5], line[6], line[7] = both, lu, lv
        line[8], line[9] = both / max(lu, 1), both / max(lv, 1)
        line[10] = lu + lv - 2 * both
        line[11] = evidence[k] / max(both, 1)
        line[12], line[13], line[14] = du, dv, math.log((du + 1) / (dv + 1))
        line[15], line[16], line[17] = du - lu, dv - lv, math.log((du - lu + 1) / (dv - lv + 1))
        line[18] = _distance(one.contacts[u], two.contacts[v])
        line[19] = _distance(left_unlinked[u], right_unlinked[v])
        line[20], line[21], line[22] = one.rank[u], two.rank[v], one.rank[u] - two.rank[v]
        line[23], line[24] = math.log(one.far[u] + 1), math.log((one.far[u] + 1) / (two.far[v] + 1))
        line[25] = spread


@numba.njit(cache=True, nogil=True)
def _stand(best: I32, evidence: F32, other: int, mine: np.float32) -> tuple[float, float, int]:
    """Return how far a candidate leads among the best of a person, its share, and how many others there are."""
    next_best, whole, rivals = -50.0, math.exp(-50.0), 0
    for k in range(KEPT):
        if best[k] >= 0 and best[k] != other:
            next_best = max(next_best, float(evidence[k]))
            whole += math.exp(min(float(evidence[k]) - float(mine), 50.0))
            rivals += 1
    return min(float(mine) - next_best, 50.0), 1 / (1 + whole), rivals


@numba.njit(cache=True, nogil=True)
def _distance(one: F32, two: F32) -> float:
    """Return how far two spreads of contacts are apart: the sum of differences of square roots."""
    total = 0.0
    for k in range(one.size):
        total += abs(math.sqrt(one[k]) - math.sqrt(two[k]))
    return total
