"""The strong attack: what it compares, what it may know, and what it finds."""

from dataclasses import dataclass
from typing import ClassVar

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.auditing import everything_held, hold_no_truth
from tests.drawing import few, from_networkx, graphs, rows_of
from tests.naive import surroundings as naive
from thinveil.attacks import Examples, ForestAttack, Known, StrongAttack
from thinveil.attacks.collective.columns import WORDS
from thinveil.auditing.audit import audit
from thinveil.errors import InputError
from thinveil.features import Surroundings, label, observe
from thinveil.features.channels.inner import find_inner
from thinveil.features.channels.surroundings import INNER_DEGREES, OUTER_DEGREES, SHARED, STANDING
from thinveil.features.comparison import Seen
from thinveil.features.pairs import Pairs, PairSampler, Question
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import auc
from thinveil.runtime.streams import Seeds
from thinveil.schemes import D4D1, Published, Release, Secret, make_scheme

ASKED = Question()
EGONETS = "d4d-2:egonets=20,min_size=60"


@few
@given(graphs())
def test_inner_nodes_equal_plain_twin(graph):
    rows, inner = rows_of(graph), find_inner(graph)
    possible = naive.inner_sets(rows)
    assert set(np.flatnonzero(inner).tolist()) in possible


def test_inner_nodes_of_known_graphs():
    star = from_networkx(nx.star_graph(9))
    # everybody is within two hops of everybody: the one with the fewest neighbours is a leaf
    assert np.count_nonzero(find_inner(star)) == 2
    long = from_networkx(nx.path_graph(50))
    assert find_inner(long).all()  # there is no center


@few
@given(graphs(), st.data())
def test_surroundings_equal_plain_twin(graph, data):
    nodes = data.draw(st.lists(st.integers(0, graph.node_count - 1), max_size=10))
    table = Surroundings().extract(graph, np.array(nodes, dtype=np.int32))
    ref = naive.surroundings(rows_of(graph), nodes, find_inner(graph).tolist())
    assert table[:, STANDING].tolist() == [line[0] for line in ref]
    for k, part in enumerate((INNER_DEGREES, OUTER_DEGREES, SHARED), start=1):
        assert [row.tolist() for row in table[:, part]] == [line[k] for line in ref]


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(4000, seed=2)


@pytest.fixture(scope="module")
def sides(graph):
    scheme, needs = make_scheme("d4d-2:egonets=30,min_size=60"), StrongAttack().needs.join(ForestAttack().needs)
    first = scheme.publish(graph, seed=3)
    releases = (first, scheme.publish(graph, seed=3, avoid=[first]))
    views = [observe(release.public, needs) for release in releases]
    return [(view, label(release.secret, view)) for view, release in zip(views, releases, strict=True)]


def drawn(side, count=2_000, protocol="matched"):
    view, labels = side
    sampler, chance = PairSampler(view.subgraph, labels), np.random.default_rng(4)
    return Examples(
        sampler.identical("complete", count, chance), sampler.different(protocol, "complete", count, chance)
    )


def fit(side, attack=None, *, count=2_000, whole=True):
    """An attack that has learned from a release, or from a few known people of it."""
    view, labels = side
    person = labels.person if whole else np.where(labels.person % 50 == 0, labels.person, -1).astype(np.int32)
    return (attack or StrongAttack()).fit(Known(view, person, {ASKED: drawn(side, count)}), seeds=Seeds(2))


@pytest.fixture(scope="module")
def linked(sides):
    """The attack that has learned to link, and its session on the other release."""
    fitted = fit(sides[0], count=10_000)
    return fitted, fitted.enter(sides[1][0])


@pytest.fixture(scope="module")
def alone(sides):
    """The attack that knows some people only, and compares pairs by themselves."""
    fitted = fit(sides[0], whole=False, count=5_000)
    return fitted, fitted.enter(sides[1][0])


def test_neither_appearance_comes_first(sides, linked, alone):
    """(p, q) and (q, p) give the same score, linked or not."""
    different = drawn(sides[1]).different
    turned = Pairs(different.right, different.left)
    for _, session in (linked, alone):
        assert (session.score(different, ASKED) == session.score(turned, ASKED)).all()


def test_a_pair_is_scored_whatever_stands_beside_it(sides, linked):
    pairs = drawn(sides[1], 500).identical
    every = linked[1].score(pairs, ASKED)
    assert (linked[1].score(Pairs(pairs.left[::2], pairs.right[::2]), ASKED) == every[::2]).all()


def test_links_help_and_the_forest_is_beaten(sides, linked, alone):
    identical, different = drawn(sides[1], 5_000)
    forest = fit(sides[0], ForestAttack(trees=50), count=5_000).enter(sides[1][0])
    sessions = (linked[1], alone[1], forest)
    areas = [auc(session.score(identical, ASKED), session.score(different, ASKED)) for session in sessions]
    assert areas[0] > areas[1] > areas[2]
    assert linked[1].rounds
    assert not alone[1].rounds


def test_scores_are_probabilities_under_even_odds(sides, linked):
    identical, different = drawn(sides[1], 10_000)
    scores = np.concatenate([linked[1].score(pairs, ASKED) for pairs in (identical, different)])
    same = np.repeat([1.0, 0.0], [len(identical), len(different)])
    weight = np.where(same > 0, 0.5 / len(identical), 0.5 / len(different))
    for low, high in ((0.0, 0.2), (0.2, 0.8), (0.8, 1.01)):
        mine = (scores >= low) & (scores < high)
        if weight[mine].sum() > 0.02:
            said, seen = (np.average(values[mine], weights=weight[mine]) for values in (scores, same))
            assert said == pytest.approx(seen, abs=0.12)


def test_the_lesson_is_in_words(linked):
    assert linked[0].lesson(Question("1-hop")).channels == ()
    told = linked[0].lesson(ASKED).channels
    assert sum(share for _, share in told) == pytest.approx(1)
    assert [share for _, share in told] == sorted((share for _, share in told), reverse=True)
    assert {words for words, _ in told} <= {*Seen.all_words(), *WORDS}


def test_the_attack_keeps_no_truth(sides, linked):
    """Neither the trained attack nor its session holds an array that tells who is who."""
    held, people = everything_held(*linked), sides[1][1].person
    assert hold_no_truth(held, [labels for _, labels in sides])
    for thing in held:
        if isinstance(thing, np.ndarray) and thing.shape == people.shape:
            assert not (thing == people).all()


def test_clusters_are_those_of_the_last_round_that_are_sure_enough(linked):
    links, last = linked[1].links(), linked[1].rounds[-1]
    for cluster in range(int(links.cluster.max()) + 1):
        mine = np.flatnonzero(links.cluster == cluster)
        assert mine.size > 1
        assert len(set(last[mine])) == 1
    assert ((links.probability >= 0.5) == (links.cluster >= 0)).all()
    surer = linked[1].links(0.9)
    assert (surer.probability[surer.cluster >= 0] >= 0.9).all()
    assert np.count_nonzero(surer.cluster >= 0) <= np.count_nonzero(links.cluster >= 0)


@dataclass(frozen=True)
class Shuffled:
    """A scheme whose secret is shuffled within the hop classes of each egonet: there is nothing to be learned."""

    name: ClassVar[str] = "shuffled"
    inner: D4D1

    def publish(self, graph, *, seed, avoid=()):
        release = self.inner.publish(graph, seed=seed, avoid=avoid)

        def shuffle(k):
            public, secret = release.public[k], release.secret[k]
            people, rng = secret.people.copy(), np.random.default_rng([seed % 2**32, len(avoid), k])
            for hop in (0, 1, 2):
                mine = np.flatnonzero((secret.hops == hop) & (public.degrees > 5))
                people[mine] = people[rng.permutation(mine)]
            return Published(public, Secret(people, secret.hops))

        return Release.lazy(len(release), shuffle, scheme=self.name, graph=graph, centers=release.egos)


def test_shuffled_labels_teach_nothing(graph):
    """AUC is one half within its interval over draws; egos are alone in their class, so only others are looked at."""
    scheme = Shuffled(D4D1(egonets=20, min_size=60))
    chosen = {"beside": (), "categories": ("2-hop", "complete"), "test_negatives": 5_000}
    result = audit(graph, scheme, repeats=5, seed=1, **chosen)
    areas = np.array(result.auc["2-hop"].draws)
    assert abs(areas.mean() - 0.5) < 3 * areas.std(ddof=1) / np.sqrt(areas.size) + 0.01
    assert not result.found_something


def test_an_audit_with_all_attacks(graph):
    chosen = {"protocol": "paper", "seed": 1, "test_negatives": 10_000, "test_pairs": 2_000}
    result = audit(graph, EGONETS, beside=("forest:trees=20", "signature"), **chosen)
    assert result.plan.attack.name == "strong"
    assert [found.attack for found in result.beside] == ["strong", "forest", "forest", "signature", "signature"]
    strong, forest = (result.beside[k].rate("complete", 0.01).tpr for k in (0, 2))
    assert strong > forest  # under matched
    assert [one.pairs for one in result.rounds[0]][-1] > 0
    assert result.rounds[0][-1].right <= result.rounds[0][-1].all_pairs
    assert result.lesson.channels[0][1] > 0.05
    again = audit(graph, EGONETS, threads=1, beside=(), **chosen)
    assert again.rates == result.rates
    assert again.rounds == result.rounds


@pytest.mark.parametrize(
    ("scheme", "threat"), [(None, "identification"), ("d4d-1:egonets=20,min_size=60", "linkage:known=30")]
)
def test_known_people_are_too_few_to_link_with(graph, scheme, threat):
    result = audit(graph, scheme, attack="strong", threat=threat, beside=(), test_negatives=5_000, seed=1)
    assert result.rounds == ()
    assert result.rate("complete", 0.1).tpr is not None


def test_whole_networks_can_be_linked(graph):
    threat = "identification:known=0,edge_overlap=0.75"
    result = audit(graph, attack="strong", threat=threat, beside=(), test_negatives=5_000, seed=1)
    assert result.rate("complete", 0.1).tpr > 0.2


def test_events_are_compared_besides():
    graph = synthetic_graph(2000, seed=2)
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    forward = source < graph.indices
    calls = type(graph).from_edges(
        source[forward], graph.indices[forward], columns={"weight": np.arange(forward.sum()) % 50.0}
    )
    attack = StrongAttack(features=("weight",))
    release = make_scheme("d4d-1:egonets=8,min_size=40").publish(calls, seed=0)
    view = observe(release.public, attack.needs)
    side = view, label(release.secret, view)
    fitted = fit(side, attack, count=1_500, whole=False)
    assert "weight" in dict(fitted.lesson(ASKED).channels)
    identical, different = (fitted.enter(view).score(pairs, ASKED) for pairs in drawn(side, 1_500))
    assert identical.mean() > different.mean()


def test_bad_input_is_named(graph):
    with pytest.raises(InputError, match="time in slots needs the events behind the edges, and there are none"):
        audit(graph, attack="strong:slots=2")
    with pytest.raises(InputError, match="attacks in 1 and 2 slots of time see different releases"):
        audit(graph, attack="strong", beside=("forest:slots=2",))
