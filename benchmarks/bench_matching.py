"""Name the people in releases of Epinions with Epinions itself: shares found, scores, processor time, memory.

    THINVEIL_DATA=folder python benchmarks/bench_matching.py [scheme egonets]

The attack learns from Epinions (other people's sub-graphs), or from GitHub's followers, which has none of its people.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

import numpy as np

from thinveil.attacks.matching import gather
from thinveil.auditing.match import match
from thinveil.auditing.models import Model
from thinveil.auditing.train import train
from thinveil.features import Needs, label, observe
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.measures.naming import grade
from thinveil.measures.rates import Rate
from thinveil.runtime.streams import stream
from thinveil.schemes import Release, make_scheme

DRAWS = 3


def main() -> None:
    folder = os.environ.get("THINVEIL_DATA")
    if not folder:
        sys.exit("set THINVEIL_DATA to the folder of soc-Epinions1.txt.gz and github-social.csv.gz")
    raw = read_graph(Path(folder) / "soc-Epinions1.txt.gz")
    others = {"Epinions": raw, "GitHub": read_graph(Path(folder) / "github-social.csv.gz")}
    chosen = [(sys.argv[1], int(sys.argv[2]))] if len(sys.argv) > 2 else [("d4d-2", 100), ("d4d-1", 10)]
    for scheme, egonets in chosen:
        for name, graph in others.items():
            start = time.process_time()
            model = train(graph, scheme, attack="forest", seed=100)
            print(f"{scheme} trained on {name}: {time.process_time() - start:.0f} s", flush=True)
            for draw in range(DRAWS):
                measure(raw, model, scheme, egonets, draw)


def measure(raw: Graph, model: Model, scheme: str, egonets: int, draw: int) -> None:
    release = make_scheme(f"{scheme}:egonets={egonets}").publish(raw, seed=draw)
    alone = degree_alone(raw, release, scheme, draw)
    start = time.process_time()
    links = match(raw, release, model, seed=draw)
    seconds = time.process_time() - start
    found = grade(links, release, min_degree=model.plan.sampling.min_degree)
    for name in found.first:
        print(f"  draw {draw} {name:<6} rank 1 {told(found.first[name])}  top 10 {told(found.top[name])}")
    print(f"  degree alone, 1-hop: rank 1 {alone[0]:.2%}  top 10 {alone[1]:.2%}")
    print("  precision", {s: None if r is None else f"{r.hits}/{r.trials}" for s, r in found.precision.items()})
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    rows = sum(np.count_nonzero(graph.degrees > 5) for graph in release.public)
    print(f"  {rows:,} appearances, {seconds:.0f} s of processor time, {memory:.1f} GiB at most", flush=True)


def degree_alone(raw: Graph, release: Release, scheme: str, draw: int) -> tuple[float, float]:
    """Return what guessing among 1-hop people of equal degree finds: the forest has to beat this."""
    view = observe(release.public, Needs())
    labels = label(release.secret, view)
    seed = int(stream(draw, "raw sub-graphs").integers(2**62))  # as match draws them
    cut = make_scheme(f"{scheme}:egonets=400").publish(raw, seed=seed)
    seen = gather(cut, Needs(), min_degree=5, most=1)
    near, rows, degree = ~seen.is_far, ~labels.is_far, seen.view.degree
    own = np.full(raw.node_count, -1)
    own[seen.person[near]] = degree[near]
    fitting = np.bincount(degree[near], minlength=int(view.degree.max()) + 1)[view.degree[rows]]
    there = own[labels.person[rows]] == view.degree[rows]
    chances = [there * np.minimum(1, top / np.maximum(fitting, 1)) for top in (1, 10)]
    return float(chances[0].mean()), float(chances[1].mean())


def told(rate: Rate) -> str:
    return f"{100 * rate.value:.2f}% ({100 * rate.low:.2f}-{100 * rate.high:.2f}) of {rate.trials}"


if __name__ == "__main__":
    main()
