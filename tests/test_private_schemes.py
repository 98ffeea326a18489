"""Schemes that promise differential privacy for one edge: what they draw has the chances that they state."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_whole_schemes import TOWN, edges, published, true_edges
from thinveil.errors import InputError, SampleError, UndefinedError
from thinveil.graph import Graph
from thinveil.schemes import NOBODY, Promise, make_scheme
from thinveil.schemes.dp_degrees import _realizable
from thinveil.schemes.tmf import TopMFilter, _passes
from thinveil.threats.base import publish


@pytest.mark.parametrize("epsilon", [0.1, 1, 5, 8, 20])
@pytest.mark.parametrize("noisy", [1, 1e3, 4e5, 1e12])
def test_no_cell_shows_more_than_its_epsilon(epsilon, noisy):
    scheme = TopMFilter(epsilon=epsilon)
    one, zero = scheme._chances(75_879, noisy)
    own = (1 - scheme.counting) * epsilon
    for a, b in ((one, zero), (zero, one), (1 - one, 1 - zero), (1 - zero, 1 - one)):
        assert a <= math.exp(own) * (b + 1e-15) * (1 + 1e-9)
    # and about as many edges pass as were counted, where there are far fewer edges than pairs
    if noisy == 4e5 and epsilon <= 8:
        assert one * noisy + zero * (math.comb(75_879, 2) - noisy) == pytest.approx(noisy, rel=0.02)


def test_the_chance_to_pass_is_that_of_laplace_noise():
    noise = np.random.default_rng(1).laplace(0, 1 / 3, 400_000)
    for threshold in (-0.4, 0, 0.2, 1.1):
        chance = _passes(threshold, 3)
        assert abs((noise > threshold).mean() - chance) < 5 * math.sqrt(chance * (1 - chance) / noise.size)


def test_edges_pass_as_often_as_expected_and_the_number_of_fakes_is_binomial():
    scheme, cells = TopMFilter(epsilon=6), math.comb(TOWN.node_count, 2)
    share, fake = scheme._chances(TOWN.node_count, TOWN.edge_count)
    kept, fakes = [], []
    for seed in range(60):
        found = true_edges(published(TOWN, "tmf:epsilon=6", seed=seed))
        kept.append(len(found & edges(TOWN)))
        fakes.append(len(found) - kept[-1])
    others = cells - TOWN.edge_count
    for counts, mean, rest in ((kept, TOWN.edge_count * share, 1 - share), (fakes, others * fake, 1)):
        assert abs(np.mean(counts) - mean) < 5 * math.sqrt(mean * rest / 60) + 0.01 * mean
        # exactly as many edges as were counted would have no spread, or a tenth of this one
        assert 0.6 * mean * rest < np.var(counts) < 2.5 * mean * rest


def test_too_many_fakes_are_refused_with_an_epsilon_that_works():
    graph = Graph.from_edges([0, 1], [1, 2], node_count=1_000_000)
    with pytest.raises(SampleError, match=r"more than memory should hold: give epsilon=.* or more"):
        TopMFilter(epsilon=1e-9).change(graph, np.random.default_rng(1))  # whose noise is positive


def test_the_expected_share_is_told():
    shares = [TopMFilter(epsilon=epsilon).kept(100_000, 1_000_000) for epsilon in (5, 8)]
    assert shares[0] < shares[1]
    assert f"{100 * shares[1]:.2g}% would be kept" in make_scheme("tmf:epsilon=8").describe()


@pytest.mark.parametrize("name", ["tmf", "dp-degrees"])
def test_the_promise_is_stated(name):
    assert make_scheme(f"{name}:epsilon=2").promise == Promise("epsilon", 2, "edge")


def test_nobody_stands_behind_noisy_degrees():
    release = published(TOWN, "dp-degrees:epsilon=50")
    assert (release.secret[0].people == NOBODY).all()
    difference = np.sort(release.public[0].degrees) - np.sort(TOWN.degrees)
    assert np.abs(difference).mean() < 0.1
    with pytest.raises(UndefinedError, match="undefined, not 0%"):
        publish(make_scheme("dp-degrees"), TOWN, seed=1)


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
def test_degrees_are_lowered_only_where_no_graph_has_them(degrees):
    degrees = np.sort(np.array(degrees))
    made = _realizable(degrees)
    assert nx.is_graphical(made.tolist())
    assert (made <= degrees).all()
    if nx.is_graphical(degrees.tolist()):
        assert np.array_equal(made, degrees)


@pytest.mark.parametrize("word", ["priv-graph:epsilon=1e-9", "dp-degrees:epsilon=1e-9"])
def test_more_edges_than_memory_holds_are_refused(word):
    many = Graph.from_edges(np.arange(19_999), np.arange(1, 20_000))
    with pytest.raises(SampleError, match=r"noise of epsilon = 1e-09 asks for .* edges, more than memory should hold"):
        published(many, word, seed=6)


@pytest.mark.parametrize("word", ["priv-graph:epsilon=1e-300", "dp-degrees:epsilon=1e-300", "tmf:counting=1e-300"])
def test_noise_beyond_all_numbers_is_refused(word):
    with pytest.raises(InputError, match="give a number above"):
        make_scheme(word)


def test_little_epsilon_still_gives_a_graph():
    assert published(TOWN, "dp-degrees:epsilon=0.001").public[0].node_count == TOWN.node_count


@pytest.mark.parametrize("people", [0, 1, 20])
def test_a_graph_without_edges_stays_one(people):
    """The generator behind it ends the process where it is given no edge."""
    public = (
        make_scheme("dp-degrees:epsilon=1e6").publish(Graph.from_edges([], [], node_count=people), seed=1).public[0]
    )
    assert (public.node_count, public.edge_count) == (people, 0)
