"""Events as evidence for a candidate: what two people do, and what passes between them and their linked contacts.

Sums are told against the mean of their graph, so that a graph of calls and one of messages can be compared. Where a
graph has no direction, everything is sent and got; what not both graphs have stays 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.division import SPREADS, Division, divide, seconds_of
from thinveil.attacks.matching.whole.moments import Moments, weigh_moments
from thinveil.attacks.matching.whole.scan import Linked
from thinveil.features.channels.events import amounts
from thinveil.graph import EdgeRows, Graph
from thinveil.graph.events import sum_entries
from thinveil.runtime.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

COLUMNS = (
    "how active the left one is", "difference in activity", "difference in the share that is sent",
    "difference in weight for each event", "likeness of the hours of the day", "likeness of the days of the week",
    "moments in common", "share of the left one's linked ties that is shared",
    "the same for the right one", "mean difference of shared ties", "likeness of shared ties",
    "mean difference of what is sent on them", "mean difference of their weights",
    "events at the same time on them", "these as a share of the fewer", "share of events on them that are near others",
)  # fmt: skip
_HOURS, _DAYS = 24, 7
_HOUR, _DAY = 3_600.0, 86_400.0
_NEAR = 600.0
_LINES_AT_ONCE = 16_384
_FEWEST_TIES = 30  # shared ties from which to tell whether two graphs show the same events
_SAME = 0.5


class Activity(NamedTuple):
    """What passes in a graph.

    ``ties`` holds for each entry the logarithms of its number of events and of their weight, which share of them the
    node sent, and the weight for each event; ``people`` the same for each person. ``rhythm`` says at which hours and on
    which days its events are. ``times[starts[e] : starts[e + 1]]`` are the times of the events of entry e, in ascending
    order.
    """

    ties: F32
    people: F32
    rhythm: F32
    moments: Moments
    starts: I64
    times: F64

    @classmethod
    def of(cls, graph: Graph, division: Division) -> Activity:
        """Look at the events of a graph."""
        assert graph.rows is not None
        rows, owner = graph.rows, np.repeat(np.arange(graph.node_count), graph.degrees)
        sums = np.stack([_sums(graph, rows, kind, division) for kind in ("contacts", "weight")])  # kind, way, entry
        totals = np.array([[np.bincount(owner, way, minlength=graph.node_count) for way in kind] for kind in sums])
        return cls(
            _told(sums), _told(totals.astype(np.float64)), _rhythm(graph, rows, division),
            Moments.of(graph, division), *_times(graph, rows, division),
        )  # fmt: skip


def _sums(graph: Graph, rows: EdgeRows, kind: str, division: Division) -> F64:
    """Return for each entry what was sent, and what passed at all."""
    if kind == "weight" and "weight" not in division.columns:
        return np.zeros((2, graph.indices.size))
    whole = sum_entries(graph, rows, *amounts(rows, kind))
    if "direction" not in division.columns:
        return np.stack((whole, whole))
    return np.stack((sum_entries(graph, rows, *amounts(rows, f"{kind}-out")), whole))


def _told(sums: F64) -> F32:
    """Return the logarithm of the number of events and of their weight, the share sent, and the weight for each."""
    (sent, events), (_, weight) = sums
    each = np.log1p(weight / np.maximum(events, 1))
    told = [_against_mean(events), _against_mean(weight), sent / np.maximum(events, 1), each - each.mean()]
    return np.ascontiguousarray(np.stack(told, axis=1), dtype=np.float32)


def _against_mean(sums: F64) -> F64:
    return np.asarray(np.log1p(sums / max(float(sums.mean()) if sums.size else 0.0, 1e-9)))


def _rhythm(graph: Graph, rows: EdgeRows, division: Division) -> F32:
    """Return how many events everybody has at each hour of the day, and on each day of the week."""
    shape = graph.node_count, _HOURS + _DAYS
    if "time" not in division.columns:
        return np.zeros(shape, dtype=np.float32)
    times = seconds_of(rows)
    bins = (times // _HOUR % _HOURS).astype(np.int64), _HOURS + (times // _DAY % _DAYS).astype(np.int64)
    keys = [end.astype(np.int64) * shape[1] + mine for mine in bins for end in (rows.source, rows.target)]
    return np.bincount(np.concatenate(keys), minlength=shape[0] * shape[1]).reshape(shape).astype(np.float32)


def _times(graph: Graph, rows: EdgeRows, division: Division) -> tuple[I64, F64]:
    if division.period is None:
        return np.zeros(graph.indices.size + 1, dtype=np.int64), np.empty(0)
    keys = np.repeat(np.arange(graph.node_count), graph.degrees) * graph.node_count + graph.indices
    ends = np.concatenate((rows.source, rows.target)), np.concatenate((rows.target, rows.source))
    entry = np.searchsorted(keys, ends[0].astype(np.int64) * graph.node_count + ends[1])
    times = np.tile(seconds_of(rows), 2)
    order = np.lexsort((times, entry))
    return np.searchsorted(entry[order], np.arange(graph.indices.size + 1)).astype(np.int64), times[order]


def portray(graph: Graph, nodes: I32, division: Division) -> F64:
    """Return for the start what people do: how much, which share they sent, of which weight, and at which hours."""
    told = Activity.of(graph, division)
    rhythm = told.rhythm[nodes].astype(np.float64)
    hours = rhythm[:, :_HOURS].reshape(nodes.size, -1, 3).sum(axis=2)
    shares = [np.sqrt((part + 1) / (part.sum(axis=1, keepdims=True) + part.shape[1]))
              for part in (hours, rhythm[:, _HOURS:])]  # fmt: skip
    parts = [told.people[nodes].astype(np.float64)]
    if "time" in division.columns:
        parts += [part[:, 1:] for part in shares]  # the first follows from the others
    used = np.hstack(parts)
    return np.asarray(used[:, _told_columns(division, used.shape[1])])


def _told_columns(division: Division, width: int) -> NDArray[np.bool_]:
    told = np.ones(width, dtype=bool)
    told[[1, 3]] = "weight" in division.columns
    told[2] = "direction" in division.columns
    return told


class Pair(NamedTuple):
    """Two graphs with their activity."""

    left: Graph
    right: Graph
    left_activity: Activity
    right_activity: Activity

    @classmethod
    def of(cls, left: Graph, right: Graph, division: Division | None) -> Pair | None:
        """Look at the events of both; None where there are none to compare."""
        if division is None:
            return None
        return cls(left, right, Activity.of(left, division), Activity.of(right, division))

    def describe(self, left: I32, right: I32, linked: Linked) -> F32:
        """Return a line of numbers for each candidate."""
        table = np.zeros((left.size, len(COLUMNS)), dtype=np.float32)
        back = np.zeros(self.right.node_count, dtype=np.bool_)
        back[linked.other[linked.other >= 0]] = True
        rows = self.left.indptr, self.left.indices, self.right.indptr, self.right.indices

        def work(first: int, last: int) -> None:
            mine = slice(first, last)
            compare_people(left[mine], right[mine], self.left_activity, self.right_activity, table[mine])
            compare_ties(
                left[mine], right[mine], *rows, self.left_activity, self.right_activity, linked.other, back, table[mine]
            )

        map_chunks(work, left.size, chunk=_LINES_AT_ONCE)
        return table


@numba.njit(cache=True, nogil=True)
def compare_people(left: I32, right: I32, one: Activity, two: Activity, table: F32) -> None:
    """Write what two people do by themselves."""
    for k in range(left.size):
        u, v, line = left[k], right[k], table[k]
        line[0], line[1] = one.people[u, 0], one.people[u, 0] - two.people[v, 0]
        line[2] = abs(one.people[u, 2] - two.people[v, 2])
        line[3] = abs(one.people[u, 3] - two.people[v, 3])
        line[4] = _cosine(one.rhythm[u, :_HOURS], two.rhythm[v, :_HOURS])
        line[5] = _cosine(one.rhythm[u, _HOURS:], two.rhythm[v, _HOURS:])
        line[6] = weigh_moments(one.moments, two.moments, u, v) if two.moments.rare.size else 0.0


@numba.njit(cache=True, nogil=True)
def _cosine(one: F32, two: F32) -> float:
    product, first, second = 0.0, 0.0, 0.0
    for k in range(one.size):
        product += one[k] * two[k]
        first += one[k] * one[k]
        second += two[k] * two[k]
    return product / math.sqrt(max(first * second, 1e-9))


@numba.njit(cache=True, nogil=True)
def compare_ties(
    left: I32, right: I32, indptr: I64, indices: I32, right_indptr: I64, right_indices: I32, one: Activity,
    two: Activity, other: I32, is_linked: NDArray[np.bool_], table: F32,
) -> None:  # fmt: skip
    """Write how alike the ties with linked contacts are that both have, and how much of all such ties these are."""
    for k in range(left.size):
        u, v, line = left[k], right[k], table[k]
        mine = theirs = both_mine = both_theirs = product = first = second = 0.0
        shared = same = fewer = near = events = 0
        for f in range(right_indptr[v], right_indptr[v + 1]):
            theirs += two.ties[f, 0] * is_linked[right_indices[f]]
        for e in range(indptr[u], indptr[u + 1]):
            y = other[indices[e]]
            if y < 0:
                continue
            mine += one.ties[e, 0]
            f = _find(right_indptr, right_indices, v, y)
            if f < 0:
                continue
            x, z = one.ties[e, 0], two.ties[f, 0]
            both_mine, both_theirs, shared = both_mine + x, both_theirs + z, shared + 1
            product, first, second = product + x * z, first + x * x, second + z * z
            line[9] += abs(x - z)
            line[11] += abs(one.ties[e, 2] - two.ties[f, 2])
            line[12] += abs(one.ties[e, 1] - two.ties[f, 1])
            ours, others = one.times[one.starts[e] : one.starts[e + 1]], two.times[two.starts[f] : two.starts[f + 1]]
            same, near = same + count_equal(ours, others), near + count_near(ours, others)
            fewer, events = fewer + min(ours.size, others.size), events + ours.size
        line[7], line[8] = both_mine / max(mine, 1e-9), both_theirs / max(theirs, 1e-9)
        line[9], line[11], line[12] = line[9] / max(shared, 1), line[11] / max(shared, 1), line[12] / max(shared, 1)
        line[10] = product / math.sqrt(max(first * second, 1e-9))
        line[13], line[14], line[15] = same, same / max(fewer, 1), near / max(events, 1)


@numba.njit(cache=True, nogil=True)
def _find(indptr: I64, indices: I32, node: int, neighbor: int) -> int:
    """Return where a neighbour stands in the sorted row of a node, -1 if it is none."""
    low, high = indptr[node], indptr[node + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < neighbor:
            low = middle + 1
        else:
            high = middle
    return low if low < indptr[node + 1] and indices[low] == neighbor else -1


@numba.njit(cache=True, nogil=True)
def count_equal(one: F64, two: F64) -> int:
    """Return how many times two ascending lists have in common, each as often as both have it."""
    i = j = count = 0
    while i < one.size and j < two.size:
        if one[i] == two[j]:
            i, j, count = i + 1, j + 1, count + 1
        elif one[i] < two[j]:
            i += 1
        else:
            j += 1
    return count


@numba.njit(cache=True, nogil=True)
def count_near(one: F64, two: F64) -> int:
    """Return how many times of the first of two ascending lists have one of the other within ten minutes."""
    j = count = 0
    for i in range(one.size):
        while j < two.size and two[j] < one[i] - _NEAR:
            j += 1
        count += j < two.size and two[j] <= one[i] + _NEAR
    return count


def estimate_division(left: Graph, right: Graph, linked: Linked, division: Division | None) -> Division | None:
    """Tell from the ties between linked people whether two graphs show the same events, or how much they differ."""
    if division is None or division.is_by_time:
        return division
    mine, theirs = _shared_ties(left, right, linked)
    if mine.size < _FEWEST_TIES:
        return division
    several = np.maximum(mine, theirs) > 1
    if several.any() and np.mean(mine[several] == theirs[several]) > _SAME:
        return division._replace(spread=0.0)
    found = _differ(mine, theirs)
    made = [abs(found - _differ(*_played_ties(left, division._replace(spread=spread)))) for spread in SPREADS]
    return division._replace(spread=SPREADS[int(np.argmin(made))])


def _shared_ties(left: Graph, right: Graph, linked: Linked) -> tuple[F64, F64]:
    """Return the numbers of events of edges between linked people that both graphs have."""
    counts = [_edge_counts(graph) for graph in (left, right)]
    (mine, source, target), (theirs, first, second) = counts
    ends = linked.other[source].astype(np.int64), linked.other[target].astype(np.int64)
    is_linked = (ends[0] >= 0) & (ends[1] >= 0)
    wanted = np.minimum(*ends) * right.node_count + np.maximum(*ends)
    keys = first.astype(np.int64) * right.node_count + second
    place = np.minimum(np.searchsorted(keys, wanted), max(keys.size - 1, 0))
    found = is_linked & (keys[place] == wanted)
    return mine[found], theirs[place[found]]


def _edge_counts(graph: Graph) -> tuple[F64, I64, I64]:
    """Return the number of events of every edge, and its ends, the smaller first, in ascending order."""
    assert graph.rows is not None
    ones = np.ones(graph.rows.source.size)
    sums = sum_entries(graph, graph.rows, ones, ones)
    owner = np.repeat(np.arange(graph.node_count), graph.degrees)
    once = owner < graph.indices
    return sums[once], owner[once], graph.indices[once].astype(np.int64)


def _played_ties(graph: Graph, division: Division) -> tuple[F64, F64]:
    # a fixed lot: it decides nothing but a rough estimate
    first, second = (_edge_counts(half)[0] for half in divide(graph, division, np.random.default_rng(0)))
    return first, second


def _differ(mine: F64, theirs: F64) -> float:
    return float(np.mean(np.abs(_against_mean(mine) - _against_mean(theirs))))
