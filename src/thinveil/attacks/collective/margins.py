"""How far a candidate leads: among the clusters of its appearance, and among the appearances of its cluster.

A margin is how far a value lies above the best other value of its group, or below the best. Three values are looked
at: the cosine of the linked and guessed contacts, worth more where they are many, the weight of equal ties, and the net
weight of the contacts in common.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.appearances import F32, F64, I64
from thinveil.attacks.collective.columns import Evidence

Ints = NDArray[np.integer]

_MANY = 10.0
_ROUNDING = 1e-6  # must not make the best one the second


def values_of(evidence: F32) -> tuple[F64, F64, F64]:
    """Return the values by which candidates are ranked."""
    cosine, weight, ties, net = (
        evidence[:, column].astype(np.float64)
        for column in (
            Evidence.TRUSTED_COSINE, Evidence.TRUSTED_WEIGHT, Evidence.TRUSTED_EQUAL_TIES, Evidence.NET_WEIGHT
        )
    )  # fmt: skip
    return cosine * np.sqrt(np.minimum(weight, _MANY)), ties, net


def add_margins(appearance: Ints, cluster: Ints, evidence: F32) -> F32:
    """Return the evidence with the columns of ``Lead`` behind it; all appearances are of one sub-graph."""
    margins = [margin(key, value) for value in values_of(evidence) for key in (appearance, cluster)]
    return np.column_stack((evidence, *margins)).astype(np.float32)


def margin(key: Ints, value: F64) -> F64:
    """Return how far each value is before the best other one with its key, or behind the best.

    Examples
    --------
    >>> margin(np.array([1, 1, 2]), np.array([0.9, 0.4, 0.7])).round(1).tolist()
    [0.5, -0.5, 0.7]
    """
    margins: F64 = _margins(np.argsort(key, kind="stable"), key, value)
    return margins


@numba.njit(cache=True, nogil=True)
def _margins(order: I64, key: Ints, value: F64) -> F64:
    """Write the margins, key by key in the given order."""
    out, first = np.empty(value.size), 0
    while first < order.size:
        best, second, last = -np.inf, -np.inf, first
        while last < order.size and key[order[last]] == key[order[first]]:
            v = value[order[last]]
            second = max(second, min(v, best))
            best = max(best, v)
            last += 1
        if last - first == 1:
            second = 0.0
        for k in range(first, last):
            v = value[order[k]]
            out[order[k]] = v - (second if v >= best - _ROUNDING else best)
        first = last
    return out


@dataclass(frozen=True, eq=False)
class Best:
    """The best and the second best value of each key; the second is 0 where there is none."""

    keys: Ints
    first: F64
    second: F64

    @classmethod
    def of(cls, key: Ints, value: F64) -> Best:
        """Find the two best values of each key."""
        order = np.lexsort((-value, key))
        sorted_key, falling = key[order], value[order]
        starts = np.flatnonzero(np.append(True, sorted_key[1:] != sorted_key[:-1])[: order.size])
        more = np.diff(np.append(starts, order.size)) > 1
        second = np.zeros(starts.size)
        second[more] = falling[starts[more] + 1]
        return cls(sorted_key[starts], falling[starts], second)

    def margin(self, key: Ints, value: F64) -> F64:
        """Return how far values lead, among those that were looked at."""
        if not self.keys.size:
            return value.copy()
        place = np.minimum(np.searchsorted(self.keys, key), self.keys.size - 1)
        is_there = self.keys[place] == key
        first, second = np.where(is_there, self.first[place], 0.0), np.where(is_there, self.second[place], 0.0)
        return np.asarray(np.where(value >= first - _ROUNDING, value - second, value - first))
