"""One graph inside the other: the smaller network has some people of the larger one, and some of the edges among them.

Douban is a real such pair. Others are cut here: the larger graph is what a random walk reaches of a published graph,
with edges left out until a person has about 4.5 contacts; the smaller one has 30% of these people (whom another walk
meets, or drawn by degree), 60% of the edges among them, and only its largest connected part. Right and wrong are % of
the smaller graph's people. Draws of Douban differ in the attack's own luck only.

    python benchmarks/bench_nested.py [--draws 3] [--first 101] [ROW ...]     such as pokec:walk, github:degree, douban
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
from bench_bound import douban, matrix
from bench_whole import FILES, grade
from scipy.sparse.csgraph import connected_components

import thinveil
from thinveil.attacks.matching import Held, KnownNames, NamesAttack
from thinveil.graph.thinning import thin
from thinveil.graph.twins import has_twin
from thinveil.runtime.streams import Seeds

ROWS = ("pokec:walk", "pokec:degree", "github:walk", "github:degree", "epinions:walk", "epinions:degree", "douban")
PEOPLE, CONTACTS, SHARE, KEPT = 4_000, 4.5, 0.3, 0.6


def two_graphs(graph, how, chance):
    """Return a graph, a part of it, and for each node of the part who it is there."""
    some = largest(thin(graph, walk(graph, min(round(1.3 * PEOPLE), graph.node_count), chance), 0.0, 0))
    lost = max(0.0, 1 - CONTACTS * some.node_count / (2 * some.edge_count))
    outer = largest(thin(some, shuffled(some, chance), lost, int(chance.integers(2**62))))
    size = round(SHARE * outer.node_count)
    by_degree = outer.degrees / outer.degrees.sum()
    people = walk(outer, size, chance) if how == "walk" else chance.choice(outer.node_count, size, False, by_degree)
    people = chance.permutation(people).astype(np.int32)
    part = thin(outer, people, 1 - KEPT, int(chance.integers(2**62)))
    kept = largest_people(part)
    return outer, thin(part, kept, 0.0, 0), people[kept]


def walk(graph, size, chance):
    """Return so many people whom a random walk meets; now and then it goes on from somebody it has met before."""
    met, now = dict.fromkeys([int(np.argmax(graph.degrees))]), int(np.argmax(graph.degrees))
    while len(met) < size:
        near = graph.neighbors(now)
        now = int(chance.choice(near)) if chance.random() > 0.02 else int(chance.choice(list(met)))
        met[now] = None
    return np.fromiter(met, dtype=np.int32)


def shuffled(graph, chance):
    return chance.permutation(graph.node_count).astype(np.int32)


def largest_people(graph):
    _, part = connected_components(matrix(graph), directed=False)
    return np.flatnonzero(part == np.bincount(part).argmax()).astype(np.int32)


def largest(graph):
    return thin(graph, largest_people(graph), 0.0, 0)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("rows", nargs="*", default=ROWS)
    options.add_argument("--draws", type=int, default=3)
    options.add_argument("--first", type=int, default=101, help="seed of the first draw")
    given = options.parse_args()
    folder = Path(os.environ.get("THINVEIL_DATA", ""))
    print("row, people / edges of both graphs: right / wrong %, without a twin %, processor seconds, verdict")
    for row in given.rows:
        name, _, how = row.partition(":")
        for seed in range(given.first, given.first + given.draws):
            graphs = (
                two_graphs(thinveil.read_graph(folder / FILES[name]), how, np.random.default_rng(seed))
                if how
                else douban(folder / name)
            )
            outer, inner, truth = graphs
            start = time.process_time()
            names = NamesAttack().match(Held(outer, (inner,), KnownNames()), seeds=Seeds(seed))
            seconds, (right, wrong, _) = time.process_time() - start, grade(names, truth)
            sizes = f"{outer.node_count} / {outer.edge_count}, {inner.node_count} / {inner.edge_count}"
            print(f"{row}, {sizes}: {right:.1f} / {wrong:.1f}, {100 * np.mean(~has_twin(inner)):.0f}, {seconds:.0f}; "
                  f"{names.verdict.words}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
