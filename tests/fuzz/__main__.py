"""Fuzz from the command line: ``python -m tests.fuzz --seconds 3600``."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.fuzz.running import run_target
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Run targets, print what they found; exit status 1 if that is anything."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--target", choices=sorted(TARGETS), action="append", help="only this one; may be repeated")
    options.add_argument("--seconds", type=float, default=60, help="for all targets together")
    options.add_argument("--cases", type=int, default=10**12, help="for each target, at most")
    options.add_argument("--jobs", type=int, default=2, help="targets that run at the same time")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--first", type=int, default=0, help="number of the first case")
    options.add_argument("--save", type=Path, help="write the input of case --first into this file, and run nothing")
    given = options.parse_args()
    chosen = given.target or list(TARGETS)
    if given.save:
        target = TARGETS[chosen[0]]
        given.save.write_bytes(target.case(target.examples(), given.seed, given.first))
        return 0
    seconds = given.seconds * given.jobs / max(given.jobs, len(chosen))
    run = partial(run_target, seed=given.seed, first=given.first, cases=given.cases, seconds=seconds)
    cases = problems = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for name, found in zip(chosen, pool.map(run, chosen), strict=True):
            print(f"{name}: {found.cases:,} cases, {len(found.problems)} problems", flush=True)
            for number, problem in found.problems:
                print(f"  --target {name} --seed {given.seed} --first {number}: {problem}", flush=True)
            cases, problems = cases + found.cases, problems + len(found.problems)
    print(f"in all: {cases:,} cases, {problems} problems")
    return int(problems > 0)


if __name__ == "__main__":
    sys.exit(main())
