"""Utility: closed forms, networkx as oracle, bounds and symmetry, made-up and merged people, sub-graphs."""

import json
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thinveil
from tests.naive import utility as naive
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.graph.thinning import thin
from thinveil.measures.utility import FAMILIES, choose, utility
from thinveil.measures.utility.distances import rank_correlation
from thinveil.measures.utility.shortest import betweenness
from thinveil.schemes import NOBODY, Release, Secret, make_scheme, read_release, write_release
from thinveil.schemes.base import Published

NAMES = [about.name for family in FAMILIES for about in family.measures]


def graph_of(edges, nodes=None):
    source, target = np.array([*edges], dtype=np.int64).reshape(-1, 2).T
    return Graph.from_edges(source, target, node_count=nodes)


def clique(n):
    return graph_of([(u, v) for u in range(n) for v in range(u)])


def star(n):
    return graph_of([(0, v) for v in range(1, n)])


def path(n):
    return graph_of([(v, v + 1) for v in range(n - 1)])


def with_truth(public, people=None, others=None):
    people = np.arange(public.node_count) if people is None else np.asarray(people)
    return Release.of([Published(public, Secret(people.astype(np.int32), others=others))])


def values(graph, release, **more):
    return {one.name: one for one in utility(graph, release, **more).measures}


def random_graph(seed, n=40, p=0.12):
    return graph_of(nx.gnp_random_graph(n, p, seed=seed).edges, n)


def deleted(graph, share, seed=1):
    return thin(graph, np.arange(graph.node_count, dtype=np.int32), share, seed)


# closed forms


def test_clique_beside_itself_is_the_same_in_all_that_can_be_said():
    found = values(clique(8), with_truth(clique(8)))
    assert all(one.distance == 0 for one in found.values() if one.distance is not None)
    assert [name for name, one in found.items() if one.distance is None] == ["assortativity"]
    assert "nodes of one degree" in found["assortativity"].reason
    told = {"nodes": 8, "edges": 28, "degrees": 7, "local-clustering": 1, "global-clustering": 1, "triangles": 56,
            "path-lengths": 1, "connected": 1, "cores": 7, "edges-kept": 28}  # fmt: skip
    assert {name: found[name].original for name in told} == told
    assert found["eigenvalues"].original == pytest.approx(7)


def test_star_beside_path():
    found = values(star(5), with_truth(path(5)))
    assert found["degrees"].distance == pytest.approx(2 / 5)  # 4 of 5 have degree 1 in the star, 2 of 5 in the path
    assert found["joint-degrees"].distance == 1
    assert found["assortativity"].original == pytest.approx(-1)
    assert found["assortativity"].release == pytest.approx(-1 / 3)
    assert found["local-clustering"].distance == found["triangles"].distance == 0
    assert found["path-lengths"].original == pytest.approx(8 / 5)
    assert found["path-lengths"].release == pytest.approx(2)
    assert found["path-lengths"].distance == pytest.approx(3 / 10)
    assert found["eigenvalues"].original == pytest.approx(2)
    assert found["eigenvalues"].release == pytest.approx(np.sqrt(3))
    # sizes 2, 2 beside sqrt 3, sqrt 3, 1, 1
    assert found["eigenvalues"].distance == pytest.approx((2 * (2 - np.sqrt(3)) + 2) / 6)
    assert found["edges-kept"].distance == pytest.approx(3 / 4)


def test_effective_diameter_lies_between_whole_steps():
    # of 4 * 3 = 12 ordered pairs 6, 4, 2 are 1, 2, 3 apart: 90% of them are 10.8
    assert values(path(4), path(4))["effective-diameter"].original == pytest.approx(2 + 0.8 / 2)


def test_two_cliques_have_two_communities():
    edges = [(u, v) for first in (0, 10) for u in range(first, first + 10) for v in range(first, u)]
    found = values(graph_of(edges), with_truth(graph_of(edges)))
    assert found["communities"].original == 1
    assert found["modularity"].original == pytest.approx(0.5)
    assert found["communities"].distance == found["modularity"].distance == 0


def test_a_shuffled_order_of_people_is_seen_and_a_reversed_one_is_at_the_far_end():
    ranks = np.arange(10.0)
    assert rank_correlation(ranks, ranks[::-1]) == -1
    assert rank_correlation(ranks, np.ones(10)) == 0
    assert rank_correlation(np.ones(10), np.zeros(10)) == 1


# an outside oracle


@pytest.mark.parametrize("seed", range(4))
def test_values_are_those_of_networkx(seed):
    graph = random_graph(seed)
    whole = nx.gnp_random_graph(40, 0.12, seed=seed)
    found = values(graph, with_truth(graph))
    assert found["assortativity"].original == pytest.approx(nx.degree_assortativity_coefficient(whole))
    assert found["global-clustering"].original == pytest.approx(nx.transitivity(whole))
    local = nx.clustering(whole, [v for v in whole if whole.degree(v) > 1])
    assert found["local-clustering"].original == pytest.approx(np.mean(list(local.values())))
    assert found["triangles"].original == sum(nx.triangles(whole).values()) / 3
    assert found["cores"].original == max(nx.core_number(whole).values())
    far = [d for v, row in nx.all_pairs_shortest_path_length(whole) for w, d in row.items() if v != w]
    assert found["path-lengths"].original == pytest.approx(np.mean(far))
    assert found["connected"].original == pytest.approx(len(far) / (40 * 39))
    assert found["eigenvalues"].original == pytest.approx(max(nx.adjacency_spectrum(whole).real))


@pytest.mark.parametrize("seed", range(4))
def test_orders_of_people_are_those_of_networkx(seed):
    first, second = random_graph(seed), deleted(random_graph(seed), 0.2)
    found = values(first, with_truth(second))
    wholes = [nx.Graph(), nx.Graph()]
    for whole, graph in zip(wholes, (first, second), strict=True):
        whole.add_nodes_from(range(40))
        whole.add_edges_from(zip(np.repeat(np.arange(40), graph.degrees), graph.indices, strict=True))
    for name, centrality in (("pagerank", nx.pagerank), ("betweenness", nx.betweenness_centrality)):
        each = [np.array([centrality(whole)[v] for v in range(40)]) for whole in wholes]
        assert found[name].release == pytest.approx(rank_correlation(*each), abs=2e-3), name


def test_eigenvector_centrality_is_that_of_networkx():
    graph = graph_of(nx.barabasi_albert_graph(300, 3, seed=1).edges)
    whole = nx.barabasi_albert_graph(300, 3, seed=1)
    expected = nx.eigenvector_centrality_numpy(whole)
    from thinveil.measures.utility.spectrum import find_spectrum

    centrality = find_spectrum(graph)[1]
    wanted = np.array([expected[v] for v in range(300)])
    assert centrality == pytest.approx(np.abs(wanted) / np.abs(wanted).max(), abs=2e-6)


@pytest.mark.parametrize("seed", range(3))
def test_shortest_paths_are_those_of_the_plain_loops(seed):
    graph = random_graph(seed, n=25)
    rows = [set(graph.neighbors(v).tolist()) for v in range(25)]
    groups = [np.array([0, 3, 7]), np.array([], dtype=np.int64), np.arange(25)]
    for found, group in zip(betweenness(graph, groups), groups, strict=True):
        assert found == pytest.approx(naive.paths_through(rows, group.tolist()))


# bounds and symmetry


@st.composite
def two_graphs(draw):
    n = draw(st.integers(1, 12))
    pairs = st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30)
    return graph_of(draw(pairs), n), graph_of(draw(pairs), n)


@given(two_graphs())
@settings(max_examples=60, deadline=None)
def test_every_distance_is_bounded_symmetric_and_nothing_between_a_graph_and_itself(graphs):
    first, second = graphs
    there, back, same = values(first, with_truth(second)), values(second, with_truth(first)), values(
        first, with_truth(first))  # fmt: skip
    for name in NAMES:
        for one in (there[name], back[name], same[name]):
            assert (one.distance is None) == bool(one.reason)
            assert one.distance is None or 0 <= one.distance <= 1
        assert same[name].distance in (0, None)
        if there[name].distance is not None and back[name].distance is not None:
            assert there[name].distance == pytest.approx(back[name].distance, abs=1e-9), name
        else:
            assert there[name].distance is back[name].distance is None, name


def test_sampled_distances_are_bounded_and_their_errors_honest():
    graph = synthetic_graph(3_000, seed=2)
    noisy = with_truth(deleted(graph, 0.3))
    exact = values(graph, noisy, measures="paths,betweenness", sources=3_000)
    assert all(one.error is None for one in exact.values())
    for seed in range(5):
        found = values(graph, noisy, measures="paths,betweenness", seed=seed)
        for name, one in found.items():
            assert one.error is not None
            assert one.error < 0.05
            assert abs(one.distance - exact[name].distance) < 5 * one.error + 0.005, (seed, name)


# pseudonyms, threads, repetition


def test_pseudonyms_keep_everything():
    graph = synthetic_graph(2_000, seed=3)
    found = utility(graph, make_scheme("pseudonyms").publish(graph, seed=5))
    assert all(one.distance == 0 for one in found.measures)
    assert found.fakes.reason == "no edges were added"
    assert found.basis == "the published graph, beside the whole original"


def test_more_damage_is_more_distance():
    graph = synthetic_graph(2_000, seed=3)
    little, much = (values(graph, with_truth(deleted(graph, share))) for share in (0.05, 0.6))
    for name in NAMES:
        if name not in ("nodes", "assortativity", "modularity"):
            assert little[name].distance < much[name].distance, name


def test_the_same_on_any_number_of_threads():
    graph = synthetic_graph(2_000, seed=3)
    noisy = with_truth(deleted(graph, 0.3))
    one, four = (utility(graph, noisy, threads=threads, seed=4).to_dict() for threads in (1, 4))
    assert json.dumps(one) == json.dumps(four)


def test_the_same_in_another_process_with_another_number_of_threads_for_networkit():
    words = (
        "import networkit, json; networkit.setNumberOfThreads({})\n"
        "from thinveil import *; g = synthetic_graph(1500, seed=3)\n"
        "from thinveil.schemes import make_scheme\n"
        "print(json.dumps(utility(g, make_scheme('d4d-1:egonets=3,min_size=50').publish(g, seed=1)).to_dict()))\n"
        "assert networkit.getMaxNumberOfThreads() == {}"
    )
    told = [
        subprocess.run([sys.executable, "-c", words.format(k, k)], capture_output=True, check=True, text=True).stdout
        for k in (1, 3)
    ]
    assert told[0] == told[1]
    assert json.loads(told[0])["compared"] == 3


# who is aligned


def test_without_the_truth_nobody_is_aligned():
    graph = synthetic_graph(1_000, seed=3)
    found = values(graph, make_scheme("pseudonyms").publish(graph, seed=5).without_secret())
    for name in ("pagerank", "eigenvector", "betweenness", "communities", "edges-kept"):
        assert found[name].distance is None
        assert found[name].reason == "nobody is aligned: the truth was not given"
    assert found["degrees"].distance == found["triangles"].distance == 0


def test_where_nobody_stands_behind_a_node_nobody_is_aligned():
    graph = path(6)
    found = values(graph, with_truth(path(6), np.full(6, NOBODY)))
    assert found["pagerank"].reason == "nobody is aligned: nobody stands behind the nodes alone"
    assert found["degrees"].distance == 0


def test_people_are_found_by_their_numbers_whatever_their_order():
    graph = path(5)
    people = np.array([4, 0, 3, 1, 2])
    place = np.argsort(people)
    shuffled = graph_of([(place[v], place[v + 1]) for v in range(4)])
    assert values(graph, with_truth(shuffled, people))["edges-kept"].distance == 0
    assert values(graph, with_truth(shuffled))["edges-kept"].distance > 0


def test_made_up_people_hold_no_edges_of_the_original():
    # a path of 3 people, and two nodes that nobody stands behind
    public = graph_of([(0, 1), (1, 2), (2, 3), (3, 4)])
    found = values(path(3), with_truth(public, [0, 1, 2, NOBODY, NOBODY]))
    assert (found["edges-kept"].release, found["edges-kept"].distance) == (2, 0.5)
    assert (found["nodes"].original, found["nodes"].release, found["nodes"].distance) == (3, 5, 0.4)


def test_people_who_were_left_out_and_people_put_into_one_node():
    # 0 - 1 - 2 - 3 - 4; person 4 is left out, and 2 and 3 are one node
    public = graph_of([(0, 1), (1, 2)])
    found = values(path(5), with_truth(public, [0, 1, 2], others=np.array([[2], [3]])))
    assert found["edges-kept"].release == 1
    assert found["nodes"].release == 3
    assert found["pagerank"].distance is not None


def test_a_release_that_was_written_and_read_back_is_the_same(tmp_path):
    edges = [(f"p{u}", f"p{v}") for u, v in nx.gnp_random_graph(60, 0.1, seed=1).edges]
    labels, ends = np.unique(np.array(edges), return_inverse=True)
    graph = Graph.from_edges(*ends.reshape(-1, 2).T, labels=labels)
    release = make_scheme("pseudonyms").publish(graph, seed=1)
    write_release(release, tmp_path / "release", tmp_path / "truth.parquet")
    back = read_release(tmp_path / "release", tmp_path / "truth.parquet")
    assert all(one.distance == 0 for one in utility(graph, back).measures)
    with pytest.raises(InputError, match="whom the graph does not have"):
        utility(path(60), back)


# sub-graphs


def test_egonets_are_compared_with_the_graphs_own():
    graph = synthetic_graph(2_000, seed=3)
    found = utility(graph, make_scheme("d4d-1:egonets=4,min_size=50").publish(graph, seed=5))
    assert all(one.distance == 0 for one in found.measures if one.name != "communities")
    assert (found.subgraphs, found.compared) == (4, 4)
    assert found.basis.startswith("all 4 sub-graphs, each beside the original's own among the same people")


def test_egonets_without_edges_between_the_outermost_keep_less():
    graph = synthetic_graph(2_000, seed=3)
    release = make_scheme("d4d-2:egonets=12,min_size=50").publish(graph, seed=5)
    found = utility(graph, release, subgraphs=5)
    assert (found.subgraphs, found.compared) == (12, 5)
    kept = found["edges-kept"]
    assert 0.1 < kept.distance < 1
    assert kept.error > 0
    assert kept.subgraphs == 5
    every = utility(graph, release)["edges-kept"]
    assert every.error is None
    assert abs(every.distance - kept.distance) < 5 * kept.error
    blind = utility(graph, release.without_secret())
    assert blind.compared == 0
    assert all(one.distance is None and "truth" in one.reason for one in blind.measures)


# choosing, and what is refused


def test_measures_are_chosen_by_family_or_by_name():
    chosen = {about.name for abouts in choose("clustering, pagerank").values() for about in abouts}
    assert chosen == {"local-clustering", "global-clustering", "pagerank"}
    found = utility(clique(5), clique(5), measures=["paths", "degrees"])
    assert [one.name for one in found.measures] == [
        "degrees", "joint-degrees", "assortativity", "path-lengths", "connected", "effective-diameter"
    ]  # fmt: skip
    assert found["degrees"].family == "degrees"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: utility(path(3), path(3), measures="clusterin"), "clusterin"),
        (lambda: utility(path(3), path(3), measures=""), "unknown measure"),
        (lambda: utility(path(3), path(3))["degree"], "degrees"),
        (lambda: utility(5, path(3)), "not a graph"),
        (lambda: utility(path(3), "path"), "path: no such file"),
        (lambda: utility(path(3), Release((), None)), "no sub-graph"),
        (lambda: utility(path(3), path(3), sources=1), "at least 32"),
        (lambda: utility(path(3), with_truth(path(5))), "person 4"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_graph_without_nodes_or_edges():
    empty = graph_of([], 0)
    assert {one.reason for one in utility(path(3), empty).measures} == {"one of the two graphs has no nodes"}
    bare = values(path(3), with_truth(graph_of([], 3)))
    assert bare["edges-kept"].distance == bare["edges"].distance == bare["eigenvalues"].distance == 1
    assert "reach" in bare["effective-diameter"].reason


def test_utility_is_there_under_its_name():
    assert thinveil.utility(path(3), path(3))["degrees"].distance == 0
