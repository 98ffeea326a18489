"""One draw: publish, look, learn, attack, and count. All chance in it comes from the plan's seed and its number.

Each draw sets the threat's scene. The attacks learn from labelled pairs of what is known and score pairs of the
attacked release; labels of the latter are used for nothing but counting. All attacks get the same releases, and under
each protocol the same pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Attack, Effort, Examples, Fitted, Known, Session
from thinveil.attacks.matching import KnownNames, Names, Verdict
from thinveil.auditing.judging import judge, places_of
from thinveil.auditing.plan import Measured, Plan
from thinveil.auditing.results import HEADLINE_FPR, Egos, LinkRound
from thinveil.auditing.seeing import Seen, see
from thinveil.auditing.trials import Draw, Trial, Trials
from thinveil.errors import InputError, SampleError
from thinveil.features import Labels, Needs, View, label, observe
from thinveil.features.named import NameSampler
from thinveil.features.pairs import (
    NO_PAIRS,
    Pairs,
    PairSampler,
    Question,
    categories_of,
    classes_of,
    count_pairs,
    has_company,
)
from thinveil.graph import Graph
from thinveil.measures.agreement import AUXILIARY
from thinveil.measures.mistakes import sample_overlaps
from thinveil.measures.naming import Judged
from thinveil.measures.people import PAIRS_EACH, PeopleTable, tabulate
from thinveil.measures.rebuilt import count_links
from thinveil.runtime.arrays import check_array
from thinveil.runtime.progress import Clock, account, part, stage
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import map_threads
from thinveil.schemes import Release, detect_ego

F64 = NDArray[np.float64]
SCENE = 0.02
"""About the share of a draw that it takes to publish and to look."""


@dataclass(frozen=True, eq=False)
class Side:
    """A release as the attacker sees it; apart from it who is who, and of which appearances questions may be asked."""

    release: Release
    view: View
    labels: Labels
    admit: NDArray[np.bool_]

    @classmethod
    def of(cls, release: Release, plan: Plan, needs: Needs | None = None) -> Side:
        """Look at a release once for all attacks, and for what else ``needs`` to be seen."""
        assert release.secret is not None  # it was published by the threat
        needs = plan.needs if needs is None else plan.needs.join(needs._replace(slots=plan.needs.slots))
        view = observe(release.public, needs, min_degree=plan.sampling.min_degree)
        if not len(view):
            raise SampleError(
                f"nobody in a release has more than {plan.sampling.min_degree} contacts, and there is nobody to compare"
            )
        labels = label(release.secret, view, auxiliary=_auxiliary(release, plan))
        admit = np.ones(len(view), dtype=bool) if labels.is_merged is None else ~labels.is_merged
        return cls(release, view, labels, admit)

    def without(self, people: NDArray[np.int32]) -> Side:
        """Return the same without questions about some people."""
        admit = self.admit & ~np.isin(self.labels.person, people)
        if not admit.any():
            raise SampleError("everybody in the test release is in the training release too")
        return replace(self, admit=admit)

    def sampler(self, protocol: str) -> PairSampler:
        """Return what can be asked under a protocol."""
        subgraph = self.view.subgraph
        # a matched pair puts somebody else of the same place in a person's stead
        admit = self.admit & has_company(subgraph, self.labels) if protocol == "matched" else self.admit
        kind = PairSampler if self.labels.auxiliary is None else NameSampler
        return kind(subgraph, self.labels, admit=admit)


@dataclass(frozen=True, eq=False)
class Sides:
    """What is learned from and what is attacked; ``people`` are those known where both are one release."""

    plan: Plan
    seeds: Seeds
    known: Side
    attacked: Side
    people: NDArray[np.int32] | None = None

    @cached_property
    def samplers(self) -> dict[str, tuple[PairSampler, PairSampler]]:
        """For each protocol, what may be learned from and what is asked: the same for all attacks."""
        return {protocol: self._samplers(protocol) for protocol in {one.protocol for one in self.plan.measured}}

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of the attacked release that are asked for."""
        return tuple(name for name in categories_of(self.attacked.labels) if name in self.plan.sampling.categories)

    def examples(self, question: Question) -> Examples:
        """Draw pairs to learn from."""
        most = self.plan.sampling.train_pairs, self.plan.sampling.train_negatives
        return Examples(*self._draw(0, question, most, "training pairs"))

    def asked(self, question: Question) -> tuple[Pairs, Pairs]:
        """Draw pairs to test with."""
        most = self.plan.sampling.test_pairs, self.plan.sampling.test_negatives
        identical, different = self._draw(1, question, most, "test pairs")
        if self.people is not None:  # the release is the same: what was learned by heart must not be asked
            different = different.without(self.examples(question).different)
        return identical, different

    def told(self) -> NDArray[np.int32]:
        """Return who the appearances to learn from are, as far as the attacker knows."""
        person = self.known.labels.person
        return person if self.people is None else np.where(np.isin(person, self.people), person, -1).astype(np.int32)

    def _samplers(self, protocol: str) -> tuple[PairSampler, PairSampler]:
        attacked = self.attacked.sampler(protocol)
        if self.people is None:
            return self.known.sampler(protocol), attacked
        # pairs of the known people may be learned from, and everybody else is asked for
        return attacked.part(np.isin(self.attacked.labels.person, self.people))

    def _draw(self, side: int, question: Question, most: tuple[int, int], purpose: str) -> tuple[Pairs, Pairs]:
        sampler, chance = self.samplers[question.protocol][side], self.seeds.stream(purpose, question.category)
        if not sampler.count(question.category):
            return NO_PAIRS, NO_PAIRS
        identical = sampler.identical(question.category, most[0], chance)
        return identical, sampler.different(question.protocol, question.category, most[1], chance)


def run_draw(plan: Plan, graph: Graph, train_on: Graph | None, number: int) -> Draw:
    """Run one draw of a plan; everything in it can be pickled."""
    with Clock().running() as clock:
        with part(SCENE):
            sides = set_scene(plan, graph, train_on, Seeds(plan.seed, (number,)))
            with stage("find egos"):
                egos = find_egos(sides.attacked)
            seen = None if number else _see(plan, graph, sides.attacked.release)
        found: dict[Measured, tuple[Trial, ...]] = {}
        named: tuple[Judged | None, Verdict | None] = (None, None)
        efforts = {one.attack: efforts_of(one.attack, sides) for one in plan.measured}
        for attack, effort in efforts.items():
            with part((1 - SCENE) * sum(effort) / sum(map(sum, efforts.values()))):
                trials, session = _attack(attack, sides, effort)
                found |= trials
                named = _names(session, sides.attacked) if attack is plan.attack else named
        main, *others = (Trials(one.attack.name, one.protocol, found[one]) for one in plan.measured)
    if not main.trials:
        raise SampleError(_nothing_words(plan))
    sampler = sides.samplers[plan.sampling.protocol][1]
    sizes = sampler.mean_appearances(), sampler.mean_pairs(), sampler.mean_shared()
    return Draw(
        main.trials,
        *sizes,
        egos,
        sides.categories,
        tuple(others),
        main.rounds,
        *named,
        clock.seconds,
        clock.by_category,
        seen,
    )


def _see(plan: Plan, graph: Graph, release: Release) -> Seen:
    with stage("look without an attack"):
        return see(graph, release, auxiliary=getattr(plan.threat, "auxiliary", False))


def set_scene(plan: Plan, graph: Graph, train_on: Graph | None, seeds: Seeds, needs: Needs | None = None) -> Sides:
    """Publish what is attacked and what is learned from, and look at both."""
    with stage("publish"):
        scene = plan.threat.publish(plan.scheme, graph, seeds=seeds, train_on=train_on)
    with stage("observe"):
        if scene.training is None:
            side = Side.of(scene.attacked, plan, needs)
            return Sides(plan, seeds, side, side, _know_people(side, plan, seeds))
        known, attacked = (Side.of(release, plan, needs) for release in (scene.training, scene.attacked))
        return Sides(plan, seeds, known, attacked.without(known.labels.everybody) if plan.threat.unseen else attacked)


def _auxiliary(release: Release, plan: Plan) -> int | None:
    """Return which sub-graph is the auxiliary graph, beside several others: two graphs are only ever compared so."""
    return len(release) - 1 if getattr(plan.threat, "auxiliary", False) and len(release) > 2 else None


def efforts_of(attack: Attack, sides: Sides) -> tuple[float, float, float]:
    """Return about how long it takes to learn, to enter, and to ask all questions, against other attacks."""
    effort, questions = Effort.of(attack), len(sides.plan.questions(attack, sides.categories))
    return effort.learn + questions * effort.each, effort.enter, questions * effort.ask


def learn(attack: Attack, sides: Sides) -> tuple[Fitted, Mapping[Question, Examples]]:
    """Let an attack learn all that it will be asked, where there is anything to learn from."""
    every = {one: sides.examples(one) for one in sides.plan.questions(attack, sides.categories)}
    enough = {one: given for one, given in every.items() if given.suffice}
    # what lies there already is no scheme: to publish with it would be to look at the truth
    scheme = None if getattr(sides.plan.scheme, "is_fixed", False) else sides.plan.scheme
    known = Known(sides.known.view, sides.told(), enough, scheme)
    return attack.fit(known, seeds=sides.seeds), enough


def _names(session: Session, side: Side) -> tuple[Judged | None, Verdict | None]:
    """Put names beside the truth, where an attack gives names: the last sub-graph is the auxiliary graph."""
    names, secret = _names_of(session), side.release.secret
    if names is None or secret is None:
        return None, None
    *published, auxiliary = (secret[k] for k in range(len(secret)))
    known: KnownNames = getattr(session, "known", KnownNames())
    place = places_of(auxiliary.people, published)
    return judge(names, known, side.release.public, published, place), names.verdict


def _names_of(session: Session) -> Names | None:
    names: Names | None = getattr(session, "names", None)
    return names


def _has_failed(session: Session) -> bool:
    """Whether the attack itself says that its start failed."""
    names = _names_of(session)
    return names is not None and not names.verdict.accepted


def _attack(
    attack: Attack, sides: Sides, effort: tuple[float, float, float]
) -> tuple[dict[Measured, tuple[Trial, ...]], Session]:
    """Measure one attack under all protocols that are asked for; return its session too."""
    plan = sides.plan
    is_main = attack is plan.attack
    shares = [one / sum(effort) for one in effort]
    with account(None if is_main else "other attacks", whose=attack.name):
        with part(shares[0]):
            fitted, learned = learn(attack, sides)
        with part(shares[1]):
            session = fitted.enter(sides.attacked.view)
    found, each = {}, shares[2] / len(plan.questions(attack, sides.categories))
    for one in (one for one in plan.measured if one.attack is attack):
        with account(None if one == plan.measured[0] else "other attacks", whose=attack.name):
            questions = [Question(name, one.protocol) for name in sides.categories]
            trials = [_try(fitted, session, q, sides, each, one == plan.measured[0]) for q in questions if q in learned]
            found[one] = tuple(trial for trial in trials if trial is not None)
    return found, session


def _try(
    fitted: Fitted, session: Session, question: Question, sides: Sides, share: float, is_main: bool
) -> Trial | None:
    """Ask an attack about the pairs of one question; None where there are none."""
    attacked, seeds, category = sides.attacked, sides.seeds, question.category
    with stage("test", category, share=share):
        identical, different = sides.asked(question)
        if not len(identical) or not len(different):
            return None
        positives, negatives = _score_together(session, question, identical, different, seeds.stream("order", category))
        trial = Trial(
            category=category,
            positives=positives,
            negatives=negatives,
            distinct=different.count_distinct(),
            people=attacked.labels.person[identical.left],
            subgraphs=_subgraph_pairs(attacked, identical),
            degrees=np.minimum(attacked.view.degree[identical.left], attacked.view.degree[identical.right]),
            crowd=_crowd(attacked, identical, matched=question.protocol == "matched"),
            lesson=fitted.lesson(question),
            failed=_has_failed(session),
            shared=getattr(sides.plan.scheme, "is_fixed", False),
        )
    if category != "complete" or not is_main:
        return trial
    with stage("study mistakes"):
        tested, chance = ((identical, positives), (different, negatives)), seeds.stream("overlaps", category)
        overlaps = sample_overlaps(attacked.release, attacked.view, *tested, chance=chance)
    with stage("risk of people"):
        sampler = sides.samplers[question.protocol][1]
        table = _ask_people(session, question, attacked, sampler, trial.threshold(HEADLINE_FPR),
                            seeds.stream("people", category))  # fmt: skip
    rounds = tuple(count_rounds(session.rounds, attacked.labels.person))
    return replace(trial, overlaps=overlaps, table=table, rounds=rounds)


def count_rounds(rounds: Sequence[NDArray[np.int32]], person: NDArray[np.int32]) -> Iterator[LinkRound]:
    """Count the links of each round, and how many are right: this is all that the truth serves for."""
    for cluster in rounds:
        links, right = count_links(cluster, person)
        people, appearances = int(cluster.max(initial=-1)) + 1, int(np.count_nonzero(cluster >= 0))
        yield LinkRound(people, appearances, links, right, count_pairs(person))


def find_egos(side: Side) -> Egos:
    """Try to tell the ego of each sub-graph from the public half alone, then look at the secret."""
    if not side.labels.has_hops:
        return Egos(0, 0, 0)
    public, secret = side.release.public, side.release.secret
    assert secret is not None

    def find(k: int) -> tuple[bool, bool]:
        ego, hops = detect_ego(public[k]), secret[k].hops
        return ego is not None, bool(ego is not None and hops is not None and hops[ego] == 0)

    found = map_threads(find, [k for k in range(len(public)) if k != side.labels.auxiliary])
    return Egos(len(found), sum(detected for detected, _ in found), sum(right for _, right in found))


def _know_people(side: Side, plan: Plan, seeds: Seeds) -> NDArray[np.int32]:
    """Draw the people whom the attacker knows."""
    candidates, wanted = side.sampler(plan.sampling.protocol).linkable(), plan.threat.known or 0
    if candidates.size <= wanted:
        raise SampleError(
            f"only {candidates.size:,} people have more than {plan.sampling.min_degree} contacts in two sub-graphs, "
            f"and {wanted:,} of them would be known"
        )
    return seeds.stream("seeds").choice(candidates, size=wanted, replace=False)


def _nothing_words(plan: Plan) -> str:
    who = f"nobody with more than {plan.sampling.min_degree} contacts{' who is not in training' * plan.threat.unseen}"
    return f"{who} stands in two sub-graphs of both releases"


def _score_together(
    session: Session, question: Question, identical: Pairs, different: Pairs, chance: np.random.Generator
) -> tuple[F64, F64]:
    """Score all test pairs at once and in random order, so that an attack cannot tell which are which."""
    left = np.concatenate((identical.left, different.left))
    right = np.concatenate((identical.right, different.right))
    scores = _score_shuffled(session, question, Pairs(left, right), chance)
    return scores[: len(identical)], scores[len(identical) :]


def _score_shuffled(session: Session, question: Question, pairs: Pairs, chance: np.random.Generator) -> F64:
    order = chance.permutation(len(pairs))
    given = check_array("scores", session.score(Pairs(pairs.left[order], pairs.right[order]), question))
    if given.shape != (len(pairs),) or given.dtype.kind not in "biuf" or not np.isfinite(given).all():
        raise InputError(
            f"an attack must give each of {len(pairs)} pairs a finite score, not {given.shape} {given.dtype}"
        )
    scores = np.empty(len(pairs))
    scores[order] = given
    return scores


def _ask_people(
    session: Session, question: Question, side: Side, sampler: PairSampler, threshold: float | None,
    chance: np.random.Generator,
) -> PeopleTable | None:  # fmt: skip
    """Score some pairs of everybody who stands in two sub-graphs; None where no threshold is supported."""
    if threshold is None:
        return None
    pairs = sampler.of_each_person(PAIRS_EACH, chance)
    linked = _score_shuffled(session, question, pairs, chance) > threshold
    mine, labels = sampler.appearances, side.labels
    # in an auxiliary graph nobody is near an ego
    is_far = labels.is_far[mine] | (side.view.subgraph[mine] == labels.auxiliary) if labels.has_hops else None
    asked, subgraphs = labels.person[pairs.left], _subgraph_pairs(side, pairs)
    return tabulate(labels.person[mine], side.view.degree[mine], is_far, asked, linked, subgraphs)


def _subgraph_pairs(side: Side, pairs: Pairs) -> NDArray[np.int64]:
    """Return a number for the two sub-graphs of each pair, the same in either order."""
    number = side.view.subgraph.astype(np.int64)
    number[number == side.labels.auxiliary] = AUXILIARY
    left, right = number[pairs.left], number[pairs.right]
    return np.minimum(left, right) << 32 | np.maximum(left, right)


def _crowd(side: Side, identical: Pairs, *, matched: bool) -> float:
    """Return among how many appearances of a sub-graph a person is looked for, on average over the pairs to be found.

    People stand in large sub-graphs more often than in small ones. Under the matched protocol the rates hold for
    the hop class that the person is in.
    """
    keys = classes_of(side.view.subgraph, side.labels) if matched else side.view.subgraph
    _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    return float(sizes[group[np.concatenate((identical.left, identical.right))]].mean())
