"""From links to clusters: appearances are merged along the links, the surest first.

A cluster has at most one appearance in a sub-graph: links that would give it two are left out. Links that are equally
sure are followed together or, where they clash, not at all: the order of the appearances decides nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from thinveil.attacks.collective.appearances import F32, F64, I32, I64, Bools
from thinveil.features.pairs import Pairs

LINKED = np.float32(0.5)
"""Links are trusted so much at least, guesses less."""


class Clustering(NamedTuple):
    """The ``cluster`` of every appearance, -1 for none, and its ``guess``: as whom it counts where it is a contact.

    The guess of an appearance with a cluster is that cluster. Another appearance may still be most like some cluster,
    without a link: ``trust`` says how probable the guess is, half or more for links and less for all else.
    """

    cluster: I32
    guess: I32
    trust: F32

    @classmethod
    def along(cls, cluster: I32, links: Pairs, sure: F64) -> Clustering:
        """Trust every appearance as much as the surest of its links."""
        trust = np.zeros(cluster.size, dtype=np.float32)
        for ends in (links.left, links.right):
            mine = ends < cluster.size
            np.maximum.at(trust, ends[mine], sure[mine].astype(np.float32))
        return cls(cluster, cluster, np.where(cluster >= 0, np.maximum(trust, LINKED), 0).astype(np.float32))

    @classmethod
    def empty(cls, count: int) -> Clustering:
        """Return appearances without clusters."""
        cluster = np.full(count, -1, dtype=np.int32)
        return cls(cluster, cluster, np.zeros(count, dtype=np.float32))


def merge(links: Pairs, sure: F64, subgraph: I32) -> tuple[I32, Bools]:
    """Merge appearances along links, given from the surest on.

    Returns
    -------
    cluster, kept
        The cluster of each appearance, -1 for one without a link, and which links were followed.

    Examples
    --------
    >>> links = Pairs(np.array([0, 0]), np.array([1, 2]))
    >>> cluster, kept = merge(links, np.array([0.9, 0.8]), np.array([0, 1, 1], dtype=np.int32))
    >>> cluster.tolist(), kept.tolist()
    ([0, 0, -1], [True, False])
    >>> merge(links, np.array([0.9, 0.9]), np.array([0, 1, 1], dtype=np.int32))[0].tolist()
    [-1, -1, -1]
    """
    root, kept = _merge(links.left, links.right, sure, subgraph)
    cluster = np.full(subgraph.size, -1, dtype=np.int32)
    linked = np.unique(np.concatenate((links.left[kept], links.right[kept])))
    cluster[linked] = np.unique(root[linked], return_inverse=True)[1]
    return cluster, kept


@numba.njit(cache=True, nogil=True)
def _merge(left: I64, right: I64, sure: F64, subgraph: I32) -> tuple[I32, Bools]:
    # the appearances of a cluster form a ring: swapping the followers of two joins two rings, or parts them again
    root, follower = np.empty(subgraph.size, dtype=np.int32), np.empty(subgraph.size, dtype=np.int32)
    for row in range(root.size):
        root[row], follower[row] = row, row
    marks = np.full(subgraph.max() + 1 if subgraph.size else 0, -1)
    kept = np.zeros(left.size, dtype=np.bool_)
    first = 0
    while first < left.size:
        last = first
        while last < left.size and sure[last] == sure[first]:
            last += 1
        joined = np.zeros(last - first, dtype=np.bool_)
        for link in range(first, last):
            if root[left[link]] != root[right[link]]:
                joined[link - first] = True
                follower[left[link]], follower[right[link]] = follower[right[link]], follower[left[link]]
                _name(follower, root, left[link])
        clash = np.zeros(last - first, dtype=np.bool_)
        for link in range(first, last):
            clash[link - first] = _has_clash(follower, subgraph, marks, left[link], link)
        # part the clashing rings in the reverse order of joining: each swap undoes its own
        for link in range(last - 1, first - 1, -1):
            if clash[link - first] and joined[link - first]:
                follower[left[link]], follower[right[link]] = follower[right[link]], follower[left[link]]
        for link in range(first, last):
            if clash[link - first]:
                _name(follower, root, left[link])
                _name(follower, root, right[link])
            kept[link] = root[left[link]] == root[right[link]]
        first = last
    return root, kept


@numba.njit(cache=True, nogil=True)
def _name(follower: I32, root: I32, start: int) -> None:
    """Give all appearances of a ring its smallest one as their root."""
    smallest, row = start, follower[start]
    while row != start:
        smallest = min(smallest, row)
        row = follower[row]
    row = follower[start]
    root[start] = smallest
    while row != start:
        root[row] = smallest
        row = follower[row]


@numba.njit(cache=True, nogil=True)
def _has_clash(follower: I32, subgraph: I32, marks: I64, start: int, stamp: int) -> bool:
    """Tell whether two appearances of a ring are in one sub-graph."""
    marks[subgraph[start]] = stamp
    row = follower[start]
    while row != start:
        if marks[subgraph[row]] == stamp:
            return True
        marks[subgraph[row]] = stamp
        row = follower[row]
    return False
