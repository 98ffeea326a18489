"""All measures of utility, family by family, and uniqueness: seconds and peak memory.

Uses Epinions where THINVEIL_DATA names a folder that holds it, the built-in graph elsewhere. Releases: pseudonyms, a
fifth of the edges deleted, 100 egonets of Scheme 2, and a random graph, the hardest (nothing of it is tree-like).
Memory is what the process holds at most, less what it held when graph and release were there.
"""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

import numpy as np

from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.graph.thinning import thin
from thinveil.measures.uniqueness import find_uniqueness
from thinveil.measures.utility import FAMILIES, utility
from thinveil.schemes import Release, Secret, make_scheme
from thinveil.schemes.base import Published


def main() -> None:
    utility(warm := synthetic_graph(500, seed=1), warm)  # import and compile
    graph = open_graph()
    everybody = np.arange(graph.node_count, dtype=np.int32)
    ends = np.random.default_rng(0).integers(graph.node_count, size=(2, graph.edge_count))
    releases = {
        "pseudonyms": make_scheme("pseudonyms").publish(graph, seed=1),
        "a fifth of the edges deleted": of(thin(graph, everybody, 0.2, 1)),
        "egonets of d4d-2": make_scheme("d4d-2").publish(graph, seed=1),
        "random graph": of(Graph.from_edges(*ends, node_count=graph.node_count)),
    }
    held = memory()
    for name, release in releases.items():
        busy = time.process_time()
        seconds = clock(lambda release=release: utility(graph, release))
        busy = time.process_time() - busy
        unique = clock(lambda release=release: find_uniqueness(fresh(graph), release.public))
        print(f"{name}: utility {seconds:.1f} s ({busy:.1f} s of processor time), uniqueness {unique:.2f} s; "
              f"{memory() - held:.0f} MiB more so far")  # fmt: skip
    for name in ("a fifth of the edges deleted", "random graph"):
        print(f"seconds of each family alone, {name}: {each_family(graph, releases[name])}")


def each_family(graph: Graph, release: Release) -> str:
    told = [clock(lambda one=one: utility(graph, release, measures=one.name)) for one in FAMILIES]
    return ", ".join(f"{one.name} {seconds:.2f}" for one, seconds in zip(FAMILIES, told, strict=True))


def of(public: Graph) -> Release:
    return Release.of([Published(public, Secret(np.arange(public.node_count, dtype=np.int32)))])


def fresh(graph: Graph) -> Graph:
    """Return the graph without what it remembers of its triangles."""
    return Graph(graph.indptr, graph.indices)


def open_graph() -> Graph:
    path = Path(os.environ.get("THINVEIL_DATA", "")) / "soc-Epinions1.txt.gz"
    if path.exists():
        return read_graph(path)
    print("THINVEIL_DATA names no folder with soc-Epinions1.txt.gz: using the built-in graph")
    return synthetic_graph()


def memory() -> float:
    """Return the MiB that the process held at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def clock(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
