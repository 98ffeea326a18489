"""One graph inside the other: kernels beside their plain twins, and what is found, or rightly not."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drawing import from_networkx
from tests.naive import nested as naive
from thinveil.attacks.matching import Held, KnownNames, NamesAttack
from thinveil.attacks.matching.whole import nested
from thinveil.attacks.matching.whole.scan import Linked
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.graph.thinning import thin
from thinveil.graph.twins import has_twin
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import limit_threads

SEEDS = st.integers(0, 10**6)


def rows_of(graph):
    return [graph.neighbors(v).tolist() for v in range(graph.node_count)]


def two_small_graphs(seed):
    chance = np.random.default_rng(seed)
    inner, outer = (from_networkx(nx.gnp_random_graph(n, 0.35, seed=seed + n)) for n in (7, 9))
    total = -5 * chance.random((7, 9), dtype=np.float32)
    total -= total.max(axis=1, keepdims=True)
    told = -3 * chance.random((inner.indices.size, 9), dtype=np.float32)
    source = np.repeat(np.arange(7), inner.degrees)
    plain = {(int(u), int(x)): told[e].tolist() for e, (u, x) in enumerate(zip(source, inner.indices, strict=True))}
    return inner, outer, total, told, plain, chance


@given(SEEDS, st.sampled_from([1.0, 2.5]))
@settings(max_examples=25)
def test_messages_equal_the_twin(seed, heat):
    inner, outer, total, told, plain, chance = two_small_graphs(seed)
    crowd = -chance.random(9, dtype=np.float32)
    floor = nested._LOST * 2 * outer.edge_count / outer.node_count**2
    expected = naive.exchange(rows_of(inner), rows_of(outer), total.tolist(), plain, crowd.tolist(), heat, floor)
    nested._tell(inner, outer, total, told, crowd, heat)
    assert told == pytest.approx(np.array(list(expected.values())).reshape(told.shape), rel=1e-3, abs=1e-3)


@given(SEEDS)
@settings(max_examples=25)
def test_what_is_gathered_equals_the_twin(seed):
    inner, outer, total, told, plain, chance = two_small_graphs(seed)
    beliefs = chance.dirichlet(np.ones(10), size=7)[:, :9].astype(np.float32)
    apart = nested._apart(outer, beliefs)
    words = [naive.miss(rows_of(outer), row, nested._KEPT) for row in beliefs.tolist()]
    assert apart == pytest.approx(np.array(words), rel=1e-3, abs=1e-4)
    expected = naive.gather(rows_of(inner), plain, words, total.tolist())
    nested._gather(inner, told, apart, total)
    assert total == pytest.approx(np.array(expected), rel=1e-3, abs=1e-3)


def a_part(seed, *, people=700, share=0.4, kept=0.65):
    """An outer graph, a part of it, and who is who there; whoever has a contact left is in the part."""
    chance = np.random.default_rng(seed)
    outer = synthetic_graph(people, mean_degree=9, seed=seed)
    weight = outer.degrees + 1.0
    some = chance.choice(people, int(share * people), replace=False, p=weight / weight.sum()).astype(np.int32)
    inner = thin(outer, some, 1 - kept, seed)
    left = np.flatnonzero(inner.degrees > 0).astype(np.int32)
    return outer, thin(inner, left, 0.0, 0), some[left]


def match(left, right, known=None, seed=1):
    return NamesAttack().match(Held(left, (right,), known or KnownNames()), seeds=Seeds(seed))


@pytest.fixture(scope="module")
def part():
    return a_part(5)


def test_a_part_of_a_graph_is_found_in_it(part):
    outer, inner, truth = part
    names = match(outer, inner)
    assert names.verdict.accepted
    right = names.person == truth[names.node]
    assert right.mean() > 0.9
    assert right.sum() > 0.6 * (~has_twin(inner)).sum()
    assert names.verdict.facts["node_overlap"] == pytest.approx(inner.node_count / outer.node_count)
    assert (names.probability >= 0.7).all()


def test_and_the_other_way_round(part):
    outer, inner, truth = part
    names = match(inner, outer)
    assert names.verdict.accepted
    assert (names.node == truth[names.person]).mean() > 0.9


def test_known_people_stay_who_they_are_and_are_not_all_that_is_found(part):
    outer, inner, truth = part
    known = KnownNames(np.zeros(30, np.int32), np.arange(30, dtype=np.int32), truth[:30].astype(np.int32))
    names = match(outer, inner, known)
    right = names.person == truth[names.node]
    assert set(range(30)) <= set(names.node.tolist())
    assert right[names.node < 30].all()
    assert right.mean() > 0.9
    assert right.sum() > 0.6 * (~has_twin(inner)).sum()


def test_the_same_on_any_number_of_threads(part):
    outer, inner, _ = part
    few, nobody = thin(inner, np.arange(80, dtype=np.int32), 0.0, 0), Linked.nobody(80)
    logits = []
    for threads in (1, 3):
        with limit_threads(threads):
            logits.append(nested.believe_nested(few, outer, nobody))
    assert (logits[0] == logits[1]).all()


@pytest.mark.parametrize("seed", [1, 2])
def test_nobody_is_named_in_a_graph_of_other_people(seed):
    outer, inner, _ = a_part(seed, people=400)
    others = synthetic_graph(500, mean_degree=9, seed=seed + 50)
    found = nested.place(inner, others, Linked.nobody(inner.node_count), np.random.default_rng(seed))
    assert not found.check.is_passed
    # the same degrees, but somebody else's contacts
    shuffled = from_networkx(nx.Graph(nx.configuration_model(outer.degrees.tolist(), seed=seed)))
    found = nested.place(inner, shuffled, Linked.nobody(inner.node_count), np.random.default_rng(seed))
    assert not found.check.is_passed


def test_only_what_is_smaller_may_be_a_part(part):
    outer, inner, _ = part
    assert nested.may_be_part(inner, outer)
    assert not nested.may_be_part(outer, inner)
    assert not nested.may_be_part(Graph.from_edges([], [], node_count=4), outer)
    large = synthetic_graph(5_000, seed=1)
    assert not nested.may_be_part(large, large)
