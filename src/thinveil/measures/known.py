"""Known people: what it is worth to know that two appearances are one person (Section 5.2 of the paper).

Somebody who knows that a person is appearance p of one sub-graph and appearance q of another need not compare everybody
with everybody: friends of p are likely to be found among the friends of q. The candidates are the pairs of a
neighbour of p and a neighbour of q. They are few and many of them are one person, so that a false-positive
rate that is useless without a known person may do with one. They are also harder to tell apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError, SampleError
from thinveil.features import Labels, Neighbors, View, kept_neighbors
from thinveil.features.pairs import Pairs, PairSampler
from thinveil.measures.agreement import Clusters, agreement_of_groups
from thinveil.measures.intervals import group_sums, widened_rate
from thinveil.measures.rates import (
    FPRS,
    Rate,
    auc,
    link_outlook,
    outlook_bounds,
    precision_bounds,
    rate,
    share_bounds,
    threshold_at,
)
from thinveil.runtime.splitmix import mix
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import map_threads

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]
Score = Callable[[Pairs], F64]
"""How probably each pair is one person."""

WORTH_FPRS = (0.001, 0.01, 0.1)
"""The false-positive rates at which the worth of a known person is told."""


@dataclass(frozen=True)
class KnownWorth:
    """What to expect of claiming every link above the threshold, between two sub-graphs that share somebody.

    ``right``, ``wrong`` and ``precision`` are for an attacker who compares the contacts of the known people;
    ``blind_right``, ``blind_wrong`` and ``blind_precision`` for one who compares everybody with everybody. What the
    ends of the rates' 95% intervals give is ``precision_low`` .. ``precision_high``, and the same with ``blind_``.
    """

    fpr: float
    right: float
    wrong: float
    precision: float | None
    blind_right: float
    blind_wrong: float
    blind_precision: float | None
    precision_low: float
    precision_high: float
    blind_precision_low: float
    blind_precision_high: float


@dataclass(frozen=True)
class KnownResult:
    """What known people are worth between two sub-graphs that share somebody, over so many ``subgraph_pairs``.

    There are ``candidates`` pairs of contacts of the ``known`` people, of which a random ``scored`` were scored.
    ``prior`` is the share of identical pairs among them, ``blind_prior`` the one among all pairs of appearances of
    those sub-graphs, ``release_prior`` among all pairs of appearances of any two sub-graphs. ``found`` holds the share
    of identical pairs found at each of ``FPRS`` among the contacts of known people, ``blind_found`` the same
    among all pairs of appearances; None where there are too few pairs to tell.
    """

    subgraph_pairs: int
    known: int
    candidates: int
    scored: int
    prior: Rate
    blind_prior: Rate
    release_prior: float
    auc: float | None
    found: tuple[Rate | None, ...]
    blind_found: tuple[Rate | None, ...]
    worth: tuple[KnownWorth, ...]


class KnownPairs(NamedTuple):
    """Known pairs, by the two sub-graphs they are in: the k-th two have ``pairs[starts[k] : starts[k + 1]]``."""

    starts: I64
    pairs: Pairs


class Scored(NamedTuple):
    """Scores of identical and of other pairs, what the identical ones share, and how many pairs they stand for."""

    identical: F64
    different: F64
    clusters: Clusters
    pairs: int
    matches: float


def measure_known(
    view: View, labels: Labels, score: Score, *, people: int = 1, subgraph_pairs: int = 200,
    most: int = 500_000, seed: int = 0,
) -> KnownResult:  # fmt: skip
    """Measure what known people are worth to an attack.

    Parameters
    ----------
    view, labels
        The release under attack, with its neighbours, and who is who: to draw the known people, and to count.
    score
        What a trained attack says of pairs.
    people
        Known people for every two sub-graphs; fewer where they share fewer people.
    subgraph_pairs
        Pairs of sub-graphs that share somebody, at most.
    most
        Pairs to score, at most.
    seed
        Decides all that is random.
    """
    neighbors, sampler = kept_neighbors(view), PairSampler(view.subgraph, labels)
    known = draw_known(view, labels, each=people, subgraph_pairs=subgraph_pairs, rng=stream(seed, "known seeds"))
    pairs, total = neighbor_pairs(neighbors, known, most=most, seed=seed)
    if not len(pairs):
        raise SampleError(
            "the known people have no contacts to compare: give a larger --known, or 0 to leave them out (known=0)"
        )
    around = _score(view, labels, score, pairs, total)
    everybody, shared = all_pairs(view, labels, known, most=most, rng=stream(seed, "everybody"))
    blind = _score_blind(view, labels, score, everybody, shared, known)
    number = known.starts.size - 1
    hits = around.identical.size
    return KnownResult(
        subgraph_pairs=number,
        known=len(known.pairs),
        candidates=total,
        scored=len(pairs),
        prior=_prior(view, labels, pairs),
        blind_prior=rate(len(shared), blind.pairs),
        release_prior=sampler.mean_shared() / sampler.mean_pairs(),
        auc=auc(around.identical, around.different) if hits and around.different.size else None,
        found=tuple(_found(around, fpr) for fpr in FPRS),
        blind_found=tuple(_found(blind, fpr) for fpr in FPRS),
        worth=tuple(worth for fpr in WORTH_FPRS if (worth := _worth(fpr, around, blind, number))),
    )


def draw_known(view: View, labels: Labels, *, each: int, subgraph_pairs: int, rng: np.random.Generator) -> KnownPairs:
    """Draw pairs of sub-graphs that share somebody, and some of the people whom each shares.

    Two sub-graphs are drawn with a chance in proportion to the people they share: that of a random identical pair.
    """
    if each < 1 or subgraph_pairs < 1:
        raise InputError(f"{each} known people for {subgraph_pairs} pairs of sub-graphs: give 1 or more of both")
    drawn = PairSampler(view.subgraph, labels).identical("complete", 50 * subgraph_pairs, rng)
    if not len(drawn):
        raise SampleError(
            "no two sub-graphs share anybody to compare: there is nobody to know; give --known 0 to leave that out "
            "(known=0)"
        )
    order = rng.permutation(len(drawn))
    chosen = np.unique(_pair_numbers(view.subgraph, drawn)[order[:subgraph_pairs]])
    found = [_shared_people(view, labels, int(number)) for number in chosen]
    taken = [rng.permutation(len(pairs))[:each] for pairs in found]
    sides = ([getattr(pairs, side)[k] for pairs, k in zip(found, taken, strict=True)] for side in ("left", "right"))
    starts = np.cumsum([0, *(k.size for k in taken)])
    return KnownPairs(starts, Pairs(*map(np.concatenate, sides)))


def neighbor_pairs(neighbors: Neighbors, known: KnownPairs, *, most: int, seed: int) -> tuple[Pairs, int]:
    """Return the pairs of a neighbour of p and a neighbour of q for any known (p, q), and how many there are.

    A pair counts once for its two sub-graphs, and known people are not looked for. Where there are more than ``most``,
    a random share of them is returned.
    """
    sizes = neighbors.counts[known.pairs.left] * neighbors.counts[known.pairs.right]
    share = min(1.0, most / max(1, int(sizes.sum())))
    limit = np.uint64(min(share * 2.0**64, 2.0**64 - 2048))
    salt = np.uint64(stream(seed, "share of pairs").integers(2**62))

    def cross(k: int) -> tuple[int, I64]:
        mine = slice(known.starts[k], known.starts[k + 1])
        sides = known.pairs.left[mine], known.pairs.right[mine]
        keys = np.empty(0, dtype=np.int64)
        for _ in range(2):  # count, then fill
            count, kept = _cross(neighbors.indptr, neighbors.indices, *sides, limit, salt, keys)
            keys = np.empty(kept, dtype=np.int64) if not keys.size else keys
        return count, keys

    parts = map_threads(cross, range(known.starts.size - 1))
    keys = np.concatenate([keys for _, keys in parts])
    return Pairs(keys >> 32, keys & 0xFFFFFFFF), sum(count for count, _ in parts)


def all_pairs(
    view: View, labels: Labels, known: KnownPairs, *, most: int, rng: np.random.Generator
) -> tuple[Pairs, Pairs]:
    """Draw pairs of everybody with everybody from the sub-graphs of known people; with them all identical ones."""
    subgraph_pairs = np.unique(_pair_numbers(view.subgraph, known.pairs))
    shared = [_shared_people(view, labels, int(number)) for number in subgraph_pairs]
    first, size = _spans(view.subgraph)
    one, two = subgraph_pairs >> 32, subgraph_pairs & 0xFFFFFFFF
    chance = size[one] * size[two]
    drawn = rng.choice(subgraph_pairs.size, size=most, p=chance / chance.sum())
    sides = [first[part[drawn]] + rng.integers(size[part[drawn]]) for part in (one, two)]
    return Pairs(*sides), Pairs(*(np.concatenate([getattr(p, side) for p in shared]) for side in ("left", "right")))


def _score(view: View, labels: Labels, score: Score, pairs: Pairs, total: int) -> Scored:
    """Score pairs, then look who is who."""
    scores = score(pairs)
    same = labels.person[pairs.left] == labels.person[pairs.right]
    clusters = _clusters(view, labels, Pairs(pairs.left[same], pairs.right[same]))
    return Scored(scores[same], scores[~same], clusters, total, total * float(same.mean()))


def _clusters(view: View, labels: Labels, pairs: Pairs) -> Clusters:
    return Clusters(labels.person[pairs.left], _pair_numbers(view.subgraph, pairs))


def _score_blind(
    view: View, labels: Labels, score: Score, everybody: Pairs, shared: Pairs, known: KnownPairs
) -> Scored:  # fmt: skip
    """Score everybody with everybody; the identical pairs are too few to be met by chance."""
    subgraph_pairs = np.unique(_pair_numbers(view.subgraph, known.pairs))
    _, size = _spans(view.subgraph)
    drawn = _score(
        view, labels, score, everybody, int((size[subgraph_pairs >> 32] * size[subgraph_pairs & 0xFFFFFFFF]).sum())
    )
    return drawn._replace(identical=score(shared), clusters=_clusters(view, labels, shared), matches=float(len(shared)))


def _found(scored: Scored, fpr: float) -> Rate | None:
    """Return the share of identical pairs found, which are found or missed together where they share a sub-graph."""
    limit = threshold_at(scored.different, fpr)
    if limit is None or not scored.identical.size:
        return None
    above = scored.identical > limit
    return widened_rate(rate(int(above.sum()), above.size), scored.clusters.agreement(above))


def _worth(fpr: float, around: Scored, blind: Scored, subgraph_pairs: int) -> KnownWorth | None:
    """Return what to expect between two sub-graphs; None where a rate is out of reach."""
    outlooks: list[float | None] = []
    ends: list[float] = []
    for scored in (around, blind):
        found, limit = _found(scored, fpr), threshold_at(scored.different, fpr)
        if found is None or limit is None:
            return None
        passed = float((scored.different > limit).mean())
        sizes = {"pairs": scored.pairs / subgraph_pairs, "matches": scored.matches / subgraph_pairs}
        outlook = link_outlook(found.value, passed, **sizes)
        outlooks += [outlook.right, outlook.wrong, outlook.precision]
        wrong = share_bounds(passed, scored.different.size)
        ends += precision_bounds(*outlook_bounds((found.low, found.high), wrong, **sizes))
    return KnownWorth(fpr, *outlooks, *ends)  # type: ignore[arg-type]


def _prior(view: View, labels: Labels, pairs: Pairs) -> Rate:
    """Return the share of identical pairs; they are frequent in some pairs of sub-graphs, and rare in others."""
    same = labels.person[pairs.left] == labels.person[pairs.right]
    found, trials = group_sums(_pair_numbers(view.subgraph, pairs), same)
    return widened_rate(rate(int(same.sum()), len(pairs)), agreement_of_groups(found, trials))


def _pair_numbers(subgraph: I32, pairs: Pairs) -> I64:
    """Return a number for the two sub-graphs of each pair, whichever comes first."""
    one, two = subgraph[pairs.left].astype(np.int64), subgraph[pairs.right].astype(np.int64)
    return (np.minimum(one, two) << 32) | np.maximum(one, two)


def _spans(subgraph: I32) -> tuple[I64, I64]:
    """Return the first appearance of each sub-graph, and how many it has; they stand together."""
    size = np.bincount(subgraph)
    return np.cumsum(size) - size, size


def _shared_people(view: View, labels: Labels, number: int) -> Pairs:
    """Return the appearances of the people whom two sub-graphs share."""
    first, size = _spans(view.subgraph)
    one, two = (np.arange(first[k], first[k] + size[k]) for k in (number >> 32, number & 0xFFFFFFFF))
    _, left, right = np.intersect1d(labels.person[one], labels.person[two], assume_unique=True, return_indices=True)
    return Pairs(one[left], two[right])


@numba.njit(cache=True, nogil=True)
def _cross(
    indptr: I64, indices: I32, left: I64, right: I64, limit: np.uint64, salt: np.uint64, keys: I64
) -> tuple[int, int]:  # fmt: skip
    """Count pairs of contacts of people known in two sub-graphs; write those that chance keeps, if there is room."""
    marks = np.full(indptr.size - 1, -1)  # in the first sub-graph: done; in the second: the last one it was paired with
    for known in range(left.size):
        marks[left[known]] = 1
    count, kept = 0, 0
    for known in range(left.size):
        for k in range(indptr[left[known]], indptr[left[known] + 1]):
            x = indices[k]
            if marks[x] == 1:
                continue
            marks[x] = 1
            for other in range(left.size):
                marks[right[other]] = x
            for other in range(known, left.size):
                if not _is_neighbor(indptr, indices, left[other], x):
                    continue
                for e in range(indptr[right[other]], indptr[right[other] + 1]):
                    y = indices[e]
                    if marks[y] != x:
                        marks[y] = x
                        count += 1
                        key = (np.int64(x) << 32) | y
                        if mix(np.uint64(key) + salt) <= limit:
                            if kept < keys.size:
                                keys[kept] = key
                            kept += 1
    return count, kept


@numba.njit(cache=True, nogil=True)
def _is_neighbor(indptr: I64, indices: I32, one: int, other: int) -> bool:
    low, high = indptr[one], indptr[one + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < other:
            low = middle + 1
        else:
            high = middle
    return bool(low < indptr[one + 1] and indices[low] == other)
