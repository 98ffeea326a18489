"""The paper's main task: find the nodes of two published sub-graphs that are the same person.

The attacker holds the release and nothing else of it. He knows the scheme, and can make releases of his own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Release, Scheme
from thinveil.threats.base import Scene, publish_both, publish_training


@dataclass(frozen=True)
class Linkage:
    """Link the appearances of a person across the sub-graphs of one release."""

    name: ClassVar[str] = "linkage"
    features: ClassVar[tuple[str, ...]] = ("degrees",)
    scheme: ClassVar[str] = "d4d-2"
    attack: ClassVar[str] = "strong"
    auxiliary: ClassVar[bool] = False

    known: int = parameter(
        0, "people whom the attacker knows in the attacked release, and learns from", low=0, high=10**8
    )
    unseen: bool = parameter(False, "whether only people not in the training release are tested")

    def __post_init__(self) -> None:
        check_parameters(self)

    def describe(self) -> str:
        """Say who holds what and wants what."""
        return "The attacker holds the release, and wants to know which nodes of two sub-graphs are the same person."

    def resolved(self, *, other_graph: bool, learns: bool = True) -> Linkage:
        """Return itself, or say what does not go together."""
        if self.known and other_graph:
            raise InputError(f"known = {self.known} are people of the attacked graph: leave --train-on out, or known")
        if self.known and self.unseen:
            raise InputError(
                f"known = {self.known} people come from the attacked release, with everybody: leave unseen out of "
                "--threat"
            )
        if self.unseen and other_graph:
            raise InputError(
                "unseen people cannot be told apart across two graphs: leave unseen out of --threat, or --train-on"
            )
        return self

    def publish(self, scheme: Scheme, graph: Graph, *, seeds: Seeds, train_on: Graph | None = None) -> Scene:
        """Publish what is attacked and what is learned from."""
        scene = publish_both(scheme, graph, seeds=seeds, train_on=train_on, known=self.known)
        if len(scene.attacked) < 2:
            raise InputError(
                f"scheme {scheme.name} publishes {len(scene.attacked)} sub-graph, and linkage is between two or more: "
                "choose --threat identification, or another --scheme, such as d4d-2"
            )
        return scene

    def publish_training(self, scheme: Scheme, graph: Graph, *, seeds: Seeds) -> Release:
        """Publish a release to learn from."""
        return publish_training(scheme, graph, seeds=seeds)
