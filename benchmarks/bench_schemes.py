"""Cutting 100 Scheme-1 egonets with features, against networkx `ego_graph` and a plain loop, in one process.

networkx is timed on the first few egonets (it needs minutes for all) and scaled by the edges in them. Uses
Epinions where THINVEIL_DATA names a folder that holds it, the built-in graph elsewhere. Memory is what Python
allocates at its peak while the release is made, looked at and forgotten.
"""

from __future__ import annotations

import argparse
import os
import time
import tracemalloc
from pathlib import Path

import networkx as nx
import numpy as np

from thinveil.features import DegreeHistogram, Needs, observe
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import make_scheme

CHANNEL = DegreeHistogram()
NEEDS = Needs((CHANNEL,))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networkx-egonets", type=int, default=5)
    options = parser.parse_args()
    graph = open_graph()
    release = make_scheme("d4d-1").publish(graph, seed=1)
    observe(release.public[:2], NEEDS)  # compile

    ours, theirs, share = [], [], 0.0
    edges = [public.edge_count for public in release.public]
    outside = nx.Graph()
    outside.add_edges_from(zip(np.repeat(np.arange(graph.node_count), graph.degrees), graph.indices, strict=True))
    for k in range(options.networkx_egonets):
        ours.append(clock(lambda: observe(release.public, NEEDS)))
        ego = int(release.egos[k])
        theirs.append(clock(lambda ego=ego: plain_features(outside, ego)))
        share += edges[k] / sum(edges)
    whole = sum(theirs) / share
    print(f"100 egonets, {sum(edges):,} edges: thinveil {np.median(ours):.2f}s, networkx {whole:.0f}s "
          f"(from {options.networkx_egonets} egonets), ratio {whole / np.median(ours):.0f}x")  # fmt: skip

    largest = max(release.public, key=lambda public: public.edge_count)
    tracemalloc.start()
    for public in release.public:
        CHANNEL.extract(public, np.flatnonzero(public.degrees > 5).astype(np.int32))
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    print(f"peak while cutting: {peak:.1f} MiB; largest egonet {size(largest):.1f} MiB, graph {size(graph):.1f} MiB, "
          f"all egonets {8 * sum(edges) / 2**20:.0f} MiB")  # fmt: skip


def size(graph: Graph) -> float:
    """Return the MiB that a graph takes."""
    return (graph.indices.nbytes + graph.indptr.nbytes) / 2**20


def open_graph() -> Graph:
    path = Path(os.environ.get("THINVEIL_DATA", "")) / "soc-Epinions1.txt.gz"
    if path.exists():
        return read_graph(path)
    print("THINVEIL_DATA names no folder with soc-Epinions1.txt.gz: using the built-in graph")
    return synthetic_graph()


def plain_features(graph: nx.Graph, ego: int) -> dict[int, list[int]]:
    """Do the same as a careful user of networkx would."""
    egonet = nx.ego_graph(graph, ego, radius=2)
    degrees = dict(egonet.degree())
    vectors = {}
    for node, degree in degrees.items():
        if degree > 5:
            vector = [0] * 70
            for neighbor in egonet[node]:
                vector[min((degrees[neighbor] - 1) // 15, 69)] += 1
            vectors[node] = vector
    return vectors


def clock(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
