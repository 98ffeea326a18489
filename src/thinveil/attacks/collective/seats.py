"""Where people and figures stand, and whom a figure should know by that.

A tie is *visible* in a sub-graph where both stand and one of the two is an inner node. Somebody whom a row knows, and
with whom a figure has stood where their tie would be visible, should be an acquaintance of the figure: if not, it
speaks against the two being one. Seats are bits: bit b of word w is sub-graph 64 w + b.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.runtime.bits import lowest_one

I32 = NDArray[np.int32]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Words = NDArray[np.uint64]
Bools = NDArray[np.bool_]

APART, TOGETHER, VISIBLE = 0, 1, 2


class Seats(NamedTuple):
    """The sub-graphs in which each person and each figure has a row, and those in which it has an inner one."""

    people: Words
    inner_people: Words
    figures: Words
    inner_figures: Words


def list_seats(person: I32, figure: I32, inner: Bools, subgraph: I32, counts: tuple[int, int]) -> Seats:
    """List the seats of the people and figures of all rows; ``counts`` is how many there are of both."""
    return Seats(
        _seat(person, subgraph, counts[0]),
        _seat(np.where(inner, person, -1), subgraph, counts[0]),
        _seat(figure, subgraph, counts[1]),
        _seat(np.where(inner, figure, -1), subgraph, counts[1]),
    )


def _seat(owner: I32, subgraph: I32, count: int) -> Words:
    seats = np.zeros((count, int(subgraph.max(initial=0)) // 64 + 1), dtype=np.uint64)
    _set_bits(owner, subgraph, seats)
    return seats


@numba.njit(cache=True, nogil=True)
def _set_bits(owner: I32, subgraph: I32, seats: Words) -> None:
    for row in range(owner.size):
        if owner[row] >= 0:
            seats[owner[row], subgraph[row] >> 6] |= np.uint64(1) << np.uint64(subgraph[row] & 63)


@numba.njit(cache=True, nogil=True, inline="always")
def meeting(person: int, figure: int, home: int, seats: Seats) -> int:
    """Tell whether person and figure have met in a sub-graph other than ``home``, and where a tie would be visible."""
    met = APART
    for w in range(seats.people.shape[1]):
        away = ~np.uint64(0)
        if w == home >> 6:
            away ^= np.uint64(1) << np.uint64(home & 63)
        one, two = seats.people[person, w] & away, seats.figures[figure, w] & away
        if (one & seats.inner_figures[figure, w]) | (two & seats.inner_people[person, w]):
            return VISIBLE
        if one & two:
            met = TOGETHER
    return met


@numba.njit(cache=True, nogil=True, inline="always")
def owe(known: I32, worth: F32, seats: Seats, owed: F32) -> None:
    """Write what the people known to a row are worth in every sub-graph: those who stand there, and the inner ones."""
    owed[:] = 0
    for k in range(known.size):
        for kind in range(2):
            words = seats.inner_people[known[k]] if kind else seats.people[known[k]]
            for w in range(words.size):
                word = words[w]
                while word != 0:
                    owed[64 * w + np.int64(lowest_one(word)), kind] += worth[k]
                    word &= word - np.uint64(1)


@numba.njit(cache=True, nogil=True, inline="always")
def owed_by(figure: int, seats: Seats, owed: F32) -> float:
    """Return how much a figure should know of what is ``owed``, by that sub-graph of its own which shows most."""
    most = np.float32(0)
    for w in range(seats.figures.shape[1]):
        word, inner = seats.figures[figure, w], seats.inner_figures[figure, w]
        while word != 0:
            place = lowest_one(word)
            is_inner = np.int64((inner >> place) & np.uint64(1))
            most = max(most, owed[64 * w + np.int64(place), 1 - is_inner])
            word &= word - np.uint64(1)
    return most
