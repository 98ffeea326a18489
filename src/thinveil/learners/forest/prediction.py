"""Passing pairs down the trees.

All trees of a forest stand one behind the other in one table of nodes (see ``growing``); ``roots[t]`` is
where tree t begins, and ``child`` counts from the start of the table. Pairs go down in blocks of 64, laid out
like the bag of a tree: what reaches a node is one word of bits, and most of them are sent on by a handful of
machine instructions for all 64.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.learners.forest.growing import CHILD, FIRST, SECOND, STEP, Bag, lay_out, pass_right
from thinveil.runtime.bits import lowest_one

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
BLOCK = 64


@numba.njit(cache=True, nogil=True)
def mean_leaf(
    vectors: I32, left: I64, right: I64, nodes: I32, shares: NDArray[np.float64], roots: I64, steps: int, bag: Bag,
    scores: NDArray[np.float64],
) -> None:  # fmt: skip
    """Write for each pair the mean over trees of the share of identical pairs in its leaf."""
    inside = np.empty(nodes.shape[0], dtype=np.uint64)
    for first in range(0, left.size, BLOCK):
        size = min(BLOCK, left.size - first)
        rows = np.empty((2, size), dtype=np.int64)
        for k in range(size):
            rows[0, k], rows[1, k], scores[first + k] = left[first + k], right[first + k], 0
        lay_out(vectors, rows, bag)
        for tree in range(roots.size):
            end = roots[tree + 1] if tree + 1 < roots.size else nodes.shape[0]
            inside[roots[tree]] = ~np.uint64(0) >> np.uint64(BLOCK - size)
            for node in range(roots[tree], end):
                here, child = inside[node], nodes[node, CHILD]
                if child:
                    i, j, step = nodes[node, FIRST], nodes[node, SECOND], nodes[node, STEP]
                    passed = pass_right(bag, i, j, 0, here, step, steps) if here else here
                    inside[child], inside[child + 1] = here & ~passed, passed
                else:
                    while here:
                        scores[first + np.int64(lowest_one(here))] += shares[node]
                        here &= here - np.uint64(1)
        for k in range(size):
            scores[first + k] /= roots.size
