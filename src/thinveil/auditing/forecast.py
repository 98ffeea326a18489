"""How long an audit will take, and how much memory, told before it starts.

A few sub-graphs are published as the audit would publish them. What they hold, times their number, is what the work
depends on: appearances, entries of their rows, and pairs of appearances of one person. Time and memory of each were
measured (``benchmarks/bench_forecast.py``); the sum was within a factor of two of what an audit took there. On a
machine of another kind it may be off by more. Nothing is told of schemes that publish one graph, nor of attacks other
than the strong one: they were not measured.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.auditing.plan import Plan
from thinveil.errors import ThinveilError
from thinveil.graph import Graph
from thinveil.runtime.streams import Seeds

_SAMPLED = 16  # sub-graphs that are published to see how large they are


@dataclass(frozen=True)
class Size:
    """How large a release will be: what its sub-graphs hold together."""

    appearances: float
    entries: float
    pairs: float

    @classmethod
    def of(cls, plan: Plan, graph: Graph) -> Size | None:
        """Publish a few of the sub-graphs, and reckon from them; None where a scheme cannot be asked for a few."""
        resized, count = getattr(plan.scheme, "resized", None), getattr(plan.scheme, "egonets", None)
        if resized is None or not isinstance(count, int):
            return None
        few = min(count, _SAMPLED)
        try:
            release = resized(few).publish(graph, seed=Seeds(plan.seed, (0,))("releases"))
        except ThinveilError:  # the audit will say why
            return None
        graphs = [release.public[k] for k in range(len(release))]
        people = [secret.people for secret in release.secret or ()]
        shared = _shared_pairs(people) * count * (count - 1) / max(1, few * (few - 1))
        sizes = [(one.node_count, one.indices.size) for one in graphs]
        nodes, entries = (count / few * total for total in map(sum, zip(*sizes, strict=True)))
        return cls(nodes, entries, shared)


def _shared_pairs(people: list[NDArray[np.int32]]) -> int:
    """Return how many pairs of appearances in different sub-graphs are of one person."""
    counts = np.unique(np.concatenate(people), return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())
