"""The identification threat: a release, and an auxiliary graph with as many people and edges in common as asked for."""

import html
import re
from dataclasses import dataclass, replace
from typing import ClassVar

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from tests.drawing import edge_set, few, from_networkx, from_pairs, graphs, rows_of
from tests.naive import overlap as naive
from thinveil.attacks import Examples, ForestAttack
from thinveil.attacks.forest import ForestModel
from thinveil.auditing.audit import audit
from thinveil.auditing.draw import set_scene
from thinveil.auditing.plan import Plan
from thinveil.errors import InputError, SampleError
from thinveil.features.pairs import PROTOCOLS, Pairs
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.keys import Key
from thinveil.runtime.parameters import show_value
from thinveil.runtime.streams import Seeds
from thinveil.schemes import D4D1, Pseudonyms, Release, Secret, read_release, seal, write_release
from thinveil.threats import THREATS, Identification, Linkage, make_threat
from thinveil.threats.identification import thin

FOREST = "forest:trees=30"
FEW = {"train_negatives": 2_000, "test_negatives": 5_000}
SMALL = {"attack": FOREST, "protocol": "paper", **FEW}
NEAR = "identification:edge_overlap=0.75"

shares = st.floats(0, 1, exclude_min=True)


def draw(graph, node_overlap=0.25, edge_overlap=0.25, seed=0):
    """What is attacked: the published graph, and the auxiliary one."""
    return scene(graph, node_overlap, edge_overlap, seed, known=1).attacked


def scene(graph, node_overlap, edge_overlap, seed, known):
    threat = Identification(node_overlap, edge_overlap, known=known)
    return threat.publish(Pseudonyms(), graph, seeds=Seeds(seed))


def people(secret):
    return set(secret.people.tolist())


def sides_of(release):
    return list(zip(release.public, release.secret, strict=True))


def jaccard(one, two):
    return len(one & two) / len(one | two)


@pytest.fixture(scope="module")
def dense():
    """A random graph with enough edges to make shares of them sharp."""
    return from_networkx(nx.gnm_random_graph(400, 6_000, seed=3))


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(2_000, mean_degree=30, seed=2)


@pytest.fixture(scope="module")
def result(graph):
    return audit(graph, threat=NEAR, repeats=2, seed=1, **SMALL)


@few
@given(graphs(), st.data(), st.integers(0, 2**63 - 1))
def test_thinning_equals_its_plain_twin(graph, data, key):
    deleted = data.draw(st.sampled_from([0, 0.25, 0.5, 1]))
    members = data.draw(st.permutations(range(graph.node_count)))[: data.draw(st.integers(0, graph.node_count))]
    place = np.full(graph.node_count, -1, dtype=np.int32)
    place[members] = np.arange(len(members))
    comp = thin(graph, np.array(members, dtype=np.int32), deleted, key)
    ref = naive.thinned_rows(rows_of(graph), place.tolist(), len(members), key, int(deleted * 2**53))
    assert (comp.indptr.tolist(), comp.indices.tolist()) == ref


@few
@given(graphs(), shares, shares, st.integers(0, 2**62))
def test_any_graph_gives_two_thinned_parts(graph, node_overlap, edge_overlap, seed):
    release = draw(graph, node_overlap, edge_overlap, seed)
    one, two = map(people, release.secret)
    assert len(release) == 2
    assert one | two == set(range(graph.node_count))
    assert len(one & two) == round(node_overlap * graph.node_count)
    assert abs(len(one) - len(two)) <= 1
    whole = edge_set(graph)
    for public, secret in sides_of(release):
        assert secret.hops is None
        assert public.node_count == secret.people.size
        assert edge_set(public, secret.people) <= whole
        source = np.repeat(np.arange(public.node_count), public.degrees)
        rebuilt = Graph.from_edges(source, public.indices, node_count=public.node_count)
        assert public.digest() == rebuilt.digest()


@few
@given(graphs(), shares)
def test_a_full_edge_overlap_keeps_every_edge_among_the_members(graph, node_overlap):
    for public, secret in sides_of(draw(graph, node_overlap, 1.0)):
        mine = people(secret)
        assert edge_set(public, secret.people) == {e for e in edge_set(graph) if e <= mine}


@pytest.mark.parametrize(
    ("node_overlap", "edge_overlap"), [(0.25, 0.25), (0.25, 1.0), (0.5, 0.5), (1.0, 0.1), (1.0, 1.0)]
)
def test_overlaps_come_out_as_asked(dense, node_overlap, edge_overlap):
    found, draws = [], 4
    for seed in range(draws):
        release = draw(dense, node_overlap, edge_overlap, seed)
        one, two = map(people, release.secret)
        assert jaccard(one, two) == pytest.approx(node_overlap, abs=1e-9)
        sides = [{e for e in edge_set(public, secret.people) if e <= one & two} for public, secret in sides_of(release)]
        found.append(jaccard(*sides))
    # 4 standard errors; the smallest union of edges among the shared people has more than 200
    spread = np.sqrt(edge_overlap * (1 - edge_overlap) / 200 / draws)
    assert np.mean(found) == pytest.approx(edge_overlap, abs=4 * spread)


def test_edges_are_deleted_from_each_copy_on_its_own(dense):
    kept = [edge_set(public, secret.people) for public, secret in sides_of(draw(dense, 1.0, 0.25, seed=1))]
    share = 1 - 0.75 / 1.25
    for edges in kept:
        assert len(edges) / dense.edge_count == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 6_000))
    assert len(kept[0] & kept[1]) / dense.edge_count == pytest.approx(share**2, abs=0.02)


def test_pseudonyms_say_nothing(dense):
    one, two = draw(dense, 0.5, 0.5, seed=2).secret
    for secret in (one, two):
        hidden = secret.people
        assert abs(spearmanr(hidden, np.arange(hidden.size)).statistic) < 4 / np.sqrt(hidden.size)
    _, here, there = np.intersect1d(one.people, two.people, return_indices=True)
    assert abs(spearmanr(here, there).statistic) < 4 / np.sqrt(here.size)


def test_pseudonyms_are_no_order_of_the_groups(dense):
    """Those who are in both graphs stand anywhere among the others."""
    one, two = draw(dense, seed=2).secret
    in_both = np.isin(one.people, two.people)
    spread = in_both.size / np.sqrt(12 * in_both.sum())
    assert np.flatnonzero(in_both).mean() == pytest.approx(in_both.size / 2, abs=4 * spread)


def test_the_seed_decides_and_releases_differ(dense):
    def digests(seed, known=0):
        both = scene(dense, 0.25, 0.25, seed, known)
        return [public.digest() for one in (both.training, both.attacked) if one for public in one.public]

    assert digests(1) == digests(1)
    assert len({*digests(1), *digests(2)}) == 8
    assert digests(1)[2:] == digests(1, known=5)


@pytest.mark.parametrize("scheme", [Pseudonyms(), D4D1(egonets=5, min_size=150)], ids=lambda one: one.name)
def test_examples_are_made_of_the_auxiliary_graph_alone(dense, scheme):
    found = Identification(0.5, 0.5, known=0).publish(scheme, dense, seeds=Seeds(3))
    held = edge_set(found.attacked.public[-1])  # numbered as the auxiliary graph, not as the audited one
    for public, secret in sides_of(found.training):
        shown = edge_set(public, secret.people)
        assert shown
        assert shown <= held


@dataclass(frozen=True)
class Picky(Pseudonyms):
    """A scheme that refuses small graphs."""

    def publish(self, graph, *, seed, avoid=()):
        if graph.node_count < 250:
            raise SampleError("too small")
        return super().publish(graph, seed=seed, avoid=avoid)


def test_a_scheme_that_refuses_the_attackers_graph_is_no_reason_to_refuse_the_audit(dense):
    found = Identification(0.5, 0.5, known=0).publish(Picky(), dense, seeds=Seeds(3))
    assert [public.node_count for public in found.attacked.public] == [300, 300]
    assert [public.node_count for public in found.training.public] == [225, 225]


def test_relabelling_the_people_changes_no_count():
    star = from_pairs([(0, leaf) for leaf in range(1, 400)])
    turned = from_pairs([(399, leaf) for leaf in range(399)])
    edges, again = (
        [sum(public.edge_count for public in draw(one, 1.0, 0.5, seed).public) for seed in range(20)]
        for one in (star, turned)
    )
    assert np.mean(edges) == pytest.approx(np.mean(again), rel=0.02)
    assert np.mean(edges) == pytest.approx(2 * 399 * 2 / 3, rel=0.02)


@pytest.mark.parametrize("nodes", [0, 1, 2, 3])
def test_tiny_graphs(nodes):
    release = draw(Graph.from_edges([], [], node_count=nodes), 0.5, 0.5)
    assert set().union(*map(people, release.secret)) == set(range(nodes))


@pytest.mark.parametrize("value", [0, -0.1, 1.01, float("nan"), True, "0.5"])
@pytest.mark.parametrize("name", ["node_overlap", "edge_overlap"])
def test_shares_out_of_range_are_named(name, value):
    shown = show_value(value)
    with pytest.raises(InputError, match=f"identification: {name} = {shown}: give a number"):
        Identification(**{name: value})


def test_the_threat_by_name():
    threat = make_threat("identification:edge_overlap=0.5")
    assert threat == Identification(node_overlap=0.25, edge_overlap=0.5)
    assert THREATS.table(threat) == {"name": "identification", "node_overlap": 0.25, "edge_overlap": 0.5}
    assert THREATS.make(THREATS.table(threat)) == threat
    with pytest.raises(InputError, match=r"no parameter is called 'egonets': .*node_overlap, edge_overlap, known"):
        make_threat("identification:egonets=5")
    assert "25% are in both graphs" in threat.describe()
    assert "50% are in both" in threat.describe()


def test_a_release_goes_to_disk_and_back(dense, tmp_path):
    release = seal(draw(dense, seed=4), Key.of_seed(4))  # it puts the sub-graphs into another order
    write_release(release, tmp_path / "out", tmp_path / "truth")
    again = read_release(tmp_path / "out", tmp_path / "truth")
    assert (again.scheme, len(again)) == ("pseudonyms", 2)
    for (public, secret), (read, told) in zip(sides_of(release), sides_of(again), strict=True):
        assert edge_set(read, again.names[told.people]) == edge_set(public, secret.people)
        assert told.hops is None


# the threat in an audit: learning from known people, and what is told of a release without egos


@pytest.fixture
def lessons(monkeypatch):
    """Keep what attacks are given, and give it to them."""
    kept, fit, score = [], ForestAttack.fit, ForestModel.score

    def spy_fit(self, known, *, seeds):
        (examples,) = known.examples.values()
        kept.append((known.view, *examples))
        return fit(self, known, seeds=seeds)

    def spy_score(self, view, pairs, question):
        kept.append((view, pairs))
        return score(self, view, pairs, question)

    monkeypatch.setattr(ForestAttack, "fit", spy_fit)
    monkeypatch.setattr(ForestModel, "score", spy_score)
    return kept


def keys(pairs):
    return {frozenset(pair) for pair in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)}


def test_people_are_found_again(result):
    assert result.found_something
    assert result.categories == ("complete",)
    assert result.auc["complete"].mean > 0.65
    assert result.egos.subgraphs == 0


def test_the_same_seed_gives_the_same_digits(graph, result):
    again = audit(graph, threat=NEAR, repeats=2, seed=1, threads=1, **SMALL)
    assert again.rates == result.rates
    things = {**SMALL, "attack": ForestAttack(trees=30)}
    told = audit(graph, Pseudonyms(), threat=Identification(0.25, 0.75), repeats=2, seed=1, **things)
    assert told.rates == result.rates


def test_the_plan_shows_what_the_threat_decided(graph, result):
    told = result.to_dict()["settings"]
    assert told["threat"] == {"name": "identification", "node_overlap": 0.25, "edge_overlap": 0.75, "known": 50}
    assert told["attack"]["features"] == ["degrees", "two-hop"]
    assert told["scheme"] == {"name": "pseudonyms"}
    assert audit(graph, plan=Plan.from_tables(told)).rates == result.rates


@pytest.mark.parametrize(
    ("scheme", "threat"),
    [(Pseudonyms(), Identification(known=50)), (D4D1(egonets=12, min_size=60), Linkage(known=30))],
)
def test_the_attack_gets_the_known_peoples_pairs_only(graph, scheme, threat):
    for protocol in PROTOCOLS:
        plan = Plan.make(scheme, FOREST, threat=threat, protocol=protocol, **FEW).resolved()
        sides = set_scene(plan, graph, None, Seeds(3, (0,)))
        assert sides.known is sides.attacked
        person, chance = sides.known.labels.person, np.random.default_rng(0)
        known, asked = sides.samplers[protocol]
        learned, tested = (side.identical("complete", 10**6, chance) for side in (known, asked))
        mine = set(person[learned.left].tolist())
        assert len(mine) == threat.known
        assert (person[learned.left] == person[learned.right]).all()
        assert mine.isdisjoint(person[tested.left].tolist())
        assert set(sides.told().tolist()) == mine | {-1}
        others = asked.different(protocol, "complete", 5_000, chance)
        assert mine.isdisjoint(person[np.append(others.left, others.right)].tolist())
        strangers = known.different(protocol, "complete", 5_000, chance)
        assert (person[strangers.left] != person[strangers.right]).all()
        # two random appearances are two people, near enough; where somebody else is, is known of the known only
        alone = ~np.isin(person[strangers.left], list(mine)) & ~np.isin(person[strangers.right], list(mine))
        assert alone.any() == (protocol != "matched")


def test_what_was_learned_is_not_asked(graph, lessons):
    audit(graph, threat="identification:known=20", seed=1, **SMALL)
    (view, identical, different), (target, asked), (again, each) = lessons
    assert target is again is view
    assert len(identical) == 20
    assert len(different) == SMALL["train_negatives"]
    learned = keys(identical) | keys(different)
    assert not learned & keys(asked)
    known = set(identical.left.tolist()) | set(identical.right.tolist())
    for pairs in (asked, each):
        assert known.isdisjoint(pairs.left.tolist() + pairs.right.tolist())


def test_known_people_are_drawn_unconditionally(graph):
    """Everybody who can be named is as likely as anybody else: degrees of known people are those of all."""
    plan, degrees = Plan.make(threat="identification", attack="forest", **FEW).resolved(), ([], [])
    for number in range(6):
        sides = set_scene(plan, graph, None, Seeds(5, (number,)))
        for sampler, kept in zip(sides.samplers["matched"], degrees, strict=True):
            kept.extend(sides.known.view.degree[sampler.identical("complete", 10**6, np.random.default_rng(1)).left])
    known, others = degrees
    assert np.mean(known) == pytest.approx(np.mean(others), abs=4 * np.std(others) / np.sqrt(len(known)))


def test_nobody_known_means_copies_of_the_auxiliary_graph_or_another_graph(graph, lessons):
    audit(graph, threat=f"{NEAR},known=0", seed=1, **SMALL)
    other = synthetic_graph(1_500, mean_degree=30, seed=7)
    result = audit(graph, threat="identification", train_on=other, seed=1, **SMALL)
    assert result.plan.threat.known == 0
    for (view, identical, _), (target, _), _ in (lessons[:3], lessons[3:]):
        assert view is not target
        assert len(identical) > 100  # everybody's pairs


@dataclass(frozen=True)
class Noise:
    """The real graph, but who is who is drawn by lot."""

    name: ClassVar[str] = "noise"

    def describe(self):
        return "publishes the graph of nobody"

    def publish(self, graph, *, seed, avoid=()):
        real = Pseudonyms().publish(graph, seed=seed, avoid=avoid)
        rng = np.random.default_rng([seed, len(avoid)])
        return Release(real.public, [Secret(rng.permutation(secret.people)) for secret in real.secret], self.name)


def test_noise_is_not_found(graph):
    """Where the truth is drawn by lot the known people teach nothing, and there is nothing to find."""
    honest = {**SMALL, "protocol": "matched"}
    result = audit(graph, Noise(), threat=Identification(0.5, 1.0), seed=1, repeats=8, **honest)
    area = result.auc["complete"]
    assert area.mean == pytest.approx(0.5, abs=4 * area.sd / np.sqrt(8))
    assert area.sd < 0.06
    assert not result.found_something


def test_known_people_with_permuted_partners_teach_nothing(graph, monkeypatch):
    fit, rng = ForestAttack.fit, np.random.default_rng(3)

    def mislead(self, known, *, seeds):
        examples = {}
        for question, (identical, different) in known.examples.items():
            sides = np.sort(np.stack((identical.left, identical.right)), axis=0)  # one appearance per graph
            examples[question] = Examples(Pairs(sides[0], rng.permutation(sides[1])), different)
        return fit(self, replace(known, examples=examples), seeds=seeds)

    full = {**SMALL, "protocol": "matched", "threat": "identification:edge_overlap=1", "seed": 1, "repeats": 8}
    honest = audit(graph, **full)
    monkeypatch.setattr(ForestAttack, "fit", mislead)
    area = audit(graph, **full).auc["complete"]
    assert area.mean == pytest.approx(0.5, abs=4 * area.sd / np.sqrt(8))
    assert honest.auc["complete"].mean > 0.5 + 4 * area.sd


@pytest.mark.parametrize(
    ("scheme", "threat", "error", "message"),
    [
        (None, "identification:known=10000", SampleError, "10,000 of them would be known: give --"),
        (None, "identification:unseen=yes", InputError, "identification: no parameter is called 'unseen'"),
        (None, "identification:known=-1", InputError, "known = -1: give a whole number from 0"),
        (None, "identification:node_overlap=0", InputError, "node_overlap = 0.0: give a number above 0 and up to 1"),
        (None, "identification:edge_overlap=1.5", InputError, "edge_overlap = 1.5: give a number above 0 and up to 1"),
        ("pseudonyms:egonets=5", "identification", InputError, "pseudonyms: no parameter is called 'egonets'"),
        ("d4d-1:edge_overlap=1", "linkage", InputError, "d4d-1: no parameter is called 'edge_overlap'"),
        ("d4d-1:egonets=3,min_size=9000", "identification", SampleError, "have a 2-hop egonet of more than 9,000"),
        ("d4d-1:egonets=3,min_size=60", "identification:known=9999", SampleError, "9,999 of them would be known"),
        ("pseudonyms", "linkage", InputError, "scheme pseudonyms publishes 1 sub-graph, and linkage is between two"),
        ("pseudonyms", "linkage:known=5", InputError, "scheme pseudonyms publishes 1 sub-graph, and linkage is"),
        ("overlap", None, InputError, "unknown scheme 'overlap'"),
    ],
)
def test_what_does_not_fit_gets_one_clear_line(graph, scheme, threat, error, message):
    with pytest.raises(error, match=message) as caught:
        audit(graph, scheme, threat=threat, **SMALL)
    assert "\n" not in str(caught.value)


def test_known_people_and_another_graph_exclude_each_other(graph):
    with pytest.raises(InputError, match="known = 5 are people of the attacked graph: leave --train-on out, or known"):
        audit(graph, threat="identification:known=5", train_on=synthetic_graph(500, seed=3))


def page_text(result):
    """The words of the page, without tags, styles and repeated spaces."""
    from thinveil.report.page import build_page

    page = re.sub(r"(?s)<(style|script|svg)\b.*?</\1>", " ", build_page(result))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_the_page_speaks_of_two_graphs_without_egos(result):
    text = page_text(result)
    assert "egos" not in text.split()
    assert "ego" not in text.split()
    assert result.plan.threat.describe() in text
    for words in ("25% are in both graphs", "50 people", "people within two hops with"):
        assert words in text
    for name in ("node_overlap", "edge_overlap", "known"):
        assert name in text
    assert not {"egonets", "min_size"} & set(text.split())


def test_the_page_says_from_whom_was_learned(graph):
    second = page_text(audit(graph, threat="identification:known=0", seed=1, **SMALL))
    assert "two noisy copies of the auxiliary graph, one of them put through the scheme" in second
    known = audit(graph, "d4d-1:egonets=12,min_size=60", threat="linkage:known=30", seed=1, **SMALL)
    told = page_text(known)
    assert "30 people" in told
    assert "egonets" in told.split()
    assert "node_overlap" not in told
