"""How often hidden edges are found between named appearances, in sub-graphs that would show them."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.attacks.matching.hiding import FEWEST_EDGES, Check, Hidden
from thinveil.graph import Graph

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

_SUREST = 0.97
_MOSTLY = 0.7  # of the edges of a sub-graph that is believed, both ends are named rightly
_RARE = 0.005
_DOUBTS = tuple(k / 4 for k in range(17))


class Tally(NamedTuple):
    """For each appearance, how many edges to named ones are there that are published, and how many could be."""

    found: I64
    met: I64

    @property
    def rate(self) -> float:
        """The share of edges that are found."""
        return float(self.found.sum() / max(1, self.met.sum()))


def check_names(seen: Appearances, person: I32, hidden: Hidden, known: I32) -> Check:
    """Look for hidden and shown edges among the named appearances; not between two ``known`` ones, which prove nothing.

    ``known`` has -1 for whoever is not known.
    """
    unseen, shown = (_tally(seen, person, graph, known) for graph in (hidden.alone(), hidden.graph))
    edges, pairs = (some.sum() for some in _count_pairs(seen, person))
    return Check(int(unseen.met.sum()), unseen.rate, shown.rate, float(edges / max(1, pairs)))


def is_confirmed(seen: Appearances, person: I32, hidden: Hidden, known: I32, edges: float) -> Bools:
    """Return which sub-graphs have names that their own hidden edges confirm.

    They are to be likelier if most names are right, so that nearly a share ``edges`` of them is found, than by chance.
    """
    tally = _tally(seen, person, hidden.alone(), known)
    once = np.where(_shows(seen), 0.5, 1.0)  # an edge between two of them is met from both
    found, met = (np.bincount(seen.subgraph, once * one, minlength=seen.start.size - 1) for one in tally)
    there, pairs = _count_pairs(seen, person)
    right = _MOSTLY * edges
    chance = np.clip(there / np.maximum(1, pairs), _RARE, right)
    return np.asarray(found * np.log(right / chance) + (met - found) * np.log((1 - right) / (1 - chance)) > 0)


def measure_doubt(seen: Appearances, person: I32, trust: F64, hidden: Hidden, known: I32) -> float:
    """Return by how much all log odds of names should be lowered, to fit how often hidden edges are found.

    A right name shows a hidden edge as often as the most trusted names do, a wrong one by chance.
    """
    found, met = _tally(seen, person, hidden.alone(), known)
    surest = trust >= _SUREST
    if met[surest].sum() < FEWEST_EDGES:
        return 0.0
    there, pairs = (some.sum() for some in _count_pairs(seen, person))
    rate, chance = found[surest].sum() / met[surest].sum(), there / max(1, pairs)

    def fit(doubt: float) -> float:
        p = lower_trust(trust, doubt)
        share = np.clip(rate * p + chance * (1 - p), 1e-6, 1 - 1e-6)
        return float((found * np.log(share) + (met - found) * np.log(1 - share)).sum())

    return max(_DOUBTS, key=fit)


def lower_trust(trust: F64, doubt: float) -> F64:
    """Return the trust with the log odds lowered."""
    trust = np.clip(trust, 1e-9, 1 - 1e-9)
    return np.asarray(1 / (1 + np.exp(doubt) * (1 - trust) / trust))


def _tally(seen: Appearances, person: I32, graph: Graph, known: I32) -> Tally:
    rows = seen.indptr, seen.indices
    return Tally(*_count_found(seen.start, rows, _shows(seen), person, (graph.indptr, graph.indices), known >= 0))


def _shows(seen: Appearances) -> Bools:
    """Return whose edges are all published, as far as both ends are there."""
    return np.asarray(seen.inner | seen.rim)


def _count_pairs(seen: Appearances, person: I32) -> tuple[I64, I64]:
    """Return of each sub-graph the pairs of named appearances that know each other; and all that could be seen to."""
    named, shows, subgraphs = person >= 0, _shows(seen), seen.start.size - 1
    source = np.repeat(np.arange(seen.count), np.diff(seen.indptr))
    is_edge = named[source] & named[seen.indices] & shows[source]
    edges = np.bincount(seen.subgraph[source[is_edge]], minlength=subgraphs)
    inner, every = (np.bincount(seen.subgraph[some], minlength=subgraphs) for some in (named & shows, named))
    return edges, inner * np.maximum(every - 1, 0)


@numba.njit(cache=True, nogil=True)
def _count_found(
    start: I64, rows: tuple[I64, I32], shows: Bools, person: I32, graph: tuple[I64, I32], known: Bools
) -> tuple[I64, I64]:
    """Return for each named appearance how many edges to named ones who show theirs are there, and could be."""
    owner, mark = np.full(graph[0].size - 1, -1, dtype=np.int32), np.full(person.size, -1, dtype=np.int32)
    found, met = np.zeros(person.size, dtype=np.int64), np.zeros(person.size, dtype=np.int64)
    for k in range(start.size - 1):
        for w in range(start[k], start[k + 1]):
            if person[w] >= 0:
                owner[person[w]] = w
        for w in range(start[k], start[k + 1]):
            if person[w] >= 0 and shows[w]:
                for e in range(rows[0][w], rows[0][w + 1]):
                    mark[rows[1][e]] = w
                for e in range(graph[0][person[w]], graph[0][person[w] + 1]):
                    y = owner[graph[1][e]]
                    if y >= 0 and not (known[w] and known[y]):
                        met[y] += 1
                        found[y] += mark[y] == w
        for w in range(start[k], start[k + 1]):
            if person[w] >= 0:
                owner[person[w]] = -1
    return found, met
