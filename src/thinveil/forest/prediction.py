"""Passing pairs down the trees.

All trees of a forest stand one behind the other in one table of nodes (see ``growing``); ``roots[t]`` is
where tree t begins, and ``child`` counts from the start of the table. Pairs are scored in blocks that fit
the first-level cache together with one tree, so that 400 trees cost one trip to memory and not 400.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.forest.growing import CHILD, FIRST, SECOND, STEP

_BLOCK = 32


@numba.njit(cache=True, nogil=True)
def mean_leaf(
    vectors: NDArray[np.int32], left: NDArray[np.int64], right: NDArray[np.int64], nodes: NDArray[np.int32],
    shares: NDArray[np.float64], roots: NDArray[np.int64], steps: int, scores: NDArray[np.float64],
) -> None:  # fmt: skip
    """Write for each pair the mean over trees of the share of identical pairs in its leaf."""
    x = np.empty((_BLOCK, vectors.shape[1]), dtype=np.int32)
    y = np.empty((_BLOCK, vectors.shape[1]), dtype=np.int32)
    for first in range(0, left.size, _BLOCK):
        size = min(_BLOCK, left.size - first)
        for k in range(size):
            x[k] = vectors[left[first + k]]
            y[k] = vectors[right[first + k]]
            scores[first + k] = 0
        for tree in range(roots.size):
            for k in range(size):
                node = roots[tree]
                while nodes[node, CHILD]:
                    a, b = np.int64(x[k, nodes[node, FIRST]]), np.int64(y[k, nodes[node, SECOND]])
                    # delta <= step / steps without a division
                    near = steps * abs(a - b) <= nodes[node, STEP] * max(a, b)
                    node = np.int64(nodes[node, CHILD]) + near
                scores[first + k] += shares[node]
        for k in range(size):
            scores[first + k] /= roots.size
