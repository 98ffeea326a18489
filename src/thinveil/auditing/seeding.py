"""Known seeds: what it is worth to know that two rows are one person (Section 5.2 of the paper).

Somebody who knows that a person stands in row p of one sub-graph and in row q of another need not compare everybody
with everybody: friends of p are likely to be found among the friends of q. The candidates are the pairs of a
neighbour of p and a neighbour of q. They are few and many of them are identical, so that a false-positive
rate that is useless without a seed may do with one. They are also harder to tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Attack
from thinveil.errors import InputError, SampleError
from thinveil.features import Neighbors, RowTruth, View, kept_neighbors
from thinveil.features.pairs import Pairs, PairSampler
from thinveil.measures.rates import FPRS, Rate, auc, link_outlook, rate, threshold_at, tpr_at_fpr
from thinveil.runtime.splitmix import mix
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import map_threads

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

WORTH_FPRS = (0.001, 0.01, 0.1)
"""The false-positive rates at which the worth of a seed is told."""


@dataclass(frozen=True)
class SeedWorth:
    """What to expect of claiming every link above the threshold, between two sub-graphs that share somebody.

    ``right``, ``wrong`` and ``precision`` are for an attacker who compares the neighbours of the seeds;
    ``blind_right``, ``blind_wrong`` and ``blind_precision`` for one who compares everybody with everybody.
    """

    fpr: float
    right: float
    wrong: float
    precision: float | None
    blind_right: float
    blind_wrong: float
    blind_precision: float | None


@dataclass(frozen=True)
class SeedResult:
    """What seeds are worth between two sub-graphs that share somebody, over ``couples`` of such sub-graphs.

    There are ``candidates`` pairs of neighbours of the ``seeds``, of which a random ``scored`` were scored. ``prior``
    is the share of identical pairs among them, ``blind_prior`` the one among all pairs of rows of those sub-graphs,
    ``release_prior`` among all pairs of rows of any two sub-graphs. ``found`` holds the
    share of identical pairs found at each of ``FPRS`` among the neighbours of seeds, ``blind_found`` the same
    among all pairs of rows; None where there are too few pairs to tell.
    """

    couples: int
    seeds: int
    candidates: int
    scored: int
    prior: Rate
    blind_prior: Rate
    release_prior: float
    auc: float | None
    found: tuple[Rate | None, ...]
    blind_found: tuple[Rate | None, ...]
    worth: tuple[SeedWorth, ...]


class Seeds(NamedTuple):
    """Known pairs by couple of sub-graphs: the k-th couple has ``pairs[starts[k] : starts[k + 1]]``."""

    starts: I64
    pairs: Pairs


class Scored(NamedTuple):
    """Scores of identical and of other pairs, and how many pairs they stand for."""

    identical: F64
    different: F64
    pairs: int
    matches: float


def measure_seeds(
    view: View, truth: RowTruth, attack: Attack, *, seeds: int = 1, couples: int = 200,
    most: int = 500_000, seed: int = 0, threads: int | None = None,
) -> SeedResult:  # fmt: skip
    """Measure what known seeds are worth to an attack.

    Parameters
    ----------
    view, truth
        The release under attack, with its neighbours, and who is who: to draw the seeds, and to count.
    attack
        A trained attack.
    seeds
        Known seeds for each couple of sub-graphs; fewer where they share fewer people.
    couples
        Couples of sub-graphs that share somebody, at most.
    most
        Pairs to score, at most.
    seed
        Decides all that is random.
    threads
        Number of threads; it does not change the result.
    """
    neighbors, sampler = kept_neighbors(view), PairSampler(view.subgraph, truth)
    known = draw_seeds(view, truth, per_couple=seeds, couples=couples, rng=stream(seed, "known seeds"))
    pairs, total = neighbor_pairs(neighbors, known, most=most, seed=seed, threads=threads)
    if not len(pairs):
        raise SampleError("the known seeds have no neighbours with enough edges to compare: know more seeds")
    around = _score(view, truth, attack, pairs, total)
    everybody, shared = all_pairs(view, truth, known, most=most, rng=stream(seed, "everybody"))
    blind = _score_blind(view, truth, attack, everybody, shared, known)
    number = known.starts.size - 1
    hits = around.identical.size
    return SeedResult(
        couples=number,
        seeds=len(known.pairs),
        candidates=total,
        scored=len(pairs),
        prior=rate(hits, len(pairs)),
        blind_prior=rate(len(shared), blind.pairs),
        release_prior=sampler.mean_shared() / sampler.mean_pairs(),
        auc=auc(around.identical, around.different) if hits and around.different.size else None,
        found=tuple(_found(around, fpr) for fpr in FPRS),
        blind_found=tuple(_found(blind, fpr) for fpr in FPRS),
        worth=tuple(worth for fpr in WORTH_FPRS if (worth := _worth(fpr, around, blind, number))),
    )


def draw_seeds(view: View, truth: RowTruth, *, per_couple: int, couples: int, rng: np.random.Generator) -> Seeds:
    """Draw couples of sub-graphs that share somebody, and some of the people whom each shares.

    A couple is drawn with a chance in proportion to the people it shares: it is that of a random identical pair.
    """
    if per_couple < 1 or couples < 1:
        raise InputError(f"{per_couple} seeds for {couples} couples of sub-graphs: give 1 or more of both")
    drawn = PairSampler(view.subgraph, truth).identical("complete", 50 * couples, rng)
    if not len(drawn):
        raise SampleError("no two sub-graphs share anybody with enough edges: there are no seeds to know")
    order = rng.permutation(len(drawn))
    chosen = np.unique(_couples(view.subgraph, drawn)[order[:couples]])
    found = [_shared_rows(view, truth, int(couple)) for couple in chosen]
    taken = [rng.permutation(len(pairs))[:per_couple] for pairs in found]
    sides = ([getattr(pairs, side)[k] for pairs, k in zip(found, taken, strict=True)] for side in ("left", "right"))
    starts = np.cumsum([0, *(k.size for k in taken)])
    return Seeds(starts, Pairs(*map(np.concatenate, sides)))


def neighbor_pairs(
    neighbors: Neighbors, known: Seeds, *, most: int, seed: int, threads: int | None = None
) -> tuple[Pairs, int]:
    """Return the pairs of a neighbour of p and a neighbour of q for any seed (p, q), and how many there are.

    A pair counts once for its couple of sub-graphs, and seeds are not looked for. Where there are more than ``most``, a
    random share of them is returned.
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

    parts = map_threads(cross, range(known.starts.size - 1), threads)
    keys = np.concatenate([keys for _, keys in parts])
    return Pairs(keys >> 32, keys & 0xFFFFFFFF), sum(count for count, _ in parts)


def all_pairs(view: View, truth: RowTruth, known: Seeds, *, most: int, rng: np.random.Generator) -> tuple[Pairs, Pairs]:
    """Draw pairs of everybody with everybody from the seeds' couples of sub-graphs; with them all identical ones."""
    couples = np.unique(_couples(view.subgraph, known.pairs))
    shared = [_shared_rows(view, truth, int(couple)) for couple in couples]
    first, size = _spans(view.subgraph)
    one, two = couples >> 32, couples & 0xFFFFFFFF
    chance = size[one] * size[two]
    drawn = rng.choice(couples.size, size=most, p=chance / chance.sum())
    sides = [first[part[drawn]] + rng.integers(size[part[drawn]]) for part in (one, two)]
    return Pairs(*sides), Pairs(*(np.concatenate([getattr(p, side) for p in shared]) for side in ("left", "right")))


def _score(view: View, truth: RowTruth, attack: Attack, pairs: Pairs, total: int) -> Scored:
    """Score pairs, then look who is who."""
    scores = attack.score(view, pairs)
    same = truth.person[pairs.left] == truth.person[pairs.right]
    return Scored(scores[same], scores[~same], total, total * float(same.mean()))


def _score_blind(
    view: View, truth: RowTruth, attack: Attack, everybody: Pairs, shared: Pairs, known: Seeds
) -> Scored:  # fmt: skip
    """Score everybody with everybody; the identical pairs are too few to be met by chance."""
    couples = np.unique(_couples(view.subgraph, known.pairs))
    _, size = _spans(view.subgraph)
    drawn = _score(view, truth, attack, everybody, int((size[couples >> 32] * size[couples & 0xFFFFFFFF]).sum()))
    return drawn._replace(identical=attack.score(view, shared), matches=float(len(shared)))


def _found(scored: Scored, fpr: float) -> Rate | None:
    return tpr_at_fpr(scored.identical, scored.different, fpr) if scored.identical.size else None


def _worth(fpr: float, around: Scored, blind: Scored, couples: int) -> SeedWorth | None:
    """Return what to expect between two sub-graphs; None where a rate is out of reach."""
    outlooks = []
    for scored in (around, blind):
        found, limit = _found(scored, fpr), threshold_at(scored.different, fpr)
        if found is None or limit is None:
            return None
        passed = float((scored.different > limit).mean())
        outlook = link_outlook(found.value, passed, pairs=scored.pairs / couples, matches=scored.matches / couples)
        outlooks += [outlook.right, outlook.wrong, outlook.precision]
    return SeedWorth(fpr, *outlooks)  # type: ignore[arg-type]


def _couples(subgraph: I32, pairs: Pairs) -> I64:
    """Return a number for the two sub-graphs of each pair, whichever comes first."""
    one, two = subgraph[pairs.left].astype(np.int64), subgraph[pairs.right].astype(np.int64)
    return (np.minimum(one, two) << 32) | np.maximum(one, two)


def _spans(subgraph: I32) -> tuple[I64, I64]:
    """Return the first row and the number of rows of each sub-graph; its rows stand together."""
    size = np.bincount(subgraph)
    return np.cumsum(size) - size, size


def _shared_rows(view: View, truth: RowTruth, couple: int) -> Pairs:
    """Return the rows of the people whom two sub-graphs share."""
    first, size = _spans(view.subgraph)
    one, two = (np.arange(first[k], first[k] + size[k]) for k in (couple >> 32, couple & 0xFFFFFFFF))
    _, left, right = np.intersect1d(truth.person[one], truth.person[two], assume_unique=True, return_indices=True)
    return Pairs(one[left], two[right])


@numba.njit(cache=True, nogil=True)
def _cross(
    indptr: I64, indices: I32, left: I64, right: I64, limit: np.uint64, salt: np.uint64, keys: I64
) -> tuple[int, int]:  # fmt: skip
    """Count the pairs of neighbours of the seeds of a couple, and write those that chance keeps, if there is room."""
    marks = np.full(indptr.size - 1, -1)  # a row of the first sub-graph: done; of the second: last met with this row
    for seed in range(left.size):
        marks[left[seed]] = 1
    count, kept = 0, 0
    for seed in range(left.size):
        for k in range(indptr[left[seed]], indptr[left[seed] + 1]):
            x = indices[k]
            if marks[x] == 1:
                continue
            marks[x] = 1
            for other in range(left.size):
                marks[right[other]] = x
            for other in range(seed, left.size):
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
def _is_neighbor(indptr: I64, indices: I32, row: int, other: int) -> bool:
    low, high = indptr[row], indptr[row + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < other:
            low = middle + 1
        else:
            high = middle
    return bool(low < indptr[row + 1] and indices[low] == other)
