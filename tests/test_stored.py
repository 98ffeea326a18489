"""A converted graph is the graph that it was, whatever it was made of, and opens in a moment."""

import gzip
import json
import os
import pickle
import subprocess
import sys
import time

import numpy as np
import pytest
from typer.testing import CliRunner

import thinveil
from tests import jobs
from tests.test_cli import write_edges
from thinveil import Graph, convert, read_graph
from thinveil.cli import app
from thinveil.errors import GraphFileError, InputError
from thinveil.graph.stored.convert import read_memory
from thinveil.runtime.engines.local import LocalEngine

EVENTS = "caller,callee,seconds,when,way\nanna,bob,60,5,out\nbob,anna,10,7,in\nbob,carl,1,9,both\ncarl,carl,2,9,out\n"


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def same(one, other):
    assert one.digest() == other.digest()
    assert one.dropped == other.dropped
    assert np.array_equal(one.indptr, other.indptr)
    assert np.array_equal(one.indices, other.indices)
    assert (one.labels is None) == (other.labels is None)
    if one.labels is not None:
        assert one.labels.dtype == other.labels.dtype
        assert one.labels.tolist() == other.labels.tolist()
    assert (one.rows is None) == (other.rows is None)
    if one.rows is not None:
        assert one.rows.source.tolist() == other.rows.source.tolist()
        assert one.rows.target.tolist() == other.rows.target.tolist()
        for name, values in one.rows.columns.items():
            assert values.dtype == other.rows.columns[name].dtype
            assert values.tolist() == other.rows.columns[name].tolist()


@pytest.fixture
def calls(tmp_path):
    path = tmp_path / "calls.csv"
    path.write_text(EVENTS)
    return path


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("0 1\n1 2\n2 0\n2 2\n0 1\n", {}),
        ("7 9\n9 -3\n", {}),
        (f"{2**64 - 1} 5\n5 {2**63}\n", {}),
        ("anna,bob\nbob,Käthe\n", {}),
        ('"a ""b""",c\nc,d\n', {}),
        (EVENTS, {"weight": "seconds", "time": "when", "direction": "way"}),
        ("1 1\n2 2\n", {}),
        ("[[1, 2], [2, 3]]", {}),
    ],
)
def test_a_converted_graph_is_the_graph_that_it_was(tmp_path, text, options):
    path = tmp_path / "g.txt"
    path.write_text(text)
    graph = read_graph(path, **options)
    same(graph, convert(path, tmp_path / "a.thinveil", **options))
    same(graph, convert(graph, tmp_path / "b.thinveil"))
    same(graph, read_graph(tmp_path / "a.thinveil"))
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".thinveil")]


def test_an_audit_finds_the_same_digits_in_the_folder_and_in_the_text(tmp_path):
    edges, folder = write_edges(tmp_path, 3000), tmp_path / "edges.thinveil"
    assert run("convert", edges, folder).exit_code == 0
    words = ["--scheme", "d4d-2:egonets=12,min_size=60", "--attack", "forest:trees=20", "--repeats", 2, "--alone",
             "--set", "test_negatives=5000"]  # fmt: skip
    results = {}
    for name, graph, engine in (("a", edges, "local"), ("b", folder, "local"), ("c", folder, "local:jobs=2")):
        done = run("audit", graph, *words, "--engine", engine, "--out", tmp_path / name)
        assert done.exit_code == 0, done.output
        results[name] = json.loads((tmp_path / name / "result.json").read_text())
    for key in ("headline", "rates", "auc", "risk", "by_degree", "worth"):
        assert results["a"][key] == results["b"][key] == results["c"][key]
    facts = results["b"]["settings"].get("graph", {})
    assert str(tmp_path) not in json.dumps(facts)
    again = run("audit", folder, "--settings", tmp_path / "a" / "settings.toml", "--out", tmp_path / "d")
    assert again.exit_code == 0, again.output
    assert json.loads((tmp_path / "d" / "result.json").read_text())["rates"] == results["a"]["rates"]


def test_a_graph_goes_to_other_processes_as_the_name_of_its_folder(tmp_path, calls):
    graph = convert(calls, tmp_path / "g", time="when")
    assert len(pickle.dumps(graph)) < 1000
    again = pickle.loads(pickle.dumps(graph))
    same(graph, again)
    given = (graph,)
    outcomes = LocalEngine(jobs=2).map(jobs.edges_of_given, [1, 2], given=given)
    assert sorted(outcome.value for outcome in outcomes) == [(graph.digest(), 4), (graph.digest(), 4)]


def test_a_folder_that_was_swapped_meanwhile_is_refused_by_the_other_process(tmp_path, calls):
    graph = convert(calls, tmp_path / "g")
    sent = pickle.dumps(graph)
    convert(Graph.from_edges([0], [1]), tmp_path / "g", force=True)
    with pytest.raises(GraphFileError, match="another graph"):
        pickle.loads(sent)


def test_opening_reads_none_of_the_rows(tmp_path):
    """Files of 32 GiB that hold nothing, and so take no room, are open at once; that they are no graph shows later."""
    convert(Graph.from_edges([0, 1], [1, 2]), tmp_path / "g")
    entries = 2**33
    about = (tmp_path / "g" / "graph.toml").read_text()
    (tmp_path / "g" / "graph.toml").write_text(about.replace("entries = 4", f"entries = {entries}"))
    with open(tmp_path / "g" / "indices.npy", "wb") as file:
        header = {"descr": "<i4", "fortran_order": False, "shape": (entries,)}
        np.lib.format.write_array_header_1_0(file, header)
        file.truncate(file.tell() + 4 * entries)
    start = time.process_time()
    graph = read_graph(tmp_path / "g")
    assert time.process_time() - start < 0.1
    assert (graph.node_count, graph.edge_count) == (3, entries // 2)
    with pytest.raises(GraphFileError, match="indptr must start at 0"):
        graph.neighbors(0)


@pytest.mark.parametrize("name", ["int.txt", "wide.txt", "text.csv", "text.csv.gz", "star.txt"])
def test_what_is_sorted_on_the_disk_is_the_same(tmp_path, name, monkeypatch):
    monkeypatch.setattr("thinveil.graph.stored.convert._needed", lambda source: 2**62)
    rng = np.random.default_rng(1)
    pairs = (3000 * rng.random((40_000, 2)) ** 2).astype(int).tolist()
    spell = {"int.txt": "{} {}", "wide.txt": "{}000000000 {}000000000", "star.txt": "0 {1}"}.get(name, '"a ""{}",b{}')
    content = "".join(f"{spell.format(u, v)}\n" for u, v in pairs).encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    graph = read_graph(tmp_path / name)
    same(graph, convert(tmp_path / name, tmp_path / "g", memory="64MiB"))
    assert set(os.listdir(tmp_path / "g")) <= {"graph.toml", "indptr.npy", "indices.npy", "labels.parquet"}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is counted as Linux does")
@pytest.mark.parametrize("is_text", [False, True])
def test_a_file_larger_than_the_memory_is_converted_in_it(tmp_path, is_text):
    """64 MiB are given for a file of about 90; whatever the process takes counts, mapped pages too."""
    rng = np.random.default_rng(2)
    people = 30_000
    pairs = (people * rng.random((6 if is_text else 8) * 1_000_000) ** 2).astype(np.int64).reshape(-1, 2)
    line = "p%05d,p%05d\n" if is_text else "10%05d 10%05d\n"
    with open(tmp_path / "edges", "w") as file:
        for _ in range(2):
            for part in np.array_split(pairs, 20):
                file.write("".join([line % (u, v) for u, v in part.tolist()]))
    assert (tmp_path / "edges").stat().st_size > 64 * 2**20
    code = (
        "import sys, thinveil.graph.stored.sorting, thinveil.graph.reading.streaming, polars\n"
        "from tests.peaks import peak, reset_peak\n"
        "from thinveil import convert, Graph\n"
        "convert(sys.argv[3], sys.argv[4])\n"
        "import thinveil.graph.stored.convert as program\n"
        "program._needed, needed = (lambda source: 2**62), program._needed\n"
        "convert(sys.argv[3], sys.argv[5])\n"  # compiles, and loads what was compiled
        "program._needed = needed\n"
        "base = reset_peak()\n"
        "graph = convert(sys.argv[1], sys.argv[2], memory='64MiB')\n"
        "print(peak() - base, graph.digest())"
    )
    (tmp_path / "few").write_text("p1,p2\np2,p3\n" if is_text else "1000001 1000002\n")
    words = [tmp_path / name for name in ("edges", "g", "few", "h", "i")]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    taken, digest = done.stdout.split()
    assert int(taken) < 64 * 2**20
    assert digest == read_graph(tmp_path / "edges").digest()


def test_a_folder_appears_whole_or_not_at_all(tmp_path, calls):
    (tmp_path / "bad.csv").write_text(EVENTS + "one\n")
    with pytest.raises(GraphFileError, match="line 6"):
        convert(tmp_path / "bad.csv", tmp_path / "g")
    assert sorted(os.listdir(tmp_path)) == ["bad.csv", "calls.csv"]
    convert(calls, tmp_path / "g")
    with pytest.raises(InputError, match="holds the converted graph of an earlier run"):
        convert(calls, tmp_path / "g")
    assert run("convert", calls, tmp_path / "g", "--force").exit_code == 0
    (tmp_path / "g" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds mine\.txt"):
        convert(calls, tmp_path / "g", force=True)
    with pytest.raises(InputError, match="is what this run reads"):
        convert(tmp_path / "g", tmp_path / "g", force=True)


def test_what_is_too_large_for_the_memory_and_cannot_be_sorted_is_refused(tmp_path, calls, monkeypatch):
    monkeypatch.setattr("thinveil.graph.stored.convert._needed", lambda source: 2**62)
    (tmp_path / "g.json").write_text("[[1, 2], [2, 3]]")
    for path, options in ((calls, {"weight": "seconds"}), (calls, {"directed": True}), (tmp_path / "g.json", {})):
        with pytest.raises(GraphFileError, match="--memory"):
            convert(path, tmp_path / "g", **options)
    assert not (tmp_path / "g").exists()


@pytest.mark.parametrize("words", [["--weight", "2"], ["--ids", "string", "--source", "0"], ["--format", "csv"]])
def test_columns_of_a_converted_graph_cannot_be_chosen_again(tmp_path, calls, words):
    convert(calls, tmp_path / "g")
    done = run("info", tmp_path / "g", *words)
    assert done.exit_code == 1
    assert "chosen when it was converted" in str(done.exception)


@pytest.mark.parametrize(("memory", "size"), [("4GiB", 2**32), ("512 mb", 2**29), (2**27, 2**27), ("1.5g", 3 * 2**29)])
def test_memory_is_written_as_people_do(memory, size):
    assert read_memory(memory) == size


@pytest.mark.parametrize("memory", ["", "much", "-1", "10", "63MiB", True, "4 GiBs", None])
def test_memory_that_is_none_is_refused(memory):
    with pytest.raises(InputError, match="--memory"):
        read_memory(memory)


def test_info_tells_of_a_converted_graph_what_it_tells_of_the_file(tmp_path, calls):
    thinveil.convert(calls, tmp_path / "g.thinveil", weight="seconds")
    told = [
        json.loads(run("info", *words, "--json").stdout)
        for words in ([calls, "--weight", "seconds"], [tmp_path / "g.thinveil"])
    ]
    for key in ("nodes", "edges", "mean_degree", "degree_quantiles", "dropped", "digest", "rows"):
        assert told[0][key] == told[1][key]
    assert told[1]["read_as"]["note"] == "made from calls.csv"
