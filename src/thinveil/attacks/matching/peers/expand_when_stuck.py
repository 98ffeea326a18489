"""ExpandWhenStuck: percolation that takes the best pair first, and goes on with doubtful pairs when it is stuck.

Reference: E. Kazemi, S. H. Hassani, M. Grossglauser, "Growing a graph matching from a handful of seeds", Proceedings of
the VLDB Endowment 8(10), 2015. Of the pairs with most marks, ``marks`` at least, that with the most similar degrees is
matched; when there is none, all marked pairs without names that were not used yet spread marks, matched or not.

Three limits are ours. ``pairs`` bounds the pairs in memory; since an expansion can cost the square of that, it spreads
as many marks as that at most, its pairs taken in an order drawn by lot, and one that leads to no match is the last; and
those with fewer contacts than ``marks`` get none, for they would fill the memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numba
import numpy as np

from thinveil.attacks.matching.base import I32
from thinveil.attacks.matching.peers.heap import Heap, make_heap, pop, rise
from thinveil.attacks.matching.peers.marks import (
    DROPPED,
    FREE,
    GIVEN,
    HELD,
    LIMIT,
    NEAR,
    USED,
    Marks,
    add_mark,
    make_marks,
    make_room,
    place_of,
)
from thinveil.attacks.matching.peers.peer import Peer
from thinveil.attacks.matching.peers.percolation import PAIRS
from thinveil.attacks.matching.peers.sides import I64, Found, Rows, Sides, count_witnesses, find_free, invert
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import Seeds


@dataclass(frozen=True)
class ExpandWhenStuck(Peer):
    """Match the pairs that most matched pairs speak for, and guess on when stuck (Kazemi et al. 2015)."""

    name: ClassVar[str] = "expand-when-stuck"
    title: ClassVar[str] = "ExpandWhenStuck (Kazemi et al. 2015)"
    evidence: ClassVar[str] = "their number of contacts that have fitting names in the end"

    marks: int = parameter(2, "marks that it takes to match a pair", low=1, high=10**6)
    pairs: int = parameter(PAIRS, "pairs with marks that are kept in memory, 30 bytes or so each", low=1, high=10**9)

    def __post_init__(self) -> None:
        check_parameters(self)

    def find(self, sides: Sides, seeds: Seeds) -> Found:
        """Spread marks from the known people, the best pair first."""
        image, held, dropped, expansions = _expand(sides.people, sides.nodes, sides.known, self.marks, self.pairs)
        facts = {"pairs with marks": held, "marks dropped": dropped, "expansions": expansions}
        evidence = count_witnesses(sides.people, sides.nodes, image)
        return Found(image, evidence, {name: float(value) for name, value in facts.items()})


class _Graphs(NamedTuple):
    """Both graphs, and who has whose name by now."""

    people: Rows
    nodes: Rows
    image: I32
    owner: I32


@numba.njit(cache=True, nogil=True)
def _expand(people: Rows, nodes: Rows, known: I32, least: int, limit: int) -> tuple[I32, int, int, int]:
    graphs = _Graphs(people, nodes, known.copy(), invert(known, nodes.indptr.size - 1))
    table = make_marks(limit, graphs.owner.size)
    heap = make_heap(table, people, nodes, least)
    for person in range(known.size):
        if known[person] >= 0:
            table, heap = _spread(graphs, person, known[person], 1, NEAR, table, heap)
    expansions, matched, is_stuck = 0, 1, False
    while not is_stuck:
        matched, table, heap = _match_best(graphs, table, heap)
        is_stuck = expansions > 0 and matched == 0
        if not is_stuck:
            waiting = _find_waiting(graphs, table)
            table, heap = _expand_once(graphs, waiting, table, heap)
            is_stuck = waiting.size == 0
            expansions += not is_stuck
    return graphs.image, table.state[HELD], table.state[DROPPED], expansions


@numba.njit(cache=True, nogil=True)
def _match_best(graphs: _Graphs, table: Marks, heap: Heap) -> tuple[int, Marks, Heap]:
    """Match the best pair as long as there is one, and return how many were matched."""
    matched = 0
    while True:
        place = pop(heap, table)
        if place < 0:
            return matched, table, heap
        person, node = table.pair[place] // graphs.owner.size, table.pair[place] % graphs.owner.size
        if graphs.image[person] < 0 and graphs.owner[node] < 0:
            amount = 0 if table.flags[place] & USED else 1  # an expansion may have been there before
            graphs.image[person], graphs.owner[node] = node, person
            matched += 1
            table, heap = _spread(graphs, person, node, amount, NEAR, table, heap)


@numba.njit(cache=True, nogil=True)
def _find_waiting(graphs: _Graphs, table: Marks) -> I64:
    """Return the pairs without names next to matched ones that have given no marks yet."""
    waiting, count, nodes = np.empty(table.state[HELD], dtype=np.int64), 0, graphs.owner.size
    for place in range(table.pair.size):
        pair = table.pair[place]
        if pair == FREE or table.flags[place] & (NEAR | USED) != NEAR:
            continue
        if graphs.image[pair // nodes] < 0 and graphs.owner[pair % nodes] < 0:
            waiting[count] = pair
            count += 1
    return waiting[:count]


@numba.njit(cache=True, nogil=True)
def _expand_once(graphs: _Graphs, waiting: I64, table: Marks, heap: Heap) -> tuple[Marks, Heap]:
    """Let pairs spread marks without being matched, up to the limit."""
    last = table.state[GIVEN] + table.state[DROPPED] + table.state[LIMIT]
    for pair in waiting:
        if table.state[GIVEN] + table.state[DROPPED] >= last:
            break
        table.flags[place_of(table.pair, pair)] |= USED
        person, node = pair // graphs.owner.size, pair % graphs.owner.size
        table, heap = _spread(graphs, person, node, 1, np.uint8(0), table, heap)
    return table, heap


@numba.njit(cache=True, nogil=True)
def _spread(
    graphs: _Graphs, person: int, node: int, amount: int, flag: int, table: Marks, heap: Heap
) -> tuple[Marks, Heap]:
    """Mark the pairs of a contact of the person and a contact of the node, who have no names yet."""
    people, nodes, image, owner = graphs
    ones, others = find_free(people, image, person, heap.least), find_free(nodes, owner, node, heap.least)
    table, is_other = make_room(table, ones.size * others.size, image, owner)
    if is_other:
        heap = make_heap(table, people, nodes, heap.least)
    for one in ones:
        for other in others:
            place = add_mark(table, one * np.int64(owner.size) + other, amount)
            if place >= 0:
                table.flags[place] |= flag
                rise(heap, table, place)
    return table, heap
