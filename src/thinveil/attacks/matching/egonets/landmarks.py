"""Landmarks: named people by whom all other inner people are placed.

How many contacts somebody has in common with each landmark, and which landmarks he knows, is compared with all people
of the auxiliary graph who have about as many contacts; what agrees by chance is seen from these, too.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from thinveil.attacks.matching.egonets.beliefs import Overlap, Pairs
from thinveil.attacks.matching.egonets.circles import most_probable
from thinveil.graph import Graph
from thinveil.runtime.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

_MOST = 250  # landmarks
_EACH = 24  # landmarks of one group, those with the most in common
_FEWEST = 12  # contacts of who is placed
_WIDTH = 3.5
_TRUSTED = 0.9
_SAMPLED = 400  # people by whom chance is judged
_CAP = 5.0


def place_groups(
    graph: Graph, contacts: I32, pairs: Pairs, person: I32, trust: F64, overlap: Overlap
) -> tuple[I32, F64]:
    """Return the most probable person of every group by its landmarks, -1 for nobody, and the probability."""
    marks = np.flatnonzero((person >= 0) & (trust >= _TRUSTED))
    marks = marks[np.argsort(-contacts[marks], kind="stable")][:_MOST]
    if marks.size == 0:
        return person, trust
    order = np.argsort(graph.degrees, kind="stable")
    roots, knows = _common_roots(graph, person[marks], order)
    low, high = _windows(np.sqrt(graph.degrees[order]), contacts, overlap)
    rows = _mark_rows(pairs, marks, contacts.size)
    found = map_chunks(
        lambda first, last: _place(
            first, last, (low, high), np.sqrt(contacts), np.sqrt(graph.degrees[order]), rows, (roots, knows), overlap
        ),
        contacts.size, chunk=64,
    )  # fmt: skip
    best, probability = (np.concatenate(one) for one in zip(*found, strict=True))
    return np.where(best >= 0, order[best], person).astype(np.int32), np.where(best >= 0, probability, trust)


def _common_roots(graph: Graph, people: I32, order: I64) -> tuple[F32, Bools]:
    """Return the roots of each landmark's common contacts with all people, in the order given; and who knows it."""
    ones = np.ones(graph.indices.size, dtype=np.float32)
    matrix = csr_matrix((ones, graph.indices, graph.indptr), (graph.node_count, graph.node_count))
    common = (matrix[people] @ matrix).toarray()[:, order]
    return np.sqrt(common + np.float32(0.375)), matrix[people].toarray()[:, order] > 0


def _windows(roots: F64, contacts: I32, overlap: Overlap) -> tuple[I64, I64]:
    width = _WIDTH * np.sqrt((1 - overlap.contacts) / 2)
    low = np.searchsorted(roots, np.sqrt(contacts) - width, "left")
    high = np.searchsorted(roots, np.sqrt(contacts) + width, "right")
    return low, np.where(contacts >= _FEWEST, high, low)


def _mark_rows(pairs: Pairs, marks: I64, groups: int) -> tuple[I64, I32, F64, Bools]:
    """Return for every group its landmarks: row starts, the landmarks' numbers, roots of what is common, who knows."""
    number = np.full(groups, -1, dtype=np.int32)
    number[marks] = np.arange(marks.size)
    group = np.concatenate([pairs.first, pairs.second])
    mark = number[np.concatenate([pairs.second, pairs.first])]
    common, knows = np.tile(pairs.common, 2), np.tile(pairs.knows, 2)
    kept = np.flatnonzero(mark >= 0)
    kept = kept[np.lexsort((-common[kept], group[kept]))]
    starts = np.concatenate([[0], np.cumsum(np.bincount(group[kept], minlength=groups))])
    kept = kept[np.arange(kept.size) - starts[group[kept]] < _EACH]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(group[kept], minlength=groups))])
    return indptr, mark[kept], np.sqrt(common[kept] + 0.375), knows[kept]


@numba.njit(cache=True, nogil=True)
def _place(
    first: int, last: int, window: tuple[I64, I64], contacts: F64, degrees: F64, rows: tuple[I64, I32, F64, Bools],
    common: tuple[F32, Bools], overlap: Overlap,
) -> tuple[I64, F64]:  # fmt: skip
    """Return for groups ``first`` to ``last`` the best place in the window, and its probability."""
    best, probability = np.full(last - first, -1, dtype=np.int64), np.zeros(last - first)
    for g in range(first, last):
        low, high = window[0][g], window[1][g]
        if high == low or rows[0][g] == rows[0][g + 1]:
            continue
        prior = -((degrees[low:high] - contacts[g]) ** 2) / (1 - overlap.people * overlap.edges)
        odds = prior.copy()
        for k in range(rows[0][g], rows[0][g + 1]):
            _add_odds(odds, low, rows[2][k], rows[3][k], common[0][rows[1][k]], common[1][rows[1][k]], overlap)
        top, probability[g - first] = most_probable(prior, odds, overlap)
        best[g - first] = low + top
    return best, probability


@numba.njit(cache=True, nogil=True)
def _add_odds(odds: F64, low: int, root: float, together: bool, roots: F32, knows: Bools, overlap: Overlap) -> None:
    """Add what one landmark says of all candidates."""
    step = 1 + odds.size // _SAMPLED
    total, square, linked, count = 0.0, 0.0, 0.0, 0
    for v in range(low, low + odds.size, step):
        count += 1
        total += roots[v]
        square += roots[v] ** 2
        linked += knows[v]
    mean, share = total / count, (linked + 0.5) / (count + 1)
    spread = (1 - overlap.people * overlap.edges**2) / 2 + 0.05
    chance = square / count - mean**2 + spread
    base = 0.5 * (root - mean) ** 2 / chance + 0.5 * np.log(chance / spread)
    base -= np.log(share) if together else np.log(1 - share)
    yes = np.log(overlap.edges) if together else np.log(1 - overlap.edges)
    no = np.log(1 - overlap.edges) if together else 0.0
    for v in range(odds.size):
        one = base - 0.5 * (root - roots[low + v]) ** 2 / spread + (yes if knows[low + v] else no)
        odds[v] += max(-_CAP, min(_CAP, one))
