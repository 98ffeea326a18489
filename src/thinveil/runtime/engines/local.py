"""Jobs on this machine: one after another in this process, or several at a time, each in a process of its own.

The cores are shared out among the processes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from thinveil.errors import ThinveilError
from thinveil.runtime.engines.base import Outcome
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.threads import limit_threads, thread_count


@dataclass(frozen=True)
class LocalEngine:
    """Run jobs on this machine.

    Examples
    --------
    >>> [outcome.value for outcome in LocalEngine().map(divmod, [2, 3], given=(7,))]
    [(3, 1), (2, 1)]
    """

    name: ClassVar[str] = "local"
    jobs: int = parameter(1, "draws that run at the same time, each in a process of its own", low=1, high=1_000)

    def __post_init__(self) -> None:
        check_parameters(self)

    @staticmethod
    def describe() -> str:
        """Say what it is in one sentence."""
        return "this machine: draws one after another, or several at a time in processes of their own"

    def map(
        self, function: Callable[..., Any], jobs: Iterable[Any], *, given: tuple[Any, ...] = ()
    ) -> Iterator[Outcome]:
        """Call the function for every job: here, or in as many processes as there may be."""
        jobs = list(jobs)
        if self.jobs == 1 or len(jobs) < 2:
            for job in jobs:
                yield Outcome(job, function(*given, job))
            return
        yield from _map_processes(function, jobs, given, min(self.jobs, len(jobs)))


_given: tuple[Any, ...] = ()


def _map_processes(
    function: Callable[..., Any], jobs: Sequence[Any], given: tuple[Any, ...], workers: int
) -> Iterator[Outcome]:
    # a fresh process each: one that was forked would inherit locks that threads of this one hold
    context = multiprocessing.get_context("spawn")
    threads = max(1, thread_count() // workers)
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, context, initializer=_receive, initargs=(given,)) as pool:
        try:
            with _without_interrupts():
                waiting: dict[Future[Any], Any] = {pool.submit(_call, function, job, threads): job for job in jobs}
            for future in as_completed(waiting):
                yield Outcome(waiting[future], future.result())
        except BrokenProcessPool:
            raise ThinveilError(
                "a process that ran a job ended at once: run fewer jobs at a time if memory is short, and in a program "
                'of your own call below `if __name__ == "__main__":`'
            ) from None
        except BaseException as error:
            if not isinstance(error, Exception):  # stopped: nobody waits for what they do
                for child in set(multiprocessing.active_children()) - others:
                    child.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back while processes are started: it stays held back in them, and this one will end them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _receive(given: tuple[Any, ...]) -> None:
    global _given
    _given = given
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End a worker whose parent was killed: it would wait for jobs for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _call(function: Callable[..., Any], job: Any, threads: int) -> Any:
    with limit_threads(threads):
        return function(*_given, job)
