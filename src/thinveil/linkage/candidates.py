"""Which figures a row may be: those who know the people that the row knows.

A row walks from the rarest people it knows to everybody who knows them, until it has met its fill of figures. It keeps
the best supported, the best for what they know in all, those with most equal ties, those that it looks like by itself
(anchors), and the one it was last taken for. What it costs grows with the rows, not with their square.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.linkage.evidence import (
    COLUMNS,
    Anchors,
    Scratch,
    forget,
    introduce,
    make_scratch,
    seat,
    weigh,
)
from thinveil.linkage.figures import I32, I64, Figures, Rows
from thinveil.linkage.margins import add_margins

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_REACH, _LEAST_REACH, _MEETINGS = 5_000, 1_000, 200_000_000
_ANCHORS = 3
_MOST, _LEAST, _LINES = 16, 8, 400_000  # candidates of a row, and of all rows about


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
    support = np.zeros((figures.rows.size, 2), dtype=np.float32)
    _find(span, rows, figures, anchors, make_scratch(figures.persons), support, (chosen, counts, lines), _reach(rows))
    place, number = np.nonzero(np.arange(most) < counts[:, None])
    figure = chosen[place, number]
    return Candidates(span[0] + place, figure, add_margins(place, figure, lines[place, number]))


def _reach(rows: Rows) -> int:
    """Return how many figures a row may meet: fewer where rows are many, since then they know many people."""
    return int(np.clip(_MEETINGS / max(1, rows.degree.size), _LEAST_REACH, _REACH))


def _most(rows: Rows) -> int:
    """Return how many candidates a row may have: fewer where rows are many, since links spread there by themselves."""
    return int(np.clip(_LINES / max(1, rows.degree.size), _LEAST, _MOST))


@numba.njit(cache=True, nogil=True, inline="always")
def _keep(best: I32, values: F32, kind: int, figure: int, value: float, least: F32) -> None:
    """Put a figure into its place among the best of a kind, whose last and ``least`` it beats."""
    place = values.shape[1] - 1
    while place > 0 and values[kind, place - 1] < value:
        best[kind, place], values[kind, place] = best[kind, place - 1], values[kind, place - 1]
        place -= 1
    best[kind, place], values[kind, place] = figure, value
    least[kind] = values[kind, -1]


@numba.njit(cache=True, nogil=True, inline="always")
def _meet(known: I32, figures: Figures, rows: Rows, scratch: Scratch, support: F32, met: I32, reach: int) -> int:
    """Add up what supports each figure, from the rarest known person on; return how many figures were met."""
    count, spent = 0, 0
    for g in known:
        size = figures.ends[g + 1] - figures.ends[g]
        if spent > 0 and spent + size > reach:
            break
        spent += size
        worth, mine = np.float32(figures.weight[g] * scratch.trust[g]), scratch.shared[g]
        rarity = np.float32(rows.rarity[mine])
        for k in range(figures.ends[g], figures.ends[g + 1]):
            f = figures.known_to[k]
            met[count] = f
            count += support[f, 0] == 0  # no branch: nobody could foretell it
            held = worth * figures.trust_there[k]
            support[f, 0] += held
            support[f, 1] += held * rarity * (figures.most_there[k] == mine)
    return count


@numba.njit(cache=True, nogil=True)
def _find(
    span: tuple[int, int], rows: Rows, figures: Figures, anchors: Anchors, scratch: Scratch, support: F32,
    out: tuple[I32, I64, F32], reach: int,
) -> None:  # fmt: skip
    chosen, counts, lines = out
    persons = figures.weight.size
    met, known = np.empty(figures.rows.size + 1, dtype=np.int32), np.empty(persons, dtype=np.int32)
    most = chosen.shape[1]
    total, least = figures.total.astype(np.float32), np.zeros(3, dtype=np.float32)
    kept = 3 * most // 8  # of each of three kinds: they often agree
    best, values = np.empty((3, kept), dtype=np.int32), np.empty((3, kept), dtype=np.float32)
    seat(figures, span[0], span[1], scratch)
    for row in range(span[0], span[1]):
        tally = introduce(row, rows, figures, scratch)
        if tally.trusted == 0 and anchors.starts[row] == anchors.starts[row + 1]:
            continue
        many = 0
        for k in range(rows.indptr[row], rows.indptr[row + 1]):
            if figures.guess[rows.indices[k]] >= 0:
                known[many] = figures.guess[rows.indices[k]]
                many += 1
        known[:many].sort()
        count = _meet(known[:many], figures, rows, scratch, support, met, reach)
        for kind in range(3):
            for k in range(kept):
                best[kind, k], values[kind, k] = -1, 0.0
        own, home = figures.figure[row], rows.subgraph[row]
        least[:] = 0
        for k in range(count):
            f = met[k]
            held, equal = support[f, 0], support[f, 1]
            support[f, 0], support[f, 1] = 0.0, 0.0
            # most figures are not among the best: to find that out must cost next to nothing
            by_weight, by_share, by_ties = held > least[0], held * held > least[1] * total[f], equal > least[2]
            if not (by_weight | by_share | by_ties) or f == own or figures.home[f] == home:
                continue
            if by_weight:
                _keep(best, values, 0, f, held, least)
            if by_share:
                _keep(best, values, 1, f, held * held / total[f], least)
            if by_ties:
                _keep(best, values, 2, f, equal, least)
        place, filled = row - span[0], 0
        for k in range(1 + _ANCHORS + 3 * kept):
            if k == 0:
                f = own if own < persons else -1
            elif k <= _ANCHORS:
                a = anchors.starts[row] + k - 1
                f = figures.figure[anchors.rows[a]] if a < anchors.starts[row + 1] else -1
            else:
                f = best[(k - 1 - _ANCHORS) % 3, (k - 1 - _ANCHORS) // 3]
            for other in range(filled):
                if chosen[place, other] == f:
                    f = -1
            if f >= 0 and filled < most:
                chosen[place, filled] = f
                weigh(row, f, tally, rows, figures, anchors, scratch, lines[place, filled])
                filled += 1
        counts[place] = filled
        forget(row, rows, figures, scratch)
