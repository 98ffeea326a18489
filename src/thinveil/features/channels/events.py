"""What passed between a node and its neighbours: weights and direction, as Section 5.2 of the paper proposes.

For each neighbour of a node its events with the node are added up: how many there were, or how much they weigh, those
that the node sent, those that it got, or both. A channel counts the neighbours by that sum in bins that double:
0, 1, 2-3, 4-7, ... Weights below 0 stand for something that did not happen (a missed call) and count as 0; a sum is
rounded down. An event that went both ways was sent and got; seen both ways it still is one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import EdgeRows, Graph
from thinveil.graph.events import F64, I32, I64, check_events, sum_entries

BINS = 20
"""The last bin holds sums from 262,144 on: 73 hours of calls, in seconds."""

KINDS = {
    "contacts": "how often a person was in touch with each contact",
    "contacts-out": "how often a person got in touch with each contact",
    "contacts-in": "how often each contact got in touch with a person",
    "weight": "the weight of what passed between a person and each contact",
    "weight-out": "the weight of what went from a person to each contact",
    "weight-in": "the weight of what came from each contact to a person",
}
"""What can be added up: the events or their weights, both ways or one way."""

_WAYS = {"": "", "out": " sent to them", "in": " got from them"}


@dataclass(frozen=True)
class EventHistogram:
    """Count the neighbours by the sum of their events with the node: bin 0 holds 0, bin i holds 2^(i-1) .. 2^i - 1.

    Parameters
    ----------
    kind
        What is added up: one of ``KINDS``.
    bins
        Number of bins; the last one has no end.

    Examples
    --------
    >>> calls = Graph.from_edges([0, 0, 0, 1], [1, 1, 2, 0], columns={"direction": np.ones(4, dtype=np.int8)})
    >>> node = np.array([0], dtype=np.int32)
    >>> EventHistogram("contacts", 4).extract(calls, node).tolist()
    [[0, 1, 1, 0]]
    >>> EventHistogram("contacts-in", 4).extract(calls, node).tolist()
    [[1, 1, 0, 0]]
    """

    kind: str
    bins: int = BINS

    def __post_init__(self) -> None:
        if self.kind not in KINDS or self.bins < 2:
            raise InputError(f"{self.bins} bins of {self.kind!r}: give 2 or more, of {', '.join(KINDS)}")

    @property
    def name(self) -> str:
        """What the channel measures."""
        return self.kind

    @property
    def width(self) -> int:
        """Number of components."""
        return self.bins

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the events must have."""
        quantity, _, way = self.kind.partition("-")
        return ("weight",) * (quantity == "weight") + ("direction",) * bool(way)

    @property
    def events(self) -> tuple[str, ...]:
        """What of the events it uses, in words."""
        quantity, _, way = self.kind.partition("-")
        return ("weights" if quantity == "weight" else "number of events", *["directions"] * bool(way))

    def words(self, component: int) -> str:
        """Say whom a component counts.

        Examples
        --------
        >>> EventHistogram("contacts").words(1), EventHistogram("weight-out").words(3)
        ('contacts with 1 event', 'contacts with a weight of 4 to 7 sent to them')
        """
        quantity, _, way = self.kind.partition("-")
        first, last = bin_range(component, self.bins)
        span = f"{first:,} or more" if last is None else f"{first:,}" if first == last else f"{first:,} to {last:,}"
        if quantity == "weight":
            return f"contacts with a weight of {span}{_WAYS[way]}"
        return f"contacts with {span} event{'' if first == last == 1 else 's'}{_WAYS[way]}"

    def extract(self, subgraph: Graph, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the histogram of each of the given nodes."""
        rows = check_events(subgraph, f"feature {self.kind}", *self.columns)
        sums = sum_entries(subgraph, rows, *amounts(rows, self.kind))
        histograms: NDArray[np.int32] = _histograms(subgraph.indptr, sums, nodes, self.bins)
        return histograms


def bin_range(component: int, bins: int = BINS) -> tuple[int, int | None]:
    """Return the smallest and the largest sum that a bin holds; None for no end.

    Examples
    --------
    >>> bin_range(0), bin_range(1), bin_range(3), bin_range(19)
    ((0, 0), (1, 1), (4, 7), (262144, None))
    """
    first = 2**component // 2
    return first, None if component >= bins - 1 else max(0, 2**component - 1)


def amounts(rows: EdgeRows, kind: str) -> tuple[F64, F64]:
    """Return what each event adds to the sum of its source, and to that of its target."""
    quantity, _, way = kind.partition("-")
    whole = np.ones(rows.source.size)
    if quantity == "weight":
        whole = np.maximum(rows.columns["weight"], 0).astype(np.float64)
    if not way:
        return whole, whole
    against = np.where(rows.columns["direction"] == 0, whole, 0.0)
    return (whole, against) if way == "out" else (against, whole)


@numba.njit(cache=True, nogil=True)
def _histograms(indptr: I64, sums: F64, nodes: I32, bins: int) -> I32:
    histograms = np.zeros((nodes.size, bins), dtype=np.int32)
    for row in range(nodes.size):
        for k in range(indptr[nodes[row]], indptr[nodes[row] + 1]):
            place, bound = 0, 1.0
            while place < bins - 1 and sums[k] >= bound:
                place += 1
                bound *= 2
            histograms[row, place] += 1
    return histograms
