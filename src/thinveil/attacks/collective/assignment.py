"""From candidates to clusters: all links of a round, made anew.

Every appearance is linked with its likeliest candidates, the surest first. What is not sure enough for a link is at
least guessed, and weighs less in the next round.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from thinveil.attacks.collective.anchors import Anchors
from thinveil.attacks.collective.appearances import F64, I32, I64, Appearances
from thinveil.attacks.collective.candidates import Candidates, Judge, find_candidates
from thinveil.attacks.collective.clusters import Clusters
from thinveil.attacks.collective.margins import margin
from thinveil.attacks.collective.merging import LINKED, Clustering, merge
from thinveil.features.pairs import Pairs
from thinveil.runtime.threads import map_threads

_NONE: Mapping[int, Candidates] = {}
_GUESS = 0.1  # what is at least so probable and the best there is, is guessed
_NEAR_BEST = 0.3  # how much less sure than its best a further link of an appearance may be
_MOST_TRUST = LINKED - np.float32(0.01)


def make_links(
    seen: Appearances, clusters: Clusters, anchors: Anchors, judge: Judge, threshold: float,
    known: Mapping[int, Candidates] = _NONE,
) -> Clustering:  # fmt: skip
    """Judge the candidates of all appearances, a sub-graph at a time, and merge along those that are sure enough.

    ``known`` holds the candidates of sub-graphs that have been searched already.
    """
    spans = seen.spans()

    def accept(subgraph: int) -> tuple[I64, I64, F64]:
        found = known.get(subgraph) or find_candidates(spans[subgraph], seen, clusters, anchors)
        sure = judge(found.appearance, found.evidence)
        behind = np.where(sure >= threshold, _NEAR_BEST, 0.0)
        keep = (sure >= _GUESS) & (margin(found.cluster, sure) >= 0) & (margin(found.appearance, sure) >= -behind)
        return found.appearance[keep], found.cluster[keep].astype(np.int64), sure[keep]

    parts = map_threads(accept, range(len(spans)))
    appearance, cluster, sure = (np.concatenate(column) for column in zip(*parts, strict=True))
    return assign(appearance, cluster, sure, seen, clusters, threshold)


def assign(
    appearance: I64, cluster: I64, sure: F64, seen: Appearances, clusters: Clusters, threshold: float
) -> Clustering:
    """Merge appearances with clusters that are sure enough; guess the likeliest cluster of the others."""
    linked = sure >= threshold
    clustering = _merge_linked(appearance[linked], cluster[linked], sure[linked], seen, clusters)
    return _add_guesses(clustering, appearance, cluster, sure, seen, clusters)


def _merge_linked(appearance: I64, cluster: I64, sure: F64, seen: Appearances, clusters: Clusters) -> Clustering:
    """Merge appearances with clusters, the surest first; no cluster has two appearances in a sub-graph.

    A merged cluster takes part as a stand-in, an appearance in a sub-graph of its own: appearances may leave it, and it
    may join another. An appearance that stays in a cluster of two keeps the other one, which is all that it was
    compared with.
    """
    count, merged_count = seen.subgraph.size, clusters.merged_count
    is_merged = cluster < merged_count
    target = np.where(is_merged, count + cluster, 0)
    target[~is_merged] = clusters.single[cluster[~is_merged] - merged_count]
    partner = _partners(clusters)[appearance]
    keeps = (cluster == clusters.cluster[appearance]) & (partner >= 0)
    left, right, sure = (
        np.append(appearance, partner[keeps]), np.append(target, target[keeps]), np.append(sure, sure[keeps])
    )  # fmt: skip
    stand_ins = int(seen.subgraph.max(initial=-1)) + 1 + np.arange(merged_count, dtype=np.int32)
    order = np.argsort(-sure, kind="stable")
    links, sure = Pairs(left[order], right[order]), sure[order]
    made, kept = merge(links, sure, np.append(seen.subgraph, stand_ins).astype(np.int32))
    return Clustering.along(_without_singles(made[:count]), Pairs(links.left[kept], links.right[kept]), sure[kept])


def _without_singles(made: I32) -> I32:
    """Return clusters of two or more, numbered without gaps; whoever is left with a stand-in alone has none."""
    cluster = made.copy()
    sizes = np.bincount(cluster[cluster >= 0], minlength=1)
    cluster[(cluster >= 0) & (sizes[np.maximum(cluster, 0)] < 2)] = -1
    cluster[cluster >= 0] = np.unique(cluster[cluster >= 0], return_inverse=True)[1]
    return cluster


def _partners(clusters: Clusters) -> I64:
    """Return the other appearance of a cluster of two for both of them, -1 for all others."""
    partners = np.full(clusters.cluster.size, -1, dtype=np.int64)
    in_two = np.flatnonzero(clusters.sizes[clusters.cluster] == 2)
    order = in_two[np.argsort(clusters.cluster[in_two], kind="stable")]
    partners[order[::2]], partners[order[1::2]] = order[1::2], order[::2]
    return partners


def _add_guesses(
    clustering: Clustering, appearance: I64, cluster: I64, sure: F64, seen: Appearances, clusters: Clusters
) -> Clustering:
    """Guess for those without a cluster what their surest candidate has become, unless it is present there already."""
    now, wanted = clustering.cluster, _successors(clustering.cluster, clusters)[cluster]
    there = seen.subgraph.astype(np.int64) << 32
    taken = np.unique(there[now >= 0] | now[now >= 0])
    is_open = (now[appearance] < 0) & (wanted >= 0) & ~np.isin(there[appearance] | wanted, taken)
    appearance, wanted, sure = appearance[is_open], wanted[is_open], sure[is_open]
    # of equals none: no order decides
    best = (margin(appearance, sure) > 0) & (margin(there[appearance] | wanted, sure) > 0)
    guess, trust = clustering.guess.copy(), clustering.trust.copy()
    guess[appearance[best]], trust[appearance[best]] = wanted[best], np.minimum(sure[best], _MOST_TRUST)
    return Clustering(now, guess, trust)


def _successors(now: I32, clusters: Clusters) -> I32:
    """Return the new cluster of most appearances of each old one, -1 where they have none, or as many of another."""
    linked = np.flatnonzero(now >= 0)
    keys, counts = np.unique(clusters.cluster[linked].astype(np.int64) << 32 | now[linked], return_counts=True)
    owner, successors = keys >> 32, np.full(clusters.sizes.size, -1, dtype=np.int32)
    most = margin(owner, counts.astype(np.float64)) > 0
    successors[owner[most]] = (keys[most] & 0xFFFFFFFF).astype(np.int32)
    return successors
