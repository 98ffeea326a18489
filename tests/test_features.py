import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import edge_set, few, from_networkx, from_pairs, graphs, rows_of
from tests.naive import histograms as naive
from thinveil.errors import InputError
from thinveil.features import DegreeHistogram, TwoHopHistogram, View, make_channels, observe
from thinveil.schemes import d4d_1


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
    with pytest.raises(InputError, match="unknown feature 'three-hop': choose among degrees, two-hop"):
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
    return d4d_1(egonets=12, min_size=60).draw(crowd, seed=4)[0]


@pytest.mark.parametrize("min_degree", [0, 5, 12])
def test_rows_are_nodes_of_more_than_min_degree(release, min_degree):
    view, truth = observe(release, [DegreeHistogram(5, 4)], min_degree=min_degree)
    for k, (public, secret) in enumerate(release):
        mine = view.subgraph == k
        nodes = np.flatnonzero(public.degrees > min_degree)
        assert view.node[mine].tolist() == nodes.tolist()
        assert view.degree[mine].tolist() == public.degrees[nodes].tolist()
        assert view.channels["degrees of neighbours, 5 x 4"][mine].tolist() == naive.histograms(
            rows_of(public), nodes, 5, 4
        )
        assert truth.person[mine].tolist() == secret.people[nodes].tolist()
        assert truth.is_far[mine].tolist() == (secret.hops[nodes] == 2).tolist()
    assert truth.everybody.tolist() == sorted({int(p) for _, secret in release for p in secret.people})
    assert len(view) == truth.person.size


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_change_the_view(release, threads):
    ref, who = observe(release, [DegreeHistogram()])
    comp, again = observe(release, [DegreeHistogram()], threads=threads)
    assert same(ref, comp)
    assert same(who, again)


def same(one, two):
    """Whether two views, or two truths, hold the same arrays."""
    arrays = [_arrays(side) for side in (one, two)]
    return set(arrays[0]) == set(arrays[1]) and all(np.array_equal(*(a[n] for a in arrays)) for n in arrays[0])


def _arrays(side):
    held = dict(vars(side))
    channels, neighbors = held.pop("channels", {}), held.pop("neighbors", None)
    return {**held, **channels, **(vars(neighbors) if neighbors else {})}


def test_channels_stand_side_by_side(release):
    channels = [DegreeHistogram(5, 4), DegreeHistogram(3, 9)]
    view, _ = observe(release, channels)
    names = [channel.name for channel in channels]
    parts = [observe(release, [channel])[0].vectors(channel.name) for channel in channels]
    assert (view.vectors(*names) == np.hstack(parts)).all()
    assert (view.vectors(names[1]) == parts[1]).all()


@pytest.mark.parametrize("keep_neighbors", [True, False])
def test_a_part_is_what_is_seen_of_those_alone(release, keep_neighbors):
    view, truth = observe(release, [DegreeHistogram()], keep_neighbors=keep_neighbors)
    part, rows = view.part(np.array([7, 2, 11]))
    alone, who = observe([release[k] for k in (2, 7, 11)], [DegreeHistogram()], keep_neighbors=keep_neighbors)
    assert same(part, alone)
    assert truth.person[rows].tolist() == who.person.tolist()


def test_a_view_holds_no_truth(release):
    view, _ = observe(release, [DegreeHistogram()], keep_neighbors=True)
    assert set(vars(view)) == {"channels", "subgraph", "node", "degree", "neighbors"} == set(View.__annotations__)
    # the secret may be anything: what an attacker sees stays the same
    lies = [p._replace(secret=type(p.secret)(p.secret.people[::-1], 2 - p.secret.hops)) for p in release]
    told, _ = observe(lies, [DegreeHistogram()], keep_neighbors=True)
    assert same(view, told)
    assert observe(release, [DegreeHistogram()])[0].neighbors is None


def test_nobody_has_enough_contacts(release):
    view, truth = observe(release, [DegreeHistogram()], min_degree=10_000)
    assert (len(view), view.vectors(DegreeHistogram().name).shape, truth.person.size) == (0, (0, 70), 0)
