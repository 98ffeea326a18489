"""How often hidden edges are found between linked people of two whole graphs."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.hiding import Check, Hidden
from thinveil.attacks.matching.whole.scan import Linked
from thinveil.graph import Graph
from thinveil.graph.csr import has_edge

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]


def check_links(hidden: Hidden, right: Graph, linked: Linked, known: Linked | None = None) -> Check:
    """Look for hidden and shown edges on the other side; those between two known people prove nothing."""
    is_known = np.zeros(linked.other.size, dtype=np.bool_) if known is None else known.other >= 0
    shown = np.repeat(np.arange(hidden.graph.node_count, dtype=np.int32), hidden.graph.degrees)
    once = shown < hidden.graph.indices
    unseen = _find(hidden.source, hidden.target, right, linked.other, is_known)
    seen = _find(shown[once], hidden.graph.indices[once], right, linked.other, is_known)
    rates = unseen[1] / max(unseen[0], 1), seen[1] / max(seen[0], 1), seen[2] / max(seen[0], 1)
    return Check(int(unseen[0]), *rates, is_anchored=bool(is_known.any()))


def _find(source: I32, target: I32, right: Graph, other: I32, is_known: Bools) -> tuple[int, int, float]:
    found: tuple[int, int, float] = _find_edges(source, target, right.indptr, right.indices, other, is_known)
    return found


@numba.njit(cache=True, nogil=True)
def _find_edges(
    source: I32, target: I32, indptr: I64, indices: I32, other: I32, is_known: Bools
) -> tuple[int, int, float]:
    """Count edges between linked people, those found on the other side, and those to expect there by degrees."""
    edges, found, chance = 0, 0, 0.0
    for k in range(source.size):
        u, v = other[source[k]], other[target[k]]
        if u < 0 or v < 0 or (is_known[source[k]] and is_known[target[k]]):
            continue
        edges += 1
        found += has_edge(indptr, indices, u, v)
        chance += min(1.0, (indptr[u + 1] - indptr[u]) * (indptr[v + 1] - indptr[v]) / max(indices.size, 1))
    return edges, found, chance
