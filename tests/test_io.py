import gzip
import io
import sys
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
import zstandard
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.naive import graphs as naive
from thinveil.errors import InputError
from thinveil.graph import Dropped
from thinveil.graph.reading import file_sha256, read_graph
from thinveil.graph.reading.names import is_header


def read(text, **options):
    return read_graph(io.BytesIO(text.encode()), **options)


def edges_of(graph):
    pairs = ((graph.label(v), graph.label(int(u))) for v in range(graph.node_count) for u in graph.neighbors(v))
    return {frozenset(pair) for pair in pairs}


PATH = {frozenset((1, 2)), frozenset((2, 30))}


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n2 30\n",
        "1\t2\n2\t30",
        "# SNAP\n# FromNodeId\tToNodeId\r\n1\t2\r\n2\t30\r\n",
        "1 \t 2\n\n\n  2\t30  \n",
        "1\t2\n2 30\n",
        "1,2\n2,30\n",
        "1, 2,\n2, 30,\n",
        "1;2\n2;30\n",
        "source,target\n1,2\n2,30\n",
        "SRC;DST\n1;2\n2;30\n",
        "x y\n1 2\n2 30\n",
        "\ufeff1,2\n2,30\n",
        "\ufeffsource,target\n1,2\n2,30\n",
        '"source","target"\n"1","2"\n2,"30"\n',
        "% comment\n1 2 0.5\n% another\n2 30 7\n",
        "timestamp,caller,callee,duration\n99,1,2,5\n98,2,30,6\n",
        "# time,user_a,user_b\n99,1,2\n98,2,30\n",
        "+1 002\n2 30\n30 2\n1 1\n",
    ],
)
def test_text_in_many_forms(text):
    assert edges_of(read(text)) == PATH


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a,b,c\n9,1,2\n9,2,30\n", {"source": "b", "target": "c"}),
        ("a,b,c\n9,1,2\n9,2,30\n", {"source": 1, "target": 2}),
        ("9,1,2\n9,2,30\n", {"source": "1", "target": "2"}),
        ("# a,b,c\n9,1,2\n9,2,30\n", {"source": "b", "target": "c"}),
        ("a,b,when\n1,2,5\n2,30,6\n", {"time": "when"}),
        ("5 1 2\n6 2 30\n", {"time": 0}),
        ("1|2\n2|30\n", {"delimiter": "|"}),
        ("1\t2\n2\t30\n", {"delimiter": "\t"}),
        ("1 2\n2 30\n", {"ids": "integer"}),
    ],
)
def test_columns_are_chosen(text, options):
    assert edges_of(read(text, **options)) == PATH


def test_compression_and_streams(tmp_path, monkeypatch):
    plain = b"1 2\n2 30\n"
    zipped = zstandard.ZstdCompressor().compress(plain[:4]) + zstandard.ZstdCompressor().compress(plain[4:])
    packings = [plain, gzip.compress(plain[:4]) + gzip.compress(plain[4:]), zipped]
    for packed in packings:
        path = tmp_path / "graph.dat"  # the name says nothing
        path.write_bytes(packed)
        assert edges_of(read_graph(path)) == edges_of(read_graph(str(path))) == PATH
        with path.open("rb") as file:
            assert edges_of(read_graph(file)) == PATH
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(packed)))
        assert edges_of(read_graph("-")) == PATH


def test_string_ids_quotes_and_order():
    graph = read('source,target\n"Doe, Jane",Zoë\nZoë,"say ""hi"""\n"Zoë",Bob\n')
    assert graph.labels.tolist() == ["Bob", "Doe, Jane", "Zoë", 'say "hi"']
    assert graph.edge_count == 3
    assert read("Jane Doe\tBob\nBob\tAl Green\n").labels.tolist() == ["Al Green", "Bob", "Jane Doe"]
    assert read("1 2\n2 10\n", ids="string").labels.tolist() == ["1", "10", "2"]


def test_labels_are_left_out_where_they_are_the_numbers():
    assert read("0 1\n1 2\n").labels is None
    assert read("1 2\n2 3\n").labels.tolist() == [1, 2, 3]
    assert read("0 18446744073709551615\n").labels.dtype == np.uint64
    assert read("-9223372036854775808 9223372036854775807\n").labels.tolist() == [-(2**63), 2**63 - 1]


def test_edge_columns():
    text = "from,to,w,t,way\n1,2,0.5,100,out\n2,2,1,101,in\n2,1,3e2,102,<-\n2,3,-1,103,Both\n"
    graph = read(text, weight="w", time="t", direction="way")
    assert graph.dropped == Dropped(loops=1, duplicates=1)
    assert graph.rows.source.tolist() == [0, 0, 1]
    assert graph.rows.columns["weight"].tolist() == [0.5, 300.0, -1.0]
    assert graph.rows.columns["time"].tolist() == [100, 102, 103]
    assert [graph.rows.columns[role].dtype for role in ("time", "direction")] == [np.int64, np.int8]
    assert graph.rows.columns["direction"].tolist() == [1, 1, 0]  # the second row is turned


def test_directed_keeps_rows():
    assert read("1 2\n").rows is None
    rows = read("2 1\n1 2\n", directed=True).rows
    assert (rows.source.tolist(), rows.columns["direction"].tolist()) == ([1, 0], [1, 1])
    with pytest.raises(InputError, match="--directed and --direction exclude each other"):
        read("1 2 out\n", directed=True, direction=2)


def write_parquet(table):
    buffer = io.BytesIO()
    table.write_parquet(buffer)
    buffer.seek(0)
    return buffer


@pytest.mark.parametrize("kind", [pl.Int8, pl.Int64, pl.UInt64])
def test_parquet_integers(kind):
    table = pl.DataFrame({"t": [5, 6], "source": [1, 2], "target": [2, 30]}).with_columns(
        pl.col("source", "target").cast(kind)
    )
    graph = read_graph(write_parquet(table), time="t")
    assert edges_of(graph) == PATH
    assert graph.rows.columns["time"].tolist() == [5, 6]


def test_parquet_texts_and_columns():
    table = pl.DataFrame({"a": ["x", "y"], "b": ["y", "z"], "w": [1.5, 2.0], "way": ["in", "out"]})
    graph = read_graph(write_parquet(table), source="a", target="b", weight="w", direction="way")
    assert graph.labels.tolist() == ["x", "y", "z"]
    assert graph.rows.columns["direction"].tolist() == [1, 1]
    assert graph.digest() == read("x y\ny z\n").digest()


@pytest.mark.parametrize("field", ["pattern", "integer", "real"])
def test_matrix_market(field):
    value = {"pattern": "", "integer": " 7", "real": " 0.5"}[field]
    text = f"%%MatrixMarket matrix coordinate {field} symmetric\n% note\n4 4 2\n2 1{value}\n3 2{value}\n"
    graph = read(text, **({} if field == "pattern" else {"weight": "weight"}))
    assert graph.labels.tolist() == [1, 2, 3, 4]  # node 4 has no edge, but the matrix has it
    assert graph.degrees.tolist() == [1, 2, 1, 0]


integers = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(-5, 5), st.integers(0, 40))
unsigned = st.one_of(st.integers(0, 2**64 - 1), st.integers(2**64 - 30, 2**64 - 1))
words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
names = words.map(lambda word: "x" + word + "x")  # no name may spell a missing value, such as nan


def pairs_of(labels):
    return st.lists(st.tuples(labels, labels), min_size=1, max_size=60)


@settings(deadline=None)  # the first example compiles
@given(
    st.one_of(pairs_of(integers), pairs_of(unsigned)),
    st.sampled_from([" ", "\t", ",", ";", " \t "]),
    st.randoms(),
)
def test_integers_come_back(pairs, delimiter, random):
    # random pairs may look like a table about nodes: the format is said, so that nothing is doubted
    check_round_trip(pairs, [f"{u}{delimiter}{v}" for u, v in pairs], random, format="edge-list")


@settings(deadline=None)  # the first example compiles
@given(pairs_of(names), st.sampled_from(["\t", ",", ";"]), st.randoms())
def test_texts_come_back(pairs, delimiter, random):
    # words above ids that all have a digit name columns: which of the two a first line is, nobody can tell
    assume(not any(is_header([pairs[k], *pairs[:k], *pairs[k + 1 :]]) for k in range(len(pairs))))
    lines = [delimiter.join('"' + label.replace('"', '""') + '"' for label in pair) for pair in pairs]
    check_round_trip(pairs, lines, random, delimiter=delimiter, ids="string", format="edge-list")


def check_round_trip(pairs, lines, random, **options):
    graph = read("\n".join(lines), **options)
    source, target, labels = naive.number_labels(*zip(*pairs, strict=True))
    starts, flat, loops = naive.neighbor_rows(source, target, len(labels))
    assert [graph.label(node) for node in range(graph.node_count)] == labels
    assert (graph.indptr.tolist(), graph.indices.tolist(), graph.dropped.loops) == (starts, flat, loops)
    random.shuffle(lines)
    shuffled = read("\n".join(lines) + "\n", **options)
    assert (shuffled.digest(), shuffled.dropped) == (graph.digest(), graph.dropped)


def test_file_sha256(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert file_sha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": 0}, "source and target go together: give both columns or neither"),
        ({"weight": True}, "weight=True: a column is a name, or a number from 0"),
        ({"time": -2}, "time=-2: a column is a name, or a number from 0"),
        ({"ids": "text"}, "ids='text'.: known are auto, integer, string"),
        ({"delimiter": ", "}, "delimiter=', ': one character is needed"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        read("1 2\n", **options)
