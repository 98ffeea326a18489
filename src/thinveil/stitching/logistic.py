"""Logistic regression with squares and products of all columns: smooth, sure of itself only where the data are.

Fitted by Newton's steps with a little shrinkage, in full and in a fixed order: the same data, the same model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

F64 = NDArray[np.float64]

_MOST_STEPS = 30
_MOST_HALVINGS = 20
_LEAST_GAIN = 1e-4
_LINES_AT_ONCE = 20_000
_EDGE = 30.0


@dataclass(frozen=True, eq=False)
class Logistic:
    """A fitted model: columns are centred and scaled, then multiplied out and weighted."""

    center: F64
    scale: F64
    weights: F64

    @classmethod
    def fit(cls, table: F64, right: NDArray[np.bool_], *, worth: F64 | None = None, shrink: float = 1.0) -> Logistic:
        """Fit to lines of which both kinds must occur; ``worth`` says for how many lines each stands.

        Examples
        --------
        >>> table = np.arange(100.0)[:, None]
        >>> model = Logistic.fit(table, table[:, 0] > 70)
        >>> model.predict(np.array([[10.0], [95.0]])).round(1).tolist()
        [0.0, 1.0]
        """
        worth = np.ones(len(table)) if worth is None else worth
        share = float(worth[right].sum() / worth.sum())
        center, scale = table.mean(axis=0), table.std(axis=0)
        blank = cls(center, np.where(scale > 0, scale, 1.0), np.empty(0))
        lines = blank._expand(table)
        penalty = np.full(lines.shape[1], shrink)
        penalty[0] = 0.0
        weights = np.zeros(penalty.size)
        weights[0] = np.log(share / (1 - share))
        # products this small take longer on several threads than on one, and far longer on a busy machine
        with threadpool_limits(1, user_api="blas"):
            for _ in range(_MOST_STEPS):
                step, gain = _newton_step(lines, right, worth, weights, penalty)
                weights = _climb(lines, right, worth, weights, penalty, step)
                if gain < _LEAST_GAIN:
                    break
        return cls(blank.center, blank.scale, weights)

    def predict(self, table: F64) -> F64:
        """Return the probability of each line."""
        parts = [self._expand(table[k : k + _LINES_AT_ONCE]) @ self.weights for k in _starts(table)]
        return _sigmoid(np.concatenate([np.empty(0), *parts]))

    def _expand(self, table: F64) -> F64:
        """Return a column of ones, the columns, and all their products."""
        lines = (table - self.center) / self.scale
        i, j = np.triu_indices(lines.shape[1])
        # far from what it has seen the model says what it would say at the border
        return np.hstack((np.ones((len(lines), 1)), lines, np.clip(lines[:, i] * lines[:, j], -_EDGE, _EDGE)))


def _newton_step(lines: F64, right: NDArray[np.bool_], worth: F64, weights: F64, penalty: F64) -> tuple[F64, float]:
    """Return the step to the top of the parabola that fits here, and how much higher that is (log-likelihood)."""
    sure = _sigmoid(lines @ weights)
    slope = lines.T @ (worth * (right - sure)) - penalty * weights
    curve = (lines * (worth * sure * (1 - sure))[:, None]).T @ lines + np.diag(penalty + 1e-9)
    step = np.linalg.solve(curve, slope).astype(np.float64)
    return step, float(slope @ step) / 2


def _climb(lines: F64, right: NDArray[np.bool_], worth: F64, weights: F64, penalty: F64, step: F64) -> F64:
    """Go along the step, or as much of it as leads upward: far from the top the parabola may miss it."""

    def height(at: F64) -> float:
        odds = lines @ at
        return float(worth @ (right * odds - np.logaddexp(0, odds)) - penalty @ at**2 / 2)

    here = height(weights)
    for _ in range(_MOST_HALVINGS):
        if height(weights + step) >= here:
            return weights + step
        step = step / 2
    return weights


def _starts(table: F64) -> range:
    return range(0, len(table), _LINES_AT_ONCE)


def _sigmoid(values: F64) -> F64:
    sure: F64 = 1 / (1 + np.exp(-np.clip(values, -_EDGE, _EDGE)))
    return sure
