"""Which figures a row may be: those who know the people that the row knows.

A row walks from the rarest people it knows to everybody who knows them, until it has met its fill of figures. Of these
it keeps the best by what they share less what is missing on either side: acquaintances of the figure whom the row does
not know, and contacts of the row whom the figure should know. (Without that, those who know everybody would come
first.) Equal ties count a little besides. To these come the figures that it looks like by itself (anchors), and the one
it was last taken for. What it costs grows with the rows, not with their square.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.evidence import (
    COLUMNS,
    Anchors,
    Scratch,
    forget,
    introduce,
    make_scratch,
    seat,
    weigh,
)
from thinveil.attacks.collective.figures import I32, I64, Figures, Rows
from thinveil.attacks.collective.margins import add_margins
from thinveil.attacks.collective.seats import owe, owed_by

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_ANCHORS = 3
_TIES = np.float32(0.1)  # what equal ties are worth beside contacts: where ties survive, a little decides
_MOST, _LEAST, _LINES = 12, 6, 200_000  # candidates of a row, and of all rows about


@dataclass(frozen=True, eq=False)
class Candidates:
    """Figures that rows may be: ``row[k]`` may be ``figure[k]``, for which ``evidence[k]`` speaks."""

    row: I64
    figure: I32
    evidence: F32


def find_candidates(span: tuple[int, int], rows: Rows, figures: Figures, anchors: Anchors) -> Candidates:
    """Find the candidates of the rows of one sub-graph, first .. last - 1."""
    size = span[1] - span[0]
    most = _most(rows)
    chosen = np.empty((size, most), dtype=np.int32)
    lines = np.empty((size, most, len(COLUMNS)), dtype=np.float32)
    counts = np.zeros(size, dtype=np.int64)
    _find(span, rows, figures, anchors, make_scratch(figures.persons), (chosen, counts, lines))
    place, number = np.nonzero(np.arange(most) < counts[:, None])
    figure = chosen[place, number]
    return Candidates(span[0] + place, figure, add_margins(place, figure, lines[place, number]))


def _most(rows: Rows) -> int:
    """Return how many candidates a row may have: fewer where rows are many, since links spread there by themselves."""
    return int(np.clip(_LINES / max(1, rows.degree.size), _LEAST, _MOST))


@numba.njit(cache=True, nogil=True)
def _expect(span: tuple[int, int], rows: Rows, figures: Figures, expected: F32) -> None:
    """Write what each figure should find there: the weight of its acquaintances, and of the inner ones."""
    for row in range(span[0], span[1]):
        g = figures.guess[row]
        if g < 0:
            continue
        worth = np.float32(figures.weight[g] * figures.sure[row])
        for k in range(figures.ends[g], figures.ends[g + 1]):
            known = worth * figures.trust_there[k]
            expected[figures.known_to[k], 0] += known
            expected[figures.known_to[k], 1] += known * rows.inner[row]


@numba.njit(cache=True, nogil=True, inline="always")
def _list_known(row: int, rows: Rows, figures: Figures, scratch: Scratch, known: I32, worth: F32) -> int:
    """List the people whom a row knows, from the rarest on, and what they are worth; return how many."""
    many = 0
    for k in range(rows.indptr[row], rows.indptr[row + 1]):
        if figures.guess[rows.indices[k]] >= 0:
            known[many] = figures.guess[rows.indices[k]]
            many += 1
    known[:many].sort()
    for k in range(many):
        worth[k] = figures.weight[known[k]] * scratch.trust[known[k]]
    return many


@numba.njit(cache=True, nogil=True, inline="always")
def _meet(
    known: I32, worth: F32, rows: Rows, figures: Figures, scratch: Scratch, support: F32, met: I32
) -> tuple[int, bool]:
    """Add up what supports each figure, contacts and equal ties; return how many were met, and whether all were."""
    # unsigned places: the machine need not ask at every step whether to count from the end
    count, spent = np.uint32(0), 0
    for k in range(known.size):
        first, last = figures.ends[known[k]], figures.ends[known[k] + 1]
        if spent > 0 and spent + last - first > figures.reach:
            return count, False
        spent += last - first
        mine, value = scratch.shared[known[k]], worth[k]
        rarity = np.float32(rows.rarity[mine])
        knowers, trust, most = (
            figures.known_to[first:last],
            figures.trust_there[first:last],
            figures.most_there[first:last],
        )
        for at in range(np.uint32(knowers.size)):
            f = np.uint32(knowers[at])
            met[count] = f
            count += np.uint32(support[f, 0] == 0)  # no branch: nobody could foretell it
            held = value * trust[at]
            support[f, 0] += held
            support[f, 1] += held * rarity * (most[at] == mine)
    return count, True


@numba.njit(cache=True, nogil=True, inline="always")
def _keep(best: I32, values: F32, figure: int, value: float) -> None:
    """Put a figure into its place among the best, whose last it beats."""
    place = values.size - 1
    while place > 0 and values[place - 1] < value:
        best[place], values[place] = best[place - 1], values[place - 1]
        place -= 1
    best[place], values[place] = figure, value


@numba.njit(cache=True, nogil=True, inline="always")
def _rank(
    row: int, met: I32, met_all: bool, rows: Rows, figures: Figures, support: F32, expected: F32, owed: F32,
    best: I32, values: F32,
) -> None:  # fmt: skip
    """Keep the best of the figures met, and forget what supports them."""
    best[:], values[:] = -1, -np.inf
    own, home, kind = figures.figure[row], rows.subgraph[row], 0 if rows.inner[row] else 1
    for number in met:
        f = np.uint32(number)
        held, equal = support[f, 0], support[f, 1]
        support[f, 0], support[f, 1] = 0, 0
        # who was not met cannot be missed: then the share in all that the figure knows must do
        net = 3 * held - expected[f, kind] if met_all else held * held / np.float32(figures.total[f])
        net += _TIES * equal
        # most figures are not among the best: to find that out must cost next to nothing
        if net <= values[-1] or f == own or figures.home[f] == home:
            continue
        if met_all:
            net -= owed_by(f, figures.seats, owed)
        if net > values[-1]:
            _keep(best, values, f, net)


@numba.njit(cache=True, nogil=True)
def _find(
    span: tuple[int, int], rows: Rows, figures: Figures, anchors: Anchors, scratch: Scratch, out: tuple[I32, I64, F32]
) -> None:
    chosen, counts, lines = out
    persons, count, most = figures.weight.size, figures.rows.size, chosen.shape[1]
    met, support = np.empty(count + 1, dtype=np.int32), np.zeros((count, 2), dtype=np.float32)
    known, worth = np.empty(persons, dtype=np.int32), np.empty(persons, dtype=np.float32)
    best, values = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.float32)
    expected = np.zeros((count, 2), dtype=np.float32)
    owed = np.empty((64 * figures.seats.people.shape[1], 2), dtype=np.float32)
    seat(figures, span[0], span[1], scratch)
    _expect(span, rows, figures, expected)
    for row in range(span[0], span[1]):
        tally = introduce(row, rows, figures, scratch)
        if tally.trusted == 0 and anchors.starts[row] == anchors.starts[row + 1]:
            continue
        many = _list_known(row, rows, figures, scratch, known, worth)
        people, weights = known[:many], worth[:many]
        size, met_all = _meet(people, weights, rows, figures, scratch, support, met)
        if met_all:
            owe(people, weights, figures.seats, owed)
        _rank(row, met[:size], met_all, rows, figures, support, expected, owed, best, values)
        own, place, filled = figures.figure[row], row - span[0], 0
        for k in range(1 + _ANCHORS + most):
            if k == 0:
                f = own if own < persons else -1
            elif k <= _ANCHORS:
                a = anchors.starts[row] + k - 1
                f = figures.figure[anchors.rows[a]] if a < anchors.starts[row + 1] else -1
            else:
                f = best[k - 1 - _ANCHORS]
            for other in range(filled):
                if chosen[place, other] == f:
                    f = -1
            if f >= 0 and filled < most:
                chosen[place, filled] = f
                weigh(row, f, tally, rows, figures, anchors, scratch, lines[place, filled])
                filled += 1
        counts[place] = filled
        forget(row, rows, figures, scratch)
