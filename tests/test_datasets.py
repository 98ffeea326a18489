import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, eye_array
from scipy.stats import spearmanr

from tests.naive import synthetic as naive
from thinveil.errors import InputError
from thinveil.graph.synthetic import synthetic_graph, wiring

SHAPES = st.fixed_dictionaries(
    {
        "nodes": st.integers(30, 400),
        "mean_degree": st.floats(2, 5),
        "exponent": st.floats(1.5, 10),
        "max_degree": st.integers(10, 29) | st.none(),
        "mixing": st.floats(0, 1),
        "closure": st.floats(0, 1),
        "seed": st.integers(0, 2**64 - 1),
    }
)


@pytest.fixture(scope="module")
def default():
    return synthetic_graph()


@pytest.fixture(scope="module")
def small():
    return synthetic_graph(3_000, seed=5)


def adjacency(graph):
    ones = np.ones(graph.indices.size, dtype=np.int32)
    return csr_array((ones, graph.indices, graph.indptr), shape=(graph.node_count,) * 2)


def to_networkx(graph):
    return nx.from_scipy_sparse_array(adjacency(graph))


# what a social graph looks like: the bounds hold soc-Epinions1 and GitHub's mutual followers


def test_size_is_as_asked(default):
    assert default.node_count == 20_000
    assert default.degrees.mean() == pytest.approx(12, rel=0.01)
    assert default.degrees.min() == 1
    assert default.dropped.loops == default.dropped.duplicates == 0


def test_degrees_have_a_heavy_tail(default):
    degrees = default.degrees
    assert degrees.max() > 50 * degrees.mean()
    assert np.median(degrees) < degrees.mean() / 2
    # P(degree >= k) falls as a straight line on log-log paper, with slope 1 - exponent
    k = np.array([20, 40, 80, 160, 320])
    slope, _ = np.polyfit(np.log(k), np.log([(degrees >= j).mean() for j in k]), 1)
    assert slope == pytest.approx(1 - 2.3, abs=0.25)


def test_triangles_are_common_at_every_degree(small):
    graph = to_networkx(small)
    local = nx.clustering(graph)
    assert 0.15 < np.mean(list(local.values())) < 0.4
    assert 0.05 < nx.transitivity(graph) < 0.2
    scales = [(2, 8), (8, 32), (32, 128)]
    by_degree = [np.mean([local[v] for v, d in graph.degree if low <= d < high]) for low, high in scales]
    assert by_degree == sorted(by_degree, reverse=True)
    assert by_degree[-1] > 0.08


def test_hubs_do_not_shun_or_seek_each_other(default):
    source = np.repeat(default.degrees, default.degrees)
    assert -0.12 < np.corrcoef(source, default.degrees[default.indices])[0, 1] < 0.03


def test_nearly_all_are_in_one_component(small):
    assert max(map(len, nx.connected_components(to_networkx(small)))) > 0.99 * small.node_count


def test_two_hop_balls_are_of_every_size(default):
    near = adjacency(default) + eye_array(default.node_count, dtype=np.int32, format="csr")
    balls = np.diff((near[:1000] @ near).indptr)
    assert 0.3 < (balls > 400).mean() < 0.75
    assert np.quantile(balls, 0.1) < 60
    assert np.quantile(balls, 0.9) > 1500


def modularity(graph):
    graph = to_networkx(graph)
    return nx.community.modularity(graph, nx.community.louvain_communities(graph, seed=0))


def test_mixing_dissolves_communities(small):
    mixed = synthetic_graph(3_000, mixing=1, seed=5)
    assert modularity(small) > 0.35 > 0.3 > modularity(mixed)


def test_closure_makes_triangles(small):
    closed = synthetic_graph(3_000, closure=0.4, seed=5)
    assert nx.average_clustering(to_networkx(closed)) > 1.2 * nx.average_clustering(to_networkx(small))


def test_parameters_shape_the_degrees():
    graph = synthetic_graph(3_000, mean_degree=6, exponent=3, max_degree=100, seed=2)
    assert graph.degrees.mean() == pytest.approx(6, rel=0.02)
    assert 50 < graph.degrees.max() <= 100


# numbers and seeds


def test_node_numbers_carry_no_information(default):
    numbers = np.arange(default.node_count)
    assert abs(spearmanr(numbers, default.degrees).statistic) < 0.03
    source = np.repeat(numbers, default.degrees)
    assert abs(spearmanr(source, default.indices).statistic) < 0.03


def test_a_seed_gives_the_same_graph_for_ever():
    assert synthetic_graph(500, seed=3).digest().startswith("29b240338ddd198d")


def test_seeds_give_different_graphs(small):
    other = synthetic_graph(3_000, seed=6)
    assert other.digest() != small.digest()
    assert synthetic_graph(3_000, seed=5).digest() == small.digest()


# hostile input


@given(SHAPES)
@settings(deadline=None, max_examples=60)
def test_any_graph_is_simple_and_sorted(shape):
    graph = synthetic_graph(**shape)
    assert graph.node_count == shape["nodes"]
    assert graph.dropped.loops == graph.dropped.duplicates == 0
    assert graph.degrees.max() <= (shape["max_degree"] or shape["nodes"] ** 0.7 + 1)
    matrix = adjacency(graph)
    assert (matrix != matrix.T).nnz == 0
    assert matrix.diagonal().sum() == 0
    assert all((np.diff(graph.neighbors(v)) > 0).all() for v in range(graph.node_count))


@pytest.mark.parametrize("nodes", [4, 5, 10, 30])
def test_tiny_graphs_are_graphs(nodes):
    graph = synthetic_graph(nodes, mean_degree=2)
    assert graph.node_count == nodes
    assert 0 < graph.degrees.mean() < 3


def test_a_crowded_graph_comes_out_smaller_than_asked():
    graph = synthetic_graph(60, mean_degree=30, max_degree=59)
    assert 24 < graph.degrees.mean() <= 31


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"nodes": 1}, "nodes is 1: take a number from 4"),
        ({"nodes": 2}, "nodes is 2: take a number from 4"),
        ({"nodes": 2**31}, "nodes is 2147483648"),
        ({"nodes": 99.5}, "nodes is 99.5: take a whole number"),
        ({"nodes": 10}, "mean_degree is 12.0: for 10 nodes with at most 5 neighbours each"),
        ({"mean_degree": 1.5}, "mean_degree is 1.5.* from 2 to"),
        ({"mean_degree": float("nan")}, "mean_degree is nan"),
        ({"exponent": 1}, "exponent is 1: take a number from 1.5 to 10"),
        ({"max_degree": 20_000}, "max_degree is 20000: take a number from 3 to 19999"),
        ({"max_degree": 20}, "mean_degree is 12.0.* to 10.5"),
        ({"mixing": -0.1}, "mixing is -0.1: take a number from 0 to 1"),
        ({"closure": 1.1}, "closure is 1.1: take a number from 0 to 1"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_wrong_parameters_are_named(wrong, message):
    with pytest.raises(InputError, match=message) as error:
        synthetic_graph(**wrong)
    assert "\n" not in str(error.value)


# the kernels and their plain twins


def grow(rng, nodes=40):
    """Return growing rows with some links, the same as lists, and the stubs still open."""
    degrees = rng.integers(1, 12, size=nodes)
    grown = wiring.make_rows(degrees)
    wiring.match(open_stubs(rng, degrees // 2), grown)
    return degrees, grown, as_lists(grown), open_stubs(rng, degrees - grown.filled)


def open_stubs(rng, counts):
    return rng.permutation(np.repeat(np.arange(counts.size, dtype=np.int32), counts))


def as_lists(grown):
    return [grown.rows[s : s + n].tolist() for s, n in zip(grown.starts, grown.filled, strict=False)]


@pytest.mark.parametrize("seed", range(20))
def test_match_is_its_twin(seed):
    degrees, grown, ref, stubs = grow(np.random.default_rng(seed))
    naive.match(stubs.tolist(), ref, degrees.tolist())
    wiring.match(stubs, grown)
    assert as_lists(grown) == ref


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("kernel", "twin"), [(wiring.close, naive.close), (wiring.splice, naive.splice)])
def test_close_and_splice_are_their_twins(kernel, twin, seed):
    degrees, grown, ref, stubs = grow(np.random.default_rng(seed))
    links = grown.filled.sum()
    twin(stubs.tolist(), ref, degrees.tolist(), 2**62 + seed)
    kernel(stubs, grown, 2**62 + seed)
    assert as_lists(grown) == ref
    assert grown.filled.sum() > links


@pytest.mark.parametrize("seed", range(5))
def test_small_kernels_are_their_twins(seed):
    degrees, grown, ref, _ = grow(np.random.default_rng(seed), nodes=15)
    for u in range(15):
        for v in range(15):
            place = wiring._find(u, v, *grown)
            assert (place - grown.starts[u] if place >= 0 else -1) == naive.find(ref[u], v)
            assert wiring._may_link(u, v, *grown) == naive.may_link(u, v, ref, degrees.tolist())


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**31))
@settings(deadline=None)
def test_draw_is_its_twin(state, bound):
    comp = wiring._draw(np.uint64((state + naive.STEP) & naive.MASK), bound)
    assert comp == naive.Counter(state).below(bound)
    assert 0 <= comp < bound


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(0, 2**63 - 1))
@settings(deadline=None)
def test_shuffle_segments_is_its_twin(sizes, seed):
    bounds = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64)
    stubs = np.arange(bounds[-1], dtype=np.int32)
    ref = naive.shuffle_segments(stubs.tolist(), bounds.tolist(), seed)
    wiring.shuffle_segments(stubs, bounds, seed)
    assert stubs.tolist() == ref
