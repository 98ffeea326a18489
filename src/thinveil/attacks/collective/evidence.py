"""What speaks for a row being a figure: the people they both know, those missing, and how alike the ties are.

Evidence is a table with a line per (row, figure). A row's own share in a figure never counts: what a figure knows only
through the row itself is left out. What is *expected* are the figure's acquaintances who have a row in the sub-graph at
hand; under some schemes only inner rows show all their neighbours, so that these are counted apart as well. Contacts
count as they are linked; and once more with those who are only guessed, each by how far it is trusted. How far links
have spread is told too: of few links no more must be concluded than they bear. What speaks *against* the two being one
counts both ways: acquaintances of the figure whom the row does not know, and contacts of the row whom the figure should
know, from another sub-graph, and does not (see ``seats``). The *net weight* is what they share less all of that.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.figures import I32, I64, Figures, Rows
from thinveil.attacks.collective.merging import LINKED
from thinveil.attacks.collective.seats import APART, VISIBLE, meeting

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

COLUMNS = (
    "linked contacts in common", "weight of these", "inner ones", "weight of these",
    "share of the row's", "share of the expected", "share of the row's inner", "share of the expected inner",
    "cosine", "cosine of inner", "linked contacts of the row", "inner ones", "degree", "inner",
    "rows of the figure", "inner rows", "largest degree", "degree against the inner degree",
    "acquaintances of the figure", "another row stands there", "surest anchor",
    "weight of equal ties", "share of equal ties", "closeness of ties", "rarity of equal inner ties",
    "inner nodes there", "share of these that the row knows", "that the figure knows elsewhere", "inner degree",
    "weight of contacts in common, guesses included", "share of the row's", "share of the expected", "cosine",
    "weight of equal ties, guesses included", "share of linked contacts", "of linked rows there", "of all linked rows",
    "weight of contacts whom the figure should know", "of these unknown to it",
    "of contacts with whom it has stood elsewhere", "of these unknown to it",
    "weight of inner acquaintances of the figure unknown to the row", "of all there", "net weight",
)  # fmt: skip
"""The columns of one (row, figure); ``margins`` adds how far it leads."""

_NO_DEGREE = 9.0


class Anchors(NamedTuple):
    """Rows that look alike by themselves: row r looks like ``rows[starts[r] : starts[r + 1]]``, so ``sure``."""

    starts: I64
    rows: I64
    sure: F64


class Scratch(NamedTuple):
    """Notes about every person while one sub-graph is looked through.

    ``row`` is the person's row there, -1 for none. Of the row at hand: whether it knows the person (1, or 2 if the
    person's row is an inner one), how many neighbours they share, and how far the contact is to be trusted.
    """

    row: I32
    known: NDArray[np.int8]
    shared: I32
    trust: F32


class Tally(NamedTuple):
    """What a row knows in all: people, inner ones, the weights of both, and that of everybody by trust."""

    people: int
    inner: int
    weight: float
    inner_weight: float
    trusted: float


def make_scratch(persons: int) -> Scratch:
    """Return empty notes."""
    return Scratch(
        np.full(persons, -1, dtype=np.int32),
        np.zeros(persons, dtype=np.int8),
        np.zeros(persons, dtype=np.int32),
        np.zeros(persons, dtype=np.float32),
    )


@numba.njit(cache=True, nogil=True, inline="always")
def seat(figures: Figures, first: int, last: int, scratch: Scratch) -> None:
    """Note where everybody stands in the sub-graph whose rows are first .. last - 1."""
    for row in range(first, last):
        if figures.guess[row] >= 0:
            scratch.row[figures.guess[row]] = row


@numba.njit(cache=True, nogil=True, inline="always")
def introduce(row: int, rows: Rows, figures: Figures, scratch: Scratch) -> Tally:
    """Note whom a row knows."""
    people, inner, weight, inner_weight, trusted = 0, 0, 0.0, 0.0, 0.0
    for k in range(rows.indptr[row], rows.indptr[row + 1]):
        g, t = figures.guess[rows.indices[k]], figures.sure[rows.indices[k]]
        if g < 0:
            continue
        scratch.known[g], scratch.shared[g], scratch.trust[g] = 1, rows.shared[k], t
        trusted += figures.weight[g] * t
        if t < LINKED:
            continue
        people += 1
        weight += figures.weight[g]
        if rows.inner[rows.indices[k]]:
            scratch.known[g] = 2
            inner += 1
            inner_weight += figures.weight[g]
    return Tally(people, inner, weight, inner_weight, trusted)


@numba.njit(cache=True, nogil=True, inline="always")
def forget(row: int, rows: Rows, figures: Figures, scratch: Scratch) -> None:
    """Wipe out what ``introduce`` noted."""
    for k in range(rows.indptr[row], rows.indptr[row + 1]):
        if figures.guess[rows.indices[k]] >= 0:
            scratch.known[figures.guess[rows.indices[k]]] = 0


@numba.njit(cache=True, nogil=True, inline="always")
def _surest(anchors: Anchors, figures: Figures, row: int, figure: int) -> float:
    best = 0.0
    for k in range(anchors.starts[row], anchors.starts[row + 1]):
        if figures.figure[anchors.rows[k]] == figure and anchors.rows[k] != row:
            best = max(best, anchors.sure[k])
    return best


class Sums(NamedTuple):
    """What adds up over the acquaintances of a figure: how many and how much weight of each kind (see ``COLUMNS``)."""

    both: int
    both_inner: int
    equal: int
    acquaintances: int
    weight: float
    inner_weight: float
    expected: float
    inner_expected: float
    equal_weight: float
    equal_inner: float
    close: float
    hinted: float
    hinted_expected: float
    hinted_equal: float
    visible: float
    together: float


@numba.njit(cache=True, nogil=True, inline="always")
def _should_know(row: int, figure: int, rows: Rows, figures: Figures) -> tuple[float, float]:
    """Return the weight of a row's people with whom the figure has stood elsewhere, visibly or at all."""
    visible, together = 0.0, 0.0
    for k in range(rows.indptr[row], rows.indptr[row + 1]):
        g = figures.person[rows.indices[k]]
        if g >= 0:
            met = meeting(g, figure, rows.subgraph[row], figures.seats)
            visible += figures.weight[g] * (met == VISIBLE)
            together += figures.weight[g] * (met != APART)
    return visible, together


@numba.njit(cache=True, nogil=True, inline="always")
def _add_up(row: int, figure: int, own: bool, rows: Rows, figures: Figures, scratch: Scratch) -> Sums:
    """Go through a figure's acquaintances; ``own`` is whether the row belongs to it."""
    both, both_inner, equal, acquaintances = 0, 0, 0, 0
    weight, inner_weight, expected, inner_expected = 0.0, 0.0, 0.0, 0.0
    equal_weight, equal_inner, close = 0.0, 0.0, 0.0
    hinted, hinted_expected, hinted_equal = 0.0, 0.0, 0.0
    visible, together = 0.0, 0.0
    for k in range(figures.starts[figure], figures.starts[figure + 1]):
        g, shared, t = figures.people[k], figures.most[k], figures.trust[k]
        known, mine = scratch.known[g], scratch.shared[g]
        if own and known > 0:
            if figures.times[k] < 2:
                continue  # known through the row itself and nobody else
            if shared == mine:
                shared = figures.second[k]
            if t == scratch.trust[g]:
                t = figures.next_trust[k]
        there = scratch.row[g]
        worth = figures.weight[g]
        if there >= 0 and there != row:
            hinted_expected += worth * t * figures.sure[there]
            if known > 0:
                hint = worth * t * scratch.trust[g]
                hinted += hint
                if shared == mine:
                    hinted_equal += hint * rows.rarity[mine]
        if t < LINKED:
            continue
        acquaintances += 1
        if there < 0 or there == row or figures.sure[there] < LINKED:
            continue
        expected += worth
        if rows.inner[there]:
            inner_expected += worth
        if known == 0:
            continue
        both += 1
        weight += worth
        met = meeting(g, figure, rows.subgraph[row], figures.seats)
        visible += worth * (met == VISIBLE)
        together += worth * (met != APART)
        close += worth * (min(shared, mine) + 1.0) / (max(shared, mine) + 1.0)
        if shared == mine:
            equal += 1
            equal_weight += worth * rows.rarity[mine]
        if known == 2:
            both_inner += 1
            inner_weight += worth
            if shared == mine:
                equal_inner += rows.rarity[mine]
    return Sums(
        both, both_inner, equal, acquaintances, weight, inner_weight, expected, inner_expected,
        equal_weight, equal_inner, close, hinted, hinted_expected, hinted_equal, visible, together,
    )  # fmt: skip


@numba.njit(cache=True, nogil=True, inline="always")
def weigh(
    row: int, figure: int, tally: Tally, rows: Rows, figures: Figures, anchors: Anchors, scratch: Scratch, line: F32
) -> None:
    """Write the evidence for a row, already introduced, being a figure."""
    own = figures.figure[row] == figure
    sums = _add_up(row, figure, own, rows, figures, scratch)
    degree, inner = rows.degree[row], rows.inner[row]
    largest, inner_degree = figures.degrees[figure, 0], figures.inner_degrees[figure, 0]
    if own and degree == largest:
        largest = figures.degrees[figure, 1]
    if own and inner and degree == inner_degree:
        inner_degree = figures.inner_degrees[figure, 1]
    line[0], line[1], line[2], line[3] = sums.both, sums.weight, sums.both_inner, sums.inner_weight
    line[4], line[5] = sums.weight / max(tally.weight, 1e-9), sums.weight / max(sums.expected, 1e-9)
    line[6], line[7] = (
        sums.inner_weight / max(tally.inner_weight, 1e-9),
        sums.inner_weight / max(sums.inner_expected, 1e-9),
    )
    line[8] = sums.weight / np.sqrt(max(tally.weight * sums.expected, 1e-9))
    line[9] = sums.inner_weight / np.sqrt(max(tally.inner_weight * sums.inner_expected, 1e-9))
    line[10], line[11], line[12], line[13] = tally.people, tally.inner, degree, inner
    line[14], line[15] = figures.rows[figure] - own, figures.inner_rows[figure] - (own and inner)
    line[16] = largest
    line[17] = np.log(degree / inner_degree) if inner_degree > 0 else _NO_DEGREE
    line[18] = sums.acquaintances
    line[19] = figure < figures.weight.size and scratch.row[figure] >= 0 and scratch.row[figure] != row
    line[20] = _surest(anchors, figures, row, figure)
    line[21], line[22] = sums.equal_weight, sums.equal / max(sums.both, 1)
    line[23], line[24] = sums.close / max(sums.weight, 1e-9), sums.equal_inner
    line[25], line[26] = rows.crowd[row], rows.share[row]
    line[27] = (figures.shares[figure] - own * rows.share[row]) / max(figures.rows[figure] - own, 1)
    line[28] = inner_degree
    line[29], line[30] = sums.hinted, sums.hinted / max(tally.trusted, 1e-9)
    line[31] = sums.hinted / max(sums.hinted_expected, 1e-9)
    line[32] = sums.hinted / np.sqrt(max(tally.trusted * sums.hinted_expected, 1e-9))
    line[33], line[34] = sums.hinted_equal, tally.people / max(degree, 1)
    line[35], line[36] = figures.spread[rows.subgraph[row]], figures.spread[-1]
    visible, together = _should_know(row, figure, rows, figures)
    line[37], line[38] = visible, visible - sums.visible
    line[39], line[40] = together, together - sums.together
    line[41], line[42] = sums.inner_expected - sums.inner_weight, sums.expected - sums.weight
    line[43] = 3 * sums.weight - visible - (sums.expected if inner else sums.inner_expected)


@numba.njit(cache=True, nogil=True)
def weigh_pairs(
    span: tuple[int, int], row: I64, figure: I32, rows: Rows, figures: Figures, anchors: Anchors, scratch: Scratch,
    table: F32,
) -> None:  # fmt: skip
    """Write a line for each (row, figure); the rows are of one sub-graph, whose rows span says, and ascend."""
    seat(figures, span[0], span[1], scratch)
    tally = Tally(0, 0, 0.0, 0.0, 0.0)
    for k in range(row.size):
        if k == 0 or row[k] != row[k - 1]:
            if k > 0:
                forget(row[k - 1], rows, figures, scratch)
            tally = introduce(row[k], rows, figures, scratch)
        weigh(row[k], figure[k], tally, rows, figures, anchors, scratch, table[k])
