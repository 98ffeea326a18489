"""Releases from strangers: whatever is wrong with one is told in one line, before much is done with it."""

import contextlib
import hashlib
import os
import shutil
import time
import tracemalloc

import numpy as np
import polars as pl
import pytest
import tomli_w

from thinveil.errors import InputError, ReleaseError
from thinveil.graph import Graph
from thinveil.runtime.keys import Key
from thinveil.schemes import Published, Release, Secret, make_scheme, read_release, seal, write_release


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("release"), np.random.default_rng(1)
    ends = rng.integers(60, size=(2, 200))
    columns = {"weight": rng.random(200), "direction": rng.integers(0, 2, 200).astype(np.int8), "time": np.arange(200)}
    graph = Graph.from_edges(*ends, node_count=60, columns=columns)
    release = seal(make_scheme("d4d-1:egonets=5,min_size=10").publish(graph, seed=1), Key.of_seed(1))
    write_release(release, folder / "out", folder / "truth")
    return folder


@pytest.fixture
def folder(good, tmp_path):
    return shutil.copytree(good, tmp_path / "copy")


def mend(folder, **said):
    """Put right checksums on the tables, and change what the release says of itself."""
    out = folder / "out"
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in out.glob("*.parquet")}
    about = {"format": 1, "scheme": "d4d-1", "subgraphs": 5, "sha256": sums, **said}
    (out / "release.toml").write_text(tomli_w.dumps({name: value for name, value in about.items() if value is not ...}))


def refused(folder, match):
    with pytest.raises(ReleaseError, match=match) as caught:
        read_release(folder / "out", folder / "truth")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    return str(caught.value)


def test_the_mended_release_is_good(folder):
    mend(folder)
    release = read_release(folder / "out", folder / "truth")
    assert [one.node_count for one in release.public] == [one.people.size for one in release.secret]


@pytest.mark.parametrize("subgraphs", [3, 4, 6, 2_000, 0, -1, True, 2.0, "5", 10**18, 10**30, [5], ...])
def test_the_number_of_sub_graphs_is_that_of_the_tables(folder, subgraphs):
    mend(folder, subgraphs=subgraphs)
    start = time.perf_counter()
    tracemalloc.start()
    refused(folder, "sub-?graphs?")
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    "said",
    [
        {"format": True}, {"format": 1.0}, {"format": "1"}, {"format": ...}, {"format": [[1]]}, {"scheme": 5},
        {"scheme": ...}, {"scheme": ""}, {"scheme": "a\nb"}, {"scheme": "x" * 3_000}, {"sha256": ...}, {"sha256": "x"},
        {"sha256": {}}, {"sha256": {"nodes.parquet": 5}}, {"sha256": [{"a": "b"}]},
    ],
)  # fmt: skip
def test_what_a_release_says_of_itself_is_of_the_right_kind(folder, said):
    mend(folder, **said)
    if said == {"scheme": ""}:
        assert read_release(folder / "out").scheme == ""
    else:
        refused(folder, "release")


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 3_000, "a" + ".a" * 1_900 + " = 1", "\n".join(["a" + ".a" * 1_900 + " = 1"] * 60), "a = 1\n" * 2,
        "a = " + "9" * 3_900 + "0" * 3_900, "x" * 10**6, "\n" * 10**6, "a = 1979-05-27", "a = nan", "\ufeff", "\0",
        "[a" + ".a" * 100 + "]", "a = " + "{a = " * 100 + "1" + "}" * 100,
    ],
)  # fmt: skip
def test_hostile_toml_is_refused_at_once(folder, text):
    (folder / "out" / "release.toml").write_text(text)
    start = time.perf_counter()
    refused(folder, "release")
    assert time.perf_counter() - start < 3
    (folder / "out" / "release.toml").write_bytes(b"\xff\xfe")
    refused(folder, "not UTF-8")


@pytest.mark.parametrize("name", ["release.toml", "nodes.parquet", "edges.parquet", "events.parquet", "../truth"])
def test_what_is_no_file_is_refused_and_nothing_hangs(folder, name):
    path = folder / "out" / name
    for make in (
        lambda: os.mkfifo(path), path.mkdir, lambda: path.symlink_to("/dev/zero"), lambda: path.symlink_to(path),
    ):  # fmt: skip
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        make()
        refused(folder, "cannot be read")
        if path.is_dir():
            path.rmdir()
            path.touch()
    path.unlink()
    refused(folder, "no such file")


def change(folder, name, **columns):
    path = folder / name if name == "truth" else folder / "out" / f"{name}.parquet"
    table = pl.read_parquet(path)
    table.with_columns(**{key: make(table[key]) for key, make in columns.items()}).write_parquet(path)
    mend(folder)


def first_is(value):
    return lambda column: pl.Series([value, *column.to_list()[1:]], dtype=column.dtype)


def missing(column):
    return pl.Series([None, *column.to_list()[1:]], dtype=column.dtype)


def texts(column):
    return column.cast(pl.String)


def lists(column):
    return pl.Series([[value] for value in column])


def floats(column):
    return column.cast(pl.Float64)


def huge(column):
    return pl.Series([2**64 - 1] * len(column), dtype=pl.UInt64)


WHOLE = [missing, texts, lists, floats, huge, first_is(-1)]
ENDS = ["subgraph", "source", "target"]
OWN = {"nodes": ["subgraph", "node"], "edges": ENDS, "events": ENDS}
PUBLIC = [
    *((name, column, make) for name, own in OWN.items() for column in own for make in WHOLE),
    ("nodes", "node", lambda column: first_is(column[1])(column)),
    ("nodes", "node", lambda column: first_is(column[-1])(column)),
    ("nodes", "subgraph", lambda column: first_is(4)(column)),
    ("nodes", "subgraph", lambda column: first_is(5)(column)),
    ("edges", "source", lambda column: column + 1),
    ("edges", "subgraph", lambda column: first_is(4)(column)),
    ("edges", "subgraph", lambda column: first_is(2**31)(column.cast(pl.Int64))),
    ("edges", "target", lambda column: column.sort()),
    ("events", "target", lambda column: column.reverse()),
    ("events", "weight", texts), ("events", "weight", lists), ("events", "weight", missing),
    ("events", "weight", first_is(float("nan"))), ("events", "weight", first_is(float("inf"))),
    ("events", "weight", lambda column: pl.Series([{"a": 1}] * len(column))),
    ("events", "direction", first_is(-1)), ("events", "direction", first_is(7)), ("events", "direction", missing),
    ("events", "weight", lambda column: pl.Series([None] * len(column))),
    ("events", "weight", lambda column: column.cast(pl.Decimal(10, 3))),
    ("events", "weight", lambda column: pl.Series([b"x"] * len(column))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "column", "make"), PUBLIC)
def test_every_line_of_the_public_half_is_checked(folder, name, column, make):
    change(folder, name, **{column: make})
    refused(folder, f"{name}.parquet: |edges.parquet: ")


TRUTHS = [
    *[("subgraph", make) for make in WHOLE], *[("node", make) for make in WHOLE],
    ("person", lists), ("person", floats),
    ("hops", first_is(-128)), ("hops", first_is(3)), ("hops", missing), ("hops", texts), ("hops", lists),
    ("hops", floats), ("hops", huge), ("subgraph", first_is(3)), ("subgraph", lambda column: column + 1),
    ("node", lambda column: column + 1),
]  # fmt: skip


@pytest.mark.parametrize(("column", "make"), TRUTHS)
def test_every_line_of_the_truth_is_checked(folder, column, make):
    change(folder, "truth", **{column: make})
    assert str(folder / "truth") in refused(folder, "column|does not belong to this release")


def test_a_truth_of_more_or_fewer_lines_is_another_one(folder):
    table = pl.read_parquet(folder / "truth")
    for other in (table[1:], table.head(0), table.drop("person"), table.select("hops")):
        other.write_parquet(folder / "truth")
        refused(folder, "does not belong to this release|no column")


def test_a_truth_that_contradicts_itself_is_refused(folder):
    table = pl.read_parquet(folder / "truth")
    pl.concat([table, table[:1]]).write_parquet(folder / "truth")
    refused(folder, "names one person twice in sub-graph")
    nobody = table[:1].with_columns(person=pl.lit(None, dtype=table["person"].dtype))
    pl.concat([table, nobody]).write_parquet(folder / "truth")
    refused(folder, "has a node that is several people and nobody")


def test_columns_that_are_missing_are_named(folder):
    for name, column in (("nodes", "node"), ("edges", "target"), ("events", "source")):
        path = folder / "out" / f"{name}.parquet"
        before = path.read_bytes()
        pl.read_parquet(path).drop(column).write_parquet(path)
        mend(folder)
        refused(folder, f"{name}.parquet: the table has no column '{column}'")
        path.write_bytes(before)


def test_lines_in_any_order_are_the_same_release(folder):
    before = read_release(folder / "out", folder / "truth")
    for name in ("nodes", "edges", "events"):
        path = folder / "out" / f"{name}.parquet"
        table = pl.read_parquet(path)
        table.sample(fraction=1, shuffle=True, seed=3).write_parquet(path)
    pl.read_parquet(folder / "truth").reverse().write_parquet(folder / "truth")
    mend(folder)
    again = read_release(folder / "out", folder / "truth")
    assert [one.digest() for one in again.public] == [one.digest() for one in before.public]
    assert [one.people.tolist() for one in again.secret] == [one.people.tolist() for one in before.secret]
    assert [one.hops.tolist() for one in again.secret] == [one.hops.tolist() for one in before.secret]
    weights = [[sorted(one.rows.columns["weight"]) for one in release.public] for release in (again, before)]
    assert weights[0] == weights[1]


def test_a_damaged_table_with_a_right_checksum_is_refused(folder):
    path = folder / "out" / "edges.parquet"
    content, rng = path.read_bytes(), np.random.default_rng(1)
    for _ in range(40):
        changed = bytearray(content)
        for place in rng.integers(len(content), size=3):
            changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        mend(folder)
        with contextlib.suppress(ReleaseError):  # any other error is a failure of this test
            list(read_release(folder / "out").public)


def test_what_could_not_be_read_is_not_written(tmp_path):
    for parts in ([], [Published(Graph.from_edges([], []), Secret(np.empty(0, dtype=np.int32)))]):
        with pytest.raises(InputError, match=r"no sub-graphs|without nodes"):
            write_release(Release.of(parts), tmp_path / "out", tmp_path / "truth")
        assert list(tmp_path.iterdir()) == []
