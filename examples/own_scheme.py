"""Audit a scheme of your own: egonets of which a share of the edges is deleted at random before publishing.

A scheme is a frozen dataclass with a name, its parameters as fields, and a method that publishes a release: sub-graphs
as everybody sees them, and apart from them who is who. thinveil treats it as a black box and learns from what it gives
out. Once it is registered, ``thinveil`` knows it by name, like its own.

    python examples/own_scheme.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import thinveil
from thinveil.schemes import D4D1, Published


@thinveil.register_scheme
@dataclass(frozen=True)
class Thinned:
    """Scheme 1 of the D4D challenge, with some of the published edges deleted."""

    name: ClassVar[str] = "thinned"
    share: float = 0.1
    egonets: int = 30

    def describe(self) -> str:
        """Say what is published, after "The scheme thinned ..."."""
        return f"publishes whole 2-hop egonets, of which {self.share:.0%} of the edges are deleted at random"

    def publish(self, graph: thinveil.Graph, *, seed: int, avoid: Sequence[thinveil.Release] = ()) -> thinveil.Release:
        """Return a release around people who are not egos of the releases to avoid."""
        whole = D4D1(egonets=self.egonets, min_size=200).publish(graph, seed=seed, avoid=avoid)

        def make(k: int) -> Published:
            rng = np.random.default_rng([seed, len(avoid), k])
            return Published(self._thin(whole.public[k], rng), whole.secret[k])

        return thinveil.Release.lazy(len(whole), make, scheme=self.name, graph=graph, centers=whole.egos)

    def _thin(self, public: thinveil.Graph, rng: np.random.Generator) -> thinveil.Graph:
        source = np.repeat(np.arange(public.node_count), public.degrees)
        kept = (source < public.indices) & (rng.random(source.size) >= self.share)
        return thinveil.Graph.from_edges(source[kept], public.indices[kept], node_count=public.node_count)


def main() -> None:
    """Print how many people are re-linked as more and more edges are deleted."""
    graph = thinveil.synthetic_graph(8_000, seed=1)
    for share in (0.0, 0.1, 0.3):
        # the paper's forest takes seconds; leave attack out for the strong one, which takes a minute
        result = thinveil.audit(graph, f"thinned:share={share}", attack="forest:trees=50", seed=1)
        rate = result.rate("1-hop", fpr=0.01)
        print(f"{share:4.0%} of the edges deleted: {rate.tpr:.1%} re-linked ({rate.low:.1%} to {rate.high:.1%})")


if __name__ == "__main__":
    main()
