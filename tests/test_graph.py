import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import graphs as naive
from thinveil.errors import InputError
from thinveil.graph import Dropped, EdgeRows, Graph, csr
from thinveil.schemes.base import Secret

edge_lists = st.integers(1, 40).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=120))
)


def columns(edges):
    return [u for u, _ in edges], [v for _, v in edges]


@settings(deadline=None)  # the first example compiles
@given(edge_lists)
def test_rows_equal_plain_twin(case):
    node_count, edges = case
    graph = Graph.from_edges(*columns(edges), node_count=node_count)
    starts, flat, loops = naive.neighbor_rows(*columns(edges), node_count)
    assert graph.indptr.tolist() == starts
    assert graph.indices.tolist() == flat
    assert graph.dropped == Dropped(loops, len(edges) - loops - len(flat) // 2)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("node_count", [3, 300, 70_000])
def test_threads_do_not_change_rows(monkeypatch, threads, node_count):
    monkeypatch.setattr(csr, "_crew", lambda: threads)
    source, target = np.random.default_rng(1).integers(0, node_count, (2, 5_000))
    graph = Graph.from_edges(source, target, node_count=node_count)
    oracle = nx.Graph(zip(source.tolist(), target.tolist(), strict=True))
    oracle.remove_edges_from(list(nx.selfloop_edges(oracle)))
    assert graph.edge_count == oracle.number_of_edges()
    for node in list(oracle)[:500]:
        assert graph.neighbors(node).tolist() == sorted(oracle[node])


@settings(deadline=None)  # the first example compiles
@given(edge_lists, st.randoms())
def test_order_and_direction_do_not_matter(case, random):
    node_count, edges = case
    turned = [random.choice([(u, v), (v, u)]) for u, v in edges]
    random.shuffle(turned)
    one, other = (Graph.from_edges(*columns(rows), node_count=node_count) for rows in (edges, turned))
    assert one.digest() == other.digest()
    assert one.dropped == other.dropped


@pytest.mark.parametrize("n", [2, 3, 10, 300])
def test_cliques_and_stars(n):
    u, v = np.triu_indices(n, 1)
    clique = Graph.from_edges(u, v)
    assert clique.edge_count == n * (n - 1) // 2
    assert (clique.degrees == n - 1).all()
    star = Graph.from_edges(np.zeros(n - 1, dtype=int), np.arange(1, n))
    assert star.degrees.tolist() == [n - 1] + [1] * (n - 1)


def test_nodes_without_edges_and_no_nodes():
    assert Graph.from_edges([], []).node_count == 0
    alone = Graph.from_edges([1], [1], node_count=3)
    assert (alone.node_count, alone.edge_count, alone.dropped) == (3, 0, Dropped(loops=1))


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.uint64])
def test_any_integer_type_and_read_only_columns(dtype):
    source, target = np.array([0, 1], dtype=dtype), np.array([1, 2], dtype=dtype)
    source.flags.writeable = False
    assert Graph.from_edges(source, target).indices.tolist() == [1, 0, 2, 1]


def test_arrays_are_immutable_and_labels_are_plain():
    graph = Graph.from_edges([0, 1], [1, 2], labels=np.array(["a", "b", "c"]))
    with pytest.raises(ValueError, match="read-only"):
        graph.indices[0] = 5
    assert graph.label(2) == "c"
    assert type(graph.label(2)) is str
    assert type(Graph.from_edges([0], [1]).label(np.int64(1))) is int


def test_rows_keep_columns_without_loops():
    graph = Graph.from_edges([0, 1, 1], [1, 1, 0], columns={"weight": np.array([3, 4, 5])})
    assert graph.rows is not None
    assert graph.rows.source.tolist() == [0, 1]
    assert graph.rows.columns["weight"].tolist() == [3, 5]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"source": [0, 1], "target": [1]}, "2 sources but 1 targets: one of each per edge is needed"),
        ({"source": [0], "target": [-1]}, "node number -1 is negative: node numbers start at 0"),
        (
            {"source": [0], "target": [3], "node_count": 3},
            "node number 3 is too large: use dense numbers below",
        ),
        ({"source": [0], "target": [2**40]}, "use dense numbers below 2147483647"),
        (
            {"source": [0], "target": [0], "node_count": -1},
            "node_count is -1: it must be between 0 and 2147483647",
        ),
        ({"source": [0.5], "target": [1]}, "node numbers must be one column of integers, not 1-d float64"),
        (
            {"source": [0], "target": [1], "labels": np.array(["a"])},
            "1 labels for 2 nodes: one of each",
        ),
        ({"source": [0], "target": [1], "columns": {"w": np.ones(2)}}, "column 'w' has 2 values for 1 edges"),
    ],
)
def test_bad_columns_are_named(arguments, message):
    with pytest.raises(InputError, match=message):
        Graph.from_edges(**arguments)


def test_nothing_of_a_graph_or_a_secret_can_be_written():
    mine = {"time": np.array([1, 2, 3]), "labels": np.array([7, 8, 9]), "people": np.array([4, 5, 6], dtype=np.int32)}
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], labels=mine["labels"], columns={"time": mine["time"]})
    again = Graph(graph.indptr, graph.indices, mine["labels"], EdgeRows([0, 1, 2], [1, 2, 0], {"time": mine["time"]}))
    secret = Secret(mine["people"], np.array([0, 1, 1], dtype=np.int8))
    arrays = [secret.people, secret.hops]
    for one in (graph, again):
        arrays += [one.indptr, one.indices, one.labels, one.rows.source, one.rows.target, one.rows.columns["time"]]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    before = [array.copy() for array in arrays]
    for array in mine.values():
        array[:] = 0  # what was given stays the giver's own, and changes nothing
    assert all(np.array_equal(one, other) for one, other in zip(arrays, before, strict=True))
