"""Commands write over nothing that they read, and over nothing that thinveil has not written."""

import csv
import os

import polars as pl
import pytest
from typer.testing import CliRunner

import thinveil
from tests.faults import FEW, LEARN
from tests.reporting import run_ids
from thinveil.cli import app
from thinveil.errors import InputError
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.csvtext import read_guarded
from thinveil.schemes import Pseudonyms, write_release

GRAPH = "a,b\nb,c\nc,a\n"


def run(*words, **more):
    return CliRunner().invoke(app, list(map(str, words)), **more)


@pytest.fixture
def scene(tmp_path, monkeypatch):
    """A folder with files of the user's."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r").mkdir()
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "report.html").write_text("<title>Annual report</title>")
    (tmp_path / "settings.toml").write_text("[scheme]\nname = 'd4d-1'\n")
    for name in ("g.csv", "other.csv", "m", "t", "r/release.toml", "notes.txt"):
        (tmp_path / name).write_text(GRAPH)
    (tmp_path / "hard.csv").hardlink_to("g.csv")
    (tmp_path / "soft.csv").symlink_to("g.csv")
    return tmp_path


READS = "is what this run reads"
LINK = ["link", "r", "--model", "m", "--truth", "t"]
MATCH = ["match", "g.csv", "r", "--known", "m", "--truth", "t"]
ANONYMIZE = ["anonymize", "g.csv"]


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["audit", "g.csv", "--per-person", "g.csv"], READS),
        (["audit", "g.csv", "--per-person", "hard.csv"], READS),
        (["audit", "soft.csv", "--per-person", "./g.csv"], READS),
        (["audit", "g.csv", "--per-person", "other.csv"], "other.csv: is there already, and no table of people"),
        (["audit", "g.csv", "--train-on", "other.csv", "--per-person", "other.csv"], READS),
        (["audit", "g.csv", "--settings", "settings.toml", "--per-person", "settings.toml"], READS),
        (["audit", "g.csv", "--out", "o", "--per-person", "o"], "must not lie in the folder of the report"),
        (["audit", "g.csv", "--out", "theirs"], "theirs: holds report.html, which is of no report"),
        (["audit", "g.csv", "--out", ""], "give a folder of its own with --out"),
        (["audit", "g.csv", "--out", "."], "give a folder of its own with --out"),
        (["audit", "synthetic", "--out", "."], "give a folder of its own with --out"),
        (["audit", "g.csv", "--out", "g.csv"], "is there already and no folder"),
        (["audit", "g.csv", "--out", "notes.txt"], "is there already and no folder"),
        (["train", "g.csv", "--out", "g.csv"], READS),
        (["train", "g.csv", "--out", "soft.csv"], READS),
        (["train", "g.csv", "--out", "other.csv"], "other.csv: is there already, and no model"),
        (["train", "g.csv", "--out", ""], "is a folder"),
        ([*LINK, "--out", "g.csv"], "g.csv: is there already, and no table of links"),
        ([*LINK, "--out", "r/links.csv"], "r/links.csv: lies in r, which this run reads"),
        (["link", "r", "--model", "g.csv", "--out", "g.csv"], READS),
        (["link", "r", "--model", "m", "--truth", "g.csv", "--out", "hard.csv"], READS),
        ([*MATCH, "--out", "g.csv"], READS),
        ([*MATCH, "--out", "other.csv"], "other.csv: is there already, and no table of names"),
        ([*ANONYMIZE, "--out", "g.csv", "--truth", "new"], "is there already and no folder"),
        ([*ANONYMIZE, "--out", "theirs", "--truth", "new"], "theirs: holds report.html, which is of no release"),
        ([*ANONYMIZE, "--out", "new", "--truth", "g.csv"], "g.csv: is there already"),
        ([*ANONYMIZE, "--out", "new", "--truth", "new"], "the truth must not lie in the folder"),
        ([*ANONYMIZE, "--out", ".", "--truth", "new"], "give a folder of its own with --out"),
    ],
)
def test_inputs_and_the_files_of_others_are_left_alone(scene, words, message, force):
    before = {path: path.read_bytes() for path in scene.rglob("*") if path.is_file()}
    done = run(*words, *force)
    assert done.exit_code == 1
    assert message in str(done.exception)
    assert {path: path.read_bytes() for path in scene.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("out", "message"), [("theirs", "holds report.html, and no reproduction"), ("", "give a folder")]
)
def test_a_reproduction_takes_a_folder_of_its_own(scene, out, message):
    done = run("reproduce", "feature-vector", "--quick", "--out", out)
    assert message in str(done.exception)
    assert [path.name for path in (scene / "theirs").iterdir()] == ["report.html"]


def write_hostile_graph(path):
    """Write a graph of people whose names are programs for spreadsheets."""
    graph, names = synthetic_graph(800, seed=2), {}
    for node, start in zip(range(graph.node_count), "=+-@" * graph.node_count, strict=False):
        names[node] = f"{start}cmd{node}"
    edges = [(u, v) for u in range(graph.node_count) for v in graph.neighbors(u) if u < v]
    path.write_text("from,to\n" + "".join(f"{names[u]},{names[v]}\n" for u, v in edges))
    return set(names.values())


def test_an_audit_again_and_its_table_of_people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = write_hostile_graph(tmp_path / "g.csv")
    words = ["audit", "g.csv", *LEARN, *FEW, "--alone", "--out", "report", "--per-person", "people.csv"]
    assert run(*words).exit_code == 0
    with (tmp_path / "people.csv").open(newline="") as file:
        people = [line["person"] for line in csv.DictReader(file)]
    assert all(name.startswith("'") for name in people)
    assert set(map(read_guarded, people)) <= names
    first = run_ids(tmp_path / "report")
    refused = run(*words)
    assert "report: holds the report of an earlier run: give --force (force=True) to replace it" in str(
        refused.exception
    )
    assert run(*words, "--force").exit_code == 0
    assert len(first) == len(run_ids(tmp_path / "report")) == 1
    assert run_ids(tmp_path / "report") != first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.csv", "people.csv", "report"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_of_links_and_of_names_replace_their_own_kind_only(tmp_path, ending):
    links = pl.DataFrame({"cluster": [0], "subgraph": [0], "node": [3], "probability": [0.5]})
    names = pl.DataFrame({"subgraph": [0], "node": [3], "person": ["anna"], "score": [1.0], "rank": [1], "agree": [2]})
    for mine, other, kind in ((links, names, "names"), (names, links, "links")):
        path = tmp_path / f"{kind}.{ending}"
        thinveil.write_links(mine, path)
        before = path.read_bytes()
        with pytest.raises(InputError, match=f"is there already, and no table of {kind}"):
            thinveil.write_links(other, path, force=True)
        assert path.read_bytes() == before
        thinveil.write_links(mine, path, force=True)


@pytest.mark.parametrize(
    "words",
    [
        [*ANONYMIZE, "--scheme", "pseudonyms", "--out", "new", "--truth", "rel/truth"],
        [*ANONYMIZE, "--scheme", "pseudonyms", "--out", "rel/new", "--truth", "truth"],
        ["train", "g.csv", "--out", "rel/deep/model"],
        ["audit", "g.csv", "--out", "rel/report"],
        ["audit", "g.csv", "--out", "o", "--per-person", "rel/people.csv"],
        ["match", "g.csv", "other.csv", "--out", "rel/names.csv"],
        ["match", "g.csv", "other.csv", "--out", "rep/names.csv"],
    ],
)
def test_nothing_is_written_into_a_folder_that_is_handed_on(scene, words):
    (scene / "rel" / "deep").mkdir(parents=True)
    (scene / "rep").mkdir()
    graph = synthetic_graph(200, seed=1)
    write_release(Pseudonyms().publish(graph, seed=1), scene / "made", scene / "who")
    (scene / "rel" / "release.toml").write_bytes((scene / "made" / "release.toml").read_bytes())
    (scene / "rep" / "result.json").write_text('{\n  "headline": {}}')
    before = sorted(scene.rglob("*"))
    done = run(*words)
    assert done.exit_code == 1
    assert "which is handed on whole: choose a place outside with --" in str(done.exception)
    assert sorted(scene.rglob("*")) == before


@pytest.mark.parametrize(
    "words",
    [["audit", "g.csv", "--out"], ["train", "g.csv", "--out"], ["match", "g.csv", "other.csv", "--out"]],
)
def test_pipes_and_devices_are_refused_before_long_work(scene, words):
    os.mkfifo(scene / "pipe.csv")
    done = run(*words, "pipe.csv")
    assert done.exit_code == 1
    assert "pipe.csv: is no ordinary f" in str(done.exception)


def test_an_empty_place_is_told_by_its_own_option(scene):
    done = run(*ANONYMIZE, "--scheme", "pseudonyms", "--out", "", "--truth", "t2")
    assert "give a folder of its own with --out" in str(done.exception)
    done = run(*ANONYMIZE, "--scheme", "pseudonyms", "--out", "o", "--truth", "")
    assert "is a folder: name a file with --truth" in str(done.exception)


def test_a_reproduction_without_any_graph_does_not_end_well(scene):
    done = run("reproduce", "weights", "--data", "theirs", "--out", "paper")
    assert done.exit_code == 1
    assert "no table was made" in str(done.exception)


def test_a_comparison_and_a_reproduction_leave_each_other_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    compare = ["compare", "synthetic", "random-graph", "--aux", "nodes=1,edges=1", "-q", "--out"]
    reproduce = ["reproduce", "feature-vector", "--quick", "--out"]
    run(*compare, "one")
    assert run(*reproduce, "two").exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert "holds comparison.csv, and no reproduction" in str(run(*reproduce, "one").exception)
    assert "holds feature-vector.csv, and no comparison" in str(run(*compare, "two").exception)
    for page in ("one", "two"):  # nor where nothing but the page was written
        (tmp_path / f"{page}-page").mkdir()
        (tmp_path / f"{page}-page" / "index.html").write_bytes((tmp_path / page / "index.html").read_bytes())
    assert "no reproduction" in str(run(*reproduce, "one-page").exception)
    assert "no comparison" in str(run(*compare, "two-page").exception)
    assert {path: path.read_bytes() for path in before} == before
