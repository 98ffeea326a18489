"""Shares and counts as people read them: percentages, "7 of 100", "1 in 1,000"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from thinveil.auditing.results import FoundRate
from thinveil.measures.mistakes import OverlapRisk
from thinveil.report.spans import ends_of

NOT_GIVEN = "–"
FEW = 30
"""Pairs, or people, below which nothing is said: a share of fewer could be almost any."""

_LARGEST_BASE = 1_000_000


@dataclass(frozen=True)
class Frequency:
    """A share as ``count`` of ``base`` people, with its 95% interval on the same base, ready to print."""

    count: str
    base: int
    low: str
    high: str


def percent(share: float) -> str:
    """Return a share with two decimals, more where they would hide that it is not 0 or not 1.

    Examples
    --------
    >>> percent(0.0648), percent(0.00002), percent(0.99999), percent(1.0)
    ('6.48%', '0.0020%', '> 99.99%', '100.00%')
    """
    if 0 < share < 0.0001:
        return f"{100 * share:.2g}%" if share < 0.00001 else f"{100 * share:.4f}%"
    return "> 99.99%" if 0.99995 <= share < 1 else f"{100 * share:.2f}%"


def round_percent(share: float) -> str:
    """Return an expected share as roughly as it is known.

    Examples
    --------
    >>> round_percent(0.8628), round_percent(0.0034), round_percent(0.997)
    ('86%', '0.34%', '99.7%')
    """
    if 0.1 <= share <= 0.99 or share in (0, 1):
        return f"{100 * share:.0f}%"
    return f"{100 * share:.2g}%" if share < 0.1 else f"{100 * share:.1f}%"


def one_in(fpr: float) -> str:
    """Return a rate as ``1 in 1,000``.

    Examples
    --------
    >>> one_in(0.0001), one_in(0.25)
    ('1 in 10,000', '1 in 4')
    """
    return f"1 in {round(1 / fpr):,}"


def frequency(share: float, low: float, high: float) -> Frequency:
    """Return a share as a natural frequency, of 100 people or of as many as it takes to count one.

    The interval is rounded outward: it never claims to know more than it does.

    Examples
    --------
    >>> frequency(0.0648, 0.0601, 0.0698)
    Frequency(count='6', base=100, low='6', high='7')
    >>> frequency(0.005, 0.0042, 0.006).base
    1000
    """
    # of a share of none (or all) the far end of the interval is all there is to count
    rare = min(share or high, (1 - share) or (1 - low))
    base = 100
    while 0 < rare * base < 1 - 1e-9 and base < _LARGEST_BASE:
        base *= 10
    ends = math.floor(low * base + 1e-9), math.ceil(high * base - 1e-9)
    return Frequency(f"{share * base:,.0f}", base, *(f"{end:,}" for end in ends))


def of_rate(rate: FoundRate) -> Frequency | None:
    """Return the natural frequency of a tested rate, with its interval, widened to hold all draws.

    None where the negatives cannot support it.
    """
    ends = ends_of(rate)
    return None if rate.tpr is None or ends is None else frequency(rate.tpr, *ends)


def amount(value: float) -> str:
    """Return an expected number of links: whole from 100 on, else with enough digits to tell it from none."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if value >= 0.01 or value == 0 else f"{value:.1g}"


def amount_or_bound(value: float, high: float) -> str:
    """Return an expected number of links; where that is none, how many it may be.

    Examples
    --------
    >>> amount_or_bound(0.5, 0.7), amount_or_bound(0.0, 0.0741)
    ('0.50', 'at most 0.08')
    """
    return amount(value) if value else f"at most {amount(math.ceil(100 * high - 1e-9) / 100)}"


def plural(count: int, noun: str) -> str:
    """Return ``1 draw`` or ``3 draws``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def about_people(value: float, people: float) -> str:
    """Say how many of some people it is: only exactly none is none, and only exactly all are all.

    Examples
    --------
    >>> [about_people(value, 48) for value in (0, 0.1, 7.2, 47.8, 48)]
    ['none', 'less than 1', 'about 7', 'nearly all', 'all']
    """
    if math.isclose(value, people):
        return "all"
    if value and value < 0.5:
        return "less than 1"
    return "none" if not value else "nearly all" if people - value < 0.5 else f"about {value:,.0f}"


def count_people(value: float) -> str:
    """Return a number of people; a mean over draws below 1 must not read as nobody.

    Examples
    --------
    >>> count_people(1234.4), count_people(0.25), count_people(0)
    ('1,234', 'less than 1', '0')
    """
    return f"{value:,.0f}" if value >= 0.5 or value == 0 else "less than 1"


def plural_people(count: float) -> str:
    """Return ``1 person`` or ``3 people``."""
    return "1 person" if count == 1 else f"{count:,.0f} people"


def listing(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    Examples
    --------
    >>> listing(["times"]), listing(["times", "weights", "directions"])
    ('times', 'times, weights and directions')
    """
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def printable(text: str) -> str:
    """Return a text with the bytes of a file name that are no text replaced by question marks."""
    return text.encode("utf-8", "replace").decode()


def overlap_span(risk: OverlapRisk) -> str:
    """Say which overlaps a range holds.

    Examples
    --------
    >>> empty = (None, None, None, 0, 0)
    >>> overlap_span(OverlapRisk(0.0, 0.0, *empty, *empty)), overlap_span(OverlapRisk(0.1, 0.15, *empty, *empty))
    ('none', '0.10 to 0.15')
    """
    if risk.highest is None:
        return f"{risk.lowest:.2f} or more"
    if risk.highest == 0:
        return "none"
    return f"{risk.lowest:.2f} to {risk.highest:.2f}" if risk.lowest else f"below {risk.highest:.2f}"
