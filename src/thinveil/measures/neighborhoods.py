"""How far the 2-hop neighbourhoods of two rows overlap (Section 4.5 of the paper).

The neighbourhood of a row is everybody within two hops of it inside its published sub-graph, itself included.
Two of them are compared as people, which takes the secret: this is the auditor's look at the attack's mistakes, and
never an input of an attack.

Sub-graphs are laid *side by side* as one graph: the nodes of each are numbered on from those of the one before, and
no edge runs between two. Only as many as memory should hold stand there at once: sub-graphs are cut into *blocks*,
and pairs are taken up by the two blocks that they need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.features import View
from thinveil.features.pairs import Pairs
from thinveil.runtime.threads import map_chunks, map_threads
from thinveil.schemes import Published, Release, told_apart

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

_BLOCK = 2**25  # neighbours of a block's rows: 128 MB of them
_CHUNK = 500


def neighborhood_overlaps(release: Release, view: View, pairs: Pairs, *, block: int = _BLOCK) -> F64:
    """Return the Jaccard coefficient of the two rows' 2-hop neighbourhoods, for each pair.

    It is the number of people in both neighbourhoods over the number of people in either.

    Parameters
    ----------
    release
        The sub-graphs, with who is who.
    view
        The appearances of that release.
    pairs
        Pairs of rows.
    block
        Most neighbours of rows in a block of sub-graphs; two blocks stand in memory at a time.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.features import Needs, observe
    >>> from thinveil.schemes import make_scheme
    >>> release = make_scheme("d4d-1:egonets=3,min_size=50").publish(synthetic_graph(2000), seed=0)
    >>> view = observe(release.public, Needs())
    >>> neighborhood_overlaps(release, view, Pairs(np.array([0, 1]), np.array([0, 1]))).tolist()
    [1.0, 1.0]
    """
    overlaps = np.empty(len(pairs))
    made: dict[int, Published] = {}
    for mine in _by_blocks(view, pairs, block):
        left, right = pairs.left[mine], pairs.right[mine]
        needed = np.unique(view.subgraph[np.concatenate((left, right))]).tolist()
        made = _make(release, needed, made)
        overlaps[mine] = _compare(_lay_side_by_side(made), view, left, right)
    return overlaps


@dataclass(frozen=True, eq=False)
class _Union:
    """Sub-graphs side by side: rows of neighbours, people, and where the nodes of each sub-graph start."""

    indptr: I64
    indices: I32
    people: I32
    start: dict[int, int]

    def nodes(self, view: View, rows: I64) -> I64:
        start = np.zeros(max(self.start) + 1, dtype=np.int64)
        start[list(self.start)] = list(self.start.values())
        return start[view.subgraph[rows]] + view.node[rows]


def _by_blocks(view: View, pairs: Pairs, block: int) -> Iterator[I64]:
    """Yield the pairs of each two blocks, those with the same left row together."""
    ends = np.cumsum(np.bincount(view.subgraph, weights=view.degree))
    blocks = (ends // block).astype(np.int64)[view.subgraph]
    one, two = np.minimum(blocks[pairs.left], blocks[pairs.right]), np.maximum(blocks[pairs.left], blocks[pairs.right])
    order = np.lexsort((pairs.left, two, one))
    changes = np.flatnonzero((np.diff(one[order]) != 0) | (np.diff(two[order]) != 0)) + 1
    yield from np.split(order, changes) if order.size else ()


def _make(release: Release, needed: Sequence[int], made: Mapping[int, Published]) -> dict[int, Published]:
    """Return the needed sub-graphs; those at hand are not made again."""
    secret = release.secret
    assert secret is not None  # only the auditor asks

    def make(k: int) -> Published:
        return made.get(k) or Published(release.public[k], secret[k])

    return dict(zip(needed, map_threads(make, needed), strict=True))


def _lay_side_by_side(made: Mapping[int, Published]) -> _Union:
    nodes = np.array([0, *(published.public.node_count for published in made.values())]).cumsum()
    ends = np.array([0, *(published.public.indices.size for published in made.values())]).cumsum()
    indptr, indices = np.zeros(nodes[-1] + 1, dtype=np.int64), np.empty(ends[-1], dtype=np.int32)
    for k, (public, _) in enumerate(made.values()):
        indptr[nodes[k] : nodes[k + 1] + 1] = public.indptr + ends[k]
        np.add(public.indices, np.int32(nodes[k]), out=indices[ends[k] : ends[k + 1]])
    people = np.concatenate(told_apart([secret for _, secret in made.values()]))
    return _Union(indptr, indices, people, dict(zip(made, nodes.tolist(), strict=False)))


def _compare(union: _Union, view: View, left: I64, right: I64) -> F64:
    left, right = union.nodes(view, left), union.nodes(view, right)
    population = int(union.people.max()) + 1

    def compare(first: int, last: int) -> F64:
        # fresh zeros cost nothing until they are touched
        seen, marks = np.zeros(union.people.size, dtype=np.int32), np.zeros(population, dtype=np.int32)
        ends = left[first:last], right[first:last]
        found: F64 = _jaccard(union.indptr, union.indices, union.people, *ends, seen, marks)
        return found

    return np.concatenate(map_chunks(compare, left.size, chunk=_CHUNK))


@numba.njit(cache=True, nogil=True)
def _fill_ball(indptr: I64, indices: I32, center: int, seen: I32, stamp: int, ball: I32) -> int:
    """Write all nodes within two hops of ``center`` into ``ball``; return how many there are."""
    seen[center], ball[0] = stamp, center
    count = 1
    for k in range(indptr[center], indptr[center + 1]):
        seen[indices[k]], ball[count] = stamp, indices[k]
        count += 1
    for near in range(1, count):
        for k in range(indptr[ball[near]], indptr[ball[near] + 1]):
            # no branch, for the processor could not guess it: a node met before is overwritten by the next
            ball[count] = indices[k]
            count += seen[indices[k]] != stamp
            seen[indices[k]] = stamp
    return count


@numba.njit(cache=True, nogil=True)
def _jaccard(indptr: I64, indices: I32, people: I32, left: I64, right: I64, seen: I32, marks: I32) -> F64:
    """Return the share of people in both balls among those in either; ``seen`` and ``marks`` come as zeros."""
    overlaps = np.empty(left.size, dtype=np.float64)
    ball = np.empty(people.size + 1, dtype=np.int32)
    size = 0
    for k in range(left.size):
        # stamps grow, so that nothing need be wiped out
        if k == 0 or left[k] != left[k - 1]:
            size = _fill_ball(indptr, indices, left[k], seen, 2 * k + 1, ball)
            for b in range(size):
                marks[people[ball[b]]] = k + 1
            stamp = k + 1
        other = _fill_ball(indptr, indices, right[k], seen, 2 * k + 2, ball)
        shared = 0
        for b in range(other):
            shared += marks[people[ball[b]]] == stamp
        overlaps[k] = shared / (size + other - shared)
    return overlaps
