"""The clusters of a round, and all that is known of them.

A *cluster* is a set of appearances believed to be one person. Links have made the *merged* clusters, of two or more
appearances; every other appearance is a *single* cluster by itself, with which others can be compared too. Only merged
clusters count as somebody's contacts (see ``contacts``).

Merged clusters are numbered by how many neighbours their appearances have, the fewest first: the rarest contacts come
first wherever contacts are listed. Single clusters follow. What no number decides, chance does: the order in which a
release is written must not matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thinveil.attacks.collective.appearances import F32, F64, I32, I64, Appearances
from thinveil.attacks.collective.contacts import list_contacts
from thinveil.attacks.collective.merging import Clustering
from thinveil.attacks.collective.presence import Presence, list_presence

_VISITS, _LEAST_REACH = 150_000_000, 1_000  # clusters visited for all appearances together, and for one at least


class Clusters(NamedTuple):
    """All clusters of a release at one time.

    Appearance r belongs to cluster ``cluster[r]``, and to ``merged[r]`` if that is a merged one (-1 if not). Where it
    is somebody's contact it counts as ``guess[r]``, as far as ``guess_trust[r]`` says. Cluster ``merged_count + k`` is
    the appearance ``single[k]``.

    Cluster c knows ``contacts[starts[c] : starts[c + 1]]``, ``times`` often, with at ``most`` and ``second`` most
    shared neighbours, trusted by ``trust`` and, without the best sighting, by ``next_trust``. Merged cluster m is known
    to ``known_to[ends[m] : ends[m + 1]]``, with ``most_there`` and ``trust_there``. ``weight`` is what knowing m is
    worth, ``total`` the sum over a cluster's contacts.

    Then each cluster's ``sizes`` and ``inner_sizes`` in appearances, its two largest ``degrees`` and those among inner
    appearances, the sub-graph of a single cluster (``home``, -1 for merged ones), and the sum of the appearances'
    ``inner_shares``. ``spread`` is the share of linked appearances in each sub-graph, and behind them in the release;
    ``presence`` says which cluster is where, ``reach`` how many clusters may be visited for one appearance.
    """

    merged: I32
    guess: I32
    guess_trust: F32
    cluster: I32
    single: I64
    starts: I64
    contacts: I32
    times: I32
    most: I32
    second: I32
    trust: F32
    next_trust: F32
    ends: I64
    known_to: I32
    most_there: I32
    trust_there: F32
    weight: F64
    total: F64
    sizes: I64
    inner_sizes: I64
    degrees: I32
    inner_degrees: I32
    home: I32
    inner_shares: F64
    spread: F64
    presence: Presence
    reach: int

    @property
    def merged_count(self) -> int:
        """Number of merged clusters; clusters from here on are single appearances."""
        return self.weight.size


def list_clusters(seen: Appearances, clustering: Clustering, chance: np.random.Generator) -> Clusters:
    """List the clusters that the links of a round give."""
    merged, guess, merged_count = _renumber(seen, clustering, chance)
    single = chance.permutation(np.flatnonzero(merged < 0))
    cluster = merged.copy()
    cluster[single] = merged_count + np.arange(single.size, dtype=np.int32)
    counts = merged_count, merged_count + single.size
    known, knowers = list_contacts(seen, guess, clustering.trust, cluster, counts)
    weight = 1 / np.log2(2.0 + np.diff(knowers.ends))
    sums = np.concatenate(([0.0], np.cumsum(weight[known.contacts])))
    home = np.full(counts[1], -1, dtype=np.int32)
    home[merged_count:] = seen.subgraph[single]
    inner = seen.inner
    return Clusters(
        merged, guess, clustering.trust, cluster, single, *known, *knowers, weight,
        sums[known.starts[1:]] - sums[known.starts[:-1]],
        np.bincount(cluster, minlength=counts[1]),
        np.bincount(cluster[inner], minlength=counts[1]),
        _two_largest(cluster, seen.degree, counts[1]),
        _two_largest(cluster[inner], seen.degree[inner], counts[1]),
        home,
        np.bincount(cluster, weights=seen.inner_share, minlength=counts[1]).astype(np.float64),
        _spread(seen, merged),
        list_presence(merged, cluster, inner, seen.subgraph, counts),
        share_out(_visits(seen, guess, np.diff(knowers.ends)), max(_VISITS, _LEAST_REACH * guess.size)),
    )  # fmt: skip


def share_out(wanted: I64, total: int) -> int:
    """Return how much each may have, so that those who want less leave it to the others.

    Examples
    --------
    >>> share_out(np.array([10, 90, 20]), 105)
    75
    """
    rising = np.sort(wanted)
    left = total - np.concatenate(([0], np.cumsum(rising)[:-1]))[: wanted.size]
    return int((left / np.arange(wanted.size, 0, -1)).max(initial=0))


def _visits(seen: Appearances, guess: I32, known_to: I64) -> I64:
    """Return how many clusters would be visited for every appearance: those that know its contacts."""
    sizes = np.append(known_to, 0)[guess[seen.indices]]  # a contact without a cluster, -1, is known to none
    sums = np.concatenate(([0], np.cumsum(sizes)))
    return np.asarray(sums[seen.indptr[1:]] - sums[seen.indptr[:-1]])


def _spread(seen: Appearances, merged: I32) -> F64:
    """Return the share of linked appearances of each sub-graph, and behind them of the release."""
    linked = merged >= 0
    there = np.bincount(seen.subgraph, minlength=1)
    return np.append(np.bincount(seen.subgraph[linked], minlength=there.size) / np.maximum(there, 1), linked.mean())


def _renumber(seen: Appearances, clustering: Clustering, chance: np.random.Generator) -> tuple[I32, I32, int]:
    """Give numbers to the merged clusters, the one with the fewest neighbours first; of equals chance decides."""
    linked = np.flatnonzero(clustering.cluster >= 0)
    names, group = np.unique(clustering.cluster[linked], return_inverse=True)
    known_by = np.bincount(group, weights=np.diff(seen.indptr)[linked], minlength=names.size)
    rank = np.empty(names.size, dtype=np.int32)
    rank[np.lexsort((chance.random(names.size), known_by))] = np.arange(names.size, dtype=np.int32)
    merged = np.full(clustering.cluster.size, -1, dtype=np.int32)
    merged[linked] = rank[group]
    guess = np.full(clustering.cluster.size, -1, dtype=np.int32)
    guessed = np.flatnonzero(clustering.guess >= 0)
    guess[guessed] = rank[np.searchsorted(names, clustering.guess[guessed])]
    return merged, guess, names.size


def _two_largest(cluster: I32, degree: I32, count: int) -> I32:
    """Return the largest and the second largest degree of each cluster's appearances, 0 where there is none."""
    order = np.lexsort((-degree.astype(np.int64), cluster))
    owner, falling = cluster[order], degree[order]
    first = np.append(True, owner[1:] != owner[:-1])[: owner.size]
    largest = np.zeros((count, 2), dtype=np.int32)
    largest[owner[first], 0] = falling[first]
    later = np.flatnonzero(first)[owner[first] == np.append(owner, -1)[np.flatnonzero(first) + 1]] + 1
    largest[owner[later], 1] = falling[later]
    return largest
