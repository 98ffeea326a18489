"""Which cut does a scheme make? The attacker lets it loose on his own graph, where he knows who is who, and looks.

A scheme is a black box: all that is asked of it is a release of a graph. A cut that makes each of the sub-graphs again,
to the last edge, is the scheme's; where no cut does, the scheme is none of those that cut exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.base import Held
from thinveil.attacks.matching.egonets.colors import seen_colors
from thinveil.attacks.matching.egonets.cutting import CUTS, Cut
from thinveil.errors import ThinveilError
from thinveil.graph import Graph
from thinveil.runtime.notices import unheard
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Release, Secret

_LOOKED_AT = 8
_MOST_CENTERS = 200


def learn_cuts(held: Held, *, seeds: Seeds) -> tuple[Cut, ...]:
    """Return the cuts that the release can have been made by: all of them where the scheme is not known."""
    if held.scheme is None:
        return CUTS
    try:
        with unheard():
            own = held.scheme.publish(held.auxiliary, seed=seeds("own sub-graphs"))
    except ThinveilError:  # his own graph may be too small for it
        return CUTS
    return tuple(cut for cut in CUTS if _makes_again(cut, held.auxiliary, own))


def _makes_again(cut: Cut, graph: Graph, release: Release) -> bool:
    secrets = release.secret or ()
    looked_at = range(min(_LOOKED_AT, len(secrets)))
    return len(looked_at) > 0 and all(_is_same(cut, graph, release.public[k], secrets[k]) for k in looked_at)


def _is_same(cut: Cut, graph: Graph, public: Graph, secret: Secret) -> bool:
    """Return whether the cut around one of the people is the sub-graph."""
    wanted, cutter = _edge_keys(secret.people, public.indptr, public.indices), cut.pieces(graph)
    for center in _centers(cut, graph, public, secret):
        piece = cutter.around(center, public.node_count)
        if piece is not None and np.array_equal(_edge_keys(*piece), wanted):  # nobody in a piece is alone
            return True
    return False


def _centers(cut: Cut, graph: Graph, public: Graph, secret: Secret) -> list[int]:
    """Return the person in the center; where nobody says who it is, some of those who can be."""
    if secret.ego is not None:
        return [secret.ego]
    seen, own = seen_colors(public, cut.radius), seen_colors(graph, cut.radius)[secret.people]
    nodes = cut.centers(public, np.flatnonzero(seen == own))[:_MOST_CENTERS]
    return [int(person) for person in secret.people[nodes]]


def _edge_keys(people: NDArray[np.int32], indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the edges as sorted numbers, by people."""
    source = np.repeat(people, np.diff(indptr)).astype(np.int64)
    return np.sort(source << 32 | people[indices])
