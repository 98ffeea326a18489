import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import edge_set, few, from_networkx, from_pairs, graphs, rows_of
from tests.naive import histograms as naive
from thinveil.errors import InputError
from thinveil.features import (
    FEATURES,
    DegreeHistogram,
    Needs,
    Signature,
    TwoHopHistogram,
    View,
    component_words,
    feature_words,
    label,
    make_channels,
    observe,
    vector_words,
)
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import D4D1, Secret

DEGREES = Needs((DegreeHistogram(),))


def all_nodes(graph):
    return np.arange(graph.node_count, dtype=np.int32)


def test_the_papers_example():
    degrees = [1, 1, 3, 3, 5, 6, 7, 13, 16, 20, 21, 30, 65, 69, 72, 1030, 1100]
    edges, fresh = [], 1 + len(degrees)
    for k, degree in enumerate(degrees, start=1):
        edges += [(0, k)] + [(k, fresh + extra) for extra in range(degree - 1)]
        fresh += degree - 1
    (vector,) = DegreeHistogram().extract(from_pairs(edges), np.array([0], dtype=np.int32)).tolist()
    # 68 * 15 < 1030 <= 69 * 15: the rule says bin 68, where the paper's figure shows it in bin 69
    assert vector == [8, 4, 0, 0, 3] + [0] * 63 + [1, 1]


@few
@given(graphs(), st.integers(1, 6), st.integers(1, 5), st.data())
def test_equals_plain_twin(graph, bins, bin_size, data):
    nodes = data.draw(st.lists(st.integers(0, graph.node_count - 1), max_size=10))
    comp = DegreeHistogram(bins, bin_size).extract(graph, np.array(nodes, dtype=np.int32))
    assert comp.shape == (len(nodes), bins)
    assert comp.tolist() == naive.histograms(rows_of(graph), nodes, bins, bin_size)
    assert comp.sum(axis=1).tolist() == graph.degrees[nodes].tolist()


@few
@given(graphs(), st.integers(1, 6), st.integers(1, 5), st.data())
def test_two_hops_equal_plain_twin(graph, bins, bin_size, data):
    nodes = data.draw(st.lists(st.integers(0, graph.node_count - 1), max_size=10))
    comp = TwoHopHistogram(bins, bin_size).extract(graph, np.array(nodes, dtype=np.int32))
    assert comp.shape == (len(nodes), bins)
    assert comp.tolist() == naive.two_hop(rows_of(graph), nodes, bins, bin_size)
    # who is one hop away is within two
    assert (comp >= DegreeHistogram(bins, bin_size).extract(graph, np.array(nodes, dtype=np.int32))).all()


def test_closed_forms_within_two_hops():
    star, clique = from_pairs([(0, leaf) for leaf in range(1, 8)]), from_networkx(nx.complete_graph(6))
    two_hop = TwoHopHistogram(8, 1)
    hub, leaf = [7, 0, 0, 0, 0, 0, 0, 0], [6, 0, 0, 0, 0, 0, 1, 0]
    assert two_hop.extract(star, all_nodes(star)).tolist() == [hub] + 7 * [leaf]
    assert two_hop.extract(clique, all_nodes(clique)).tolist() == 6 * [[0, 0, 0, 0, 5, 0, 0, 0]]


def test_channels_by_name():
    assert make_channels(("degrees", "two-hop"), bins=7, bin_size=3) == (DegreeHistogram(7, 3), TwoHopHistogram(7, 3))
    assert DegreeHistogram(7, 3).name != TwoHopHistogram(7, 3).name
    message = "unknown feature 'three-hop': did you mean 'two-hop'. known are degrees, two-hop"
    with pytest.raises(InputError, match=message):
        make_channels(["three-hop"], bins=7, bin_size=3)


@pytest.mark.parametrize("channel", [DegreeHistogram(4, 2), TwoHopHistogram(4, 2)])
@few
@given(graphs(), st.data())
def test_relabelling_moves_the_rows(channel, graph, data):
    names = data.draw(st.permutations(range(graph.node_count)))
    renamed = from_pairs([[names[v] for v in edge] for edge in edge_set(graph)], graph.node_count)
    before, after = channel.extract(graph, all_nodes(graph)), channel.extract(renamed, all_nodes(graph))
    assert (after[list(names)] == before).all()


@pytest.mark.parametrize(
    ("hub", "bins", "bin_size", "place"),
    [(1, 3, 5, 0), (5, 3, 5, 0), (6, 3, 5, 1), (15, 3, 5, 2), (16, 3, 5, 2), (99, 3, 5, 2), (9, 1, 1, 0)],
)
def test_edges_of_bins_and_the_last_one(hub, bins, bin_size, place):
    star = from_pairs([(0, leaf) for leaf in range(1, hub + 1)])
    (vector,) = DegreeHistogram(bins, bin_size).extract(star, np.array([1], dtype=np.int32)).tolist()
    assert vector == [int(k == place) for k in range(bins)]


@pytest.mark.parametrize(("bins", "bin_size"), [(0, 15), (70, 0), (-1, 15)])
def test_bad_parameters_are_named(bins, bin_size):
    with pytest.raises(InputError, match=f"{bins} bins of size {bin_size}: both must be 1 or more"):
        DegreeHistogram(bins, bin_size)


@pytest.fixture(scope="module")
def release(crowd):
    return D4D1(egonets=12, min_size=60).publish(crowd, seed=4)


@pytest.mark.parametrize("min_degree", [0, 5, 12])
def test_appearances_are_nodes_of_more_than_min_degree(release, min_degree):
    view = observe(release.public, Needs((DegreeHistogram(5, 4),)), min_degree=min_degree)
    labels = label(release.secret, view)
    for k, (public, secret) in enumerate(zip(release.public, release.secret, strict=True)):
        mine = view.subgraph == k
        nodes = np.flatnonzero(public.degrees > min_degree)
        assert view.node[mine].tolist() == nodes.tolist()
        assert view.degree[mine].tolist() == public.degrees[nodes].tolist()
        assert view.channels["degrees of neighbours, 5 x 4"][mine].tolist() == naive.histograms(
            rows_of(public), nodes, 5, 4
        )
        assert labels.person[mine].tolist() == secret.people[nodes].tolist()
        assert labels.is_far[mine].tolist() == (secret.hops[nodes] == 2).tolist()
    assert labels.everybody.tolist() == sorted({int(p) for secret in release.secret for p in secret.people})
    assert len(view) == labels.person.size
    assert labels.has_hops


def test_without_egos_nobody_is_far(release):
    view = observe(release.public, DEGREES)
    labels = label([Secret(secret.people) for secret in release.secret], view)
    assert not labels.has_hops
    assert not labels.is_far.any()
    assert labels.person.tolist() == label(release.secret, view).person.tolist()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_change_the_view(release, threads):
    ref = observe(release.public, DEGREES)
    with limit_threads(threads):
        comp = observe(release.public, DEGREES)
    assert same(ref, comp)


def same(one, two):
    """Whether two views hold the same arrays."""
    arrays = [_arrays(side) for side in (one, two)]
    return set(arrays[0]) == set(arrays[1]) and all(np.array_equal(*(a[n] for a in arrays)) for n in arrays[0])


def _arrays(side):
    held = dict(vars(side))
    held.pop("_joined")  # what was asked for side by side before
    channels, neighbors = held.pop("channels", {}), held.pop("neighbors", None)
    return {**held, **channels, **(vars(neighbors) if neighbors else {})}


def test_channels_stand_side_by_side(release):
    channels = [DegreeHistogram(5, 4), DegreeHistogram(3, 9)]
    view = observe(release.public, Needs(tuple(channels)))
    names = [channel.name for channel in channels]
    parts = [observe(release.public, Needs((channel,))).vectors(channel.name) for channel in channels]
    assert (view.vectors(*names) == np.hstack(parts)).all()
    assert (view.vectors(names[1]) == parts[1]).all()


@pytest.mark.parametrize("neighbors", [True, False])
def test_a_part_is_what_is_seen_of_those_alone(release, neighbors):
    needs, chosen = DEGREES._replace(neighbors=neighbors), (2, 7, 11)
    view = observe(release.public, needs)
    part, mine = view.part(np.array([7, 2, 11]))
    alone = observe([release.public[k] for k in chosen], needs)
    who = label([release.secret[k] for k in chosen], alone)
    assert same(part, alone)
    assert label(release.secret, view).person[mine].tolist() == who.person.tolist()


@pytest.mark.parametrize("neighbors", [True, False])
def test_views_are_joined_and_taken_apart(release, neighbors):
    needs, halves = DEGREES._replace(neighbors=neighbors), (release.public[:5], release.public[5:])
    view = observe(release.public, needs)
    first, second = (observe(half, needs) for half in halves)
    assert same(View.join(first, second, shift=5), view)
    few = view.take(np.arange(0, len(view), 3))
    assert few.neighbors is None
    assert same(few, view.take(np.arange(len(view)) % 3 == 0))
    assert few.degree.tolist() == view.degree[::3].tolist()
    assert (few.vectors(DegreeHistogram().name) == view.vectors(DegreeHistogram().name)[::3]).all()


def test_a_view_holds_no_truth(release):
    needs = DEGREES._replace(neighbors=True)
    view = observe(release.public, needs)
    seen = {"channels", "subgraph", "node", "degree", "neighbors", "graphs", "ties", "_joined"}
    assert set(vars(view)) == seen == set(View.__annotations__)
    # there may be no secret at all: what an attacker sees stays the same
    assert same(view, observe(release.without_secret().public, needs))
    assert same(view, observe(list(release.public), needs))
    assert observe(release.public, DEGREES).neighbors is None
    assert (view.graphs, type(observe(release.public, Needs(graphs=True)).graphs)) == ((), tuple)


def test_nobody_has_enough_contacts(release):
    view = observe(release.public, DEGREES, min_degree=10_000)
    labels = label(release.secret, view)
    assert (len(view), view.vectors(DegreeHistogram().name).shape, labels.person.size) == (0, (0, 70), 0)
    assert labels.everybody.size > 0


def test_nothing_is_published():
    view = observe([], DEGREES._replace(neighbors=True))
    assert (len(view), view.vectors(DegreeHistogram().name).shape) == (0, (0, 70))
    assert label([], view).person.size == 0


def test_needs_are_joined():
    one, two = Needs((DegreeHistogram(),)), Needs((DegreeHistogram(), Signature()), neighbors=True)
    assert one.join(two) == Needs((DegreeHistogram(), Signature()), neighbors=True)
    assert one.join() == one
    assert two.join(one).channels == two.channels
    with pytest.raises(InputError, match="attacks in 1 and 3 slots of time see different releases"):
        one.join(Needs(slots=3))


def test_every_channel_has_words():
    for name, feature in FEATURES.items():
        (channel,) = make_channels([name], bins=5, bin_size=10)
        words = [channel.words(k) for k in range(channel.width)]
        assert len(set(words)) == channel.width
        assert bool(channel.events) == (name not in ("degrees", "two-hop"))
        assert feature_words([name]) == feature.words
    assert feature_words(["degrees", "two-hop"]) == f"{FEATURES['degrees'].words} and {FEATURES['two-hop'].words}"


def test_components_name_their_channel():
    two = make_channels(["degrees", "two-hop"], bins=5, bin_size=10)
    assert component_words(4, two) == "contacts with more than 40 contacts"
    assert component_words(5, two) == "people within two hops with 1 to 10 contacts"
    assert component_words(9, two) == "people within two hops with more than 40 contacts"
    assert component_words(0, make_channels(["two-hop"], bin_size=1)) == "people within two hops with 1 contact"
    assert "; v[5] to v[9]: from people within two hops with 1 to 10 contacts to" in vector_words(two)
    with pytest.raises(InputError, match="component 10: the channels have 10 components, counted from 0"):
        component_words(10, two)
