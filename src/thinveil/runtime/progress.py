"""What takes how long, and how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Progress = Callable[[str, int, int], None]
"""Called with the stage, steps done and steps in all."""


@dataclass
class Clock:
    """Seconds per stage, those of the classifiers also per category, and the progress report."""

    report: Progress
    total: int
    seconds: dict[str, float] = field(default_factory=dict)
    by_category: dict[str, dict[str, float]] = field(default_factory=dict)
    done: int = 0

    @contextmanager
    def stage(self, name: str, category: str | None = None, *, steps: int = 1) -> Iterator[None]:
        """Tell what begins, time it, and tell that it is done; it may be worth several steps."""
        self.report(name, self.done, self.total)
        start = time.perf_counter()
        yield
        spent = time.perf_counter() - start
        for account in (self.seconds, self.by_category.setdefault(category, {}) if category else {}):
            account[name] = account.get(name, 0.0) + spent
        self.done += steps
        self.report(name, self.done, self.total)
