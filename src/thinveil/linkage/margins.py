"""How far a candidate leads: the best of its row, and the best of its figure in the sub-graph.

A margin is how far a value lies above the best other value of its group, or below the best. Two values are looked at:
the cosine of the linked and guessed contacts, worth more where they are many, and the weight of equal ties.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Ints = NDArray[np.integer]

_MANY = 10.0


def values_of(evidence: F32) -> tuple[F64, F64]:
    """Return the two values that candidates are ranked by."""
    lines = evidence.astype(np.float64)
    return lines[:, 32] * np.sqrt(np.minimum(lines[:, 29], _MANY)), lines[:, 33]


def add_margins(row: Ints, figure: Ints, evidence: F32) -> F32:
    """Return the evidence with four columns more; all rows are of one sub-graph."""
    margins = [margin(key, value) for value in values_of(evidence) for key in (row, figure)]
    return np.column_stack((evidence, *margins)).astype(np.float32)


def margin(key: Ints, value: F64) -> F64:
    """Return how far each value is before the best other one with its key, or behind the best.

    Examples
    --------
    >>> margin(np.array([1, 1, 2]), np.array([0.9, 0.4, 0.7])).round(1).tolist()
    [0.5, -0.5, 0.7]
    """
    return Best.of(key, value).margin(key, value)


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
        # rounding must not make the best one the second
        return np.asarray(np.where(value >= first - 1e-6, value - second, value - first))
