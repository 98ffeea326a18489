"""Two overlapping graphs: as many people and edges in common as asked for, and nothing else."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from tests.drawing import edge_set, few, from_networkx, from_pairs, graphs, rows_of
from tests.naive import overlap as naive
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.schemes import OverlapScheme, make_scheme, read_release, read_truth, write_release
from thinveil.schemes.overlap import _thinned_rows

shares = st.floats(0, 1, exclude_min=True)


def draw(graph, node_overlap=0.25, edge_overlap=0.25, seed=0, releases=1):
    return OverlapScheme(node_overlap, edge_overlap).draw(graph, releases=releases, seed=seed)


def people(published):
    return set(published.secret.people.tolist())


def jaccard(one, two):
    return len(one & two) / len(one | two)


@pytest.fixture(scope="module")
def dense():
    """A random graph with enough edges to make shares of them sharp."""
    return from_networkx(nx.gnm_random_graph(400, 6_000, seed=3))


@few
@given(graphs(), st.data(), st.integers(0, 2**63 - 1))
def test_the_kernel_equals_its_plain_twin(graph, data, key):
    cut = data.draw(st.sampled_from([0, 2**51, 2**52, 2**53]))
    members = data.draw(st.permutations(range(graph.node_count)))[: data.draw(st.integers(0, graph.node_count))]
    pseudonyms = np.full(graph.node_count, -1, dtype=np.int32)
    pseudonyms[members] = np.arange(len(members))
    comp = _thinned_rows(graph.indptr, graph.indices, pseudonyms, len(members), key, cut)
    ref = naive.thinned_rows(rows_of(graph), pseudonyms.tolist(), len(members), key, cut)
    assert tuple(array.tolist() for array in comp) == ref


@few
@given(graphs(), shares, shares, st.integers(0, 2**62))
def test_any_graph_gives_two_thinned_parts(graph, node_overlap, edge_overlap, seed):
    (release,) = draw(graph, node_overlap, edge_overlap, seed)
    one, two = map(people, release)
    assert len(release) == 2
    assert one | two == set(range(graph.node_count))
    assert len(one & two) == round(node_overlap * graph.node_count)
    assert abs(len(one) - len(two)) <= 1
    whole = edge_set(graph)
    for public, secret in release:
        assert secret.hops is None
        assert public.node_count == secret.people.size
        assert edge_set(public, secret.people) <= whole
        source = np.repeat(np.arange(public.node_count), public.degrees)
        rebuilt = Graph.from_edges(source, public.indices, node_count=public.node_count)
        assert public.digest() == rebuilt.digest()


@few
@given(graphs(), shares)
def test_a_full_edge_overlap_keeps_every_edge_among_the_members(graph, node_overlap):
    (release,) = draw(graph, node_overlap, 1.0)
    for published in release:
        mine = people(published)
        assert edge_set(published.public, published.secret.people) == {e for e in edge_set(graph) if e <= mine}


@pytest.mark.parametrize(
    ("node_overlap", "edge_overlap"), [(0.25, 0.25), (0.25, 1.0), (0.5, 0.5), (1.0, 0.1), (1.0, 1.0)]
)
def test_overlaps_come_out_as_asked(dense, node_overlap, edge_overlap):
    found = []
    for one, two in draw(dense, node_overlap, edge_overlap, seed=5, releases=6):
        assert jaccard(people(one), people(two)) == pytest.approx(node_overlap, abs=1e-9)
        both = people(one) & people(two)
        sides = [{e for e in edge_set(p.public, p.secret.people) if e <= both} for p in (one, two)]
        found.append(jaccard(*sides))
    # 4 standard errors; the smallest union of edges among the shared people has more than 200
    assert np.mean(found) == pytest.approx(edge_overlap, abs=4 * np.sqrt(edge_overlap * (1 - edge_overlap) / 200 / 6))


def test_edges_are_deleted_from_each_copy_on_its_own(dense):
    ((one, two),) = draw(dense, 1.0, 0.25, seed=1)
    kept = [edge_set(p.public, p.secret.people) for p in (one, two)]
    share = 1 - 0.75 / 1.25
    for edges in kept:
        assert len(edges) / dense.edge_count == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 6_000))
    assert len(kept[0] & kept[1]) / dense.edge_count == pytest.approx(share**2, abs=0.02)


def test_pseudonyms_say_nothing(dense):
    ((one, two),) = draw(dense, 0.5, 0.5, seed=2)
    for published in (one, two):
        hidden = published.secret.people
        assert abs(spearmanr(hidden, np.arange(hidden.size)).statistic) < 4 / np.sqrt(hidden.size)
    _, here, there = np.intersect1d(one.secret.people, two.secret.people, return_indices=True)
    assert abs(spearmanr(here, there).statistic) < 4 / np.sqrt(here.size)


def test_pseudonyms_are_no_order_of_the_groups(dense):
    """Those who are in both graphs stand anywhere among the others."""
    ((one, two),) = draw(dense, seed=2)
    in_both = np.isin(one.secret.people, two.secret.people)
    spread = in_both.size / np.sqrt(12 * in_both.sum())
    assert np.flatnonzero(in_both).mean() == pytest.approx(in_both.size / 2, abs=4 * spread)


def test_the_seed_decides_and_releases_differ(dense):
    def digests(seed):
        return [p.public.digest() for release in draw(dense, seed=seed, releases=2) for p in release]

    assert digests(1) == digests(1)
    assert len({*digests(1), *digests(2)}) == 8
    assert digests(1)[:2] == [p.public.digest() for p in draw(dense, seed=1)[0]]


def test_relabelling_the_people_changes_no_count():
    star = from_pairs([(0, leaf) for leaf in range(1, 400)])
    edges = [sum(p.public.edge_count for p in draw(star, 1.0, 0.5, seed=s)[0]) for s in range(20)]
    turned = from_pairs([(399, leaf) for leaf in range(399)])
    again = [sum(p.public.edge_count for p in draw(turned, 1.0, 0.5, seed=s)[0]) for s in range(20)]
    assert np.mean(edges) == pytest.approx(np.mean(again), rel=0.02)
    assert np.mean(edges) == pytest.approx(2 * 399 * 2 / 3, rel=0.02)


@pytest.mark.parametrize("nodes", [0, 1, 2, 3])
def test_tiny_graphs(nodes):
    (release,) = draw(Graph.from_edges([], [], node_count=nodes), 0.5, 0.5)
    assert set().union(*map(people, release)) == set(range(nodes))


@pytest.mark.parametrize("value", [0, -0.1, 1.01, float("nan"), True, "0.5"])
@pytest.mark.parametrize("name", ["node_overlap", "edge_overlap"])
def test_shares_out_of_range_are_named(name, value):
    with pytest.raises(InputError, match=f"{name} = {value}: give a share above 0 and up to 1"):
        OverlapScheme(**{name: value})


def test_the_scheme_by_name():
    scheme = make_scheme("overlap", edge_overlap=0.5)
    assert (scheme.name, scheme.settings()) == ("overlap", {"node_overlap": 0.25, "edge_overlap": 0.5})
    assert make_scheme(scheme.name, **scheme.settings()) == scheme
    with pytest.raises(InputError, match="scheme overlap takes node_overlap and edge_overlap, not egonets"):
        make_scheme("overlap", egonets=5)
    with pytest.raises(InputError, match="releases = 0: give 1 or more"):
        scheme.draw(from_pairs([(0, 1)]), releases=0)


def test_a_release_goes_to_disk_and_back(dense, tmp_path):
    ((one, two),) = draw(dense, seed=4)
    write_release((one, two), tmp_path / "out", tmp_path / "truth", graph=dense, scheme="overlap", seed=4)
    release = read_release(tmp_path / "out")
    truth = read_truth(tmp_path / "truth", release)
    assert (release.scheme, len(release)) == ("overlap", 2)
    for subgraph, table, published in zip(release.subgraphs, truth, (one, two), strict=True):
        assert edge_set(subgraph, table["person"].to_numpy()) == edge_set(published.public, published.secret.people)
        assert table["hops"].null_count() == len(table)
