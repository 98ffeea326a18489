"""From links to people: rows are merged along the links, the surest first.

A merged person has at most one row in a sub-graph: a link that would give it two is left out.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.pairs import Pairs

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]


def merge(links: Pairs, subgraph: I32) -> tuple[I32, NDArray[np.bool_]]:
    """Merge rows along links that are sorted by how sure they are.

    Returns
    -------
    person, kept
        The person of each row, -1 for a row without a link, and which links were followed.

    Examples
    --------
    >>> links = Pairs(np.array([0, 0]), np.array([1, 2]))
    >>> person, kept = merge(links, np.array([0, 1, 1], dtype=np.int32))
    >>> person.tolist(), kept.tolist()
    ([0, 0, -1], [True, False])
    """
    root, kept = _merge(links.left, links.right, subgraph)
    person = np.full(subgraph.size, -1, dtype=np.int32)
    linked = np.unique(np.concatenate((links.left[kept], links.right[kept])))
    person[linked] = np.unique(root[linked], return_inverse=True)[1]
    return person, kept


@numba.njit(cache=True, nogil=True)
def _merge(left: I64, right: I64, subgraph: I32) -> tuple[I32, NDArray[np.bool_]]:
    # the rows of a person form a ring: to join two rings, swap the followers of two rows
    root, follower = np.empty(subgraph.size, dtype=np.int32), np.empty(subgraph.size, dtype=np.int32)
    size = np.ones(subgraph.size, dtype=np.int64)
    marks = np.full(subgraph.max() + 1 if subgraph.size else 0, -1)
    kept = np.zeros(left.size, dtype=np.bool_)
    for row in range(root.size):
        root[row], follower[row] = row, row
    for link in range(left.size):
        one, two = root[left[link]], root[right[link]]
        if one == two:
            kept[link] = True
            continue
        if size[one] < size[two]:
            one, two = two, one
        clash, row = False, one
        for _ in range(size[one]):
            marks[subgraph[row]] = link
            row = follower[row]
        row = two
        for _ in range(size[two]):
            clash |= marks[subgraph[row]] == link
            row = follower[row]
        if clash:
            continue
        kept[link] = True
        row = two
        for _ in range(size[two]):
            root[row] = one
            row = follower[row]
        size[one] += size[two]
        follower[one], follower[two] = follower[two], follower[one]
    return root, kept
