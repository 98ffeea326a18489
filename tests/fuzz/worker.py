"""The process in which cases run: what a case does to it, the process that started it sees."""

from __future__ import annotations

import json
import mmap
import resource
import signal
import sys
import time
from pathlib import Path

from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS
from thinveil.errors import ThinveilError

SECONDS = 10
"""A case that takes longer hangs: SIGALRM ends the process."""
_ADDRESSES = 12 * 2**30
"""Addresses the process may have: an absurd allocation is an error, and takes no memory away from others."""
_GROWTH_KIB = 512 * 2**10
"""Memory that cases may take, in KiB, beyond what the good examples take."""


def problem_of(target: Target, data: bytes) -> str | None:
    """Run one case; say what is wrong with how it ended, if anything is."""
    try:
        target.read(data)
    except ThinveilError as error:
        return f"a message of several lines: {error}" if len(str(error).splitlines()) != 1 else None
    except BaseException as error:
        return f"{type(error).__module__}.{type(error).__name__}: {error}".replace("\n", " ")[:300]
    return None


def run(target: Target, seed: int, first: int, stop: int, seconds: float, place: mmap.mmap) -> tuple[int, float]:
    """Run cases up to a number or a time, and print the problems; return the next case and the seconds spent."""
    examples = target.examples()
    for example in examples:  # compile, and see what memory a good input takes
        target.read(example)
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    most = _memory() + _GROWTH_KIB
    number, deadline = first, time.monotonic() + seconds
    while number < stop and time.monotonic() < deadline:
        place[:8] = number.to_bytes(8, "little")
        signal.alarm(SECONDS)
        problem = problem_of(target, target.case(examples, seed, number))
        signal.alarm(0)
        if problem is None and _memory() > most:
            problem, most = f"{_memory() // 1024:,} MiB of memory", _memory() + _GROWTH_KIB
        if problem is not None:
            print(json.dumps([number, problem]), flush=True)  # at once: the next case may end the process
        number += 1
    return number, seconds - (deadline - time.monotonic())


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Run what the starting process asks for."""
    name, seed, first, stop, seconds, file = sys.argv[1:]
    with Path(file).open("r+b") as held, mmap.mmap(held.fileno(), 8) as place:
        after = run(TARGETS[name], int(seed), int(first), int(stop), float(seconds), place)
    print(json.dumps(after))


if __name__ == "__main__":
    main()
