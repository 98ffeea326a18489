"""How far two things are apart, from 0 (the same) to 1: symmetric, and bounded however small the numbers are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

F64 = NDArray[np.float64]

_DIGITS = 9  # numbers that differ behind them differ by rounding


def kolmogorov_smirnov(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Return the largest difference between two distribution functions, each given by its values.

    Examples
    --------
    >>> kolmogorov_smirnov(np.array([1, 1, 2, 2]), np.array([1, 2, 2, 2]))
    0.25
    """
    values = np.concatenate((first, second))
    shares = [np.searchsorted(np.sort(one), values, side="right") / one.size for one in (first, second)]
    return float(np.abs(shares[0] - shares[1]).max())


def law_distance(first: F64, second: F64) -> float:
    """Return the same for two laws on 0, 1, 2, ..., given by their counts.

    Examples
    --------
    >>> law_distance(np.array([2.0, 2.0]), np.array([1.0, 3.0]))
    0.25
    """
    return min(1.0, float(np.abs(np.cumsum(first / first.sum()) - np.cumsum(second / second.sum())).max()))


def total_variation(first: F64, second: F64) -> float:
    """Return the share of one law that must be moved to make the other, both given by counts.

    Examples
    --------
    >>> total_variation(np.array([1, 0, 1]), np.array([0, 1, 1]))
    0.5
    """
    return min(1.0, float(np.abs(first / first.sum() - second / second.sum()).sum() / 2))


def share_apart(first: float, second: float) -> float:
    """Return by what share of the larger of two quantities they differ; both are 0 or more.

    Examples
    --------
    >>> share_apart(3, 4), share_apart(0, 0)
    (0.25, 0.0)
    """
    larger = max(first, second)
    return abs(first - second) / larger if larger > 0 else 0.0


def rank_correlation(first: F64, second: F64) -> float:
    """Return Spearman's rank correlation; who has the same value has the same rank.

    Where nobody stands above anybody there is no order: two of those agree, and one alone agrees with nothing.

    Examples
    --------
    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([9.0, 5.0, 1.0]))
    -1.0
    """
    ranks = [_ranks(one) for one in (first, second)]
    spreads = [float(one @ one) for one in ranks]
    if min(spreads) == 0:
        return float(max(spreads) == 0)
    return float(np.clip(np.round(ranks[0] @ ranks[1] / np.sqrt(spreads[0] * spreads[1]), _DIGITS), -1, 1))


def _ranks(values: F64) -> F64:
    largest = float(np.abs(values).max(initial=0))
    ranks = np.asarray(rankdata(np.round(values / largest, _DIGITS) if largest else values))
    return ranks - (ranks.size + 1) / 2


def jackknife(parts: Sequence[Any], measure: Callable[[Sequence[Any]], Sequence[float]]) -> list[float]:
    """Return the standard error of each number that is measured on parts of a sample: leave out one part at a time.

    Examples
    --------
    >>> jackknife([1.0, 2.0, 3.0], lambda parts: [sum(parts) / len(parts)])
    [0.5773502691896257]
    """
    without = np.array([measure([*parts[:k], *parts[k + 1 :]]) for k in range(len(parts))])
    spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0) * (len(parts) - 1) / len(parts)
    return [float(error) for error in np.sqrt(spread)]
