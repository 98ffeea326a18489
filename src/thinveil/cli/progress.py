"""Progress on standard error: a bar with the time left on a terminal, and else a line for each stage."""

from __future__ import annotations

import gc
import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from thinveil.runtime.notices import notify
from thinveil.runtime.visible import one_line

if TYPE_CHECKING:
    from rich.progress import Progress

Report = Callable[[str, int, int], None]
"""Called with the stage, steps done and steps in all; nothing is known of how far it is where that is 0."""

_LOG = logging.getLogger("thinveil")
_EARLY = 0.02  # so far, nothing can be said about the time left
_COMPILING = "compiling, first run only"


class _Lines(logging.Handler):
    """Print what the library logs, a line each, on whatever standard error is then; stages with the time so far."""

    def emit(self, record: logging.LogRecord) -> None:
        is_stage = record.levelno <= logging.INFO
        if is_stage and record.name != _LOG.name:
            return  # how a file was read is told by the command itself, on a terminal too
        so_far = f" (after {time.perf_counter() - self.start:.0f} s)" if is_stage else ""
        if sys.stderr is not None:  # with None, print would take standard output
            with suppress(OSError, ValueError):  # full, or gone: no reason to stop the work
                print(f"thinveil: {one_line(record.getMessage())}{so_far}", file=sys.stderr, flush=True)

    start = time.perf_counter()


_LINES = _Lines()


def show_notices() -> None:
    """Let what the library has to say appear on standard error."""
    _LINES.start = time.perf_counter()
    _LOG.addHandler(_LINES)  # a second time changes nothing


def show_progress(run: dict[str, Any] | None = None, *, lines: bool = True) -> AbstractContextManager[Report]:
    """Show progress on standard error, unless ``quiet`` is among the options, where it is taken out, or it is closed.

    ``lines`` is whether to print a line for each stage where standard error is no terminal.
    """
    gc.enable()  # the program starts without it
    is_quiet = run is not None and run.pop("quiet", False)
    if is_quiet or sys.stderr is None:
        return _show_nothing()
    return _show_bar() if sys.stderr.isatty() else _show_lines() if lines else _show_nothing()


@contextmanager
def warnings_as_notices(kind: type[Warning]) -> Iterator[None]:
    """Show warnings of a kind as all that the library has to say is shown: one line, without a place in the code."""
    show = warnings.showwarning

    def tell(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        notify(str(message)) if issubclass(category, kind) else show(message, category, *place, **more)

    with warnings.catch_warnings():
        warnings.simplefilter("always", kind)
        warnings.showwarning = tell
        yield


@contextmanager
def _show_nothing() -> Iterator[Report]:
    yield lambda stage, done, total: None


@contextmanager
def _show_lines() -> Iterator[Report]:
    """Print the stages that are logged, and those of the command itself."""
    before = _LOG.level
    _LOG.setLevel(logging.INFO)
    try:
        with _watch_compiler(cache(lambda is_compiling: _LOG.info(_COMPILING) if is_compiling else None)):
            yield lambda stage, done, total: None if total else _LOG.info(stage)
    finally:
        _LOG.setLevel(before)


@contextmanager
def _show_bar() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    parts = TextColumn("{task.description:<30}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[left]}")
    with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
        shown = _Bar(bar)
        shown.draw()  # before the compiler is loaded, which takes a second
        with _watch_compiler(shown.compiling):
            yield shown.report


class _Bar:
    """What the bar shows: the stage, whether it waits for the compiler, how far it is, and the time left."""

    def __init__(self, bar: Progress) -> None:
        self.bar, self.stage, self.is_compiling = bar, "starting", False
        self.task = bar.add_task("", total=None, left="")
        self.began: float | None = None

    def draw(self) -> None:
        self.bar.update(self.task, description=f"{self.stage} ({_COMPILING})" if self.is_compiling else self.stage)

    def compiling(self, is_compiling: bool) -> None:
        self.is_compiling = is_compiling
        self.draw()

    def report(self, stage: str, done: int, total: int) -> None:
        self.stage = stage
        if total and self.began is None:
            self.began = time.perf_counter()
        self.bar.update(self.task, completed=done, total=total or None, left=self._left(done, total))
        self.draw()

    def _left(self, done: int, total: int) -> str:
        """Say how long it will take at the pace so far, once there is one."""
        if not total or self.began is None or done < _EARLY * total:
            return ""
        return time_left((time.perf_counter() - self.began) * (total - done) / done)


def time_left(seconds: float) -> str:
    """Say how long something will take, no more exactly than is known.

    Examples
    --------
    >>> [time_left(seconds) for seconds in (0.4, 47, 100, 2000, 10_000)]
    ['', 'about 50 s left', 'about 2 min left', 'about 33 min left', 'about 2.8 h left']
    """
    if seconds < 1:
        return ""
    if seconds < 90:
        return f"about {max(10 * round(seconds / 10), min(round(seconds), 10))} s left"
    return f"about {round(seconds / 60)} min left" if seconds < 5400 else f"about {seconds / 3600:.1f} h left"


@contextmanager
def _watch_compiler(tell: Callable[[bool], None]) -> Iterator[None]:
    """Tell when kernels begin to be compiled, and when that is over; loading them from their cache is no compiling."""
    from numba.core import event

    class Watch(event.Listener):
        depth = 0

        def on_start(self, event: Any) -> None:
            self.depth += 1
            if self.depth == 1:
                tell(True)

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            if self.depth == 0:
                tell(False)

    with event.install_listener("numba:compile", Watch()):
        yield
