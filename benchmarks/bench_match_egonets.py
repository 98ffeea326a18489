"""Name the people of egonets with the graph they were cut from, or a noisy copy of it: shares, seconds, draws.

    THINVEIL_DATA=folder python benchmarks/bench_match_egonets.py [--draws 3] [--only exact|noisy] [--graphs epinions]

Prints right / wrong in % of the published people who are in the attacker's graph, absent in % of those who are not;
mean and spread (largest less smallest) of the draws; beside them what a prototype reached. Seconds are of the clock and
of the processor: on a machine that others use, half of the latter is what two free cores would take.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.base import Held
from thinveil.attacks.matching.egonets import match_egonets
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.twins import has_twin
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Release, make_scheme
from thinveil.threats.identification import thin

FILES = {"epinions": "soc-Epinions1.txt.gz", "github": "github-social.csv.gz"}
NOISE = ((0.75, 0.9), (0.5, 0.75))
PROTOTYPE = {
    ("epinions", "d4d-1", 1, 1): "87.1 / 0, >5: 99.96, 1-hop 95.9, 2-hop 87.0, twins 12.6, 2-11 s",
    ("epinions", "d4d-2", 1, 1): "19.7 / 0, >5: 99.8, 1-hop 95.5, 2-hop 18.7, twins 80.3, 1-5 s",
    ("github", "d4d-1", 1, 1): "89.0 / 0, >5: 99.97, 1-hop 99.3, 2-hop 89.0, twins 10.9",
    ("github", "d4d-2", 1, 1): "2.7 / 0, >5: 93.6, 1-hop 99.0, 2-hop 2.4, twins 97.3",
    ("epinions", "d4d-1", 0.75, 0.9): "59.4 / .18, >5: 74.9 / .10, 1-hop 84.8, absent .59, 50-120 s",
    ("epinions", "d4d-2", 0.75, 0.9): "9.8 / .23, >5: 88.5 / .46, 1-hop 82.5, absent .54, 20-30 s",
    ("epinions", "d4d-1", 0.5, 0.75): "25.1 / .14, >5: 33.4 / .07, 1-hop 51.9, absent .41",
    ("epinions", "d4d-2", 0.5, 0.75): "3.3 / .15, >5: 45.4 / 1.07, 1-hop 42.4, absent .31",
}


class Scene(NamedTuple):
    """What the attacker holds, and who the published nodes are in his graph: -1 for nobody."""

    held: Held
    release: Release
    truth: list[NDArray[np.int32]]


def main() -> None:
    folder = os.environ.get("THINVEIL_DATA")
    if not folder:
        sys.exit("set THINVEIL_DATA to the folder of soc-Epinions1.txt.gz and github-social.csv.gz")
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--only", choices=["exact", "noisy"])
    parser.add_argument("--graphs", nargs="+", default=list(FILES), choices=list(FILES))
    parser.add_argument("--schemes", nargs="+", default=["d4d-2", "d4d-1"])
    asked = parser.parse_args()
    rows = [(1.0, 1.0)] * (asked.only != "noisy") + list(NOISE) * (asked.only != "exact")
    for name in asked.graphs:
        graph = read_graph(Path(folder) / FILES[name])
        for people, edges in rows:
            for scheme in asked.schemes:
                results = [measure(make_scene(graph, scheme, people, edges, draw), draw) for draw in range(asked.draws)]
                report(f"{name} {scheme} {people:g}/{edges:g}", results)
                print(f"  prototype: {PROTOTYPE.get((name, scheme, people, edges), 'not measured')}", flush=True)


def make_scene(graph: Graph, scheme: str, people: float, edges: float, draw: int) -> Scene:
    """Publish A + B and hold B + C, as the threat of identification does."""
    chance = np.random.default_rng(100 + draw)
    order = chance.permutation(graph.node_count).astype(np.int32)
    alone = round((1 - people) / 2 * order.size)
    groups = chance.permutation(order[: order.size - alone]), chance.permutation(order[alone:])
    deleted = (1 - edges) / (1 + edges)
    published, auxiliary = (thin(graph, one, deleted, int(chance.integers(2**62))) for one in groups)
    number = np.full(graph.node_count, -1, dtype=np.int32)
    number[groups[1]] = np.arange(groups[1].size)
    made = make_scheme(scheme)
    release = made.publish(published, seed=draw)
    assert release.secret is not None
    truth = [number[groups[0][secret.people]] for secret in release.secret]
    return Scene(Held(auxiliary, list(release.public), scheme=made), release, truth)


def measure(scene: Scene, draw: int) -> dict[str, tuple[float, ...]]:
    clock, processor = time.perf_counter(), time.process_time()
    names = match_egonets(scene.held, seeds=Seeds(draw))
    seconds = time.perf_counter() - clock, time.process_time() - processor
    public, secret = scene.held.target, scene.release.secret
    assert secret is not None
    start = np.cumsum([0, *(one.node_count for one in public)])
    person = np.full(start[-1], -1, dtype=np.int32)
    person[start[names.subgraph] + names.node] = names.person
    truth, hops = np.concatenate(scene.truth), np.concatenate([one.hops for one in secret if one.hops is not None])
    degree = np.concatenate([one.degrees for one in public])
    groups = {"everybody": degree >= 0, "> 5 contacts": degree > 5, "1-hop": hops == 1, "2-hop": hops == 2}
    twins = 100 * float(np.mean(np.concatenate([has_twin(one) for one in public])))
    print(f"  draw {draw}: {names.verdict.words}", flush=True)
    return {
        **{name: grade(person[one], truth[one]) for name, one in groups.items()},
        "twins, s, cpu s": (twins, *seconds),
    }


def grade(person: NDArray[np.int32], truth: NDArray[np.int32]) -> tuple[float, ...]:
    """Return right and wrong of those who can be named, absent of those who cannot, and precision, in %."""
    named, there = person >= 0, truth >= 0
    right, wrong, absent = person == truth, there & (person != truth), ~there
    shares = (named & right & there, there), (named & wrong, there), (named & absent, absent), (right & named, named)
    return tuple(100 * float(some.sum()) / max(1, int(every.sum())) for some, every in shares)


def report(title: str, results: list[dict[str, tuple[float, ...]]]) -> None:
    print(f"{title}: right / wrong / absent / precision, mean (spread)")
    for name in results[0]:
        values = np.array([one[name] for one in results])
        cells = (f"{mean:.2f} ({spread:.2f})" for mean, spread in zip(values.mean(0), np.ptp(values, 0), strict=True))
        print(f"  {name:<16}{'  '.join(cells)}")


if __name__ == "__main__":
    main()
