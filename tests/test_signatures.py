"""The invariant of the ad-hoc attack (Section 2.3)."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import from_networkx, rows_of
from tests.naive import signatures as naive
from thinveil.features import Signature
from thinveil.features.channels.signatures import _fingerprints
from thinveil.graph import Graph
from thinveil.graph.csr import common_neighbors


@st.composite
def graphs(draw):
    nodes = draw(st.integers(1, 14))
    edges = draw(st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), max_size=50))
    source, target = zip(*edges, strict=True) if edges else ((), ())
    return Graph.from_edges(list(source), list(target), node_count=nodes)


@given(graphs())
def test_common_neighbors_equal_plain_twin(graph):
    assert common_neighbors(graph.indptr, graph.indices).tolist() == naive.common_neighbors(rows_of(graph))


@given(graphs())
def test_fingerprints_are_equal_just_where_signatures_are(graph):
    nodes = np.arange(graph.node_count, dtype=np.int32)
    comp = [tuple(row) for row in Signature().extract(graph, nodes).tolist()]
    ref = [tuple(naive.signature(rows_of(graph), node)) for node in nodes]
    for u in nodes:
        for v in nodes:
            assert (comp[u] == comp[v]) == (ref[u] == ref[v])


def test_the_papers_example():
    """Three friends of degrees 19, 8 and 25 in the 1-hop network: the signature is {3, 8, 19, 25}.

    (No friend can have more than 3 neighbours in a network of 4 people; the example shows the form only.)
    """
    shared = np.array([18, 7, 24, 7, 18, 24, 7, 18, 23], dtype=np.int32)  # a degree is one more than what is shared
    one, reordered, other = _fingerprints(np.array([0, 3, 6, 9]), shared, np.arange(3, dtype=np.int32)).tolist()
    assert one[0] == 3
    assert one == reordered
    assert one != other


def test_triangles_are_those_of_networkx(crowd):
    outside = nx.Graph(zip(np.repeat(np.arange(crowd.node_count), crowd.degrees), crowd.indices, strict=True))
    shared = common_neighbors(crowd.indptr, crowd.indices)
    per_node = np.add.reduceat(shared, crowd.indptr[:-1]) // 2
    triangles = nx.triangles(outside)
    assert per_node.tolist() == [triangles[v] for v in range(crowd.node_count)]


@pytest.mark.parametrize("size", [3, 10, 70])
def test_cliques_and_stars(size):
    clique, star = from_networkx(nx.complete_graph(size)), from_networkx(nx.star_graph(size))
    assert (common_neighbors(clique.indptr, clique.indices) == size - 2).all()
    assert (common_neighbors(star.indptr, star.indices) == 0).all()


def test_relabelling_moves_signatures_along(crowd):
    order = np.random.default_rng(1).permutation(crowd.node_count)
    source = np.repeat(np.arange(crowd.node_count), crowd.degrees)
    moved = Graph.from_edges(order[source], order[crowd.indices])
    nodes = np.arange(crowd.node_count, dtype=np.int32)
    one, two = (Signature().extract(graph, nodes) for graph in (crowd, moved))
    assert (one == two[order]).all()
