"""Marks on pairs of a person and a node, for percolation: a table of pairs that never outgrows its limit.

A pair is the number ``person * nodes + node``. The table has open addresses: a pair stands in the first free place
from its hash on; the table grows as pairs come. Once ``limit`` pairs have marks, those with somebody who has got a name
are thrown out; if that does not help, new pairs get no mark, and are counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.base import I32
from thinveil.attacks.matching.peers.sides import I64
from thinveil.runtime.splitmix import STEP

U8 = NDArray[np.uint8]
FREE = -1
HELD, LIMIT, DROPPED, NODES, PURGED, GIVEN = range(6)
"""Places in ``state``: pairs with marks, their limit, marks dropped, nodes, marks up to the last purge, all marks."""


NEAR, USED = np.uint8(1), np.uint8(2)
"""Flags of a pair: a matched pair is its neighbour; it has given marks itself."""


class Marks(NamedTuple):
    """The table: pair, marks and flags of each place, and where the numbers above stand."""

    pair: I64
    marks: I32
    flags: U8
    state: I64


@numba.njit(cache=True, nogil=True)
def make_marks(limit: int, nodes: int) -> Marks:
    """Return an empty table."""
    state = np.zeros(6, dtype=np.int64)
    state[LIMIT], state[NODES] = limit, nodes
    return _make_table(16, state)


@numba.njit(cache=True, nogil=True)
def _make_table(size: int, state: I64) -> Marks:
    return Marks(
        np.full(size, FREE, dtype=np.int64), np.empty(size, dtype=np.int32), np.empty(size, dtype=np.uint8), state
    )


@numba.njit(cache=True, nogil=True)
def place_of(pairs: I64, pair: int) -> int:
    """Return where a pair stands, or would stand."""
    last = pairs.size - 1
    place = np.int64(((np.uint64(pair) * STEP) >> np.uint64(32)) & np.uint64(last))
    while pairs[place] != FREE and pairs[place] != pair:
        place = (place + 1) & last
    return place


@numba.njit(cache=True, nogil=True)
def add_mark(table: Marks, pair: int, amount: int) -> int:
    """Give a pair so many more marks; return its place, or -1 if there is no room."""
    place = place_of(table.pair, pair)
    if table.pair[place] == FREE:
        if table.state[HELD] >= table.state[LIMIT]:
            table.state[DROPPED] += 1
            return -1
        table.pair[place] = pair
        table.marks[place], table.flags[place] = 0, 0
        table.state[HELD] += 1
    table.marks[place] += amount
    table.state[GIVEN] += 1
    return place


@numba.njit(cache=True, nogil=True)
def make_room(table: Marks, more: int, image: I32, owner: I32) -> tuple[Marks, bool]:
    """Return a table with room for so many more pairs, as far as the limit allows, and whether it is another one.

    Pairs with somebody who has got a name are thrown out if the table is full and as many marks are new as it holds.
    """
    state = table.state
    size, wanted = table.pair.size, min(state[HELD] + more, state[LIMIT])
    while 2 * size < 3 * wanted:
        size *= 2
    asked = state[GIVEN] + state[DROPPED]
    is_full = state[HELD] >= state[LIMIT] and asked - state[PURGED] >= state[LIMIT]
    if size == table.pair.size and not is_full:
        return table, False
    if is_full:
        state[PURGED] = asked
    return _move(table, _make_table(size, state), image, owner, is_full), True


@numba.njit(cache=True, nogil=True)
def _move(table: Marks, larger: Marks, image: I32, owner: I32, is_full: bool) -> Marks:
    """Move the pairs to another table, without those with somebody who has got a name if it is full."""
    larger.state[HELD] = 0
    for k in range(table.pair.size):
        pair = table.pair[k]
        if pair == FREE or (is_full and (image[pair // owner.size] >= 0 or owner[pair % owner.size] >= 0)):
            continue
        place = place_of(larger.pair, pair)
        larger.pair[place], larger.marks[place], larger.flags[place] = pair, table.marks[k], table.flags[k]
        larger.state[HELD] += 1
    return larger
