"""Links of attacks that judge each pair by itself: who is compared, what becomes a link, and what a cluster is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import as_pairs, few, ordered
from tests.naive import pairwise as naive
from thinveil.attacks.pairwise import Links, link_pairs, near_pairs
from thinveil.features import View
from thinveil.features.pairs import NO_PAIRS

SCORES = (0.0, 0.3, 0.5, 0.8, 0.95, 0.99, 0.999, 1.0)


def view_of(appearances):
    """What is seen of appearances that are (degree, sub-graph, node), in their order."""
    degree, subgraph, node = np.array(appearances, dtype=np.int32).reshape(-1, 3).T
    return View({}, subgraph.copy(), node.copy(), degree.copy())


@st.composite
def releases(draw, most=10):
    """Appearances of up to four sub-graphs, sub-graph by sub-graph; equal degrees are common."""
    sizes = draw(st.lists(st.integers(0, most // 2), min_size=1, max_size=4))
    places = [(k, node) for k, size in enumerate(sizes) for node in range(size)]
    return [(draw(st.integers(1, 6)), *place) for place in places]


def clusters_of(links):
    """The clusters as sets of appearances."""
    return {frozenset(np.flatnonzero(links.cluster == k).tolist()) for k in set(links.cluster.tolist()) - {-1}}


@few
@given(releases(), st.integers(1, 12))
def test_who_is_compared_equals_the_plain_twin(appearances, nearest):
    comp = near_pairs(view_of(appearances), nearest)
    assert sorted(ordered(comp)) == naive.near_pairs(appearances, nearest)
    assert comp.count_distinct() == len(comp)


@given(releases())
def test_with_room_enough_everybody_is_compared_with_everybody_elsewhere(appearances):
    every = range(len(appearances))
    across = {frozenset((a, b)) for a in every for b in every if appearances[a][1] != appearances[b][1]}
    comp = near_pairs(view_of(appearances), 100)
    assert {frozenset(pair) for pair in ordered(comp)} == across
    assert len(comp) == len(across)


@few
@given(releases(), st.data())
def test_links_equal_the_plain_twin(appearances, data):
    nearest, sure = data.draw(st.integers(1, 12)), data.draw(st.sampled_from([0.1, 0.5, 0.9]))
    view, scores = view_of(appearances), {}
    for pair in naive.near_pairs(appearances, nearest):
        scores[pair] = data.draw(st.sampled_from(SCORES))

    def score(pairs):
        return np.array([scores[pair] for pair in ordered(pairs)])

    links = link_pairs(view, score, sure=sure, nearest=nearest)
    pairs = sorted(scores)
    found = [round(chance, 12) for chance in naive.chances(pairs, [scores[pair] for pair in pairs])]
    best = naive.best_pairs(pairs, found, sure)
    clusters, probability = naive.along([pairs[k] for k in best], [found[k] for k in best], view.subgraph.tolist())
    assert clusters_of(links) == clusters
    assert links.probability.tolist() == pytest.approx(probability)


@few
@given(releases(), st.data())
def test_merging_along_pairs_equals_the_plain_twin(appearances, data):
    view, every = view_of(appearances), range(len(appearances))
    across = [(a, b) for a in every for b in every if a < b and appearances[a][1] != appearances[b][1]]
    pairs = data.draw(st.lists(st.sampled_from(across), unique=True)) if across else []
    sure = [data.draw(st.sampled_from([0.5, 0.6, 0.7, 0.9])) for _ in pairs]
    links = Links.along(as_pairs(pairs), np.array(sure, dtype=np.float64), view.subgraph)
    clusters, probability = naive.along(pairs, sure, view.subgraph.tolist())
    assert clusters_of(links) == clusters
    assert links.probability.tolist() == probability


@few
@given(releases(), st.data())
def test_no_cluster_has_two_appearances_in_a_sub_graph(appearances, data):
    view, seed = view_of(appearances), data.draw(st.integers(0, 99))
    links = link_pairs(view, lambda pairs: np.random.default_rng(seed).choice(SCORES, size=len(pairs)), sure=0.1)
    for cluster in clusters_of(links):
        assert len(cluster) > 1
        assert len({appearances[a][1] for a in cluster}) == len(cluster)
    assert ((links.probability >= 0.1) == (links.cluster >= 0)).all()
    assert (links.probability < 1).all()


@few
@given(releases(), st.data())
def test_the_order_in_which_appearances_stand_decides_nothing(appearances, data):
    order = data.draw(st.permutations(range(len(appearances))))
    moved = [appearances[place] for place in order]

    def score(shown):
        # any symmetric function of the two, all different: ties would be another test
        return lambda pairs: np.array([_score(shown[p], shown[q]) for p, q in ordered(pairs)])

    one, two = (link_pairs(view_of(shown), score(shown), sure=0.2, nearest=4) for shown in (appearances, moved))
    assert clusters_of(one) == {frozenset(order[a] for a in cluster) for cluster in clusters_of(two)}


def _score(one, two):
    first, second = sorted((one[1:], two[1:]))
    return (hash((first, second)) % 9973) / 9973


def test_equally_sure_pairs_of_one_appearance_are_no_links():
    view = view_of([(5, 0, 0), (5, 1, 0), (5, 1, 1)])
    assert (link_pairs(view, lambda pairs: np.full(len(pairs), 0.999), sure=0.1).cluster == -1).all()


def test_a_lone_sure_pair_is_a_link():
    view = view_of([(5, 0, 0), (5, 1, 0)])
    links = link_pairs(view, lambda pairs: np.full(len(pairs), 0.99))
    assert links.cluster.tolist() == [0, 0]
    # odds of 99 against one for none being right
    assert links.probability.tolist() == pytest.approx([0.99, 0.99])
    assert (link_pairs(view, lambda pairs: np.full(len(pairs), 0.4)).cluster == -1).all()


def test_nobody_and_nothing():
    for appearances in ([], [(5, 0, 0)], [(5, 0, 0), (5, 0, 1)]):
        view = view_of(appearances)
        assert len(near_pairs(view, 3)) == 0
        links = link_pairs(view, lambda pairs: np.full(len(pairs), 0.5))
        assert links.cluster.tolist() == [-1] * len(appearances)
        assert links.probability.tolist() == [0.0] * len(appearances)
    links = Links.along(NO_PAIRS, np.empty(0), np.zeros(3, dtype=np.int32))
    assert links.cluster.tolist() == [-1, -1, -1]
