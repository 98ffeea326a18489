"""Formats of graphs besides plain edge lists: each example is read by recognition, and as the format it is."""

from __future__ import annotations

import io

from tests.fuzz.target import Target


def _target(name: str, formats: tuple[str, ...], examples: list[bytes], tokens: tuple[bytes, ...]) -> Target:
    def read(data: bytes) -> None:
        from thinveil.errors import GraphFileError
        from thinveil.graph.info import info
        from thinveil.graph.reading import read_graph

        told: list[str] = []
        for chosen in formats:
            for wish in ({}, {"weight": "weight", "directed": True}):
                try:
                    info(read_graph(io.BytesIO(data), format=chosen, **wish))
                except GraphFileError as error:
                    told.append(str(error))
        assert all(len(message.splitlines()) == 1 for message in told), told
        graph = read_graph(io.BytesIO(data))
        assert len(graph.origin.words().splitlines()) == 1
        info(graph)

    return Target(name, lambda: examples, read, tokens)


JSON = _target(
    "json",
    ("json",),
    [
        b"[[1, 2], [2, 3, 0.5]]",
        b'[{"source": 1, "target": 2, "weight": 7}, {"source": 2, "target": 3, "weight": 1}]',
        b'{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b", "weight": 1}]}',
        b'{"nodes": [{"name": "a"}, {"name": "b"}], "edges": [{"source": 0, "target": 1}]}',
        b'{"source": "a", "target": "b"}\n{"source": "b", "target": "c"}\n',
        b'{"1": [2, 3], "2": [3], "3": []}',
        b'{"source": [1, 2], "target": [2, 3], "weight": [1, 1]}',
        b'{"columns": ["source", "target"], "data": [["a", "b"], ["b", "c"]]}',
    ],
    (b"[" * 3000, b'{"a":' * 3000, b"null", b"true", b'"\\ud800"', b"1" * 5000, b"NaN", b'"source"', b"[]", b"{}"),
)

XML = _target(
    "graphml",
    ("graphml",),
    [
        b'<?xml version="1.0" encoding="utf-8"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        b'<key id="d0" for="edge" attr.name="weight" attr.type="double"/><graph edgedefault="undirected">'
        b'<node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"><data key="d0">2.5</data></edge>'
        b'<edge source="b" target="c"><data key="d0">1</data></edge></graph></graphml>',
        b'<graphml><graph><node id="1"/><edge source="1" target="2"/></graph></graphml>',
    ],
    (b"<!DOCTYPE graphml>", b"<!ENTITY a 'b'>", b"&a;", b"<hyperedge>", b"<node>", b'<data key="d0">', b"<!--", b"]]>"),
)

NESTED = _target(
    "gml",
    ("gml", "graphviz"),
    [
        b'Creator "x"\ngraph [\n  node [ id 1 label "Anna" ]\n  node [ id 2 label "Bob" ]\n'
        b"  edge [ source 1 target 2 weight 3.5 ]\n]\n",
        b"graph [ directed 0 node [ id 0 ] node [ id 1 graphics [ x 1.0 ] ] edge [ source 0 target 1 ] ]",
        b'strict digraph "x y" {\n  rankdir=LR; node [shape=box]\n  a -> b -> c [weight=3, label="x;y"];\n  d\n}\n',
        b"graph { a -- b; /* c */ subgraph s { c -- d } // e\n }",
    ],
    (b"[" * 500, b"]", b"{", b"}", b'"', b"/*" * 200, b"//", b"--", b"->", b"node [", b"edge [", b"&#0;", b"graph ["),
)

LINES = _target(
    "lines",
    ("pajek", "gdf", "dimacs", "tgf", "metis", "adjacency", "arrows"),
    [
        b'*Vertices 3\n1 "Anna"\n2 "Bob"\n3 "C D"\n*Edges\n1 2 3.5\n2 3 1\n',
        b"nodedef>name VARCHAR,label\na,'x, y'\nb,z\nedgedef>node1,node2,weight DOUBLE\na,b,1.5\n",
        b"*Vertices 4\n*Arcslist\n1 2 3\n2 4\n",
        b"c about\np edge 4 2\ne 1 2\ne 2 3\n",
        b"p sp 3 2\na 1 2 7\na 2 3 9\n",
        b"1 Anna\n2 Bob\n3 Carl\n#\n1 2 friends\n2 3\n",
        b"% about\n4 3\n2 3\n1 3\n1 2\n\n",
        b"3 2 001\n2 7\n1 7 3 9\n2 9\n",
        b"0 1 2 3\n1 2\n2\n3\n",
        b"a: b, c\nb: c\nc: a\n",
        b"Anna S -> Bob\nBob <-> Carl\nCarl -- Dora [weight=3];\n",
        b"a->b->c 5\nb->d 7\n",
    ],
    (
        b"*Vertices 2147483647\n",
        b"p edge 999999999 1\n",
        b"999999999 5\n",
        b"#\n",
        b"e 0 1\n",
        b"-> ",
        b" " * 5000,
        b"--",
    ),
)
