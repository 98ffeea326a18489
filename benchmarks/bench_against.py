"""Audits of Epinions, Scheme 2, by this version and by an earlier one, in turns: the ratio of their times.

The earlier version is checked out into a git worktree and installed into an environment of its own, both in a temporary
folder. Both run their command in turns, in processes of their own; each is run once before, to compile.

    THINVEIL_DATA=folder python benchmarks/bench_against.py REV [--turns 3]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
COMMON = ["--scheme", "d4d-2", "--protocol", "paper", "--alone"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rev", nargs="?", default="HEAD~1", help="the earlier version, as git knows it")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seed", default="102")
    options = parser.parse_args()
    path = Path(os.environ.get("THINVEIL_DATA", "")) / "soc-Epinions1.txt.gz"
    if not path.exists():
        print("skipped: THINVEIL_DATA names no folder with soc-Epinions1.txt.gz")
        return
    with tempfile.TemporaryDirectory() as folder:
        earlier = install(options.rev, Path(folder))
        try:
            for attack in ("forest", "strong"):
                compare(attack, path, earlier, options)
        finally:
            git("worktree", "remove", "--force", str(Path(folder) / "tree"))


def compare(attack: str, path: Path, earlier: str, options: argparse.Namespace) -> None:
    """Run both versions in turns, and print the ratio of their medians."""
    words = ["audit", str(path), "--attack", attack, "--seed", options.seed, *COMMON]
    sides = {"earlier": earlier, "this": sys.executable}
    for python in sides.values():
        clock(python, words)  # compiles
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(options.turns):
        for name, python in sides.items():
            times[name].append(clock(python, words))
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    shown = "; ".join(f"{name} {medians[name]:.1f} s ({spread(times[name])})" for name in sides)
    print(f"{attack}: {shown}; ratio {medians['this'] / medians['earlier']:.3f}", flush=True)


def spread(seconds: list[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in seconds)


def clock(python: str, words: list[str]) -> float:
    with tempfile.TemporaryDirectory() as out:
        start = time.perf_counter()
        subprocess.run([python, "-m", "thinveil", *words, "--out", out], check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start


def install(rev: str, folder: Path) -> str:
    """Check the earlier version out, install it with the same libraries, and return its Python."""
    tree, home = folder / "tree", folder / "venv"
    git("worktree", "add", "--detach", str(tree), rev)
    venv.create(home, with_pip=True)
    python = str(home / "bin" / "python")
    wanted = ["--quiet", "--disable-pip-version-check", "--constraint", str(tree / "constraints.txt")]
    subprocess.run([python, "-m", "pip", "install", *wanted, "--editable", str(tree)], check=True)
    return python


def git(*words: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
