"""The appearances of a view as the kernels of this room see them.

An appearance is a published node. Its number is its row in the arrays of a view: wherever a kernel says ``row``, it
means the number of an appearance. The appearances of a sub-graph stand side by side: a *span* is the first of them, and
the one behind the last.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.features import View, kept_neighbors
from thinveil.features.channels.surroundings import INNER, INNER_NEIGHBORS, INNER_NODES

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Span = tuple[int, int]

_RAREST = 12.0


class Appearances(NamedTuple):
    """Neighbours, shared neighbours and standing of every appearance.

    ``rarity[n]`` is what n shared neighbours are worth, in bits. ``inner_nodes`` is the number of inner nodes of an
    appearance's sub-graph, and ``inner_share`` how many of them it knows, as a share.
    """

    indptr: I64
    indices: I32
    shared: I32
    inner: Bools
    degree: I32
    subgraph: I32
    rarity: F64
    inner_nodes: I32
    inner_share: F64

    @classmethod
    def of(cls, view: View) -> Appearances:
        """Take from a view what the rounds need."""
        neighbors, standing = kept_neighbors(view), view.channels["surroundings"]
        entries = np.bincount(neighbors.shared, minlength=1) + 1.0
        rarity = np.minimum(np.log2(max(1, neighbors.shared.size) / entries + 1.0), _RAREST)
        inner_share = standing[:, INNER_NEIGHBORS] / np.maximum(1, standing[:, INNER_NODES])
        return cls(
            neighbors.indptr, neighbors.indices, neighbors.shared, standing[:, INNER] > 0, view.degree, view.subgraph,
            rarity, np.ascontiguousarray(standing[:, INNER_NODES], dtype=np.int32), inner_share,
        )  # fmt: skip

    def spans(self) -> list[Span]:
        """Return the span of each sub-graph."""
        starts = np.searchsorted(self.subgraph, np.arange(int(self.subgraph.max(initial=-1)) + 2)).tolist()
        return list(pairwise(starts))
