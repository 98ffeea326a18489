"""In which sub-graphs a cluster has an appearance, and whom it should know by that.

A tie is *visible* in a sub-graph where both ends are present and one of the two is an inner node. If an appearance
knows somebody, and a cluster has been in a sub-graph with that contact where their tie would be visible, the contact
should be a known contact of the cluster too: if not, it is evidence against the two being one person. Presence is kept
as bits: bit b of word w is sub-graph 64 w + b.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.appearances import F32, I32, Bools
from thinveil.runtime.bits import lowest_one

Words = NDArray[np.uint64]

APART, TOGETHER, VISIBLE = 0, 1, 2


class Presence(NamedTuple):
    """The sub-graphs in which clusters have an appearance, and an inner one: of merged clusters, and of all."""

    merged: Words
    inner_merged: Words
    clusters: Words
    inner_clusters: Words


def list_presence(merged: I32, cluster: I32, inner: Bools, subgraph: I32, counts: tuple[int, int]) -> Presence:
    """List where clusters are present; ``counts`` is how many merged clusters there are, and how many in all."""
    return Presence(
        _list_subgraphs(merged, subgraph, counts[0]),
        _list_subgraphs(np.where(inner, merged, -1), subgraph, counts[0]),
        _list_subgraphs(cluster, subgraph, counts[1]),
        _list_subgraphs(np.where(inner, cluster, -1), subgraph, counts[1]),
    )


def _list_subgraphs(owner: I32, subgraph: I32, count: int) -> Words:
    words = np.zeros((count, int(subgraph.max(initial=0)) // 64 + 1), dtype=np.uint64)
    _set_bits(owner, subgraph, words)
    return words


@numba.njit(cache=True, nogil=True)
def _set_bits(owner: I32, subgraph: I32, words: Words) -> None:
    for row in range(owner.size):
        if owner[row] >= 0:
            words[owner[row], subgraph[row] >> 6] |= np.uint64(1) << np.uint64(subgraph[row] & 63)


@numba.njit(cache=True, nogil=True, inline="always")
def meeting(contact: int, cluster: int, home: int, presence: Presence) -> int:
    """Tell whether contact and cluster are both present in a sub-graph but ``home``, and would show a tie there."""
    met = APART
    for w in range(presence.merged.shape[1]):
        away = ~np.uint64(0)
        if w == home >> 6:
            away ^= np.uint64(1) << np.uint64(home & 63)
        one, two = presence.merged[contact, w] & away, presence.clusters[cluster, w] & away
        if (one & presence.inner_clusters[cluster, w]) | (two & presence.inner_merged[contact, w]):
            return VISIBLE
        if one & two:
            met = TOGETHER
    return met


@numba.njit(cache=True, nogil=True, inline="always")
def sum_by_subgraph(contacts: I32, worth: F32, presence: Presence, sums: F32) -> None:
    """Write what contacts are worth in every sub-graph: all who are present there, and the inner ones."""
    sums[:] = 0
    for k in range(contacts.size):
        for kind in range(2):
            words = presence.inner_merged[contacts[k]] if kind else presence.merged[contacts[k]]
            for w in range(words.size):
                word = words[w]
                while word != 0:
                    sums[64 * w + np.int64(lowest_one(word)), kind] += worth[k]
                    word &= word - np.uint64(1)


@numba.njit(cache=True, nogil=True, inline="always")
def largest_visible(cluster: int, presence: Presence, sums: F32) -> float:
    """Return the worth of contacts whom a cluster should know, by that sub-graph of its own which shows most."""
    most = np.float32(0)
    for w in range(presence.clusters.shape[1]):
        word, inner = presence.clusters[cluster, w], presence.inner_clusters[cluster, w]
        while word != 0:
            place = lowest_one(word)
            is_inner = np.int64((inner >> place) & np.uint64(1))
            most = max(most, sums[64 * w + np.int64(place), 1 - is_inner])
            word &= word - np.uint64(1)
    return most
