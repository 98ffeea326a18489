"""The whole story: it repeats to the digit, it finds what is there, and it never sees the truth."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from tests.auditing import FOREST, PAIRS, SMALL, everything_held, hold_no_truth, small, without
from thinveil.attacks import Examples, ForestAttack, Known, Lesson
from thinveil.attacks.forest import ForestModel
from thinveil.auditing.audit import audit
from thinveil.auditing.draw import learn, set_scene
from thinveil.auditing.plan import Plan
from thinveil.errors import InputError, SampleError
from thinveil.features import DegreeHistogram, Needs, label, observe
from thinveil.features.pairs import CATEGORIES, Pairs, PairSampler, Question, classes_of
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import FPRS, auc, threshold_at
from thinveil.runtime.streams import Seeds
from thinveil.schemes import D4D1, D4D2, Published, Release, Secret, make_scheme
from thinveil.threats import Linkage

PAPER = {"protocol": "paper", **SMALL}
ONE, TWO = small("d4d-1"), small("d4d-2")


@pytest.fixture(scope="module")
def by_signature(town):
    return audit(town, ONE, seed=1, **{**PAPER, "attack": "signature"})


def publish_two(graph, word):
    """A release to learn from, and one to attack."""
    scheme = make_scheme(word)
    first = scheme.publish(graph, seed=3)
    return first, scheme.publish(graph, seed=3, avoid=[first])


def look(release):
    view = observe(release.public, Needs((DegreeHistogram(),)))
    return view, label(release.secret, view)


def without_seconds(result):
    return without(result.to_dict(), "seconds")


def test_the_same_seed_gives_the_same_digits_on_any_number_of_threads(town, town_audit):
    for threads in (1, 3):
        again = audit(town, ONE, seed=1, threads=threads, **PAPER)
        assert without_seconds(again) == without_seconds(town_audit)
    assert without_seconds(audit(town, ONE, seed=2, **PAPER)) != without_seconds(town_audit)


def test_the_result_has_every_category_and_rate(town_audit):
    assert [(rate.category, rate.fpr) for rate in town_audit.rates] == [(c, f) for c in CATEGORIES for f in FPRS]
    for rate in town_audit.rates:
        assert rate.negatives == 20_000
        if rate.tpr is not None:
            assert rate.low <= rate.tpr <= rate.high
            assert rate.tpr == rate.hits / rate.positives
            assert rate.draws == (rate.tpr,)
    assert set(town_audit.seconds) == {
        "publish",
        "observe",
        "find egos",
        "look without an attack",
        "train",
        "test",
        "study mistakes",
        "risk of people",
    }
    assert set(town_audit.category_seconds) == set(CATEGORIES)
    assert all(set(spent) == {"train", "test"} for spent in town_audit.category_seconds.values())
    assert set(town_audit.auc) == set(CATEGORIES)


def test_the_attack_finds_what_the_scheme_leaves(town_audit):
    assert town_audit.found_something
    assert town_audit.rate("1-hop", 0.01).tpr > 0.5
    assert town_audit.auc["complete"].mean > 0.7


def test_a_rate_that_the_negatives_cannot_support_is_not_a_number(town):
    result = audit(town, TWO, seed=1, **{**PAPER, "test_negatives": 500})
    assert result.rate("complete", 0.0001).tpr is None
    assert result.rate("complete", 0.001).tpr is None
    assert result.rate("complete", 0.01).tpr is not None


def test_guessing_is_worth_what_guessing_is_worth(town_audit):
    for rate in town_audit.baseline:
        if rate.tpr is not None and rate.fpr >= 0.01:
            assert rate.low <= rate.fpr <= rate.high


def test_repeats_pool_and_spread(town):
    result = audit(town, ONE, seed=1, repeats=3, **PAPER)
    rate = result.rate("complete", 0.1)
    assert len(rate.draws) == 3
    assert rate.mean == pytest.approx(np.mean(rate.draws))
    assert rate.sd == pytest.approx(np.std(rate.draws, ddof=1))
    assert rate.positives == 6_000
    assert len(set(result.auc["complete"].draws)) == 3
    assert (result.roc["complete"].low <= result.roc["complete"].tpr).all()


@pytest.mark.parametrize("protocol", ["paper", "uniform", "matched"])
def test_meaningless_labels_teach_nothing(town, protocol):
    """With labels that mean nothing, AUC is one half: nothing but the labels can teach the attack."""
    rng, question = np.random.default_rng(4), Question("complete", protocol)
    (view, labels), (target, secret) = (look(release) for release in publish_two(town, ONE))
    known, asked = PairSampler(view.subgraph, labels), PairSampler(target.subgraph, secret)
    examples = Examples(*(known.different(protocol, "complete", 2_000, rng) for _ in range(2)))
    model = ForestAttack(trees=100).fit(Known(view, labels.person, {question: examples}), seeds=Seeds(1))
    session = model.enter(target)
    scores = [session.score(asked.different(protocol, "complete", 10_000, rng), question) for _ in range(2)]
    assert auc(*scores) == pytest.approx(0.5, abs=4 * np.sqrt(1 / (6 * 10_000)))


@dataclass(frozen=True)
class Noise:
    """A scheme that gives nothing away: real egonets, but who is who and who is far is drawn by lot."""

    name: ClassVar[str] = "noise"

    def describe(self):
        return "publishes egonets of nobody"

    def publish(self, graph, *, seed, avoid=()):
        real = D4D1(egonets=20, min_size=60).publish(graph, seed=seed, avoid=avoid)
        rng = np.random.default_rng([seed, len(avoid)])
        return Release(real.public, [self._lie(secret, rng) for secret in real.secret], self.name, centers=real.egos)

    def _lie(self, secret, rng):
        order = rng.permutation(secret.people.size)
        # a fixed crowd of people, so that the same ones turn up in many sub-graphs
        people = rng.permutation(20_000)[: order.size].astype(np.int32)
        return Secret(people, secret.hops[order])


def test_noise_is_not_found_under_the_matched_protocol(town):
    """No sampler may give the answer away: where the truth is drawn by lot, there is nothing to find."""
    result = audit(town, Noise(), protocol="matched", seed=1, repeats=4, **SMALL)
    assert not result.found_something
    rate = result.rate("complete", 0.1)
    assert rate.positives > 400
    assert result.auc["complete"].mean == pytest.approx(0.5, abs=4 * np.sqrt(1 / (12 * rate.positives)) + 0.01)


def test_permuted_node_numbers_give_rates_of_the_same_size(town):
    order = np.random.default_rng(5).permutation(town.node_count)
    source = np.repeat(np.arange(town.node_count), town.degrees)
    permuted = Graph.from_edges(order[source], order[town.indices])
    quick = {**PAPER, "categories": ("complete",), "test_negatives": 2_000}
    areas = [[audit(g, ONE, seed=seed, **quick).auc["complete"].mean for seed in range(4)] for g in (town, permuted)]
    spread = np.std(np.concatenate(areas), ddof=1)
    assert np.mean(areas[0]) == pytest.approx(np.mean(areas[1]), abs=4 * spread / np.sqrt(2))


def test_the_attack_holds_no_reference_to_the_truth(town):
    (view, labels), (target, secret) = (look(release) for release in publish_two(town, "d4d-2:egonets=10,min_size=60"))
    sampler, rng, question = PairSampler(view.subgraph, labels), np.random.default_rng(1), Question()
    pairs = sampler.identical("complete", 500, rng), sampler.different("matched", "complete", 500, rng)
    known = Known(view, labels.person, {question: Examples(*pairs)})
    attack = ForestAttack(trees=5)
    model = attack.fit(known, seeds=Seeds(1))
    session = model.enter(target)
    session.score(pairs[0], question)
    session.links()
    assert hold_no_truth(everything_held(attack, model, session, model.pack(), view, target), [labels, secret])


def test_unseen_people_only(town):
    plan = Plan.make(ONE, FOREST, threat="linkage:unseen=yes", protocol="paper", **PAIRS).resolved()
    sides = set_scene(plan, town, None, Seeds(3, (0,)))
    seen = {int(person) for secret in sides.known.release.secret for person in secret.people}
    person, sampler, rng = sides.attacked.labels.person, sides.samplers["paper"][1], np.random.default_rng(1)
    every = sampler.identical("complete", 10**6, rng), sampler.different("paper", "complete", 10_000, rng)
    for pairs in (*every, *sides.asked(Question("complete", "paper"))):
        assert len(pairs) > 0
        for appearances in (pairs.left, pairs.right):
            assert seen.isdisjoint(person[appearances].tolist())


def test_what_is_learned_from_is_published_around_other_people(town):
    scheme, seeds, other = D4D2(egonets=12, min_size=60), Seeds(3, (0,)), synthetic_graph(3000, seed=5)
    scene = Linkage().publish(scheme, town, seeds=seeds)
    assert set(scene.training.egos.tolist()).isdisjoint(scene.attacked.egos.tolist())
    # who knows a few people needs no release of his own, and attacks the first that there is
    known = Linkage(known=5).publish(scheme, town, seeds=seeds)
    assert known.training is None
    assert known.attacked.egos.tolist() == scene.training.egos.tolist()
    elsewhere = Linkage().publish(scheme, town, seeds=seeds, train_on=other)
    assert elsewhere.attacked.egos.tolist() == known.attacked.egos.tolist()
    assert elsewhere.training.egos.tolist() == scheme.publish(other, seed=seeds("training release")).egos.tolist()


def test_all_attacks_are_asked_about_the_same_pairs(town):
    plan = Plan.make(ONE, FOREST, beside=("signature",), protocol="uniform", **PAIRS).resolved()
    sides = set_scene(plan, town, None, Seeds(3, (0,)))
    for question in plan.questions(plan.beside[0], ("1-hop", "complete")):
        for draw in (sides.asked, sides.examples):
            for one, two in zip(draw(question), draw(question), strict=True):
                assert (one.left == two.left).all()
                assert (one.right == two.right).all()
    assert (sides.told() == sides.known.labels.person).all()
    assert sides.known.view is not sides.attacked.view


def test_a_black_box_scheme_is_taken_as_it_is(town):
    @dataclass(frozen=True)
    class Mine:
        name: ClassVar[str] = "mine"

        def describe(self):
            return "publishes what it likes"

        def publish(self, graph, *, seed, avoid=()):
            return D4D2(egonets=12, min_size=60).publish(graph, seed=seed, avoid=avoid)

    result = audit(town, Mine(), **PAPER)
    assert result.plan.scheme == Mine()
    assert result.to_dict()["settings"]["scheme"] == {"name": "mine"}
    assert result.rates == audit(town, D4D2(egonets=12, min_size=60), **PAPER).rates


def test_the_signature_attack_in_an_audit(by_signature):
    assert by_signature.rate("1-hop", 0.1).tpr == 1
    assert by_signature.rate("2-hop", 0.1).tpr < 0.9
    assert by_signature.lesson == Lesson()


def test_training_on_another_graph(town, town_audit):
    other = synthetic_graph(4000, mean_degree=9, seed=77)
    result = audit(town, ONE, train_on=other, seed=1, **PAPER)
    assert (result.trained_on.nodes, result.graph.nodes) == (4000, 5000)
    assert result.auc["complete"].mean > 0.6
    assert result.to_dict()["trained_on"]["digest"] == other.digest()
    assert town_audit.trained_on is None


@pytest.mark.parametrize("protocol", ["uniform", "matched"])
def test_worth_of_a_link_is_what_a_search_gives(town, protocol):
    """Look for people in the sub-graphs in which they are, one by one, and count the wrong links."""
    plan = Plan.make(ONE, FOREST, protocol=protocol, categories=("complete",), seed=1, **PAIRS).resolved()
    sides, question = set_scene(plan, town, None, Seeds(1, (0,))), Question("complete", protocol)
    asked = sides.attacked
    session = learn(plan.attack, sides)[0].enter(asked.view)
    limit = threshold_at(session.score(sides.asked(question)[1], question), 0.01)

    classes = classes_of(asked.view.subgraph, asked.labels) if protocol == "matched" else asked.view.subgraph
    pairs = sides.samplers[protocol][1].identical("complete", 300, np.random.default_rng(2))
    wrong = []
    for p, q in zip(pairs.left, pairs.right, strict=True):
        crowd = np.flatnonzero(classes == classes[q])
        scores = session.score(Pairs(np.full(crowd.size, p), crowd), question)
        wrong.append(((scores > limit) & (crowd != q)).sum())
    told = audit(town, plan=plan)
    mine = next(w for w in told.worth if (w.task, w.category, w.fpr) == ("one person", "complete", 0.01))
    crowd_is_like_the_negatives = protocol == "matched"  # under the others it is harder, and the page says so
    assert mine.wrong == pytest.approx(np.mean(wrong), rel=0.35 if crowd_is_like_the_negatives else 0.9)
    assert mine.right == told.rate("complete", 0.01).tpr
    assert mine.precision == pytest.approx(mine.right / (mine.right + mine.wrong))


def test_false_positives_are_counted(by_signature):
    for rate in by_signature.rates:
        assert rate.false_positives <= rate.fpr * rate.negatives + 1e-9
    assert by_signature.rate("1-hop", 0.25).false_positives < 0.05 * 20_000  # few pass, whatever is allowed
    assert any(w.task == "two sub-graphs" for w in by_signature.worth)


def test_mistakes_are_those_of_the_rates(town, town_audit, monkeypatch):
    rate, risks = town_audit.rate("complete", 0.01), town_audit.by_overlap
    assert sum(risk.positives for risk in risks) == rate.positives == 2_000  # fewer than would be sampled
    assert sum(risk.negatives for risk in risks) == 5_000
    assert town_audit.to_dict()["by_overlap"][-1]["lowest"] == risks[-1].lowest
    monkeypatch.setattr("thinveil.measures.mistakes._SMALLEST_GROUP", 1)
    every = audit(town, ONE, seed=1, **{**PAPER, "test_negatives": 4_000})
    rate = every.rate("complete", 0.01)
    assert sum(risk.hits for risk in every.by_overlap) == rate.hits
    assert sum(risk.false_positives for risk in every.by_overlap) == rate.false_positives


def test_no_threshold_no_mistakes(town):
    assert audit(town, ONE, seed=1, **{**PAPER, "test_negatives": 90}).by_overlap == ()


@dataclass(frozen=True)
class Halves:
    """A scheme without egos: two large sub-graphs with people in common."""

    name: ClassVar[str] = "halves"

    def describe(self):
        return "publishes two halves"

    def publish(self, graph, *, seed, avoid=()):
        rng = np.random.default_rng([seed, len(avoid)])
        return Release.of([self._cut(graph, rng) for _ in range(2)], scheme=self.name, graph=graph)

    def _cut(self, graph, rng):
        people = rng.permutation(graph.node_count)[: graph.node_count // 2]
        name = np.full(graph.node_count, -1)
        name[people] = np.arange(people.size)
        source, target = name[np.repeat(np.arange(graph.node_count), graph.degrees)], name[graph.indices]
        keep = (source >= 0) & (target >= 0)
        public = Graph.from_edges(source[keep], target[keep], node_count=people.size)
        return Published(public, Secret(people.astype(np.int32)))


def test_mistakes_of_a_scheme_without_egos(town):
    result = audit(town, Halves(), seed=1, **PAPER)
    assert result.categories == ("complete",)
    assert result.egos.subgraphs == 0
    assert sum(risk.negatives for risk in result.by_overlap) == 5_000
    assert result.by_overlap[0].positives == 0  # one person shares at least that person


def test_people_count_once_each(town_audit):
    rate = town_audit.rate("complete", 0.1)
    assert 0 < rate.per_person < 1
    assert rate.per_person != rate.tpr


def test_an_attack_cannot_tell_which_pairs_are_which(town, monkeypatch):
    calls = []
    score = ForestModel.score

    def spy(self, view, pairs, question):
        calls.append(len(pairs))
        return score(self, view, pairs, question)

    monkeypatch.setattr(ForestModel, "score", spy)
    result = audit(town, ONE, seed=1, **PAPER)
    *tests, people = calls
    assert tests == [result.rate(category).positives + 20_000 for category in CATEGORIES]
    assert people == result.people.looked.sum(), "each person's pairs are asked apart, at a threshold already set"


def test_the_same_graph_is_no_other_graph(town):
    with pytest.raises(InputError, match="would learn from the graph that it attacks"):
        audit(town, ONE, train_on=town, **SMALL)
    with pytest.raises(InputError, match="unseen people"):
        audit(town, ONE, train_on=synthetic_graph(3000, seed=5), threat="linkage:unseen=yes", **SMALL)


def test_a_schemes_own_settings_are_told(town):
    result = audit(town, D4D2(egonets=12, min_size=40), **PAPER)
    assert result.plan.scheme == D4D2(egonets=12, min_size=40)
    assert result.to_dict()["settings"]["scheme"] == {"name": "d4d-2", "egonets": 12, "min_size": 40, "most_nodes": 0}


def test_an_unknown_rate_is_named(town_audit):
    with pytest.raises(InputError, match=r"no rate of category 'complete' at FPR 0\.5"):
        town_audit.rate("complete", 0.5)


def test_people_may_be_given(town):
    result = audit(town, ONE, seed=1, people=1000, **PAPER)
    assert {w.people for w in result.worth if w.task == "one person"} == {1000}


def test_progress_ends_at_the_total(town):
    steps = []
    audit(town, TWO, on_progress=lambda stage, done, total: steps.append((done, total)), **PAPER)
    assert steps[-1][0] == steps[-1][1]
    assert all(done <= total for done, total in steps)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"scheme": "d4d-9"}, InputError, "unknown scheme 'd4d-9': did you mean 'd4d-.'. known are d4d-1, d4d-2"),
        ({"protocol": "best"}, InputError, "protocol = best: choose one of paper, uniform, matched"),
        ({"attack": "guess"}, InputError, "unknown attack 'guess': known are strong, forest, signature"),
        ({"leaves": 3}, InputError, "unknown setting 'leaves'"),
        ({"egonets": 3}, InputError, "unknown setting 'egonets'"),
        ({"scheme": "d4d-1:min_size=4999"}, SampleError, "give --scheme d4d-"),
        ({"scheme": "pseudonyms"}, InputError, "publishes 1 sub-graph, and linkage is between two or more"),
        ({"threat": "linkage:known=100000"}, SampleError, "100,000 of them would be known: give --"),
        ({"engine": "cloud"}, InputError, "unknown engine 'cloud'"),
        ({"threads": 0}, InputError, "threads = 0: give 1 or more"),
        ({"seed": -1}, InputError, "seed -1 is not allowed"),
    ],
)
def test_bad_settings_get_one_clear_line(town, changes, error, message):
    with pytest.raises(error, match=message) as caught:
        audit(town, **{"scheme": ONE, **SMALL, **changes})
    assert "\n" not in str(caught.value)


def test_a_graph_without_common_people_has_no_pairs():
    rings = [(ring * 50 + k, ring * 50 + (k + 1) % 50) for ring in range(40) for k in range(50)]
    ring = Graph.from_edges(*np.array(rings).T)
    with pytest.raises(SampleError, match="nobody with more than 1 contacts stands in two sub-graphs"):
        audit(ring, "d4d-1:egonets=2,min_size=3", min_degree=1, **SMALL)


def test_epinions_scheme_2_is_near_the_paper(data_dir):
    graph = read_graph(data_dir / "soc-Epinions1.txt.gz")
    result = audit(graph, "d4d-2", attack="forest", protocol="paper", seed=1, test_negatives=20_000)
    assert 0.2 < result.rate("2-hop", 0.01).tpr < 0.75  # the paper: 0.477; single draws of egos differ widely
    assert 0.55 < result.rate("1-hop", 0.01).tpr < 0.97  # the paper: 0.829
