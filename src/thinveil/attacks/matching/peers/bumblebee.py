"""Bumblebee: propagation with a score that goes by the ratio of degrees.

Reference: G. Gy. Gulyás, B. Simon, S. Imre, "An Efficient and Robust Social Network De-anonymization Attack",
Workshop on Privacy in the Electronic Society (WPES) 2016. The score of a candidate is the number of common named
contacts, times (smaller degree / larger degree) ** delta, instead of that of Narayanan and Shmatikov.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from thinveil.attacks.matching.peers.peer import Peer
from thinveil.attacks.matching.peers.propagation import propagate
from thinveil.attacks.matching.peers.sides import Found, Sides
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import Seeds


@dataclass(frozen=True)
class Bumblebee(Peer):
    """Spread names from known people, by common contacts and the ratio of degrees (Gulyás et al. 2016)."""

    name: ClassVar[str] = "bumblebee"
    title: ClassVar[str] = "Bumblebee (Gulyás et al. 2016)"
    evidence: ClassVar[str] = "how many standard deviations they were ahead of the second best"

    theta: float = parameter(
        0.5, "standard deviations by which the best candidate must be ahead of the second", low=0, high=100
    )
    delta: float = parameter(0.5, "how much unequal degrees count against a candidate", low=0, high=10)
    sweeps: int = parameter(50, "how often everybody is looked at, at most", low=1, high=10_000)

    def __post_init__(self) -> None:
        check_parameters(self)

    def find(self, sides: Sides, seeds: Seeds) -> Found:
        """Spread names."""
        return propagate(sides, theta=self.theta, power=self.delta, by_ratio=True, sweeps=self.sweeps)
