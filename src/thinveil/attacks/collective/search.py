"""The search for the clusters that an appearance may belong to: those that know the contacts it knows.

From the rarest contact of an appearance on, all clusters that know the contact are visited, until there were enough.
Of these the best are kept, by what they share with the appearance less what is missing on either side: known contacts
of the cluster whom the appearance does not know, and contacts of the appearance whom the cluster should know. (Without
that, clusters that know everybody would come first.) Equal ties count a little besides. To these come the cluster to
which the appearance belonged in the last round, and its anchors'. The cost grows with the appearances, not with their
square.
"""

from __future__ import annotations

import numba
import numpy as np

from thinveil.attacks.collective.anchors import Anchors
from thinveil.attacks.collective.appearances import F32, I32, I64, Appearances, Span
from thinveil.attacks.collective.clusters import Clusters
from thinveil.attacks.collective.evidence import weigh
from thinveil.attacks.collective.notes import Notes, clear_contacts, note_contacts, note_presence
from thinveil.attacks.collective.presence import largest_visible, sum_by_subgraph

_ANCHORS = 3
_TIES = np.float32(0.1)  # what equal ties are worth beside contacts: where ties survive, a little decides


@numba.njit(cache=True, nogil=True)
def search(
    span: Span, seen: Appearances, clusters: Clusters, anchors: Anchors, notes: Notes, out: tuple[I32, I64, F32]
) -> None:
    """Write the candidates of each appearance of a sub-graph, their number, and the evidence for each."""
    chosen, counts, lines = out
    merged, count, most = clusters.weight.size, clusters.sizes.size, chosen.shape[1]
    visited, support = np.empty(count + 1, dtype=np.int32), np.zeros((count, 2), dtype=np.float32)
    known, worth = np.empty(merged, dtype=np.int32), np.empty(merged, dtype=np.float32)
    best, values = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.float32)
    expected = np.zeros((count, 2), dtype=np.float32)
    sums = np.empty((64 * clusters.presence.merged.shape[1], 2), dtype=np.float32)
    note_presence(clusters, span, notes)
    _expect(span, seen, clusters, expected)
    for row in range(span[0], span[1]):
        own = note_contacts(row, seen, clusters, notes)
        if own.trusted == 0 and anchors.starts[row] == anchors.starts[row + 1]:
            continue
        many = _list_known(row, seen, clusters, notes, known, worth)
        contacts, weights = known[:many], worth[:many]
        size, all_visited = _visit(contacts, weights, seen, clusters, notes, support, visited)
        if all_visited:
            sum_by_subgraph(contacts, weights, clusters.presence, sums)
        _rank(row, visited[:size], all_visited, seen, clusters, support, expected, sums, best, values)
        home, place, filled = clusters.cluster[row], row - span[0], 0
        for k in range(1 + _ANCHORS + most):
            if k == 0:
                c = home if home < merged else -1
            elif k <= _ANCHORS:
                a = anchors.starts[row] + k - 1
                c = clusters.cluster[anchors.others[a]] if a < anchors.starts[row + 1] else -1
            else:
                c = best[k - 1 - _ANCHORS]
            for other in range(filled):
                if chosen[place, other] == c:
                    c = -1
            if c >= 0 and filled < most:
                chosen[place, filled] = c
                weigh(row, c, own, seen, clusters, anchors, notes, lines[place, filled])
                filled += 1
        counts[place] = filled
        clear_contacts(row, seen, clusters, notes)


@numba.njit(cache=True, nogil=True)
def _expect(span: Span, seen: Appearances, clusters: Clusters, expected: F32) -> None:
    """Write the weight of each cluster's expected contacts in the sub-graph: of all, and of the inner ones."""
    for row in range(span[0], span[1]):
        g = clusters.guess[row]
        if g < 0:
            continue
        worth = np.float32(clusters.weight[g] * clusters.guess_trust[row])
        for k in range(clusters.ends[g], clusters.ends[g + 1]):
            known = worth * clusters.trust_there[k]
            expected[clusters.known_to[k], 0] += known
            expected[clusters.known_to[k], 1] += known * seen.inner[row]


@numba.njit(cache=True, nogil=True, inline="always")
def _list_known(row: int, seen: Appearances, clusters: Clusters, notes: Notes, known: I32, worth: F32) -> int:
    """List the contacts of an appearance, from the rarest on, and what they are worth; return how many."""
    many = 0
    for k in range(seen.indptr[row], seen.indptr[row + 1]):
        if clusters.guess[seen.indices[k]] >= 0:
            known[many] = clusters.guess[seen.indices[k]]
            many += 1
    known[:many].sort()
    for k in range(many):
        worth[k] = clusters.weight[known[k]] * notes.trust[known[k]]
    return many


@numba.njit(cache=True, nogil=True, inline="always")
def _visit(
    known: I32, worth: F32, seen: Appearances, clusters: Clusters, notes: Notes, support: F32, visited: I32
) -> tuple[int, bool]:
    """Add up what supports each cluster, contacts and equal ties; return how many were visited, and whether all."""
    # unsigned places: the machine need not ask at every step whether to count from the end
    count, spent = np.uint32(0), 0
    for k in range(known.size):
        first, last = clusters.ends[known[k]], clusters.ends[known[k] + 1]
        if spent > 0 and spent + last - first > clusters.reach:
            return count, False
        spent += last - first
        mine, value = notes.shared[known[k]], worth[k]
        rarity = np.float32(seen.rarity[mine])
        knowers, trust, most = (
            clusters.known_to[first:last],
            clusters.trust_there[first:last],
            clusters.most_there[first:last],
        )
        for at in range(np.uint32(knowers.size)):
            c = np.uint32(knowers[at])
            visited[count] = c
            count += np.uint32(support[c, 0] == 0)  # no branch: the machine could not predict it
            held = value * trust[at]
            support[c, 0] += held
            support[c, 1] += held * rarity * (most[at] == mine)
    return count, True


@numba.njit(cache=True, nogil=True, inline="always")
def _keep(best: I32, values: F32, cluster: int, value: float) -> None:
    """Put a cluster into its place among the best, whose last it beats."""
    place = values.size - 1
    while place > 0 and values[place - 1] < value:
        best[place], values[place] = best[place - 1], values[place - 1]
        place -= 1
    best[place], values[place] = cluster, value


@numba.njit(cache=True, nogil=True, inline="always")
def _rank(
    row: int, visited: I32, all_visited: bool, seen: Appearances, clusters: Clusters, support: F32, expected: F32,
    sums: F32, best: I32, values: F32,
) -> None:  # fmt: skip
    """Keep the best of the visited clusters, and clear what supports them."""
    best[:], values[:] = -1, -np.inf
    own, home, kind = clusters.cluster[row], seen.subgraph[row], 0 if seen.inner[row] else 1
    for number in visited:
        c = np.uint32(number)
        held, equal = support[c, 0], support[c, 1]
        support[c, 0], support[c, 1] = 0, 0
        # what was not visited cannot be missed: then the share in all that the cluster knows must do
        net = 3 * held - expected[c, kind] if all_visited else held * held / np.float32(clusters.total[c])
        net += _TIES * equal
        # most clusters are not among the best: to find that out must cost next to nothing
        if net <= values[-1] or c == own or clusters.home[c] == home:
            continue
        if all_visited:
            net -= largest_visible(c, clusters.presence, sums)
        if net > values[-1]:
            _keep(best, values, c, net)
