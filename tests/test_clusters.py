"""Clusters of k people who look alike: by their contacts, and by these contacts' contacts."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_whole_schemes import TOWN, edges, graphs, published, true_edges
from thinveil.errors import SampleError
from thinveil.schemes import Promise, make_scheme


def smallest_class(graph, hops):
    """Return how many share what is known of somebody, at the least: rounds of refining colours, one a hop."""
    color = [0] * graph.node_count
    for _ in range(hops + 1):
        seen = [(color[v], tuple(sorted(color[w] for w in graph.neighbors(v)))) for v in range(graph.node_count)]
        names = {one: k for k, one in enumerate(sorted(set(seen)))}
        color = [names[one] for one in seen]
    return min(Counter(color).values())


@pytest.mark.parametrize("k", [2, 5, 20])
def test_clusters_have_equal_degrees(k):
    release = published(TOWN, f"clusters:k={k}")
    assert smallest_class(release.public[0], 0) >= k
    assert len(true_edges(release) & edges(TOWN)) > 0.9 * TOWN.edge_count


@pytest.mark.parametrize("k", [2, 3, 8, 20])
def test_clusters_look_alike_however_far_one_looks(k):
    release = published(TOWN, f"clusters:k={k},hops=1")
    assert smallest_class(release.public[0], 1) >= k
    assert smallest_class(release.public[0], 5) >= k
    assert release.public[0].edge_count == pytest.approx(TOWN.edge_count, rel=0.1)
    assert len(true_edges(release) & edges(TOWN)) > 0.9 * TOWN.edge_count / k


@settings(max_examples=100, deadline=None)
@given(graph=graphs, k=st.integers(2, 6), hops=st.integers(0, 1))
def test_any_small_graph_is_in_clusters_or_refused(graph, k, hops):
    try:
        release = published(graph, f"clusters:k={k},hops={hops}")
    except SampleError:
        assert hops == 0 or graph.node_count < k
        return
    assert smallest_class(release.public[0], 3 * hops) >= k


def test_the_promise_is_stated():
    assert make_scheme("clusters").promise == Promise("k", 5, "degree")
    assert make_scheme("clusters:hops=1").promise == Promise("k", 5, "degree and neighbours' degrees")
