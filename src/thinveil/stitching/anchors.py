"""The first pairs to look at, before there is any link: well-connected rows of about the same degree.

How near the degrees must be is learned from the training release.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Attack
from thinveil.features import View
from thinveil.pairs import NO_PAIRS, Pairs
from thinveil.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_PAIRS_AT_ONCE = 65_536


def ratios_to_try(degree: I32, identical: Pairs) -> tuple[float, ...]:
    """Return how near degrees may have to be: equal, or as near as those of every fourth identical pair."""
    one, two = degree[identical.left], degree[identical.right]
    ratios = np.minimum(one, two) / np.maximum(one, two)
    return (1.0, float(np.quantile(ratios, 0.75))) if ratios.size else (1.0,)


def pairs_alike(degree: I32, subgraph: I32, *, ratio: float, most: int) -> Pairs:
    """Return the pairs of rows of two sub-graphs whose smaller degree is at least ``ratio`` times the larger.

    They are listed from the largest degrees down, to the last degree at which there are no more than ``most``.

    Examples
    --------
    >>> degree, subgraph = np.array([90, 9, 100, 9], dtype=np.int32), np.array([0, 0, 1, 1], dtype=np.int32)
    >>> pairs = pairs_alike(degree, subgraph, ratio=0.8, most=1)
    >>> pairs.left.tolist(), pairs.right.tolist()
    ([0], [2])
    """
    order = np.argsort(-degree.astype(np.int64), kind="stable")
    falling = degree[order].astype(np.int64)
    # of the rows before it, the k-th in order is compared with those from the first of not too large a degree on
    first = np.searchsorted(-falling, -np.floor(falling / ratio + 1e-9), side="left")
    counts = np.arange(order.size) - first
    total = np.cumsum(counts)
    last_of_degree = np.searchsorted(-falling, -falling, side="right") - 1
    taken = int(np.count_nonzero(total[last_of_degree] <= most)) if order.size else 0
    if not taken or not total[taken - 1]:
        return NO_PAIRS
    low = np.repeat(np.arange(taken), counts[:taken])
    high = np.arange(low.size) - np.repeat(total[:taken] - counts[:taken], counts[:taken]) + first[low]
    one, two = order[low], order[high]
    apart = subgraph[one] != subgraph[two]
    return Pairs(np.minimum(one, two)[apart], np.maximum(one, two)[apart])


def look_alike(view: View, attack: Attack, pairs: Pairs, *, threads: int | None = None) -> F64:
    """Return what the two rows of each pair say by themselves, a line per pair.

    The columns: the attack's score, the smaller degree, how far the degrees differ and whether at all, and how far
    the vectors differ.
    """
    score = attack.score(view, pairs)
    degrees = np.sort(np.stack((view.degree[pairs.left], view.degree[pairs.right])).astype(float), axis=0)
    gap = degrees[1] - degrees[0]
    apart = np.empty(len(pairs))
    vectors = view.vectors(*(channel.name for channel in attack.channels))

    def measure(first: int, last: int) -> None:
        _distances(vectors, pairs.left[first:last], pairs.right[first:last], apart[first:last])

    map_chunks(measure, len(pairs), chunk=_PAIRS_AT_ONCE, threads=threads)
    columns = (np.log((score + 1e-3) / (1 - score + 1e-3)), np.log(degrees[0]), np.log1p(gap), gap == 0, apart)
    return np.column_stack(columns)


@numba.njit(cache=True, nogil=True)
def _distances(vectors: I32, left: I64, right: I64, apart: F64) -> None:
    """Write the sum of differences of two vectors, as a share of the sum of both."""
    for pair in range(left.size):
        differ, total = 0.0, 0.0
        for k in range(vectors.shape[1]):
            one, two = vectors[left[pair], k], vectors[right[pair], k]
            differ += abs(one - two)
            total += one + two
        apart[pair] = differ / max(total, 1.0)
