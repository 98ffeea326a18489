"""What links say about other links: two rows that know the same linked people may be one person.

Links have merged rows into *people*; ``person[row]`` is the number of a row's person, -1 where it has none. A row's
*acquaintances* are the people among its neighbours, the rarest first: a person whom few rows know says most. The
*support* of a pair of rows is the weight of the acquaintances they share. Weights are whole numbers, so that sums
do not depend on their order.

Each row looks for partners only among those who know one of its acquaintances, and stops when it has looked at
``reach`` of them: what it costs grows with the rows, not with their square.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.features import Neighbors
from thinveil.pairs import NO_PAIRS, Pairs
from thinveil.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_ROWS_AT_ONCE = 256
_PAIRS_AT_ONCE = 65_536
_UNIT = 1024


@dataclass(frozen=True, eq=False)
class Acquaintances:
    """The merged people among the neighbours of every row, and where those people stand.

    Row r knows ``people[indptr[r] : indptr[r + 1]]``, ascending; person g stands in the rows
    ``rows[starts[g] : starts[g + 1]]``. People are numbered by how many rows know them (``known_by``), fewest first.
    ``weights`` holds what sharing each of them is worth, ``totals`` the sum over each row's acquaintances.
    """

    indptr: I64
    people: I32
    starts: I64
    rows: I64
    known_by: I64
    weights: I64
    totals: I64

    @property
    def counts(self) -> I64:
        """The number of acquaintances of every row."""
        return np.diff(self.indptr)

    @classmethod
    def of(cls, neighbors: Neighbors, person: I32) -> Acquaintances:
        """Find the acquaintances of every row."""
        linked = np.flatnonzero(person >= 0)
        _, group = np.unique(person[linked], return_inverse=True)
        known_by = np.bincount(group, weights=neighbors.counts[linked]).astype(np.int64)
        rank = np.empty(known_by.size, dtype=np.int64)
        rank[np.argsort(known_by, kind="stable")] = np.arange(known_by.size)
        known_by = np.sort(known_by, kind="stable")
        rows = linked[np.argsort(rank[group], kind="stable")]
        starts = np.concatenate(([0], np.cumsum(np.bincount(rank[group], minlength=known_by.size)))).astype(np.int64)
        indptr, people = _acquaintances(neighbors.indptr, neighbors.indices, starts, rows)
        weights = np.rint(_UNIT / np.log2(2.0 + known_by)).astype(np.int64)
        sums = np.concatenate(([0], np.cumsum(weights[people]))).astype(np.int64)
        return cls(indptr, people, starts, rows, known_by, weights, sums[indptr[1:]] - sums[indptr[:-1]])


class Support(NamedTuple):
    """What supports each pair: shared acquaintances, and their weight beside that of all (cosine)."""

    shared: I64
    cosine: F64


def find_partners(
    neighbors: Neighbors, known: Acquaintances, subgraph: I32, degree: I32, *, reach: int = 20_000,
    threads: int | None = None,
) -> Pairs:  # fmt: skip
    """Return the pairs in which one row is among the two best supported partners of the other, with no tie for it."""
    subgraphs = int(subgraph.max(initial=-1)) + 1

    def look(first: int, last: int) -> tuple[I64, I64]:
        best = np.full((3, last - first, subgraphs), -1, dtype=np.int32)
        values = np.zeros(best.shape)
        _best_partners(
            (neighbors.indptr, neighbors.indices), (known.indptr, known.people), (known.starts, known.rows),
            (known.known_by, known.weights, known.totals), (subgraph, degree), (first, reach), best, values,
        )  # fmt: skip
        # the third only says whether there is a tie, in which the order of the rows would decide
        clear = values[:2] > values[2]
        _, rows, _ = np.nonzero(clear)
        return first + rows, best[:2][clear].astype(np.int64)

    parts = map_chunks(look, subgraph.size, chunk=_ROWS_AT_ONCE, threads=threads)
    sides = [np.concatenate([np.empty(0, dtype=np.int64), *column]) for column in zip(*parts, strict=True)]
    return Pairs(*sides).distinct() if sides else NO_PAIRS


def count_support(known: Acquaintances, pairs: Pairs, *, threads: int | None = None) -> Support:
    """Count what the two rows of each pair share."""
    shared, weight = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.int64)

    def count(first: int, last: int) -> None:
        part = slice(first, last)
        _count_shared(
            known.indptr, known.people, known.weights, pairs.left[part], pairs.right[part], shared[part], weight[part]
        )

    map_chunks(count, len(pairs), chunk=_PAIRS_AT_ONCE, threads=threads)
    both = np.sqrt(known.totals[pairs.left].astype(float) * known.totals[pairs.right])
    return Support(shared, weight / np.maximum(both, 1))


@numba.njit(cache=True, nogil=True)
def _acquaintances(indptr: I64, indices: I32, starts: I64, rows: I64) -> tuple[I64, I32]:
    """Return for each row the people among its neighbours; walking by person leaves them sorted."""
    ends = np.zeros(indptr.size, dtype=np.int64)
    for row in rows:
        for k in range(indptr[row], indptr[row + 1]):
            ends[indices[k] + 1] += 1
    for row in range(1, ends.size):
        ends[row] += ends[row - 1]
    cursor = ends.copy()
    people = np.empty(ends[ends.size - 1], dtype=np.int32)
    for person in range(starts.size - 1):
        for m in range(starts[person], starts[person + 1]):
            for k in range(indptr[rows[m]], indptr[rows[m] + 1]):
                people[cursor[indices[k]]] = person
                cursor[indices[k]] += 1
    return ends, people


@numba.njit(cache=True, nogil=True)
def _count_shared(
    indptr: I64, people: I32, weights: I64, left: I64, right: I64, shared: I64, weight: I64
) -> None:  # fmt: skip
    for pair in range(left.size):
        i, j = indptr[left[pair]], indptr[right[pair]]
        while i < indptr[left[pair] + 1] and j < indptr[right[pair] + 1]:
            if people[i] == people[j]:
                shared[pair] += 1
                weight[pair] += weights[people[i]]
                i += 1
                j += 1
            elif people[i] < people[j]:
                i += 1
            else:
                j += 1


@numba.njit(cache=True, nogil=True)
def _best_partners(
    neighbors: tuple[I64, I32], known: tuple[I64, I32], members: tuple[I64, I64], worth: tuple[I64, I64, I64],
    rows: tuple[I32, I32], span: tuple[int, int], best: I32, values: F64,
) -> None:  # fmt: skip
    """Write for each row and other sub-graph the three best supported rows; of equals those nearer in degree."""
    (indptr, indices), (ends, people), (starts, stands) = neighbors, known, members
    known_by, weights, totals = worth
    subgraph, degree = rows
    first, reach = span
    support = np.zeros(subgraph.size, dtype=np.int64)
    touched = np.empty(subgraph.size, dtype=np.int32)
    for x in range(first, first + best.shape[1]):
        count, spent = 0, 0
        for t in range(ends[x], ends[x + 1]):
            person = people[t]
            if spent > 0 and spent + known_by[person] > reach:
                break
            spent += known_by[person]
            for m in range(starts[person], starts[person + 1]):
                if subgraph[stands[m]] == subgraph[x]:
                    continue  # neighbours stand in one sub-graph
                for k in range(indptr[stands[m]], indptr[stands[m] + 1]):
                    y = indices[k]
                    if support[y] == 0:
                        touched[count] = y
                        count += 1
                    support[y] += weights[person]
        for k in range(count):
            y = touched[k]
            # the nearness in degree is far smaller than any difference in support
            near = min(degree[x], degree[y]) / max(degree[x], degree[y])
            value = np.float64(support[y]) * np.float64(support[y]) / np.float64(totals[y]) + 1e-6 * near
            support[y] = 0
            row, other = x - first, subgraph[y]
            for place in range(3):
                if value > values[place, row, other]:
                    value, values[place, row, other] = values[place, row, other], value
                    y, best[place, row, other] = best[place, row, other], y
