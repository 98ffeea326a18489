"""How well the degrees of an uncertain graph hide who is who: kernels.

Every candidate pair is an edge with a probability of its own, so the degree of each node has a law: that of a sum of
coins. For a degree w, the chances that a node has it, over all nodes, are weights; their entropy says among how many
nodes somebody hides who is known to have w contacts.
"""

from __future__ import annotations

import math

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph.csr import has_edge
from thinveil.runtime.splitmix import STEP, mix
from thinveil.schemes.edgeset import add, empty_set

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
_EXACT = 60
"""Pairs of a node up to which the law is exact; with more it is taken for normal."""
_FAR = 6.0
_TRIES = 20


@numba.njit(cache=True, nogil=True)
def degree_entropies(starts: I64, places: I64, chances: F64, largest: int) -> F64:
    """Return for each degree up to the largest in how many bits of doubt it leaves whose it is.

    The candidates of node v are ``places[starts[v] : starts[v + 1]]``, with their ``chances``.
    """
    sums, logs = np.zeros(largest + 1), np.zeros(largest + 1)
    law = np.zeros(_EXACT + 2)
    for v in range(starts.size - 1):
        count = starts[v + 1] - starts[v]
        if count <= _EXACT:
            _coin_law(places[starts[v] : starts[v + 1]], chances, law)
            for w in range(min(count, largest) + 1):
                _weigh(sums, logs, w, law[w])
            continue
        mean, spread = 0.0, 0.0
        for k in range(starts[v], starts[v + 1]):
            chance = chances[places[k]]
            mean += chance
            spread += chance * (1 - chance)
        spread = math.sqrt(max(spread, 1e-12) * 2)
        low, high = int(mean - _FAR * spread), int(mean + _FAR * spread) + 1
        for w in range(max(low, 0), min(high, largest) + 1):
            share = math.erf((w + 0.5 - mean) / spread) - math.erf((w - 0.5 - mean) / spread)
            _weigh(sums, logs, w, share / 2)
    bits = np.zeros(largest + 1)
    for w in range(largest + 1):
        if sums[w] > 0:
            bits[w] = (math.log(sums[w]) - logs[w] / sums[w]) / math.log(2.0)
    return bits


@numba.njit(cache=True, nogil=True)
def _coin_law(places: I64, chances: F64, law: F64) -> None:
    """Fill in the chances that of some coins 0, 1, 2, ... show heads."""
    law[0] = 1.0
    for k in range(places.size):
        chance = chances[places[k]]
        law[k + 1] = 0.0
        for w in range(k + 1, 0, -1):
            law[w] = law[w] * (1 - chance) + law[w - 1] * chance
        law[0] *= 1 - chance


@numba.njit(cache=True, nogil=True)
def _weigh(sums: F64, logs: F64, w: int, share: float) -> None:
    if share > 0:
        sums[w] += share
        logs[w] += share * math.log(share)


@numba.njit(cache=True, nogil=True)
def draw_candidates(indptr: I64, indices: I32, upto: F64, count: int, state: np.uint64) -> tuple[I32, I32]:
    """Draw distinct pairs that are no edges, each end by its weight; fewer than ``count`` where they are hard to find.

    ``upto[v]`` is the sum of all weights up to that of node v.
    """
    chosen, found = empty_set(count), 0
    source, target = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    for _ in range(_TRIES * count):
        if found == count:
            break
        state += STEP
        u = np.searchsorted(upto, np.float64(mix(state) >> np.uint64(11)) * 2.0**-53 * upto[-1], side="right")
        state += STEP
        v = np.searchsorted(upto, np.float64(mix(state) >> np.uint64(11)) * 2.0**-53 * upto[-1], side="right")
        if u != v and not has_edge(indptr, indices, u, v) and add(chosen, u, v):
            source[found], target[found] = u, v
            found += 1
    return source[:found], target[:found]
