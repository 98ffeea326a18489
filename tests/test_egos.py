import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import FIGURE_1, FIGURE_2, few, from_networkx, from_pairs, graphs, rows_of
from tests.naive import egos as naive
from thinveil.graph import Graph
from thinveil.schemes import D4D1, D4D2, detect_ego


@few
@given(graphs())
def test_equals_plain_twin(graph):
    assert detect_ego(graph) == naive.detect_ego(rows_of(graph))


@pytest.mark.parametrize("seed", range(15))
def test_equals_plain_twin_beyond_the_witnesses(seed):
    crowd = nx.gnm_random_graph(50, 120 + 20 * seed, seed=seed)  # 32 of the 50 nodes are witnesses
    assert detect_ego(from_networkx(crowd)) == naive.detect_ego([sorted(crowd[v]) for v in crowd])


def test_the_papers_toy_egonet():
    # n2 is within two hops of everybody as well: "we cannot detect the ego accurately"
    for figure in (FIGURE_1, FIGURE_2):
        assert detect_ego(from_pairs(figure)) is None
        assert detect_ego(from_pairs([*figure, (1, 8), (2, 9), (3, 10)])) == 0  # one more friend each decides


@pytest.mark.parametrize(
    ("graph", "ego"),
    [
        (nx.star_graph(5), None),  # every leaf reaches every other in two
        (nx.complete_graph(6), None),
        (nx.path_graph(5), 2),
        (nx.path_graph(4), None),  # both in the middle
        (nx.path_graph(6), None),  # nobody
        (nx.path_graph(1), 0),
        (nx.path_graph(2), None),
        (nx.balanced_tree(4, 2), 0),
        (nx.balanced_tree(50, 2), 0),
        (nx.cycle_graph(5), None),
        (nx.empty_graph(3), None),
    ],
)
def test_closed_forms(graph, ego):
    assert detect_ego(from_networkx(graph)) == ego


def test_no_nodes_no_ego():
    assert detect_ego(Graph.from_edges([], [])) is None


@pytest.mark.parametrize("scheme", [D4D1, D4D2])
def test_a_detected_ego_is_always_the_true_one(scheme, crowd):
    # the true ego always reaches everybody; if only one node does, it is the ego
    release = scheme(egonets=60, min_size=20).publish(crowd, seed=2)
    found = [
        (detect_ego(public), int(np.flatnonzero(secret.hops == 0)[0]))
        for public, secret in zip(release.public, release.secret, strict=True)
    ]
    assert all(detected in (None, ego) for detected, ego in found)
    assert any(detected is not None for detected, _ in found)


@few
@given(graphs(), st.randoms())
def test_relabelling_moves_the_ego(graph, random):
    names = list(range(graph.node_count))
    random.shuffle(names)
    rows = rows_of(graph)
    renamed = from_pairs([(names[v], names[u]) for v in names for u in rows[v]], graph.node_count)
    ego = detect_ego(graph)
    assert detect_ego(renamed) == (None if ego is None else names[ego])
