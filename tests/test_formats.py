"""Formats besides edge lists: networkx writes them, or they are small enough to be read by eye."""

import io
import json

import networkx as nx
import pytest

import thinveil
from thinveil.errors import GraphFileError, InputError
from thinveil.graph.info import info
from thinveil.graph.reading import collecting, read_graph


def read(content, **options):
    return read_graph(io.BytesIO(content.encode() if isinstance(content, str) else content), **options)


def edges_of(graph):
    pairs = ((graph.label(v), graph.label(int(u))) for v in range(graph.node_count) for u in graph.neighbors(v))
    return {frozenset(map(str, pair)) for pair in pairs}


def nodes_of(graph):
    return sorted(str(graph.label(node)) for node in range(graph.node_count))


def named_graph():
    graph = nx.Graph([("anna", "bob"), ("bob", "carl"), ("anna", "carl"), ("carl", "dora d")])
    graph.add_node("lonely")
    return graph


def numbered_graph():
    graph = nx.gnm_random_graph(60, 200, seed=3)
    nx.set_edge_attributes(graph, {pair: number / 2 for number, pair in enumerate(graph.edges)}, "weight")
    graph.add_node(99)
    return graph


def written(write, graph):
    buffer = io.BytesIO()
    write(graph, buffer)
    return buffer.getvalue()


def write_node_link(graph, buffer, edges="links"):
    buffer.write(json.dumps(nx.node_link_data(graph, edges=edges)).encode())


def write_node_link_of_edges(graph, buffer):
    write_node_link(graph, buffer, "edges")


WRITERS = {
    "Pajek": lambda graph, buffer: nx.write_pajek(nx.relabel_nodes(graph, str), buffer),
    "GraphML": nx.write_graphml,
    "GML": nx.write_gml,
    "JSON node-link": write_node_link,
}


@pytest.mark.parametrize("make", [named_graph, numbered_graph])
@pytest.mark.parametrize("name", WRITERS)
def test_what_networkx_writes_is_read_with_all_nodes(name, make):
    graph = read(written(WRITERS[name], make()))
    assert graph.origin.format == name
    assert edges_of(graph) == {frozenset(map(str, pair)) for pair in make().edges}
    assert nodes_of(graph) == sorted(map(str, make().nodes))


@pytest.mark.parametrize("name", WRITERS)
def test_weights_of_networkx(name):
    graph = read(written(WRITERS[name], numbered_graph()), weight="weight")
    assert sorted(graph.rows.columns["weight"].tolist()) == [number / 2 for number in range(200)]


def test_adjacency_lists_of_networkx():
    for original in (numbered_graph(), nx.karate_club_graph(), nx.star_graph(4)):
        graph = read(written(nx.write_adjlist, original))
        assert graph.origin.format == "adjacency list"
        assert edges_of(graph) == {frozenset(map(str, pair)) for pair in original.edges}
        assert graph.node_count == original.number_of_nodes()


def test_an_adjacency_list_that_looks_like_a_cut_off_edge_list_is_told_what_to_pass():
    content = written(nx.write_adjlist, nx.path_graph(3))
    with pytest.raises(GraphFileError, match="pass --format adjacency"):
        read(content)
    assert edges_of(read(content, format="adjacency")) == {frozenset("01"), frozenset("12")}


def test_edge_lists_of_networkx_stay_edge_lists():
    graph = read(written(nx.write_edgelist, numbered_graph()))
    assert graph.origin.format == "edge list"
    assert edges_of(graph) == {frozenset(map(str, pair)) for pair in numbered_graph().edges}


SECOND = "a second graph starts in this file: give each graph a file of its own"
PATH = {frozenset("ab"), frozenset("bc")}
ONE = {frozenset("12"), frozenset("23")}


@pytest.mark.parametrize(
    ("content", "format", "nodes", "edges"),
    [
        ("a -> b\nb -> c\n", "arrows", 3, PATH),
        ("a->b->c\n", "arrows", 3, PATH),
        ("a -- b;\nc <- b\n", "arrows", 3, PATH),
        ("1 -> 2\n2 <-> 3\n", "arrows", 3, ONE),
        ("a → b 7\nb → c 8\n", "arrows", 3, PATH),
        ("graph {a -- b; b -- c; d}", "Graphviz", 4, PATH),
        ('strict digraph "x" {\n  rankdir=LR\n  a -> b -> c [weight=3, label="x;y"]\n}\n', "Graphviz", 3, PATH),
        ("c about\np edge 4 2\ne 1 2\ne 2 3\n", "DIMACS", 4, ONE),
        ("p sp 3 2\na 1 2 7\na 2 3 9\n", "DIMACS", 3, ONE),
        ("1\n2\n3\n4\n#\n1 2\n2 3\n", "TGF", 4, ONE),
        ("1 a\n2 b\n3 c\n#\n1 2 friends\n2 3\n", "TGF", 3, PATH),
        ("*Vertices 4\n*Arcslist\n1 2\n*Edges\n2 3 1.5\n", "Pajek", 4, ONE),
        ("%x\n4 2\n2\n1 3\n2\n\n", "METIS", 4, ONE),
        ("a: b\nb: a, c\nc: b\n", "adjacency list", 3, PATH),
        ("[[1, 2], [2, 3]]", "JSON", 3, ONE),
        ('["a", "b"]\n["b", "c"]\n', "JSON lines", 3, PATH),
        ('{"caller": "a", "callee": "b"}\n{"callee": "c", "caller": "b"}\n', "JSON lines", 3, PATH),
        ('[{"w": 1, "from": 1, "to": 2}, {"w": 1, "from": 2, "to": 3}]', "JSON", 3, ONE),
        ('{"a": ["b"], "b": ["c"], "c": [], "d": []}', "JSON", 4, PATH),
        (
            '{"nodes": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "links": [{"source": 0, "target": 1}, '
            '{"source": 1, "target": 2}]}',
            "JSON node-link",
            3,
            PATH,
        ),
        ('<graphml><edge source="a" target="b"/><edge source="b" target="c"/></graphml>', "GraphML", 3, PATH),
        ("graph [ edge [ source 1 target 2 ] edge [ source 2 target 3 ] ]", "GML", 3, ONE),
    ],
)  # fmt: skip
def test_small_files(content, format, nodes, edges):  # noqa: A002
    graph = read(content)
    assert (graph.origin.format, graph.node_count) == (format, nodes)
    assert edges_of(graph) == edges
    assert edges_of(read("\ufeff" + content.replace("\n", "\r\n"))) == edges


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("[" * 100_000, "the JSON is nested too deeply"),
        ('{"nodes":' * 100_000, "the JSON is nested too deeply"),
        ('[[1, "a"], [2, 3]]', "some node ids are numbers and some are text"),
        ("[[1, 2.5]]", "'2.5' is no node id"),
        ("[[1, 2], [3]]", "is no edge like the first"),
        ('{"type": "FeatureCollection"}', "this JSON is no graph that is known"),
        ('[[1, "\\ud800"]]', "is not UTF-8 text"),
        ('<!DOCTYPE g [<!ENTITY a "b">]><graphml/>', "the XML declares a document type"),
        ("<graphml><graph><hyperedge/></graph></graphml>", "a hyperedge joins more than two nodes"),
        ("<graphml><graph><edge source='a'/></graph></graphml>", "a node, edge or key has no target"),
        ("<graphml><graph>", "the XML is damaged"),
        ("graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "not both of which are listed"),
        ("graph [ edge [ source 1", "the GML file is cut off"),
        ("graph [" + "a [" * 1000, "more than 100 deep"),
        ("graph { a -- {b c} }", "an edge to a whole sub-graph"),
        ("graph { a -- b", "is cut off before its last '}'"),
        ("p edge 999999999 1\ne 1 2\n", "999999999 nodes do not fit a file of"),
        ("p edge 3 5\ne 1 2\n", "promises 5 edges, but the file has 1"),
        ("p edge 3 1\ne 1 4\n", "nodes must be from 1 to 3"),
        ("*Vertices 999999999\n*Edges\n1 2\n", "fitting the file's size"),
        ("*Vertices 2\n*Edges\n1 3\n", "expected two vertices from 1 to 2"),
        ("*Vertices 2\n*Matrix\n0 1\n", "the section '*matrix' cannot be read"),
        ("graph {a -- b}\n/* and */ digraph {a -> c}\n", SECOND),
        ("graph {a -- b}\na -- c\n", "'a -- c' stands behind the last '}' of the graph"),
        ("graph [ edge [ source 1 target 2 ] ]\ngraph [ edge [ source 1 target 3 ] ]", SECOND),
        ("graph [ edge [ source 1 target 2 ] ]\ngraph [ directed 0 ]", SECOND),
        ("<graphml><graph><edge source='a' target='b'/></graph><graph/></graphml>", SECOND),
        ("*Vertices 2\n*Edges\n1 2\n*Vertices 3\n*Edges\n2 3\n", SECOND),
        ("*Network a\n*Vertices 2\n*Edges\n1 2\n*Partition p\n*Vertices 2\n1\n1\n*Network b\n", SECOND),
        ('{"a": ["b"], "b": ["c"], "a": ["d"]}', "an object has the key 'a' twice"),
        (
            '{"source": 1, "target": 2}\n{"source": 1, "source": 3, "target": 2}\n',
            "line 2: an object has the key 'source'",
        ),
        ("4 1\n2\n\n\n3\n", "the edge between 1 and 2 stands on the line of one of them only"),
        ("5 2\n2\n1\n\n5\n3\n", "the edge between 3 and 5 stands on the line of one of them only"),
    ],
)
def test_damaged_files(content, expected):
    with pytest.raises(GraphFileError) as caught:
        read(content)
    assert expected in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "nodes"),
    [
        ("graph {a -- b} // the end\n/* of it */\n# all", 2),
        ("<graphml><graph><node id='a'><graph><edge source='a' target='b'/></graph></node></graph></graphml>", 2),
        ("*Vertices 3\n*Edges\n1 2\n2 3\n*Partition p\n*Vertices 3\n7\n7\n9\n*Vector v\n*Vertices 3\n0.5\n1\n2\n", 3),
    ],
)
def test_what_follows_a_graph_and_is_none_is_passed_over(content, nodes):
    assert read(content).node_count == nodes


@pytest.mark.parametrize(
    "content", ["[[1, 2]]", "[1, 2]\n[2, 3]\n", "graph {a -- b}", "graph [ edge [ source 1 target 2 ] ]"]
)
def test_formats_that_become_objects_are_held_against_memory(monkeypatch, content):
    monkeypatch.setattr(collecting, "free_memory", lambda: 20 * len(content))
    assert read(content).edge_count
    monkeypatch.setattr(collecting, "free_memory", lambda: 20 * len(content) - 1)
    with pytest.raises(
        GraphFileError, match=r"takes about [0-9]+ bytes, more than memory holds: write its edges as CSV$"
    ):
        read(content)


def test_a_format_can_be_named():
    knn = "0 1 2 3\n1 0 2 3\n2 0 1 3\n3 0 1 2\n"
    with pytest.raises(GraphFileError, match="--format adjacency"):
        read(knn)
    assert read(knn, format="adjacency").edge_count == 6
    assert read(knn, format="csv").edge_count == 3
    assert read("1,Anna\n2,Bob\n", format="edge-list").node_count == 4
    with pytest.raises(InputError, match=r"--format graphm1 .* did you mean 'graphml'\? known are parquet"):
        read("1 2\n", format="graphm1")


def test_the_origin_says_how_a_file_was_read(tmp_path, caplog):
    path = tmp_path / "calls.csv"
    path.write_text("caller,callee,seconds\n7,9,60\n9,8,10\n7,9,5\n")
    with caplog.at_level("INFO", logger="thinveil"):
        graph = thinveil.read_graph(path, weight="seconds")
    words = "read calls.csv as CSV: commas, header, caller -> callee, weight in seconds, integer ids; 3 rows"
    assert graph.origin.words() == words
    assert words in caplog.messages
    told = info(graph)["read_as"]
    assert told["first"] == [[7, 9], [9, 8], [7, 9]]
    assert told["columns"] == {"weight": "seconds", "source": "caller", "target": "callee"}
    assert graph.digest() == read("7 9\n9 8\n").digest()
    assert "if it is a header" in read("chef,knecht\nanna,bob\ncarl,dora\n").origin.note
    assert "\x1b" not in read("source\x1b[2J,target\n1,2\n").origin.words()
