"""Naming people when the attacker's graph is not the one that was published, but overlaps with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.base import Held, Names, Verdict
from thinveil.attacks.matching.egonets.acceptance import learn_judge
from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.attacks.matching.egonets.cutting import CUTS, Cut
from thinveil.attacks.matching.egonets.playing import Game, State, play, start
from thinveil.attacks.matching.egonets.selfcheck import check_names, correct_trust, is_confirmed
from thinveil.attacks.matching.hiding import Check, hide_edges
from thinveil.graph import Graph
from thinveil.runtime.streams import Seeds

I32 = NDArray[np.int32]
F64 = NDArray[np.float64]

FAILED = "the start failed: nobody is named"
_ROUNDS, _LAST_ROUNDS = 12, 2
_HAVE_CENTERS = 0.9
_STRICT = 0.9  # without a model
_HALF = 0.5


def name_noisily(held: Held, cuts: Sequence[Cut], *, seeds: Seeds) -> Names:
    """Return the names that can be had under noise, with a verdict."""
    cut = choose_cut(held.target, cuts)
    if cut is None or cut.radius < 2:
        return Names.none(Verdict(False, FAILED))
    hidden = hide_edges(held.auxiliary, seeds.stream("hidden edges"))
    seen = Appearances.of(held.target, cut)
    game = Game.of(held.auxiliary, hidden.graph, seen, seen.places(held.known))
    begun = start(game)
    state = play(game, begun, rounds=_ROUNDS)
    check = check_names(seen, state.person, hidden, game.known)
    if not check.is_passed:
        return Names.none(Verdict(False, FAILED, _facts(state, check)))
    state = _judged(held, cut, game, begun, state, seeds)
    trust = correct_trust(seen, state.person, state.trust, hidden, game.known)
    person = np.where(trust >= _HALF, state.person, -1).astype(np.int32)
    confirmed = is_confirmed(seen, person, hidden, game.known, state.overlap.edges)
    named = replace(state, person=np.where(confirmed[seen.subgraph], person, -1), trust=trust)
    return _names(game, named, check) if named.named.any() else Names.none(Verdict(False, FAILED, _facts(state, check)))


def choose_cut(target: Sequence[Graph], cuts: Sequence[Cut]) -> Cut | None:
    """Return the cut that says most about the release: with it, nearly all sub-graphs have a center."""
    for cut in sorted(cuts or CUTS, key=lambda one: (one.radius, one.rim)):
        sample = [target[k] for k in range(min(20, len(target)))]
        have = [cut.centers(one, np.arange(one.node_count)).size > 0 for one in sample]
        if np.mean(have) >= _HAVE_CENTERS:
            return cut
    return None


def _judged(held: Held, cut: Cut, game: Game, begun: State, state: State, seeds: Seeds) -> State:
    """Play on with a learned judge; without one, keep what is very probable."""
    inner = game.seen.inner
    share = float(np.mean(begun.named[inner])) / state.overlap.people
    judge = None if held.scheme is None else learn_judge(held, cut, state, share, seeds=seeds)
    if judge is not None:
        return play(game, state, rounds=_LAST_ROUNDS, judge=judge)
    return replace(state, person=np.where(state.trust >= _STRICT, state.person, -1))


def _names(game: Game, state: State, check: Check) -> Names:
    seen, node = game.seen, np.flatnonzero(state.named)
    subgraph = seen.subgraph[node]
    believed = np.unique(subgraph).size
    words = (
        f"of the edges that were hidden from the attack, {check.hidden:.0%} are found where the names say, and "
        f"{check.shown:.0%} of the others: the names hold; {believed} of {seen.start.size - 1} sub-graphs are believed"
    )
    facts = {**_facts(state, check), "subgraphs": float(seen.start.size - 1), "believed": float(believed)}
    return Names(subgraph, (node - seen.start[subgraph]).astype(np.int32), state.person[node], state.trust[node],
                 Verdict(True, words, facts))  # fmt: skip


def _facts(state: State, check: Check) -> dict[str, float]:
    return {
        "hidden edges": float(check.edges), "hidden edges found": check.hidden, "shown edges found": check.shown,
        "found by chance": check.chance, "ratio": check.ratio, "overlap of people": state.overlap.people,
        "overlap of edges": state.overlap.edges,
    }  # fmt: skip
