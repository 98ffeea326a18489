"""Graph files and wishes that once reached a kernel unchecked, took all memory or never ended."""

import io
import stat
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.info import info
from thinveil.graph.reading import labels, read_graph, sources
from thinveil.graph.reading.tokens import read_cells
from thinveil.runtime.parquet import read_parquet_names, read_parquet_safely

CALLS = b"caller,callee,duration\n7,9,60\n9,8,10\n"
MATRIX = b"%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 1\n2 3 1\n"


def message(content, **options):
    with pytest.raises(GraphFileError) as caught:
        read_graph(io.BytesIO(content), **options)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        (CALLS, {"weight": "callee"}, "weight and target are the same column, number 1, 'callee'"),
        (CALLS, {"weight": "duration", "time": 2}, "weight and time are the same column, number 2, 'duration'"),
        (CALLS.replace(b"7", b"x"), {"time": "caller"}, "time and source are the same column, number 0, 'caller'"),
        (MATRIX, {"weight": 0}, "weight and source are the same column"),
        (MATRIX, {"source": 0, "target": 2}, "the nodes of a matrix are its rows and columns"),
    ],
)
def test_two_roles_on_one_column_are_refused(content, options, expected):
    assert expected in message(content, **options)


def test_a_table_too_refuses_two_roles_on_one_column():
    assert "target and weight are the same column" in message(parquet(u=[1], v=[2]), weight="v", source="u", target="v")


def test_cells_that_no_column_fills_are_refused_by_the_kernel_itself():
    data = np.frombuffer(b"1 2\n", dtype=np.uint8)
    cells, signs = np.empty((3, 2), dtype=np.int64), np.full(3, -1)
    for slots in ([0, 2], [0, 1], [0, 0]):
        with pytest.raises(ValueError, match="each row of cells needs one column"):
            read_cells(data, (0, 4), ord(" "), np.array(slots), np.zeros(3, dtype=np.bool_), cells, signs)


@pytest.mark.parametrize("name", ["Duration", "DURATION", " duration", "duration"])
def test_names_of_columns_are_found_without_regard_to_case(name):
    assert read_graph(io.BytesIO(CALLS), weight=name).rows.columns["weight"].tolist() == [60, 10]


def test_the_exact_name_comes_first_and_a_doubtful_one_is_refused():
    content = b"u,v,W,w\n1,2,3,4\n"
    assert read_graph(io.BytesIO(content), weight="w").rows.columns["weight"].tolist() == [4]
    content = content.replace(b"W", b"\xc3\x9c").replace(b"w", b"\xc3\xbc")
    assert read_graph(io.BytesIO(content), weight="ü").rows.columns["weight"].tolist() == [4]
    assert "columns [2, 3] are all called 'WEIGHT'" in message(b"u,v,Weight,weight\n1,2,3,4\n", weight="WEIGHT")
    assert "columns [2, 3] are all called 'w'" in message(b"u,v,w,w\n1,2,3,4\n", weight="w")


def test_an_unknown_name_suggests_the_nearest():
    assert message(CALLS, weight="durations").endswith("did you mean 'duration'?")


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ("2147483647 2147483647 3", "2147483647 nodes for 3 entries; at most 1000000 are read"),
        ("9 9 9000000000000000000", "expected the size"),
        (f"{'1' * 5000} 2 1", "expected the size"),
        ("9 9 900000000000000000", "the size line promises 900000000000000000 entries, but the file has 1"),
    ],
)
def test_a_matrix_that_promises_too_much_is_refused_before_memory_is_taken(size, expected):
    assert expected in message(f"%%MatrixMarket matrix coordinate pattern general\n{size}\n1 2\n".encode())


def test_a_matrix_keeps_nodes_without_an_edge():
    content = b"%%MatrixMarket matrix coordinate pattern general\n1000000 1000000 1\n1 2\n"
    assert read_graph(io.BytesIO(content)).node_count == 1_000_000


def test_an_entry_outside_the_matrix_is_found_however_it_is_written():
    content = MATRIX.replace(b"2 3 1", b'"2" +4 1')
    assert ", line 4: '\"2\" +4 1': row and column must be from 1 to 3" in message(content)


def parquet(**columns):
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer, compression="uncompressed", statistics=False)
    return buffer.getvalue()


def with_footer(change):
    """Return a good table whose footer was changed, with the footer's length made to fit."""
    content = parquet(u=[1, 2, 3], v=[4, 5, 6])
    start = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    footer = change(content[start:-8])
    return content[:start] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


@pytest.mark.parametrize(
    "content",
    [
        b"PAR1",
        b"PAR1" * 3,
        b"PAR1" + b"\xff" * 4 + b"PAR1",
        parquet(u=[1], v=[2])[:-1],
        with_footer(lambda footer: footer[: len(footer) // 2]),
        with_footer(lambda footer: footer.replace(b"\x16\x06", b"\x16\xfe\xff\xff\xff\xff\xff\xff\xff\x7f")),
        with_footer(lambda footer: footer.replace(b"\x16\x06", b"\x16\x08")),
        with_footer(lambda footer: footer.replace(b"\x16\x06", b"\x16\x05")),
        with_footer(lambda footer: b"\x1c" * 5000 + footer),
        with_footer(lambda footer: b"\x19\xfc\xff\xff\xff\xff\x0f" + footer),
    ],
)
def test_a_table_that_lies_about_its_size_is_refused_before_polars_sees_it(content):
    assert "the Parquet file is damaged" in message(content)
    with pytest.raises(InputError, match="the Parquet file is damaged"):
        read_parquet_safely(content)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a\0", "row 2: the source id has a control character in it, such as NUL; remove the character"),
        ("x" * 10_000_000, "row 2: the source id is longer than 1024 bytes; shorten it"),
    ],
)
def test_ids_of_a_table_are_limited_as_those_of_text_are(name, expected):
    assert message(parquet(source=["a", name], target=["b", "c"])).endswith(expected)


def test_directions_of_a_table_may_be_anything_but_are_refused():
    for word in ("é", "x" * 10_000_000):
        content = parquet(source=[1, 2], target=[2, 3], way=["out", word])
        assert "row 2: the direction" in message(content, direction="way")


@pytest.mark.parametrize("empties", [2**24, 2**22 + 1])
def test_a_table_whose_footer_is_full_of_nothing_is_refused(empties):
    size = bytes((empties >> shift) & 0x7F | 0x80 * (shift < 21) for shift in (0, 7, 14, 21))
    found = message(with_footer(lambda _: b"\x19\xfc" + size + b"\0" * (empties + 1)))
    assert "a footer of more than 16,777,216 bytes" in found or "more than 4,194,304 values" in found


@pytest.mark.parametrize("format", ["edge-list", "adjacency", "parquet"])
def test_one_long_id_does_not_widen_all_others_beyond_memory(monkeypatch, format):  # noqa: A002
    monkeypatch.setattr(labels, "free_memory", lambda: 2**20)
    names = ["x" * 1000, *(f"n{k}" for k in range(200))]
    lines = "".join(f"{one} n0\n" for one in names).encode()
    content = parquet(source=names, target=["n0"] * len(names)) if format == "parquet" else lines
    assert "the longest of 201 node ids has 1,000 characters" in message(content, format=format)


def test_a_table_that_would_fill_the_memory_is_refused():
    content = parquet(u=np.zeros(20_000_000, dtype=np.int64), v=np.zeros(20_000_000, dtype=np.int64))
    buffer = io.BytesIO()
    pl.read_parquet(content).write_parquet(buffer, compression="zstd")
    assert len(buffer.getvalue()) < 100_000
    assert "says that it unpacks to more than" in message(buffer.getvalue())


@pytest.mark.parametrize("compression", ["uncompressed", "snappy", "zstd", "gzip", "lz4"])
@pytest.mark.parametrize("rows", [0, 1, 300_000])
def test_good_tables_are_read(compression, rows):
    table = pl.DataFrame({"u": np.arange(rows), "text": [str(k) for k in range(rows)], "n": [[1, 2]] * rows})
    buffer = io.BytesIO()
    table.write_parquet(buffer, compression=compression, row_group_size=100_000)
    assert read_parquet_safely(buffer.getvalue()).equals(table)
    assert read_parquet_names(buffer.getvalue()) == ["u", "text", "n"]


def test_a_file_of_self_loops_alone_has_no_range_of_weights():
    graph = read_graph(io.BytesIO(b"u,v,w\n1,1,5\n"), weight="w")
    assert info(graph)["rows"] == {"count": 0, "columns": {"weight": {"min": None, "max": None}}}


@pytest.mark.parametrize(
    "line", [b"1" + b" " * 300_000 + b"2", b'""",' * 90_000, b"1 " * 150_000, b"a" + b" ;" * 150_000]
)
def test_a_line_without_end_is_refused_at_once(line):
    assert "characters: an edge stands on a short line" in message(line + b"\n1 2\n")


def test_blanks_and_comments_of_any_length_are_passed_over():
    assert read_graph(io.BytesIO(b"1" + b" " * 50_000 + b"2\n2 3\n")).node_count == 3
    assert read_graph(io.BytesIO(b"%" + b"x" * 200_000 + b"\na b\n")).node_count == 2


@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_a_matrix_is_told_with_a_byte_order_mark_and_in_any_case(mark):
    text = f"{mark}%%matrixmarket matrix coordinate pattern general\n5 5 2\n1 2\n2 3\n"
    graph = read_graph(io.BytesIO(text.encode()))
    assert (graph.node_count, graph.edge_count) == (5, 2)


def test_a_file_that_is_cut_short_while_it_is_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "calls.csv"
    path.write_bytes(CALLS)
    monkeypatch.setattr(
        sources.os, "fstat", lambda file: SimpleNamespace(st_mode=stat.S_IFREG, st_size=len(CALLS) + 100)
    )
    with pytest.raises(GraphFileError, match="became shorter while it was read"):
        read_graph(path)


def test_a_graph_does_not_change_with_its_file(tmp_path):
    path = tmp_path / "calls.csv"
    path.write_bytes(CALLS)
    source = sources.open_source(path)
    path.write_bytes(b"")  # in a mapped file this would end the process
    assert source.data.tobytes() == CALLS


def test_a_file_too_large_to_be_copied_is_read_too(tmp_path, monkeypatch):
    path = tmp_path / "calls.csv"
    path.write_bytes(CALLS)
    monkeypatch.setattr(sources, "free_memory", lambda: 4)
    assert read_graph(path).node_count == 3
