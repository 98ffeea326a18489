"""Who may be who: the merged people, the rows that stand alone, and whom each of them knows.

Links have merged rows into *people*: ``person[row]`` is a row's person, -1 where it has none. A *figure* is somebody
with whom a row can be compared: a person of three rows or more, or a single row. (Of a couple of rows either is a
figure, or each would be compared with what it is itself.) The *acquaintances* of a figure are the people among the
neighbours of its rows. With each stand how often they are seen together, and the most common neighbours that the two
have been seen with, also without the row that shows most::

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

from thinveil.features import View, kept_neighbors
from thinveil.features.surroundings import INNER

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

_RAREST = 12.0


class Rows(NamedTuple):
    """The rows of a view as the kernels see them; ``rarity[n]`` is what n shared neighbours are worth, in bits."""

    indptr: I64
    indices: I32
    shared: I32
    inner: Bools
    degree: I32
    subgraph: I32
    rarity: F64

    @classmethod
    def of(cls, view: View) -> Rows:
        """Take from a view what the rounds need."""
        neighbors, inner = kept_neighbors(view), view.channels["surroundings"][:, INNER] > 0
        entries = np.bincount(neighbors.shared, minlength=1) + 1.0
        rarity = np.minimum(np.log2(max(1, neighbors.shared.size) / entries + 1.0), _RAREST)
        return cls(neighbors.indptr, neighbors.indices, neighbors.shared, inner, view.degree, view.subgraph, rarity)

    def starts(self) -> I64:
        """Return where the rows of each sub-graph start; the last entry is where they end."""
        subgraphs = int(self.subgraph.max(initial=-1)) + 1
        return np.searchsorted(self.subgraph, np.arange(subgraphs + 1)).astype(np.int64)


class Figures(NamedTuple):
    """All figures of a release at one time.

    Figure f knows ``people[starts[f] : starts[f + 1]]``, ``times`` often, with at ``most`` and ``second`` most shared
    neighbours; person g is known to the figures ``known_to[ends[g] : ends[g + 1]]``, with at ``most_there`` shared.
    ``weight`` is what knowing a person is worth, ``total`` the sum over a figure's acquaintances. Then how many
    ``rows`` and ``inner_rows`` a figure has, its two largest ``degrees`` and those among inner rows, and the sub-graph
    of a figure that is one row (``home``, -1 for people). Figure ``persons + k`` is the row ``single[k]``.
    """

    person: I32
    figure: I32
    single: I64
    starts: I64
    people: I32
    times: I32
    most: I32
    second: I32
    ends: I64
    known_to: I32
    most_there: I32
    weight: F64
    total: F64
    rows: I64
    inner_rows: I64
    degrees: I32
    inner_degrees: I32
    home: I32

    @property
    def persons(self) -> int:
        """Number of merged people; figures from here on are single rows."""
        return self.weight.size


def list_figures(rows: Rows, person: I32, chance: np.random.Generator) -> Figures:
    """List the figures that a merging of rows gives."""
    person, persons = _renumber(rows, person, chance)
    sizes = np.bincount(person[person >= 0], minlength=persons)
    is_single = (person < 0) | (sizes[np.maximum(person, 0)] < 3) if persons else np.ones(person.size, dtype=bool)
    single = chance.permutation(np.flatnonzero(is_single))
    figure = person.copy()
    figure[single] = persons + np.arange(single.size, dtype=np.int32)
    count = persons + single.size
    starts, people, times, most, second = _list_acquaintances(rows, person, figure, count, persons)
    ends, known_to, most_there = _turn_round(starts, people, most, persons)
    weight = 1 / np.log2(2.0 + np.diff(ends))
    sums = np.concatenate(([0.0], np.cumsum(weight[people])))
    home = np.full(count, -1, dtype=np.int32)
    home[persons:] = rows.subgraph[single]
    inner = rows.inner
    return Figures(
        person, figure, single, starts, people, times, most, second, ends, known_to, most_there, weight,
        sums[starts[1:]] - sums[starts[:-1]],
        np.bincount(figure, minlength=count),
        np.bincount(figure[inner], minlength=count),
        _two_largest(figure, rows.degree, count),
        _two_largest(figure[inner], rows.degree[inner], count),
        home,
    )  # fmt: skip


def _renumber(rows: Rows, person: I32, chance: np.random.Generator) -> tuple[I32, int]:
    """Give numbers to the people, from the least known on; of equals chance decides."""
    linked = np.flatnonzero(person >= 0)
    names, group = np.unique(person[linked], return_inverse=True)
    known_by = np.bincount(group, weights=np.diff(rows.indptr)[linked], minlength=names.size)
    rank = np.empty(names.size, dtype=np.int32)
    rank[np.lexsort((chance.random(names.size), known_by))] = np.arange(names.size, dtype=np.int32)
    numbered = np.full(person.size, -1, dtype=np.int32)
    numbered[linked] = rank[group]
    return numbered, names.size


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
    rows: Rows, person: I32, figure: I32, count: int, persons: int
) -> tuple[I64, I32, I32, I32, I32]:
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
    for g in range(persons):
        seen[g] = -1
    for f in range(count):
        end = starts[f]
        for m in range(first[f], first[f + 1]):
            for k in range(rows.indptr[members[m]], rows.indptr[members[m] + 1]):
                g, shared = person[rows.indices[k]], rows.shared[k]
                if g < 0:
                    continue
                if seen[g] != f:
                    seen[g], place[g] = f, end
                    people[end], times[end], most[end], second[end] = g, 1, shared, -1
                    end += 1
                    continue
                p = place[g]
                times[p] += 1
                if shared > most[p]:
                    most[p], second[p] = shared, most[p]
                elif shared > second[p]:
                    second[p] = shared
    return starts, people, times, most, second


@numba.njit(cache=True, nogil=True)
def _turn_round(starts: I64, people: I32, most: I32, persons: int) -> tuple[I64, I32, I32]:
    """Return for each person the figures that know it."""
    ends = np.zeros(persons + 1, dtype=np.int64)
    for k in range(people.size):
        ends[people[k] + 1] += 1
    for g in range(persons):
        ends[g + 1] += ends[g]
    cursor = ends.copy()
    known_to, most_there = np.empty(people.size, dtype=np.int32), np.empty(people.size, dtype=np.int32)
    for f in range(starts.size - 1):
        for k in range(starts[f], starts[f + 1]):
            g = people[k]
            known_to[cursor[g]], most_there[cursor[g]] = f, most[k]
            cursor[g] += 1
    return ends, known_to, most_there
