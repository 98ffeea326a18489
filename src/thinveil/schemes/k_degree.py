"""Give everybody a number of contacts that at least k people have.

Liu & Terzi 2008, "Towards identity anonymization on graphs". The degrees wanted come from optimal microaggregation in
one dimension: sorted degrees are cut into runs of k to 2k - 1, each with one degree for all, at the least sum of
changes. Where edges may be deleted too that degree is the median (Casas-Roma, Herrera-Joancomartí & Torra 2017), which
is far cheaper than raising all to the largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter
from thinveil.schemes.adding import raise_degrees
from thinveil.schemes.base import Promise
from thinveil.schemes.groups import Grouped, check_k
from thinveil.schemes.rewiring import rewire
from thinveil.schemes.whole import NO_EVENTS

I64 = NDArray[np.int64]


@dataclass(frozen=True)
class KDegree(Grouped):
    """Publish the whole graph, changed so that everybody shares their number of contacts with k - 1 others.

    Examples
    --------
    >>> star = Graph.from_edges([0, 0, 0, 0, 0], [1, 2, 3, 4, 5])
    >>> public = KDegree(k=3).publish(star, seed=0).public[0]
    >>> bool((np.bincount(public.degrees)[public.degrees] >= 3).all())
    True
    """

    name: ClassVar[str] = "k-degree"

    k: int = parameter(10, "people who share each number of contacts, at the least", low=2, high=10**9)
    additions: bool = parameter(False, "only add edges, which costs far more of them, and delete none")

    @property
    def promise(self) -> Promise:
        """At least k people share each degree."""
        return Promise("k", self.k, "degree")

    def describe(self) -> str:
        """Say what is published."""
        ways = "with edges added" if self.additions else "with edges moved, added or deleted"
        return (
            f"publishes the whole graph under fresh pseudonyms, {ways} so that for everybody at least "
            f"{self.k - 1:,} others have as many contacts; {NO_EVENTS}"
        )

    def change(self, graph: Graph, rng: np.random.Generator) -> Graph:
        """Return the graph with the degrees wanted."""
        check_k(self.name, self.k, graph)
        if self.additions:
            changed = raise_degrees(graph, wanted_degrees(graph.degrees, self.k, up=True), self.k, rng)
        else:
            wanted = (even_sum(wanted_degrees(graph.degrees, self.k, up=up), self.k) for up in (False, True))
            made = (rewire(graph, degrees, rng) for degrees in wanted)
            changed = next((one for one in made if one is not None), None)
        if changed is None:
            raise SampleError(
                f"{self.name}: no graph was found in which {self.k:,} of {graph.node_count:,} people share each "
                f"degree: give a smaller k{', or additions=no' * self.additions}"
            )
        return changed


def wanted_degrees(degrees: I64, k: int, *, up: bool) -> I64:
    """Return for each person the degree of their group: its largest (``up``), or its median.

    Examples
    --------
    >>> wanted_degrees(np.array([1, 9, 2, 8]), 2, up=False).tolist()
    [1, 8, 1, 8]
    """
    order = np.argsort(-degrees, kind="stable")
    falling = degrees[order]
    starts = _cut(falling, k, up)
    ends = np.append(starts[1:], falling.size)
    chosen = starts if up else (starts + ends) // 2
    wanted = np.empty_like(degrees)
    wanted[order] = np.repeat(falling[chosen], ends - starts)
    return wanted


def even_sum(wanted: I64, k: int) -> I64:
    """Return degrees with an even sum, at the least cost, with at least k people in each class still.

    Either one person of a class with more than k moves to another class, or a whole class with an odd number of people
    changes by one.

    Examples
    --------
    >>> even_sum(np.array([1, 1, 1, 2, 2]), 2).tolist(), even_sum(np.array([1, 1, 1, 3, 3]), 3).tolist()
    ([2, 1, 1, 2, 2], [0, 0, 0, 3, 3])
    """
    if wanted.sum() % 2 == 0:
        return wanted
    values, counts = np.unique(wanted, return_counts=True)
    apart = np.abs(values[:, None] - values).astype(float)
    apart[(apart % 2 == 0) | (counts <= k)[:, None]] = np.inf
    sizes = np.where(counts % 2 == 1, counts, np.inf)
    if apart.min() <= sizes.min():
        here, there = np.unravel_index(np.argmin(apart), apart.shape)
        mover = np.flatnonzero(wanted == values[here])[0]
        return np.where(np.arange(wanted.size) == mover, values[there], wanted)
    value = values[np.argmin(sizes)]
    return np.where(wanted == value, value + 1 if value == 0 else value - 1, wanted)


@numba.njit(cache=True, nogil=True)
def _cut(falling: I64, k: int, up: bool) -> I64:
    """Return where the groups start that falling degrees are cut into at the least cost.

    ``least[i]`` is what the first i cost, the last of whose groups starts at ``start[i]``.
    """
    size = falling.size
    sums = np.zeros(size + 1, dtype=np.int64)
    for i in range(size):
        sums[i + 1] = sums[i] + falling[i]
    far = np.int64(2**62)
    least, start = np.full(size + 1, far), np.zeros(size + 1, dtype=np.int64)
    least[0] = 0
    for end in range(k, size + 1):
        for first in range(max(0, end - 2 * k + 1), end - k + 1):
            if least[first] == far:
                continue
            middle = first if up else (first + end) // 2
            above, below = middle - first, end - middle
            cost = sums[middle] - sums[first] - above * falling[middle]
            cost += below * falling[middle] - (sums[end] - sums[middle])
            if least[first] + cost < least[end]:
                least[end], start[end] = least[first] + cost, first
    count, end = 0, size
    while end > 0:
        count, end = count + 1, start[end]
    starts, end = np.empty(count, dtype=np.int64), size
    for group in range(count - 1, -1, -1):
        end = start[end]
        starts[group] = end
    return starts
