"""Bad input: each kind has its own message, on one line, with file and line number."""

import gzip
import io

import numpy as np
import polars as pl
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.reading import blocks, file_sha256, read_graph

EXPECTED = "expected two node ids on each line, separated by a tab, spaces, a comma, a semicolon or a pipe"
ALONE = "(add the other id; or, if each line is a node and its neighbours, pass --format adjacency)"
FILL = "fill it in or remove the line"
TEXT = '(if the ids are text, pass --ids string or ids="string")'
LINES = b"".join(b"%d %d\n" % (k, k + 1) for k in range(1000))


def message(content, path="g.txt", **options):
    stream = io.BytesIO(content)
    stream.name = path
    with pytest.raises(GraphFileError) as caught:
        read_graph(stream, **options)
    assert "\n" not in str(caught.value)
    assert caught.value.path == path
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", f": the file is empty; {EXPECTED}"),
        (b"\xef\xbb\xbf\n# nothing\n\r\n", f": the file holds only comments and blank lines; {EXPECTED}"),
        (b"source,target\n# none\n", ": there is a header but no edges below it; look whether this is the right file"),
        (b"\n7\n8\n", f", line 2: '7' has only one column; {EXPECTED}"),
        (b"1 2\n3\n", f", line 2: '3': 1 column where 2 were expected, separated by spaces or tabs {ALONE}"),
        (b"1,2\n3;4\n", ", line 2: '3;4': 1 column where 2 were expected, separated by commas"),
        (b"1 2 3\n4 5\n", ", line 2: '4 5': 2 columns where 3 were expected, separated by spaces or tabs"),
        (b"1 2\n# x\n\n3 x\n4 y\n", f", line 4: '3 x': the target id 'x' is not an integer {TEXT}"),
        (b"1,2\n3,4.0\n", f", line 2: '3,4.0': the target id '4.0' is not an integer {TEXT}"),
        (b"1,2\n-,4\n", f", line 2: '-,4': the source id is missing ('-'); {FILL}"),
        (b"1 2\n3 NaN\n", f", line 2: '3 NaN': the target id is missing ('NaN'); {FILL}"),
        (b"1,2\n,4\n", f", line 2: ',4': the source id is missing (''); {FILL}"),
        (b"a,b\nc,\n", f", line 2: 'c,': the target id is missing (''); {FILL}"),
        (b"a b\nc d\nnan e\n", f", line 3: 'nan e': the source id is missing ('nan'); {FILL}"),
        (b'a,b\n"",c\n', f", line 2: '\"\",c': the source id is missing (''); {FILL}"),
        (
            b"1 2\n3 18446744073709551616\n",
            ", line 2: '3 18446744073709551616': the target id '18446744073709551616' does not fit 64 bits "
            '(to keep it as text, pass --ids string or ids="string")',
        ),
        (
            b"18446744073709551615 2\n-3 4\n",
            ", line 2: '-3 4': negative ids and ids above 2**63 - 1 do not fit one 64-bit type "
            '(to keep them as text, pass --ids string or ids="string")',
        ),
        (
            b'"a,b",c\n"d,e\nf",g\n',
            ", line 2: '\"d,e': a quoted cell goes on over the next line: export the table without that "
            "column, or as Parquet",
        ),
        (b'a,b\n"d"x,e\n', ", line 2: '\"d\"x,e': something stands behind a closing quote"),
        (b"a b\nc \xe9\n", ", line 2: 'c \ufffd': the target id is not UTF-8 text; save the file as UTF-8"),
        (b"\x00\x01\x02\x03", f": this is a binary file of an unknown kind; {EXPECTED}"),
        (b"1 2\r3 4\r", ": the lines end with a carriage return alone; convert the file to Unix line ends"),
        (b"\xff\xfe1\x00 ", ": this is UTF-16LE text with damage in it; save it as UTF-8"),
        (b"\xfe\xff\xd8\x00\x00a", ": this is UTF-16BE text with damage in it; save it as UTF-8"),
        (
            b"a,b,w\n1,2,3\n",
            ": the header does not say which columns hold the node ids; the columns are 'a', 'b', 'w': "
            "choose two of them with --source and --target (source= and target=)",
        ),
    ],
)
def test_bad_text(content, expected):
    assert message(content) == f"g.txt{expected}"
    assert message(gzip.compress(content)) == f"g.txt{expected}"


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        (
            b"1 2\n",
            {"source": "a", "target": "b"},
            "no column 'a' for source; there is no header, give numbers from 0",
        ),
        (b"x,y\n1,2\n", {"source": "a", "target": "y"}, "no column 'a' for source; the columns are 'x', 'y'"),
        (b"1 2\n", {"weight": 2}, "no column number 2 for weight; there is no header"),
        (b"1 2\n", {"source": 1, "target": "1"}, "source and target are the same column, number 1"),
        (b"1 2\n", {"weight": 1}, "no two columns are left for the node ids"),
        (b"1 2 3\n1 2 x\n", {"weight": 2}, ", line 2: '1 2 x': the weight 'x' is not a finite number"),
        (b"1 2 3\n1 2 1_0\n", {"time": 2}, ", line 2: '1 2 1_0': the time '1_0' is not a finite number"),
        (b"1 2 3\n1 2 inf\n", {"time": 2}, ", line 2: '1 2 inf': the time 'inf' is not a finite number"),
        (
            b"1 2 3\n1 2 1e999\n",
            {"time": 2},
            ", line 2: '1 2 1e999': the time '1e999' is not a finite number",
        ),
        (b"1 2 3\n1 2 nan\n", {"weight": 2}, f", line 2: '1 2 nan': the weight is missing ('nan'); {FILL}"),
        (b"1,2,3\n1,2,\n", {"weight": 2}, f", line 2: '1,2,': the weight is missing (''); {FILL}"),
        (
            b"1 2 in\n1 2 up\n",
            {"direction": 2},
            ", line 2: '1 2 up': the direction 'up' is not one of 1, +1, out",
        ),
        (b"a b\n", {"ids": "integer"}, f", line 1: 'a b': the source id 'a' is not an integer {TEXT}"),
    ],
)
def test_bad_columns(content, options, expected):
    assert expected in message(content, **options)


def test_long_lines_are_cut():
    long = message(b"a b\n" + b"x" * 100_000 + b" y\n")
    assert long.startswith("g.txt, line 2: 'xxx")
    assert long.endswith("...': the source id is longer than 1024 bytes; shorten it")
    assert len(long) < 200


@pytest.mark.parametrize("cut", [1, 9, 400])
def test_cut_off_compression(cut):
    for packed in (gzip.compress(LINES), zstandard.ZstdCompressor().compress(LINES)):
        assert message(packed[:-cut], "g.gz") == "g.gz: the compressed file is cut off; fetch it again"


def test_damaged_compression():
    packed = bytearray(gzip.compress(LINES))
    packed[-6] ^= 1
    assert message(bytes(packed)).startswith("g.txt: the compressed file is damaged (Error -3")
    assert "is damaged" in message(zstandard.ZstdCompressor().compress(LINES) + b"rest")


def test_paths(tmp_path):
    for read in (read_graph, file_sha256):
        with pytest.raises(GraphFileError, match=r"missing\.txt: no such file; check the name and the folder$"):
            read(tmp_path / "missing.txt")
        with pytest.raises(GraphFileError, match=r"is a directory, not a file; give a file in it$"):
            read(tmp_path)
    with pytest.raises(InputError, match="gives text, not bytes: open it with mode 'rb'"):
        read_graph(io.StringIO("1 2\n"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("array real general\n2 2\n", ", line 1: '%%MatrixMarket matrix array real general' cannot be read"),
        ("coordinate complex general\n2 2 1\n1 2 0 0\n", "complex general' cannot be read"),
        ("coordinate pattern general\n% only\n", ": the line with the matrix's size is missing"),
        (
            "coordinate pattern general\n2 x 1\n",
            ", line 2: '2 x 1': expected the size: rows, columns, entries",
        ),
        (
            "coordinate pattern general\n2 3 1\n1 2\n",
            ", line 2: '2 3 1': 2 rows but 3 columns; a graph is square",
        ),
        (
            "coordinate pattern general\n2 2 2\n1 2\n",
            ": the size line promises 2 entries, but the file has 1",
        ),
        (
            "coordinate pattern general\n2 2 2\n1 2\n0 1\n",
            ", line 4: '0 1': row and column must be from 1 to 2",
        ),
        (
            "coordinate pattern general\n2 2 1\n1 x\n",
            f", line 3: '1 x': the target id 'x' is not an integer {TEXT}",
        ),
    ],
)
def test_bad_matrices(content, expected):
    assert expected in message(b"%%MatrixMarket matrix " + content.encode())


@pytest.mark.parametrize(
    ("columns", "options", "expected"),
    [
        (
            {"u": [1, None], "v": [1, 2]},
            {},
            "row 2: the source id is missing; fill it in or remove the row",
        ),
        (
            {"u": [1, 2], "v": [1.0, np.nan]},
            {},
            ": row 2: the target id is missing; fill it in or remove the row",
        ),
        (
            {"u": ["a", "NA"], "v": ["b", "c"]},
            {},
            "row 2: the source id is missing; fill it in or remove the row",
        ),
        ({"u": [1.5], "v": [2.5]}, {}, ": column 'u' holds Float64; node ids are integers or text"),
        (
            {"u": ["a"], "v": ["b"]},
            {"ids": "integer"},
            "the node ids are text, but --ids integer (ids='integer') was given; leave it out",
        ),
        (
            {"u": [1], "v": [2], "w": ["x"]},
            {"weight": "w"},
            "column 'w' holds String; a weight is a number",
        ),
        (
            {"u": [1, 1], "v": [2, 3], "w": [1.0, None]},
            {"weight": "w"},
            ": row 2: the weight is missing or not a finite",
        ),
        ({"u": [1], "v": [2], "d": ["up"]}, {"direction": "d"}, ": row 1: the direction 'up' is not one of"),
        ({"a": [1], "b": [2], "c": [3]}, {}, ": the header does not say which columns hold the node ids"),
    ],
)
def test_bad_tables(columns, options, expected):
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    assert expected in message(buffer.getvalue(), **options)
    assert "the Parquet file is damaged" in message(buffer.getvalue()[:-5], **options)


@pytest.mark.parametrize("chunk", [1, 50, 1 << 20])
def test_first_bad_line_whatever_the_chunks(monkeypatch, chunk):
    monkeypatch.setattr(blocks, "_CHUNK", chunk)
    lines = LINES.splitlines(keepends=True)
    lines[700], lines[300] = b"7 seven\n", b"3 three\n"
    assert message(b"".join(lines)).startswith("g.txt, line 301: '3 three'")


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.binary(max_size=60), st.text('01 \t,;"#%\r\nax-.', max_size=60).map(str.encode)))
def test_anything_is_a_graph_or_an_error_in_one_line(content):
    try:
        assert read_graph(io.BytesIO(content)).node_count >= 1
    except GraphFileError as error:
        problem = str(error)
        assert len(problem.splitlines()) == 1
