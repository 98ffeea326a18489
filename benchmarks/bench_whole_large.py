"""Very large whole graphs, nobody known: what is found, in which time and memory.

The built-in generator makes as many people as asked for (1.6 million are as many as Pokec has), of whom two graphs
have a share of people and edges in common, as in ``bench_whole.py``.

    python benchmarks/bench_whole_large.py [--people 1600000] [--degree 12] [--seed 101] [0.5:0.75 ...]
"""

from __future__ import annotations

import argparse
import resource
import time

from bench_whole import grade, two_graphs

import thinveil
from thinveil.attacks.matching import Held, KnownNames, NamesAttack
from thinveil.runtime.streams import Seeds


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("overlaps", nargs="*", default=["1:0.75", "0.5:0.75"])
    options.add_argument("--people", type=int, default=1_600_000)
    options.add_argument("--degree", type=float, default=12.0)
    options.add_argument("--seed", type=int, default=101)
    given = options.parse_args()
    warm = thinveil.synthetic_graph(1_000, seed=1)
    NamesAttack().match(Held(warm, (warm,)), seeds=Seeds(0))  # compiles
    graph = thinveil.synthetic_graph(given.people, mean_degree=given.degree, seed=given.seed)
    print(f"{graph.node_count:,} people, {graph.edge_count:,} edges", flush=True)
    for overlaps in given.overlaps:
        nodes, edges = map(float, overlaps.split(":"))
        auxiliary, target, truth = two_graphs(graph, nodes, edges, given.seed)
        start, worked = time.perf_counter(), time.process_time()
        names = NamesAttack().match(Held(auxiliary, (target,), KnownNames()), seeds=Seeds(given.seed))
        seconds, worked = time.perf_counter() - start, time.process_time() - worked
        right, wrong, absent = grade(names, truth)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        spent = f"{seconds:.0f} s ({worked:.0f} s of processor time), peak {memory:.2f} GiB"
        found = f"right {right:.1f} / wrong {wrong:.2f} / absent {absent:.2f} %"
        print(f"{overlaps}: {found}, {spent}; {names.verdict.words}", flush=True)


if __name__ == "__main__":
    main()
