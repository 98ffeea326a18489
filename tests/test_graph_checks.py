"""Whatever a user makes a graph of is checked before a kernel sees it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import graphs as naive
from thinveil import Graph, InputError, PairForest, detect_ego, info, read_graph, synthetic_graph
from thinveil.graph import EdgeRows
from thinveil.graph.csr import find_stray, first_fault, is_simple

STARTS, FLAT = [0, 2, 4, 6], [1, 2, 0, 2, 0, 1]  # a triangle


def events(source, target, **columns):
    return EdgeRows(np.array(source), np.array(target), columns)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"indices": [1, 2, 0, 2, 0, 3]}, "node number 3 is too large"),
        ({"indices": [1, 2, 0, 2, 0, 2**40]}, "is too large"),
        ({"indices": [1, 2, 0, 2, 0, -1]}, "node number -1 is negative"),
        ({"indices": [2, 1, 0, 2, 0, 1]}, "node 0 has neighbours out of order, or one twice|in whose row"),
        ({"indices": [1, 2, 1, 2, 0, 1]}, "node 0 has a neighbour in whose row it does not stand"),
        ({"indptr": [0, 0, 0, 6]}, "node 2 has"),
        ({"indptr": [0, 1], "indices": [0]}, "node 0 has itself as a neighbour"),
        ({"indices": [1.0, 2.0, 0.0, 2.0, 0.0, 1.0]}, "one column of integers, not 1-d float64"),
        ({"indices": [[1, 2, 0], [2, 0, 1]]}, "one column of integers, not 2-d"),
        ({"indices": [1, 2, 0, 2, 0, [1]]}, "cannot be made an array"),
        ({"indices": "121020"}, "one column of integers"),
        ({"indptr": [0, 4, 2, 6]}, "indptr must never go down"),
        ({"indptr": [0, 2, 4]}, "indptr must start at 0 and end at the number of indices"),
        ({"indptr": []}, "indptr must start at 0"),
        ({"indptr": np.array([0, 2, 4, 6], dtype=object)}, "one column of integers"),
        ({"labels": ["a", "b"]}, "2 labels for 3 nodes"),
        ({"labels": np.ones((3, 1))}, "3 labels for 3 nodes|must be integers or texts"),
        ({"labels": [1.5, 2.5, 3.5]}, "labels must be integers or texts, not float64"),
        ({"labels": [b"a", None, 1]}, "labels must be integers or texts"),
        ({"rows": events([0], [5])}, "node number 5 is too large"),
        ({"rows": events([0], [0])}, "row 0 of the events is between 0 and 0: no edge is there"),
        ({"rows": events([0, 1], [1])}, "2 sources but 1 targets"),
        ({"rows": events([0], [1], weight=np.array([np.nan]))}, "column 'weight' must hold finite numbers"),
        ({"rows": events([0], [1], weight=np.array([1, 2]))}, "column 'weight' has 2 values for 1 edges"),
        ({"rows": events([0], [1], direction=np.array([-1]))}, "swap source and target"),
        ({"rows": events([0], [1], direction=np.array([7]))}, "column 'direction' must hold"),
        ({"rows": 5}, "rows is int: it must be EdgeRows"),
        ({"dropped": 5}, "dropped is 5"),
    ],
)
def test_a_graph_that_is_none_is_refused(arguments, message):
    with pytest.raises(InputError, match=message) as caught:
        Graph(**{"indptr": STARTS, "indices": FLAT} | arguments)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.uint64, ">i4"])
def test_good_rows_of_any_integer_type_are_taken_as_a_copy(kind):
    starts, flat = np.array(STARTS, dtype=kind), np.array(FLAT, dtype=kind)
    graph = Graph(starts, flat, labels=["a", "b", "c"], rows=events([0, 2], [1, 0], direction=np.array([1, 0])))
    flat[0] = 99
    assert (graph.indptr.dtype, graph.indices.dtype) == (np.int64, np.int32)
    assert graph.neighbors(0).tolist() == [1, 2]
    assert graph.label(2) == "c"
    assert graph.rows.source.dtype == np.int32
    assert (info(graph)["edges"], detect_ego(graph)) == (3, None)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.lists(st.integers(-1, 5), max_size=4), min_size=1, max_size=5))
def test_faults_equal_plain_twin(rows):
    starts, flat = np.cumsum([0, *map(len, rows)]), np.array([v for row in rows for v in row], dtype=np.int32)
    expected = naive.is_simple(starts.tolist(), flat.tolist())
    assert (first_fault(starts, flat)[1] == 0) == expected
    assert is_simple(starts, flat) == expected


@settings(deadline=None)
@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))), st.lists(st.tuples(*[st.integers(0, 5)] * 2)))
def test_strays_equal_plain_twin(edges, pairs):
    graph = Graph.from_edges([u for u, _ in edges], [v for _, v in edges], node_count=6)
    source, target = np.array(pairs, dtype=np.int32).reshape(-1, 2).T.copy()
    ref = naive.first_stray(graph.indptr.tolist(), graph.indices.tolist(), source.tolist(), target.tolist())
    assert find_stray(graph.indptr, graph.indices, source, target) == ref


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"node_count": 2.5}, "node_count is 2.5: it must be a whole number"),
        ({"node_count": "9"}, "node_count is '9'"),
        ({"source": [0, [1]]}, "node numbers cannot be made an array"),
        ({"source": np.array([0], dtype=object)}, "one column of integers, not 1-d object"),
        ({"source": [2**70]}, "one column of integers, not 1-d object"),
        ({"source": [True]}, "one column of integers, not 1-d bool"),
        ({"labels": [None, None]}, "labels must be integers or texts, not object"),
        ({"columns": [1]}, "columns must be a mapping"),
        ({"columns": {"weight": ["x"]}}, "column 'weight' must hold finite numbers"),
        ({"columns": {"weight": [np.inf]}}, "column 'weight' must hold finite numbers"),
        ({"columns": {"weight": [[1.0]]}}, "column 'weight' has 2-d values for 1 edges"),
        ({"columns": {"direction": [2]}}, "column 'direction' must hold 1"),
    ],
)
def test_hostile_edges_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Graph.from_edges(**{"source": [0], "target": [1]} | arguments)


@pytest.mark.parametrize(
    "arguments",
    [{"nodes": "x"}, {"nodes": 10.5}, {"mean_degree": np.nan}, {"mean_degree": "a"}, {"exponent": None},
     {"closure": "x"}, {"mixing": [0.1]}, {"mixing": np.inf}, {"seed": -1}, {"max_degree": 10**6}],
)  # fmt: skip
def test_a_synthetic_graph_of_hostile_numbers_is_refused(arguments):
    with pytest.raises(InputError, match=f"^{next(iter(arguments))} (is|= .* is not) "):
        synthetic_graph(**{"nodes": 100} | arguments)


PAIRS = np.arange(480).reshape(60, 8) % 5


@pytest.mark.parametrize(
    "pairs",
    [PAIRS * np.nan, PAIRS + np.inf, -PAIRS - 1, PAIRS + 2**40, PAIRS[0], PAIRS[:, :7], PAIRS.astype(object),
     [[1, 2], [3]], PAIRS.astype(str), None, PAIRS + 1j, {}, PAIRS.astype("M8[s]")],
)  # fmt: skip
def test_a_forest_refuses_hostile_pairs(pairs):
    half = np.arange(60) % 2
    forest = PairForest(trees=2, bag_size=20, seed=1).fit(PAIRS, half)
    for refuse in (lambda: forest.predict_proba(pairs), lambda: PairForest(trees=2).fit(pairs, half)):
        with pytest.raises(InputError) as caught:
            refuse()
        assert len(str(caught.value).splitlines()) == 1


def test_what_is_no_file_is_no_graph():
    for thing in (None, 5, np.zeros(3)):
        with pytest.raises(InputError, match=r"is no graph file: give a path|is not a text or a path"):
            read_graph(thing)


@pytest.mark.parametrize("node", [3, -1, 10**7, "a", 1.5, None])
def test_a_node_that_is_not_there_has_no_neighbours(node):
    graph = Graph.from_edges([0, 1], [1, 2])
    for ask in (graph.neighbors, graph.label):
        with pytest.raises(InputError, match="is not there: nodes are numbered from 0 to 2"):
            ask(node)
