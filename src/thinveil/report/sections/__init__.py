"""The sections of the page, one file each, with its template beside it.

A section is a function that takes a result and returns HTML, or None where it has nothing to say. A new section is one
file, and its name in the list below.
"""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from thinveil.auditing.results import AuditResult
from thinveil.report.sections import (
    beside,
    egos,
    groups,
    lesson,
    limits,
    mistakes,
    naming,
    people,
    promise,
    rates,
    repeat,
    risks,
    rounds,
    seen,
    tradeoff,
    worth,
)

Section = Callable[[AuditResult], Markup | None]

SECTIONS: tuple[Section, ...] = (
    naming.section,
    rates.section,
    beside.section,
    tradeoff.section,
    worth.section,
    groups.section,
    people.section,
    seen.section,
    promise.section,
    risks.section,
    rounds.section,
    mistakes.section,
    egos.section,
    lesson.section,
    limits.section,
    repeat.section,
)
"""The sections in the order of the page: a line each."""

__all__ = ["SECTIONS", "Section"]
