"""What everybody can see without an attack: candidates, made-up edges, and how an audit tells of both."""

from dataclasses import dataclass, replace
from typing import ClassVar

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thinveil
from tests.naive import utility as naive
from thinveil.auditing.seeing import see
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.fakes import Known, adamic_adar, find_fakes
from thinveil.measures.uniqueness import SIZES, TRAITS, count_candidates, find_uniqueness
from thinveil.measures.utility import utility
from thinveil.report.page import build_page
from thinveil.report.sections.seen import fakes_sentence
from thinveil.runtime.streams import stream
from thinveil.schemes import NOBODY, Release, Secret
from thinveil.schemes.base import Published


def graph_of(edges, nodes=None):
    source, target = np.array([*edges], dtype=np.int64).reshape(-1, 2).T
    return Graph.from_edges(source, target, node_count=nodes)


def known(public, people=None, several=()):
    people = np.arange(public.node_count) if people is None else np.asarray(people)
    return Known(public, people.astype(np.int32), np.isin(np.arange(public.node_count), several))


def with_noise(graph, count, seed=0):
    """Return the graph with edges between people drawn by lot."""
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    more = np.random.default_rng(seed).integers(graph.node_count, size=(2, count))
    ends = np.concatenate((np.stack((source, graph.indices)), more), axis=1)
    return Graph.from_edges(*ends, node_count=graph.node_count)


# candidates


@given(st.integers(1, 14), st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=40))
@settings(max_examples=80, deadline=None)
def test_candidates_are_those_of_the_plain_loops(nodes, pairs):
    edges = [(u % nodes, v % nodes) for u, v in pairs if u % nodes != v % nodes]
    expected = naive.candidate_counts(naive.neighbors_of(nodes, edges))
    ends = [least for least, _ in SIZES] + [np.inf]
    for found, counts in zip(count_candidates(graph_of(edges, nodes)), expected, strict=True):
        assert found.tolist() == np.histogram(counts, bins=ends)[0].tolist()


def test_a_clique_hides_everybody_and_a_star_all_but_its_middle():
    clique, star = (graph_of(nx.complete_graph(30).edges), graph_of(nx.star_graph(29).edges))
    found = find_uniqueness(clique, [star, star])
    assert [one.knowing for one in found.original] == [one.knowing for one in found.release] == list(TRAITS)
    assert all(one.sizes == (0, 0, 0, 0, 1) for one in found.original)
    for one in found.release:
        assert one.sizes == pytest.approx((1 / 30, 0, 0, 0, 29 / 30))
        assert one.alone == one.sizes[0]
    assert (found.people, found.nodes, found.subgraphs) == (30, 60, 2)


def test_whoever_knows_more_finds_fewer_candidates():
    graph = synthetic_graph(2_000, seed=1)
    alone = [one.alone for one in find_uniqueness(graph, [graph]).original]
    assert alone[0] < alone[1] < alone[2]


def test_nothing_published_is_nobody_alone():
    found = find_uniqueness(graph_of([], 0), [graph_of([], 0)])
    assert all(one.sizes == (0,) * 5 for one in (*found.original, *found.release))


# made-up edges


@pytest.mark.parametrize("seed", range(3))
def test_adamic_adar_is_that_of_the_plain_loops_and_of_networkx(seed):
    whole = nx.gnp_random_graph(30, 0.25, seed=seed)
    graph, rows = graph_of(whole.edges, 30), naive.neighbors_of(30, whole.edges)
    pairs = [(u, v) for u in range(30) for v in range(u)]
    weights = 1 / np.log(np.maximum(graph.degrees, 2))
    ends = np.array(pairs, dtype=np.int32).T.copy()
    found = adamic_adar(graph.indptr, graph.indices, weights, ends[0], ends[1])
    assert found == pytest.approx(naive.weighted_common(rows, weights, pairs))
    assert found == pytest.approx([score for _, _, score in nx.adamic_adar_index(whole, pairs)])


def test_random_edges_in_a_clustered_graph_are_told():
    graph = graph_of(nx.connected_watts_strogatz_graph(1_000, 10, 0.05, seed=1).edges)
    found = find_fakes(graph, [known(with_noise(graph, 500))])
    assert 400 < found.fake <= 500
    assert found.edges == 5_000 + found.fake
    assert found.auc > 0.95
    assert found.low < found.auc < found.high <= 1
    assert found.auc == max(found.scores.values())


def test_what_chance_made_is_not_told_from_what_chance_made():
    graph = graph_of(nx.gnm_random_graph(2_000, 8_000, seed=1).edges, 2_000)
    inside = 0
    for seed in range(20):
        found = find_fakes(graph, [known(with_noise(graph, 800, seed))])
        inside += found.low <= 0.5 <= found.high
    assert inside >= 18


def test_edges_of_made_up_people_are_made_up_and_those_of_merged_ones_are_not_judged():
    public = graph_of([(0, 1), (1, 2), (2, 3), (0, 2)])
    path = graph_of([(0, 1), (1, 2), (2, 3)])
    assert find_fakes(path, [known(public)]).fake == 1
    assert find_fakes(path, [known(public, [0, 1, NOBODY, 3])]).fake == 3
    left = find_fakes(path, [known(public, several=[2])])
    assert (left.edges, left.fake, left.auc, left.reason) == (1, 0, None, "no edges were added")
    assert find_fakes(path, []).reason == "there are no edges to judge"
    assert find_fakes(graph_of([], 4), [known(public)]).reason == "all edges were made up"


def test_utility_tells_of_made_up_edges_too():
    graph = synthetic_graph(1_500, seed=1)
    noisy = with_noise(graph, 900)
    release = Release.of([Published(noisy, Secret(np.arange(1_500, dtype=np.int32)))])
    found = utility(graph, release, measures="edges-kept")
    assert found.fakes == find_fakes(graph, [known(noisy)])
    assert found.fakes.auc > 0.6
    assert utility(graph, noisy, measures="edges-kept").fakes.reason == "the truth was not given"


# in an audit


@dataclass(frozen=True)
class Noisy:
    """Publish the whole graph with made-up edges."""

    name: ClassVar[str] = "noisy"

    def describe(self):
        return "publishes the whole graph with made-up edges"

    def publish(self, graph, *, seed, avoid=()):
        people = stream(seed, "noisy", len(avoid)).permutation(graph.node_count).astype(np.int32)
        place = np.argsort(people)
        noisy = with_noise(graph, 1_000)
        source = np.repeat(np.arange(graph.node_count), noisy.degrees)
        public = Graph.from_edges(place[source], place[noisy.indices], node_count=people.size)
        return Release.of([Published(public, Secret(people))], scheme=self.name, graph=graph)


def test_an_audit_counts_candidates_of_each_sub_graph():
    graph = synthetic_graph(2_000, seed=1)
    result = thinveil.audit(graph, "d4d-2:egonets=6,min_size=50", attack="forest:trees=5", seed=1)
    told = result.to_dict()["uniqueness"]
    assert told["subgraphs"] == 6
    assert told["people"] == 2_000
    assert told["original"][0]["alone"] == find_uniqueness(graph, [graph]).original[0].alone
    assert 0 < told["release"][0]["alone"] < told["release"][2]["alone"] < 1
    assert "fake_edges" not in result.to_dict()
    page = build_page(result)
    assert "What everybody can see without an attack" in page
    assert "the only one in their sub-graph" in page
    assert "bounds nothing for whoever knows more" in page
    assert "made up" not in page


def test_an_audit_of_a_scheme_that_adds_edges_says_how_well_they_are_told():
    graph = synthetic_graph(1_500, seed=1)
    result = thinveil.audit(graph, Noisy(), threat="identification:node_overlap=0.8,edge_overlap=0.9", seed=1)
    told = result.to_dict()
    assert told["uniqueness"]["subgraphs"] == 1  # the auxiliary graph is not published
    assert told["fake_edges"]["fake"] > 900
    assert 0.5 < told["fake_edges"]["auc"] < 1
    page = build_page(result)
    assert "are made up" in page
    assert "only one in their sub-graph" not in page


def test_made_up_edges_are_told_in_words():
    path = graph_of([(0, 1), (1, 2)])
    none = find_fakes(path, [known(graph_of([(0, 2)], 3))])
    assert fakes_sentence(none) == "Of 1 published edge, 1 are made up: all edges were made up."
    assert fakes_sentence(none, subgraphs=7).startswith("Of 1 published edge in 1 of the 7 sub-graphs, 1 are made up")
    assert fakes_sentence(None) == ""
    told = replace(none, auc=0.91, low=0.9, high=0.92, best="Jaccard", scores={"Jaccard": 0.91})
    assert "0.91 (AUC; 95% interval 0.90 to 0.92" in fakes_sentence(told)


def test_edges_of_people_who_are_not_in_the_graph_are_left_out():
    graph = graph_of([(0, 1), (1, 2)], 3)
    published = graph_of([(0, 1), (0, 2), (2, 3)], 4)
    secret = Secret(np.array([0, 1, 2, 10**6]))
    seen = see(graph, Release((published,), (secret,), "elsewhere"), auxiliary=False)
    assert (seen.fakes.edges, seen.fakes.fake) == (2, 1)
