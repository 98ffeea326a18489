"""What networkit does for schemes: edge switching, random graphs with given degrees, communities.

Its random numbers are seeded from ours.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thinveil.runtime.networkit import one_thread

I32 = NDArray[np.int32]


def switch_edges(source: I32, target: I32, nodes: int, tries: int, rng: np.random.Generator) -> tuple[I32, I32]:
    """Draw two edges so many times, and switch their ends where the graph stays simple; return all edges."""
    with one_thread(_seed(rng)) as kit:
        # it is told in tries for each edge, and rounds down
        switching = kit.randomization.EdgeSwitching(
            _graph(kit, source, target, nodes), (tries + 0.5) / max(source.size, 1), False
        )
        switching.run()
        return _edges(switching.getGraph())


def draw_with_degrees(degrees: NDArray[np.int64], rng: np.random.Generator) -> tuple[I32, I32]:
    """Return the edges of a random simple graph with these degrees, for which there must be one."""
    if not degrees.any():  # without a single edge the generator ends the process
        return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
    wanted = [int(degree) for degree in degrees]
    with one_thread(_seed(rng)) as kit:
        return _edges(kit.generators.EdgeSwitchingMarkovChainGenerator(wanted, False, 10).generate())


def find_communities(
    source: I32, target: I32, weights: ArrayLike, nodes: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the community of each node, numbered from 0: Louvain's method on a graph with weights."""
    with one_thread(_seed(rng)) as kit:
        louvain = kit.community.PLM(_graph(kit, source, target, nodes, weights), refine=False, par="none")
        louvain.run()
        found = np.array(louvain.getPartition().getVector(), dtype=np.int64)
    return np.unique(found, return_inverse=True)[1]


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**62))


def _graph(kit: Any, source: I32, target: I32, nodes: int, weights: ArrayLike | None = None) -> Any:
    # it reads these types and no others: with narrower numbers it crashes
    values = np.ones(source.size) if weights is None else np.asarray(weights, dtype=np.float64)
    ends = source.astype(np.uint64), target.astype(np.uint64)
    return kit.GraphFromCoo((values, ends), n=nodes, directed=False, weighted=weights is not None)


def _edges(graph: Any) -> tuple[I32, I32]:
    ends = np.fromiter(chain.from_iterable(graph.iterEdges()), np.int32, 2 * graph.numberOfEdges())
    return ends[::2].copy(), ends[1::2].copy()
