"""What can be seen of a release without any attack: who is alone with what, and which edges were made up."""

from __future__ import annotations

from dataclasses import dataclass

from thinveil.graph import Graph
from thinveil.measures.fakes import FakeEdges, Known, find_fakes
from thinveil.measures.uniqueness import Uniqueness, find_uniqueness
from thinveil.schemes import NOBODY, Parts, Release, Secret

_MOST = 20  # sub-graphs in which made-up edges are looked for


@dataclass(frozen=True)
class Seen:
    """Who is alone with what, and how well made-up edges can be told; None where the secret is not at hand."""

    uniqueness: Uniqueness
    fakes: FakeEdges | None


def see(graph: Graph, release: Release, *, auxiliary: bool) -> Seen:
    """Look at what was published; the last sub-graph is not part of it where that is the ``auxiliary`` graph.

    The number of candidates is that in the public half. The secret only grades who is right about made-up edges.
    """
    count = len(release) - auxiliary
    unique = find_uniqueness(graph, release.public[:count])
    secret = release.secret
    if secret is None:
        return Seen(unique, None)
    parts = Parts(min(count, _MOST), lambda k: _known(graph, release.public[k], secret[k]))
    return Seen(unique, find_fakes(graph, parts))


def _known(graph: Graph, public: Graph, secret: Secret) -> Known:
    """Return who the nodes are; of whoever is not in the graph nobody can say which edges were made up."""
    is_stranger = secret.people >= graph.node_count
    return Known(public, secret.people, is_stranger | (~secret.is_one & (secret.people != NOBODY)))
