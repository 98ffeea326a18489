"""Run cases in a process of their own; go on after one that kills it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.worker import SECONDS

_ROOT = Path(__file__).parents[2]
_MOST_PROBLEMS = 100


@dataclass
class Found:
    """How many cases ran, and what was wrong with which of them."""

    cases: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)


def run_target(name: str, *, seed: int, first: int = 0, cases: int = 10**12, seconds: float = 10**9) -> Found:
    """Run cases of a target up to a number or a time, whichever comes first; reading the good examples is not timed."""
    found, number, stop = Found(), first, first + cases
    with tempfile.NamedTemporaryFile() as place:
        while number < stop and seconds > 0 and len(found.problems) < _MOST_PROBLEMS:
            place.seek(0)
            place.write(number.to_bytes(8, "little"))
            place.flush()
            after, problems, spent = _run_worker(name, seed, number, stop, seconds, place.name)
            found.problems += problems
            found.cases += after - number
            number, seconds = after, seconds - spent
    return found


def _run_worker(
    name: str, seed: int, first: int, stop: int, seconds: float, place: str
) -> tuple[int, list[tuple[int, str]], float]:
    start = time.monotonic()
    arguments = [name, *map(str, (seed, first, stop, seconds)), place]
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.worker", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    if done.returncode == 0:
        after, spent = lines.pop()
        return after, [(number, problem) for number, problem in lines], spent
    number = int.from_bytes(Path(place).read_bytes()[:8], "little")
    if done.returncode > 0:  # the worker itself is broken, not a case
        raise RuntimeError(f"{name}, case {number}: {done.stderr[-2000:]}")
    died = signal.Signals(-done.returncode)
    problem = f"took more than {SECONDS} s" if died is signal.SIGALRM else f"the process died of {died.name}"
    return number + 1, [*((n, words) for n, words in lines), (number, problem)], time.monotonic() - start
