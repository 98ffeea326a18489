"""Circles: the contacts of one person, each with the number of contacts that it shares with that person.

All edges around an inner appearance are published, so that these numbers can be compared with those of people in the
auxiliary graph: for the center of a sub-graph (``egos``), or for any hub in it (``hubs``).
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.egonets.beliefs import Overlap
from thinveil.graph import Graph

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_WIDTH = 3.0


class People:
    """Everybody in the auxiliary graph, ready to be looked up by the number of contacts."""

    def __init__(self, graph: Graph, overlap: Overlap) -> None:
        self.roots, self.common = np.sqrt(graph.degrees), np.sqrt(graph.common_neighbors + 0.375)
        self._order = np.argsort(graph.degrees, kind="stable")
        self._sorted = self.roots[self._order]
        self._width = _WIDTH * np.sqrt((1 - overlap.contacts) / 2)

    def like(self, root: float) -> I64:
        """Return all who have about as many contacts, given the root of their number."""
        low, high = np.searchsorted(self._sorted, [root - self._width, root + self._width])
        return self._order[low:high]


@numba.njit(cache=True, nogil=True)
def shared_roots(indptr: I64, indices: I32, center: int) -> F64:
    """Return the roots of the numbers of contacts that somebody shares with each of his own."""
    roots = np.empty(indptr[center + 1] - indptr[center])
    for k in range(roots.size):
        x = indices[indptr[center] + k]
        shared, i, j = 0, indptr[center], indptr[x]
        while i < indptr[center + 1] and j < indptr[x + 1]:
            if indices[i] == indices[j]:
                shared += 1
                i += 1
                j += 1
            elif indices[i] < indices[j]:
                i += 1
            else:
                j += 1
        roots[k] = np.sqrt(shared + 0.375)
    return roots


@numba.njit(cache=True, nogil=True)
def most_probable(prior: F64, odds: F64, overlap: Overlap) -> tuple[int, float]:
    """Return the place of the best candidate, and how probable he is among all, and nobody.

    ``odds`` are log odds with the ``prior`` ones in them. Nobody has the prior weight that his share deserves.
    """
    top = int(np.argmax(odds))
    total = np.exp(np.log(np.exp(prior).sum() * (1 - overlap.people) / overlap.people) - odds[top])
    for p in range(odds.size):
        total += np.exp(odds[p] - odds[top])
    return top, 1 / total
