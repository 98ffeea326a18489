"""Naming under noise, from the start to the last round.

::

    merged groups --belief propagation--> hubs --landmarks--> inner people --rounds--> everybody

Where edges at the rim are published, hubs bring names of their contacts with them, and more sub-graphs a start.
A round names the outer appearances first and the inner ones after them, from what was just found; the appearances of a
merged group vote for one name. How much the two graphs overlap is estimated on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.attacks.matching.egonets.beliefs import Overlap, Pairs, believe, list_pairs
from thinveil.attacks.matching.egonets.egos import find_egos
from thinveil.attacks.matching.egonets.hubs import Match, match_hubs
from thinveil.attacks.matching.egonets.landmarks import place_groups
from thinveil.attacks.matching.egonets.merging import list_traits, merge
from thinveil.attacks.matching.egonets.rounds import COLUMNS, Round, run_round
from thinveil.graph import Graph
from thinveil.graph.csr import has_edge

I32 = NDArray[np.int32]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Judge = Callable[[F32], F64]

GUESS = Overlap(0.75, 0.87)
"""What is assumed before anything is known."""
_TRUSTED = 0.9
_SURE = 0.99
_HALF = 0.5
_SETTLED = 0.02
_MANY_CONTACTS = 20
_MEDIAN = 0.6745  # of the size of a normal variable


@dataclass(frozen=True, eq=False)
class Game:
    """What is played with: the graph with names, the appearances, their merged groups, and what these have in common.

    ``shown`` is the graph without the edges that are hidden from the rounds; ``known`` the person of every appearance
    that is known beforehand, -1 elsewhere.
    """

    graph: Graph
    shown: Graph
    seen: Appearances
    group: I32
    contacts: I32
    pairs: Pairs
    known: I32

    @classmethod
    def of(cls, graph: Graph, shown: Graph, seen: Appearances, known: I32 | None = None) -> Game:
        """Merge the appearances and make all ready."""
        traits = list_traits(seen)
        most = max(int(seen.degree.max(initial=0)), int(graph.degrees.max(initial=0)))
        group = merge(seen, traits, np.bincount(graph.degrees, minlength=most + 1))
        contacts = np.zeros(int(group.max(initial=-1)) + 1, dtype=np.int32)
        contacts[group[seen.inner]] = seen.degree[seen.inner]
        return cls(graph, shown, seen, group, contacts, list_pairs(traits, group),
                   np.full(seen.count, -1, dtype=np.int32) if known is None else known)  # fmt: skip


@dataclass(frozen=True, eq=False)
class State:
    """Names after a round: of every appearance the person (-1: none), the trust, and the columns behind it."""

    person: I32
    trust: F64
    best: I32
    table: F32
    overlap: Overlap

    @property
    def named(self) -> Bools:
        """Who has a name."""
        return np.asarray(self.person >= 0)


def start(game: Game, overlap: Overlap = GUESS) -> State:
    """Name inner people without anybody known."""
    person, trust = _join_groups(game, *believe(game.graph, game.contacts, game.pairs, overlap))
    overlap = _estimate_from_groups(game, person, trust, overlap)
    person, trust = _join_groups(game, *_add_centers(game, person, trust, overlap))
    hubs = list[Match]()
    if game.seen.rim:
        hubs = match_hubs(game.graph, game.seen, _spread(game, person, trust)[0], overlap)
        person, trust = _join_groups(game, *_add_hubs(game, person, trust, hubs))
    for _ in range(2):
        placed = place_groups(game.graph, game.contacts, game.pairs, person, trust, overlap)
        person, trust = _join_groups(game, *placed)
        overlap = _estimate_from_groups(game, person, trust, overlap)
    return _add_contacts(game, begin(game, *_spread(game, person, trust), overlap), hubs)


def _spread(game: Game, person: I32, trust: F64) -> tuple[I32, F64]:
    """Return the sure names of groups as those of their appearances."""
    sure = np.append((person >= 0) & (trust >= _TRUSTED), False)  # who has no group has number -1, the last
    names = np.where(sure[game.group], np.append(person, -1)[game.group], -1).astype(np.int32)
    return names, np.append(trust, 0)[game.group]


def _join_groups(game: Game, person: I32, trust: F64) -> tuple[I32, F64]:
    """Give groups in which somebody is known that name."""
    who = np.flatnonzero((game.known >= 0) & (game.group >= 0))
    person, trust = person.copy(), trust.copy()
    person[game.group[who]], trust[game.group[who]] = game.known[who], 1
    return person, trust


def join_known(game: Game, state: State) -> State:
    """Give known people their names, and take these from all others beside them."""
    is_known = game.known >= 0
    if not is_known.any():
        return state
    keys = game.seen.subgraph.astype(np.int64) << 32
    lost = np.isin(keys | state.person, (keys | game.known)[is_known]) & state.named
    person = np.where(is_known, game.known, np.where(lost, -1, state.person)).astype(np.int32)
    return replace(state, person=person, trust=np.where(is_known, 1.0, np.where(lost, 0.0, state.trust)))


def _add_contacts(game: Game, state: State, hubs: Sequence[Match]) -> State:
    """Name contacts of hubs as their circles say; the surest is written last."""
    if not hubs:
        return state
    seen = game.seen
    who, found, probability = (np.concatenate([one[fact] for one in hubs]) for fact in (3, 4, 5))
    order = np.argsort(probability, kind="stable")
    order = order[(state.person[who[order]] < 0) & ~seen.twin[who[order]]]
    person, trust = state.person.copy(), state.trust.copy()
    person[who[order]], trust[who[order]] = found[order], probability[order]
    return begin(game, person, trust, state.overlap)


def _add_hubs(game: Game, person: I32, trust: F64, hubs: Sequence[Match]) -> tuple[I32, F64]:
    """Name the hubs; the surest is written last."""
    person, trust = person.copy(), trust.copy()
    for one in sorted(hubs, key=lambda one: one.odds):
        person[game.group[one.hub]], trust[game.group[one.hub]] = one.person, _SURE
    return person, trust


def _add_centers(game: Game, person: I32, trust: F64, overlap: Overlap) -> tuple[I32, F64]:
    """Name the centers of sub-graphs where that is more certain."""
    seen = game.seen
    found, probability = find_egos(game.graph, seen, overlap)
    order = np.argsort(probability, kind="stable")  # the surest is written last
    order = order[(seen.center[order] >= 0) & (probability[order] >= _TRUSTED)]
    group = game.group[seen.center[order]]
    surer = (group >= 0) & (probability[order] > trust[group])
    person, trust = person.copy(), trust.copy()
    person[group[surer]], trust[group[surer]] = found[order[surer]], probability[order[surer]]
    return person, trust


def begin(game: Game, person: I32, trust: F64, overlap: Overlap) -> State:
    """Return the state in which so many names are known."""
    table = np.zeros((game.seen.count, len(COLUMNS) + 4), dtype=np.float32)
    return _settled(game, State(person, np.where(person >= 0, trust, 0), person, table, overlap))


def play(game: Game, state: State, *, rounds: int, judge: Judge | None = None) -> State:
    """Play rounds until little changes; a judge, once there is one, says how probable a name is.

    A sub-graph in which hardly a name has changed is left as it is in the next round.
    """
    seen, active = game.seen, np.ones(game.seen.start.size - 1, dtype=bool)
    for _ in range(rounds):
        before = state.person
        for some in (~seen.inner & seen.delegate, seen.inner):
            state = _step(game, state, some & active[seen.subgraph], judge)
        state = replace(state, overlap=_estimate(state, seen.inner))
        active = _is_changing(seen, before, state.person)
        if not active.any():
            break
    return state


def _is_changing(seen: Appearances, before: I32, after: I32) -> Bools:
    """Return in which sub-graphs more than a few names have changed."""
    changed, named = (
        np.bincount(seen.subgraph[some], minlength=seen.start.size - 1) for some in (before != after, after >= 0)
    )
    return np.asarray(changed > _SETTLED * named)


def _step(game: Game, state: State, chosen: Bools, judge: Judge | None) -> State:
    """Name the chosen appearances anew; inner ones vote with all others of their group."""
    seen = game.seen
    found = run_round(game.shown, game.graph.degrees, seen, state.person, state.trust, state.overlap, chosen=chosen)
    table = np.where(chosen[:, None], add_surroundings(game, found, state), state.table)
    trust = found.probability if judge is None else np.where(found.person >= 0, judge(table), 0.0)
    best, trust = np.where(chosen, found.person, state.person), np.where(chosen, trust, state.trust)
    if chosen[seen.inner].any():
        best, trust = _vote(game.group, best, trust)
        chosen = chosen | seen.inner
        if judge is None:  # where nothing speaks for or against a start, it stays
            stays = seen.inner & state.named & (best < 0)
            best, trust = np.where(stays, state.person, best), np.where(stays, state.trust, trust)
    is_named = (trust >= _HALF) & (best >= 0) & ~seen.twin
    person = np.where(chosen, np.where(is_named, best, -1), state.person).astype(np.int32)
    trust = np.where(chosen, np.where(is_named, trust, 0.0), state.trust)
    return _settled(game, State(person, trust, np.where(chosen, best, state.best), table, state.overlap))


def add_surroundings(game: Game, found: Round, state: State) -> F32:
    """Return the columns of a round, and beside them how much is named around an appearance."""
    seen, sizes = game.seen, np.diff(game.seen.start)
    inner = np.bincount(seen.subgraph[seen.inner], minlength=sizes.size)
    named = np.bincount(seen.subgraph[seen.inner & state.named], minlength=sizes.size)
    times = np.bincount(state.person[state.named], minlength=game.graph.node_count)
    elsewhere = times[found.person] - (state.person == found.person)
    around = (named / np.maximum(inner, 1))[seen.subgraph], named[seen.subgraph], elsewhere, sizes[seen.subgraph]
    return np.column_stack([found.table, *around]).astype(np.float32)


def _vote(group: I32, person: I32, trust: F64) -> tuple[I32, F64]:
    """Let the appearances of each group agree on one name: that of the most trust, with the mean trust of all."""
    voters = np.flatnonzero((group >= 0) & (person >= 0))
    names, vote = np.unique(group[voters].astype(np.int64) << 32 | person[voters], return_inverse=True)
    weight, groups = np.bincount(vote, trust[voters]), names >> 32
    order = np.lexsort((-weight, groups))
    first = order[np.diff(groups[order], prepend=-1) > 0]
    size = int(group.max(initial=-1)) + 2  # one more, for who has no group
    chosen, mean = np.full(size, -1, dtype=np.int32), np.zeros(size)
    chosen[groups[first]] = names[first] & 0x7FFFFFFF
    mean[groups[first]] = weight[first] / np.bincount(group[group >= 0], minlength=size)[groups[first]]
    outer = group < 0
    return np.where(outer, person, chosen[group]).astype(np.int32), np.where(outer, trust, mean[group])


def _settled(game: Game, state: State) -> State:
    """Join known people, and take a name away where another beside it has it with more trust; or with as much."""
    seen, state = game.seen, join_known(game, state)
    on = np.flatnonzero(state.named)
    order = on[np.lexsort((-state.trust[on], state.person[on], seen.subgraph[on]))]
    same = (np.diff(state.person[order]) == 0) & (np.diff(seen.subgraph[order]) == 0)
    tied = same & (np.diff(state.trust[order]) == 0)
    lost = np.concatenate([order[1:][same], order[:-1][tied]])
    person, trust = state.person.copy(), state.trust.copy()
    person[lost], trust[lost] = -1, 0
    return replace(state, person=person, trust=trust)


def _estimate_from_groups(game: Game, person: I32, trust: F64, before: Overlap) -> Overlap:
    """Return the overlap as the named groups show it."""
    sure = (person >= 0) & (trust >= _TRUSTED)
    pairs = game.pairs
    known = np.flatnonzero(pairs.knows & sure[pairs.first] & sure[pairs.second])
    if sure.sum() < 10 or known.size < 10:
        return before
    ends = person[pairs.first[known]], person[pairs.second[known]]
    edges = np.mean([has_edge(game.graph.indptr, game.graph.indices, a, b) for a, b in zip(*ends, strict=True)])
    gap = np.sqrt(game.contacts[sure]) - np.sqrt(game.graph.degrees[person[sure]])
    return _overlap(gap, float(edges))


def _estimate(state: State, inner: Bools) -> Overlap:
    """Return the overlap as the trusted inner names show it."""
    table = state.table[inner & (state.trust >= _TRUSTED)]
    shared, there, gap = (table[:, COLUMNS.index(name)] for name in ("shared", "missing there", "gap"))
    if table.shape[0] < 10:
        return state.overlap
    edges = shared.sum() / max(1.0, (shared + there).sum())
    return _overlap(gap[table[:, COLUMNS.index("contacts")] >= _MANY_CONTACTS], float(edges))


def _overlap(gap: NDArray[Any], edges: float) -> Overlap:
    """Return the overlap by the gaps between the roots of numbers of contacts: a few wrong ones must not count."""
    spread = (np.median(np.abs(gap)) / _MEDIAN) ** 2 if gap.size else 0.25
    people = float(1 - 2 * spread) / max(edges, 0.1)
    return Overlap(min(0.97, max(0.3, people)), min(0.97, max(0.3, edges)))
