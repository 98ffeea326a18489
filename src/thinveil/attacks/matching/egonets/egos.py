"""Who is the center of a sub-graph? Each person of the auxiliary graph with about as many contacts is tried.

A contact of the center is seen with all its contacts, and with those it shares with the center. If the candidate is
right, a share t of these contacts are among the candidate's own, with about the same two numbers; how well they fit by
chance is seen from all candidates together. With k(x) the mean fit of a contact x to the candidate's contacts, and b(x)
the same over all candidates, a contact adds log(t k(x) / b(x) + 1 - t).
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.attacks.matching.egonets.beliefs import Overlap
from thinveil.attacks.matching.egonets.circles import People, most_probable, shared_roots
from thinveil.graph import Graph
from thinveil.runtime.threads import map_threads

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_FEWEST = 3  # contacts of a center


def find_egos(graph: Graph, seen: Appearances, overlap: Overlap) -> tuple[I32, F64]:
    """Return the most probable person of each sub-graph's center, -1 for nobody, and the probability."""
    people = People(graph, overlap)

    def find(center: int) -> tuple[int, float]:
        if center < 0 or seen.degree[center] < _FEWEST:
            return -1, 0.0
        root = float(np.sqrt(seen.degree[center]))
        alike = people.like(root)
        if alike.size == 0:
            return -1, 0.0
        near = seen.indices[seen.indptr[center] : seen.indptr[center + 1]]
        contacts = np.sqrt(seen.degree[near]), shared_roots(seen.indptr, seen.indices, center)
        rows = graph.indptr, graph.indices, people.roots, people.common
        place, probability = _try_all(alike, rows, contacts, root, overlap)
        return int(alike[place]), float(probability)

    found = map_threads(find, seen.center.tolist())
    return np.array([one for one, _ in found], dtype=np.int32), np.array([trust for _, trust in found])


@numba.njit(cache=True, nogil=True)
def _try_all(
    people: I64, rows: tuple[I64, I32, F64, F64], contacts: tuple[F64, F64], root: float, overlap: Overlap
) -> tuple[int, float]:
    """Return the place of the best candidate, and how probable he is among all, and nobody."""
    indptr, indices, roots, common = rows
    one = 1 / (1 - overlap.people * overlap.edges)
    two = 1 / (1 - overlap.people * overlap.edges**2 + 0.1)
    fit = np.zeros((people.size, contacts[0].size))
    for p in range(people.size):
        first, last = indptr[people[p]], indptr[people[p] + 1]
        for x in range(contacts[0].size):
            for k in range(first, last):
                gap = one * (roots[indices[k]] - contacts[0][x]) ** 2 + two * (common[k] - contacts[1][x]) ** 2
                if gap < 12:
                    fit[p, x] += np.exp(-gap) / (last - first)
    share = overlap.people * overlap.edges
    prior = -one * (roots[people] - root) ** 2
    odds = prior.copy()
    for x in range(contacts[0].size):
        mean = 1e-12
        for p in range(people.size):
            mean += fit[p, x] / people.size
        for p in range(people.size):
            odds[p] += np.log(share * fit[p, x] / mean + 1 - share)
    return most_probable(prior, odds, overlap)
