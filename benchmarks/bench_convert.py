"""The time of `thinveil.convert` against that of polars alone, scanning the same two columns; and its memory.

The text files are those of bench_io.py: Pokec's size and form. Both sides run in turn in one process, with a warm page
cache and warm kernels; each round's ratio is printed, for the goal holds for every one of them. With `--memory` the
peak of a conversion that sorts on the disk is measured in a process of its own, above what the program takes by itself.

    python benchmarks/bench_convert.py                      # five rounds, about 2 GB of files
    python benchmarks/bench_convert.py --edges 1000000      # a small trial
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_io import POKEC_EDGES, _polars_scan, _timed, _write_edges

from thinveil import convert

_PEAK = """
import resource, sys, time
from tests.peaks import peak, reset_peak
import thinveil.graph.stored.convert as program, thinveil.graph.stored.sorting, thinveil.graph.reading.streaming
from thinveil.graph.reading import formats, foreign
import polars, thinveil.graph.stored.opening
base = reset_peak()
start = time.process_time()
graph = program.convert(sys.argv[1], sys.argv[2], memory=sys.argv[3])
print(f"{graph}: {(peak() - base) / 2**20:.0f} MiB above {base / 2**20:.0f}, {time.process_time() - start:.1f} s")
start = time.perf_counter()
graph = thinveil.graph.stored.opening.open_stored(sys.argv[2])
opened = time.perf_counter() - start
start = time.perf_counter()
graph.indices
print(f"opened in {1000 * opened:.1f} ms, looked through at first use in {time.perf_counter() - start:.2f} s")
"""


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary)
        for order in options.orders:
            path = folder / f"edges-{options.edges}-{order}.txt"
            if not path.exists():
                _write_edges(path, options.edges, shuffled=order == "shuffled")
            _compare(path, folder / "converted.thinveil", options.rounds)
            for memory in options.memory:
                _measure(path, folder / "converted.thinveil", memory)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edges", type=int, default=POKEC_EDGES)
    parser.add_argument("--folder", help="keep the files here and use them again")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--orders", nargs="*", default=["sorted", "shuffled"])
    parser.add_argument("--memory", nargs="*", default=["512MiB"])
    return parser.parse_args()


def _compare(path: Path, out: Path, rounds: int) -> None:
    print(f"{path.name}: {path.stat().st_size / 1e6:.0f} MB, load {os.getloadavg()[0]:.1f}")
    for number in range(rounds + 1):
        scan = _timed(_polars_scan, path)
        shutil.rmtree(out, ignore_errors=True)
        start = time.perf_counter()
        convert(path, out)
        took = time.perf_counter() - start
        if number:  # the first warms up
            print(f"  polars {scan:6.2f} s, convert {took:6.2f} s, ratio {took / scan:.2f} (wanted: 3)", flush=True)


def _measure(path: Path, out: Path, memory: str) -> None:
    shutil.rmtree(out, ignore_errors=True)
    told = subprocess.run(
        [sys.executable, "-c", _PEAK, str(path), str(out), memory], capture_output=True, text=True, check=True
    )
    print(f"  --memory {memory}: {told.stdout.strip()}")


if __name__ == "__main__":
    main()
