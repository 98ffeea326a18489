"""Does the attacker himself believe his names? Asked without any truth, of edges that the attack has not seen.

A share of the auxiliary graph's edges is hidden from the attack. If the names are right, hidden edges between named
people are found in the target as often as shown ones. Names that merely confirm each other explain the edges by which
they were found, and the hidden ones no better than chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from thinveil.graph import Graph, trusted_graph
from thinveil.graph.balls import sorted_rows
from thinveil.graph.thinning import keep_events

I32 = NDArray[np.int32]

HIDDEN = 0.05
FEWEST_EDGES = 20
_FEWEST = 30  # edges of which a share is told
_RATIO, _RATIO_ANCHORED = 0.75, 0.5
_ABOVE_CHANCE = 3.5
_UNLIKELY = 1e-6


class Hidden(NamedTuple):
    """A graph without some of its edges, and the two ends of these."""

    graph: Graph
    source: I32
    target: I32

    def alone(self) -> Graph:
        """Return the graph of the hidden edges alone."""
        return trusted_graph(*sorted_rows(self.source, self.target, self.graph.node_count))


def hide_edges(graph: Graph, chance: np.random.Generator, share: float = HIDDEN) -> Hidden:
    """Hide a share of the edges by lot, with their events."""
    source = np.repeat(np.arange(graph.node_count, dtype=np.int32), graph.degrees)
    once = source < graph.indices
    source, target = source[once], graph.indices[once]
    is_hidden = chance.random(source.size) < share
    rows = sorted_rows(source[~is_hidden], target[~is_hidden], graph.node_count)
    everybody = np.arange(graph.node_count, dtype=np.int32)
    events = None if graph.rows is None else keep_events(graph.rows, everybody, *rows)
    return Hidden(trusted_graph(*rows, rows=events), source[is_hidden], target[is_hidden])


class Check(NamedTuple):
    """How many hidden edges are between named people, how often they and shown ones are found, and by chance.

    ``is_anchored`` says that some people were known beforehand: names that spread from them may be wrong here and
    there, but not all of them at once, as after a wrong start.
    """

    edges: int
    hidden: float
    shown: float
    chance: float
    is_anchored: bool = False

    @property
    def ratio(self) -> float:
        """How much of what shown edges are found above chance hidden ones are too: 1 for right names."""
        return (self.hidden - self.chance) / max(self.shown - self.chance, 1e-9)

    @property
    def words(self) -> str:
        """What was seen, as numbers of edges where they are too few for a share."""
        if not self.edges:
            return "no edge that the attack had not seen lies between linked people"
        share = f"{100 * self.hidden:.0f}%" if self.edges >= _FEWEST else f"{round(self.hidden * self.edges)}"
        return (
            f"of {self.edges:,} edges that the attack had not seen, {share} are found between linked people, of those "
            f"it had seen {100 * self.shown:.0f}%, and by chance {100 * self.chance:.1f}%"
        )

    @property
    def is_passed(self) -> bool:
        """Whether the attacker should believe his names: a few hidden edges will do if chance would not find them."""
        found, least = round(self.hidden * self.edges), _RATIO_ANCHORED if self.is_anchored else _RATIO
        if not found or self.ratio < least or self.hidden < _ABOVE_CHANCE * self.chance:
            return False
        by_chance = betainc(found, self.edges - found + 1, min(self.chance, 1.0))  # so many of them or more
        return bool(by_chance < _UNLIKELY)
