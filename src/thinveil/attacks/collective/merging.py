"""From links to people: rows are merged along the links, the surest first.

A merged person has at most one row in a sub-graph: links that would give it two are left out. Links that are equally
sure are followed together or, where they clash, not at all: the order of the rows decides nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.features.pairs import Pairs

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


LINKED = np.float32(0.5)
"""Links are trusted so much at least, guesses less."""


class Merged(NamedTuple):
    """Who every row is: its ``person``, -1 for none, and its ``guess``, whom it counts as when others know it.

    The guess of a row with a person is that person. Another row may still look most like somebody, without a link:
    ``trust`` says how probable the guess is, half or more for links and less for all else.
    """

    person: I32
    guess: I32
    trust: NDArray[np.float32]

    @classmethod
    def along(cls, person: I32, links: Pairs, sure: NDArray[np.float64]) -> Merged:
        """Trust every row as much as the surest of its links."""
        trust = np.zeros(person.size, dtype=np.float32)
        for rows in (links.left, links.right):
            mine = rows < person.size
            np.maximum.at(trust, rows[mine], sure[mine].astype(np.float32))
        return cls(person, person, np.where(person >= 0, np.maximum(trust, LINKED), 0).astype(np.float32))

    @classmethod
    def nobody(cls, rows: int) -> Merged:
        """Return that nobody is known."""
        person = np.full(rows, -1, dtype=np.int32)
        return cls(person, person, np.zeros(rows, dtype=np.float32))


def merge(links: Pairs, sure: NDArray[np.float64], subgraph: I32) -> tuple[I32, NDArray[np.bool_]]:
    """Merge rows along links, given from the surest on.

    Returns
    -------
    person, kept
        The person of each row, -1 for a row without a link, and which links were followed.

    Examples
    --------
    >>> links = Pairs(np.array([0, 0]), np.array([1, 2]))
    >>> person, kept = merge(links, np.array([0.9, 0.8]), np.array([0, 1, 1], dtype=np.int32))
    >>> person.tolist(), kept.tolist()
    ([0, 0, -1], [True, False])
    >>> merge(links, np.array([0.9, 0.9]), np.array([0, 1, 1], dtype=np.int32))[0].tolist()
    [-1, -1, -1]
    """
    root, kept = _merge(links.left, links.right, sure, subgraph)
    person = np.full(subgraph.size, -1, dtype=np.int32)
    linked = np.unique(np.concatenate((links.left[kept], links.right[kept])))
    person[linked] = np.unique(root[linked], return_inverse=True)[1]
    return person, kept


@numba.njit(cache=True, nogil=True)
def _merge(left: I64, right: I64, sure: NDArray[np.float64], subgraph: I32) -> tuple[I32, NDArray[np.bool_]]:
    # the rows of a person form a ring: swapping the followers of two rows joins two rings, or parts them again
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
    """Give all rows of a ring its smallest row as their root."""
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
    """Tell whether two rows of a ring stand in one sub-graph."""
    marks[subgraph[start]] = stamp
    row = follower[start]
    while row != start:
        if marks[subgraph[row]] == stamp:
            return True
        marks[subgraph[row]] = stamp
        row = follower[row]
    return False
