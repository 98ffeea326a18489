"""Rounds of propagation: links give candidates, candidates give links; all links are made anew in every round.

A candidate becomes a link if each of the two is the other's best, and it is probable enough that neither is somebody
else or nobody. Links are never kept from one round to the next: a wrong one that is not found again is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.whole.best import KEPT, Best
from thinveil.attacks.matching.whole.scan import Linked, Scanned, scan, weight_of_nobody
from thinveil.graph import Graph
from thinveil.graph.csr import has_edge

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

SURE = 0.5
MOST_ROUNDS = 20
_GROWTH = 0.005  # rounds stop when links grow by less


class Candidates(NamedTuple):
    """Pairs that may be one person: the two, and the place of each among the other's best (KEPT for none)."""

    left: I32
    right: I32
    left_place: I32
    right_place: I32
    evidence: F32
    shared: I32

    def take(self, chosen: NDArray[np.integer]) -> Candidates:
        """Return some of them."""
        return Candidates(
            self.left[chosen], self.right[chosen], self.left_place[chosen], self.right_place[chosen],
            self.evidence[chosen], self.shared[chosen],
        )  # fmt: skip


Judge = Callable[[Candidates, Scanned, Linked], F64]
"""Gives every candidate a probability."""


def candidates_of(found: Scanned) -> Candidates:
    """Return everybody's best few as one list of pairs; a pair stands in it once."""
    left, theirs = np.nonzero(found.left.other >= 0)
    right, ours = np.nonzero(found.right.other >= 0)
    first = np.stack([left, found.left.other[left, theirs], theirs, np.full(left.size, KEPT)])
    # a pair that is among the best on both sides is listed by the left
    place = _places(found.left.other, found.right.other[right, ours], right)
    second = np.stack([found.right.other[right, ours], right, np.full(right.size, KEPT), ours])
    first[3] = _places(found.right.other, first[1], first[0])
    keep = place == KEPT
    left_all, right_all, left_place, right_place = np.concatenate([first, second[:, keep]], axis=1).astype(np.int32)
    evidence = np.concatenate([found.left.evidence[left, theirs], found.right.evidence[right, ours][keep]])
    shared = np.concatenate([found.left.shared[left, theirs], found.right.shared[right, ours][keep]])
    return Candidates(left_all, right_all, left_place, right_place, evidence, shared)


def _places(table: I32, rows: NDArray[np.integer], wanted: NDArray[np.integer]) -> I64:
    """Return at which place each wanted number stands in its row of the table; KEPT where it does not."""
    is_there = table[rows] == wanted[:, None]
    return np.where(is_there.any(axis=1), is_there.argmax(axis=1), KEPT)


def judge_by_evidence(found: Candidates, scanned: Scanned, linked: Linked) -> F64:
    """Give each candidate its share among the best of either side, and of being nobody, whichever is less."""
    nobody = weight_of_nobody(len(scanned.left.other))
    shares = []
    for best, row in ((scanned.left, found.left), (scanned.right, found.right)):
        whole = np.logaddexp(_sum_of(best), nobody)
        shares.append(np.exp(np.minimum(found.evidence - whole[row], 0)))
    return np.asarray(np.minimum(*shares))


def _sum_of(best: Best) -> F64:
    top = np.where(best.other[:, 0] >= 0, best.evidence[:, 0], 0).astype(np.float64)
    return np.asarray(top + np.log(np.maximum(np.exp(best.evidence - top[:, None]).sum(axis=1), 1e-300)))


def link(found: Candidates, probability: F64, sizes: tuple[int, int], *, sure: float = SURE) -> Linked:
    """Link candidates that are the likeliest of both, each without an equal, and probable enough."""
    leads = np.ones(probability.size, dtype=bool)
    for row, people in ((found.left, sizes[0]), (found.right, sizes[1])):
        leads &= _leads(row, probability, people)
    chosen = np.flatnonzero(leads & (probability >= sure))
    linked = Linked.nobody(sizes[0])
    linked.other[found.left[chosen]] = found.right[chosen]
    linked.sure[found.left[chosen]] = probability[chosen]
    return linked


def _leads(row: I32, value: F64, people: int) -> NDArray[np.bool_]:
    """Say which candidates are better than all others of their row."""
    best, times = _tops(row, value, people)
    return np.asarray((value == best[row]) & (times[row] == 1))


@numba.njit(cache=True, nogil=True)
def _tops(row: I32, value: F64, people: int) -> tuple[F64, I32]:
    """Return the greatest value of each row, and how often it comes."""
    best, times = np.full(people, -np.inf), np.zeros(people, dtype=np.int32)
    for k in range(row.size):
        if value[k] > best[row[k]]:
            best[row[k]], times[row[k]] = value[k], 1
        elif value[k] == best[row[k]]:
            times[row[k]] += 1
    return best, times


def survival_of(left: Graph, right: Graph, linked: Linked) -> tuple[float, int]:
    """Return which share of the edges between linked people is on the other side too, and how many such edges."""
    back = linked.back(right.node_count)
    kept, edges = _count_kept(left.indptr, left.indices, right.indptr, right.indices, linked.other)
    edges_back = int(_count_kept(right.indptr, right.indices, left.indptr, left.indices, back)[1])
    return 2 * kept / max(edges + edges_back, 1), edges


@numba.njit(cache=True, nogil=True)
def _count_kept(indptr: I64, indices: I32, right_indptr: I64, right_indices: I32, other: I32) -> tuple[int, int]:
    kept = edges = 0
    for u in range(indptr.size - 1):
        if other[u] < 0:
            continue
        for e in range(indptr[u], indptr[u + 1]):
            v = other[indices[e]]
            if v >= 0:
                edges += 1
                kept += has_edge(right_indptr, right_indices, other[u], v)
    return kept, edges


def propagate(
    left: Graph, right: Graph, linked: Linked, survival: float, judge: Judge = judge_by_evidence, *,
    known: Linked, rounds: int = MOST_ROUNDS, growth: float = _GROWTH, last: float = SURE,
) -> tuple[Linked, float]:  # fmt: skip
    """Make links from links until they hardly grow any more; return them, and the share of edges that survive.

    Those that are returned are at least as sure as ``last``, which may be less than links from which others are made.
    """
    most, sizes = 0, (left.node_count, right.node_count)
    for _ in range(rounds):
        found = scan(left, right, linked, survival)
        pairs = candidates_of(found)
        sure = judge(pairs, found, linked)
        linked = join_known(link(pairs, sure, sizes), known)
        share, edges = survival_of(left, right, linked)
        if edges >= 200:
            survival = float(np.clip(share, 0.05, 0.98))
        if len(linked) <= (1 + growth) * most:
            break
        most = max(most, len(linked))
    return (linked if last == SURE else join_known(link(pairs, sure, sizes, sure=last), known)), survival


def join_known(linked: Linked, known: Linked) -> Linked:
    """Return the links with those of known people in place of whatever they contradict."""
    mine = known.other >= 0
    other, sure = linked.other.copy(), linked.sure.copy()
    lost = np.isin(other, known.other[mine])
    other[lost], sure[lost] = -1, 0
    other[mine], sure[mine] = known.other[mine], known.sure[mine]
    return Linked(other, sure)
