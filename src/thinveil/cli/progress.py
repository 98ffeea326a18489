"""Progress on standard error, where that is a terminal."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from thinveil.runtime.visible import one_line

Report = Callable[[str, int, int], None]
"""Called with the stage, steps done and steps in all."""


class _Notices(logging.Handler):
    """Print what the library logs, a line each, on whatever standard error is then."""

    def emit(self, record: logging.LogRecord) -> None:
        if sys.stderr is not None:
            print(f"thinveil: {one_line(record.getMessage())}", file=sys.stderr)


_NOTICES = _Notices(logging.WARNING)


def show_notices() -> None:
    """Let what the library logs appear on standard error."""
    logging.getLogger("thinveil").addHandler(_NOTICES)  # a second time changes nothing


@contextmanager
def show_progress() -> Iterator[Report]:
    """Show progress on standard error, where that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<20}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting" if _is_compiled() else "compiling (first run only)", total=None)
        yield lambda stage, done, total: bar.update(
            task, description=stage if _is_compiled() else f"{stage} (compiling, first run only)",
            completed=done, total=total or None,
        )  # fmt: skip


def _is_compiled() -> bool:
    """Tell whether an earlier run left compiled kernels behind."""
    return any((Path(__file__).parent.parent / "learners" / "forest" / "__pycache__").glob("prediction.mean_leaf*.nbi"))
