"""Schemes for whole graphs: seconds, memory and edges kept of each, and three of them beside plain Python.

Each scheme runs in a process of its own, once to load what it needs, and then once to be timed; memory is the most
that the process held, graph and libraries included. switch is set beside networkx's ``double_edge_swap``, as many times
as there are edges for two, random-walk and k-degree beside careful loops over sets and dictionaries, in turn in one
process, by its processor time: set NUMBA_NUM_THREADS=1. All of them give everybody's contacts under fresh pseudonyms.
Uses Epinions where THINVEIL_DATA names a folder that holds it, the built-in graph elsewhere.

    python benchmarks/bench_whole_schemes.py [--only NAME ...]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import resource
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import networkx as nx
import numpy as np

from thinveil.errors import ThinveilError
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import make_scheme

WORDS = (
    "pseudonyms", "sparsify", "add-delete", "switch", "random-walk", "random-walk:steps=10", "k-degree:k=5", "k-degree",
    "k-degree:k=100", "k-degree:additions=yes", "clusters", "clusters:hops=1", "uncertain", "uncertain:exposed=0.001",
    "tmf:epsilon=1", "tmf", "priv-graph", "dp-degrees", "random-graph", "drop-hubs", "sparsify+switch",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=WORDS, help="schemes, or compare for the plain ones")
    parser.add_argument("--turns", type=int, default=3, help="how often ours and the plain one run in turn")
    options = parser.parse_args()
    print(f"{'scheme':26} {'seconds':>8} {'MiB':>6} {'edges':>9} {'true edges kept':>16}")
    for word in options.only if options.only != ["compare"] else ():
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            print(pool.apply(measure, (word,)), flush=True)
    if options.only in (WORDS, ["compare"]):
        compare(options.turns)


def measure(word: str) -> str:
    """Return a line about one scheme."""
    graph = open_graph()
    try:
        make_scheme(word).publish(graph, seed=0).public[0]
        start = time.perf_counter()
        release = make_scheme(word).publish(graph, seed=1)
        public = release.public[0]
        seconds = time.perf_counter() - start
    except ThinveilError as error:
        return f"{word:26} {error}"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    kept = count_kept(public, release.secret[0].people, graph) / graph.edge_count
    return f"{word:26} {seconds:8.2f} {memory:6.0f} {public.edge_count:9,} {kept:16.2%}"


def count_kept(public: Graph, people: np.ndarray, graph: Graph) -> int:
    """Count the published edges that are true."""
    source, target = people[np.repeat(np.arange(public.node_count), public.degrees)], people[public.indices]
    real = (source >= 0) & (target >= 0)
    true = np.repeat(np.arange(graph.node_count), graph.degrees) * graph.node_count + graph.indices
    return int(np.isin(source[real].astype(np.int64) * graph.node_count + target[real], true).sum() // 2)


def compare(turns: int) -> None:
    graph = open_graph()
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    once = source < graph.indices
    edges = list(zip(source[once].tolist(), graph.indices[once].tolist(), strict=True))
    contacts = [graph.neighbors(v).tolist() for v in range(graph.node_count)]
    outside = nx.Graph(edges)
    swaps = graph.edge_count // 2
    plain: dict[str, Callable[[], Iterable[Iterable[int]]]] = {
        "switch:share=1": lambda: nx.double_edge_swap(outside.copy(), swaps, max_tries=100 * swaps, seed=1).edges,
        "k-degree": lambda: plain_k_degree(contacts, edges, 10),
        "random-walk": lambda: plain_walks(contacts, 2, 10),
    }
    for word, work in plain.items():
        make_scheme(word).publish(graph, seed=0).public[0]
        ours, theirs = [], []
        for turn in range(turns):
            ours.append(clock(lambda word=word, turn=turn: make_scheme(word).publish(graph, seed=turn).public[0]))
            theirs.append(clock(lambda work=work: rename(work(), len(contacts))))
        ratio = np.median(theirs) / np.median(ours)
        print(f"{word}: {np.median(ours):.3f}s, plain {np.median(theirs):.2f}s, ratio {ratio:.0f}x")


def rename(edges: Iterable[Iterable[int]], people: int) -> list[list[int]]:
    """Return everybody's contacts under fresh pseudonyms, in order."""
    names, contacts = list(range(people)), [[] for _ in range(people)]
    random.Random(2).shuffle(names)
    for one, other in edges:
        contacts[names[one]].append(names[other])
        contacts[names[other]].append(names[one])
    for mine in contacts:
        mine.sort()
    return contacts


def plain_walks(contacts: list[list[int]], steps: int, tries: int) -> set[tuple[int, int]]:
    """Replace each contact by the end of a random walk."""
    draw, edges = random.Random(1), set()
    for u, mine in enumerate(contacts):
        own = 0
        for v in mine:
            for _ in range(tries):
                end = v
                for _ in range(steps - 1):
                    end = draw.choice(contacts[end])
                pair = (min(u, end), max(u, end))
                if end != u and pair not in edges:
                    if own == 0 or draw.random() < (0.5 * len(mine) - 1) / (len(mine) - 1):
                        edges.add(pair)
                    own += 1
                    break
    return edges


def plain_k_degree(contacts: list[list[int]], edges: list[tuple[int, int]], k: int) -> set[frozenset[int]]:
    """Find the best degrees by the plain dynamic program, and move edges from people with too many to others."""
    order = sorted(range(len(contacts)), key=lambda v: -len(contacts[v]))
    falling = [len(contacts[v]) for v in order]
    sums = [0]
    for degree in falling:
        sums.append(sums[-1] + degree)
    least, start = [float("inf")] * (len(order) + 1), [0] * (len(order) + 1)
    least[0] = 0
    for end in range(k, len(order) + 1):
        for first in range(max(0, end - 2 * k + 1), end - k + 1):
            middle = (first + end) // 2
            median = falling[middle]
            cost = sums[middle] - sums[first] - median * (middle - first)
            cost += median * (end - middle) - sums[end] + sums[middle] + least[first]
            if cost < least[end]:
                least[end], start[end] = cost, first
    missing, end = [0] * len(order), len(order)
    while end:
        for place in range(start[end], end):
            missing[order[place]] = falling[(start[end] + end) // 2] - falling[place]
        end = start[end]
    return move(contacts, edges, missing)


def move(contacts: list[list[int]], edges: list[tuple[int, int]], missing: list[int]) -> set[frozenset[int]]:
    """Hand edges on from people with too many to those with too few; what is left over stays."""
    draw, present = random.Random(1), {frozenset(edge) for edge in edges}
    few = [v for v, count in enumerate(missing) for _ in range(count)]
    draw.shuffle(few)
    for u, count in enumerate(missing):
        for w in draw.sample(contacts[u], max(-count, 0)):
            able = next((k for k in range(len(few) - 1, -1, -1) if w != few[k] and {w, few[k]} not in present), None)
            if frozenset((u, w)) in present and able is not None:
                present.remove(frozenset((u, w)))
                present.add(frozenset((few.pop(able), w)))
    return present


def open_graph() -> Graph:
    path = Path(os.environ.get("THINVEIL_DATA", "")) / "soc-Epinions1.txt.gz"
    return read_graph(path) if path.exists() else synthetic_graph()


def clock(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
