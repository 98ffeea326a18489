"""Files that could be read as edges but are none: each is refused in one line that says what it is and what to do."""

import io
import zipfile

import polars as pl
import pytest

from thinveil.errors import GraphFileError
from thinveil.graph.reading import read_graph

NAMES = "anna bob carl dora emil fritz gina hans ida jan kurt lea max nina otto paul".split()  # noqa: SIM905
PAIRS = [(NAMES[k % 16], NAMES[(k * 5 + 3) % 16]) for k in range(60)]
NUMBERS = [(k % 40, (7 * k + 3) % 40) for k in range(120)]


def lines(form, pairs, head="", tail=""):
    return head + "".join(form.format(*pair, k=k) + "\n" for k, pair in enumerate(pairs)) + tail


def parquet(**columns):
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


def read(content, **options):
    return read_graph(io.BytesIO(content.encode() if isinstance(content, str) else content), **options)


def refused(content, **options):
    with pytest.raises(GraphFileError) as caught:
        read(content, **options)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def edges_of(graph):
    pairs = ((graph.label(v), graph.label(int(u))) for v in range(graph.node_count) for u in graph.neighbors(v))
    return {frozenset(map(str, pair)) for pair in pairs}


ID_CLASS = "every first id has one line, with a name or a class"
ABOUT_NODES, SEVERAL, COUNTS = "tells about nodes", "seems to hold several ids", "the numbers of nodes and edges"
HEADER, PROGRAM, DRAWN = "may be a header or an edge", "settings or a program", "a line drawn for people"
SUMMED, QUOTED, NOBODY = "seems to sum up the others", "stands in quotes", "stands for nobody"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (parquet(subgraph=[0, 0, 1], node=[5, 6, 7], person=[1, 2, 1], hops=[0, 1, 1]), "the truth of a release"),
        (parquet(subgraph=[0, 0], node=[5, 6]), "the list of nodes of a release"),
        (parquet(subgraph=[0, 1], source=[5, 6], target=[6, 7]), "a part of a release"),
        (parquet(cluster=[0, 0], subgraph=[0, 1], node=[5, 6], probability=[0.5, 0.5]), "links that 'link' wrote"),
        ("subgraph,node,person,score,rank,agree\n0,5,9,0.5,1,2\n0,6,8,0.4,1,2\n", "names that 'match' wrote"),
        ("cluster,subgraph,node,probability\n0,0,5,0.5\n0,1,6,0.4\n", "links that 'link' wrote"),
        ("person,appearances,largest_degree,closest_hop,risk\n1,2,3,1,0.5\n2,2,3,1,0.5\n", "people that 'audit' wrote"),
        ("category,fpr,tpr,low,high,run\ncomplete,0.1,0.5,0,1,7\n", "rates that 'audit' wrote"),
    ],
)
def test_tables_of_our_own_are_refused_by_name(content, expected):
    assert expected in refused(content)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (parquet(id=[1, 2, 3], label=["a", "b", "c"]), ABOUT_NODES),
        (parquet(person=["a", "b"], gender=["m", "f"]), ABOUT_NODES),
        (parquet(node=list(range(60)), x=[k % 3 + 100 for k in range(60)]), ID_CLASS),
        (parquet(person=list("abcd"), x=list("1211")), ID_CLASS),
        (parquet(u=["2.25071E+11", "2.25072E+11"], v=["2.25073E+11", "2.25071E+11"]), "has lost its last digits"),
        ('[{"id": 1, "age": 20}, {"id": 2, "age": 31}]', ABOUT_NODES),
        ('{"user": "a", "text": "hello"}\n{"user": "b", "text": "hi"}\n', ABOUT_NODES),
        ("[[0, 1, 0], [1, 0, 1], [0, 1, 0]]", "a whole adjacency matrix"),
        ('{"names": ["anna", "bob"], "ages": ["3", "4"]}', "if they are columns"),
        ("x <- 5\ny <- 7\nz <- 8\n", ID_CLASS),
    ],
)
def test_tables_that_are_not_of_text_are_doubted_too(content, expected):
    assert expected in refused(content)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (lines("'{}','{}'", PAIRS), QUOTED),
        (lines("'{}','{}'", NUMBERS, "'source','target'\n"), QUOTED),
        (lines("“{}”;“{}”", PAIRS), QUOTED),
        ("from,to\nanna,bob;carl\nbob,anna\ncarl,anna;bob\n", SEVERAL),
        ("from,to\na@x.org,b@x.org;c@x.org\nb@x.org,d@x.org\n", SEVERAL),
        ('from,to\na,"b,c"\nb,a\nc,"a,b"\n', SEVERAL),
        ("from,to\nanna,bob;carl\ndora,emil;fritz\ngina,hans\nida,jan;kurt\n", SEVERAL),
        ("from,to\nanna,bob carl\nbob,anna\ncarl,anna bob\n", SEVERAL),
        (lines("{} {}", NUMBERS, "40 120\n"), COUNTS),
        (lines("{},{}", NUMBERS, "120,40\n"), COUNTS),
        (lines("{} {} 1", NUMBERS, "40 40 120\n"), COUNTS),
        ("3 2\n1 2\n2 3\n", COUNTS),
        (lines("{} {}", NUMBERS, "40\n"), "if it is the number of nodes or edges, remove it"),
        ("3\n0 1\n1 2\n2 0\n", "if it is the number of nodes or edges, remove it"),
        (lines("{},{}", PAIRS, "source,target\n", "Total,60\n"), SUMMED),
        (lines("{};{}", PAIRS, "von;nach\n", "Gesamt;60\n"), SUMMED),
        (lines("{},{},x", PAIRS, "", "SUM,60,\n"), SUMMED),
        ("10 20 100 a.txt\n11 22 110 b.txt\n21 42 210 total\n", SUMMED),
        (lines("{},{}", PAIRS, "from,to\n", "Source: telecom,2024\n"), "the last line"),
        (lines("{},{}", PAIRS, "Häuptling,Untergebene\n"), HEADER),
        (lines("{},{}", PAIRS, "haeuptling,untergebene\n"), HEADER),
        (lines("{},{},x", PAIRS, "haeuptling,untergebene,art\n"), HEADER),
        ("Häuptling,Untergebene\nanna,bob\nbob,carl\ncarl,anna\n", HEADER),
        (lines("{},{}", PAIRS, "Edges,Visual Properties\nVertex 1,Vertex 2\n"), HEADER),
        (lines("{},{}", PAIRS, "Call list,2024\nFrom,To\n"), "seems to be a header"),
        (lines("{},{}", PAIRS, "from,to\n", "name,age\nanna,3\nbob,4\n"), "seems to be a header"),
        ("".join(f"{name},{'ABC'[k % 3]}\n" for k, name in enumerate(NAMES)), ID_CLASS),
        ("anna,A\nbob,B\ncarl,A\ndora,A\nemil,B\nfritz,A\n", ID_CLASS),
        ("anna,1\nbob,2\ncarl,1\ndora,1\n", ID_CLASS),
        ("".join(f"{100 + k} {k % 3}\n" for k in range(30)), ID_CLASS),
        ("id,value\n1,2\n2,3\n3,9\n", ABOUT_NODES),
        ("127.0.0.1 localhost\n127.0.1.1 box\n10.0.0.2 server\n", "no id stands on two lines"),
        (lines("{},{}", PAIRS, "from,to\n", "unknown,anna\n"), NOBODY),
        ("from,to\nanna\u00a0,bob\nbob,anna\n", "blanks that nobody sees"),
        ("from,to\n=A1,=B1\n=A2,=B2\n", "a formula of a spreadsheet"),
        (lines("{}  {}", PAIRS, "a     b\n----  ----\n"), DRAWN),
        (lines("{} | {}", PAIRS, "from | to\n--- | ---\n"), DRAWN),
    ],
)  # fmt: skip
def test_tables_that_are_not_of_edges(content, expected):
    assert expected in refused(content)


@pytest.mark.parametrize(
    "content",
    [
        "import os\nimport sys\n\nfor line in sys.stdin:\n    print(line)\n",
        "import os\nimport sys\nimport re\n",
        'int main(void) {\n  printf("x");\n  return 0;\n}\n',
        "const a = 1;\nlet b = 2;\nfunction f(x) { return x; }\n",
        "const f = (a) => a;\nconst g = (b) => b;\n",
        "x <- c(1,2)\ny <- mean(x)\n",
        "#!/bin/sh\nset -e\ncd /tmp\nrm file\n",
        "cd build\nmake all\nmake install\n",
        "f :: Int -> Int\ng :: Int -> Bool -> Int\n",
        "Alice -> Bob: hi there\nBob -> Alice: hey you\n",
        "It was the best of times,\nit was the worst of times,\nit was the age of wisdom,\nit was the age of folly\n",
        "the quick brown fox\njumps over the lazy dog\nand then he runs away again\ninto the dark wood\n",
        "# A title\n\nMeasure how many\npeople can be found again in it, whatever it is.\n\npip install thinveil\n",
        "name = 'x'\nversion = '1'\nauthor = 'y'\n",
        "0 5 * * * root run\n10 6 * * * root other\n",
        "1 1:0.5 2:0.3\n-1 1:0.2 3:0.1\n1 2:0.9 3:0.4\n",
        "4bb1e8c fix the bug\n8d2cdd2 add the thing\n735cf00 remove it now\n",
        "a pp b c d\nb pp c\nc pp d e\n",
        "a           b\n" + lines("| {} | {} |", PAIRS),
    ],
)
def test_what_people_and_programs_write_is_refused(content):
    refused(content)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("dl n=5 format=edgelist1\nlabels embedded\ndata:\na b\nb c\n", "a DL file of UCINET"),
        ("% bip unweighted\n% 5 3 4\n1 1\n1 2\n2 3\n3 4\n", "between two kinds of things"),
        ("# anna\nbob 1\ncarl 2\n# bob\ncarl 1\n", "an LGL file"),
        ("BEGIN:VCARD\nVERSION:3.0\nN:Smith;John\nEND:VCARD\n", "contacts or dates"),
        ("From a@x.org Mon Jan 1 00:00:00 2024\nFrom: a@x.org\nTo: b@x.org\n\nHi there\n", "a mailbox"),
        ("From: a@x.org\nTo: b@x.org\nSubject: hello\n\nHi there\n", "a mail"),
        ("\\documentclass{article}\n\\begin{document}\nHello world\n", "a LaTeX document"),
        ("commit 4bb1e8c\nAuthor: A <a@x>\nDate:   Mon\n", "a log of git"),
        (">seq1 human\nACGTACGT\n>seq2 mouse\nACGGGT\n", "a file of sequences"),
        ("{'a': ['b'], 'b': ['c']}\n", "Python printed"),
        ("[main]\nkey = value\nother = thing\n", "a file of settings"),
        ("root:x:0:0:root:/root:/bin/bash\nbin:x:2:2:bin:/bin:/bin/sh\n", "a list of accounts"),
        ("+----+----+\n| a  | b  |\n+----+----+\n| 1  | 2  |\n", "a table drawn for people"),
    ],
)
def test_foreign_files_are_refused_by_name(content, expected):
    assert expected in refused(content)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("caller,callee\n", "the header stands again"),
        ("2.25071E+11,anna\n", "has lost its last digits"),
        ("#7,anna\n", "line 602: '#7,anna' stands among the edges"),
        ("unknown,anna\n", NOBODY),
        ("----,----\n", DRAWN),
    ],
)
def test_all_of_a_long_file_is_looked_at(line, expected):
    long = lines("{},{}", 10 * PAIRS, "caller,callee\n")
    assert read(long).node_count == 16
    assert expected in refused(long + line + lines("{},{}", 10 * PAIRS))
    assert expected in refused(long + line, source="caller", target="callee")
    assert read(long + line, format="edge-list").node_count >= 16


def test_a_long_file_of_numbers_too():
    long = lines("{},{}", 10 * NUMBERS, "caller,callee\n")
    assert "lost digits" in refused(f"{long}2.25071E+11,1\n")
    assert "stands among the edges" in refused(f"{long}#7,8\n1,2\n")
    assert read(f"{long}# made by hand, mostly\n1,2\n").node_count == 40


@pytest.mark.parametrize("header", ["Absender;Empfänger", "expéditeur;destinataire", "origen;destino", "van;naar",
                                    "remetente;destinatário", "mittente;destinatario", "Von;Nach;Dauer"])  # fmt: skip
def test_headers_of_several_languages_are_told(header):
    row = "{};{};7" if header.count(";") == 2 else "{};{}"
    graph = read(lines(row, PAIRS, f"{header}\n"))
    assert graph.node_count == 16
    assert graph.origin.header


def test_a_header_that_stands_again_in_other_letters_is_refused():
    again = lines("{},{}", PAIRS, "Friend1,Friend2\n") + lines("{},{}", PAIRS, "friend1,friend2\n")
    assert "the header stands again" in refused(again)


def test_columns_of_other_things_are_not_taken_for_ids():
    ratings = lines("{0},{1},5,1700000000", NUMBERS, "userId,movieId,rating,timestamp\n")
    assert "does not say which columns" in refused(ratings)
    assert "does not say which columns" in refused(lines("{0},{1},7", NUMBERS, "shop,loc_x,loc_y\n"))
    assert HEADER in refused(lines("{0},{k}x", PAIRS[:16], "student,course\n") + lines("{0},{k}x", PAIRS[:16]))


def test_who_settles_an_unknown_header_is_believed():
    content = lines("{},{}", PAIRS, "haeuptling,untergebene\n")
    assert read(content, source="haeuptling", target="untergebene").node_count == 16
    assert read(content, format="edge-list").node_count == 18


PATH = {frozenset("ab"), frozenset("bc")}


@pytest.mark.parametrize(
    ("content", "format", "nodes"),
    [
        ('{"source": ["a", "b"], "target": ["b", "c"]}', "JSON columns", 3),
        ('{"columns": ["source", "target"], "index": [0, 1], "data": [["a", "b"], ["b", "c"]]}', "JSON columns", 3),
        ('{"source": {"0": "a", "1": "b"}, "target": {"0": "b", "1": "c"}}', "JSON columns", 3),
        ("nodedef>name VARCHAR,label VARCHAR\na,'x, y'\nb,\"z\"\nc,\nd,w\n"
         "edgedef>node1 VARCHAR,node2 VARCHAR,weight DOUBLE\na,b,1.5\nb,c,2\n", "GDF", 4),
        ("sep=;\nsource;target\na;b\nb;c\n", "CSV", 3),
        ("sep=\t\na\tb\nb\tc\n", "TSV", 3),
        (":START_ID,:END_ID,:TYPE\na,b,KNOWS\nb,c,KNOWS\n", "CSV", 3),
        ("a\nb\nc\n#\na b\nb c\n", "TGF", 3),
    ],
)  # fmt: skip
def test_what_can_be_read_rightly_is_read(content, format, nodes):  # noqa: A002
    graph = read(content)
    assert (graph.origin.format, graph.node_count, edges_of(graph)) == (format, nodes, PATH)


def test_gdf_keeps_weights_and_is_refused_where_it_is_damaged():
    text = "nodedef>name\na\nb\nedgedef>node1,node2,weight DOUBLE\na,b,1.5\n"
    assert read(text, weight="weight").rows.columns["weight"].tolist() == [1.5]
    assert "is not among those of 'nodedef'" in refused(text.replace("a,b,", "a,c,"))
    assert "there is no line 'edgedef>" in refused("nodedef>name\na\nb\n")
    assert "edges begin with node1 and node2" in refused("edgedef>from,to\na,b\n")
    assert "fields where 3 were defined" in refused(f"{text}a,b,1,2\n")


def test_a_small_adjacency_list_is_not_called_a_matrix():
    for text in ("anna bob carl\nbob anna carl\ncarl anna bob\n", "0 1 2\n1 0 2\n2 0 1\n"):
        assert "if each line is a node and its neighbours, pass --format adjacency" in refused(text)
        assert read(text, format="adjacency").edge_count == 3


def test_metis_may_end_with_an_empty_line():
    assert read("3 2\n2\n1 3\n2\n\n").origin.format == "METIS"
    assert read("4 2\n\n3\n2 4\n3\n").node_count == 4


@pytest.mark.parametrize("time", [20240501, 202405011230, 20240501123000])
def test_dates_spelled_as_numbers_are_not_taken_for_seconds(time):
    expected = "may be a date or a number, and so may all others: write dates as 2024-05-01"
    assert expected in refused(f"u,v,t\n1,2,{time}\n2,3,{time}\n", time="t")
    assert expected in refused(parquet(u=[1, 2], v=[2, 3], t=[time, time]), time="t")
    assert expected in refused(f'[{{"source": 1, "target": 2, "t": {time}}}]', time="t")
    assert read(f"u,v,t\n1,2,{time}\n2,3,99\n", time="t").rows.columns["time"].tolist() == [time, 99]


def test_times_as_text_in_parquet_are_read_as_in_text():
    table = parquet(u=[1, 2], v=[2, 3], t=["2024-05-01", "2024-05-02 12:30"])
    text = "u,v,t\n1,2,2024-05-01\n2,3,2024-05-02 12:30\n"
    values = [read(content, time="t").rows.columns["time"].tolist() for content in (table, text)]
    assert values[0] == values[1] == [1714521600, 1714653000]
    assert "row 2: the time 'soon' is not" in refused(parquet(u=[1, 2], v=[2, 3], t=["2024-05-01", "soon"]), time="t")
    assert "row 2: the time is missing" in refused(parquet(u=[1, 2], v=[2, 3], t=["2024-05-01", None]), time="t")


def test_a_graph_between_two_kinds_of_things_is_told():
    content = "".join(f"{k % 5},{k % 3 + 100}\n" for k in range(15))
    assert "no id stands in both columns" in read(content).origin.note


GOES_ON, APART = "a quoted cell goes on over the next line", "blanks that nobody sees"
COUNTED = [(1 + a, 1 + b) for a, b in NUMBERS if a != b]
TRIPLES = [(*pair, other) for pair, (other, _) in zip(PAIRS, PAIRS[7:], strict=False) if other not in pair]
SPREAD = [(k % 40, (7 * k + 3) % 40, (11 * k + 5) % 40) for k in range(160)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (lines('{},{},"hello\nworld, you"', PAIRS, "source,target,note\n"), f"line 2: 'anna,dora,\"hello': {GOES_ON}"),
        (lines('{},{},"hello\n7,9,x"', NUMBERS, "source,target,note\n"), GOES_ON),
        (lines('{},{},"hello my\nworld, you"', PAIRS), GOES_ON),
        ('source,target,"a\nb,c"\nida,lea,x\nlea,max,x\n', GOES_ON),
        (
            lines("{},{},x", 10 * NUMBERS, "source,target,note\n", '1,2,"x\n3,4,y"\n'),
            f"line 1202: '1,2,\"x': {GOES_ON}",
        ),
        (lines('"{} ","{}"', PAIRS, "source,target\n"), APART),
        (lines('" {}","{} "', PAIRS, "source,target\n"), APART),
        (parquet(u=["a", "b "], v=["b", "c"]), APART),
        ("from,to\nmu\u0308ller,bob\nm\u00fcller,carl\nbob,carl\n", "NFC and NFD"),
        (lines("{} {} 1", COUNTED, "40 120 0\n"), COUNTS),
        (lines("{} {}", [*COUNTED, COUNTED[0]], f"40 {len(COUNTED)}\n"), COUNTS),
        (lines("{} {}", COUNTED, f"40 {2 * len(COUNTED)}\n"), COUNTS),
        (lines("{} {}", COUNTED, f"40 {len(COUNTED) - 3}\n"), COUNTS),
        ("".join(f"{k * 37 % 600 + 41} {a} {b}\n" for k, (a, b) in enumerate(NUMBERS)), "seems to hold no node ids"),
        ("".join(f"{a} {k * 37 % 600 + 5} {b}\n" for k, (a, b) in enumerate(NUMBERS)), "seems to hold no node ids"),
        ("".join(" ".join(str(i * j % 5) for j in range(9)) + "\n" for i in range(1, 10)), "a whole adjacency matrix"),
        ("0 2 0 1\n0 0 3 7\n1 0 0 0\n2 5 0 0\n", "a whole adjacency matrix"),
        (lines("{},{}", PAIRS) + "anna,bob\rbob,carl\n", "a carriage return alone"),
        (lines("{},{},x", PAIRS, "a,b,x\rc,d,x\n"), "a carriage return alone"),
        (lines("{},{},x", PAIRS) + "anna,bob,x\rbob,carl,x\n", "a carriage return alone"),
        (lines("{},{}", PAIRS) + "# note\rbob,carl\rcarl,dora\n", "a carriage return alone"),
        (lines("{},{}", PAIRS) + "anna,bob\x07\n", "has a control character in it"),
        (parquet(u=["a", "b"], v=["b", "c\x1b"]), "has a control character in it"),
        ('[["a", "b"], ["b", "c\\u0007"]]', "has a control character in it"),
        (lines("{},{}", PAIRS, "", ".,anna\n"), "the source id is missing"),
        (lines("{},{}", PAIRS, "", "anna,#VALUE!\n"), "the target id is missing"),
        (lines("{},{}", PAIRS, "", "anna,Hidden\n"), NOBODY),
        (lines("{},{}", PAIRS, "", "anna,XXXXXXXX\n"), NOBODY),
        (lines("{} {} {}", TRIPLES), "holds ids like the first two"),
        (lines("{} {} {}", SPREAD), "holds ids like the first two"),
        (str([list(row) for row in SPREAD]), "holds ids like the first two"),
        (lines("knows({},{}).", PAIRS), "is in brackets"),
        ('structure(list(from = c(1, 2, 3), to = c(2, 3, 1)), class = "data.frame")\n', "an object that R printed"),
        (lines("file.txt:{},{}", PAIRS), "stands before all ids of one column"),
        (lines("calls/a.csv:{k}:{},{}", PAIRS), "stands before all ids of one column"),
        (lines("{},\"['{}', 'max']\"", PAIRS, "source,target\n"), "is a list"),
        (lines("{}\t[{}, 7]", NUMBERS, "source\ttarget\n"), "is a list"),
        (lines("{},{}", PAIRS, "", "1-Mar,anna\n"), "a date that a spreadsheet made"),
        (lines("{},${}", NUMBERS), "prices or percentages"),
        (lines("{},{}%", NUMBERS), "prices or percentages"),
        (lines("{}.0,{}.0", NUMBERS), "a whole number with a point"),
        ("Appel\u00e9,x,y\n1,2,3\n".encode("latin-1"), "the file is not UTF-8 text: save it as UTF-8"),
    ],
)
def test_more_tables_that_are_not_of_edges(content, expected):
    assert expected in refused(content)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("007,8\n7,9\n8,9\n", "007 and 7 are read as one id"),
        (lines("{},{}", COUNTED, "", "-1,7\n-1,8\n-1,9\n"), "the id -1 stands apart"),
        ('from,to\n"ida ","lea "\n"lea ","max "\n', "ids begin or end with blanks"),
    ],
)
def test_ids_that_may_be_others_are_told(content, expected):
    assert expected in read(content).origin.note


@pytest.mark.parametrize(
    "content",
    [
        '{"directed": false, "multigraph": false, "graph": [], "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], '
        '"adjacency": [[{"id": "b"}], [{"id": "a"}, {"id": "c"}], [{"id": "b"}]]}',
        '{"elements": {"nodes": [{"data": {"id": "a"}}, {"data": {"id": "b"}}, {"data": {"id": "c"}}], "edges": '
        '[{"data": {"id": "e", "source": "a", "target": "b"}}, {"data": {"id": "f", "source": "b", "target": "c"}}]}}',
    ],
)
def test_json_of_networkx_and_cytoscape_is_read(content):
    assert edges_of(read(content)) == PATH


def test_damaged_json_of_networkx_and_cytoscape_is_refused():
    assert "as many lists" in refused('{"nodes": [{"id": 1}], "adjacency": [[], []]}')
    assert "no graph" in refused('{"elements": {"nodes": [1], "edges": {}}}')


def test_links_that_may_be_ids_or_places_are_refused():
    nodes = ", ".join(f'{{"id": {node}, "name": "n"}}' for node in (5, 3, 9, 7, 0, 1, 2, 4))
    ends = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 7)]
    links = ", ".join(f'{{"source": {a}, "target": {b}}}' for a, b in ends)
    assert "may be ids of nodes or their places" in refused(f'{{"nodes": [{nodes}], "links": [{links}]}}')
    assert read(f'{{"directed": false, "nodes": [{nodes}], "links": [{links}]}}').edge_count == 6
    assert read(f'{{"nodes": [{nodes}], "links": [{links}]}}', format="json").edge_count == 6


@pytest.mark.parametrize("beside", [".DS_Store", "a/Thumbs.db", "__MACOSX/._g.csv", "a/._g.csv"])
def test_what_systems_put_into_archives_is_passed_over(beside):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(beside, "x")
        archive.writestr("a/g.csv", "a,b\nb,c\n")
    assert edges_of(read(buffer.getvalue())) == PATH
