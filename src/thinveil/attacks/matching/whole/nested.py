"""One graph is a part of the other: some of its people, and some of the edges among them, under other names.

Then the smaller graph, the *inner* one, says more than one of two graphs that both lost edges: each of its edges is in
the *outer* graph, too. Whoever touches an inner person must be next to whoever that person is. An edge that the inner
graph lacks is nothing rare, and speaks against a little::

    inner   u --- x        x is y with probability b(y): u must be somebody who touches y
            :     :        u ... z, no edge: u is rarely somebody who touches whoever z is
    outer   v --- y

Everybody of the inner graph may be anybody of the outer one: beliefs are a full matrix, made by belief propagation
along the inner edges. A message to u about v: the log of how probably x, without what u told x before, is next to v.
No two are the same person (Sinkhorn). Beliefs are soft at first (a temperature that falls to 1), and probabilities at
the end: people who cannot be told apart share theirs.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.hiding import Check, hide_edges
from thinveil.attacks.matching.whole.beliefs import balance, share_out
from thinveil.attacks.matching.whole.scan import Linked
from thinveil.attacks.matching.whole.selfcheck import check_links
from thinveil.graph import Graph
from thinveil.runtime.progress import stage, steps
from thinveil.runtime.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]

MOST = 30_000_000
"""Numbers that messages hold, at most: one about everybody of the outer graph, for each end of an inner edge."""
LEASTS = (0.7, 0.9)
"""How sure links must be: a belief of a half is right less often than that."""
_ROUNDS, _COOLING, _FURTHER = 120, 60, 40
_HOTTEST = 3.0
_DAMPING = np.float32(0.3)
_KEPT = 0.6  # of the edges among the people of the inner graph, so many are in it, it is supposed
_LOST = 0.01  # of the inner edges, so many are not in the outer graph all the same
_NOBODY = -20.0  # log-weight of being nobody of the outer graph, beside whoever is likeliest
_LEAST = np.float32(1e-30)
_NEVER = np.float32(-60)
_FAR = np.float32(-16)  # behind the likeliest: negligible
_SETTLED = 0.002  # beliefs that change by less, on average over people, are done
_AT_ONCE = 32


class Placed(NamedTuple):
    """Whom each inner person is taken for, down to how sure links are believed, and the check of them."""

    linked: Linked
    least: float
    check: Check


def may_be_part(inner: Graph, outer: Graph) -> bool:
    """Say whether one graph is small enough to be a part of the other, and both to be compared in full."""
    is_smaller = inner.node_count <= outer.node_count and 0 < inner.edge_count <= outer.edge_count
    return is_smaller and max(inner.indices.size, inner.node_count) * outer.node_count <= MOST


def place(inner: Graph, outer: Graph, known: Linked, chance: np.random.Generator) -> Placed:
    """Find the people of the inner graph in the outer one; some inner edges are hidden at first, for a check."""
    hidden = hide_edges(inner, chance)
    with stage("start inside the larger graph", share=0.8):
        logits = believe_nested(hidden.graph, outer, known)
    linked = link_likeliest(logits)
    for least in LEASTS:
        check = check_links(hidden, outer, linked.surer(least), known)
        if check.is_passed:
            with stage("last rounds"):
                return Placed(link_likeliest(believe_nested(inner, outer, known, before=logits)), least, check)
    return Placed(linked, 1.0, check_links(hidden, outer, linked.surer(LEASTS[0]), known))


def believe_nested(inner: Graph, outer: Graph, known: Linked, *, before: F32 | None = None) -> F32:
    """Return logits: for each inner person (row) how likely it is each outer one.

    ``before`` are logits from which to go on, which are cool already.
    """
    rounds = _ROUNDS if before is None else _FURTHER
    total = np.zeros((inner.node_count, outer.node_count), np.float32) if before is None else before.copy()
    told = np.zeros((inner.indices.size, outer.node_count), dtype=np.float32)
    step, last = steps(rounds), total
    for number in range(rounds):
        heat = max(1.0, _HOTTEST ** (1 - number / _COOLING)) if before is None else 1.0
        _hold(total, known)
        beliefs, held_down = share_out(total / np.float32(heat), _NOBODY / heat)
        if heat == 1.0 and float(np.abs(beliefs - last).sum()) < _SETTLED * len(beliefs):
            break
        last = beliefs
        _tell(inner, outer, total, told, np.log(np.maximum(held_down, _LEAST)), heat)
        _gather(inner, told, _apart(outer, beliefs), total)
        step()
    _hold(total, known)
    return total


def link_likeliest(logits: F32) -> Linked:
    """Link those who are each other's likeliest, as sure as the beliefs say."""
    beliefs = balance(logits, _NOBODY)
    best, sure = beliefs.argmax(axis=1), beliefs.max(axis=1)
    chosen = np.flatnonzero((beliefs.argmax(axis=0)[best] == np.arange(best.size)) & (sure > 0))
    linked = Linked.nobody(best.size)
    linked.other[chosen], linked.sure[chosen] = best[chosen], np.minimum(sure[chosen], 1)
    return linked


def _hold(total: F32, known: Linked) -> None:
    """Let known people be who they are."""
    inner = np.flatnonzero(known.other >= 0)
    total[inner], total[:, known.other[inner]] = _NEVER, _NEVER
    total[inner, known.other[inner]] = 0


def _tell(inner: Graph, outer: Graph, total: F32, told: F32, crowd: F32, heat: float) -> None:
    """Renew all messages: line e of ``told`` is what the other end of e tells the person in whose row e stands."""
    source = np.repeat(np.arange(inner.node_count, dtype=np.int64), inner.degrees)
    here = np.flatnonzero(source < inner.indices)
    one, two, key = source[here], inner.indices[here], source * inner.node_count + inner.indices
    there = np.searchsorted(key, two.astype(np.int64) * inner.node_count + one)
    floor = np.float32(_LOST * 2 * outer.edge_count / outer.node_count**2)

    def work(first: int, last: int) -> None:
        some = slice(first, last)
        _exchange(outer.indptr, outer.indices, one[some].astype(np.int32), two[some], here[some], there[some],
                  total, told, crowd, np.float32(1 / heat), floor)  # fmt: skip

    map_chunks(work, here.size, chunk=_AT_ONCE)


@numba.njit(cache=True, nogil=True)
def _exchange(
    indptr: I64, indices: I32, one: I32, two: I32, to_one: I64, to_two: I64, total: F32, told: F32, crowd: F32,
    cool: np.float32, floor: np.float32,
) -> None:  # fmt: skip
    """Let both ends of some edges tell each other anew who they may be; both speak from what they heard before."""
    share = np.empty(crowd.size, dtype=np.float32)
    words = np.empty((2, crowd.size), dtype=np.float32)
    for k in range(one.size):
        _speak(indptr, indices, total[two[k]], told[to_two[k]], crowd, cool, floor, share, words[0])
        _speak(indptr, indices, total[one[k]], told[to_one[k]], crowd, cool, floor, share, words[1])
        for v in range(crowd.size):
            told[to_one[k], v] = _DAMPING * told[to_one[k], v] + (1 - _DAMPING) * words[0, v]
            told[to_two[k], v] = _DAMPING * told[to_two[k], v] + (1 - _DAMPING) * words[1, v]


@numba.njit(cache=True, nogil=True)
def _speak(
    indptr: I64, indices: I32, total: F32, heard: F32, crowd: F32, cool: np.float32, floor: np.float32, share: F32,
    words: F32,
) -> None:  # fmt: skip
    """Write the log of how probably somebody, who forgets what it heard, is next to each person."""
    top, whole = np.float32(-np.inf), np.float32(0)
    for v in range(share.size):
        share[v] = (total[v] - heard[v]) * cool + crowd[v]
        top = max(top, share[v])
    words[:] = 0
    for w in range(share.size):
        if share[w] - top > _FAR:
            weight = np.float32(math.exp(share[w] - top))
            whole += weight
            for e in range(indptr[w], indptr[w + 1]):
                words[indices[e]] += weight
    least = np.float32(math.log(floor))
    for v in range(share.size):
        words[v] = np.float32(math.log(words[v] / whole + floor)) if words[v] > 0 else least


def _apart(outer: Graph, beliefs: F32) -> F32:
    """Return for each inner person what having no edge to it says of being each outer one."""
    words = np.zeros_like(beliefs)

    def work(first: int, last: int) -> None:
        _miss(outer.indptr, outer.indices, beliefs[first:last], np.float32(_KEPT), words[first:last])

    map_chunks(work, len(beliefs), chunk=_AT_ONCE)
    return words


@numba.njit(cache=True, nogil=True)
def _miss(indptr: I64, indices: I32, beliefs: F32, kept: np.float32, words: F32) -> None:
    for x in range(len(beliefs)):
        row = words[x]
        for w in range(row.size):
            for e in range(indptr[w], indptr[w + 1]):
                row[indices[e]] += beliefs[x, w]
        for v in range(row.size):
            row[v] = np.float32(math.log(1 - kept * min(row[v], np.float32(1))))


def _gather(inner: Graph, told: F32, apart: F32, total: F32) -> None:
    """Put together what everybody was told, and what missing edges say."""
    everybody = apart.sum(axis=0)

    def work(first: int, last: int) -> None:
        _add_up(inner.indptr, inner.indices, told, apart, everybody, total, first, last)

    map_chunks(work, len(total), chunk=_AT_ONCE)


@numba.njit(cache=True, nogil=True)
def _add_up(
    indptr: I64, indices: I32, told: F32, apart: F32, everybody: F32, total: F32, first: int, last: int
) -> None:  # fmt: skip
    for u in range(first, last):
        fresh = everybody - apart[u]
        for e in range(indptr[u], indptr[u + 1]):
            fresh += told[e] - apart[indices[e]]
        row = total[u]
        row[:] = _DAMPING * row + (1 - _DAMPING) * fresh
        row -= row.max()
