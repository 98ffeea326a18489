"""The start: who are the best-connected people of the release? Belief propagation, without anybody known.

A *variable* is a group of merged appearances with many contacts; its *candidates* are the people of the auxiliary graph
with about as many, or nobody (place 0). Two variables that are inner in one sub-graph say more: how many common
contacts they have, and whether they know each other. All counts are compared by their square roots, whose spread does
not depend on their size::

    spread of sqrt(contacts in the release) - sqrt(contacts in the auxiliary graph): (1 - t) / 2

where t is the share of edges of the one that the other has too. A variable with more candidates than there is room
for is left out: to cut its list would drop the right one.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from thinveil.attacks.matching.copies import Overlaps
from thinveil.attacks.matching.egonets.merging import Traits
from thinveil.graph import Graph

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_STILL = 0.01  # change of messages
_TINY = -20.0
_WIDTH = 3.0
_CAP = 5.0


class Size(NamedTuple):
    """How many candidates of a variable, variables, pairs of each, and contacts of a variable at least.

    The ``schedule`` says how many rounds are played with which power of the evidence.
    """

    candidates: int = 100
    variables: int = 200
    partners: int = 40
    contacts: int = 30
    schedule: tuple[tuple[float, int], ...] = ((0.15, 5), (0.3, 5), (0.6, 6), (1.0, 10))


class Pairs(NamedTuple):
    """What groups of appearances have in common: of groups ``first`` and ``second``, each pair once."""

    first: I32
    second: I32
    common: I32
    knows: NDArray[np.bool_]


_WHOLE = Size()


def list_pairs(traits: Traits, group: I32) -> Pairs:
    """Return what all groups have in common with each other."""
    first = np.repeat(group[traits.who], np.diff(traits.indptr))
    second = group[traits.partner]
    keys = np.minimum(first, second).astype(np.int64) << 32 | np.maximum(first, second)
    _, place = np.unique(keys, return_index=True)
    common = traits.common[place]
    return Pairs(first[place], second[place], common // 2, common % 2 > 0)


class Overlap(NamedTuple):
    """Shares of the release that the auxiliary graph has too: of people, and of edges among people in both."""

    people: float
    edges: float

    @property
    def both_ways(self) -> Overlaps:
        """The shares of all people of either graph, and of all their edges."""
        return Overlaps(self.people / (2 - self.people), self.edges / (2 - self.edges))

    @property
    def contacts(self) -> float:
        """The share of a person's contacts."""
        return self.people * self.edges

    @property
    def common(self) -> float:
        """The share of common contacts of two people."""
        return self.people * self.edges**2


def believe(graph: Graph, contacts: I32, pairs: Pairs, overlap: Overlap, size: Size = _WHOLE) -> tuple[I32, F64]:
    """Return the most probable person of every group, -1 for nobody, and the probability.

    ``contacts`` are the numbers of contacts of the groups.
    """
    person, trust = np.full(contacts.size, -1, dtype=np.int32), np.zeros(contacts.size)
    variables, candidates = _choose(graph, contacts, overlap, size)
    chosen = _choose_pairs(pairs, variables, contacts.size, size.partners)
    if chosen[0].size == 0:
        return person, trust
    unary = _unary(graph, contacts[variables], candidates, overlap)
    evidence = _pair_evidence(graph, candidates, chosen, overlap)
    beliefs = unary
    messages = np.zeros((2, chosen[0].size, unary.shape[1]))
    for power, rounds in size.schedule:
        beliefs = _propagate(unary, np.exp(power * evidence), chosen[0], chosen[1], messages, rounds)
    beliefs = np.exp(beliefs - np.logaddexp.reduce(beliefs, axis=1)[:, None])
    best = beliefs.argmax(axis=1)
    person[variables] = np.where(best > 0, candidates[np.arange(best.size), np.maximum(best - 1, 0)], -1)
    trust[variables] = beliefs.max(axis=1)
    return person, trust


def _choose(graph: Graph, contacts: I32, overlap: Overlap, size: Size) -> tuple[I64, I32]:
    """Return the variables, and their candidates, filled up with -1."""
    width = _WIDTH * np.sqrt((1 - overlap.contacts) / 2)
    order = np.argsort(graph.degrees, kind="stable")
    roots = np.sqrt(graph.degrees[order])
    low = np.searchsorted(roots, np.sqrt(contacts) - width, "left")
    high = np.searchsorted(roots, np.sqrt(contacts) + width, "right")
    fits = (contacts >= size.contacts) & (high - low <= size.candidates) & (high > low)
    variables = np.flatnonzero(fits)
    variables = variables[np.argsort(-contacts[variables], kind="stable")][: size.variables]
    most = int((high - low)[variables].max(initial=1))
    candidates = np.full((variables.size, most), -1, dtype=np.int32)
    for row, variable in enumerate(variables):
        candidates[row, : high[variable] - low[variable]] = order[low[variable] : high[variable]]
    return variables, candidates


def _choose_pairs(pairs: Pairs, variables: I64, groups: int, most: int) -> tuple[I32, I32, I32, NDArray[np.bool_]]:
    """Return the pairs of variables, of each variable those with the most common contacts."""
    row = np.full(groups, -1, dtype=np.int32)
    row[variables] = np.arange(variables.size)
    first, second = row[pairs.first], row[pairs.second]
    order = np.flatnonzero((first >= 0) & (second >= 0))
    order = order[np.argsort(-pairs.common[order], kind="stable")]
    times, kept = np.zeros(variables.size, dtype=np.int64), list[int]()
    for k in order.tolist():
        if min(times[first[k]], times[second[k]]) < most:
            times[first[k]] += 1
            times[second[k]] += 1
            kept.append(k)
    return first[kept], second[kept], pairs.common[kept], pairs.knows[kept]


def _unary(graph: Graph, contacts: I32, candidates: I32, overlap: Overlap) -> F64:
    """Return the log probability of nobody, and of every candidate by the number of contacts."""
    gap = np.sqrt(graph.degrees[candidates]) - np.sqrt(contacts)[:, None]
    fits = np.where(candidates >= 0, -(gap**2) / (1 - overlap.contacts), -1e9)
    fits -= np.logaddexp.reduce(fits, axis=1)[:, None]
    nobody = np.full((contacts.size, 1), np.log(1 - overlap.people))
    return np.hstack([nobody, fits + np.log(overlap.people)])


def _pair_evidence(
    graph: Graph, candidates: I32, chosen: tuple[I32, I32, I32, NDArray[np.bool_]], overlap: Overlap
) -> F32:
    """Return for every pair of variables, and of their candidates, the log odds of what both graphs say."""
    core = np.unique(candidates[candidates >= 0])
    matrix = csr_matrix((np.ones(graph.indices.size, dtype=np.float32), graph.indices, graph.indptr))[core]
    roots = np.sqrt((matrix @ matrix.T).toarray() + 0.375)
    knows = matrix[:, core].toarray() > 0
    place = np.where(candidates >= 0, np.searchsorted(core, candidates), -1).astype(np.int32)
    first, second, common, together = chosen
    evidence: F32 = _fill_evidence(place, first, second, np.sqrt(common + 0.375), together, roots, knows,
                                   (1 - overlap.common) / 2 + 0.02, overlap.edges)  # fmt: skip
    return evidence


@numba.njit(cache=True, nogil=True)
def _fill_evidence(
    place: I32, first: I32, second: I32, root: F64, together: NDArray[np.bool_], roots: F32, knows: NDArray[np.bool_],
    spread: float, edges: float,
) -> F32:  # fmt: skip
    """Fill in the log odds, of nobody (place 0) none; what is common by chance is seen from all pairs of candidates."""
    evidence = np.zeros((first.size, place.shape[1] + 1, place.shape[1] + 1), dtype=np.float32)
    for k in range(first.size):
        one, two = place[first[k]], place[second[k]]
        total, square, linked, count = 0.0, 0.0, 0.0, 0.0
        for a in one:
            for b in two:
                if a >= 0 and b >= 0 and a != b:
                    count += 1
                    total += roots[a, b]
                    square += roots[a, b] ** 2
                    linked += knows[a, b]
        if count == 0:
            continue
        mean, share = total / count, (linked + 0.5) / (count + 1)
        chance = square / count - mean**2 + spread
        base = 0.5 * (root[k] - mean) ** 2 / chance + 0.5 * np.log(chance / spread)
        base -= np.log(share) if together[k] else np.log(1 - share)
        for a in range(one.size):
            for b in range(two.size):
                if one[a] >= 0 and two[b] >= 0:
                    odds = base - 0.5 * (root[k] - roots[one[a], two[b]]) ** 2 / spread
                    if together[k]:
                        odds += np.log(edges if knows[one[a], two[b]] else 1 - edges)
                    elif knows[one[a], two[b]]:
                        odds += np.log(1 - edges)
                    odds = max(-_CAP, min(_CAP, odds))
                    evidence[k, a + 1, b + 1] = -_CAP if one[a] == two[b] else odds
    return evidence


@numba.njit(cache=True, nogil=True)
def _propagate(unary: F64, factors: F32, first: I32, second: I32, messages: F64, rounds: int) -> F64:
    """Pass messages until little changes, for some rounds at most, each half old and half new; return log beliefs."""
    size = unary.shape[1]
    weight, sent = np.empty(size, dtype=np.float32), np.empty(size, dtype=np.float32)
    beliefs = unary.copy()
    for _ in range(rounds):
        beliefs[:] = unary
        for k in range(first.size):
            for a in range(size):
                beliefs[second[k], a] += messages[0, k, a]
                beliefs[first[k], a] += messages[1, k, a]
        change = 0.0
        for k in range(first.size):
            heard = messages[:, k].copy()  # what the beliefs were made of: the first way must not change it
            for way in range(2):
                source = first[k] if way == 0 else second[k]
                top = -1e30
                for a in range(size):
                    top = max(top, beliefs[source, a] - heard[1 - way, a])
                for a in range(size):
                    log_weight = beliefs[source, a] - heard[1 - way, a] - top
                    weight[a] = np.exp(log_weight) if log_weight > _TINY else 0.0
                _send(factors[k], weight, sent, way)
                for a in range(size):
                    messages[way, k, a] = 0.5 * heard[way, a] + 0.5 * (np.log(sent[a]) - np.log(sent[0]))
                    change = max(change, abs(messages[way, k, a] - heard[way, a]))
        if change < _STILL:
            break
    return beliefs


@numba.njit(cache=True, nogil=True, fastmath=True)
def _send(factors: F32, weight: F32, sent: F32, way: int) -> None:
    """Sum the factors over the weights of one end: of rows (way 0) or columns."""
    size = weight.size
    if way == 0:
        sent[:] = 0
        for a in range(size):
            if weight[a] > 0:
                for b in range(size):
                    sent[b] += weight[a] * factors[a, b]
    else:
        for b in range(size):
            total = np.float32(0)
            for a in range(size):
                total += weight[a] * factors[b, a]
            sent[b] = total
