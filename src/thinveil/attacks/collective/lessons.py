"""Learning which candidates to believe, by playing the rounds on a release whose people are known.

Each round is judged by a model for either half of the people that has not seen them, so that training sees links as
imperfect as the attack will.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.anchors import AnchorModel, Anchors, first_clusters
from thinveil.attacks.collective.appearances import F32, I32, I64, Appearances, Bools
from thinveil.attacks.collective.assignment import make_links
from thinveil.attacks.collective.candidates import Candidates, Judge, find_candidates
from thinveil.attacks.collective.clusters import Clusters
from thinveil.attacks.collective.played import Played, list_round, still_grows
from thinveil.features import View
from thinveil.features.comparison import Comparer
from thinveil.learners.boosting import CrossFitted, Growth
from thinveil.runtime.progress import steps
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import map_threads

_SUBGRAPHS_AT_ONCE = 8
_GROWTH = Growth(trees=60, leaves=15, rate=0.2)


class Rules(NamedTuple):
    """How many rounds follow the first links at most, how probable a link must be, and the seed."""

    rounds: int
    sure: float
    seed: int


class Truth(NamedTuple):
    """The person behind each appearance, and for every person which of two models must not see it."""

    person: I32
    half: NDArray[np.int8]


class Lessons(NamedTuple):
    """Candidates of one round with the answers, and the half to which each appearance's person belongs."""

    evidence: F32
    right: Bools
    half: NDArray[np.int8]


class Taught(NamedTuple):
    """What the rounds on a training release taught, and the rounds themselves."""

    anchors: AnchorModel | None
    model: CrossFitted | None
    played: Played
    lessons: list[Lessons]


def teach(
    view: View, truth: Truth, comparer: Comparer, rules: Rules, *, most: int, before: Sequence[Lessons] = ()
) -> Taught:
    """Play the rounds on a release whose people are known, learning from each and from the lessons before.

    A model learns from ``most`` candidates at most.
    """
    seen, step = Appearances.of(view), steps(rules.rounds + 1)
    learned = AnchorModel.learn(seen, comparer, *truth, seed=rules.seed)
    if learned is None:
        return Taught(None, None, Played.nothing(seen, rules.seed), [])
    step()
    anchor_model, pairs, sure = learned
    anchors = Anchors.of(pairs, sure, len(view))
    made = [first_clusters(pairs, sure, view.subgraph, rules.sure)]
    lessons, model, judge = list[Lessons](), None, None
    while len(made) <= rules.rounds and still_grows(made):
        clusters = list_round(seen, made, rules.seed)
        found = _find_lessons(seen, clusters, anchors, rules.seed, most)
        lessons.append(_draw_lessons(list(found.values()), clusters, truth, rules.seed, most))
        newest = _learn([*before, *lessons], rules.seed, most)
        if newest is None:
            break
        model, judge = newest, _judge_blind(newest, truth.half[truth.person])
        made.append(make_links(seen, clusters, anchors, judge, rules.sure, found))
        step()
    return Taught(anchor_model, model, Played(seen, anchors, tuple(made), judge, rules.seed), lessons)


def _judge_blind(model: CrossFitted, half: NDArray[np.int8]) -> Judge:
    return lambda appearance, evidence: model.predict_blind(evidence, half[appearance])


def _find_lessons(
    seen: Appearances, clusters: Clusters, anchors: Anchors, seed: int, most: int
) -> dict[int, Candidates]:
    """Find the candidates of as many sub-graphs, chosen by lot, as give enough to learn from."""
    spans, lessons, found = seen.spans(), 0, dict[int, Candidates]()
    order = stream(seed, "round", clusters.merged_count).permutation(len(spans)).tolist()
    for first in range(0, len(order), _SUBGRAPHS_AT_ONCE):
        if lessons >= most:
            break
        chosen = order[first : first + _SUBGRAPHS_AT_ONCE]
        part = map_threads(lambda k: find_candidates(spans[k], seen, clusters, anchors), chosen)
        found.update(zip(chosen, part, strict=True))
        lessons += sum(one.appearance.size for one in part)
    return found


def _draw_lessons(found: list[Candidates], clusters: Clusters, truth: Truth, seed: int, most: int) -> Lessons:
    """Draw some of a round's candidates, with the answers."""
    appearance = np.concatenate([one.appearance for one in found])
    cluster, evidence = np.concatenate([one.cluster for one in found]), np.concatenate([one.evidence for one in found])
    chosen = stream(seed, "round", appearance.size).permutation(appearance.size)[:most]
    right = is_right(appearance[chosen], cluster[chosen], clusters.cluster, truth.person)
    return Lessons(evidence[chosen], right, truth.half[truth.person[appearance[chosen]]])


def _learn(lessons: list[Lessons], seed: int, most: int) -> CrossFitted | None:
    """Learn which candidates are right, from this round and those before; None where there is nothing to learn.

    Releases differ in how fast links spread: a model must know what to make of few links as well as of many.
    """
    share = most // len(lessons)
    evidence, right, half = (np.concatenate([part[:share] for part in parts]) for parts in zip(*lessons, strict=True))
    if not right.any() or right.all():
        return None
    return CrossFitted.fit(evidence, right, half, _GROWTH, seed=seed)


def is_right(appearance: I64, cluster: I32, cluster_of: I32, person: I32) -> Bools:
    """Return whether most of a cluster's other appearances are the appearance's person: the answers of training."""
    keys, counts = np.unique(cluster_of.astype(np.int64) << 32 | person, return_counts=True)
    wanted = cluster.astype(np.int64) << 32 | person[appearance]
    place = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
    own = cluster_of[appearance] == cluster
    same = np.where(keys[place] == wanted, counts[place], 0) - own
    others = np.bincount(cluster_of)[cluster] - own
    return np.asarray(2 * same > others)
