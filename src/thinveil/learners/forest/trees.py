"""Grown trees: one table of nodes for a whole forest.

The trees stand one behind the other; ``roots[t]`` is where tree t begins. The columns are those of ``growing``,
but ``child`` counts from the start of the table. Thresholds are ``step / steps``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.learners.forest.growing import CHILD, DIFFERENT, IDENTICAL


@dataclass(frozen=True, eq=False)
class Trees:
    """A grown forest."""

    nodes: NDArray[np.int32]
    gains: NDArray[np.int64]
    roots: NDArray[np.int64]
    steps: int

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of identical pairs among the training points of every node: the leaf's prediction."""
        identical = self.nodes[:, IDENTICAL]
        return identical / (identical + self.nodes[:, DIFFERENT])


def pack(nodes: NDArray[np.int32], gains: NDArray[np.int64], sizes: NDArray[np.int64], steps: int) -> Trees:
    """Move trees from rows of equal length into one table."""
    used = np.arange(nodes.shape[1]) < sizes[:, None]
    return _place(nodes[used], gains[used], sizes, steps)


def join(parts: Sequence[Trees]) -> Trees:
    """Put groups of trees one behind the other."""
    nodes = np.concatenate([part.nodes for part in parts])
    gains = np.concatenate([part.gains for part in parts])
    return _place(nodes, gains, np.array([len(part.nodes) for part in parts]), parts[0].steps, [p.roots for p in parts])


def _place(
    nodes: NDArray[np.int32], gains: NDArray[np.int64], sizes: NDArray[np.int64], steps: int,
    roots: Sequence[NDArray[np.int64]] | None = None,
) -> Trees:  # fmt: skip
    """Shift the children of blocks that counted from their own start; a block is a tree, or holds ``roots``."""
    starts = np.cumsum(sizes) - sizes
    shift = np.repeat(starts, sizes).astype(np.int32)
    nodes[:, CHILD] += np.where(nodes[:, CHILD] > 0, shift, 0)
    if roots is None:
        return Trees(nodes, gains, starts, steps)
    return Trees(nodes, gains, np.concatenate([r + start for r, start in zip(roots, starts, strict=True)]), steps)
