"""Intervals in print. Their ends are rounded outward: none claims to know more than it does."""

from __future__ import annotations

import math

from thinveil.auditing.results import FoundRate


def percent_range(low: float, high: float) -> str:
    """Return an interval in percent, with as many decimals as shares have.

    Examples
    --------
    >>> percent_range(0.06012, 0.06981), percent_range(0.0, 0.000004), percent_range(0.99996, 1.0)
    ('6.01 to 6.99%', '0.0000 to 0.0004%', '99.99 to 100.00%')
    """
    return _range(low, high, 4 if high < 0.0001 else 2)


def round_range(low: float, high: float) -> str:
    """Return an interval in percent, as roughly as it is known.

    Examples
    --------
    >>> round_range(0.692, 0.7501), round_range(0.0, 0.0741), round_range(0.9926, 1.0), round_range(0.0, 0.0031)
    ('69 to 76%', '0.0 to 7.5%', '99.2 to 100.0%', '0.00 to 0.31%')
    """
    rare = min(high, 1 - low)
    return _range(low, high, 0 if rare >= 0.1 else 1 if rare >= 0.01 or low > 0.5 else 2)


def short_range(low: float, high: float) -> str:
    """Return an interval in percent for a narrow column, without the sign.

    Examples
    --------
    >>> short_range(0.0601, 0.0698), short_range(0.0, 0.0004)
    ('6.0-7.0', '0.0-0.1')
    """
    return _range(low, high, 1, between="-").removesuffix("%")


def area_range(low: float, high: float, *, between: str = " to ") -> str:
    """Return the interval of an area, from 0 to 1.

    Examples
    --------
    >>> area_range(0.8812, 0.9201)
    '0.881 to 0.921'
    """
    return _range(low / 100, high / 100, 3, between=between).removesuffix("%")


def whole_range(low: float, high: float) -> str:
    """Return an interval of people or things.

    Examples
    --------
    >>> whole_range(501.2, 1560.7)
    '501 to 1,561'
    """
    return f"{math.floor(low + 1e-9):,} to {math.ceil(high - 1e-9):,}"


def ends_of(rate: FoundRate) -> tuple[float, float] | None:
    """Return between which shares a rate lies: its 95% interval, widened to hold what each draw found.

    None where the negatives cannot support the rate.
    """
    if rate.low is None or rate.high is None:
        return None
    return min(rate.low, *rate.draws, 1.0), max(rate.high, *rate.draws, 0.0)


def _range(low: float, high: float, decimals: int, *, between: str = " to ") -> str:
    scale = 10**decimals
    ends = math.floor(100 * low * scale + 1e-6) / scale, math.ceil(100 * high * scale - 1e-6) / scale
    return between.join(f"{end:.{decimals}f}" for end in ends) + "%"
