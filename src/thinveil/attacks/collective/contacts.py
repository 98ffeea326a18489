"""Whom clusters know: the known contacts of each cluster, and the clusters that know each of them.

A known contact is a merged cluster among the neighbours of a cluster's appearances. With it stand how often the two are
seen together, the most neighbours that they were seen to share, and how far the surest of these sightings is to be
trusted; both also without the best sighting, since an appearance must not speak for itself::

    cluster 7 = appearances 3, 18, 40          known contact   times   most   second
      3 has contact 2 (5 shared neighbours)          2           2      5       4
      18 has contacts 2 (4) and 9 (1)                9           1      1      -1
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from thinveil.attacks.collective.appearances import F32, I32, I64, Appearances


class Contacts(NamedTuple):
    """Known contacts: cluster c knows ``contacts[starts[c] : starts[c + 1]]``."""

    starts: I64
    contacts: I32
    times: I32
    most: I32
    second: I32
    trust: F32
    next_trust: F32


class Knowers(NamedTuple):
    """The same the other way round: merged cluster m is known to ``known_to[ends[m] : ends[m + 1]]``."""

    ends: I64
    known_to: I32
    most_there: I32
    trust_there: F32


def list_contacts(
    seen: Appearances, guess: I32, trust: F32, cluster: I32, counts: tuple[int, int]
) -> tuple[Contacts, Knowers]:
    """List who knows whom; ``counts`` is how many merged clusters there are, and how many in all."""
    first, members = _group_by_cluster(cluster, counts[1])
    starts = _count_contacts(seen, guess, first, members, counts[0])
    known = Contacts(*_list_contacts(seen, guess, trust, first, members, starts, counts[0]))
    return known, Knowers(*_list_knowers(known.starts, known.contacts, known.most, known.trust, counts[0]))


@numba.njit(cache=True, nogil=True)
def _group_by_cluster(cluster: I32, count: int) -> tuple[I64, I64]:
    """Return where each cluster's appearances start, and the appearances."""
    first = np.zeros(count + 1, dtype=np.int64)
    for row in range(cluster.size):
        first[cluster[row] + 1] += 1
    for c in range(count):
        first[c + 1] += first[c]
    members, cursor = np.empty(cluster.size, dtype=np.int64), first.copy()
    for row in range(cluster.size):
        members[cursor[cluster[row]]] = row
        cursor[cluster[row]] += 1
    return first, members


@numba.njit(cache=True, nogil=True)
def _count_contacts(seen: Appearances, guess: I32, first: I64, members: I64, merged: int) -> I64:
    """Return where each cluster's known contacts start."""
    last, starts = np.full(merged, -1), np.zeros(first.size, dtype=np.int64)
    for c in range(first.size - 1):
        starts[c + 1] = starts[c]
        for m in range(first[c], first[c + 1]):
            for k in range(seen.indptr[members[m]], seen.indptr[members[m] + 1]):
                g = guess[seen.indices[k]]
                if g >= 0 and last[g] != c:
                    last[g] = c
                    starts[c + 1] += 1
    return starts


@numba.njit(cache=True, nogil=True)
def _list_contacts(
    seen: Appearances, guess: I32, sure: F32, first: I64, members: I64, starts: I64, merged: int
) -> tuple[I64, I32, I32, I32, I32, F32, F32]:
    size = starts[starts.size - 1]
    last, place = np.full(merged, -1), np.empty(merged, dtype=np.int64)
    contacts, times = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    most, second = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    trust, next_trust = np.empty(size, dtype=np.float32), np.empty(size, dtype=np.float32)
    for c in range(starts.size - 1):
        end = starts[c]
        for m in range(first[c], first[c + 1]):
            for k in range(seen.indptr[members[m]], seen.indptr[members[m] + 1]):
                g, shared, t = guess[seen.indices[k]], seen.shared[k], sure[seen.indices[k]]
                if g < 0:
                    continue
                if last[g] != c:
                    last[g], place[g] = c, end
                    contacts[end], times[end], most[end], second[end] = g, 1, shared, -1
                    trust[end], next_trust[end] = t, 0.0
                    end += 1
                    continue
                p = place[g]
                times[p] += 1
                if t > trust[p]:
                    trust[p], next_trust[p] = t, trust[p]
                elif t > next_trust[p]:
                    next_trust[p] = t
                if shared > most[p]:
                    most[p], second[p] = shared, most[p]
                elif shared > second[p]:
                    second[p] = shared
    return starts, contacts, times, most, second, trust, next_trust


@numba.njit(cache=True, nogil=True)
def _list_knowers(starts: I64, contacts: I32, most: I32, trust: F32, merged: int) -> tuple[I64, I32, I32, F32]:
    """Return for each merged cluster the clusters that know it."""
    ends = np.zeros(merged + 1, dtype=np.int64)
    for k in range(contacts.size):
        ends[contacts[k] + 1] += 1
    for g in range(merged):
        ends[g + 1] += ends[g]
    cursor = ends.copy()
    known_to, most_there = np.empty(contacts.size, dtype=np.int32), np.empty(contacts.size, dtype=np.int32)
    trust_there = np.empty(contacts.size, dtype=np.float32)
    for c in range(starts.size - 1):
        for k in range(starts[c], starts[c + 1]):
            g = contacts[k]
            known_to[cursor[g]], most_there[cursor[g]], trust_there[cursor[g]] = c, most[k], trust[k]
            cursor[g] += 1
    return ends, known_to, most_there, trust_there
