"""Ties: what passed between an appearance and each of its contacts, to the last digit.

An edge that two sub-graphs publish has the same events in both: 3 calls of 1,204 seconds, all in the second slot, are a
coincidence that no two strangers share easily. The *key* of a tie is one number for the sums of all that is compared of
its events, kind by kind and slot by slot, as seen from the appearance: equal sums have equal keys, and sums that differ
within seven digits have different ones but for the rarest chance. Ties with contacts too small to be appearances count
as well. Only what is published is seen: where a scheme changes events, keys differ, and an attack learns that they say
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.features.channels.events import EventHistogram, amounts
from thinveil.graph import EdgeRows, Graph
from thinveil.graph.events import check_events, sum_entries

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
U64 = NDArray[np.uint64]

_ODD, _MIXER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_HALF, _SIGN = np.uint64(32), np.uint64(1)


class Ties(NamedTuple):
    """The keys of the ties of every appearance: the first has ``keys[: counts[0]]``, and so on."""

    counts: I64
    keys: I64

    def take(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> Ties:
        """Return those of some appearances."""
        starts = np.concatenate(([0], np.cumsum(self.counts)))
        rows = np.arange(self.counts.size)[chosen]
        counts = self.counts[rows]
        first = np.repeat(starts[rows] - np.cumsum(counts) + counts, counts)
        return Ties(counts, self.keys[first + np.arange(first.size)])

    @classmethod
    def join(cls, parts: Sequence[Ties]) -> Ties:
        """Put the appearances of several sub-graphs one behind the other."""
        none = np.empty(0, dtype=np.int64)
        counts, keys = ([none, *(part[k] for part in parts)] for k in range(2))
        return cls(np.concatenate(counts), np.concatenate(keys))


@dataclass(frozen=True)
class TieKeys:
    """How the keys of ties are made: from which kinds of sums, and in how many slots.

    Examples
    --------
    >>> calls = Graph.from_edges([0, 0, 1, 0], [1, 1, 2, 3], columns={"weight": np.array([60, 30, 90, 45])})
    >>> ties = TieKeys(("weight",)).extract(calls, np.array([0, 2], dtype=np.int32))
    >>> ties.counts.tolist(), bool(ties.keys[0] == ties.keys[2]), bool(ties.keys[1] == ties.keys[2])
    ([2, 1], True, False)
    """

    kinds: tuple[str, ...]
    slots: int = 1

    @property
    def name(self) -> str:
        """What is seen, in words for the report."""
        return f"exact sums with each contact: {', '.join(self.kinds)}{f', in {self.slots} slots' * (self.slots > 1)}"

    def extract(self, subgraph: Graph, nodes: I32) -> Ties:
        """Return the keys of the ties of each of the given nodes."""
        columns = {name for kind in self.kinds for name in EventHistogram(kind).columns}
        rows = check_events(subgraph, self.name, *sorted(columns), *["time"] * (self.slots > 1))
        keys = np.zeros(subgraph.indices.size, dtype=np.uint64)
        for kind in self.kinds:
            for sums in self._sums(subgraph, rows, kind):
                keys = _mix(keys, sums)
        counts = subgraph.degrees.astype(np.int64)
        return Ties(counts, (keys >> _SIGN).astype(np.int64)).take(nodes.astype(np.int64))

    def _sums(self, subgraph: Graph, rows: EdgeRows, kind: str) -> list[F64]:
        forth, back = amounts(rows, kind)
        if self.slots == 1:
            return [sum_entries(subgraph, rows, forth, back)]
        is_in = [rows.columns["time"] == slot for slot in range(self.slots)]
        return [sum_entries(subgraph, rows, forth * part, back * part) for part in is_in]


def _mix(keys: U64, sums: F64) -> U64:
    """Stir the sums into the keys; the last digits are left out: they depend on the order in which events stand."""
    digits = (sums.astype(np.float32) + np.float32(0)).view(np.uint32).astype(np.uint64)
    mixed = (keys ^ digits) * _ODD
    mixed = (mixed ^ (mixed >> _HALF)) * _MIXER
    return np.asarray(mixed ^ (mixed >> _HALF))
