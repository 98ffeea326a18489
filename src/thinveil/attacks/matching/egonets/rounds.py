"""Rounds: all appearances are named from the names of their contacts, and all names are made anew each time.

In one sub-graph, the evidence for "appearance w is person v" is a sum of log odds over

* *shared* contacts, whose person v knows, each against the chance that v knows such a person anyway;
* contacts *missing* in the auxiliary graph: their person is there, and v does not know him;
* contacts *missing* in the release: v knows somebody who is named in the sub-graph, and w does not;
* the number of contacts, where w is inner.

To look at everybody who knows a named contact would take too long. Contacts known to few come first, as many as a
budget allows; shared ones, those missing there and roughly those missing here are summed for all who know one of them,
and the best dozen is weighed in full.

Of every appearance the best few people are kept. How probable each is, is the smaller of two shares: among the people
of the appearance, and among the appearances of the person; each time with nobody as one more choice.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.attacks.matching.egonets.beliefs import Overlap
from thinveil.graph import Graph
from thinveil.graph.csr import has_edge
from thinveil.runtime.threads import map_threads

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

KEPT = 3
_LOOKED_AT = 12
_RAREST = 12
_BUDGET = 4_000
_FAR_BEHIND = 15.0  # log odds
# log odds of a contact that is missing, and the least of one that is shared
_MISSING = np.float32(2.5)
_LEAST = np.float32(0.5)
COLUMNS = (
    "odds", "probability", "share", "margin", "rivals", "shared", "missing there", "missing here", "named contacts",
    "contacts", "degree", "gap", "inner", "rarest", "trust",
)  # fmt: skip
"""What is known of the best person of each appearance."""


class Known(NamedTuple):
    """The rows of the graph without hidden edges, how many contacts people have with these, and the logs without."""

    indptr: I64
    indices: I32
    degrees: I64
    logs: F32


class Round(NamedTuple):
    """The best person of every appearance (-1: none), how probable, and the ``COLUMNS``."""

    person: I32
    probability: F64
    table: F32


def run_round(
    graph: Graph, degrees: I64, seen: Appearances, person: I32, trust: F64, overlap: Overlap, *, chosen: Bools
) -> Round:  # fmt: skip
    """Name the chosen appearances from the names of others.

    The graph may lack some edges; ``degrees`` are everybody's contacts with all of them.
    """
    null = 0.5 * np.log(graph.node_count)
    logs = np.log(np.maximum(1, graph.degrees)).astype(np.float32)
    known = Known(graph.indptr, graph.indices, degrees, logs)
    parts = map_threads(
        lambda k: _name_subgraph(
            (seen.start[k], seen.start[k + 1]), (seen.indptr, seen.indices), seen.inner,
            known, person, trust, overlap, chosen, seen.rim, null,
        ),
        range(seen.start.size - 1),
    )  # fmt: skip
    best, table = (np.concatenate(one) for one in zip(*parts, strict=True))
    return Round(best, table[:, 1].astype(np.float64), table)


@numba.njit(cache=True, nogil=True)
def _name_subgraph(
    span: tuple[int, int], rows: tuple[I64, I32], inner: Bools, graph: Known, person: I32, trust: F64,
    overlap: Overlap, remade: Bools, rim: bool, null: float,
) -> tuple[I32, F32]:  # fmt: skip
    """Return for each appearance of one sub-graph the best person, and the columns."""
    first, last = span
    people = graph.indptr.size - 1
    owner, hits = np.full(people, -1, dtype=np.int32), np.zeros((2, people), dtype=np.float32)
    for w in range(first, last):
        if person[w] >= 0:
            owner[person[w]] = w
    reach = _count_known(first, last, inner, person, graph)
    mark = np.full(last - first, -1, dtype=np.int32)
    found, odds = np.full((last - first, KEPT), -1, dtype=np.int32), np.zeros((last - first, KEPT))
    table = np.zeros((last - first, 15), dtype=np.float32)
    touched, chosen = np.empty(people, dtype=np.int32), np.empty(_LOOKED_AT, dtype=np.int32)
    for w in range(first, last):
        if not remade[w]:
            continue
        named = _named_contacts(w, rows, person)
        if named.size == 0:
            continue
        for k in range(rows[0][w], rows[0][w + 1]):
            mark[rows[1][k] - first] = w
        root = np.sqrt(rows[0][w + 1] - rows[0][w]) if inner[w] else -1.0
        count = _look_around(named, person, graph, reach[int(rim or inner[w])], hits, touched, chosen, root)
        for c in range(count):
            v = chosen[c]
            counts = _weigh(w, v, named, first, mark, owner, inner, graph, person, trust, overlap, rim)
            degrees = rows[0][w + 1] - rows[0][w], graph.degrees[v]
            total = counts[0] + _weigh_contacts(degrees, inner[w], overlap)
            if _insert(found[w - first], odds[w - first], v, total) == 0:
                line = table[w - first]
                line[5], line[6], line[7] = counts[1], counts[2], counts[3]
                line[8], line[9], line[10] = named.size, degrees[0], degrees[1]
                line[11], line[12] = np.sqrt(degrees[0]) - np.sqrt(degrees[1]), inner[w]
                line[13], line[14] = counts[4], counts[5]
    _share_out(found, odds, table, people, null)
    return found[:, 0].copy(), table


@numba.njit(cache=True, nogil=True)
def _named_contacts(w: int, rows: tuple[I64, I32], person: I32) -> I32:
    """Return the contacts with a name."""
    named, count = np.empty(rows[0][w + 1] - rows[0][w], dtype=np.int32), 0
    for k in range(rows[0][w], rows[0][w + 1]):
        x = rows[1][k]
        if person[x] >= 0:
            named[count] = x
            count += 1
    return named[:count]


@numba.njit(cache=True, nogil=True)
def _count_known(first: int, last: int, inner: Bools, person: I32, graph: Known) -> I32:
    """Return how many named people of the sub-graph everybody knows: those who are inner (0), and all (1)."""
    reach = np.zeros((2, graph.indptr.size - 1), dtype=np.int32)
    for w in range(first, last):
        if person[w] >= 0:
            for e in range(graph.indptr[person[w]], graph.indptr[person[w] + 1]):
                reach[1, graph.indices[e]] += 1
                if inner[w]:
                    reach[0, graph.indices[e]] += 1
    return reach


@numba.njit(cache=True, nogil=True)
def _look_around(
    named: I32, person: I32, graph: Known, reach: I32, hits: F32, touched: I32, chosen: I32, root: float
) -> int:  # fmt: skip
    """Choose people who know those with the fewest contacts among the named; return how many were chosen.

    ``hits`` of a person are log odds that his shared contacts are no chance, and their number; he pays for the named
    people of the sub-graph whom he knows beyond these (``reach``). Where all contacts are seen, ``root`` is the root of
    their number, and who has about as many comes first.
    """
    looked, reached = _sum_hits(named, person, graph, hits, touched)
    whole = np.float32(named.size / max(1, looked))
    for v in touched[:reached]:
        beyond = max(np.float32(0), reach[v] - hits[1, v] * whole)
        hits[0, v] -= _MISSING * (beyond + looked - hits[1, v])
        if root >= 0:
            hits[0, v] -= (root - np.sqrt(graph.degrees[v])) ** 2
    count = 0
    for v in touched[:reached]:
        place = count
        while place > 0 and hits[0, v] > hits[0, chosen[place - 1]]:
            if place < chosen.size:
                chosen[place] = chosen[place - 1]
            place -= 1
        if place < chosen.size:
            chosen[place] = v
            count = min(count + 1, chosen.size)
    while count > 1 and root < 0 and hits[0, chosen[count - 1]] < hits[0, chosen[0]] - _FAR_BEHIND:
        count -= 1
    for v in touched[:reached]:
        hits[:, v] = 0
    return count


@numba.njit(cache=True, nogil=True)
def _sum_hits(named: I32, person: I32, graph: Known, hits: F32, touched: I32) -> tuple[int, int]:
    """Sum up hits by the named with the fewest contacts; return how many these are, and how many people they know."""
    degree = np.empty(named.size, dtype=np.int64)
    for k in range(named.size):
        degree[k] = graph.indptr[person[named[k]] + 1] - graph.indptr[person[named[k]]]
    budget, reached, looked = _BUDGET, 0, 0
    for _ in range(min(_RAREST, named.size)):
        k = int(np.argmin(degree))
        if degree[k] > budget:
            break
        budget -= degree[k]
        looked += 1
        weight = np.float32(np.log(graph.indices.size / max(1, degree[k])))
        degree[k] = 1 << 40
        p = person[named[k]]
        for e in range(graph.indptr[p], graph.indptr[p + 1]):
            v = graph.indices[e]
            if hits[1, v] == 0:
                touched[reached] = v
                reached += 1
            hits[0, v] += max(_LEAST, weight - graph.logs[v])
            hits[1, v] += 1
    return looked, reached


@numba.njit(cache=True, nogil=True)
def _weigh(
    w: int, v: int, named: I32, first: int, mark: I32, owner: I32, inner: Bools, graph: Known,
    person: I32, trust: F64, overlap: Overlap, rim: bool,
) -> tuple[float, int, int, int, float, float]:  # fmt: skip
    """Return the log odds of all contacts; how many are shared, missing there, missing here; the rarest, the trust."""
    total, shared, there, here, rarest, trusted = 0.0, 0, 0, 0, 0.0, 0.0
    chance = (graph.indptr[v + 1] - graph.indptr[v]) / graph.indices.size
    for x in named:
        p = person[x]
        kept = trust[x] * overlap.edges
        if has_edge(graph.indptr, graph.indices, v, p):
            by_chance = min(0.5, chance * (graph.indptr[p + 1] - graph.indptr[p]))
            one = np.log(kept / by_chance + 1 - trust[x])
            total += max(0.05, one)
            rarest, trusted = max(rarest, one), trusted + trust[x]
            shared += 1
        else:
            total += np.log(max(0.05, 1 - kept))
            there += 1
    for e in range(graph.indptr[v], graph.indptr[v + 1]):
        y = owner[graph.indices[e]]
        if y >= 0 and y != w and mark[y - first] != w and (rim or inner[w] or inner[y]):
            total += np.log(max(0.05, 1 - trust[y] * overlap.edges))
            here += 1
    return total, shared, there, here, rarest, trusted / max(1, shared)


@numba.njit(cache=True, nogil=True)
def _weigh_contacts(degrees: tuple[int, int], inner: bool, overlap: Overlap) -> float:
    """Return the log odds of the numbers of contacts; of an outer appearance not all are seen."""
    gap = np.sqrt(degrees[0]) - np.sqrt(degrees[1])
    if not inner and gap < 0:
        return 0.0
    return float(1.0 * inner - gap**2 / (1 - overlap.people * overlap.edges))


@numba.njit(cache=True, nogil=True)
def _insert(found: I32, odds: F64, v: int, total: float) -> int:
    """Keep a person if he is among the best; return his place."""
    place = found.size
    while place > 0 and (found[place - 1] < 0 or odds[place - 1] < total):
        place -= 1
    for k in range(found.size - 1, place, -1):
        found[k], odds[k] = found[k - 1], odds[k - 1]
    if place < found.size:
        found[place], odds[place] = v, total
    return place


@numba.njit(cache=True, nogil=True)
def _share_out(found: I32, odds: F64, table: F32, people: int, null: float) -> None:
    """Write odds, probability, both shares and the margin of the best person of each appearance."""
    top, total = np.full(people, -1e30), np.zeros(people)
    for w in range(found.shape[0]):
        for k in range(KEPT):
            if found[w, k] >= 0:
                top[found[w, k]] = max(top[found[w, k]], odds[w, k])
    for w in range(found.shape[0]):
        for k in range(KEPT):
            if found[w, k] >= 0:
                total[found[w, k]] += np.exp(odds[w, k] - top[found[w, k]])
    for w in range(found.shape[0]):
        v = found[w, 0]
        if v >= 0:
            mine = np.exp(min(50.0, null - odds[w, 0]))
            for k in range(KEPT):
                if found[w, k] >= 0:
                    mine += np.exp(odds[w, k] - odds[w, 0])
            others = total[v] * np.exp(min(50.0, top[v] - odds[w, 0])) + np.exp(min(50.0, null - odds[w, 0]))
            table[w, 0], table[w, 1], table[w, 2] = odds[w, 0], min(1 / mine, 1 / others), 1 / others
            table[w, 3] = odds[w, 0] - odds[w, 1] if found[w, 1] >= 0 else 20.0
            table[w, 4] = np.log(total[v])
