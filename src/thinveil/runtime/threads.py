"""Work that leaves the interpreter lock, spread over the machine's cores.

Kernels here are compiled with ``nogil`` and mapped over chunks by plain threads: the same speed as numba's
own ``parallel=True`` for such work, at a fifth of its compile time. Work is cut into more chunks than
threads, so that an unlucky chunk does not keep the others waiting; the cut does not depend on the number of
threads, and neither may the result. How many threads there are is a setting of the process (``limit_threads``), and
no part of anybody's interface.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import numba

from thinveil.errors import InputError
from thinveil.runtime.compiler import spare_scipy

spare_scipy()

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST = 16  # threads for each core
_limit: int | None = None
_own = threading.local()  # the share of a thread that is itself one of several


def thread_count() -> int:
    """Return how many threads to use: a thread's own share, the limit of this process, or its cores."""
    return getattr(_own, "share", None) or _limit or _cores()


def _cores() -> int:
    return int(vars(numba.config)["NUMBA_NUM_THREADS"])


@contextmanager
def limit_threads(threads: int | None) -> Iterator[None]:
    """Let this process use so many threads for a while; None leaves it as it is."""
    global _limit
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise InputError(f"threads = {threads}: give 1 or more, or None for all cores")
    # more threads than that only wait for each other
    before, _limit = _limit, _limit if threads is None else min(threads, _MOST * _cores())
    try:
        yield
    finally:
        _limit = before


def map_threads(function: Callable[[Item], Result], items: Iterable[Item], threads: int | None = None) -> list[Result]:
    """Return the function's results, in the order of the items."""
    items, count = list(items), threads or thread_count()
    workers = min(count, len(items))
    if workers <= 1:  # starting a thread can take longer than a small chunk
        return [function(item) for item in items]
    # work within work shares out what there is, so that there are never more threads than were asked for
    with ThreadPoolExecutor(workers, initializer=_take_share, initargs=(max(1, count // workers),)) as pool:
        return list(pool.map(function, items))


def _take_share(share: int) -> None:
    _own.share = share


def map_chunks(
    function: Callable[[int, int], Result], total: int, *, chunk: int, threads: int | None = None
) -> list[Result]:
    """Return ``function(first, last)`` of all chunks of 0 .. total - 1, in order."""
    starts = range(0, total, chunk)
    return map_threads(lambda first: function(first, min(first + chunk, total)), starts, threads)
