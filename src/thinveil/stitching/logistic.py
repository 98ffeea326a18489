"""Logistic regression with squares and products of all columns: smooth, sure of itself only where the data are.

Fitted by Newton's steps with a little shrinkage, in full and in a fixed order: the same data, the same model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]

_MOST_STEPS = 30
_LONGEST_STEP = 5.0
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
        >>> model.predict(np.array([[10.0], [95.0]])).round(2).tolist()
        [0.0, 1.0]
        """
        worth = np.ones(len(table)) if worth is None else worth
        share = float(worth[right].sum() / worth.sum())
        center, scale = table.mean(axis=0), table.std(axis=0)
        blank = cls(center, np.where(scale > 0, scale, 1.0), np.empty(0))
        weights = np.zeros(blank._expand(table[:1]).shape[1])
        weights[0] = np.log(share / (1 - share))
        penalty = np.full(weights.size, shrink)
        penalty[0] = 0.0
        for _ in range(_MOST_STEPS):
            slope, curve = blank._derivatives(table, right, worth, weights)
            step = np.linalg.solve(curve + np.diag(penalty + 1e-9), slope - penalty * weights)
            length = float(np.abs(step).max())
            weights = weights + step * min(1.0, _LONGEST_STEP / max(length, 1e-12))
            if length < 1e-4:
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

    def _derivatives(self, table: F64, right: NDArray[np.bool_], worth: F64, weights: F64) -> tuple[F64, F64]:
        """Return slope and curvature of the log-likelihood, a few lines at a time."""
        slope, curve = np.zeros(weights.size), np.zeros((weights.size, weights.size))
        for k in _starts(table):
            part = slice(k, k + _LINES_AT_ONCE)
            lines = self._expand(table[part])
            sure = _sigmoid(lines @ weights)
            slope += lines.T @ (worth[part] * (right[part] - sure))
            curve += (lines * (worth[part] * sure * (1 - sure))[:, None]).T @ lines
        return slope, curve


def _starts(table: F64) -> range:
    return range(0, len(table), _LINES_AT_ONCE)


def _sigmoid(values: F64) -> F64:
    sure: F64 = 1 / (1 + np.exp(-np.clip(values, -_EDGE, _EDGE)))
    return sure
