"""The time of `read_graph` against that of polars alone, scanning the same two columns.

A text file of Pokec's size and form (1,632,803 nodes, 30,622,564 directed edges, tab, ids from 1, sorted by
source) is made once, with heavy-tailed degrees. Both sides then read it in one process, by turns, with a
warm page cache and warm kernels; the peak memory of `read_graph` is taken in a process of its own.

    python benchmarks/bench_io.py                       # the whole thing, about 1 GB of files
    python benchmarks/bench_io.py --edges 1000000       # a small trial
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import polars as pl

from thinveil.graph.reading import read_graph

POKEC_NODES, POKEC_EDGES = 1_632_803, 30_622_564
_PEAK = """
import resource, sys
from thinveil.graph.reading import read_graph
graph = read_graph(sys.argv[1])
print(graph, round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2))
"""


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary)
        for order in ("sorted", "shuffled"):
            path = folder / f"edges-{options.edges}-{order}.txt"
            if not path.exists():
                _write_edges(path, options.edges, shuffled=order == "shuffled")
            _compare(path, options.rounds)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edges", type=int, default=POKEC_EDGES)
    parser.add_argument("--folder", help="keep the files here and use them again")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def _compare(path: Path, rounds: int) -> None:
    sides: dict[str, Callable[[Path], Any]] = {
        "polars read_csv": _polars_read,
        "polars scan_csv": _polars_scan,
        "read_graph": read_graph,
    }
    for read in sides.values():  # warm up
        read(path)
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, read in sides.items():
            seconds[name].append(_timed(read, path))
    best = {name: min(taken) for name, taken in seconds.items()}
    print(f"{path.name}: {path.stat().st_size / 1e6:.0f} MB")
    for name, taken in best.items():
        print(f"  {name:16} {taken:6.2f} s")
    print(f"  ratio to the faster polars: {best['read_graph'] / min(list(best.values())[:2]):.2f} (wanted: 3)")
    peak = subprocess.run([sys.executable, "-c", _PEAK, str(path)], capture_output=True, text=True, check=True)
    print(f"  peak memory in a fresh process, GiB: {peak.stdout.strip()} (wanted: 4)")


def _timed(read: Callable[[Path], Any], path: Path) -> float:
    start = time.perf_counter()
    read(path)
    return time.perf_counter() - start


def _polars_read(path: Path) -> pl.DataFrame:
    return pl.read_csv(path, separator="\t", has_header=False, columns=[0, 1])


def _polars_scan(path: Path) -> pl.DataFrame:
    return pl.scan_csv(path, separator="\t", has_header=False).select(pl.nth(0, 1)).collect()


def _write_edges(path: Path, edge_count: int, *, shuffled: bool) -> None:
    rng = np.random.default_rng(1)
    nodes = max(2, POKEC_NODES * edge_count // POKEC_EDGES)
    names = rng.permutation(nodes)
    source, target = (names[(nodes * rng.random(edge_count) ** 2).astype(np.int64)] + 1 for _ in range(2))
    order = rng.permutation(edge_count) if shuffled else np.lexsort((target, source))
    path.write_bytes(_format(source[order], target[order]))


@numba.njit(cache=True)
def _format(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    text = np.empty(source.size * 18, dtype=np.uint8)
    digits = np.empty(20, dtype=np.uint8)
    end = 0
    for k in range(source.size):
        for number, separator in ((source[k], 9), (target[k], 10)):
            count = 0
            while number:
                digits[count] = 48 + number % 10
                number //= 10
                count += 1
            while count:
                count -= 1
                text[end] = digits[count]
                end += 1
            text[end] = separator
            end += 1
    return text[:end]


if __name__ == "__main__":
    main()
