"""What the strong attack sees of a release, beside the paper's histogram, in one process: both schemes of Epinions.

Uses Epinions where THINVEIL_DATA names a folder that holds it, the built-in graph elsewhere.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from thinveil.attacks import ForestAttack, StrongAttack
from thinveil.features import observe
from thinveil.features.comparison import Comparer
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import Release, make_scheme

_TIMES = 5


def main() -> None:
    graph = open_graph()
    for scheme in ("d4d-2", "d4d-1"):
        release = make_scheme(scheme).publish(graph, seed=1)

        def look(release: Release = release) -> None:
            Comparer.of(observe(release.public, StrongAttack().needs))

        def histogram(release: Release = release) -> None:
            observe(release.public, ForestAttack().needs)

        look(), histogram()  # compile
        strong, paper = [], []
        for _ in range(_TIMES):
            strong.append(clock(look))
            paper.append(clock(histogram))
        print(f"{scheme}, 100 egonets: strong {np.median(strong):.2f}s, histogram {np.median(paper):.2f}s, "
              f"ratio {np.median(strong) / np.median(paper):.1f}")  # fmt: skip


def clock(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def open_graph() -> Graph:
    path = Path(os.environ.get("THINVEIL_DATA", "")) / "soc-Epinions1.txt.gz"
    return read_graph(path) if path.exists() else synthetic_graph()


if __name__ == "__main__":
    main()
