"""What takes how long, and how far it is.

Work tells its stages to the clock that is running: ``with stage("train", "1-hop"): ...``. How far it is goes from 0 to
1, for the whole and for every part of it: ``with part(0.3): ...`` says that the work below is three tenths of the part
around it, and ``steps(8)`` gives what to call after each of eight steps. Where no clock is running, the work is simply
done. What is reported is logged as well, a line for each stage, and never more than some hundred lines.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from thinveil.runtime.notices import LOG

Progress = Callable[[str, int, int], None]
"""Called with the stage, steps done and steps in all."""

_FINE = 1_000  # steps of a draw, as they are reported
_TOLD_BY_STAGE = 5  # draws, up to which every stage of each is logged
_MOST_LINES = 100


def report_nothing(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass
class Clock:
    """Seconds per stage, those of single categories apart as well, and the progress report.

    ``draws`` is how often the same work is done; a clock that runs below this one tells how far the current draw is.
    """

    report: Progress = report_nothing
    draws: int = 1
    seconds: dict[str, float] = field(default_factory=dict)
    by_category: dict[str, dict[str, float]] = field(default_factory=dict)
    finished: int = 0
    above: Clock | None = None
    place: float = 0.0
    span: tuple[float, float] = (0.0, 1.0)
    words: str = "start"
    _said: str = ""

    def add(self, seconds: Mapping[str, float], by_category: Mapping[str, Mapping[str, float]]) -> None:
        """Add times that another clock took."""
        _add(self.seconds, seconds)
        for category, spent in by_category.items():
            _add(self.by_category.setdefault(category, {}), spent)

    def tell(self, words: str, place: float) -> None:
        """Tell what is being done, and how far it is; never less far than before."""
        self.place = max(self.place, min(place, 1.0))
        if self.above is not None:
            self.above.tell(words, self.place)
            return
        total = _FINE * self.draws
        label = words if self.draws == 1 else f"draw {min(self.finished + 1, self.draws)} of {self.draws}: {words}"
        self.report(label, min(round(_FINE * (self.finished + self.place)), total), total)
        if self.draws <= _TOLD_BY_STAGE:
            self._log(label)

    def move(self, place: float) -> None:
        """Tell that it is farther."""
        self.tell(self.words, place)

    def finish_draw(self) -> None:
        """Tell that one of the draws is done, here or elsewhere."""
        self.finished, self.place = self.finished + 1, 0.0
        self.report("draws", _FINE * self.finished, _FINE * self.draws)
        one_line_for = -(-self.draws // _MOST_LINES)
        if self.draws > 1 and self.finished % one_line_for == 0:
            self._log(f"draw {self.finished} of {self.draws} done")

    def restart(self) -> None:
        """Tell that all draws are done anew; what was spent on them stays."""
        self.finished, self.place = 0, 0.0

    def _log(self, line: str) -> None:
        if line != self._said:
            self._said = line
            LOG.info(line)

    @contextmanager
    def part(self, share: float) -> Iterator[None]:
        """Let the work below be a share of the part around it."""
        around = first, last = self.span
        self.span = (self.place, min(self.place + share * (last - first), last))
        try:
            yield
            self.move(self.span[1])
        finally:
            self.span = around

    @contextmanager
    def stage(self, name: str, category: str | None = None) -> Iterator[None]:
        """Tell what begins, and time it."""
        whose = _whose.get()
        self.words = f"{name} ({whose})" if whose else name
        start = time.perf_counter()
        self.move(self.place)
        yield
        booked = _account.get()
        spent = {booked or name: time.perf_counter() - start}
        self.add(spent, {category: spent} if category and not booked else {})

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
_whose: ContextVar[str] = ContextVar("whose work", default="")


@contextmanager
def account(name: str | None, *, whose: str = "") -> Iterator[None]:
    """Book all stages of the work below under one name; None books them under their own. ``whose`` tells them apart."""
    tokens = _account.set(name), _whose.set(whose)
    try:
        yield
    finally:
        _account.reset(tokens[0])
        _whose.reset(tokens[1])


@contextmanager
def stage(name: str, category: str | None = None, *, share: float = 0.0) -> Iterator[None]:
    """Time a stage on the running clock, if there is one; it is a share of the part around it."""
    clock = _running.get()
    if clock is None:
        yield
        return
    with clock.stage(name, category), clock.part(share):
        yield


@contextmanager
def part(share: float) -> Iterator[None]:
    """Let the work below be a share of the part around it, on the running clock."""
    clock = _running.get()
    if clock is None:
        yield
        return
    with clock.part(share):
        yield


def restart() -> None:
    """Tell the running clock, if there is one, that all of its work is done anew."""
    clock = _running.get()
    if clock is not None:
        clock.restart()


def steps(count: int) -> Callable[[], None]:
    """Return what to call after each of so many equal steps of the part around; other threads may call it too."""
    clock, lock, done = _running.get(), threading.Lock(), 0
    if clock is None:
        return lambda: None
    start, end = clock.span

    def step() -> None:
        nonlocal done
        with lock:
            done += 1
            clock.move(start + (end - start) * min(done, count) / count)

    return step


def _add(sums: dict[str, float], more: Mapping[str, float]) -> None:
    for name, seconds in more.items():
        sums[name] = sums.get(name, 0.0) + seconds
