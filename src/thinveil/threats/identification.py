"""Whose name belongs to a published node? The attacker holds the release, and a second graph with names.

The second, *auxiliary* graph knows some of the same people and some of their edges (Section 4.4 of the paper, whose
two-graph task is this threat with the scheme ``pseudonyms``). The people are split at random into three groups::

    published = A + B      A and C: (1 - node_overlap) / 2 of the people each
    auxiliary = B + C      B: node_overlap of the people, those who can be named

Each graph has its own copy of the edges, from which a share of (1 - edge_overlap) / (1 + edge_overlap) is deleted
by lot. Among the people of both graphs, then, a share of ``edge_overlap`` of all remaining edges is in both. In the
attacked release the auxiliary graph stands as one more sub-graph, whose people have names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph, trusted_graph
from thinveil.graph.balls import sorted_rows
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.splitmix import STEP, mix
from thinveil.runtime.streams import Seeds, stream
from thinveil.schemes import Release, Scheme, Secret
from thinveil.threats.base import Scene, publish_both, publish_training

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
_LOTS = 2**53
"""An edge draws a lot below this number: as fine as a float can tell shares apart."""


@dataclass(frozen=True)
class Identification:
    """Name the people of a published graph with the help of a second, noisy graph with names."""

    name: ClassVar[str] = "identification"
    features: ClassVar[tuple[str, ...]] = ("degrees", "two-hop")
    scheme: ClassVar[str] = "pseudonyms"
    attack: ClassVar[str] = "forest"
    unseen: ClassVar[bool] = False
    auxiliary: ClassVar[bool] = True

    node_overlap: float = parameter(0.25, "share of all people who are in both graphs", low=0, high=1)
    edge_overlap: float = parameter(0.25, "share of the edges among these people that are in both", low=0, high=1)
    known: int | None = parameter(
        None, "people of both graphs whom the attacker knows, and learns from; 50 if nothing else is", low=0, high=10**8
    )

    def __post_init__(self) -> None:
        check_parameters(self)

    def describe(self) -> str:
        """Say who holds what and wants what."""
        return (
            "The attacker holds the release and an auxiliary graph with names, and wants to know which name belongs to "
            f"which published node. Of all people {100 * self.node_overlap:g}% are in both graphs, and of all edges "
            f"among these people {100 * self.edge_overlap:g}% are in both; the others were deleted at random."
        )

    def resolved(self, *, other_graph: bool) -> Identification:
        """Return the threat with a number of known people, or say what does not go together."""
        if self.known and other_graph:
            raise InputError(f"known = {self.known} are people of the attacked graph: leave --train-on out, or known")
        return self if self.known is not None else replace(self, known=0 if other_graph else 50)

    def publish(self, scheme: Scheme, graph: Graph, *, seeds: Seeds, train_on: Graph | None = None) -> Scene:
        """Publish one part of the people by the scheme, and put the other part beside it as auxiliary graph."""
        known = self.known or 0
        if (parts := getattr(scheme, "egonets", 1)) > 1:
            raise _refusal(scheme, parts)
        return publish_both(_WithAuxiliary(scheme, self), graph, seeds=seeds, train_on=train_on, known=known)

    def publish_training(self, scheme: Scheme, graph: Graph, *, seeds: Seeds) -> Release:
        """Publish a release to learn from."""
        return publish_training(_WithAuxiliary(scheme, self), graph, seeds=seeds)


@dataclass(frozen=True)
class _WithAuxiliary:
    """A scheme whose releases have an auxiliary graph as their last sub-graph."""

    scheme: Scheme
    threat: Identification
    name: ClassVar[str] = ""

    def describe(self) -> str:
        return self.scheme.describe()

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        order = stream(seed, "overlap", len(avoid)).permutation(graph.node_count).astype(np.int32)
        both = round(self.threat.node_overlap * order.size)
        alone = (order.size - both) // 2
        groups = order[: alone + both], order[alone:]
        streams = [stream(seed, "pseudonyms", len(avoid), k) for k in range(2)]
        # in each stream the pseudonyms come first, which the scheme draws again, and then the lots of the edges
        orders = [chance.permutation(members) for chance, members in zip(streams, groups, strict=True)]
        keys = [int(chance.integers(2**63)) for chance in streams]
        deleted = (1 - self.threat.edge_overlap) / (1 + self.threat.edge_overlap)
        release = self.scheme.publish(thin(graph, groups[0], deleted, keys[0]), seed=seed, avoid=avoid)
        if len(release) != 1 or release.secret is None:
            raise _refusal(self.scheme, len(release))
        secret, auxiliary = Secret(groups[0][release.secret[0].people]), thin(graph, orders[1], deleted, keys[1])
        return Release((release.public[0], auxiliary), (secret, Secret(orders[1])), release.scheme, graph.labels)


def _refusal(scheme: Scheme, parts: int) -> InputError:
    return InputError(
        f"scheme {scheme.name} publishes {parts} sub-graphs, and identification is audited for whole graphs: choose "
        f"--scheme {Identification.scheme}, or look for names with thinveil match"
    )


def thin(graph: Graph, members: I32, deleted: float, key: int) -> Graph:
    """Return the network among some people, in their order, of which a share of the edges is deleted by lot."""
    place = np.full(graph.node_count, -1, dtype=np.int32)
    place[members] = np.arange(members.size, dtype=np.int32)
    return trusted_graph(*_thinned_rows(graph.indptr, graph.indices, place, members.size, key, round(deleted * _LOTS)))


@numba.njit(cache=True, nogil=True)
def _thinned_rows(indptr: I64, indices: I32, place: I32, nodes: int, key: int, cut: int) -> tuple[I64, I32]:
    """Return the rows of the people with a place, without the edges that draw a lot below ``cut``.

    The lot of an edge depends on ``key`` and on where the edge stands in the row of its smaller end, and on
    nothing else: whether a person is in the graph does not change the luck of other people's edges.
    """
    source, target = np.empty(indices.size // 2, dtype=np.int32), np.empty(indices.size // 2, dtype=np.int32)
    count = 0
    for v in range(indptr.size - 1):
        for k in range(indptr[v], indptr[v + 1]):
            if indices[k] < v or place[v] < 0 or place[indices[k]] < 0:
                continue
            if np.int64(mix(np.uint64(key) + np.uint64(k) * STEP) >> np.uint64(11)) >= cut:
                source[count], target[count] = place[v], place[indices[k]]
                count += 1
    return sorted_rows(source[:count], target[:count], nodes)
