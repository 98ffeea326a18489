"""What a threat is: who holds what, and what is asked.

In each draw a threat sets the *scene*: the release that is attacked, and what the attacker has to learn from. That is a
release of his own making, whose people he knows, or else a few people whom he knows in the attacked release itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from thinveil.errors import InputError, RoomError, SampleError, UndefinedError
from thinveil.graph import Graph
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Release, Scheme


@dataclass(frozen=True, eq=False)
class Scene:
    """What one draw publishes: the attacked release, and one to learn from; None where a few people are known."""

    attacked: Release
    training: Release | None


class Threat(Protocol):
    """Who holds what, and what is asked: a frozen dataclass whose fields are its parameters.

    ``features`` are the channels that suit it, where an attack leaves that open; ``auxiliary`` is whether the attacker
    has a graph with names; ``scheme`` and ``attack`` the defaults.
    """

    name: ClassVar[str]
    features: ClassVar[tuple[str, ...]]
    scheme: ClassVar[str]
    attack: ClassVar[str]
    auxiliary: ClassVar[bool]

    @property
    def known(self) -> int | None:
        """People whom the attacker knows in the attacked release, and learns from."""

    @property
    def unseen(self) -> bool:
        """Whether only people who are not in the release to learn from are asked for."""

    def describe(self) -> str:
        """Say who holds what and wants what, as a sentence."""

    def resolved(self, *, other_graph: bool, learns: bool = True) -> Threat:
        """Return the threat with nothing left open, or say what does not go together.

        ``other_graph`` is whether another graph is learned from, ``learns`` whether the attack learns at all.
        """

    def publish(self, scheme: Scheme, graph: Graph, *, seeds: Seeds, train_on: Graph | None = None) -> Scene:
        """Set the scene of one draw."""

    def publish_training(self, scheme: Scheme, graph: Graph, *, seeds: Seeds) -> Release:
        """Publish a release to learn from, for attacks on releases made elsewhere."""


def publish(scheme: Scheme, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
    """Return what a scheme publishes, or say that it is no release with a secret, without which there is no audit."""
    try:
        release: Any = scheme.publish(graph, seed=seed, avoid=avoid)
    except SampleError as error:
        raise RoomError(str(error)) from None
    if not isinstance(release, Release) or release.secret is None:
        kind = "one without" if isinstance(release, Release) else type(release).__name__
        raise InputError(f"scheme {scheme.name} must publish a Release with its secret, not {kind}")
    if len(release) and all(one.people.size and not one.everybody.size for one in release.secret):
        raise UndefinedError(
            f"linking is undefined, not 0%: nobody stands behind the nodes that scheme {scheme.name} publishes"
        )
    return release


def publish_both(scheme: Scheme, graph: Graph, *, seeds: Seeds, train_on: Graph | None, known: int) -> Scene:
    """Publish the release under attack, and one to learn from: of other people, or of another graph."""
    if known:
        return Scene(publish(scheme, graph, seed=seeds("releases")), None)
    if train_on is not None:
        training = publish_training(scheme, train_on, seeds=seeds)
        return Scene(publish(scheme, graph, seed=seeds("releases")), training)
    training = publish(scheme, graph, seed=seeds("releases"))
    attacked = publish(scheme, graph, seed=seeds("releases"), avoid=[training])
    _check_different(scheme, training, attacked)
    return Scene(attacked, training)


def _check_different(scheme: Scheme, training: Release, attacked: Release) -> None:
    """Refuse to attack what was learned from: a scheme that does not heed ``avoid`` publishes the same again."""
    if not len(training) or not len(attacked) or training.secret is None or attacked.secret is None:
        return
    one, two = training.public[0], attacked.public[0]
    same = np.array_equal(one.indptr, two.indptr) and np.array_equal(one.indices, two.indices)
    if same and np.array_equal(training.secret[0].people, attacked.secret[0].people):
        raise InputError(
            f"scheme {scheme.name} published the same release twice, to learn from and to attack: let its random "
            "numbers depend on len(avoid) too"
        )


def publish_training(scheme: Scheme, graph: Graph, *, seeds: Seeds) -> Release:
    """Publish a release to learn from, of a graph that is not attacked or was published elsewhere."""
    return publish(scheme, graph, seed=seeds("training release"))
