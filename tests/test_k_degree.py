"""k-degree anonymity: every class of equal degrees has at least k people, at the least cost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import changes
from tests.test_whole_schemes import TOWN, by_person, edges, published, true_edges
from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.schemes import Promise, make_scheme
from thinveil.schemes.k_degree import even_sum, wanted_degrees


def smallest_class(degrees):
    return np.unique(degrees, return_counts=True)[1].min()


@pytest.mark.parametrize("k", [2, 5, 10, 50, 400])
def test_at_least_k_people_share_each_degree(k):
    release = published(TOWN, f"k-degree:k={k}")
    assert smallest_class(release.public[0].degrees) >= k
    kept = len(true_edges(release) & edges(TOWN)) / TOWN.edge_count
    assert kept > (0.94 if k <= 10 else 0.4)


def test_few_edges_are_changed():
    release = published(TOWN, "k-degree:k=10")
    wanted = even_sum(wanted_degrees(TOWN.degrees, 10, up=False), 10)
    assert np.array_equal(by_person(release), wanted)
    moved = np.abs(wanted - TOWN.degrees).sum()
    assert len(true_edges(release) ^ edges(TOWN)) <= 1.3 * moved


@pytest.mark.parametrize("k", [2, 5, 20])
def test_only_adding_keeps_all_edges(k):
    release = published(TOWN, f"k-degree:k={k},additions=yes")
    assert smallest_class(release.public[0].degrees) >= k
    assert true_edges(release) >= edges(TOWN)
    assert release.public[0].edge_count > published(TOWN, f"k-degree:k={k}").public[0].edge_count


@settings(max_examples=200, deadline=None)
@given(degrees=st.lists(st.integers(0, 30), min_size=1, max_size=25), k=st.integers(2, 6), up=st.booleans())
def test_the_degrees_wanted_cost_least(degrees, k, up):
    k = min(k, len(degrees))
    degrees = np.array(degrees)
    wanted = wanted_degrees(degrees, k, up=up)
    assert smallest_class(wanted) >= k
    assert np.abs(wanted - degrees).sum() == changes.least_cost(sorted(degrees.tolist(), reverse=True), k, up)
    assert not up or (wanted >= degrees).all()
    even = even_sum(wanted, k)
    assert even.sum() % 2 == 0
    assert even.size < 2 or 0 <= even.min() <= even.max() <= max(even.size - 1, 30)
    assert smallest_class(even) >= k


def test_what_cannot_be_done_is_refused():
    with pytest.raises(SampleError, match="groups of 10 need as many people, and the graph has 3: give k=3 or less"):
        published(Graph.from_edges([0], [1], node_count=3), "k-degree")
    with pytest.raises(SampleError, match="give a smaller k, or additions=no"):
        published(Graph.from_edges([0], [1], node_count=3), "k-degree:k=3,additions=yes")


def test_where_nobody_is_left_to_be_joined_that_is_said():
    # person 6 lacks one contact, and only 4 and 5 are none of theirs: a class of two, which cannot be parted
    ends = [(0, 1), (0, 2), (0, 3), (0, 5), (0, 6), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 3), (2, 4), (2, 5),
            (2, 6), (3, 4), (3, 6)]  # fmt: skip
    with pytest.raises(SampleError, match="no graph was found in which 2 of 7 people"):
        published(Graph.from_edges(*zip(*ends, strict=True)), "k-degree:k=2,additions=yes")


def test_the_promise_is_stated():
    assert make_scheme("k-degree:k=7").promise == Promise("k", 7, "degree")
    assert "at least 6 others" in make_scheme("k-degree:k=7").describe()
