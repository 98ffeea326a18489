"""Audit a scheme of your own: egonets of which a share of the edges is deleted at random before publishing.

A scheme is any object with a name, its settings, and a method that draws releases: series of published
sub-graphs, each with its secret apart. thinveil treats it as a black box and learns from what it gives out.

    python examples/own_scheme.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import thinveil
from thinveil.schemes import Published


@dataclass(frozen=True)
class ThinnedEgonets:
    """Scheme 1 of the D4D challenge, with some of the published edges deleted."""

    share: float
    egonets: int = 50
    name: str = "thinned"

    def settings(self) -> dict[str, Any]:
        """Return the parameters that make the scheme again."""
        return {"share": self.share, "egonets": self.egonets}

    def draw(self, graph: thinveil.Graph, *, releases: int, seed: int) -> tuple[Sequence[Published], ...]:
        """Return releases whose sub-graphs are centred on different people."""
        whole = thinveil.make_scheme("d4d-1", egonets=self.egonets, min_size=200).draw(
            graph, releases=releases, seed=seed
        )
        rng = np.random.default_rng(seed)
        return tuple([self._thin(published, rng) for published in release] for release in whole)

    def _thin(self, published: Published, rng: np.random.Generator) -> Published:
        public, secret = published
        source = np.repeat(np.arange(public.node_count), public.degrees)
        kept = (source < public.indices) & (rng.random(source.size) >= self.share)
        thinned = thinveil.Graph.from_edges(source[kept], public.indices[kept], node_count=public.node_count)
        return Published(thinned, secret)


def main() -> None:
    """Print how many people are re-linked as more and more edges are deleted."""
    graph = thinveil.synthetic_graph(seed=1)
    for share in (0.0, 0.1, 0.3):
        # the paper's forest takes seconds; leave attack out for the strong one, which takes a minute
        result = thinveil.audit(graph, ThinnedEgonets(share), attack="forest", trees=100, protocol="matched", seed=1)
        rate = result.rate("1-hop", fpr=0.01)
        print(f"{share:4.0%} of the edges deleted: {rate.tpr:.1%} re-linked ({rate.low:.1%} to {rate.high:.1%})")


if __name__ == "__main__":
    main()
