"""Merging: inner appearances of one person in several sub-graphs, before anybody has a name.

All contacts of an inner appearance are published with it. So a person is inner with the same number of contacts
everywhere, and with the same number of common contacts with any other person who is inner there too. The *traits* of an
inner appearance are these numbers, one for each of the best-connected inner ones beside it::

    traits of x: (contacts of y, 2 * common contacts of x and y + whether they know each other), sorted by contacts of y

Two appearances with as many contacts each are the same person if enough of their traits agree, and few do not.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.runtime.threads import map_threads

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_PARTNERS = 150
_FEWEST = 10  # contacts of a partner, and of whoever is merged
_ENOUGH = 3.0  # log odds


class Traits(NamedTuple):
    """Traits of the inner appearances ``who``: those of ``who[r]`` are entries ``indptr[r]`` to ``indptr[r + 1]``.

    A trait is with appearance ``partner``, of ``contacts`` contacts; ``common`` are twice the common contacts, plus one
    where they know each other.
    """

    who: I32
    indptr: I64
    partner: I32
    contacts: I32
    common: I32


def list_traits(seen: Appearances) -> Traits:
    """Return the traits of all inner appearances."""
    parts = map_threads(
        lambda k: _list_traits(seen.indptr, seen.indices, *_inner_of(seen, k), seen.start[k], seen.start[k + 1]),
        range(seen.start.size - 1),
    )
    who, counts, partner, contacts, common = (np.concatenate(one) for one in zip(*parts, strict=True))
    return Traits(who, np.concatenate([[0], np.cumsum(counts)]), partner, contacts, common)


def merge(seen: Appearances, traits: Traits, alike: I64) -> I32:
    """Return a group number for each appearance; -1 where it is not inner.

    ``alike[d]`` is how many people have d contacts, or about so: the more, the more must agree.
    """
    first, second, odds = _compare(seen, traits, alike)
    order = np.argsort(-odds, kind="stable")
    group = _unite(first[order], second[order], traits.who.size, seen.subgraph[traits.who])
    merged = np.full(seen.count, -1, dtype=np.int32)
    merged[traits.who] = np.unique(group, return_inverse=True)[1]
    return merged


def _inner_of(seen: Appearances, k: int) -> tuple[I32, I32]:
    """Return the inner appearances of a sub-graph, and those of them that are partners in traits."""
    inner = np.flatnonzero(seen.inner[seen.start[k] : seen.start[k + 1]]) + seen.start[k]
    degree = seen.degree[inner]
    _, place, times = np.unique(degree, return_index=True, return_counts=True)
    alone = place[(times == 1) & (degree[place] >= _FEWEST)][-_PARTNERS:]
    return inner.astype(np.int32), inner[alone].astype(np.int32)


@numba.njit(cache=True, nogil=True)
def _list_traits(
    indptr: I64, indices: I32, inner: I32, partners: I32, first: int, last: int
) -> tuple[I32, I64, I32, I32, I32]:
    """Count common contacts of all inner appearances with all partners; these stand by their contacts."""
    row = np.full(last - first, -1, dtype=np.int32)
    common = np.zeros((inner.size, partners.size), dtype=np.int32)
    for r in range(inner.size):
        row[inner[r] - first] = r
    for p in range(partners.size):
        for k in range(indptr[partners[p]], indptr[partners[p] + 1]):
            near = indices[k]
            if row[near - first] >= 0:
                common[row[near - first], p] += 1
            for e in range(indptr[near], indptr[near + 1]):
                if row[indices[e] - first] >= 0:
                    common[row[indices[e] - first], p] += 2
    counts = np.zeros(inner.size, dtype=np.int64)
    size = inner.size * partners.size
    partner, contacts, kept = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32), np.empty(size, np.int32)
    count = 0
    for r in range(inner.size):
        for p in range(partners.size):
            if partners[p] != inner[r]:
                partner[count], kept[count] = partners[p], common[r, p]
                contacts[count] = indptr[partners[p] + 1] - indptr[partners[p]]
                count += 1
                counts[r] += 1
    return inner, counts, partner[:count].copy(), contacts[:count].copy(), kept[:count].copy()


def _compare(seen: Appearances, traits: Traits, alike: I64) -> tuple[I64, I64, F64]:
    """Return pairs of rows that are probably one person, with log odds."""
    degree = seen.degree[traits.who]
    order = np.argsort(degree, kind="stable")
    bounds = np.flatnonzero(np.diff(degree[order], prepend=-1, append=2**30))
    parts = map_threads(
        lambda one: _compare_class(
            order[one[0] : one[1]], seen.subgraph[traits.who], traits.indptr, traits.contacts, traits.common,
            -np.log(1.0 + alike[degree[order[one[0]]]]) - _ENOUGH,
        ),
        [(a, b) for a, b in pairwise(bounds) if b > a + 1 and degree[order[a]] >= _FEWEST],
    )  # fmt: skip
    if not parts:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0)
    first, second, odds = (np.concatenate(one) for one in zip(*parts, strict=True))
    return first, second, odds


@numba.njit(cache=True, nogil=True)
def _compare_class(
    rows: I64, subgraph: I32, indptr: I64, contacts: I32, common: I32, prior: float
) -> tuple[I64, I64, F64]:
    """Return those pairs of rows of one number of contacts whose log odds are above zero."""
    first, second, odds = [np.int64(0) for _ in range(0)], [np.int64(0) for _ in range(0)], [0.0 for _ in range(0)]
    for i in range(rows.size):
        for j in range(i + 1, rows.size):
            if subgraph[rows[i]] != subgraph[rows[j]]:
                log_odds = prior + _agreement(indptr, contacts, common, rows[i], rows[j])
                if log_odds > 0:
                    first.append(rows[i])
                    second.append(rows[j])
                    odds.append(log_odds)
    return np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), np.array(odds, dtype=np.float64)


@numba.njit(cache=True, nogil=True)
def _agreement(indptr: I64, contacts: I32, common: I32, a: int, b: int) -> float:
    """Return the log odds of all traits with partners of as many contacts: many common contacts seldom agree."""
    total = 0.0
    i, j = indptr[a], indptr[b]
    while i < indptr[a + 1] and j < indptr[b + 1]:
        if contacts[i] < contacts[j]:
            i += 1
        elif contacts[i] > contacts[j]:
            j += 1
        else:
            # a partner of as many contacts need not be the same person, where there are many of them
            total += np.log(1.0 + common[i] / 2.0) if common[i] == common[j] else -1.5
            i += 1
            j += 1
    return total


@numba.njit(cache=True, nogil=True)
def _unite(first: I64, second: I64, rows: int, subgraph: I32) -> I64:
    """Unite pairs in order, but never two appearances of one sub-graph; return each row's group."""
    group, following, last = np.arange(rows), np.full(rows, -1), np.arange(rows)
    for k in range(first.size):
        a, b = group[first[k]], group[second[k]]
        if a != b and not _meet(a, b, following, subgraph):
            following[last[a]] = b
            last[a] = last[b]
            r = b
            while r >= 0:
                group[r] = a
                r = following[r]
    return group


@numba.njit(cache=True, nogil=True)
def _meet(a: int, b: int, following: I64, subgraph: I32) -> bool:
    """Return whether two groups, chains of rows, have appearances in the same sub-graph."""
    while a >= 0:
        r = b
        while r >= 0:
            if subgraph[r] == subgraph[a]:
                return True
            r = following[r]
        a = following[a]
    return False
