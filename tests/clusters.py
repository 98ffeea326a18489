"""A small cluster for tests: a scheduler and some workers, each a process of its own on this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

_QUIET = {"DASK_DISTRIBUTED__ADMIN__EVENT_LOOP_BLOCKED": "1", "DASK_LOGGING__DISTRIBUTED": "error"}


@dataclass
class Cluster:
    """Processes that were started, the scheduler first."""

    folder: Path
    processes: list[subprocess.Popen] = field(default_factory=list)

    @property
    def address(self) -> str:
        return (self.folder / "address").read_text()

    def start_scheduler(self) -> None:
        self._start("scheduler", str(self.folder / "address"))
        end = time.monotonic() + 60
        while not (self.folder / "address").exists():
            assert time.monotonic() < end, "the scheduler did not start"
            time.sleep(0.05)

    def start_worker(self, threads: int = 1) -> subprocess.Popen:
        return self._start("worker", self.address, str(threads))

    def kill(self, process: subprocess.Popen) -> None:
        process.send_signal(signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()

    def _start(self, *words: str) -> subprocess.Popen:
        process = subprocess.Popen([sys.executable, "-m", "tests.clusters", *words], env={**os.environ, **_QUIET})
        self.processes.append(process)
        return process


async def run_scheduler(file: str) -> None:
    from distributed import Scheduler

    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        Path(f"{file}.part").write_text(scheduler.address)
        os.replace(f"{file}.part", file)
        await scheduler.finished()


async def run_worker(address: str, threads: str) -> None:
    from distributed import Worker

    async with Worker(address, nthreads=int(threads), host="127.0.0.1", dashboard=False, name=os.getpid()) as worker:
        await worker.finished()


if __name__ == "__main__":
    import asyncio

    asyncio.run({"scheduler": run_scheduler, "worker": run_worker}[sys.argv[1]](*sys.argv[2:]))
