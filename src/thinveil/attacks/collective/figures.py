"""Who may be who: the merged people, the rows that stand alone, and whom each of them knows.

Links have merged rows into *people*: ``person[row]`` is a row's person, -1 where it has none. A *figure* is somebody
with whom a row can be compared: a person, or a row that is nobody yet. The *acquaintances* of a figure are the people
among the neighbours of its rows. With each stand how often they are seen together, and the most common neighbours that
the two have been seen with, also without the row that shows most, and how far the best known of these sightings is to
be trusted (a neighbour may be somebody by a link, or by a guess only, see ``merging``)::

    figure 7 = rows 3, 18, 40        acquaintance   times   most   second
      row 3 knows person 2 (5 shared)      2          2      5       4
      row 18 knows 2 (4), 9 (1)            9          1      1      -1

People are numbered by how many figures know them, the rarest first, figures of one row behind them. What no number
decides, chance does: the order in which a release is written must not matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.merging import Merged
from thinveil.attacks.collective.seats import Seats, list_seats
from thinveil.features import View, kept_neighbors
from thinveil.features.channels.surroundings import INNER, INNER_NEIGHBORS, INNER_NODES

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
Bools = NDArray[np.bool_]

_RAREST = 12.0
_MEETINGS, _LEAST_REACH = 150_000_000, 1_000  # figures met by all rows together, and by one row at least


class Rows(NamedTuple):
    """The rows of a view as the kernels see them.

    ``rarity[n]`` is what n shared neighbours are worth, in bits. ``crowd`` is the number of inner nodes of a row's
    sub-graph, and ``share`` how many of them the row knows.
    """

    indptr: I64
    indices: I32
    shared: I32
    inner: Bools
    degree: I32
    subgraph: I32
    rarity: F64
    crowd: I32
    share: F64

    @classmethod
    def of(cls, view: View) -> Rows:
        """Take from a view what the rounds need."""
        neighbors, inner = kept_neighbors(view), view.channels["surroundings"][:, INNER] > 0
        entries = np.bincount(neighbors.shared, minlength=1) + 1.0
        rarity = np.minimum(np.log2(max(1, neighbors.shared.size) / entries + 1.0), _RAREST)
        standing = view.channels["surroundings"]
        share = standing[:, INNER_NEIGHBORS] / np.maximum(1, standing[:, INNER_NODES])
        return cls(
            neighbors.indptr, neighbors.indices, neighbors.shared, inner, view.degree, view.subgraph, rarity,
            np.ascontiguousarray(standing[:, INNER_NODES], dtype=np.int32), share,
        )  # fmt: skip

    def starts(self) -> I64:
        """Return where the rows of each sub-graph start; the last entry is where they end."""
        subgraphs = int(self.subgraph.max(initial=-1)) + 1
        return np.searchsorted(self.subgraph, np.arange(subgraphs + 1)).astype(np.int64)


class Figures(NamedTuple):
    """All figures of a release at one time.

    Row r stands for person ``guess[r]`` when others know it, as far as ``sure[r]`` says. Figure f knows
    ``people[starts[f] : starts[f + 1]]``, ``times`` often, with at ``most`` and ``second`` most shared neighbours, and
    is to be trusted in it by ``trust`` and, without the best row, by ``next_trust``; person g is known to the figures
    ``known_to[ends[g] : ends[g + 1]]``, with at ``most_there`` shared and ``trust_there``. ``weight`` is what knowing a
    person is worth, ``total`` the sum over a figure's acquaintances. Then how many ``rows`` and ``inner_rows`` a figure
    has, its two largest ``degrees`` and those among inner rows, the sub-graph of a figure that is one row (``home``, -1
    for people), and the sum of its rows' ``shares``. Figure ``persons + k`` is the row ``single[k]``. ``spread`` is the
    share of linked rows in each sub-graph, and behind them in the release; ``seats`` says who stands where, and
    ``reach`` how many figures a row may meet when it looks for its own.
    """

    person: I32
    guess: I32
    sure: F32
    figure: I32
    single: I64
    starts: I64
    people: I32
    times: I32
    most: I32
    second: I32
    trust: F32
    next_trust: F32
    ends: I64
    known_to: I32
    most_there: I32
    trust_there: F32
    weight: F64
    total: F64
    rows: I64
    inner_rows: I64
    degrees: I32
    inner_degrees: I32
    home: I32
    shares: F64
    spread: F64
    seats: Seats
    reach: int

    @property
    def persons(self) -> int:
        """Number of merged people; figures from here on are single rows."""
        return self.weight.size


def list_figures(rows: Rows, merged: Merged, chance: np.random.Generator) -> Figures:
    """List the figures that a merging of rows gives."""
    person, guess, persons = _renumber(rows, merged, chance)
    single = chance.permutation(np.flatnonzero(person < 0))
    figure = person.copy()
    figure[single] = persons + np.arange(single.size, dtype=np.int32)
    count = persons + single.size
    starts, people, times, most, second, trust, next_trust = _list_acquaintances(
        rows, guess, merged.trust, figure, count, persons
    )
    ends, known_to, most_there, trust_there = _turn_round(starts, people, most, trust, persons)
    weight = 1 / np.log2(2.0 + np.diff(ends))
    sums = np.concatenate(([0.0], np.cumsum(weight[people])))
    home = np.full(count, -1, dtype=np.int32)
    home[persons:] = rows.subgraph[single]
    inner = rows.inner
    return Figures(
        person, guess, merged.trust, figure, single, starts, people, times, most, second, trust, next_trust,
        ends, known_to, most_there, trust_there, weight,
        sums[starts[1:]] - sums[starts[:-1]],
        np.bincount(figure, minlength=count),
        np.bincount(figure[inner], minlength=count),
        _two_largest(figure, rows.degree, count),
        _two_largest(figure[inner], rows.degree[inner], count),
        home,
        np.bincount(figure, weights=rows.share, minlength=count).astype(np.float64),
        _spread(rows, person),
        list_seats(person, figure, inner, rows.subgraph, (persons, count)),
        share_out(_meetings(rows, guess, np.diff(ends)), max(_MEETINGS, _LEAST_REACH * guess.size)),
    )  # fmt: skip


def _meetings(rows: Rows, guess: I32, known_to: I64) -> I64:
    """Return how many figures every row would meet: those who know the people that it knows."""
    sizes = np.append(known_to, 0)[guess[rows.indices]]  # nobody, -1, is known to none
    sums = np.concatenate(([0], np.cumsum(sizes)))
    return np.asarray(sums[rows.indptr[1:]] - sums[rows.indptr[:-1]])


def share_out(wanted: I64, total: int) -> int:
    """Return how much each may have, so that those who want less leave it to the others.

    Examples
    --------
    >>> share_out(np.array([10, 90, 20]), 105)
    75
    """
    rising = np.sort(wanted)
    left = total - np.concatenate(([0], np.cumsum(rising)[:-1]))[: wanted.size]
    return int((left / np.arange(wanted.size, 0, -1)).max(initial=0))


def _spread(rows: Rows, person: I32) -> F64:
    """Return the share of linked rows of each sub-graph, and behind them of the release."""
    linked = person >= 0
    there = np.bincount(rows.subgraph, minlength=1)
    return np.append(np.bincount(rows.subgraph[linked], minlength=there.size) / np.maximum(there, 1), linked.mean())


def _renumber(rows: Rows, merged: Merged, chance: np.random.Generator) -> tuple[I32, I32, int]:
    """Give numbers to the people, from the least known on; of equals chance decides."""
    person = merged.person
    linked = np.flatnonzero(person >= 0)
    names, group = np.unique(person[linked], return_inverse=True)
    known_by = np.bincount(group, weights=np.diff(rows.indptr)[linked], minlength=names.size)
    rank = np.empty(names.size, dtype=np.int32)
    rank[np.lexsort((chance.random(names.size), known_by))] = np.arange(names.size, dtype=np.int32)
    numbered = np.full(person.size, -1, dtype=np.int32)
    numbered[linked] = rank[group]
    guess = np.full(person.size, -1, dtype=np.int32)
    guessed = np.flatnonzero(merged.guess >= 0)
    guess[guessed] = rank[np.searchsorted(names, merged.guess[guessed])]
    return numbered, guess, names.size


def _two_largest(figure: I32, degree: I32, count: int) -> I32:
    """Return the largest and the second largest degree of each figure's rows, 0 where there is none."""
    order = np.lexsort((-degree.astype(np.int64), figure))
    owner, falling = figure[order], degree[order]
    first = np.append(True, owner[1:] != owner[:-1])[: owner.size]
    largest = np.zeros((count, 2), dtype=np.int32)
    largest[owner[first], 0] = falling[first]
    later = np.flatnonzero(first)[owner[first] == np.append(owner, -1)[np.flatnonzero(first) + 1]] + 1
    largest[owner[later], 1] = falling[later]
    return largest


@numba.njit(cache=True, nogil=True)
def _group_rows(figure: I32, count: int) -> tuple[I64, I64]:
    """Return where each figure's rows start, and the rows."""
    first = np.zeros(count + 1, dtype=np.int64)
    for row in range(figure.size):
        first[figure[row] + 1] += 1
    for f in range(count):
        first[f + 1] += first[f]
    members, cursor = np.empty(figure.size, dtype=np.int64), first.copy()
    for row in range(figure.size):
        members[cursor[figure[row]]] = row
        cursor[figure[row]] += 1
    return first, members


@numba.njit(cache=True, nogil=True)
def _list_acquaintances(
    rows: Rows, person: I32, sure: F32, figure: I32, count: int, persons: int
) -> tuple[I64, I32, I32, I32, I32, F32, F32]:
    first, members = _group_rows(figure, count)
    seen, place = np.empty(persons, dtype=np.int64), np.empty(persons, dtype=np.int64)
    for g in range(persons):
        seen[g] = -1
    starts = np.zeros(count + 1, dtype=np.int64)
    for f in range(count):
        starts[f + 1] = starts[f]
        for m in range(first[f], first[f + 1]):
            for k in range(rows.indptr[members[m]], rows.indptr[members[m] + 1]):
                g = person[rows.indices[k]]
                if g >= 0 and seen[g] != f:
                    seen[g] = f
                    starts[f + 1] += 1
    people, times = np.empty(starts[count], dtype=np.int32), np.empty(starts[count], dtype=np.int32)
    most, second = np.empty(starts[count], dtype=np.int32), np.empty(starts[count], dtype=np.int32)
    trust, next_trust = np.empty(starts[count], dtype=np.float32), np.empty(starts[count], dtype=np.float32)
    for g in range(persons):
        seen[g] = -1
    for f in range(count):
        end = starts[f]
        for m in range(first[f], first[f + 1]):
            for k in range(rows.indptr[members[m]], rows.indptr[members[m] + 1]):
                g, shared, t = person[rows.indices[k]], rows.shared[k], sure[rows.indices[k]]
                if g < 0:
                    continue
                if seen[g] != f:
                    seen[g], place[g] = f, end
                    people[end], times[end], most[end], second[end] = g, 1, shared, -1
                    trust[end], next_trust[end] = t, 0.0
                    end += 1
                    continue
                p = place[g]
                times[p] += 1
                if t > trust[p]:
                    trust[p], next_trust[p] = t, trust[p]
                elif t > next_trust[p]:
                    next_trust[p] = t
                if shared > most[p]:
                    most[p], second[p] = shared, most[p]
                elif shared > second[p]:
                    second[p] = shared
    return starts, people, times, most, second, trust, next_trust


@numba.njit(cache=True, nogil=True)
def _turn_round(starts: I64, people: I32, most: I32, trust: F32, persons: int) -> tuple[I64, I32, I32, F32]:
    """Return for each person the figures that know it."""
    ends = np.zeros(persons + 1, dtype=np.int64)
    for k in range(people.size):
        ends[people[k] + 1] += 1
    for g in range(persons):
        ends[g + 1] += ends[g]
    cursor = ends.copy()
    known_to, most_there = np.empty(people.size, dtype=np.int32), np.empty(people.size, dtype=np.int32)
    trust_there = np.empty(people.size, dtype=np.float32)
    for f in range(starts.size - 1):
        for k in range(starts[f], starts[f + 1]):
            g = people[k]
            known_to[cursor[g]], most_there[cursor[g]], trust_there[cursor[g]] = f, most[k], trust[k]
            cursor[g] += 1
    return ends, known_to, most_there, trust_there
