"""What adds up over contacts: how much of it an appearance and a cluster have in common, and how much is missing.

An appearance never speaks for itself: what a cluster knows only through that appearance is left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numba

from thinveil.attacks.collective.appearances import Appearances
from thinveil.attacks.collective.clusters import Clusters
from thinveil.attacks.collective.merging import LINKED
from thinveil.attacks.collective.notes import Notes
from thinveil.attacks.collective.presence import APART, VISIBLE, meeting


class Sums(NamedTuple):
    """Numbers and weights over the known contacts of a cluster; what each is for stands in ``columns.Evidence``."""

    common: int
    common_inner: int
    equal: int
    known: int
    weight: float
    inner_weight: float
    expected: float
    inner_expected: float
    equal_weight: float
    equal_inner: float
    close: float
    trusted: float
    trusted_expected: float
    trusted_equal: float
    visible: float
    together: float


@numba.njit(cache=True, nogil=True, inline="always")
def sum_met(row: int, cluster: int, seen: Appearances, clusters: Clusters) -> tuple[float, float]:
    """Return the weight of the appearance's contacts whom the cluster has met elsewhere, visibly or at all."""
    visible, together = 0.0, 0.0
    for k in range(seen.indptr[row], seen.indptr[row + 1]):
        g = clusters.merged[seen.indices[k]]
        if g >= 0:
            met = meeting(g, cluster, seen.subgraph[row], clusters.presence)
            visible += clusters.weight[g] * (met == VISIBLE)
            together += clusters.weight[g] * (met != APART)
    return visible, together


@numba.njit(cache=True, nogil=True, inline="always")
def add_up(row: int, cluster: int, own: bool, seen: Appearances, clusters: Clusters, notes: Notes) -> Sums:
    """Go through a cluster's known contacts; ``own`` is whether the appearance belongs to it."""
    common, common_inner, equal, known_contacts = 0, 0, 0, 0
    weight, inner_weight, expected, inner_expected = 0.0, 0.0, 0.0, 0.0
    equal_weight, equal_inner, close = 0.0, 0.0, 0.0
    trusted, trusted_expected, trusted_equal = 0.0, 0.0, 0.0
    visible, together = 0.0, 0.0
    for k in range(clusters.starts[cluster], clusters.starts[cluster + 1]):
        g, shared, t = clusters.contacts[k], clusters.most[k], clusters.trust[k]
        known, mine = notes.known[g], notes.shared[g]
        if own and known > 0:
            if clusters.times[k] < 2:
                continue  # known through the appearance itself and no other
            if shared == mine:
                shared = clusters.second[k]
            if t == notes.trust[g]:
                t = clusters.next_trust[k]
        there = notes.row[g]
        worth = clusters.weight[g]
        if there >= 0 and there != row:
            trusted_expected += worth * t * clusters.guess_trust[there]
            if known > 0:
                hint = worth * t * notes.trust[g]
                trusted += hint
                if shared == mine:
                    trusted_equal += hint * seen.rarity[mine]
        if t < LINKED:
            continue
        known_contacts += 1
        if there < 0 or there == row or clusters.guess_trust[there] < LINKED:
            continue
        expected += worth
        if seen.inner[there]:
            inner_expected += worth
        if known == 0:
            continue
        common += 1
        weight += worth
        met = meeting(g, cluster, seen.subgraph[row], clusters.presence)
        visible += worth * (met == VISIBLE)
        together += worth * (met != APART)
        close += worth * (min(shared, mine) + 1.0) / (max(shared, mine) + 1.0)
        if shared == mine:
            equal += 1
            equal_weight += worth * seen.rarity[mine]
        if known == 2:
            common_inner += 1
            inner_weight += worth
            if shared == mine:
                equal_inner += seen.rarity[mine]
    return Sums(
        common, common_inner, equal, known_contacts, weight, inner_weight, expected, inner_expected,
        equal_weight, equal_inner, close, trusted, trusted_expected, trusted_equal, visible, together,
    )  # fmt: skip
