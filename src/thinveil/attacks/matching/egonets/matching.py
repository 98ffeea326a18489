"""Naming the people of a release of egonets, from first to last.

The exact way comes first (``exact``): it knows by itself whether the sub-graphs were cut out of the attacker's graph.
Where nearly all were, that is all; otherwise the way for noise follows (``noisy``), and the names of the few sub-graphs
that fit to the last edge stand before its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.base import Held, Names, Verdict
from thinveil.attacks.matching.egonets.cutting import Cut
from thinveil.attacks.matching.egonets.exact import NEARLY_ALL, Exact, is_believed, name_exactly
from thinveil.attacks.matching.egonets.learning import learn_cuts
from thinveil.attacks.matching.egonets.noisy import name_noisily
from thinveil.runtime.streams import Seeds

Bools = NDArray[np.bool_]

_CERTAIN, _LIKELY = 0.999, 0.95


def match_egonets(held: Held, *, seeds: Seeds) -> Names:
    """Return the names of people in sub-graphs that were cut around single people."""
    return _names(held, seeds=seeds).with_known(held.known)


def _names(held: Held, *, seeds: Seeds) -> Names:
    cuts = learn_cuts(held, seeds=seeds)
    named = _best_cut(held, cuts)
    believed = is_believed(named) if named else np.zeros(len(held.target), dtype=bool)
    if believed.mean() >= NEARLY_ALL:
        return _exact_names(named, believed)
    others = name_noisily(held, cuts, seeds=seeds)
    return _joined(_exact_names(named, believed), others, believed) if believed.any() else others


def _joined(exact: Names, noisy: Names, believed: Bools) -> Names:
    """Return the names of both ways, in the order of sub-graphs; where a sub-graph fits exactly, only its own."""
    left = ~believed[noisy.subgraph]
    subgraph, node, person, probability = (
        np.concatenate([getattr(exact, name), getattr(noisy, name)[left]])
        for name in ("subgraph", "node", "person", "probability")
    )
    order = np.lexsort((node, subgraph))
    words = f"{exact.verdict.words}; of the rest: {noisy.verdict.words}"
    facts = {**noisy.verdict.facts, **exact.verdict.facts, "believed": float(np.unique(subgraph).size)}
    verdict = Verdict(True, words, facts)
    return Names(subgraph[order], node[order], person[order], probability[order], verdict)


def _best_cut(held: Held, cuts: Sequence[Cut]) -> list[Exact]:
    """Return what the cut finds that verifies the most sub-graphs; nothing where there is no cut."""
    best = list[Exact]()
    for cut in cuts:
        named = name_exactly(held.auxiliary, held.target, cut, held.known)
        if not best or _count_verified(named) > _count_verified(best):
            best = named
        if _count_verified(best) == len(held.target):
            break
    return best


def _count_verified(named: Sequence[Exact]) -> int:
    return sum(one.verified > 0 for one in named)


def _exact_names(named: Sequence[Exact], believed: Bools) -> Names:
    """Return the names of all sub-graphs that are believed."""
    trust = _CERTAIN if believed.mean() >= NEARLY_ALL else _LIKELY
    nodes = [np.flatnonzero((one.person >= 0) & ok) for one, ok in zip(named, believed, strict=True)]
    subgraph = np.repeat(np.arange(len(named), dtype=np.int32), [some.size for some in nodes])
    node = np.concatenate(nodes).astype(np.int32)
    person = np.concatenate([one.person[some] for one, some in zip(named, nodes, strict=True)])
    words = f"{believed.sum()} of {believed.size} sub-graphs were cut out of this very graph, to the last edge"
    return Names(subgraph, node, person, np.full(node.size, trust), Verdict(True, words, _facts(named, believed)))


def _facts(named: Sequence[Exact], believed: Bools) -> dict[str, float]:
    return {
        "subgraphs": float(believed.size),
        "verified": float(_count_verified(named)),
        "believed": float(believed.sum()),
        "candidates": float(np.mean([one.verified for one in named])) if named else 0.0,
    }
