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
from thinveil.attacks.matching.egonets.playing import Game, Judge, State, play, start
from thinveil.attacks.matching.egonets.selfcheck import check_names, is_confirmed, lower_trust, measure_doubt
from thinveil.attacks.matching.giving import limit_wrong
from thinveil.attacks.matching.hiding import Check, Hidden, hide_edges
from thinveil.graph import Graph
from thinveil.runtime.streams import Seeds

Bools = NDArray[np.bool_]

FAILED = "the start failed: nobody is named"
_ROUNDS, _LAST_ROUNDS = 6, 2
_HAVE_CENTERS = 0.9
_HALF, _SURE = 0.5, 0.7  # for the last round, and to be given
_STRICT = 0.9  # without a model
_MOST_WRONG = 0.00125  # of all appearances, as far as probabilities tell
_LOST = 0.05  # of right names, at most, for the sake of these


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
    judge = _learn(held, cut, game, begun, state, seeds)
    state = play(game, state, rounds=_LAST_ROUNDS, judge=judge)
    named = _keep_believed(game, state, hidden, judge)
    return _names(game, named, check) if named.named.any() else Names.none(Verdict(False, FAILED, _facts(state, check)))


def choose_cut(target: Sequence[Graph], cuts: Sequence[Cut]) -> Cut | None:
    """Return the cut that says most about the release: with it, nearly all sub-graphs have a center."""
    for cut in sorted(cuts or CUTS, key=lambda one: (one.radius, one.rim)):
        sample = [target[k] for k in range(min(20, len(target)))]
        have = [cut.centers(one, np.arange(one.node_count)).size > 0 for one in sample]
        if np.mean(have) >= _HAVE_CENTERS:
            return cut
    return None


def _learn(held: Held, cut: Cut, game: Game, begun: State, state: State, seeds: Seeds) -> Judge | None:
    """Return a judge of names; None where the scheme is not known, or tells nothing."""
    share = float(np.mean(begun.named[game.seen.inner])) / state.overlap.people
    return None if held.scheme is None else learn_judge(held, cut, state, share, seeds=seeds)


def _keep_believed(game: Game, state: State, hidden: Hidden, judge: Judge | None) -> State:
    """Keep probable names in sub-graphs that their hidden edges confirm, after one more round there.

    Nothing is left to be checked by then, so that this round sees the hidden edges too.
    """
    seen, enough = game.seen, (_STRICT, _STRICT) if judge is None else (_HALF, _SURE)
    doubt = measure_doubt(seen, state.person, state.trust, hidden, game.known)
    probable = _only(state, lower_trust(state.trust, doubt) >= enough[0])
    confirmed = is_confirmed(seen, probable.person, hidden, game.known, state.overlap.edges)[seen.subgraph]
    last = play(replace(game, shown=game.graph), _only(probable, confirmed), rounds=1, judge=judge)
    trust = lower_trust(last.trust, doubt)
    believed = confirmed & last.named & (trust >= enough[1])
    surest = limit_wrong(trust[believed], _MOST_WRONG * seen.count, _LOST)
    return _only(replace(last, trust=trust), believed & (trust >= surest))


def _only(state: State, kept: Bools) -> State:
    """Take the names of all others away."""
    kept = kept & state.named
    person = np.where(kept, state.person, -1).astype(np.int32)
    return replace(state, person=person, trust=np.where(kept, state.trust, 0.0))


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
