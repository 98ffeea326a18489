"""Two whole graphs, nobody known: what is found, beside what was published of prototypes and of Bumblebee; how long.

Rows are graphs with the shares of people and of edges in common. Right and wrong are % of the published people who are
in the auxiliary graph too, absent is the % of the others who get a name all the same; mean and span over draws.

    python benchmarks/bench_whole.py [--draws 3] [--first 101] [ROW ...]     such as epinions:0.5:0.75
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from pathlib import Path

import numpy as np

import thinveil
from thinveil.attacks.matching import Held, KnownNames, NamesAttack
from thinveil.graph.thinning import thin
from thinveil.runtime.streams import Seeds

FILES = {
    "epinions": "soc-Epinions1.txt.gz", "facebook": "facebook_combined.txt.gz", "flickr": "flickr-8k.txt.gz",
    "blogcatalog": "blogcatalog.txt.gz", "github": "github-social.csv.gz", "pokec": "pokec-z-part.txt.gz",
}  # fmt: skip
# right / wrong / absent of the prototype without known people, and of Bumblebee with 50
MARKS = {
    "epinions:1:0.75": ("44.7 / 1.8", "43.4 / 0.9"),
    "epinions:0.5:0.75": ("24.9 / 1.0 / 2.8", "23.6 / 1.4 / 5.2"),
    "epinions:0.5:0.5": ("15.2 / 0.75 / 1.8", "12.1 / 2.7 / 5.0"),
    "epinions:0.25:0.75": ("13.8 / 0.25 / 0.7", "7.4 / 1.6"),
    "epinions:0.25:0.5": ("7.5 / 0.32 / 0.7", "0.2 / 1.4"),
    "facebook:1:0.75": ("80.4 / 2.5", "70.7 / 2.4"),
    "facebook:0.5:0.75": ("47.9 / 2.0 / 4.5", "18.0 / 2.8 / 5.7"),
    "flickr:0.5:0.5": ("87.5 / 0.7 / 4.0", "82.9 / 2.4 / 10.6"),
    "flickr:0.25:0.25": ("0 / 0 / 0, told", "0.9 / 14.2"),
    "blogcatalog:0.5:0.5": ("67.8 / 1.3 / 4.5", "54.7 / 3.8 / 8.4"),
}


def two_graphs(graph, nodes, edges, seed):
    """Return an auxiliary graph, a target, and for each node of the target its person there, or -1."""
    chance = np.random.default_rng(seed)
    order = chance.permutation(graph.node_count).astype(np.int32)
    both = round(nodes * order.size)
    alone = (order.size - both) // 2
    members = [chance.permutation(part).astype(np.int32) for part in (order[alone:], order[: alone + both])]
    cut = (1 - edges) / (1 + edges)
    auxiliary, target = (thin(graph, part, cut, int(chance.integers(2**62))) for part in members)
    place = np.full(graph.node_count, -1)
    place[members[0]] = np.arange(members[0].size)
    return auxiliary, target, place[members[1]]


def grade(names, truth):
    said = np.full(truth.size, -1)
    said[names.node] = names.person
    there = truth >= 0
    wrong = (said >= 0) & (said != truth)
    absent = 100 * np.mean(said[~there] >= 0) if (~there).any() else np.nan
    return 100 * np.mean(said[there] == truth[there]), 100 * np.mean(wrong[there]), absent


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("rows", nargs="*", default=list(MARKS))
    options.add_argument("--draws", type=int, default=3)
    options.add_argument("--first", type=int, default=101, help="seed of the first draw")
    given = options.parse_args()
    folder = Path(os.environ.get("THINVEIL_DATA", ""))
    warm = thinveil.synthetic_graph(1_000, seed=1)
    NamesAttack().match(Held(warm, (warm,)), seeds=Seeds(0))  # compiles
    print("row, draws: right (span) / wrong / absent, seconds, accepted; prototype; Bumblebee with 50 known people")
    for row in given.rows:
        name, nodes, edges = row.split(":")
        graph = thinveil.read_graph(folder / FILES[name]) if name in FILES else thinveil.synthetic_graph(int(name))
        found, seconds, worked, accepted = [], [], [], 0
        for seed in range(given.first, given.first + given.draws):
            auxiliary, target, truth = two_graphs(graph, float(nodes), float(edges), seed)
            start, begun = time.perf_counter(), time.process_time()
            names = NamesAttack().match(Held(auxiliary, (target,), KnownNames()), seeds=Seeds(seed))
            seconds.append(time.perf_counter() - start)
            worked.append(time.process_time() - begun)
            found.append(grade(names, truth))
            accepted += names.verdict.accepted
        right, wrong, absent = np.mean(found, axis=0)
        span = f"{min(f[0] for f in found):.1f}-{max(f[0] for f in found):.1f}"
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        marks = "; ".join(MARKS.get(row, ("-", "-")))
        spent = f"{np.mean(seconds):.1f} s ({np.mean(worked):.1f} s of processor time)"
        print(f"{row}: {right:.1f} ({span}) / {wrong:.2f} / {absent:.2f}, {spent}, {accepted} of {given.draws}; "
              f"{marks} (peak {memory:.2f} GiB)", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
