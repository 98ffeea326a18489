"""The two-graph task (Section 4.4 of the paper): two networks that share some of their people and edges.

The people are split at random into three groups, and each of two graphs gets two of them::

    V1 = A + B        A and C: (1 - node_overlap) / 2 of the people each
    V2 = B + C        B: node_overlap of the people, those who can be linked

Each graph has its own copy of the edges, from which a share of (1 - edge_overlap) / (1 + edge_overlap) is deleted
by lot. Among the people of both graphs, then, a share of ``edge_overlap`` of all remaining edges is in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.balls import sorted_rows
from thinveil.runtime.splitmix import STEP, mix
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import map_threads
from thinveil.schemes.base import Published, Secret

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
_LOTS = 2**53
"""An edge draws a lot below this number: as fine as a float can tell shares apart."""


@dataclass(frozen=True)
class OverlapScheme:
    """Publish two overlapping, thinned copies of the graph, each under fresh pseudonyms.

    Parameters
    ----------
    node_overlap
        Share of the people of either graph who are in both (Jaccard coefficient; alpha_V in the paper).
    edge_overlap
        The same of the edges among people who are in both (alpha_E).

    Examples
    --------
    >>> ring = Graph.from_edges(range(100), [*range(1, 100), 0])
    >>> ((one, two),) = OverlapScheme(0.5, 1.0).draw(ring, seed=1)
    >>> one.public.node_count, two.public.node_count, np.intersect1d(one.secret.people, two.secret.people).size
    (75, 75, 50)
    """

    node_overlap: float = 0.25
    edge_overlap: float = 0.25
    name = "overlap"

    def __post_init__(self) -> None:
        for name, value in self.settings().items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
                raise InputError(f"{name} = {value}: give a share above 0 and up to 1")

    def settings(self) -> dict[str, Any]:
        """Return the parameters that make the scheme again."""
        return {"node_overlap": self.node_overlap, "edge_overlap": self.edge_overlap}

    def draw(self, graph: Graph, *, releases: int = 1, seed: int = 0) -> tuple[Sequence[Published], ...]:
        """Return releases of two graphs each, all drawn independently."""
        if releases < 1:
            raise InputError(f"releases = {releases}: give 1 or more")
        return tuple(self._release(graph, seed, number) for number in range(releases))

    def _release(self, graph: Graph, seed: int, number: int) -> Sequence[Published]:
        order = stream(seed, "overlap", number).permutation(graph.node_count).astype(np.int32)
        both = round(self.node_overlap * order.size)
        alone = (order.size - both) // 2
        groups = (order[: alone + both], order[alone:])
        deleted = (1 - self.edge_overlap) / (1 + self.edge_overlap)
        return map_threads(
            lambda k: publish_part(graph, groups[k], deleted, stream(seed, "pseudonyms", number, k)), range(2)
        )


def publish_part(graph: Graph, members: I32, deleted: float, rng: np.random.Generator) -> Published:
    """Publish the network among some people, of which a share of the edges is deleted by lot."""
    people = rng.permutation(members)
    pseudonyms = np.full(graph.node_count, -1, dtype=np.int32)
    pseudonyms[people] = np.arange(people.size, dtype=np.int32)
    key = int(rng.integers(2**63))
    rows = _thinned_rows(graph.indptr, graph.indices, pseudonyms, people.size, key, round(deleted * _LOTS))
    return Published(Graph(*rows), Secret(people, None))


@numba.njit(cache=True, nogil=True)
def _thinned_rows(indptr: I64, indices: I32, pseudonyms: I32, nodes: int, key: int, cut: int) -> tuple[I64, I32]:
    """Return the rows of the people with a pseudonym, without the edges that draw a lot below ``cut``.

    The lot of an edge depends on ``key`` and on where the edge stands in the row of its smaller end, and on
    nothing else: whether a person is in the graph does not change the luck of other people's edges.
    """
    source, target = np.empty(indices.size // 2, dtype=np.int32), np.empty(indices.size // 2, dtype=np.int32)
    count = 0
    for v in range(indptr.size - 1):
        for k in range(indptr[v], indptr[v + 1]):
            if indices[k] < v or pseudonyms[v] < 0 or pseudonyms[indices[k]] < 0:
                continue
            if np.int64(mix(np.uint64(key) + np.uint64(k) * STEP) >> np.uint64(11)) >= cut:
                source[count], target[count] = pseudonyms[v], pseudonyms[indices[k]]
                count += 1
    return sorted_rows(source[:count], target[:count], nodes)
