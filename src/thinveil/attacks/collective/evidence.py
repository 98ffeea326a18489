"""What speaks for an appearance belonging to a cluster, and what speaks against it.

Evidence is a table with a line per (appearance, cluster); its columns are named in ``columns``. Evidence for: contacts
in common, and how alike the ties with them are. Evidence against counts both ways: known contacts of the cluster whom
the appearance does not know though they are present, and contacts of the appearance whom the cluster should know from
another sub-graph and does not (see ``presence``). The *net weight* is what they share less all of that. How far links
have spread is told too: of few links no more must be concluded than they bear.
"""

from __future__ import annotations

import numba
import numpy as np

from thinveil.attacks.collective.anchors import Anchors
from thinveil.attacks.collective.appearances import F32, I32, I64, Appearances, Span
from thinveil.attacks.collective.clusters import Clusters
from thinveil.attacks.collective.columns import Evidence
from thinveil.attacks.collective.notes import Notes, Own, clear_contacts, note_contacts, note_presence
from thinveil.attacks.collective.sums import Sums, add_up, sum_met

_NO_DEGREE = 9.0
_TINY = 1e-9


@numba.njit(cache=True, nogil=True, inline="always")
def _surest(anchors: Anchors, clusters: Clusters, row: int, cluster: int) -> float:
    best = 0.0
    for k in range(anchors.starts[row], anchors.starts[row + 1]):
        if clusters.cluster[anchors.others[k]] == cluster and anchors.others[k] != row:
            best = max(best, anchors.sure[k])
    return best


@numba.njit(cache=True, nogil=True, inline="always")
def _write_contacts(sums: Sums, own: Own, line: F32) -> None:
    """Write what the contacts say, linked ones and guessed ones, and how alike the ties with them are."""
    line[Evidence.COMMON], line[Evidence.COMMON_WEIGHT] = sums.common, sums.weight
    line[Evidence.COMMON_INNER], line[Evidence.COMMON_INNER_WEIGHT] = sums.common_inner, sums.inner_weight
    line[Evidence.SHARE_OF_OWN] = sums.weight / max(own.weight, _TINY)
    line[Evidence.SHARE_OF_EXPECTED] = sums.weight / max(sums.expected, _TINY)
    line[Evidence.INNER_SHARE_OF_OWN] = sums.inner_weight / max(own.inner_weight, _TINY)
    line[Evidence.INNER_SHARE_OF_EXPECTED] = sums.inner_weight / max(sums.inner_expected, _TINY)
    line[Evidence.COSINE] = sums.weight / np.sqrt(max(own.weight * sums.expected, _TINY))
    line[Evidence.INNER_COSINE] = sums.inner_weight / np.sqrt(max(own.inner_weight * sums.inner_expected, _TINY))
    line[Evidence.CONTACTS], line[Evidence.INNER_CONTACTS] = own.contacts, own.inner
    line[Evidence.KNOWN_CONTACTS] = sums.known
    line[Evidence.EQUAL_TIES] = sums.equal_weight
    line[Evidence.EQUAL_TIES_SHARE] = sums.equal / max(sums.common, 1)
    line[Evidence.TIE_CLOSENESS] = sums.close / max(sums.weight, _TINY)
    line[Evidence.EQUAL_INNER_TIES] = sums.equal_inner
    line[Evidence.TRUSTED_WEIGHT] = sums.trusted
    line[Evidence.TRUSTED_SHARE_OF_OWN] = sums.trusted / max(own.trusted, _TINY)
    line[Evidence.TRUSTED_SHARE_OF_EXPECTED] = sums.trusted / max(sums.trusted_expected, _TINY)
    line[Evidence.TRUSTED_COSINE] = sums.trusted / np.sqrt(max(own.trusted * sums.trusted_expected, _TINY))
    line[Evidence.TRUSTED_EQUAL_TIES] = sums.trusted_equal


@numba.njit(cache=True, nogil=True, inline="always")
def _write_standing(row: int, cluster: int, is_own: bool, seen: Appearances, clusters: Clusters, line: F32) -> None:
    """Write degrees and sizes of the two, and how far links have spread around them."""
    degree, inner = seen.degree[row], seen.inner[row]
    largest, inner_degree = clusters.degrees[cluster, 0], clusters.inner_degrees[cluster, 0]
    if is_own and degree == largest:
        largest = clusters.degrees[cluster, 1]
    if is_own and inner and degree == inner_degree:
        inner_degree = clusters.inner_degrees[cluster, 1]
    size = clusters.sizes[cluster] - is_own
    line[Evidence.DEGREE], line[Evidence.IS_INNER] = degree, inner
    line[Evidence.SIZE], line[Evidence.INNER_SIZE] = size, clusters.inner_sizes[cluster] - (is_own and inner)
    line[Evidence.LARGEST_DEGREE], line[Evidence.INNER_DEGREE] = largest, inner_degree
    line[Evidence.DEGREE_RATIO] = np.log(degree / inner_degree) if inner_degree > 0 else _NO_DEGREE
    line[Evidence.INNER_NODES], line[Evidence.INNER_NODES_KNOWN] = seen.inner_nodes[row], seen.inner_share[row]
    elsewhere = clusters.inner_shares[cluster] - is_own * seen.inner_share[row]
    line[Evidence.INNER_NODES_KNOWN_ELSEWHERE] = elsewhere / max(size, 1)
    line[Evidence.LINKED_SUBGRAPH_SHARE] = clusters.spread[seen.subgraph[row]]
    line[Evidence.LINKED_RELEASE_SHARE] = clusters.spread[-1]


@numba.njit(cache=True, nogil=True, inline="always")
def weigh(
    row: int, cluster: int, own: Own, seen: Appearances, clusters: Clusters, anchors: Anchors, notes: Notes, line: F32
) -> None:
    """Write the evidence for an appearance, whose contacts are noted, belonging to a cluster."""
    is_own = clusters.cluster[row] == cluster
    sums = add_up(row, cluster, is_own, seen, clusters, notes)
    _write_contacts(sums, own, line)
    _write_standing(row, cluster, is_own, seen, clusters, line)
    line[Evidence.IS_PRESENT] = cluster < clusters.weight.size and notes.row[cluster] >= 0 and notes.row[cluster] != row
    line[Evidence.ANCHOR] = _surest(anchors, clusters, row, cluster)
    line[Evidence.LINKED_CONTACTS_SHARE] = own.contacts / max(seen.degree[row], 1)
    visible, together = sum_met(row, cluster, seen, clusters)
    line[Evidence.VISIBLE], line[Evidence.VISIBLE_MISSING] = visible, visible - sums.visible
    line[Evidence.TOGETHER], line[Evidence.TOGETHER_MISSING] = together, together - sums.together
    line[Evidence.INNER_EXPECTED_MISSING] = sums.inner_expected - sums.inner_weight
    line[Evidence.EXPECTED_MISSING] = sums.expected - sums.weight
    expected = sums.expected if seen.inner[row] else sums.inner_expected
    line[Evidence.NET_WEIGHT] = 3 * sums.weight - visible - expected


@numba.njit(cache=True, nogil=True)
def weigh_pairs(
    span: Span, row: I64, cluster: I32, seen: Appearances, clusters: Clusters, anchors: Anchors, notes: Notes,
    table: F32,
) -> None:  # fmt: skip
    """Write a line for each (appearance, cluster); the appearances are of one sub-graph, and ascend."""
    note_presence(clusters, span, notes)
    own = Own(0, 0, 0.0, 0.0, 0.0)
    for k in range(row.size):
        if k == 0 or row[k] != row[k - 1]:
            if k > 0:
                clear_contacts(row[k - 1], seen, clusters, notes)
            own = note_contacts(row[k], seen, clusters, notes)
        weigh(row[k], cluster[k], own, seen, clusters, anchors, notes, table[k])
