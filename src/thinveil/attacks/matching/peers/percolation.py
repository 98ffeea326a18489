"""Percolation graph matching: a pair with enough marks is matched, and marks its neighbours in turn.

Reference: L. Yartseva, M. Grossglauser, "On the performance of percolation graph matching", Conference on Online Social
Networks (COSN) 2013. Matched pairs are used one after the other, each chosen at random: all pairs of a contact of the
person and a contact of the node get a mark, but for those with too few contacts to ever get enough. A pair is matched
as soon as it has ``marks`` of them and neither has a name. There can be as many pairs with marks as people times nodes:
``pairs`` keeps them within memory. Everybody with enough marks is named, in unrelated graphs too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numba
import numpy as np

from thinveil.attacks.matching.base import F64, I32
from thinveil.attacks.matching.peers.marks import DROPPED, HELD, Marks, add_mark, make_marks, make_room
from thinveil.attacks.matching.peers.peer import Peer
from thinveil.attacks.matching.peers.sides import Found, Rows, Sides, count_witnesses, find_free, invert
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import Seeds

PAIRS = 10_000_000


@dataclass(frozen=True)
class Percolation(Peer):
    """Match pairs that enough matched pairs of contacts speak for, one by one (Yartseva and Grossglauser 2013)."""

    name: ClassVar[str] = "percolation"
    title: ClassVar[str] = "percolation (Yartseva and Grossglauser 2013)"
    evidence: ClassVar[str] = "their number of contacts that have fitting names in the end"

    marks: int = parameter(
        2, "matched pairs of contacts that it takes to match a pair (r in the paper)", low=1, high=10**6
    )
    pairs: int = parameter(PAIRS, "pairs with marks that are kept in memory, 20 bytes or so each", low=1, high=10**9)

    def __post_init__(self) -> None:
        check_parameters(self)

    def find(self, sides: Sides, seeds: Seeds) -> Found:
        """Spread marks from the known people."""
        picks = seeds.stream("peers", self.name, "picks").random(min(sides.known.size, sides.nodes.indptr.size - 1))
        image, held, dropped = _percolate(sides.people, sides.nodes, sides.known, self.marks, self.pairs, picks)
        evidence = count_witnesses(sides.people, sides.nodes, image)
        return Found(image, evidence, {"pairs with marks": float(held), "marks dropped": float(dropped)})


@numba.njit(cache=True, nogil=True)
def _percolate(people: Rows, nodes: Rows, known: I32, least: int, limit: int, picks: F64) -> tuple[I32, int, int]:
    image, owner = known.copy(), invert(known, nodes.indptr.size - 1)
    table = make_marks(limit, owner.size)
    unused, named = np.empty(picks.size, dtype=np.int32), 0
    for person in range(known.size):
        if known[person] >= 0:
            unused[named] = person
            named += 1
    waiting, step = named, 0
    while waiting > 0:
        pick = int(picks[step] * waiting)
        person, step, waiting = unused[pick], step + 1, waiting - 1
        unused[pick] = unused[waiting]
        ones, others = find_free(people, image, person, least), find_free(nodes, owner, image[person], least)
        table, _ = make_room(table, ones.size * others.size, image, owner)
        waiting = _spread(ones, others, image, owner, least, table, unused, waiting)
    return image, table.state[HELD], table.state[DROPPED]


@numba.njit(cache=True, nogil=True)
def _spread(ones: I32, others: I32, image: I32, owner: I32, least: int, table: Marks, unused: I32, waiting: int) -> int:
    """Mark the pairs of contacts, match those with enough marks, and return how many matched pairs are unused."""
    for one in ones:
        for other in others:
            if owner[other] >= 0:  # since a moment ago
                continue
            place = add_mark(table, one * np.int64(owner.size) + other, 1)
            if place >= 0 and table.marks[place] >= least:
                image[one], owner[other] = other, one
                unused[waiting] = one
                waiting += 1
                break
    return waiting
