"""Reconciliation by common witnesses, from people with many contacts down to those with few.

Reference: N. Korula, S. Lattanzi, "An efficient reconciliation algorithm for social networks", Proceedings of the VLDB
Endowment 7(5), 2014. A *witness* for a pair is a named contact of the person whose node is a contact of the node. In
the round for degree 2^j only people and nodes of at least that degree count; a pair is named if it has most witnesses
of all pairs of the person and of the node, and ``witnesses`` at least. Equals are left for a later round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numba
import numpy as np

from thinveil.attacks.matching.base import F64, I32
from thinveil.attacks.matching.peers.peer import Peer
from thinveil.attacks.matching.peers.sides import Found, Rows, Sides, invert
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import Seeds


@dataclass(frozen=True)
class KorulaLattanzi(Peer):
    """Name pairs with most common named contacts, from high degrees to low ones (Korula and Lattanzi 2014)."""

    name: ClassVar[str] = "korula-lattanzi"
    title: ClassVar[str] = "Korula and Lattanzi (2014)"
    evidence: ClassVar[str] = "their number of common named contacts"

    witnesses: int = parameter(2, "common named contacts that a pair must have", low=1, high=10**6)
    iterations: int = parameter(2, "times that the degrees are gone through", low=1, high=1_000)

    def __post_init__(self) -> None:
        check_parameters(self)

    def find(self, sides: Sides, seeds: Seeds) -> Found:
        """Go through the degrees, from high to low."""
        nodes = Rows(sides.nodes.indptr, _by_degree(sides.nodes.indptr, sides.nodes.indices))
        image, evidence = _reconcile(sides.people, nodes, sides.known, self.witnesses, self.iterations)
        return Found(image, evidence, {})


class _Best(NamedTuple):
    """The most witnesses of a person or node, with whom, and whether there is another one with as many."""

    most: I32
    who: I32
    is_tied: np.ndarray


@numba.njit(cache=True, nogil=True)
def _reconcile(people: Rows, nodes: Rows, known: I32, least: int, iterations: int) -> tuple[I32, F64]:
    image, owner = known.copy(), invert(known, nodes.indptr.size - 1)
    evidence, count, met = np.zeros(image.size), np.zeros(owner.size, dtype=np.int32), np.empty_like(owner)
    left, right = _make_best(image.size), _make_best(owner.size)
    highest = 0
    for person in range(image.size):
        highest = max(highest, people.indptr[person + 1] - people.indptr[person])
    for _ in range(iterations):
        degree = 1
        while 2 * degree <= highest:
            degree *= 2
        while degree >= 1:
            left.most[:], right.most[:] = least - 1, least - 1
            for person in range(image.size):
                if image[person] < 0 and people.indptr[person + 1] - people.indptr[person] >= degree:
                    _compare(people, nodes, image, owner, person, degree, count, met, left, right)
            _name_best(image, owner, evidence, left, right, least)
            degree //= 2
    return image, evidence


@numba.njit(cache=True, nogil=True)
def _make_best(count: int) -> _Best:
    return _Best(np.empty(count, dtype=np.int32), np.full(count, -1, dtype=np.int32), np.zeros(count, dtype=np.bool_))


@numba.njit(cache=True, nogil=True)
def _compare(
    people: Rows, nodes: Rows, image: I32, owner: I32, person: int, degree: int, count: I32, met: I32, left: _Best,
    right: _Best,
) -> None:  # fmt: skip
    """Count the witnesses of a person and every free node of that degree; rows of nodes are from high degree on."""
    seen = 0
    for k in range(people.indptr[person], people.indptr[person + 1]):
        there = image[people.indices[k]]
        if there < 0:
            continue
        for m in range(nodes.indptr[there], nodes.indptr[there + 1]):
            node = nodes.indices[m]
            if nodes.indptr[node + 1] - nodes.indptr[node] < degree:
                break
            if owner[node] < 0:
                if count[node] == 0:
                    met[seen] = node
                    seen += 1
                count[node] += 1
    for k in range(seen):
        _note(left, person, met[k], count[met[k]])
        _note(right, met[k], person, count[met[k]])
        count[met[k]] = 0


@numba.njit(cache=True, nogil=True)
def _note(best: _Best, one: int, other: int, count: int) -> None:
    if count > best.most[one]:
        best.most[one], best.who[one], best.is_tied[one] = count, other, False
    elif count == best.most[one]:
        best.is_tied[one] = True


@numba.njit(cache=True, nogil=True)
def _name_best(image: I32, owner: I32, evidence: F64, left: _Best, right: _Best, least: int) -> None:
    """Name the pairs who are each other's best."""
    for person in range(image.size):
        if image[person] >= 0 or left.most[person] < least or left.is_tied[person]:
            continue
        node = left.who[person]
        if not right.is_tied[node] and right.who[node] == person:
            image[person], owner[node], evidence[person] = node, person, left.most[person]


@numba.njit(cache=True, nogil=True)
def _by_degree(indptr: np.ndarray, indices: I32) -> I32:
    """Return the rows with neighbours of high degree first."""
    ordered = indices.copy()
    for node in range(indptr.size - 1):
        row = indices[indptr[node] : indptr[node + 1]]
        degrees = indptr[row + 1] - indptr[row]
        ordered[indptr[node] : indptr[node + 1]] = row[np.argsort(-degrees, kind="mergesort")]
    return ordered
