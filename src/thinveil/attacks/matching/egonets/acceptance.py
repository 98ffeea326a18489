"""Which names are accepted: a model learned from a release that the attacker cuts himself, where he knows the truth.

He splits his own graph into two copies that overlap as much as his graph and the release seem to, publishes one by the
scheme, names it with the other, and sees which names are right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.base import Held
from thinveil.attacks.matching.copies import split
from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.attacks.matching.egonets.beliefs import Overlap
from thinveil.attacks.matching.egonets.cutting import Cut
from thinveil.attacks.matching.egonets.playing import Game, Judge, State, begin, play, start
from thinveil.attacks.matching.hiding import HIDDEN, hide_edges
from thinveil.errors import ThinveilError
from thinveil.graph import Graph
from thinveil.learners.boosting import Boosted, Growth
from thinveil.runtime.notices import unheard
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Release

I32 = NDArray[np.int32]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_GROWTH = Growth(trees=60, leaves=10, rate=0.1)
_SUBGRAPHS = {False: 100, True: 50}  # where edges at the rim are published, they hold much more
_ROUNDS = 4
_FEWEST_NAMED = 100
_WRONG = 0.03
_FEWEST_LINES = 200
_MOST_EDGES = 0.98


def learn_judge(held: Held, cut: Cut, state: State, inner_named: float, *, seeds: Seeds) -> Judge | None:
    """Return a model that says how probable names are; None where there is nothing to learn from."""
    assert held.scheme is not None
    rng = seeds.stream("own copies")
    copies = split(held.auxiliary, with_hidden_edges(state.overlap).both_ways, rng)
    try:
        with unheard():
            release = held.scheme.publish(copies.left, seed=seeds("own release"))
    except ThinveilError:
        return None
    graphs, truth = _take(release, copies.truth, _SUBGRAPHS[cut.rim])
    seen = Appearances.of(graphs, cut)
    game = Game.of(copies.right, hide_edges(copies.right, rng).graph, seen)
    begun = start(game, state.overlap)
    if begun.named.sum() < _FEWEST_NAMED:  # as good a start as his own, then
        begun = _helped(game, truth, inner_named, state.overlap, rng)
    played = play(game, begun, rounds=_ROUNDS)
    lines = (played.best >= 0) & (played.table[:, 0] != 0) & ~seen.twin
    right = played.best[lines] == truth[lines]
    if lines.sum() < _FEWEST_LINES or right.all() or not right.any():
        return None
    return Boosted.fit(played.table[lines], right, _GROWTH, seed=seeds("acceptance")).predict


def with_hidden_edges(overlap: Overlap) -> Overlap:
    """Return the overlap of the whole graphs, as it was estimated while some edges were hidden.

    Contacts in common told the product of both shares, and the edges that were seen one of them: too little by those
    that were hidden. With the other too large, own copies would hold too few people who are in one of them only.
    """
    shown = 1 - HIDDEN
    return Overlap(overlap.people * shown, min(overlap.edges / shown, _MOST_EDGES))


def _take(release: Release, name: I32, most: int) -> tuple[list[Graph], I32]:
    """Return the first sub-graphs, and who their nodes are in the second copy."""
    count = min(most, len(release))
    graphs = [release.public[k] for k in range(count)]
    assert release.secret is not None
    return graphs, np.concatenate([name[release.secret[k].people] for k in range(count)])


def _helped(game: Game, truth: I32, share: float, overlap: Overlap, rng: np.random.Generator) -> State:
    """Return a start in which a share of the inner people are named, a few of them wrongly."""
    lot = rng.random(truth.size)
    wrong = rng.integers(game.graph.node_count, size=truth.size)
    person = np.where(lot < _WRONG, wrong, truth)
    named = game.seen.inner & (person >= 0) & ((lot < _WRONG) | (lot > 1 - share))
    person = np.where(named, person, -1).astype(np.int32)
    return begin(game, person, np.where(named, 0.95, 0.0), overlap)
