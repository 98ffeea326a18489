"""Who is the hub of a sub-graph? Where edges at the rim are published, the circle of a person's contacts tells.

All contacts of an inner appearance are there, with all edges among them. This places sub-graphs whose center has too
few contacts to be found, and hands over people in them from whom the rounds can go on::

    hub --histogram of shared contacts--> a few people --match the two circles--> do the edges fit? --> hub and contacts

* The numbers of contacts that a hub shares with each of its own, as a histogram of their square roots, are compared
  with those of each person who has about as many contacts. The best few are tried.
* The circles of hub and person, graphs of their own, are matched by belief propagation, as hubs are (``beliefs``).
* Edges among contacts that got a name are looked for among their people: as many are found as the graphs overlap, or
  fewer, if the hub is somebody else, whose contacts can be named to fit each other but not that well.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.attacks.matching.egonets.beliefs import Overlap, Pairs, Size, believe
from thinveil.attacks.matching.egonets.circles import People, shared_roots
from thinveil.graph import Graph, trusted_graph
from thinveil.graph.csr import has_edge
from thinveil.runtime.threads import map_threads

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_EACH = 3  # hubs of a sub-graph
_FEWEST = 40  # contacts of a hub
_PER_UNIT = 4  # bins
_STANDS_OUT = 0.8
_CIRCLE = Size(60, 40, 10, 4, ((0.25, 4), (0.5, 4), (1.0, 6)))
_TRIED = 4  # people for a hub
_FITS, _FITS_WELL = 6.0, 15.0  # log odds
_MOSTLY = 0.7  # of the edges that right names show, wrong ones show
_CAUTION = 0.5  # what contacts say is not independent


class Match(NamedTuple):
    """A hub, its person, how well the edges among its contacts speak for that (log odds), and who its contacts are."""

    hub: int
    person: int
    odds: float
    contacts: I32
    people: I32
    trust: F64


def match_hubs(graph: Graph, seen: Appearances, person: I32, overlap: Overlap) -> list[Match]:
    """Return the hubs of all sub-graphs whose circles fit; ``person`` is who an appearance is thought to be, or -1."""
    hubs = np.concatenate([_choose(seen, k) for k in range(seen.start.size - 1)])
    people = People(graph, overlap)
    found = map_threads(lambda hub: _match_hub(graph, seen, int(hub), int(person[hub]), people, overlap), hubs.tolist())
    return [match for match in found if match.odds >= _FITS]


def _match_hub(graph: Graph, seen: Appearances, hub: int, person: int, people: People, overlap: Overlap) -> Match:
    """Return the best match among the most probable people, or of the only one who is thought of."""
    likely = [person] if person >= 0 else _rank_people(graph, seen, hub, people, overlap)[:_TRIED].tolist()
    best = Match(hub, -1, 0.0, *_nobody())
    for one in likely:
        match = _match_circles(graph, seen, hub, one, overlap)
        if match.odds > best.odds:
            best = match
        if best.odds >= _FITS_WELL:
            break
    return best


def _rank_people(graph: Graph, seen: Appearances, hub: int, people: People, overlap: Overlap) -> I64:
    """Return all people with about as many contacts, those first whose contacts share as many with them."""
    root = float(np.sqrt(seen.degree[hub]))
    alike = people.like(root)
    bins = _PER_UNIT * int(1 + people.common.max(initial=0)) + 1
    spread = _PER_UNIT**2 * ((1 - overlap.common) / 2 + 0.05)
    own = _count_own(seen.indptr, seen.indices, hub, bins)
    odds = _compare_circles(alike, (graph.indptr, people.common, people.roots), own, root, spread, overlap)
    return np.asarray(alike[np.argsort(-odds, kind="stable")])


def _choose(seen: Appearances, k: int) -> I64:
    """Return the inner appearances with the most contacts; ties are left out by whoever comes first."""
    inner = np.flatnonzero(seen.inner[seen.start[k] : seen.start[k + 1]]) + seen.start[k]
    inner = inner[seen.degree[inner] >= _FEWEST]
    return np.asarray(inner[np.argsort(-seen.degree[inner], kind="stable")][:_EACH])


def _match_circles(graph: Graph, seen: Appearances, hub: int, person: int, overlap: Overlap) -> Match:
    """Match the contacts of a hub with those of its person, by the edges among them alone."""
    near, theirs = seen.indices[seen.indptr[hub] : seen.indptr[hub + 1]], graph.neighbors(person)
    own, other = _circle(seen.indptr, seen.indices, near), _circle(graph.indptr, graph.indices, theirs)
    contacts = np.diff(own.indptr).astype(np.int32)
    first, second = np.triu_indices(min(contacts.size, _CIRCLE.variables), 1)
    top = np.argsort(-contacts, kind="stable")[: _CIRCLE.variables].astype(np.int32)
    common = np.rint((own[top] @ own[:, top]).toarray()).astype(np.int32)
    knows = own[top][:, top].toarray() > 0
    pairs = Pairs(top[first], top[second], common[first, second], knows[first, second])
    circle = trusted_graph(other.indptr.astype(np.int64), other.indices.astype(np.int32))
    found, trust = believe(circle, contacts, pairs, Overlap(overlap.contacts, overlap.edges), _CIRCLE)
    sure = np.flatnonzero((found >= 0) & (trust >= _STANDS_OUT))
    named, people = near[sure], theirs[found[sure]]
    return Match(hub, person, _weigh_edges(own[sure][:, sure], graph, people, overlap), named, people, trust[sure])


def _weigh_edges(own: csr_matrix, graph: Graph, people: I32, overlap: Overlap) -> float:
    """Return the log odds that edges among contacts are found as often as right names show them, or wrong ones."""
    ends = own.nonzero()
    found = sum(has_edge(graph.indptr, graph.indices, people[a], people[b]) for a, b in zip(*ends, strict=True))
    right, wrong = overlap.edges, _MOSTLY * overlap.edges
    return float(found * np.log(right / wrong) + (own.nnz - found) * np.log((1 - right) / (1 - wrong))) / 2


def _nobody() -> tuple[I32, I32, F64]:
    return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32), np.empty(0)


def _circle(indptr: I64, indices: I32, members: I32) -> csr_matrix:
    """Return the edges among the members, who are in order."""
    counts = indptr[members + 1] - indptr[members]
    entries = np.repeat(indptr[members] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    place = np.minimum(np.searchsorted(members, indices[entries]), members.size - 1)
    inside = members[place] == indices[entries]
    ends = np.repeat(np.arange(members.size), counts)[inside], place[inside]
    return csr_matrix((np.ones(ends[0].size, dtype=np.float32), ends), (members.size, members.size))


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
) -> F64:
    """Return the log odds of all candidates."""
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
    odds = -one * (roots[people] - root) ** 2
    for p in range(people.size):
        for b in range(own.size):
            if own[b] > 0:
                odds[p] += _CAUTION * own[b] * np.log(share * fit[p, b] / mean[b] + 1 - share)
    return odds
