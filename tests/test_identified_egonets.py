"""The identification threat for schemes that publish many sub-graphs: names for the appearances in each of them."""

import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from tests.drawing import edge_set
from tests.test_identification import page_text
from thinveil.attacks import ForestAttack
from thinveil.auditing.audit import audit
from thinveil.auditing.draw import find_egos, learn, set_scene
from thinveil.auditing.plan import Plan
from thinveil.features.named import NameSampler
from thinveil.features.pairs import PROTOCOLS
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.agreement import AUXILIARY, Clusters, agreement_of_appearances, agreement_of_groups
from thinveil.report.files import result_json
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Release, Secret, make_scheme
from thinveil.threats import Identification

SCHEME = "d4d-2:egonets=12,min_size=60"
FEW = {"train_pairs": 1_000, "test_pairs": 500, "train_negatives": 1_000, "test_negatives": 3_000}
ORIGINAL = "identification:node_overlap=1,edge_overlap=1"


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(2_000, mean_degree=12, seed=2)


@pytest.fixture(scope="module")
def exact(graph):
    return audit(graph, SCHEME, threat=ORIGINAL, beside=("forest:trees=10",), repeats=2, seed=1, **FEW)


@pytest.fixture(scope="module")
def sides(graph):
    plan = Plan.make(SCHEME, "forest:trees=5", threat="identification:node_overlap=0.7,edge_overlap=0.8,known=5", **FEW)
    return set_scene(plan.resolved(), graph, None, Seeds(3, (0,)))


def scene(graph, **shares):
    return Identification(**shares, known=0).publish(make_scheme(SCHEME), graph, seeds=Seeds(4))


def test_the_auxiliary_graph_stands_behind_the_egonets(graph):
    both = scene(graph, node_overlap=0.6, edge_overlap=0.9)
    for release, people in ((both.training, round(0.8 * graph.node_count)), (both.attacked, graph.node_count)):
        assert len(release) == 13
        *egonets, auxiliary = release.secret
        assert auxiliary.hops is None
        assert auxiliary.people.size == round(0.8 * people)
        for public, secret in zip(release.public, [*egonets, auxiliary], strict=True):
            assert public.node_count == secret.people.size
            assert edge_set(public, secret.people) <= edge_set(both.attacked.public[-1] if people < 2_000 else graph)
        assert all((secret.hops == 0).sum() == 1 for secret in egonets)
        published = set(np.concatenate([secret.people for secret in egonets]).tolist())
        assert 0 < len(published - set(auxiliary.people.tolist())) < len(published)
    assert both.attacked.egos.tolist() == [secret.ego for secret in list(both.attacked.secret)[:-1]]


def test_with_the_original_everybody_is_in_it(graph):
    release = scene(graph, node_overlap=1, edge_overlap=1).attacked
    assert edge_set(release.public[12], release.secret[12].people) == edge_set(graph)


def test_pseudonyms_of_both_sides_say_nothing(graph):
    """Orders are drawn by lot, apart from each other."""
    *egonets, auxiliary = scene(graph, node_overlap=1, edge_overlap=1).attacked.secret
    place = np.argsort(auxiliary.people)
    for secret in egonets:
        there, size = place[secret.people], secret.people.size
        assert abs(np.corrcoef(there, np.arange(size))[0, 1]) < 4 / np.sqrt(size)


def test_every_pair_has_one_end_in_the_auxiliary_graph(sides):
    subgraph, labels, chance = sides.attacked.view.subgraph, sides.attacked.labels, np.random.default_rng(0)
    assert (labels.auxiliary, labels.has_hops, sides.categories) == (12, True, ("1-hop", "2-hop", "complete"))
    for protocol in PROTOCOLS:
        for sampler in sides.samplers.get(protocol) or sides._samplers(protocol):
            assert isinstance(sampler, NameSampler)
            drawn = [sampler.different(protocol, "complete", 500, chance), sampler.of_each_person(3, chance)]
            drawn += [sampler.identical(name, 500, chance) for name in sides.categories]
            for pairs in drawn:
                ends = np.sort([subgraph[pairs.left], subgraph[pairs.right]], axis=0)
                assert (ends[1] == 12).all()
                assert (ends[0] < 12).all()
            different, *same = drawn
            assert (labels.person[different.left] != labels.person[different.right]).all()
            assert all((labels.person[pairs.left] == labels.person[pairs.right]).all() for pairs in same)


def test_pairs_of_names_are_counted_one_by_one(sides):
    view, labels = sides.attacked.view, sides.attacked.labels
    sampler = NameSampler(view.subgraph, labels)
    named = set(labels.person[view.subgraph == 12].tolist())
    can = [k for k in np.flatnonzero(view.subgraph < 12) if labels.person[k] in named]
    far = int(labels.is_far[can].sum())
    assert [sampler.count(name) for name in ("1-hop", "1,2-hop", "2-hop", "complete")] == [
        len(can) - far, 0, far, len(can),
    ]  # fmt: skip
    assert set(sampler.linkable().tolist()) == set(labels.person[can].tolist())
    every = sampler.identical("complete", 10**6, np.random.default_rng(1))
    assert sorted(np.minimum(every.left, every.right).tolist()) == can
    each = sampler.of_each_person(10**3, np.random.default_rng(1))
    assert sorted(np.minimum(each.left, each.right).tolist()) == can
    two = sampler.of_each_person(2, np.random.default_rng(1))
    assert np.unique(labels.person[two.left], return_counts=True)[1].max() == 2
    assert sampler.mean_shared() == pytest.approx(len(can) / np.unique(view.subgraph[view.subgraph < 12]).size)
    assert sampler.mean_pairs() == pytest.approx(sampler.mean_appearances() * np.count_nonzero(view.subgraph == 12))


def test_egos_are_told_in_the_egonets_only(sides):
    egos = find_egos(sides.attacked)
    assert egos.subgraphs == 12
    assert egos.right == egos.detected > 0


def test_an_attack_learns_which_scheme_was_used(sides, monkeypatch):
    kept = []
    monkeypatch.setattr(ForestAttack, "fit", lambda self, known, *, seeds: kept.append(known))
    learn(sides.plan.attack, sides)
    assert kept[0].scheme == make_scheme(SCHEME)


def test_the_original_names_everybody_without_a_twin(exact):
    found = exact.more["identification"]
    groups = {group.group: group for group in found.groups}
    assert list(groups) == ["everybody", "more than 5 contacts", "egos", "1-hop", "2-hop"]
    for group in groups.values():
        assert group.wrong.hits == 0
        assert group.right.hits >= 0.98 * group.unique.hits
        assert group.absent == 0
    assert groups["egos"].people == 24
    assert sum(groups[name].people for name in ("egos", "1-hop", "2-hop")) == groups["everybody"].people
    assert all(verdict.accepted for verdict in found.verdicts)
    assert exact.rate("complete", 0.001).tpr > 0.9
    assert [other.attack for other in exact.beside] == ["names", "forest", "forest"]
    assert exact.categories == ("1-hop", "2-hop", "complete")


def test_the_whole_graph_may_be_the_original_too(graph):
    found = audit(graph, threat=ORIGINAL, beside=(), seed=1, **FEW).more["identification"]
    everybody = found.groups[0]
    assert everybody.wrong.value < 0.02
    assert everybody.right.value > 0.9 * everybody.unique.value


def test_a_plan_gives_the_same_digits_again(graph, exact):
    told = json.loads(result_json(exact))
    again = audit(graph, plan=Plan.from_tables(told["settings"]), threads=1)
    assert again.rates == exact.rates
    assert again.more["identification"].groups == exact.more["identification"].groups
    assert [group["group"] for group in told["identification"]["groups"]][:2] == ["everybody", "more than 5 contacts"]


def test_the_page_speaks_of_sub_graphs_and_names(exact):
    text = page_text(exact)
    for words in (
        "times that a person of the auxiliary graph with names appears in a published sub-graph",
        "A person who is in several sub-graphs counts once in each.",
        "The intervals allow for nodes of one person, or of one sub-graph, being named or missed together",
        "Prosecutor: who knows that a certain person is in a certain sub-graph and in the auxiliary graph",
        "at most one hop from the ego",
        "12 of 12 sub-graphs were cut out of this very graph, to the last edge",
    ):
        assert words in text
    for words in ("hop from both egos", "the two graphs", "count pairs of appearances as independent"):
        assert words not in text


def test_people_at_risk_are_near_by_their_sub_graphs_alone(graph, exact):
    assert exact.people is not None
    assert set(exact.people.hops.tolist()) == {1, 2}
    assert exact.people.looked.max() <= 20


@dataclass(frozen=True)
class Shuffled:
    """Real egonets, but who is who is drawn by lot."""

    name: ClassVar[str] = "shuffled"

    def describe(self):
        return "publishes egonets of nobody"

    def publish(self, graph, *, seed, avoid=()):
        real = make_scheme(SCHEME).publish(graph, seed=seed, avoid=avoid)
        rng = np.random.default_rng([seed, len(avoid)])
        secrets = [Secret(rng.permutation(secret.people), secret.hops) for secret in real.secret]
        return Release(real.public, secrets, self.name, centers=real.centers)


def test_a_shuffled_truth_is_not_found(graph):
    """What an attack finds is found by the graphs: where the truth is drawn by lot, names are right by chance."""
    found = audit(graph, Shuffled(), threat=ORIGINAL, beside=(), seed=3, **FEW).more["identification"]
    assert found.groups[0].wrong.value > 0.05
    assert found.groups[0].right.value < 0.02


def test_intervals_know_of_people_and_of_sub_graphs():
    person, group = np.tile(np.arange(30), 20), np.repeat(np.arange(20), 30)
    people, places = person < 12, group < 8
    alone = np.random.default_rng(1).random(600) < 0.4

    def independent(hits):
        return agreement_of_appearances(hits, person, group).independent(600)

    assert independent(people) < 40
    assert independent(places) < 30
    assert independent(alone) > 200
    keys = group.astype(np.int64) << 32 | AUXILIARY
    assert Clusters(person, keys).agreement(people) == agreement_of_appearances(people, person, group)
    once = agreement_of_appearances(people, np.arange(600), group)
    sums = np.bincount(group, people), np.bincount(group)
    assert once == replace(agreement_of_groups(*sums), whole=once.whole)
