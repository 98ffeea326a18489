"""What an attacker sees of a node in each slot of time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.features.views import Channel
from thinveil.graph import Graph
from thinveil.graph.events import split_slots


@dataclass(frozen=True)
class InSlots:
    """The components of a channel in each slot, slot by slot.

    Membership and pseudonyms are those of the whole period; of the edges, a slot has those on which something happened.

    Parameters
    ----------
    channel
        What is looked at in each slot.
    slots
        Number of slots.
    """

    channel: Channel
    slots: int

    @property
    def name(self) -> str:
        """What the channel measures."""
        return f"{self.channel.name}, in {self.slots} slots"

    @property
    def width(self) -> int:
        """Number of components of all slots."""
        return self.slots * self.channel.width

    @property
    def events(self) -> tuple[str, ...]:
        """What of the events it uses, in words."""
        return (*self.channel.events, f"times in {self.slots:,} slots")

    def words(self, component: int) -> str:
        """Say what a component counts."""
        slot, place = divmod(component, self.channel.width)
        return f"{self.channel.words(place)}, in slot {slot + 1}"

    def extract(self, subgraph: Graph, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the components of the given nodes in the first slot, then in the second, ..."""
        return np.hstack([self.channel.extract(part, nodes) for part in split_slots(subgraph, self.slots)])


@dataclass(frozen=True)
class Degree:
    """The number of neighbours of a node."""

    name: str = "degree"
    width: int = 1
    events: tuple[str, ...] = ()

    def words(self, component: int) -> str:
        """Say what the component is."""
        return "number of contacts"

    def extract(self, subgraph: Graph, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the degree of each of the given nodes."""
        return subgraph.degrees[nodes].astype(np.int32)[:, None]
