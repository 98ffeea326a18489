"""Published attacks on two noisy copies of Epinions: right / wrong / absent; and their speed beside plain Python.

    THINVEIL_DATA=folder python benchmarks/bench_peers.py [--draws 3] [--peers bumblebee korula-lattanzi]

Right and wrong are % of the published people who are in the auxiliary graph too, absent is % of the others who get a
name all the same. Known people are drawn among those of both graphs whose degree is in the top quarter, and do not
count. Seconds are processor time, without compilation.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.naive import peers as naive
from thinveil.attacks.matching.base import Held, KnownNames, MatchingAttack
from thinveil.attacks.matching.peers import (
    PEERS,
    Bumblebee,
    ExpandWhenStuck,
    KorulaLattanzi,
    NarayananShmatikov,
    Percolation,
)  # fmt: skip
from thinveil.attacks.matching.peers.peer import Peer
from thinveil.attacks.matching.peers.sides import draw_sides
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.streams import Seeds, stream
from thinveil.threats.identification import thin

ROWS = [(1, 0.75, 10), (1, 0.75, 50), (0.5, 0.75, 10), (0.5, 0.75, 50)]
PROTOTYPE = {(1, 0.75, 10): "43.3 / .9", (1, 0.75, 50): "43.4 / .9", (0.5, 0.75, 10): "7.9 / .5",
             (0.5, 0.75, 50): "23.6 / 1.4 / 5.2"}  # fmt: skip
"""Bumblebee in a prototype, right / wrong / absent, mean of three draws."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--peers", nargs="*", default=[peer.name for peer in PEERS if peer.needs_known])
    options = parser.parse_args()
    peers = [peer() for peer in PEERS if peer.name in options.peers]
    for peer in peers:
        compare_with_twin(peer)
    path = Path(os.environ.get("THINVEIL_DATA", "")) / "soc-Epinions1.txt.gz"
    if not path.exists():
        print("skipped: THINVEIL_DATA names no folder with soc-Epinions1.txt.gz")
        return
    graph = read_graph(path)
    for nodes, edges, known in ROWS:
        print(f"Epinions {nodes:g}/{edges:g}, {known} known (prototype's bumblebee {PROTOTYPE[nodes, edges, known]})")
        for peer in peers:
            grades = np.array([measure(graph, nodes, edges, known, draw, peer) for draw in range(options.draws)])
            right, wrong, absent, seconds = grades.mean(axis=0)
            span = f"{grades[:, 0].min():.1f}-{grades[:, 0].max():.1f}"
            print(f"  {peer.name:20} {right:5.1f} ({span}) / {wrong:.2f} / {absent:.2f}   {seconds:.1f} s", flush=True)


def measure(graph: Graph, nodes: float, edges: float, known: int, draw: int, attack: MatchingAttack) -> list[float]:
    """Return right, wrong, absent in %, and seconds."""
    held, person = overlap(graph, nodes, edges, known, stream(draw, "bench peers"))
    start = time.process_time()
    names = attack.match(held, seeds=Seeds(draw))
    seconds = time.process_time() - start
    said = np.full(person.size, -1)
    said[names.node] = names.person
    unknown = np.ones(person.size, dtype=bool)
    unknown[held.known.node] = False
    there, absent = (person >= 0) & unknown, person < 0
    right, named = said[there] == person[there], said[there] >= 0
    strangers = 100 * (said[absent] >= 0).mean() if absent.any() else 0.0
    return [100 * right.mean(), 100 * (named & ~right).mean(), strangers, seconds]


def overlap(
    graph: Graph, nodes: float, edges: float, known: int, chance: np.random.Generator
) -> tuple[Held, np.ndarray]:
    """Return two noisy copies with known people, and the person behind each published node, -1 for an absent one."""
    order = chance.permutation(graph.node_count).astype(np.int32)
    both = round(nodes * order.size)
    alone, deleted = (order.size - both) // 2, (1 - edges) / (1 + edges)
    published, named = (chance.permutation(part) for part in (order[: alone + both], order[alone:]))
    target, auxiliary = (thin(graph, part, deleted, int(chance.integers(2**62))) for part in (published, named))
    place = np.full(graph.node_count, -1, dtype=np.int32)
    place[named] = np.arange(named.size)
    person = place[published]
    there = np.flatnonzero(person >= 0)
    degree = target.degrees[there] + auxiliary.degrees[person[there]]
    node = chance.choice(there[degree >= np.quantile(degree, 0.75)], known, replace=False).astype(np.int32)
    return Held(auxiliary, (target,), KnownNames(np.zeros(known, dtype=np.int32), node, person[node])), person


def compare_with_twin(peer: Peer) -> None:
    """Print how many times as fast as its plain twin an attack is on a small graph, and that both name alike."""
    graph = synthetic_graph(400 if peer.name == "expand-when-stuck" else 2_000, seed=1)
    held, _ = overlap(graph, 1, 0.75, 50, stream(1, "twins"))
    lots = tuple(np.arange(side.node_count) for side in (held.auxiliary, held.target[0]))
    sides = draw_sides(held, held.target[0], lots)
    rows = [[side.neighbors(v).tolist() for v in range(side.node_count)] for side in (held.auxiliary, held.target[0])]
    image = peer.find(sides, Seeds(1)).image.tolist()  # compiles
    fast = clock(lambda: [peer.find(sides, Seeds(1)) for _ in range(5)]) / 5
    plain: list[Any] = []
    slow = clock(lambda: plain.extend(run_twin(peer, *rows, sides.known.tolist())))
    same = "the same names" if plain[0] == image else "OTHER NAMES"
    print(f"{peer.name:20} {slow / fast:6.0f} times as fast as plain Python ({slow:.2f} s), {same}", flush=True)


def run_twin(peer: Peer, *rows: Any) -> tuple[Any, ...]:
    match peer:
        case NarayananShmatikov():
            return naive.propagate(*rows, theta=peer.theta, power=0.5, by_ratio=False, sweeps=peer.sweeps)
        case Bumblebee():
            return naive.propagate(*rows, theta=peer.theta, power=peer.delta, by_ratio=True, sweeps=peer.sweeps)
        case KorulaLattanzi():
            return naive.reconcile(*rows, witnesses=peer.witnesses, iterations=peer.iterations)
        case Percolation():
            picks = Seeds(1).stream("peers", peer.name, "picks").random(min(len(rows[0]), len(rows[1])))
            return naive.percolate(*rows, picks, marks=peer.marks, limit=peer.pairs)
        case ExpandWhenStuck():
            return naive.expand_when_stuck(*rows, marks=peer.marks)
    raise ValueError(f"{peer.name} has no twin")


def clock(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
