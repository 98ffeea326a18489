"""What a scheme is, and what it gives out.

A scheme turns a graph into releases. A release is a series of published sub-graphs whose node numbers are
pseudonyms: drawn afresh for each sub-graph, in random order, and so saying nothing about anybody. What ties
them to people is the secret, which lives in an object of its own: an attack is only ever handed the public
half.

Sub-graphs are made one by one, when asked for, so that a release of thousands need never stand in memory as
a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thinveil.graph import Graph


@dataclass(frozen=True, eq=False)
class Secret:
    """Who the nodes of one published sub-graph are: only the auditor has this.

    ``people[v]`` is the node of the original graph behind published node ``v``; ``hops[v]`` is its distance
    from the ego (0, 1 or 2), and None where the scheme has no egos.
    """

    people: NDArray[np.int32]
    hops: NDArray[np.int8] | None


class Published(NamedTuple):
    """One sub-graph as the public sees it, and apart from it the secret."""

    public: Graph
    secret: Secret


@dataclass(frozen=True, eq=False)
class Release:
    """The public half of a release, as a whole: what everybody can download."""

    subgraphs: tuple[Graph, ...]
    scheme: str

    def __len__(self) -> int:
        return len(self.subgraphs)


class Scheme(Protocol):
    """Anything that turns a graph into releases of sub-graphs."""

    @property
    def name(self) -> str:
        """What the user calls the scheme."""

    def settings(self) -> dict[str, Any]:
        """Return the parameters that make the scheme again."""

    def draw(self, graph: Graph, *, releases: int, seed: int) -> tuple[Sequence[Published], ...]:
        """Return releases whose sub-graphs are centred on different people."""
