"""Passing lines down the trees.

No line walks: every split of a tree is asked of every line, and its mask says which leaves are out (see ``trees``).
That is more questions than on the way from the root to a leaf, but there is nothing to jump to or to wait for, and the
machine asks eight lines or more at a time. Lines come in blocks small enough to stay in the cache while all trees pass.
"""

from __future__ import annotations

import math

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.learners.boosting.trees import F32, F64, Words
from thinveil.runtime.bits import lowest_one

I64 = NDArray[np.int64]
BLOCK = 128


@numba.njit(cache=True, nogil=True)
def sum_leaves(
    table: F32, starts: I64, columns: NDArray[np.int32], thresholds: F32, masks: Words, leaves: F64, odds: F64
) -> None:
    """Write for each line the sum of its leaves, tree after tree: its log odds."""
    block, possible = np.empty((table.shape[1], BLOCK), dtype=np.float32), np.empty(BLOCK, dtype=masks.dtype)
    every = (~np.zeros(1, dtype=masks.dtype))[0]  # of the same width; a plain number would make the words longer
    odds[:] = 0
    for first in range(0, len(table), BLOCK):
        size = min(BLOCK, len(table) - first)
        _lay_out(table[first : first + size], block)
        for tree in range(starts.size - 1):
            possible[:] = every
            for split in range(starts[tree], starts[tree + 1]):
                values, threshold, mask = block[columns[split]], thresholds[split], masks[split]
                for k in range(size):
                    possible[k] &= mask if values[k] > threshold else every
            mine = leaves[starts[tree] + tree :]
            for k in range(size):
                odds[first + k] += mine[np.int64(lowest_one(np.uint64(possible[k])))]


@numba.njit(cache=True, nogil=True)
def _lay_out(lines: F32, block: F32) -> None:
    """Turn lines around: a split then finds its column's values side by side."""
    for k in range(lines.shape[0]):
        for column in range(lines.shape[1]):
            block[column, k] = lines[k, column]


@numba.njit(cache=True, nogil=True)
def to_probabilities(odds: F64) -> None:
    """Turn log odds into probabilities, in place."""
    for k in range(odds.size):
        odds[k] = 1 / (1 + math.exp(-odds[k]))
