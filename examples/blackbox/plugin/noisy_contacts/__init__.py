"""A plug-in for thinveil: once it is installed, ``thinveil audit GRAPH --scheme noisy-contacts:share=0.2`` knows it.

``thinveil.testing.check_scheme(NoisyContacts())`` checks that it keeps to what a scheme must keep to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import thinveil
from thinveil.schemes import D4D1, NOBODY, Published, Secret


@dataclass(frozen=True)
class NoisyContacts:
    """Publish 2-hop egonets among people who were made up, each of whom knows two of the real ones."""

    name: ClassVar[str] = "noisy-contacts"
    share: float = 0.1
    egonets: int = 30
    min_size: int = 60

    def describe(self) -> str:
        """Say what is published, after "The scheme noisy-contacts ..."."""
        return f"publishes whole 2-hop egonets, and {self.share:.0%} as many people again who were made up"

    def publish(self, graph: thinveil.Graph, *, seed: int, avoid: Sequence[thinveil.Release] = ()) -> thinveil.Release:
        """Return a release around people who are not egos of the releases to avoid."""
        whole = D4D1(self.egonets, self.min_size).publish(graph, seed=seed, avoid=avoid)

        def make(k: int) -> Published:
            return self._crowd(whole.public[k], whole.secret[k], np.random.default_rng([seed, len(avoid), k]))

        return thinveil.Release.lazy(len(whole), make, scheme=self.name, graph=graph, centers=whole.egos)

    def _crowd(self, public: thinveil.Graph, secret: Secret, rng: np.random.Generator) -> Published:
        real, made_up = public.node_count, round(self.share * public.node_count)
        source = np.repeat(np.arange(real), public.degrees)
        once = source < public.indices
        fakes = np.repeat(real + np.arange(made_up), 2)
        source = np.append(source[once], fakes)
        target = np.append(public.indices[once], rng.integers(real, size=fakes.size))
        order = rng.permutation(real + made_up)  # the made-up ones must not stand last
        people = np.append(secret.people, np.full(made_up, NOBODY))
        hops = np.append(secret.hops, np.full(made_up, 2, dtype=np.int8))
        crowded = thinveil.Graph.from_edges(order[source], order[target], node_count=order.size)
        return Published(crowded, Secret(people, hops).reordered(np.argsort(order)))
