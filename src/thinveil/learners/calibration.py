"""From log odds to probabilities that hold: how sure a model may be of pairs that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]

_STEPS = 50
_LARGEST = 1e6  # no log odds are further from zero


@dataclass(frozen=True)
class Calibration:
    """Turns log odds into a probability under even odds: sigmoid(shift + slope * odds)."""

    shift: float = 0.0
    slope: float = 1.0

    @classmethod
    def fit(cls, odds: F64, right: NDArray[np.bool_]) -> Calibration:
        """Fit by Newton's steps; both kinds of pairs weigh the same, whatever their numbers."""
        weight = np.where(right, 0.5 / max(1, right.sum()), 0.5 / max(1, (~right).sum()))
        terms = np.column_stack((np.ones(odds.size), np.clip(odds, -20, 20)))
        answer = np.array([0.0, 1.0])
        for _ in range(_STEPS):
            sure = 1 / (1 + np.exp(-terms @ answer))
            # a little shrinkage towards the model's own odds keeps separable pairs finite
            slope = terms.T @ (weight * (right - sure)) - 1e-3 * (answer - [0.0, 1.0])
            curve = (terms * (weight * sure * (1 - sure))[:, None]).T @ terms + 1e-3 * np.eye(2)
            step = np.linalg.solve(curve, slope)
            answer = answer + np.clip(step, -1, 1)
            if np.abs(step).max() < 1e-9:
                break
        return cls(float(answer[0]), max(float(answer[1]), 1e-3))

    @classmethod
    def read(cls, values: object) -> Calibration:
        """Make a calibration from plain values, or raise a ValueError."""
        shift, slope = map(float, values)  # type: ignore[call-overload]
        if not (abs(shift) <= _LARGEST and 0 < slope <= _LARGEST):
            raise ValueError("a calibration that is no number, or absurdly large")
        return cls(shift, slope)

    def apply(self, odds: F64) -> F64:
        """Return probabilities."""
        with np.errstate(over="ignore"):  # to a probability of 0
            return np.asarray(1 / (1 + np.exp(-(self.shift + self.slope * odds))))
