"""What takes how long, and how far it is.

Work tells its stages to the clock that is running: ``with stage("train", "1-hop"): ...``. Where none is running, the
stage is simply done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

Progress = Callable[[str, int, int], None]
"""Called with the stage, steps done and steps in all."""


def report_nothing(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass
class Clock:
    """Seconds per stage, those of single categories apart as well, and the progress report."""

    report: Progress = report_nothing
    total: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    by_category: dict[str, dict[str, float]] = field(default_factory=dict)
    done: int = 0
    above: Clock | None = None

    def add(self, seconds: Mapping[str, float], by_category: Mapping[str, Mapping[str, float]]) -> None:
        """Add times that another clock took."""
        _add(self.seconds, seconds)
        for category, spent in by_category.items():
            _add(self.by_category.setdefault(category, {}), spent)

    def tell(self, name: str, steps: int) -> None:
        """Tell what is being done, after so many more steps."""
        self.done = min(self.done + steps, self.total)
        self.report(name, self.done, self.total)
        if self.above is not None:
            self.above.tell(name, steps)

    def reach(self, done: int) -> None:
        """Tell that so many steps are done, where stages told of fewer: some were not needed, or ran elsewhere."""
        if done > self.done:
            self.tell("draws", done - self.done)

    @contextmanager
    def stage(self, name: str, category: str | None = None) -> Iterator[None]:
        """Tell what begins, time it, and tell that it is done."""
        self.tell(name, 0)
        start = time.perf_counter()
        yield
        booked = _account.get()
        spent = {booked or name: time.perf_counter() - start}
        self.add(spent, {category: spent} if category and not booked else {})
        self.tell(name, 1)

    @contextmanager
    def running(self) -> Iterator[Clock]:
        """Let this clock time all stages of the work below; one that runs above it is told of the progress."""
        self.above = _running.get()
        token = _running.set(self)
        try:
            yield self
        finally:
            _running.reset(token)


_running: ContextVar[Clock | None] = ContextVar("running clock", default=None)
_account: ContextVar[str | None] = ContextVar("account", default=None)


@contextmanager
def account(name: str | None) -> Iterator[None]:
    """Book all stages of the work below under one name; None books them under their own."""
    token = _account.set(name)
    try:
        yield
    finally:
        _account.reset(token)


@contextmanager
def stage(name: str, category: str | None = None) -> Iterator[None]:
    """Time a stage on the running clock, if there is one."""
    clock = _running.get()
    if clock is None:
        yield
        return
    with clock.stage(name, category):
        yield


def _add(sums: dict[str, float], more: Mapping[str, float]) -> None:
    for name, seconds in more.items():
        sums[name] = sums.get(name, 0.0) + seconds
