"""Moments: people who are active within the same minutes, again and again, are often one person.

The time that both graphs cover is cut into short *spans*. A person's moments are the spans in which something happened
to it. A moment of the one is a *hit* if the other has one in the same span or next to it. A hit is worth the more, the
fewer moments the other has and the fewer people are active in that span; a miss speaks against the pair.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.division import Division, seconds_of
from thinveil.graph import EdgeRows, Graph
from thinveil.runtime.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_SHORTEST, _MOST_SPANS = 600.0, 8192  # seconds
_HIT = 0.25  # a moment of one person is one in the other graph so often, beyond chance
_BELIEVED = 0.5  # moments come in bursts: they say less together than one by one
_PEOPLE_AT_ONCE = 64


class Moments(NamedTuple):
    """The moments of person v are ``spans[starts[v] : starts[v + 1]]``, in ascending order.

    ``rare[s]`` is what a hit in span s is worth by its rarity; it is empty where no time is common.
    """

    starts: I64
    spans: I32
    rare: F64

    @classmethod
    def of(cls, graph: Graph, division: Division) -> Moments:
        """Look at when everybody was active."""
        if division.period is None or graph.rows is None:
            return cls(np.zeros(graph.node_count + 1, dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0))
        span, count = _spans_of(graph.rows, division.period)
        inside = (span >= 0) & (span < count)
        ends = np.concatenate((graph.rows.source[inside], graph.rows.target[inside])).astype(np.int64)
        keys = np.unique(ends * count + np.tile(span[inside], 2))
        people = np.bincount(keys % count, minlength=count) + 1.0
        starts = np.searchsorted(keys, np.arange(graph.node_count + 1) * count).astype(np.int64)
        return cls(starts, (keys % count).astype(np.int32), np.log(people.mean() / people))


def _spans_of(rows: EdgeRows, period: tuple[float, float]) -> tuple[I64, int]:
    first, last = period
    width = max(_SHORTEST, (last - first) / _MOST_SPANS)
    return np.floor((seconds_of(rows) - first) / width).astype(np.int64), int((last - first) / width) + 1


def compare_moments(left: Moments, right: Moments, one: I32, two: I32) -> F32:
    """Return for each of some people on the left and each of some on the right what their moments say."""
    told = np.zeros((one.size, two.size), dtype=np.float32)
    if right.rare.size:
        map_chunks(lambda first, last: _compare_all(left, right, one[first:last], two, told[first:last]),
                   one.size, chunk=_PEOPLE_AT_ONCE)  # fmt: skip
    return told


@numba.njit(cache=True, nogil=True)
def _compare_all(left: Moments, right: Moments, one: I32, two: I32, told: F32) -> None:
    for i in range(one.size):
        for j in range(two.size):
            told[i, j] = weigh_moments(left, right, one[i], two[j])


@numba.njit(cache=True, nogil=True)
def weigh_moments(left: Moments, right: Moments, u: int, v: int) -> np.float64:
    """Return the logarithm of how much likelier the moments of u are if v is the same person."""
    first, last = right.starts[v], right.starts[v + 1]
    mine = left.starts[u + 1] - left.starts[u]
    if not mine or first == last:
        return np.float64(0)
    usual = math.log(_HIT) - math.log(min(1.0, 3.0 * (last - first) / right.rare.size))
    hits, worth, j = 0, 0.0, first
    for k in range(left.starts[u], left.starts[u + 1]):
        span = left.spans[k]
        while j < last and right.spans[j] < span - 1:
            j += 1
        if j < last and right.spans[j] <= span + 1:
            hits += 1
            worth += max(0.0, usual + right.rare[span])
    return np.float64(_BELIEVED * (worth + (mine - hits) * math.log(1.0 - _HIT)))
