"""Where links have not reached: another start among the people of communities that the first one left out.

Links spread along edges. A community that has few edges to the others, and nobody in the core, may stay unreached, and
then most contacts of its people are linked to nobody. Who is in one graph only is another matter: contacts of such a
person are linked as often as anybody's. Unreached people with the most contacts are compared as a core is, with what
links already say of each pair as further evidence.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.copies import Overlaps, Treatment, split
from thinveil.attacks.matching.whole.cores import draw_core
from thinveil.attacks.matching.whole.scan import Linked, half_logs, missing_penalty, rarities
from thinveil.attacks.matching.whole.start import CORE, compare_cores, learn_likeness
from thinveil.attacks.matching.whole.visits import LEAST
from thinveil.graph import Graph

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
Bools = NDArray[np.bool_]

_CONTACTS = 5  # whoever has no more tells too little
_FEW = 0.5  # of the share of linked contacts that linked people have
_FEWEST = 30  # people for whom it is worth another start


def begin_again(
    left: Graph, right: Graph, linked: Linked, overlaps: Overlaps, survival: float, chance: np.random.Generator,
    treatment: Treatment | None = None,
) -> Linked:  # fmt: skip
    """Return the links with more of them among people whom they have not reached; the same where there are too few.

    What tells people apart is learned from people of as many contacts in copies of the left graph.
    """
    back = linked.back(right.node_count)
    people, nodes = find_unreached(left, linked.other >= 0, chance), find_unreached(right, back >= 0, chance)
    if min(people.size, nodes.size) < _FEWEST:
        return linked
    one, two = draw_core(left, people, overlaps.events), draw_core(right, nodes, overlaps.events)
    copies = split(left, overlaps, chance, treatment)
    examples = (_like(left.degrees[people], copies.left), _like(right.degrees[nodes], copies.right))
    if min(one.size for one in examples) < _FEWEST:
        return linked
    likeness = learn_likeness(
        copies,
        draw_core(copies.left, examples[0], overlaps.events),
        draw_core(copies.right, examples[1], overlaps.events),
        chance,
    )
    unary = likeness.compare(one.portraits, two.portraits)
    weigh_links(left, right, linked, survival, people, nodes, unary)
    found = compare_cores(left, right, one, two, unary, overlaps)
    is_new = found.other >= 0
    return Linked(np.where(is_new, found.other, linked.other), np.where(is_new, found.sure, linked.sure))


def find_unreached(graph: Graph, is_linked: Bools, chance: np.random.Generator) -> I32:
    """Return people with the most contacts among those of whom links have reached far fewer than of others."""
    degrees = graph.degrees
    share = _count_linked(graph.indptr, graph.indices, is_linked) / np.maximum(degrees, 1)
    if not is_linked.any():
        return np.empty(0, dtype=np.int32)
    usual = share[is_linked & (degrees > _CONTACTS)]
    limit = _FEW * float(usual.mean()) if usual.size else 0.0
    found = np.flatnonzero(~is_linked & (degrees > _CONTACTS) & (share < limit))
    order = np.lexsort((chance.random(found.size), -degrees[found]))
    return found[order[:CORE]].astype(np.int32)


def _like(degrees: I64, graph: Graph) -> I32:
    """Return people of a graph whose degrees are among those given, at most as many as a core has."""
    within = (graph.degrees >= degrees.min()) & (graph.degrees <= degrees.max())
    found = np.flatnonzero(within)
    return found[np.argsort(-graph.degrees[found], kind="stable")[:CORE]].astype(np.int32)


def weigh_links(
    left: Graph, right: Graph, linked: Linked, survival: float, people: I32, nodes: I32, evidence: F32
) -> None:
    """Add what links between their contacts say for and against each pair of some people and some nodes."""
    is_there = linked.back(right.node_count) >= 0
    mine = _count_linked(left.indptr, left.indices, linked.other >= 0)[people]
    theirs = _count_linked(right.indptr, right.indices, is_there)[nodes]
    against = np.float32(missing_penalty(survival))
    evidence -= against * (mine[:, None] + theirs[None, :]).astype(np.float32)
    place = np.full(right.node_count, -1, dtype=np.int32)
    place[nodes] = np.arange(nodes.size, dtype=np.int32)
    halves = half_logs(left)[people], half_logs(right)[nodes]
    gains = rarities(left, right, linked, survival)
    _add_shared(
        left.indptr, left.indices, right.indptr, right.indices, linked.other, gains, people, place, halves[0],
        halves[1], np.float32(2 * against), evidence,
    )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def _count_linked(indptr: I64, indices: I32, is_linked: Bools) -> I32:
    """Return how many contacts of each person are linked."""
    count = np.zeros(indptr.size - 1, dtype=np.int32)
    for u in range(count.size):
        for e in range(indptr[u], indptr[u + 1]):
            count[u] += is_linked[indices[e]]
    return count


@numba.njit(cache=True, nogil=True)
def _add_shared(
    indptr: I64, indices: I32, right_indptr: I64, right_indices: I32, other: I32, gains: F32, people: I32, place: I32,
    half: F32, right_half: F32, not_missing: np.float32, evidence: F32,
) -> None:  # fmt: skip
    """Add what each shared linked contact says for a pair; it is missing on neither side."""
    for k in range(people.size):
        for e in range(indptr[people[k]], indptr[people[k] + 1]):
            y = other[indices[e]]
            if y < 0:
                continue
            base = gains[indices[e]] - half[k]
            for f in range(right_indptr[y], right_indptr[y + 1]):
                j = place[right_indices[f]]
                if j >= 0:
                    evidence[k, j] += max(base - right_half[j], LEAST) + not_missing
