"""The strong attack: what it compares, what it may know, and what it finds."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.auditing import everything_held, hold_no_truth
from tests.drawing import few, from_networkx, from_pairs, graphs, rows_of
from tests.naive import surroundings as naive
from thinveil.attacks import ForestAttack, StrongAttack
from thinveil.attacks.collective import LinkedView
from thinveil.attacks.collective.links import WORDS
from thinveil.auditing.audit import audit
from thinveil.errors import InputError
from thinveil.features import EventHistogram, Surroundings, observe
from thinveil.features.channels.inner import find_inner
from thinveil.features.channels.surroundings import INNER_DEGREES, OUTER_DEGREES, SHARED, STANDING
from thinveil.features.coincidences import Marks, count_common, make_marks
from thinveil.features.comparison import COLUMNS, Comparer
from thinveil.features.pairs import Pairs, PairSampler
from thinveil.graph.synthetic import synthetic_graph
from thinveil.learners.boosting import Boosted, CrossFitted, Growth
from thinveil.measures.rates import auc
from thinveil.schemes import make_scheme
from thinveil.schemes.base import Published, Secret

SMALL = {"egonets": 20, "min_size": 60, "trees": 20, "test_negatives": 10_000, "test_pairs": 2_000}


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


@given(st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=2, max_size=6), st.sampled_from([1, 2**40]))
def test_marks_equal_plain_twin(rows, scale):
    counts = np.array([len(row) for row in rows])
    values = np.array([value * scale for row in rows for value in row], dtype=np.int64)
    marks = Marks.of(counts, values)
    for one in range(len(rows)):
        for two in range(len(rows)):
            count, worth = count_common(marks.starts, marks.marks, marks.rarity, one, two)
            assert (count, pytest.approx(worth)) == naive.common(rows, one, two)
    assert marks.totals == pytest.approx([naive.common(rows, k, k)[1] for k in range(len(rows))])


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(4000, seed=2)


@pytest.fixture(scope="module")
def sides(graph):
    releases = make_scheme("d4d-2", egonets=30, min_size=60).draw(graph, releases=2, seed=3)
    return [observe(release, StrongAttack().channels, keep_neighbors=True) for release in releases]


@pytest.fixture(scope="module")
def linked(sides):
    (known, truth), (asked, _) = sides
    return StrongAttack(seed=1).link(known, truth.person, asked)


def drawn(side, count=2_000, protocol="matched"):
    view, truth = side
    sampler, chance = PairSampler(view.subgraph, truth), np.random.default_rng(4)
    return sampler.identical("complete", count, chance), sampler.different(protocol, "complete", count, chance)


def test_the_comparison_is_that_of_the_rows(sides):
    view = sides[0][0]
    comparer = Comparer.of(view)
    pairs, _ = drawn(sides[0], 200)
    table = comparer.compare(pairs.left, pairs.right)
    assert table.shape == (len(pairs), len(COLUMNS))
    degrees = np.sort(np.stack((view.degree[pairs.left], view.degree[pairs.right])), axis=0)
    assert table[:, 0].tolist() == degrees[0].tolist()
    assert table[:, 1].tolist() == degrees[1].tolist()
    vectors = view.channels["surroundings"]
    for k, part in enumerate((INNER_DEGREES, OUTER_DEGREES, SHARED)):
        one, two = vectors[pairs.left][:, part].astype(float), vectors[pairs.right][:, part].astype(float)
        differ = np.abs(one - two).sum(axis=1) / np.maximum((one + two).sum(axis=1), 1)
        assert table[:, 14 + 2 * k] == pytest.approx(differ, rel=1e-5)
        norms = np.sqrt(np.maximum((one**2).sum(axis=1) * (two**2).sum(axis=1), 1))
        assert table[:, 15 + 2 * k] == pytest.approx((one * two).sum(axis=1) / norms, rel=1e-5)
    for k, marks in enumerate(make_marks(view)):
        rows = [marks.marks[a:b].tolist() for a, b in zip(marks.starts[:-1], marks.starts[1:], strict=True)]
        for line, p, q in list(zip(table, pairs.left, pairs.right, strict=True))[:20]:
            assert line[20 + 4 * k] == naive.common(rows, p, q)[0]
    signature = view.channels["signature"]
    assert table[:, 32].tolist() == (signature[pairs.left] == signature[pairs.right]).all(axis=1).tolist()


def test_neither_row_comes_first(sides, linked):
    """(p, q) and (q, p) give the same score, linked or not."""
    identical, different = drawn(sides[0])
    for view in (sides[0][0], linked[0]):
        attack = StrongAttack(seed=2)
        attack.fit(view, identical, different)
        turned = Pairs(different.right, different.left)
        assert (attack.score(view, different) == attack.score(view, turned)).all()


def test_a_pair_is_scored_whatever_stands_beside_it(sides, linked):
    attack = StrongAttack(seed=2)
    attack.fit(linked[0], *drawn(sides[0]))
    pairs, _ = drawn(sides[1], 500)
    every = attack.score(linked[1], pairs)
    half = Pairs(pairs.left[::2], pairs.right[::2])
    assert (attack.score(linked[1], half) == every[::2]).all()


def test_links_help_and_the_forest_is_beaten(sides, linked):
    identical, different = drawn(sides[1], 5_000)
    areas = []
    for attack, views in (
        (StrongAttack(seed=2), linked),
        (StrongAttack(seed=2), [view for view, _ in sides]),
    ):
        attack.fit(views[0], *drawn(sides[0], 5_000))
        areas.append(auc(attack.score(views[1], identical), attack.score(views[1], different)))
    forest = ForestAttack(trees=50)
    views = [observe_degrees(side) for side in sides]
    forest.fit(views[0], *drawn(sides[0], 5_000))
    areas.append(auc(forest.score(views[1], identical), forest.score(views[1], different)))
    assert areas[0] > areas[1] > areas[2]


def observe_degrees(side):
    """Put the paper's histogram, coarsely, in place of what the strong attack sees."""
    from dataclasses import replace

    view = side[0]
    return replace(view, channels={ForestAttack().channels[0].name: wide(view.channels["surroundings"])})


def wide(table):
    return np.pad(table[:, INNER_DEGREES] + table[:, OUTER_DEGREES], ((0, 0), (0, 70 - 24)))


def test_scores_are_probabilities_under_even_odds(sides, linked):
    attack = StrongAttack(seed=2)
    attack.fit(linked[0], *drawn(sides[0], 10_000))
    identical, different = drawn(sides[1], 10_000)
    scores = np.concatenate((attack.score(linked[1], identical), attack.score(linked[1], different)))
    same = np.repeat([1.0, 0.0], [len(identical), len(different)])
    weight = np.where(same > 0, 0.5 / len(identical), 0.5 / len(different))
    for low, high in ((0.0, 0.2), (0.2, 0.8), (0.8, 1.01)):
        mine = (scores >= low) & (scores < high)
        if weight[mine].sum() > 0.02:
            said, seen = (np.average(values[mine], weights=weight[mine]) for values in (scores, same))
            assert said == pytest.approx(seen, abs=0.12)


def test_the_lesson_is_in_words(sides, linked):
    attack = StrongAttack(seed=2)
    assert attack.lesson().channels == ()
    attack.fit(linked[0], *drawn(sides[0]))
    told = attack.lesson().channels
    assert sum(share for _, share in told) == pytest.approx(1)
    assert [share for _, share in told] == sorted((share for _, share in told), reverse=True)
    assert {words for words, _ in told} <= {*COLUMNS, *WORDS}
    assert len(WORDS) == linked[0].links.compare(np.array([0]), np.array([1])).shape[1]


def test_the_attack_keeps_no_truth(sides, linked):
    """Neither the trained attack nor the linked view of the attacked release holds an array that tells who is who."""
    attack = StrongAttack(seed=2)
    attack.fit(linked[0], *drawn(sides[0]))
    held, people = everything_held(attack, linked[1]), sides[1][1].person
    assert hold_no_truth(held, [truth for _, truth in sides])
    for thing in held:
        if isinstance(thing, np.ndarray) and thing.shape == people.shape:
            assert not (thing == people).all()


class Shuffled:
    """A scheme whose secret is shuffled within the hop classes of each egonet: there is nothing to be learned."""

    name = "shuffled"

    def __init__(self, inner):
        self.inner = inner

    def settings(self):
        return self.inner.settings()

    def draw(self, graph, *, releases, seed):
        rng = np.random.default_rng(seed % 2**32)

        def shuffle(published):
            public, secret = published
            people = secret.people.copy()
            rows = public.degrees > 5
            for hop in (0, 1, 2):
                mine = np.flatnonzero((secret.hops == hop) & rows)
                people[mine] = people[rng.permutation(mine)]
            return Published(public, Secret(people, secret.hops))

        return tuple(
            [shuffle(one) for one in release] for release in self.inner.draw(graph, releases=releases, seed=seed)
        )


def test_shuffled_labels_teach_nothing(graph):
    """AUC is one half within its interval over draws; egos are alone in their class, so only others are looked at."""
    scheme = Shuffled(make_scheme("d4d-1", egonets=20, min_size=60))
    chosen = {"attack": "strong", "alone": True, "protocol": "matched", "categories": ("2-hop", "complete")}
    result = audit(graph, scheme, repeats=5, seed=1, test_negatives=5_000, **chosen)
    areas = np.array(result.auc["2-hop"].draws)
    assert abs(areas.mean() - 0.5) < 3 * areas.std(ddof=1) / np.sqrt(areas.size) + 0.01
    assert not result.found_something


def test_an_audit_with_all_attacks(graph):
    result = audit(graph, "d4d-2", seed=1, **SMALL)
    assert result.settings.attack == "strong"
    assert [found.attack for found in result.beside] == ["strong", "forest", "forest", "signature", "signature"]
    strong, forest = (result.beside[k].rate("complete", 0.01).tpr for k in (0, 2))
    assert strong > forest  # under matched
    assert [one.pairs for one in result.rounds[0]][-1] > 0
    assert result.rounds[0][-1].right <= result.rounds[0][-1].all_pairs
    assert result.learned[0][1] > 0.05
    again = audit(graph, "d4d-2", seed=1, threads=1, alone=True, **SMALL)
    assert again.rates == result.rates
    assert again.rounds == result.rounds


@pytest.mark.parametrize(
    "changes", [{"scheme": "overlap"}, {"scheme": "d4d-1", "seeds": 30, "egonets": 20, "min_size": 60}]
)
def test_seeds_are_too_few_to_link_with(graph, changes):
    result = audit(graph, attack="strong", alone=True, test_negatives=5_000, seed=1, **changes)
    assert result.rounds == ()
    assert result.rate("complete", 0.1).tpr is not None


def test_whole_networks_can_be_linked(graph):
    result = audit(
        graph, "overlap", attack="strong", alone=True, seeds=0, edge_overlap=0.75, test_negatives=5_000, seed=1
    )
    assert result.rate("complete", 0.1).tpr > 0.2


def test_events_are_compared_besides():
    graph = synthetic_graph(2000, seed=2)
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    forward = source < graph.indices
    calls = type(graph).from_edges(
        source[forward], graph.indices[forward], columns={"weight": np.arange(forward.sum()) % 50.0}
    )
    attack = StrongAttack(EventHistogram("weight"))
    (release,) = make_scheme("d4d-1", egonets=8, min_size=40).draw(calls, releases=1, seed=0)
    view, truth = observe(release, attack.channels, keep_neighbors=True)
    identical, different = drawn((view, truth), 1_500)
    attack.fit(view, identical, different)
    assert "weight" in dict(attack.lesson().channels)
    assert attack.score(view, identical).mean() > attack.score(view, different).mean()


def test_bad_input_is_named(graph):
    with pytest.raises(InputError, match="attack strong looks at the whole period: leave slots out, or choose forest"):
        audit(graph, attack="strong", slots=2)


def test_models_do_not_depend_on_threads():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(3_000, 4)).astype(np.float32)
    right = table[:, 0] + rng.normal(size=3_000) > 0
    half = (np.arange(3_000) % 2).astype(np.int8)
    one, two = (CrossFitted.fit(table, right, half, Growth(), threads=threads) for threads in (1, 3))
    assert (one.predict_blind(table, half) == two.predict_blind(table, half, threads=1)).all()
    blind = Boosted.fit(table[half == 1], right[half == 1], Growth())
    assert (one.predict_blind(table, half)[half == 0] == blind.predict(table[half == 0])).all()
    assert (one.predict(table) == sum(model.predict(table) for model in one.blind) / 2).all()
    assert blind.gains().sum() == pytest.approx(1)
    assert one.predict(table[:0]).size == 0


def test_a_view_that_was_not_made_ready(sides):
    """A plain view works too, if more slowly."""
    attack = StrongAttack(seed=2)
    identical, different = drawn(sides[0], 300)
    attack.fit(sides[0][0], identical, different)
    ready = attack.look(sides[0][0])
    assert isinstance(ready, LinkedView)
    assert (attack.score(ready, identical) == attack.score(sides[0][0], identical)).all()
    assert from_pairs([(0, 1)]).common_neighbors.tolist() == [0, 0]
