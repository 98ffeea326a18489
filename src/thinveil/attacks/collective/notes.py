"""Notes about every merged cluster while the appearances of one sub-graph are gone through.

Kernels ask "is that contact present in this sub-graph?" and "does this appearance know it?" millions of times: an array
with an entry per merged cluster answers at once. Contacts are noted for one appearance at a time, and cleared again.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.appearances import F32, I32, Appearances, Span
from thinveil.attacks.collective.clusters import Clusters
from thinveil.attacks.collective.merging import LINKED


class Notes(NamedTuple):
    """What is noted about each merged cluster.

    ``row`` is its appearance in the sub-graph, -1 for none. Of the appearance at hand: whether it knows the cluster (1,
    or 2 if the contact is an inner one), how many neighbours they share, and how far the contact is to be trusted.
    """

    row: I32
    known: NDArray[np.int8]
    shared: I32
    trust: F32


class Own(NamedTuple):
    """The contacts of an appearance in all: linked ones, inner ones, the weights of both, and the trusted weight."""

    contacts: int
    inner: int
    weight: float
    inner_weight: float
    trusted: float


def make_notes(merged_count: int) -> Notes:
    """Return empty notes."""
    return Notes(
        np.full(merged_count, -1, dtype=np.int32),
        np.zeros(merged_count, dtype=np.int8),
        np.zeros(merged_count, dtype=np.int32),
        np.zeros(merged_count, dtype=np.float32),
    )


@numba.njit(cache=True, nogil=True, inline="always")
def note_presence(clusters: Clusters, span: Span, notes: Notes) -> None:
    """Note which cluster is present in the sub-graph."""
    for row in range(span[0], span[1]):
        if clusters.guess[row] >= 0:
            notes.row[clusters.guess[row]] = row


@numba.njit(cache=True, nogil=True, inline="always")
def note_contacts(row: int, seen: Appearances, clusters: Clusters, notes: Notes) -> Own:
    """Note the contacts of an appearance."""
    contacts, inner, weight, inner_weight, trusted = 0, 0, 0.0, 0.0, 0.0
    for k in range(seen.indptr[row], seen.indptr[row + 1]):
        g, t = clusters.guess[seen.indices[k]], clusters.guess_trust[seen.indices[k]]
        if g < 0:
            continue
        notes.known[g], notes.shared[g], notes.trust[g] = 1, seen.shared[k], t
        trusted += clusters.weight[g] * t
        if t < LINKED:
            continue
        contacts += 1
        weight += clusters.weight[g]
        if seen.inner[seen.indices[k]]:
            notes.known[g] = 2
            inner += 1
            inner_weight += clusters.weight[g]
    return Own(contacts, inner, weight, inner_weight, trusted)


@numba.njit(cache=True, nogil=True, inline="always")
def clear_contacts(row: int, seen: Appearances, clusters: Clusters, notes: Notes) -> None:
    """Clear what ``note_contacts`` noted."""
    for k in range(seen.indptr[row], seen.indptr[row + 1]):
        if clusters.guess[seen.indices[k]] >= 0:
            notes.known[clusters.guess[seen.indices[k]]] = 0
