"""Tables of two kinds of things are no graphs of people, though the same numbers stand for both."""

import io
import json

import polars as pl
import pytest

from thinveil.errors import GraphFileError
from thinveil.graph.reading import read_graph

ROWS = [(k, k * 7 % 40) for k in range(1, 61)]


def read(content, **options):
    return read_graph(io.BytesIO(content.encode() if isinstance(content, str) else content), **options)


def written(names, rows, kind):
    if kind == "json":
        return json.dumps([dict(zip(names, row, strict=True)) for row in rows])
    if kind == "parquet":
        buffer = io.BytesIO()
        pl.DataFrame(rows, schema=list(names), orient="row").write_parquet(buffer)
        return buffer.getvalue()
    return ",".join(names) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("post_id", "user_id"), "the column 'post_id' holds no people, and its ids stand for people in 'user_id'"),
        (("customer", "order_id"), "the column 'order_id' holds no people"),
        (("edge_id", "node"), "the column 'edge_id' holds no people"),
        (("id", "user_id"), "each id in the column 'id' stands once, beside one of 'user_id'"),
        (("No", "Customer"), "each id in the column 'No' stands once"),
    ],
)
def test_two_kinds_with_the_same_numbers_are_refused(names, message, kind):
    content = written(names, ROWS, kind)
    with pytest.raises(GraphFileError, match=message):
        read(content)
    assert read(content, source=names[0], target=names[1]).edge_count > 40


@pytest.mark.parametrize(
    "names",
    [("id", "parent_id"), ("id", "friend_id"), ("paper_id", "cited_paper_id"), ("user_id", "friend_id"), ("u1", "u2")],
)
def test_one_kind_is_read(names):
    assert read(written(names, ROWS, "csv")).edge_count > 40


def test_kinds_whose_ids_differ_are_read_with_a_note():
    told = read(written(("post_id", "user_id"), [(f"p{a}", f"u{b}") for a, b in ROWS], "csv"))
    assert told.node_count == 100


def test_a_table_of_who_was_where_is_a_matrix():
    rows = [(f"p{k}", *(int((k * m) % 5 == 0) for m in range(1, 7))) for k in range(30)]
    with pytest.raises(GraphFileError, match="whole adjacency matrix"):
        read(written(("", "e1", "e2", "e3", "e4", "e5", "e6"), rows, "csv"))


def test_a_column_of_parquet_that_says_which_pairs_are_edges_is_heeded():
    rows = [(a, b, a % 3 == 0) for a, b in ROWS]
    with pytest.raises(GraphFileError, match="'connected' says which pairs are edges"):
        read(written(("src", "dst", "connected"), rows, "parquet"))
