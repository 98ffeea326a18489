"""The cells and lines of the page's tables, every number already in print."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from thinveil.auditing.results import Auc, AuditResult, FoundRate
from thinveil.report.shares import FEW, NOT_GIVEN, one_in, percent, plural
from thinveil.report.spans import area_range, percent_range

_SURE = 10
"""False positives from which on a threshold is taken as well placed."""


@dataclass(frozen=True)
class Cell:
    """A number and what stands beneath it; ``missing`` if it cannot be given, ``shaky`` if it rests on little."""

    main: str
    notes: tuple[str, ...] = ()
    missing: bool = False
    shaky: bool = False


@dataclass(frozen=True)
class Row:
    """A category, or guessing: a heading, what it means, and its cells."""

    name: str
    words: str
    cells: tuple[Cell, ...]
    auc: Cell | None = None
    positives: str = ""
    negatives: str = ""


def column_heads(result: AuditResult) -> list[tuple[str, str]]:
    """Return the false-positive rates of a result, smallest first, each in percent and in words."""
    return [(f"{100 * fpr:.6g}%", one_in(fpr)) for fpr in sorted({rate.fpr for rate in result.rates})]


def rates_of(rates: Iterable[FoundRate], category: str) -> list[FoundRate]:
    """Return the rates of a category by false-positive rate, smallest first."""
    return sorted((rate for rate in rates if rate.category == category), key=lambda rate: rate.fpr)


def rate_cell(rate: FoundRate) -> Cell:
    """Return a rate with its interval, and the spread between draws; of a few pairs how many were found."""
    if rate.tpr is None or rate.low is None or rate.high is None:
        return missing_cell(rate)
    interval = percent_range(rate.low, rate.high)
    if rate.positives < FEW:
        return Cell(f"{rate.hits} of {plural(rate.positives, 'pair')}", (interval, "too few to say"))
    spread = () if rate.sd is None else (f"± {100 * rate.sd:.2f}",)
    return Cell(percent(rate.tpr), (interval, *spread), shaky=is_shaky(rate))


def auc_cell(auc: Auc | None) -> Cell:
    """Return an area under the curve, with its interval and the spread between draws."""
    if auc is None:
        return Cell(NOT_GIVEN)
    spread = () if auc.sd is None else (f"± {auc.sd:.3f}",)
    return Cell(f"{auc.mean:.3f}", (area_range(auc.low, auc.high), *spread))


def missing_cell(rate: FoundRate) -> Cell:
    """Say why a rate cannot be given."""
    if not rate.positives:
        return Cell("no such pairs", missing=True)
    needed = math.ceil(1 / rate.fpr - 1e-9)
    return Cell(f"not supported: needs {needed:,} different pairs", missing=True)


def is_shaky(rate: FoundRate) -> bool:
    """Whether the threshold of a supported rate rests on few different false positives, in each draw."""
    return rate.tpr is not None and rate.fpr * rate.distinct + 1e-9 < _SURE * max(1, len(rate.draws))
