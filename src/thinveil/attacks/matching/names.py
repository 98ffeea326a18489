"""The default attack on names: nobody needs to be known, and it says itself whether it should be believed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from thinveil.attacks.matching.base import Held, MatchingAttack, Names
from thinveil.attacks.matching.egonets import match_egonets
from thinveil.attacks.matching.whole import match_whole
from thinveil.runtime.parameters import check_parameters
from thinveil.runtime.streams import Seeds


@dataclass(frozen=True)
class NamesAttack(MatchingAttack):
    """Name people with an auxiliary graph, without anybody known beforehand, by links that support each other."""

    name: ClassVar[str] = "names"
    title: ClassVar[str] = "links that support each other, from a start on the people with the most contacts"
    beside: ClassVar[tuple[str, ...]] = ("forest",)

    def __post_init__(self) -> None:
        check_parameters(self)

    def describe(self) -> str:
        """Say what it does."""
        return (
            "The people with the most contacts of both graphs are compared by belief propagation; their links give "
            "further links, round by round, judged by a model that the attacker trains on two noisy copies of his own "
            "graph. Some of his edges are hidden from the attack: whether the links explain these tells him whether to "
            "believe them. Sub-graphs are also cut out of his graph in the same way, and compared to the last edge."
        )

    def match(self, held: Held, *, seeds: Seeds) -> Names:
        """Return the names that the attacker puts on published nodes."""
        if len(held.target) > 1:
            return match_egonets(held, seeds=seeds)
        return match_whole(held.auxiliary, held.target[0], held.known, seeds=seeds, scheme=held.scheme)
