"""The attack of Narayanan and Shmatikov, the first on a social network at large.

Reference: A. Narayanan, V. Shmatikov, "De-anonymizing Social Networks", IEEE Symposium on Security and Privacy 2009.
The score of a candidate is the number of common named contacts over the square root of its degree; the best one must
be ahead of the second by ``theta`` standard deviations of all candidates met, in both directions.
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
class NarayananShmatikov(Peer):
    """Spread names from known people, by common contacts over the root of degrees (Narayanan and Shmatikov 2009)."""

    name: ClassVar[str] = "narayanan-shmatikov"
    title: ClassVar[str] = "Narayanan and Shmatikov (2009)"
    evidence: ClassVar[str] = "how many standard deviations they were ahead of the second best"

    theta: float = parameter(
        0.5, "standard deviations by which the best candidate must be ahead of the second", low=0, high=100
    )
    sweeps: int = parameter(50, "how often everybody is looked at, at most", low=1, high=10_000)

    def __post_init__(self) -> None:
        check_parameters(self)

    def find(self, sides: Sides, seeds: Seeds) -> Found:
        """Spread names."""
        return propagate(sides, theta=self.theta, power=0.5, by_ratio=False, sweeps=self.sweeps)
