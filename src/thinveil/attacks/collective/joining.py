"""From accepted candidates to who is who: rows join figures, the surest first, and the others are at least guessed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.figures import F64, I32, I64, Figures, Rows
from thinveil.attacks.collective.margins import margin
from thinveil.attacks.collective.merging import LINKED, Merged, merge
from thinveil.features.pairs import Pairs

_MOST_TRUST = LINKED - np.float32(0.01)


def join(row: I64, figure: I64, sure: F64, rows: Rows, figures: Figures, threshold: float) -> Merged:
    """Join rows and figures that are sure enough; take rows that are left for the likeliest figure's person."""
    linked = sure >= threshold
    merged = merge_figures(row[linked], figure[linked], sure[linked], rows, figures)
    return add_guesses(merged, row, figure, sure, rows, figures)


def merge_figures(row: I64, figure: I64, sure: F64, rows: Rows, figures: Figures) -> Merged:
    """Merge rows with figures, the surest first; nobody stands twice in a sub-graph.

    A merged person is there as a row of its own in a sub-graph of its own: rows may leave it, and it may join another.
    One of a couple that stays takes the other along, who is all that it was compared with.
    """
    count, persons = rows.subgraph.size, figures.persons
    is_person = figure < persons
    target = np.where(is_person, count + figure, 0)
    target[~is_person] = figures.single[figure[~is_person] - persons]
    mate = _mates(figures)[row]
    takes = (figure == figures.figure[row]) & (mate >= 0)
    row, target, sure = np.append(row, mate[takes]), np.append(target, target[takes]), np.append(sure, sure[takes])
    extra = int(rows.subgraph.max(initial=-1)) + 1 + np.arange(persons, dtype=np.int32)
    order = np.argsort(-sure, kind="stable")
    links, sure = Pairs(row[order], target[order]), sure[order]
    merged, kept = merge(links, sure, np.append(rows.subgraph, extra).astype(np.int32))
    person = merged[:count].copy()
    sizes = np.bincount(person[person >= 0], minlength=1)
    person[(person >= 0) & (sizes[np.maximum(person, 0)] < 2)] = -1
    person[person >= 0] = np.unique(person[person >= 0], return_inverse=True)[1]  # no gaps in the numbers
    return Merged.along(person, Pairs(links.left[kept], links.right[kept]), sure[kept])


def _mates(figures: Figures) -> I64:
    """Return the other row of each row that is one of a couple, -1 for all others."""
    mates = np.full(figures.figure.size, -1, dtype=np.int64)
    couples = np.flatnonzero(figures.rows[figures.figure] == 2)
    order = couples[np.argsort(figures.figure[couples], kind="stable")]
    mates[order[::2]], mates[order[1::2]] = order[1::2], order[::2]
    return mates


def add_guesses(merged: Merged, row: I64, figure: I64, sure: F64, rows: Rows, figures: Figures) -> Merged:
    """Take rows without a person for the person that their surest figure has become, unless it stands there already."""
    person, wanted = merged.person, _become(merged.person, figures)[figure]
    seats = rows.subgraph.astype(np.int64) << 32
    taken = np.unique(seats[person >= 0] | person[person >= 0])
    is_open = (person[row] < 0) & (wanted >= 0) & ~np.isin(seats[row] | wanted, taken)
    row, wanted, sure = row[is_open], wanted[is_open], sure[is_open]
    best = (margin(row, sure) > 0) & (margin(seats[row] | wanted, sure) > 0)  # of equals none: no order decides
    guess, trust = merged.guess.copy(), merged.trust.copy()
    guess[row[best]], trust[row[best]] = wanted[best], np.minimum(sure[best], _MOST_TRUST)
    return Merged(person, guess, trust)


def _become(person: I32, figures: Figures) -> NDArray[np.int32]:
    """Return the person of most rows of each figure, -1 where they have none, or as many of another."""
    linked = np.flatnonzero(person >= 0)
    keys, counts = np.unique(figures.figure[linked].astype(np.int64) << 32 | person[linked], return_counts=True)
    owner, now = keys >> 32, np.full(figures.rows.size, -1, dtype=np.int32)
    most = margin(owner, counts.astype(np.float64)) > 0
    now[owner[most]] = (keys[most] & 0xFFFFFFFF).astype(np.int32)
    return now
