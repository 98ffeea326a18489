"""How much of a person's degree is left in another sub-graph: it tells whom to compare."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thinveil.features import Labels, View
from thinveil.features.pairs import Pairs

_LEVELS = (0.005, 0.5, 0.995)
_LARGEST = 2.0**31  # no degree is above that


class Ratios(NamedTuple):
    """Degree of a person in one sub-graph over that in another: what is seldom undercut, usual, seldom exceeded.

    Of a ``1,2-hop`` pair it is the degree two hops from the ego over that within one hop.
    """

    low: float
    usual: float
    high: float

    @classmethod
    def of(cls, category: str, view: View, labels: Labels, identical: Pairs) -> Ratios:
        """Learn the ratios from pairs of one person."""
        left, right = identical.left, identical.right
        if category == "1,2-hop":
            left, right = np.where(labels.is_far[left], left, right), np.where(labels.is_far[left], right, left)
        else:  # neither comes first
            left, right = np.append(left, right), np.append(right, left)
        return cls(*map(float, np.quantile(view.degree[left] / view.degree[right], _LEVELS)))

    @classmethod
    def read(cls, values: object) -> Ratios:
        """Make ratios from plain values, or raise a ValueError."""
        low, usual, high = map(float, values)  # type: ignore[call-overload]
        if not 1 / _LARGEST <= low <= usual <= high <= _LARGEST:
            raise ValueError("degree ratios out of order, or beyond those of any two degrees")
        return cls(low, usual, high)

    def inverted(self) -> Ratios:
        """Return the ratios of the second degree over the first."""
        return Ratios(1 / self.high, 1 / self.usual, 1 / self.low)
