"""Graphs as people have them: what is taken from other libraries, what is given back, and what is refused."""

import datetime
import io
import sys
import uuid
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix

import thinveil
from thinveil import Graph
from thinveil.errors import InputError
from thinveil.graph.exchange.kinds import KINDS, as_graph

CALLS = "caller,callee,start,seconds\n+41 1,+41 2,2024-05-01 12:30:00,60\n+41 2,+41 3,2024-05-02 08:00:00,5\n"
SMALL = "d4d-1:egonets=10,min_size=20"
FEW = {"attack": "signature", "beside": (), "train_negatives": 2_000, "test_negatives": 2_000}


def message(call, *words, **options):
    with pytest.raises(InputError) as caught:
        call(*words, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def edges_of(graph):
    called = range(graph.node_count) if graph.labels is None else graph.labels.tolist()
    return {(called[v], called[w]) for v in range(graph.node_count) for w in graph.neighbors(v).tolist()}


def facts(graph):
    rows = graph.rows
    events = None
    if rows is not None:  # in any order
        columns = [one.tolist() for _, one in sorted(rows.columns.items())]
        events = sorted(rows.columns), sorted(zip(rows.source.tolist(), rows.target.tolist(), *columns, strict=True))
    labels = None if graph.labels is None else graph.labels.tolist()
    return graph.digest(), labels, events, graph.dropped


# networkx


@given(st.sets(st.tuples(st.integers(-5, 12), st.integers(-5, 12)), max_size=30), st.sets(st.integers(-5, 20)))
@settings(max_examples=60)
def test_networkx_there_and_back(edges, alone):
    original = nx.Graph()
    original.add_nodes_from(alone)
    original.add_edges_from((a, b) for a, b in edges if a != b)
    graph = Graph.from_networkx(original)
    back = graph.to_networkx()
    assert set(back.nodes) == set(original.nodes)
    assert {frozenset(edge) for edge in back.edges} == {frozenset(edge) for edge in original.edges}
    assert graph.rows is None
    assert facts(Graph.from_networkx(back)) == facts(graph)


def test_events_of_a_multigraph_keep_weight_time_and_direction():
    original = nx.MultiDiGraph()
    original.add_edge("bob", "ann", cost=2.5, at=datetime.datetime(2024, 5, 1, 12, 30))
    original.add_edge("ann", "bob", cost=1.0, at=datetime.datetime(2024, 5, 2))
    original.add_edge("bob", "ann", cost=4.0, at=datetime.datetime(2024, 5, 3))
    graph = Graph.from_networkx(original, weight="cost", time="at")
    assert graph.edge_count == 1
    assert graph.labels.tolist() == ["ann", "bob"]
    assert graph.rows.source.tolist() == [1, 1, 0]
    assert graph.rows.columns["weight"].tolist() == [2.5, 4.0, 1.0]
    assert graph.rows.columns["time"].tolist() == [1714566600, 1714694400, 1714608000]
    assert graph.rows.columns["direction"].tolist() == [1, 1, 1]
    assert facts(Graph.from_networkx(graph.to_networkx(), weight="weight", time="time")) == facts(graph)
    assert Graph.from_networkx(original, directed=False).rows is None


def test_what_went_both_ways_is_two_edges_of_networkx():
    graph = Graph.from_edges([0, 1], [1, 2], columns={"direction": np.array([0, -1])})
    assert sorted(graph.to_networkx().edges()) == [(0, 1), (1, 0), (2, 1)]


@pytest.mark.parametrize("labels", [
    ["b", "a", "c"], [(2, 1), (1, "x"), ()], [3, "x", 2.5], [uuid.UUID(int=k) for k in (7, 3, 5)],
    [frozenset({1}), datetime.date(2024, 5, 1), True], [-3, 7, 2**62], [2**64 - 1, 0, 2**63], [b"x", b"y", b"z"],
    [10**30, 1, 2],
], ids=str)  # fmt: skip
def test_labels_of_any_hashable_kind(labels):
    a, b, c = labels
    graph = Graph.from_networkx(nx.Graph([(a, b), (b, c)]))
    kept = all(isinstance(one, int) for one in labels) and 10**30 not in labels
    spelled = {one: one if kept else str(one) for one in labels}
    assert edges_of(graph) == {(spelled[x], spelled[y]) for x, y in [(a, b), (b, a), (b, c), (c, b)]}
    assert graph.labels.tolist() == sorted(graph.labels.tolist())
    assert facts(Graph.from_edges([(c, b), (b, a)])) == facts(graph)


@pytest.mark.parametrize(("labels", "words"), [
    (["1", 1], "the labels '1' and 1 are the same when written"),
    ([float("nan"), 1], "a node is nan"),
    ([["x"], "y"], "a node cannot be told from others"),
    (["a\0", "b"], "has a control character"),
    ([None, "b"], "a node is None"),
])  # fmt: skip
def test_labels_that_are_refused(labels, words):
    assert words in message(Graph.from_edges, [tuple(labels)])


def test_attributes_that_some_edges_lack_are_refused():
    graph = nx.Graph([(1, 2, {"weight": 2}), (2, 3)])
    assert "1 of 2 edges of the networkx graph have no 'weight'" in message(Graph.from_networkx, graph, weight="weight")
    graph.add_edge(2, 3, weight="many")
    assert "weights of the networkx graph are no numbers" in message(Graph.from_networkx, graph, weight="weight")


# tables


def tables():
    text = pl.read_csv(io.StringIO(CALLS))
    dated = text.with_columns(pl.col("start").str.to_datetime())
    pandas = pd.read_csv(io.StringIO(CALLS))
    made = {
        "polars": text, "polars, dates": dated, "polars, lazy": dated.lazy(), "pandas": pandas,
        "pandas, dates": pandas.assign(start=pd.to_datetime(pandas["start"])),
        "pandas, a zone": pandas.assign(start=pd.DatetimeIndex(pandas["start"], tz="UTC").tz_convert("Asia/Tokyo")),
        "pandas, categories": pandas.astype({"caller": "category", "callee": "category"}),
        "pandas, objects": pandas.astype({"caller": object, "callee": object}),
        "pandas, an index": pandas.set_index(pd.Index(["x", "y"])),
    }  # fmt: skip
    return [pytest.param(table, id=name) for name, table in made.items()]


@pytest.mark.parametrize("table", tables())
def test_a_table_is_read_as_its_file_is(table):
    file = thinveil.read_graph(io.BytesIO(CALLS.encode()), time="start", weight="seconds", directed=True)
    read = Graph.from_pandas if type(table).__module__.startswith("pandas") else Graph.from_polars
    graph = read(table, time="start", weight="seconds", directed=True)
    assert facts(graph) == facts(file)
    assert as_graph(table).digest() == file.digest()
    assert "callee" in graph.origin.words()


@pytest.mark.parametrize(("ids", "labels"), [
    (pd.array([5, 7, 9], dtype="Int64"), [5, 7, 9]), (np.array([5, 7, 9], dtype=np.uint8), [5, 7, 9]),
    ([(1, 2), (0, 1), (3, 4)], ["(0, 1)", "(1, 2)", "(3, 4)"]), ([5, "x", 7], ["5", "7", "x"]),
])  # fmt: skip
def test_ids_of_pandas_of_any_kind(ids, labels):
    table = pd.DataFrame({"source": ids, "target": list(ids)[1:] + list(ids)[:1]})
    assert Graph.from_pandas(table).labels.tolist() == labels


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_id_is_refused_with_its_row(missing):
    table = pd.DataFrame({"source": ["a", "b"], "target": ["b", missing]})
    assert "row 2: the target id is missing" in message(Graph.from_pandas, table)


def test_a_table_of_people_is_refused_as_its_file_is():
    table = pd.DataFrame({"name": ["ann", "bob", "cem"], "age": [30, 31, 32], "city": ["Bern", "Basel", "Bern"]})
    assert message(Graph.from_pandas, table).startswith("the pandas table: ")
    assert "fewer than two columns" in message(Graph.from_polars, pl.DataFrame({"a": [1]}))
    assert "no rows" in message(Graph.from_polars, pl.DataFrame({"source": [], "target": []}))
    assert "exclude each other" in message(Graph.from_pandas, table, directed=True, direction="age")


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(-9, 9)), min_size=1, max_size=30))
@settings(max_examples=40)
def test_tables_there_and_back(rows):
    rows = [row for row in rows if row[0] != row[1]] or [(0, 1, 2)]
    table = pl.DataFrame(rows, schema=["source", "target", "weight"], orient="row")
    graph = Graph.from_polars(table, source="source", target="target", weight="weight")
    assert facts(Graph.from_polars(graph.to_polars(), source=0, target=1, weight="weight")) == facts(graph)
    back = Graph.from_pandas(graph.to_pandas(), source=0, target=1, weight="weight")
    assert facts(back) == facts(graph)
    plain = Graph.from_edges([(a, b) for a, b, _ in rows])
    assert Graph.from_polars(plain.to_polars(), source=0, target=1).digest() == plain.digest()


# matrices


def test_matrices_there_and_back(crowd):
    matrix = crowd.to_scipy()
    assert (matrix != matrix.T).nnz == 0
    assert facts(Graph.from_scipy(matrix)) == facts(crowd)
    assert Graph.from_scipy(csr_matrix(matrix)).digest() == crowd.digest()


def test_weights_and_directions_of_a_matrix():
    one_way = Graph.from_scipy(csr_array([[0, 2, 0], [0, 0, 3], [0, 0, 0]]), weights=True, labels=["c", "a", "b"])
    assert one_way.rows.columns["weight"].tolist() == [2, 3]
    assert one_way.rows.columns["direction"].tolist() == [1, 1]
    assert one_way.labels.tolist() == ["c", "a", "b"]
    weighted = csr_array([[0, 2.5, 0], [2.5, 0, 3], [0, 3, 0]])
    graph = Graph.from_scipy(weighted, weights=True)
    assert "direction" not in graph.rows.columns
    assert (graph.to_scipy(weights=True) != weighted).nnz == 0
    assert Graph.from_scipy(weighted, directed=True).rows.source.size == 4
    assert "no weights" in message(one_way.from_scipy(weighted).to_scipy, weights=True)


@pytest.mark.parametrize(("matrix", "words"), [
    (csr_array(np.ones((2, 3))), "as many rows as columns"),
    (csr_array(np.array([[0, np.nan], [1, 0]])), "no finite numbers"),
    (np.eye(2), "is no sparse matrix"),
])  # fmt: skip
def test_matrices_that_are_no_graphs(matrix, words):
    assert words in message(Graph.from_scipy, matrix)


# igraph: a stand-in with its methods, and igraph itself where somebody has it


class Vertices(dict):
    def attributes(self):
        return list(self)


class Edge:
    def __init__(self, values):
        self.values = values

    def attributes(self):
        return self.values


class StandIn:
    def __init__(self, names, edges, values, directed):
        self.vs, self.es = Vertices(name=names) if names else Vertices(), [Edge(one) for one in values]
        self.edges, self.count, self.directed = edges, 1 + max(map(max, edges)), directed

    def get_edgelist(self):
        return self.edges

    def vcount(self):
        return self.count

    def is_directed(self):
        return self.directed


def igraphs():
    values = [{"weight": 2.0}, {"weight": 1.0}]
    yield StandIn(["bob", "ann", "cem"], [(0, 1), (1, 2)], values, directed=True)
    if "igraph" in sys.modules or any((Path(place) / "igraph").is_dir() for place in sys.path):
        import igraph

        graph = igraph.Graph([(0, 1), (1, 2)], directed=True, vertex_attrs={"name": ["bob", "ann", "cem"]})
        graph.es["weight"] = [2.0, 1.0]
        yield graph


def test_igraph_is_read_by_its_methods():
    for graph in igraphs():
        read = Graph.from_igraph(graph, weight="weight")
        assert edges_of(read) == {("bob", "ann"), ("ann", "bob"), ("ann", "cem"), ("cem", "ann")}
        assert read.rows.columns["weight"].tolist() == [2.0, 1.0]
        assert read.rows.columns["direction"].tolist() == [1, 1]
        assert as_graph(graph).digest() == read.digest()
    plain = StandIn(None, [(0, 1), (1, 2)], [{}, {}], directed=False)
    assert Graph.from_igraph(plain).labels is None
    twice = StandIn(["ann", "ann"], [(0, 1)], [{}], directed=False)
    assert "two vertices have the same 'name'" in message(Graph.from_igraph, twice)


# lists of edges


def test_pairs_of_labels_with_values():
    graph = Graph.from_edges([("b", "a"), ("b", "b"), ("a", "c")], columns={
        "weight": [1, 2, 3], "time": ["2024-05-01", "2024-05-01", "2024-05-02"], "direction": ["out", 1, "<-"],
    })  # fmt: skip
    assert graph.dropped.loops == 1
    assert graph.rows.columns["weight"].tolist() == [1, 3]
    assert graph.rows.columns["time"].tolist() == [1714521600, 1714608000]
    assert graph.rows.source.tolist() == [1, 2]
    assert Graph.from_edges([(1, 2), (2, 3)]).labels.tolist() == [1, 2, 3]
    assert Graph.from_edges([1, 2], [2, 3]).node_count == 4
    assert Graph.from_edges([]).node_count == 0


@pytest.mark.parametrize(("edges", "words"), [
    ([("a", "b", "c")], "edge 0 is ('a', 'b', 'c'): give a pair"), (["ab"], "edge 0 is 'ab'"),
    ([("a", "b"), 7], "edge 1 is 7"), (5, "is no list of edges"),
])  # fmt: skip
def test_lists_that_hold_no_pairs(edges, words):
    assert words in message(Graph.from_edges, edges)


# every public function takes them all


def forms(folder):
    """The same graph in every form: two of each, for functions that need two."""
    graph = thinveil.synthetic_graph(1_500, seed=3)
    path = folder / "edges.csv"
    graph.to_polars().write_csv(path)
    yield from (graph, str(path), path, io.BytesIO(path.read_bytes()), graph.to_networkx(), graph.to_pandas(),
                graph.to_polars(), graph.to_scipy())  # fmt: skip


def test_every_kind_has_a_form_here(tmp_path):
    found = {next(kind for kind in KINDS if kind.recognises(form)).name for form in list(forms(tmp_path))[1:]}
    assert found | {"igraph graph"} == {kind.name for kind in KINDS}


def test_audits_of_every_form_are_equal(tmp_path):
    seen = {thinveil.audit(form, SMALL, **FEW, seed=1).rate("complete", 0.01) for form in forms(tmp_path)}
    assert len(seen) == 1


def test_other_functions_take_forms_too(tmp_path):
    graph, path, *_, table, _ = list(forms(tmp_path))
    assert thinveil.info(path)["digest"] == thinveil.info(table)["digest"] == graph.digest()
    thinveil.write_release(thinveil.anonymize(path, SMALL, seed=1), tmp_path / "release", tmp_path / "truth.parquet")
    assert thinveil.train(table, SMALL, attack="forest:trees=5").categories[-1] == "complete"
    named = thinveil.match(path, table)
    assert named.verdict.accepted
    assert thinveil.utility(path, table, measures="degrees")["degrees"].distance == 0
    assert thinveil.utility(path, tmp_path / "release", measures="degrees").subgraphs == 10
    assert thinveil.check_promise(table, "k-degree:k=5").found >= 5
    result = thinveil.audit(path, SMALL, train_on=thinveil.synthetic_graph(1_400, seed=9).to_polars(), **FEW)
    assert result.graph.title == "edges.csv"
    thinveil.write_people(result, table, tmp_path / "people.csv")
    assert "person" in (tmp_path / "people.csv").read_text()


def test_releases_and_models_are_taken_by_their_paths(tmp_path):
    graph = thinveil.synthetic_graph(1_500, seed=3)
    release = thinveil.anonymize(graph, SMALL, seed=1)
    thinveil.write_release(release, tmp_path / "release", tmp_path / "truth.parquet")
    model = thinveil.train(thinveil.synthetic_graph(1_500, seed=4), SMALL, attack="signature")
    thinveil.save_model(model, tmp_path / "model")
    by_path = thinveil.link(tmp_path / "release", str(tmp_path / "model"))
    assert by_path.equals(thinveil.link(thinveil.read_release(tmp_path / "release"), model))
    assert "who is who" in message(thinveil.audit_release, tmp_path / "release")


@pytest.mark.parametrize(("graph", "words"), [
    ("nowhere.csv", "nowhere.csv: no such file"), (b"x", "is not a graph: read one with thinveil.read_graph(path)"),
    (nx.Graph, "is not a graph"), ([("a", "b")], "is not a graph"), (np.eye(2), "is not a graph"),
])  # fmt: skip
def test_what_is_no_graph_is_refused(graph, words):
    assert words in message(thinveil.audit, graph)
    assert words in message(thinveil.audit, thinveil.synthetic_graph(500), train_on=graph)
