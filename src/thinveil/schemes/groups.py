"""Schemes that hide everybody among k people: a graph of few people may not have room for the k that is the default."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Self

from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.runtime.notices import unheard
from thinveil.schemes.whole import WholeGraph

_FEW = 5_000  # people, up to which it takes no time to try
_SEEDS = range(8)


@dataclass(frozen=True)
class Grouped(WholeGraph):
    """A whole graph in which people hide in groups; subclasses have a parameter k."""

    k: int

    def suited(self, graph: Graph, *, left_open: Collection[str] = (), releases: int = 1) -> Self:
        """Return the scheme with k halved until a graph of few people has room for it, if nobody chose k.

        Where no k works it stays as it is, and the scheme says why.
        """
        k = self.k if "k" in left_open and graph.node_count <= _FEW else 0
        while k >= 2:
            one = replace(self, k=k)
            if all(one._has_room(graph, seed) for seed in _SEEDS):
                return one
            k //= 2
        return self

    def _has_room(self, graph: Graph, seed: int) -> bool:
        try:
            with unheard():
                self.publish(graph, seed=seed).public[0]
        except SampleError:
            return False
        return True


def check_k(name: str, k: int, graph: Graph) -> None:
    """Refuse to make groups larger than the graph."""
    if k > graph.node_count:
        works = f"give k={graph.node_count} or less" if graph.node_count > 1 else "it is too small for any k"
        raise SampleError(
            f"{name}: groups of {k:,} need as many people, and the graph has {graph.node_count:,}: {works}"
        )
