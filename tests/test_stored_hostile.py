"""A folder from a stranger is a graph, or refused in one line; nothing of it reaches a kernel unseen."""

import shutil

import numpy as np
import polars as pl
import pytest

from thinveil import Graph, convert, read_graph
from thinveil.errors import GraphFileError
from thinveil.graph.stored.layout import is_stored

ABOUT, INDPTR, INDICES = "graph.toml", "indptr.npy", "indices.npy"


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good") / "g"
    labels = np.array(["anna", "bob", "carl", "dora"])
    columns = {"weight": np.array([2.0, 3.0, 4.0]), "direction": np.array([1, 1, 0])}
    convert(Graph.from_edges([0, 1, 2], [1, 2, 3], labels=labels, columns=columns), folder)
    return folder


@pytest.fixture
def folder(good, tmp_path):
    return shutil.copytree(good, tmp_path / "g")


def look(folder):
    """Look at all of a graph."""
    graph = read_graph(folder)
    return graph.degrees, graph.indices, graph.labels, graph.rows


def rewrite(folder, old, new):
    text = (folder / ABOUT).read_text()
    assert old in text
    (folder / ABOUT).write_text(text.replace(old, new))


def refused(folder):
    with pytest.raises(GraphFileError) as caught:
        look(folder)
    assert len(str(caught.value).splitlines()) == 1
    assert str(folder) in str(caught.value)
    return str(caught.value)


def test_the_good_one_is_a_graph(folder):
    assert [len(part) for part in look(folder)[:3]] == [4, 6, 4]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("nodes = 4", "nodes = 5"),
        ("nodes = 4", "nodes = -1"),
        ("nodes = 4", "nodes = 4.0"),
        ("nodes = 4", "nodes = true"),
        ("nodes = 4", "nodes = 4\nmore = 1"),
        ("nodes = 4", ""),
        ("entries = 6", "entries = 8"),
        ("entries = 6", "entries = 5"),
        ("entries = 6", f"entries = {2**62}"),
        ("digest = \"", "digest = \"0"),
        ("has_labels = true", "has_labels = 1"),
        ("events = 3", "events = 4"),
        ('weight = "<f8"', 'weight = "|O8"'),
        ('weight = "<f8"', 'weight = "nonsense"'),
        ('weight = "<f8"', 'weight = "<i8"'),
        ('weight = "<f8"', 'weight = ">f8"'),
        ("[sha256]", "[sha255]"),
        ("rows = 3", "rows = 'x'"),
        ("first = []", "first = [1]"),
        ("[columns]", "[columns"),
    ],
)  # fmt: skip
def test_a_manifest_that_lies_is_refused(folder, old, new):
    rewrite(folder, old, new)
    refused(folder)


@pytest.mark.parametrize("name", [INDPTR, INDICES, "source.npy", "target.npy", "value-00.npy", "labels.parquet"])
@pytest.mark.parametrize("damage", ["gone", "empty", "cut", "longer", "noise", "folder", "header"])
def test_a_damaged_file_is_refused(folder, name, damage):
    path = folder / name
    content = path.read_bytes()
    path.unlink()
    if damage == "folder":
        path.mkdir()
    elif damage != "gone":
        other = {"empty": b"", "cut": content[:-1], "longer": content + b"\0" * 8, "noise": bytes(range(256)),
                 "header": content[:10] + b"(" * 90 + content[100:]}  # fmt: skip
        path.write_bytes(other[damage])
    refused(folder)


@pytest.mark.parametrize(
    ("name", "array", "words"),
    [
        (INDICES, [1, 0, 2, 1, 3, 9], "make graphs with"),
        (INDICES, [1, 0, 2, 1, 3, -1], "make graphs with"),
        (INDICES, [1, 0, 2, 1, 3, 3], "make graphs with"),
        (INDICES, [1, 2, 0, 1, 3, 2], "make graphs with"),
        (INDICES, [2, 0, 2, 1, 3, 2], "whose row it does not stand"),
        (INDPTR, [0, 1, 3, 5, 7], "indptr"),
        (INDPTR, [1, 1, 3, 5, 6], "indptr"),
        (INDPTR, [0, 5, 3, 5, 6], "never go down"),
        (INDPTR, [0, -(2**60), 3, 5, 6], "never go down"),
        ("source.npy", [0, 1, 7], "not there"),
        ("source.npy", [0, 1, -7], "not there"),
        ("source.npy", [0, 1, 0], "where no edge is"),
        ("source.npy", [1, 1, 2], "where no edge is"),
        ("target.npy", [1, 0, 3], "changed after"),
        ("value-00.npy", [2.0, np.nan, 3.0], "finite"),
        ("value-00.npy", [2.0, 5.0, 3.0], "changed after"),
        ("value-01.npy", [1, 2, 0], "direction"),
        ("value-01.npy", [1, -1, 0], "changed after"),
    ],
)
def test_arrays_that_are_no_graph_reach_no_kernel(folder, name, array, words):
    kind = np.load(folder / name).dtype
    np.save(folder / name, np.array(array, dtype=kind))
    assert words in refused(folder)


def test_another_graph_with_the_old_digest_is_refused(folder):
    convert(Graph.from_edges([0, 1, 0], [1, 2, 3]), folder.parent / "other")
    for name in (INDPTR, INDICES):
        shutil.copy(folder.parent / "other" / name, folder / name)
    assert "digest" in refused(folder)


@pytest.mark.parametrize(
    "table",
    [{"label": ["a", "b", "c"]}, {"label": ["a", "b", "c", None]}, {"label": [1.5, 2, 3, 4]}, {"name": list("abcd")},
     {"label": list("abcd"), "more": list("abcd")}, {"label": [[1], [2], [3], [4]]}],
)  # fmt: skip
def test_labels_that_are_none_are_refused(folder, table):
    from thinveil.runtime.mapped import file_sum

    before = file_sum(folder / "labels.parquet")
    pl.DataFrame(table, strict=False).write_parquet(folder / "labels.parquet")
    assert "was changed" in refused(folder)
    rewrite(folder, before, file_sum(folder / "labels.parquet"))
    refused(folder)


@pytest.mark.parametrize("content", [b"", b"\0" * 100, b'format = "thinveil release 1"', b"[["])
def test_a_folder_without_a_manifest_is_a_folder(folder, content):
    (folder / ABOUT).write_bytes(content)
    assert not is_stored(folder)
    assert "is a directory" in refused(folder)


def test_a_pipe_in_the_folder_keeps_nobody_waiting(folder):
    import os

    (folder / INDICES).unlink()
    os.mkfifo(folder / INDICES)
    refused(folder)
