"""Colors of nodes: two nodes have one color as long as nothing in their surroundings tells them apart.

All nodes begin alike. In each round a node's color is mixed with the colors of its neighbours, 64 bits each, so that
after k rounds it stands for all that is seen up to k steps away; when no round makes more colors, they are *stable*.
A color depends on the graph alone and not on the numbers of nodes: colors of two graphs can be compared.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph
from thinveil.runtime.splitmix import STEP, mix

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

_MOST_ROUNDS = 64


def seen_colors(graph: Graph, rounds: int) -> U64:
    """Return the colors of all nodes after so many rounds.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> ends = seen_colors(path, 1)
    >>> bool(ends[0] == ends[2]), bool(ends[0] == ends[1])
    (True, False)
    """
    colors: U64 = _mix_rounds(graph.indptr, graph.indices, rounds)
    return colors


def stable_colors(indptr: I64, indices: I32) -> tuple[U64, int]:
    """Return stable colors of all nodes, and after how many rounds they were seen to be stable."""
    colors, rounds = _refine(indptr, indices, _MOST_ROUNDS)
    return colors, int(rounds)


def colors_after(indptr: I64, indices: I32, rounds: int) -> U64:
    """Return the colors of a graph's rows after so many rounds."""
    colors: U64 = _mix_rounds(indptr, indices, rounds)
    return colors


@numba.njit(cache=True, nogil=True)
def _mix_neighbors(indptr: I64, indices: I32, colors: U64, mixed: U64) -> None:
    """Write the colors of the next round."""
    for v in range(colors.size):
        total = np.uint64(0)
        for k in range(indptr[v], indptr[v + 1]):
            total += mix(colors[indices[k]] + STEP)
        mixed[v] = mix(colors[v] * STEP + mix(total))


@numba.njit(cache=True, nogil=True)
def _mix_rounds(indptr: I64, indices: I32, rounds: int) -> U64:
    colors, mixed = np.zeros(indptr.size - 1, dtype=np.uint64), np.zeros(indptr.size - 1, dtype=np.uint64)
    for _ in range(rounds):
        _mix_neighbors(indptr, indices, colors, mixed)
        colors, mixed = mixed, colors
    return colors


@numba.njit(cache=True, nogil=True)
def _count_distinct(colors: U64) -> int:
    ordered = np.sort(colors)
    count = min(1, ordered.size)
    for k in range(1, ordered.size):
        if ordered[k] != ordered[k - 1]:
            count += 1
    return count


@numba.njit(cache=True, nogil=True)
def _refine(indptr: I64, indices: I32, most: int) -> tuple[U64, int]:
    """Mix until a round makes no more colors, and return that round's."""
    colors, mixed = np.zeros(indptr.size - 1, dtype=np.uint64), np.zeros(indptr.size - 1, dtype=np.uint64)
    count, rounds = min(1, colors.size), 0
    while rounds < most:
        _mix_neighbors(indptr, indices, colors, mixed)
        colors, mixed = mixed, colors
        rounds += 1
        now = _count_distinct(colors)
        if now == count:
            break
        count = now
    return colors, rounds
