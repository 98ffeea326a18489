"""What the published attacks have in common: numbers drawn by lot, known people, names without a calibrated chance.

A peer fills in ``find``. Its evidence ``e`` for a name, in its own unit, becomes ``e / (1 + e)``: a number that
ranks its names and says no more than that. Known people are among the names, at 1.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from thinveil.attacks.matching.base import Held, MatchingAttack, Names, Verdict
from thinveil.attacks.matching.peers.sides import I64, Found, Sides, check_known, draw_sides
from thinveil.errors import InputError
from thinveil.runtime.streams import Seeds


class Peer(MatchingAttack):
    """A published attack on two whole graphs."""

    evidence: ClassVar[str]
    needs_known: ClassVar[bool] = True

    @abstractmethod
    def find(self, sides: Sides, seeds: Seeds) -> Found:
        """Return the node of each person, in the numbers that were drawn."""

    def match(self, held: Held, *, seeds: Seeds) -> Names:
        """Return the names that the attack puts on published nodes."""
        counts = held.auxiliary.node_count, held.whole(self.name).node_count
        people, nodes = (seeds.stream("peers", self.name, k).permutation(counts[k]) for k in range(2))
        return self.match_by_lot(held, (people, nodes), seeds=seeds)

    def match_by_lot(self, held: Held, lots: tuple[I64, I64], *, seeds: Seeds) -> Names:
        """Return the names where the lots are given: the same for other numbers of the nodes, if lots move along."""
        target = held.whole(self.name)
        self.check(held, target.node_count)
        sides = draw_sides(held, target, lots)
        found = self.find(sides, seeds)
        people = np.flatnonzero(found.image >= 0)
        known = sides.known[people] >= 0
        chance = np.where(known, 1.0, _share(found.evidence[people]))
        person, node = np.argsort(lots[0])[people], np.argsort(lots[1])[found.image[people]]
        facts = {"known": float(known.sum()), "named": float(people.size - known.sum()), **found.facts}
        return Names.of_graph(
            node.astype(np.int32), person.astype(np.int32), chance, Verdict(True, self._words(), facts)
        )

    def check(self, held: Held, nodes: int) -> None:
        """Say what is wrong with what the attacker holds, if anything is."""
        if self.needs_known and not len(held.known):
            raise InputError(
                f"attack {self.name} starts from known people: give --known FILE, or choose an attack without them"
            )
        check_known(held.known, held.auxiliary.node_count, nodes, self.name)

    def _words(self) -> str:
        return (
            f"this attack does not check itself; its probabilities are not calibrated, they only rank its names by "
            f"{self.evidence}"
        )


def _share(evidence: np.ndarray) -> np.ndarray:
    """Turn evidence from 0 to infinity into numbers above 0, up to 1."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(evidence), 1.0, np.maximum(evidence / (1 + evidence), 1e-9))
