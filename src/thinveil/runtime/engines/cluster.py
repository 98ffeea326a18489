"""Jobs on a cluster: the workers of a Dask scheduler, on as many machines as there are.

::

    dask:ADDRESS         such as dask:tcp://head:8786

What jobs have in common travels with each of them, and so must be small: a graph goes as the name of its folder and its
digest, and is mapped by whoever works on it. Nothing that a result needs lies at the scheduler or with a worker: a job
whose worker is lost is simply run again by another. A worker runs one job at a time, with all threads that it has.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass
from typing import Any, ClassVar

from thinveil.errors import InputError, ThinveilError
from thinveil.runtime.engines.base import Outcome
from thinveil.runtime.inputs import first_line
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.threads import limit_threads
from thinveil.runtime.versions import used_versions

_MOST = 4 << 20
_PATIENCE = 30.0
"""Seconds to wait for a scheduler, and for another worker when all are gone."""
_LOOK = 2.0  # seconds after which to see again who is there


@dataclass(frozen=True)
class DaskEngine:
    """Run jobs on the workers of a Dask scheduler."""

    name: ClassVar[str] = "dask"
    left_open: ClassVar[tuple[str, ...]] = ()

    address: str = parameter(MISSING, "where the scheduler listens, such as tcp://head:8786")

    def __post_init__(self) -> None:
        check_parameters(self)
        if not self.address.strip():
            raise InputError("engine dask: say where its scheduler listens, such as dask:tcp://head:8786")

    @classmethod
    def from_word(cls, word: str) -> DaskEngine | None:
        """Return the engine of a word such as ``dask:tcp://head:8786``."""
        name, _, address = word.partition(":")
        return cls(address.removeprefix("address=")) if name == cls.name else None

    def to_word(self) -> str:
        """Return the word again."""
        return f"{self.name}:{self.address}"

    @staticmethod
    def describe() -> str:
        """Say what it is in one sentence."""
        return "a cluster: the workers of the Dask scheduler at ADDRESS (pip install 'thinveil[cluster]')"

    def map(
        self, function: Callable[..., Any], jobs: Iterable[Any], *, given: tuple[Any, ...] = ()
    ) -> Iterator[Outcome]:
        """Call the function for every job, each by the next worker that is free."""
        jobs = list(jobs)
        if jobs:
            work = _pack(function, given)
            with _connected(self.address) as client:
                _check_versions(client)
                yield from _Run(client, self.address, work).outcomes(jobs)


class _Run:
    """Jobs under way: as many as there are workers, so that none waits behind another."""

    def __init__(self, client: Any, address: str, work: bytes) -> None:
        self._client, self._address, self._work = client, address, work
        self._running: dict[Any, Any] = {}

    def outcomes(self, jobs: Iterable[Any]) -> Iterator[Outcome]:
        waiting = deque(jobs)
        try:
            while waiting or self._running:
                self._fill(waiting)
                for future in self._finished():
                    yield Outcome(self._running.pop(future), _result(future, self._address))
        finally:
            for future in self._running:
                future.cancel(force=True)

    def _fill(self, waiting: deque[Any]) -> None:
        """Hand out jobs to workers that have none."""
        while waiting and len(self._running) < self._wait_for_workers():
            job = waiting.popleft()
            future = self._client.submit(_call, self._work, job, used_versions(), pure=False, retries=0)
            self._running[future] = job

    def _wait_for_workers(self) -> int:
        """Return how many workers there are; when all are gone another one may come, but not for ever."""
        end = time.monotonic() + _PATIENCE
        while not (count := len(self._client.nthreads())):
            if time.monotonic() > end:
                raise ThinveilError(f"the scheduler at {self._address} has no worker left: start one, and run again")
            time.sleep(_LOOK / 4)
        return count

    def _finished(self) -> list[Any]:
        """Return the jobs that are finished, after at least a look at who is there."""
        from distributed import wait

        try:
            with self._client.as_current():
                return list(wait(list(self._running), timeout=_LOOK, return_when="FIRST_COMPLETED").done)
        except TimeoutError:
            if self._client.status != "running":
                raise ThinveilError(f"the scheduler at {self._address} is gone: start it, and run again") from None
            self._wait_for_workers()
            return []


def _result(future: Any, address: str) -> Any:
    """Return what a job gave, or raise what stopped it."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    try:
        return future.result()
    except KilledWorker:
        raise ThinveilError(
            f"a job has ended several workers of {address}, one after another: give them more memory"
        ) from None
    except FutureCancelledError:
        raise ThinveilError(f"the scheduler at {address} is gone: start it, and run again") from None


def _pack(function: Callable[..., Any], given: tuple[Any, ...]) -> bytes:
    """Return what all jobs have in common, if it is small enough to travel with each."""
    try:
        import cloudpickle
        import distributed  # noqa: F401
    except ImportError:
        raise InputError("engine dask needs Dask: pip install 'thinveil[cluster]'") from None
    work: bytes = cloudpickle.dumps((function, given))
    if len(work) > _MOST:
        raise InputError(
            f"engine dask: each job would carry {len(work) / 2**20:,.0f} MiB along. Put the graph into a folder that "
            "all workers see, with `thinveil convert GRAPH FOLDER.thinveil`, and name that folder"
        )
    return work


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """Connect to a scheduler, and leave it as it was."""
    from distributed import Client

    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"engine dask: no scheduler answers at {address} ({first_line(error)})") from None
    try:
        yield client
    finally:
        client.close()


def _check_versions(client: Any) -> None:
    """Refuse workers with other versions: they would give other results. Later ones are looked at with each job."""
    for worker, theirs in client.run(used_versions).items():
        _compare(theirs, used_versions(), worker)


def _compare(theirs: Mapping[str, str], ours: Mapping[str, str], worker: str) -> None:
    other = [f"{name} {theirs.get(name)} instead of {ours[name]}" for name in ours if theirs.get(name) != ours[name]]
    if other:
        raise InputError(f"engine dask: the worker {worker} has {', '.join(other)}: install the same versions there")


_alone = threading.Lock()
_unpacked: dict[bytes, tuple[Callable[..., Any], tuple[Any, ...]]] = {}


def _call(work: bytes, job: Any, versions: Mapping[str, str]) -> Any:
    """Run one job in a worker."""
    import pickle

    from distributed import get_worker

    worker = get_worker()
    with _alone, limit_threads(worker.state.nthreads):
        _compare(used_versions(), versions, worker.address)
        if work not in _unpacked:
            _unpacked.clear()
            try:
                _unpacked[work] = pickle.loads(work)
            except ThinveilError as error:
                raise ThinveilError(f"the worker {worker.address} could not begin: {error}") from None
        function, given = _unpacked[work]
        return function(*given, job)
