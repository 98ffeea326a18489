"""Who is the hub of a sub-graph? Where edges at the rim are published, the circle of a person's contacts tells.

All contacts of an inner appearance are there, with all edges among them: so the number of contacts that it shares with
each of them is exact. These numbers, as a histogram of their square roots, are compared with those of each person who
has about as many contacts, as in ``egos``. This places sub-graphs whose center has too few contacts to be found.
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

_EACH = 3  # hubs of a sub-graph
_FEWEST = 40  # contacts of a hub
_PER_UNIT = 4  # bins
_NOBODY = 0.3  # weight of being no contact in the other graph
_STANDS_OUT = 0.6
_CAUTION = 0.5  # what contacts say is not independent


def find_hubs(graph: Graph, seen: Appearances, overlap: Overlap) -> tuple[I64, I32, F64]:
    """Return hubs of all sub-graphs, the most probable person of each, and the probability."""
    hubs = np.concatenate([_choose(seen, k) for k in range(seen.start.size - 1)])
    people = People(graph, overlap)
    bins = _PER_UNIT * int(1 + people.common.max(initial=0)) + 1
    spread = _PER_UNIT**2 * ((1 - overlap.common) / 2 + 0.05)

    def find(hub: int) -> tuple[int, float]:
        root = float(np.sqrt(seen.degree[hub]))
        alike = people.like(root)
        if alike.size == 0:
            return -1, 0.0
        own = _count_own(seen.indptr, seen.indices, hub, bins)
        rows = graph.indptr, people.common, people.roots
        place, probability = _compare_circles(alike, rows, own, root, spread, overlap)
        return int(alike[place]), float(probability)

    found = map_threads(find, hubs.tolist())
    return hubs, np.array([one for one, _ in found], dtype=np.int32), np.array([trust for _, trust in found])


def _choose(seen: Appearances, k: int) -> I64:
    """Return the inner appearances with the most contacts; ties are left out by whoever comes first."""
    inner = np.flatnonzero(seen.inner[seen.start[k] : seen.start[k + 1]]) + seen.start[k]
    inner = inner[seen.degree[inner] >= _FEWEST]
    return np.asarray(inner[np.argsort(-seen.degree[inner], kind="stable")][:_EACH])


def name_contacts(graph: Graph, seen: Appearances, hubs: I64, people: I32, overlap: Overlap) -> tuple[I32, I32, F64]:
    """Return contacts of named hubs that stand out by what they share with them, their people, and how probable."""
    common = np.sqrt(graph.common_neighbors + 0.375)
    spread = 1 - overlap.common + 0.1
    parts = map_threads(
        lambda one: _match_circles(
            shared_roots(seen.indptr, seen.indices, one[0]),
            common[graph.indptr[one[1]] : graph.indptr[one[1] + 1]],
            spread,
        ),
        list(zip(hubs.tolist(), people.tolist(), strict=True)),
    )
    who, named = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int32)]
    for hub, person, (place, _) in zip(hubs.tolist(), people.tolist(), parts, strict=True):
        who.append(seen.indices[seen.indptr[hub] : seen.indptr[hub + 1]][place >= 0])
        named.append(graph.neighbors(person)[place[place >= 0]])
    trust = np.concatenate([np.empty(0), *(odds[place >= 0] for place, odds in parts)])
    return np.concatenate(who), np.concatenate(named), trust


@numba.njit(cache=True, nogil=True)
def _match_circles(own: F64, theirs: F64, spread: float) -> tuple[I64, F64]:
    """Return for each contact of a hub the one contact of its person that fits, -1 where others fit as well."""
    fit, rows, columns = np.empty((own.size, theirs.size)), np.full(own.size, _NOBODY), np.full(theirs.size, _NOBODY)
    for i in range(own.size):
        for j in range(theirs.size):
            fit[i, j] = np.exp(-((own[i] - theirs[j]) ** 2) / spread)
            rows[i] += fit[i, j]
            columns[j] += fit[i, j]
    place, trust = np.full(own.size, -1, dtype=np.int64), np.zeros(own.size)
    for i in range(own.size):
        for j in range(theirs.size):
            share = fit[i, j] / max(rows[i], columns[j])
            if share >= _STANDS_OUT:
                place[i], trust[i] = j, share
    return place, trust


@numba.njit(cache=True, nogil=True)
def _count_own(indptr: I64, indices: I32, hub: int, bins: int) -> F64:
    """Return how many contacts of a hub share so many contacts with it, by bins of the root."""
    counts = np.zeros(bins)
    for root in shared_roots(indptr, indices, hub):
        counts[min(bins - 1, int(_PER_UNIT * root))] += 1
    return counts


@numba.njit(cache=True, nogil=True)
def _compare_circles(
    people: I64, rows: tuple[I64, F64, F64], own: F64, root: float, spread: float, overlap: Overlap
) -> tuple[int, float]:
    """Return the place of the best candidate, and how probable he is among all, and nobody."""
    indptr, common, roots = rows
    reach = int(3 * np.sqrt(spread)) + 1
    fit, mean = np.zeros((people.size, own.size)), np.full(own.size, 1e-9)
    for p in range(people.size):
        first, last = indptr[people[p]], indptr[people[p] + 1]
        for k in range(first, last):
            place = min(own.size - 1, int(_PER_UNIT * common[k]))
            for b in range(max(0, place - reach), min(own.size, place + reach + 1)):
                fit[p, b] += np.exp(-((b - place) ** 2) / (2 * spread)) / (last - first)
        for b in range(own.size):
            mean[b] += fit[p, b] / people.size
    share, one = overlap.people * overlap.edges, 1 / (1 - overlap.people * overlap.edges)
    prior = -one * (roots[people] - root) ** 2
    odds = prior.copy()
    for p in range(people.size):
        for b in range(own.size):
            if own[b] > 0:
                odds[p] += _CAUTION * own[b] * np.log(share * fit[p, b] / mean[b] + 1 - share)
    return most_probable(prior, odds, overlap)
