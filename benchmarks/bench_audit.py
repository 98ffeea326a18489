"""A whole audit of Epinions as a user runs it (seconds, memory), and its rates beside the paper's.

Needs THINVEIL_DATA to name a folder with soc-Epinions1.txt.gz.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

from thinveil.auditing.audit import audit
from thinveil.features.pairs import CATEGORIES
from thinveil.graph.reading import read_graph
from thinveil.measures.rates import FPRS
from thinveil.paper.numbers import printed

OTHERS = tomllib.loads((Path(__file__).parent / "reimplementation.toml").read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--protocol", default="paper")
    parser.add_argument("--attack", default="forest")
    parser.add_argument("--negatives", type=int, default=100_000)
    options = parser.parse_args()
    path = Path(os.environ.get("THINVEIL_DATA", "")) / "soc-Epinions1.txt.gz"
    if not path.exists():
        print("skipped: THINVEIL_DATA names no folder with soc-Epinions1.txt.gz")
        return
    for _ in range(2):  # the first may compile
        seconds = run_command(path, options.attack)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"thinveil audit --attack {options.attack} --scheme d4d-2 --seed 1: {seconds:.1f}s, {memory:.2f} GiB "
          "(the paper: about 75 hours)")  # fmt: skip
    graph = read_graph(path)
    for scheme in ("d4d-1", "d4d-2"):
        result = audit(graph, scheme, repeats=options.draws, protocol=options.protocol, seed=1, attack=options.attack,
                       beside=(), test_negatives=options.negatives)  # fmt: skip
        print(f"\n{scheme}, {options.draws} draws, protocol {options.protocol}, {options.negatives:,} negatives; "
              "TPR % mean ± sd between draws [paper | re-implementation]")  # fmt: skip
        for category in CATEGORIES:
            cells = []
            for k, fpr in enumerate(FPRS):
                rate = result.rate(category, fpr)
                known = f"{printed('self', 'epinions', scheme, category)[k]:.1f} | {OTHERS[scheme][category][k]:.1f}"
                ours = "   -" if rate.mean is None else f"{100 * rate.mean:5.1f} ±{100 * (rate.sd or 0):4.1f}"
                cells.append(f"{ours} [{known}]")
            print(f"{category:9}" + "  ".join(cells) + f"  AUC {result.auc[category].mean:.3f}")


def run_command(path: Path, attack: str) -> float:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "thinveil", "audit", str(path), "--scheme", "d4d-2", "--seed", "1",
                   "--attack", attack]  # fmt: skip
        subprocess.run([*command, "--out", out], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
