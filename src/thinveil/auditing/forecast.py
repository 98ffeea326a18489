"""How long an audit will take, and how much memory, told before it starts.

A few sub-graphs are published as the audit would publish them. What they hold, times their number, is what the work
depends on: appearances, entries of their rows, and pairs of appearances of one person. What each of these costs was set
by four audits of built-in graphs on a busy machine (``benchmarks/bench_forecast.py``), which it tells within a factor
of 1.6, and two earlier ones of Epinions on another, of which it tells half or less: minutes are told from hours, and
not minutes from minutes. Nothing is told of schemes that publish one graph, nor of other attacks than the strong one:
they were not measured.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.auditing.plan import Plan
from thinveil.errors import ThinveilError
from thinveil.graph import Graph
from thinveil.runtime.memory import free_memory
from thinveil.runtime.notices import notify, unheard
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import thread_count

_SAMPLED = 16  # sub-graphs that are published to see how large they are
_ATTACK = "strong"
_TOLD = 60.0  # seconds that are worth a word
_OFF = 3.0  # times that the truth may be less or more: machines differ, and so do graphs


@dataclass(frozen=True)
class Size:
    """How large a release will be: what its sub-graphs hold together, and the nodes that half of them exceed."""

    appearances: float
    entries: float
    pairs: float
    typical: int = 0

    @classmethod
    def of(cls, plan: Plan, graph: Graph) -> Size | None:
        """Publish a few of the sub-graphs, and reckon from them; None where a scheme cannot be asked for a few."""
        resized, count = getattr(plan.scheme, "resized", None), getattr(plan.scheme, "egonets", None)
        if resized is None or not isinstance(count, int):
            return None
        few = min(count, _SAMPLED)
        try:
            with unheard():
                release = resized(few).publish(graph, seed=Seeds(plan.seed, (0,))("releases"))
        except ThinveilError:  # the audit will say why
            return None
        graphs = [release.public[k] for k in range(len(release))]
        people = [secret.people for secret in release.secret or ()]
        shared = _shared_pairs(people) * count * (count - 1) / max(1, few * (few - 1))
        nodes, entries = ([getattr(one, name) for one in graphs] for name in ("node_count", "edge_count"))
        each = count / max(1, len(graphs))
        return cls(each * sum(nodes), each * 2 * sum(entries), shared, int(np.median(nodes)))


@dataclass(frozen=True)
class Costs:
    """What a draw costs: anyhow, where other attacks are measured beside, and for each appearance, entry and pair."""

    anyhow: float
    beside: float
    appearance: float
    entry: float
    pair: float

    def of(self, size: Size, has_beside: bool) -> float:
        """Return the sum for a release of a size."""
        parts = (self.appearance * size.appearances, self.entry * size.entries, self.pair * size.pairs)
        return self.anyhow + self.beside * has_beside + sum(parts)


SECONDS = Costs(13, 40, 1e-5, 2.6e-5, 2e-7)
"""Processor seconds."""
MEMORY = Costs(6.9e8, 0, 200, 200, 0)
"""Bytes; the graph itself stands in memory before."""


@dataclass(frozen=True)
class Forecast:
    """Processor seconds and bytes of memory that an audit will take, roughly."""

    seconds: float
    memory: float
    size: Size

    @classmethod
    def of(cls, plan: Plan, graph: Graph) -> Forecast | None:
        """Return what an audit will take; None where nothing is known of it."""
        if plan.attack.name != _ATTACK or plan.threat.name != "linkage":
            return None
        size = Size.of(plan, graph)
        if size is None:
            return None
        has_beside = len(plan.measured) > 1
        return cls(plan.repeats * SECONDS.of(size, has_beside), MEMORY.of(size, has_beside), size)

    def words(self, threads: int, free: int) -> str | None:
        """Return a line for people, where it takes long or may not fit; None where there is nothing to say.

        Examples
        --------
        >>> Forecast(600, 2**31, Size(1e5, 1e6, 1e6, 2000)).words(2, 2**34)
        'this will take roughly 10 min of processor time (3 to 30 min), shared by 2 threads, and 2.0 GiB of memory'
        >>> Forecast(600, 2**35, Size(1e5, 1e6, 1e6, 2000)).words(2, 2**34).partition(", which ")[2]
        'may not fit the 16.0 GiB that are free: take fewer egonets, or smaller ones (--most-nodes 2000)'
        """
        if self.seconds < _TOLD and self.memory <= free:
            return None
        low, middle, high = (_time(self.seconds * factor) for factor in (1 / _OFF, 1, _OFF))
        told = (
            f"this will take roughly {' '.join(middle)} of processor time ({low[0]} to {' '.join(high)}), "
            f"shared by {threads} threads, and {self.memory / 2**30:.1f} GiB of memory"
        )
        if self.memory <= free:
            return told
        return (
            f"{told}, which may not fit the {free / 2**30:.1f} GiB that are free: take fewer egonets, or smaller ones "
            f"(--most-nodes {self.size.typical})"
        )


def tell_ahead(plan: Plan, graph: Graph) -> None:
    """Say in one line how long an audit will take, and how much memory, if either is much."""
    forecast = Forecast.of(plan, graph)
    words = None if forecast is None else forecast.words(thread_count(), free_memory())
    if words is not None:
        notify(words)


def _time(seconds: float) -> tuple[str, str]:
    return (f"{seconds / 60:.0f}", "min") if seconds < 5400 else (f"{seconds / 3600:.1f}", "h")


def _shared_pairs(people: list[NDArray[np.int32]]) -> int:
    """Return how many pairs of appearances in different sub-graphs are of one person."""
    counts = np.unique(np.concatenate(people), return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())
