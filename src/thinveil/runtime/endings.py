"""How the program ends: with a status and at most one line, whatever stops it.

====================================  ======
done                                  0
refused, or the system would not      1
risk above ``--fail-above``           3
Ctrl-C, SIGTERM, SIGHUP               128 and the signal's number: 130, 143, 129
====================================  ======
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

from thinveil.errors import ThinveilError
from thinveil.runtime.signals import STOPPING
from thinveil.runtime.visible import one_line

_OF_WRITING = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT)
_REASONS = {signal.SIGINT: "interrupted"}


def end_well(load: Callable[[], Callable[[], Any]]) -> NoReturn:
    """Load a program and run it to its end.

    While it is loaded a signal ends it at once. While it runs, the first signal is raised as an exception, so that
    unfinished work is cleared away, and the second ends it at once.
    """
    stop = _Stop()
    _open_standard_files()
    stop.listen()
    try:
        program = load()
        stop.running = True
        _run(program)
        status = 0
    except SystemExit as ending:
        status = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException as error:
        # on its way through kernels, threads and imports Ctrl-C can become any other error
        status = 1 if stop.number else _explain(error)
    sys.exit(stop.end(status))


class Stopped(BaseException):
    """A signal has stopped the program; of a KeyboardInterrupt, Python itself would die by the signal."""


class _Stop:
    """Remembers the signal that stopped the program."""

    def __init__(self) -> None:
        self.number = 0
        self.running = False

    def listen(self) -> None:
        with contextlib.suppress(ValueError):  # only the main thread may
            for number in STOPPING:
                if signal.getsignal(number) != signal.SIG_IGN or number == signal.SIGINT:  # nohup ignores SIGHUP
                    signal.signal(number, self._hear)
            sys.unraisablehook = self._swallowed

    def end(self, status: int) -> int:
        """Return the status to end with; from now on a signal ends the program without a word."""
        with contextlib.suppress(ValueError):
            for number in STOPPING:
                if signal.getsignal(number) == self._hear:
                    signal.signal(number, signal.SIG_DFL)
        if not self.number:
            return status
        _say(_REASONS.get(signal.Signals(self.number), f"ended by {signal.Signals(self.number).name}"))
        return 128 + self.number

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.number or not self.running:
            self.number = number
            os._exit(self.end(1))
        self.number = number
        raise Stopped

    def _swallowed(self, unraisable: Any) -> None:
        """End at once where Python itself would drop the interrupt and go on."""
        if self.number:
            os._exit(self.end(1))
        sys.__unraisablehook__(unraisable)


def _run(program: Callable[[], Any]) -> None:
    try:
        program()
    finally:
        if sys.stdout is not None:
            try:
                sys.stdout.flush()
            except OSError:
                _drop_stdout()
                raise


def _explain(error: BaseException) -> int:
    """Say in one line what went wrong, or let a mistake of the program itself show where it is."""
    match error:
        case ThinveilError():
            _say(str(error))
        case MemoryError():
            _say(f"not enough memory ({str(error) or 'the system gives no more'}): try a smaller graph or fewer draws")
        case OSError(errno=errno.EPIPE):
            _drop_stdout()  # whoever reads has seen enough
        case OSError():
            place = error.filename or ("standard output" if error.errno in _OF_WRITING else "the system refuses")
            _say(f"{place}: {error.strerror or error}")
            _drop_stdout()
        case RuntimeError() if "no locator available" in str(error):
            _say("compiled code can be kept nowhere: set NUMBA_CACHE_DIR or TMPDIR to a folder that can be written")
        case _:
            raise error
    return 1


def _say(words: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr is not None:
            print(f"thinveil: {one_line(words)}", file=sys.stderr, flush=True)


def _drop_stdout() -> None:
    """Let nothing more go to a standard output that takes nothing: not even what is left at the very end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_standard_files() -> None:
    """Fill the places of closed standard files, which the next opened file would take otherwise."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
