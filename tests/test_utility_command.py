"""``thinveil utility``: releases and whole graphs, the table, JSON and files, and what is refused."""

import csv
import json

import pytest
from typer.testing import CliRunner

from thinveil.cli import app
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import make_scheme, write_release


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a folder with a graph, a release of it with the truth, and a graph of which nothing is known."""
    place, graph = tmp_path_factory.mktemp("utility"), synthetic_graph(1_000, seed=1)
    edges = [(v, w) for v in range(1_000) for w in graph.neighbors(v).tolist() if v < w]
    (place / "graph.csv").write_text("source,target\n" + "".join(f"{v},{w}\n" for v, w in edges))
    (place / "other.csv").write_text("source,target\n" + "".join(f"{v},{w}\n" for v, w in edges if (v + w) % 4))
    left = sorted({end for edge in edges if sum(edge) % 4 for end in edge})[:-5]  # five people are not told
    (place / "who.csv").write_text("node,person\n" + "".join(f"{v},{v}\n" for v in left))
    release = make_scheme("d4d-2:egonets=4,min_size=50").publish(graph, seed=1)
    write_release(release, place / "release", place / "truth.parquet")
    return place


def run(*words, status=0):
    result = CliRunner().invoke(app, ["utility", *map(str, words)])
    assert result.exit_code == status, result.output
    return result


def test_a_table_for_people(place):
    told = run(place / "graph.csv", place / "release", "--truth", place / "truth.parquet").output
    assert "Compared: all 4 sub-graphs, each beside the original's own among the same people" in told
    assert "edges-kept" in told
    assert "Made-up edges: no edges were added." in told


def test_json_of_chosen_measures_of_a_file_with_a_whole_graph(place):
    words = [place / "graph.csv", place / "other.csv", "--json", "--utility", "clustering,edges-kept"]
    found = json.loads(run(*words).stdout)
    assert [one["name"] for one in found["measures"]] == ["local-clustering", "global-clustering", "edges-kept"]
    assert [one["distance"] is None for one in found["measures"]] == [False, False, True]
    assert "the truth was not given" in run(*words[:2]).output
    kept = json.loads(run(*words, "--truth", place / "who.csv").stdout)["measures"][2]
    assert 0.2 < kept["distance"] < 0.35


def test_files_for_machines_are_replaced_by_force_alone(place, tmp_path):
    words = [place / "graph.csv", place / "other.csv", "--utility", "size,ranks", "--out"]
    for name in ("u.csv", "u.json"):
        run(*words, tmp_path / name)
        assert "--force" in str(run(*words, tmp_path / name, status=1).exception)
        run(*words, tmp_path / name, "--force")
    rows = list(csv.DictReader((tmp_path / "u.csv").read_text().splitlines()))
    said = json.loads((tmp_path / "u.json").read_text())["measures"]
    assert [row["name"] for row in rows] == [one["name"] for one in said]
    assert [float(row["distance"]) if row["distance"] else None for row in rows] == [one["distance"] for one in said]
    (tmp_path / "mine.csv").write_text("mine\n")
    run(*words, tmp_path / "mine.csv", "--force", status=1)
    assert (tmp_path / "mine.csv").read_text() == "mine\n"


def test_what_makes_no_sense_is_one_line(place):
    graph, release = place / "graph.csv", place / "release"
    for words, told in (
        ((graph, release, "--utility", "clustring"), "clustering"),
        ((graph, release, "--out", place / "u.txt"), ".json or .csv"),
        ((graph, release, "--out", place / "truth.parquet", "--truth", place / "truth.parquet"), "truth.parquet"),
        ((graph, place / "nothing"), "nothing"),
        ((place / "who.csv", release, "--truth", place / "truth.parquet"), "graph"),
    ):
        result = run(*words, status=1)
        assert told in str(result.output) + str(result.exception)


def test_help_lists_the_measures():
    told = run("--help").output
    assert "betweenness" in told
    assert "communities" in told
