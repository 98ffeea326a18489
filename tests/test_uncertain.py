"""The uncertain graph, and communities with noise: the chances are those that the methods state."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import changes
from tests.test_whole_schemes import TOWN, by_person, edges, published, true_edges
from thinveil.auditing.audit import audit
from thinveil.errors import RoomError, SampleError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import Promise, make_scheme
from thinveil.schemes.obfuscation import degree_entropies, draw_candidates
from thinveil.schemes.priv_graph import _move, _noisy_pairs, without_negatives
from thinveil.schemes.rewiring import incident


def random_pairs(nodes, share, seed):
    rng = np.random.default_rng(seed)
    source, target = (ends.astype(np.int32) for ends in np.nonzero(np.triu(rng.random((nodes, nodes)) < share, 1)))
    return source, target, rng.random(source.size)


def test_entropies_are_the_plain_ones():
    source, target, chances = random_pairs(9, 0.6, 1)
    bits = degree_entropies(*incident(source, target, 9), chances, 5)
    pairs = list(zip(source.tolist(), target.tolist(), strict=True))
    assert bits == pytest.approx(changes.entropies(pairs, chances.tolist(), 9, 5))


def test_entropies_of_people_with_many_pairs_are_nearly_the_exact_ones(monkeypatch):
    source, target, chances = random_pairs(200, 0.6, 2)
    starts, places = incident(source, target, 200)
    law = np.ones(1)
    laws = []
    for v in range(200):
        law = np.ones(1)
        for chance in chances[places[starts[v] : starts[v + 1]]]:
            law = np.append(law * (1 - chance), 0) + np.append(0, law * chance)
        laws.append(np.pad(law, (0, 200 - law.size)))
    shares = np.array(laws)[:, 55:66]
    shares /= shares.sum(axis=0)
    expected = -(shares * np.log2(np.maximum(shares, 1e-300))).sum(axis=0)
    assert degree_entropies(starts, places, chances, 70)[55:66] == pytest.approx(expected, abs=0.1)


def test_k_is_halved_for_a_graph_of_few_people_unless_it_was_chosen():
    village = synthetic_graph(300, seed=1)
    scheme = make_scheme("uncertain")
    with pytest.raises(SampleError, match="give a smaller k"):
        published(village, scheme)
    suited = scheme.suited(village, left_open=("k", "exposed"))
    assert suited.k in (5, 10)
    published(village, suited)
    assert scheme.suited(village, left_open=("exposed",)) == scheme
    assert make_scheme("k-degree").suited(village, left_open=("k",)).k == 10
    star = Graph.from_edges(np.zeros(50, dtype=int), np.arange(1, 51))
    assert make_scheme("k-degree").suited(star, left_open=("k",)).k == 10  # there is none, and the refusal says so


@pytest.mark.parametrize("k", [5, 20])
def test_all_but_a_few_hide_among_k(k):
    scheme = make_scheme(f"uncertain:k={k},exposed=0.01")
    found = scheme.hidden(TOWN, np.random.default_rng(1))
    starts, places = incident(found.source, found.target, TOWN.node_count)
    bits = degree_entropies(starts, places, found.chances, int(TOWN.degrees.max()))
    assert (bits[TOWN.degrees] < math.log2(k)).mean() <= 0.01
    assert found.chances.size == 2 * TOWN.edge_count
    assert ((found.chances >= 0) & (found.chances <= 1)).all()
    assert found.chances[: TOWN.edge_count].mean() > 0.5 > found.chances[TOWN.edge_count :].mean()
    assert scheme.promise == Promise("k", k, "degree in the uncertain graph")


def test_a_drawn_world_has_the_probable_edges_and_the_likely_one_more_of_them():
    drawn, likely = (published(TOWN, f"uncertain:k=20,exposed=0.01,world={world}") for world in ("drawn", "likely"))
    kept = [len(true_edges(one) & edges(TOWN)) / TOWN.edge_count for one in (drawn, likely)]
    assert 0.5 < kept[0] < kept[1] <= 1
    with pytest.raises(SampleError, match="give a smaller k, or a larger share exposed"):
        published(TOWN, "uncertain:k=1500,exposed=0.0001")


def test_candidates_are_drawn_by_weight_and_are_no_edges():
    weight = np.arange(10, dtype=float)
    graph = Graph.from_edges([8], [9], node_count=10)
    ends = draw_candidates(graph.indptr, graph.indices, np.cumsum(weight), 20, np.uint64(1))
    pairs = {frozenset(pair) for pair in zip(*(end.tolist() for end in ends), strict=True)}
    assert len(pairs) == 20
    assert frozenset((8, 9)) not in pairs
    assert not any(0 in pair for pair in pairs)
    assert draw_candidates(graph.indptr, graph.indices, np.cumsum(weight), 99, np.uint64(1))[0].size <= 35


def test_people_move_to_communities_by_the_exponential_mechanism():
    contacts = [TOWN.neighbors(v).tolist() for v in range(TOWN.node_count)]
    community = np.random.default_rng(3).integers(0, 4, TOWN.node_count)
    expected = np.array(changes.community_chances(contacts, community.tolist(), 4, 0.3))
    counts = np.zeros_like(expected)
    for seed in range(400):
        moved = _move(TOWN.indptr, TOWN.indices, community, 4, 0.3, np.uint64(seed << 20))
        counts[np.arange(moved.size), moved] += 1
    spread = np.sqrt(400 * expected * (1 - expected)) + 1
    assert np.abs(counts - 400 * expected).max() < 6 * spread.max()
    assert (np.abs(counts - 400 * expected) < 3 * spread).mean() > 0.99


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(-50, 50), max_size=20))
def test_negative_numbers_are_made_0_at_the_expense_of_the_others(values):
    values = np.array(values)
    made = without_negatives(values)
    assert (made >= 0).all()
    assert made.sum() == pytest.approx(max(values.sum(), 0), abs=1e-6)


def test_without_much_noise_the_numbers_between_groups_are_the_true_ones():
    group = np.arange(TOWN.node_count) % 7
    source = np.repeat(np.arange(TOWN.node_count), TOWN.degrees)
    once = source < TOWN.indices
    one, other = group[source[once]], group[TOWN.indices[once]]
    table = _noisy_pairs(one, other, 7, 1e6, np.random.default_rng(1))
    assert table.sum() == pytest.approx(TOWN.edge_count, abs=0.01)
    assert table[2, 2] == pytest.approx(((one == 2) & (other == 2)).sum(), abs=0.01)
    assert table[1, 4] == pytest.approx((np.minimum(one, other) * 10 + np.maximum(one, other) == 14).sum(), abs=0.01)
    assert not np.tril(table, -1).any()


def test_noisy_communities_keep_size_and_with_little_noise_degrees():
    release = published(TOWN, "priv-graph:epsilon=1000,group=1")
    assert release.public[0].edge_count == pytest.approx(TOWN.edge_count, rel=0.15)
    assert np.corrcoef(by_person(release), TOWN.degrees)[0, 1] > 0.6
    shared = len(true_edges(release) & edges(TOWN))
    assert shared > 5 * TOWN.edge_count**2 / math.comb(TOWN.node_count, 2)
    assert make_scheme("priv-graph").promise == Promise("epsilon", 2.0, "edge")


def test_an_audit_does_not_take_a_refusal_for_a_lack_of_people():
    with pytest.raises(RoomError, match=r"give a smaller k, or a larger share exposed$"):
        audit(TOWN, "uncertain:k=150,exposed=0.0001", threat="identification", attack="forest:trees=5")
