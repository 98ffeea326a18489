"""The seconds of `synthetic_graph` against networkx, and how real the graph looks.

Both make a graph of the same nodes and about the same edges in one process. The table then sets the
synthetic graph beside those of soc-Epinions1 and github-social that stand in $THINVEIL_DATA, and beside
synthetic graphs of their sizes. Takes three minutes, most of them for networkx's Louvain.

    THINVEIL_DATA=/path/to/data python benchmarks/bench_datasets.py
"""

from __future__ import annotations

import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array
from scipy.sparse.csgraph import connected_components

from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph

REAL = {
    "soc-Epinions1": ("soc-Epinions1.txt.gz", "\t", {"mean_degree": 10.7}),
    "github-social": ("github-social.csv.gz", ",", {"mean_degree": 15.3, "max_degree": 9_458}),
}
BALLS = 1_000  # nodes whose 2-hop balls are looked at
EGONETS = 400  # of those with more than 400 nodes, how many are compared with each other


def main() -> None:
    start = time.perf_counter()
    synthetic_graph(100)
    print(f"first call, with compiling or loading the kernels: {time.perf_counter() - start:.2f} s")
    _compare_seconds()
    columns = {"synthetic": describe(synthetic_graph())} | _real_columns()
    print(" " * 28 + "".join(f"{name:>24}" for name in columns))
    for name in columns["synthetic"]:
        print(f"{name:28}" + "".join(f"{column[name]:>24}" for column in columns.values()))


def _compare_seconds() -> None:
    ours = _best_of(3, synthetic_graph)
    theirs = _best_of(3, lambda: nx.powerlaw_cluster_graph(20_000, 6, 0.5, seed=0))
    print(f"synthetic_graph {ours:.3f} s, networkx powerlaw_cluster_graph {theirs:.3f} s: {theirs / ours:.1f} x")


def _best_of(rounds: int, make: Callable[[], Any]) -> float:
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        make()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def _real_columns() -> dict[str, dict[str, str]]:
    columns = {}
    for name, (file, separator, shape) in REAL.items():
        path = Path(os.environ.get("THINVEIL_DATA", "")) / file
        if path.is_file():
            graph = _read(path, separator)
            columns[name] = describe(graph)
            columns[f"like {name}"] = describe(synthetic_graph(graph.node_count, **shape))
        else:
            print(f"{name} is left out: {file} is not in $THINVEIL_DATA")
    return columns


def _read(path: Path, separator: str) -> Graph:
    text = gzip.decompress(path.read_bytes()).replace(b"\r", b"")
    lines = [line for line in text.split(b"\n") if line[:1].isdigit()]
    table = pl.read_csv(b"\n".join(lines), separator=separator, has_header=False)
    _, dense = np.unique(table.to_numpy(), return_inverse=True)
    dense = dense.reshape(-1, 2)
    return Graph.from_edges(dense[:, 0], dense[:, 1])


def describe(graph: Graph) -> dict[str, str]:
    degrees = graph.degrees
    matrix = _adjacency(graph)
    local, transitivity = _clustering(graph)
    balls, overlaps = _egonets(matrix)
    return {
        "nodes": f"{graph.node_count:,}",
        "mean degree": f"{degrees.mean():.1f}",
        "degree at 50 / 90 / 99 %": _quantiles(degrees, 0.5, 0.9, 0.99),
        "degree at 99.9 % / max": f"{np.quantile(degrees, 0.999):.0f} / {degrees.max():,}",
        "share of degree 1": f"{(degrees == 1).mean():.2f}",
        "mean local clustering": f"{local.mean():.3f}",
        "  of degree 2-7": f"{local[(degrees > 1) & (degrees < 8)].mean():.3f}",
        "  of degree 8-31": f"{local[(degrees > 7) & (degrees < 32)].mean():.3f}",
        "  of degree 32-127": f"{local[(degrees > 31) & (degrees < 128)].mean():.3f}",
        "  of degree 128 and more": f"{local[degrees > 127].mean():.3f}",
        "transitivity": f"{transitivity:.3f}",
        "degree assortativity": f"{_assortativity(graph):.3f}",
        "modularity (Louvain)": f"{_modularity(matrix):.2f}",
        "in the giant component": f"{_giant_share(matrix):.4f}",
        "2-hop ball at 25 / 50 / 75 %": _quantiles(balls, 0.25, 0.5, 0.75),
        "2-hop ball at 90 / 99 %": _quantiles(balls, 0.9, 0.99),
        "2-hop ball > 400": f"{(balls > 400).mean():.2f}",
        "overlap at 10 / 50 / 90 %": " / ".join(f"{value:.3f}" for value in np.quantile(overlaps, [0.1, 0.5, 0.9])),
    }


def _quantiles(values: NDArray[Any], *shares: float) -> str:
    return " / ".join(f"{value:.0f}" for value in np.quantile(values, shares))


def _adjacency(graph: Graph) -> Any:
    ones = np.ones(graph.indices.size, dtype=np.int32)
    return csr_array((ones, graph.indices, graph.indptr), shape=(graph.node_count,) * 2)


def _clustering(graph: Graph) -> tuple[NDArray[Any], float]:
    """Count each triangle once, at its node of highest rank by degree, and credit it to all three."""
    degrees = graph.degrees
    rank = np.argsort(np.argsort(degrees, kind="stable"))
    source = np.repeat(np.arange(graph.node_count), degrees)
    down = rank[source] > rank[graph.indices]
    ones = np.ones(int(down.sum()), dtype=np.int32)
    lower = csr_array((ones, (source[down], graph.indices[down])), shape=(graph.node_count,) * 2)
    top_and_low = lower.multiply(lower @ lower)
    middle = lower.multiply(lower.T @ lower)
    triangles = top_and_low.sum(axis=1) + top_and_low.sum(axis=0) + middle.sum(axis=1)
    wedges = degrees * (degrees - 1) // 2
    return triangles / np.maximum(wedges, 1), float(triangles.sum() / wedges.sum())


def _assortativity(graph: Graph) -> float:
    source = np.repeat(graph.degrees, graph.degrees)
    return float(np.corrcoef(source, graph.degrees[graph.indices])[0, 1])


def _modularity(matrix: Any) -> float:
    graph = nx.from_scipy_sparse_array(matrix, edge_attribute=None)
    found = nx.community.louvain_communities(graph, weight=None, seed=1)
    return float(nx.community.modularity(graph, found, weight=None))


def _giant_share(matrix: Any) -> float:
    return float(np.bincount(connected_components(matrix)[1]).max() / matrix.shape[0])


def _egonets(matrix: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sizes of sampled 2-hop balls, and the Jaccard overlap of pairs of large ones."""
    nodes = np.random.default_rng(0).choice(matrix.shape[0], BALLS, replace=False)
    near = matrix + eye_array(matrix.shape[0], dtype=np.int32, format="csr")
    inside = near[nodes] @ near
    inside.data[:] = 1
    sizes = np.diff(inside.indptr)
    large = np.flatnonzero(sizes > 400)[:EGONETS]
    shared = (inside[large] @ inside[large].T).toarray()
    overlap = shared / (sizes[large][:, None] + sizes[large] - shared)
    return sizes, overlap[np.triu_indices(large.size, 1)]


if __name__ == "__main__":
    main()
