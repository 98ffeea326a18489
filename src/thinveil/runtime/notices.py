"""What thinveil has to say while it works: the log named ``thinveil``, silent until somebody listens.

A program that wants to hear it adds a handler: ``logging.getLogger("thinveil").addHandler(...)``. Notices have the
level WARNING, stages of the work INFO.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LOG = logging.getLogger("thinveil")
LOG.addHandler(logging.NullHandler())


_UNHEARD = ContextVar("unheard", default=False)


def notify(message: str) -> None:
    """Say in one line what the user did not choose and should know."""
    if not _UNHEARD.get():
        LOG.warning(message)


@contextmanager
def unheard() -> Iterator[None]:
    """Say nothing in this thread for a while: what an attacker tries on graphs of his own is no news to the user."""
    before = _UNHEARD.set(True)
    try:
        yield
    finally:
        _UNHEARD.reset(before)
