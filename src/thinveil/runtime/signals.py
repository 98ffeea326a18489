"""Moments in which a signal has to wait: a name that was swapped must be known to be swapped."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

STOPPING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""The signals that ask a program to end."""


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Let signals that ask for an end wait for the end of the block; only the main thread ever hears of them.

    Blocking them in this thread would not do: the system hands them to another thread, and Python then runs their
    handler in this one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = {}
    for number in STOPPING:
        if signal.getsignal(number) not in (signal.SIG_IGN, None):  # None: a handler that is not Python's
            before[number] = signal.signal(number, lambda number, frame: heard.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in heard:
            signal.raise_signal(number)
