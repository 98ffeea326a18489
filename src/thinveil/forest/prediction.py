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

from thinveil.forest.bits import lowest_one
from thinveil.forest.growing import CHILD, FIRST, SECOND, STEP, lay_out, pass_right

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
_BLOCK = 64


@numba.njit(cache=True, nogil=True)
def mean_leaf(
    vectors: I32, left: I64, right: I64, nodes: I32, shares: NDArray[np.float64], roots: I64, steps: int,
    scores: NDArray[np.float64],
) -> None:  # fmt: skip
    """Write for each pair the mean over trees of the share of identical pairs in its leaf."""
    values = np.empty((2, vectors.shape[1], _BLOCK), dtype=np.int32)
    bitmaps = np.empty((2, vectors.shape[1], 1), dtype=np.uint64)
    inside = np.empty(nodes.shape[0], dtype=np.uint64)
    for first in range(0, left.size, _BLOCK):
        block = scores[first : first + _BLOCK]
        lay_out(vectors, left[first : first + _BLOCK], values[0], bitmaps[0])
        lay_out(vectors, right[first : first + _BLOCK], values[1], bitmaps[1])
        for k in range(block.size):
            block[k] = 0
        for tree in range(roots.size):
            end = roots[tree + 1] if tree + 1 < roots.size else nodes.shape[0]
            inside[roots[tree]] = ~np.uint64(0) >> np.uint64(_BLOCK - block.size)
            for node in range(roots[tree], end):
                here = inside[node]
                child = nodes[node, CHILD]
                if child == 0:
                    while here:
                        block[lowest_one(here)] += shares[node]
                        here &= here - np.uint64(1)
                elif here == 0:
                    inside[child], inside[child + 1] = here, here
                else:
                    i, j = nodes[node, FIRST], nodes[node, SECOND]
                    a, b = bitmaps[0, i, 0] & here, bitmaps[1, j, 0] & here
                    passed = pass_right(values[0, i], values[1, j], a, b, nodes[node, STEP], steps)
                    inside[child], inside[child + 1] = here & ~passed, here & passed
        for k in range(block.size):
            block[k] /= roots.size
