"""networkit, lent for one piece of work at a time.

Its seed and its number of threads hold for the whole process. So whoever works with it has it alone, in one thread:
what it finds depends on nothing but the seed. It takes a second to import, and is imported when it is first used.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_ALONE = threading.RLock()


@contextmanager
def one_thread(seed: int | None = None) -> Iterator[Any]:
    """Lend networkit, seeded where it draws anything, and put its number of threads back afterwards."""
    with _ALONE:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of what it draws pictures with
            import networkit
        before = networkit.getMaxNumberOfThreads()
        networkit.setNumberOfThreads(1)
        if seed is not None:
            networkit.setSeed(seed, False)
        try:
            yield networkit
        finally:
            networkit.setNumberOfThreads(before)
