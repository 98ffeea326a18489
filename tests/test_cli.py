"""The command line as a user meets it."""

import json
import re
import signal
import subprocess
import sys
import time
import tomllib

import numpy as np
import pytest
from typer.testing import CliRunner

import thinveil
from thinveil.cli import app, main
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import SCHEMES

QUICK = ["--attack", "forest", "--egonets", "12", "--min-size", "60", "--trees", "20", "--test-negatives", "5000"]


@pytest.fixture(scope="module")
def edges(tmp_path_factory):
    return write_edges(tmp_path_factory.mktemp("graph"), 3000)


def write_edges(folder, nodes):
    graph = synthetic_graph(nodes, seed=2)
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    path = folder / "edges.csv"
    lines = [f"n{u},n{v}" for u, v in zip(source, graph.indices, strict=True) if u < v]
    path.write_text("from,to\n" + "\n".join(lines) + "\n")
    return path


def run(*words, input=None):  # noqa: A002
    """Run the command in a process of its own, as a user would."""
    command = [sys.executable, "-m", "thinveil", *map(str, words)]
    return subprocess.run(command, input=input, capture_output=True, text=True, timeout=120)


@pytest.fixture
def run_here(monkeypatch, capfd):
    """Run the command in this process, which need not be started and import everything: its status and output."""

    def run_main(*words):
        monkeypatch.setattr(sys, "argv", ["thinveil", *map(str, words)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        return subprocess.CompletedProcess(words, stopped.value.code, *capfd.readouterr())

    interrupt = signal.getsignal(signal.SIGINT)
    yield run_main
    signal.signal(signal.SIGINT, interrupt)


def test_info(edges):
    done = run("info", edges)
    assert done.returncode == 0
    assert re.search(r"nodes +3,000\nedges +[\d,]+ \(undirected\)\ndegree +mean .* 50% ", done.stdout)
    facts = json.loads(run("info", edges, "--json").stdout)
    assert facts["nodes"] == 3000
    assert facts["dropped"] == {"self_loops": 0, "duplicates": 0}


def test_info_reads_standard_input():
    done = run("info", "-", input="1 2\n2 1\n3 3\n2 3\n")
    assert "dropped  1 self-loops, 1 duplicates" in done.stdout


def test_audit_of_calls_repeats_from_its_settings(tmp_path):
    rng, graph = np.random.default_rng(1), synthetic_graph(1500, seed=2)
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    calls = zip(
        source, graph.indices, rng.integers(999, size=source.size), rng.integers(-1, 99, size=source.size), strict=True
    )  # fmt: skip
    lines = [f"{a},{b},{when},{length}" for a, b, when, length in calls]
    (tmp_path / "calls.csv").write_text("caller,callee,when,length\n" + "\n".join(lines) + "\n")

    def audit(*words):
        return CliRunner().invoke(app, ["audit", *map(str, words), "--json"])

    chosen = ["--features", "degrees, contacts-out,weight", "--slots", 3, "--join", "majority", *QUICK, "--trees", 5]
    columns = ["--time", "when", "--weight", "length", "--directed"]
    first = audit(tmp_path / "calls.csv", *columns, *chosen, "--out", tmp_path / "a")
    second = audit("--settings", tmp_path / "a" / "settings.toml", "--out", tmp_path / "b")
    one, two = (json.loads(done.stdout) for done in (first, second))
    assert one["rates"] == two["rates"]
    assert one["graph"]["reader"] == {"time": "when", "weight": "length", "directed": True}
    assert one["settings"]["features"] == ["degrees", "contacts-out", "weight"]
    bare = audit(tmp_path / "calls.csv", *columns[:-1], *chosen, "--out", tmp_path / "c")
    assert "feature contacts-out needs a direction of each event: read the graph with --directed" in str(bare.exception)


def test_anonymize_then_read_back(edges, tmp_path):
    words = ["--out", tmp_path / "out", "--truth", tmp_path / "truth.parquet", "--egonets", 5, "--min-size", 60]
    done = run("anonymize", edges, "--scheme", "d4d-1", *words)
    assert done.returncode == 0, done.stderr
    assert "5 sub-graphs" in done.stdout
    release = thinveil.read_release(tmp_path / "out")
    assert len(release) == 5
    assert min(subgraph.node_count for subgraph in release.subgraphs) > 60
    again = run("anonymize", edges, *words)
    assert again.returncode == 1
    assert again.stderr.count("\n") == 1


def test_audit_writes_the_report_and_repeats_from_its_settings(edges, tmp_path, run_here):
    words = ["--scheme", "d4d-1", "--seed", 4, *QUICK, "--set", "bins=35", "--set", "smallest=0.2"]
    first = run("audit", edges, *words, "--out", tmp_path / "a")
    assert first.returncode == 0, first.stderr
    assert first.stderr == ""
    assert "complete" in first.stdout
    assert str(tmp_path / "a" / "report.html") in first.stdout.replace("\n", "")
    names = {path.name for path in (tmp_path / "a").iterdir()}
    assert names == {"report.html", "result.json", "roc.csv", "settings.toml"}

    second = run("audit", "--settings", tmp_path / "a" / "settings.toml", "--out", tmp_path / "b", "--json")
    results = [json.loads((tmp_path / side / "result.json").read_text()) for side in "ab"]
    assert json.loads(second.stdout) == results[1]
    for result in results:
        assert set(result.pop("seconds")) >= {"read", "train", "test", "report"}
    assert results[0] == results[1]
    assert (tmp_path / "a" / "roc.csv").read_bytes() == (tmp_path / "b" / "roc.csv").read_bytes()

    settings = tomllib.loads((tmp_path / "a" / "settings.toml").read_text())
    assert [settings["settings"][name] for name in ("seed", "bins", "smallest")] == [4, 35, 0.2]
    name = edges.rename(edges.with_name("moved.csv"))
    gone = run_here("audit", "--settings", tmp_path / "a" / "settings.toml", "--out", tmp_path / "c")
    assert "the graph of the settings is not here: name where it is" in gone.stderr
    name.rename(edges)
    edges.write_text(edges.read_text() + "n0,n1500\n")
    changed = run_here("audit", "--settings", tmp_path / "a" / "settings.toml", "--out", tmp_path / "c")
    assert changed.returncode == 1
    assert "not the file of the settings" in changed.stderr
    assert not (tmp_path / "c").exists()


def test_risks_by_name(edges, tmp_path):
    words = ["audit", edges, "--scheme", "d4d-1", *QUICK, "--alone", "--out", tmp_path / "report"]
    done = run(*words, "--per-person", tmp_path / "people.csv")
    assert done.returncode == 0, done.stderr
    assert "it names people" in done.stdout
    assert "people who could be compared" in " ".join(done.stdout.split())
    first, *lines = (tmp_path / "people.csv").read_text().splitlines()
    assert first.startswith("person,appearances,largest_degree")
    risks = [float(line.split(",")[-1]) for line in lines]
    assert risks == sorted(risks, reverse=True)
    assert all(line.startswith("n") for line in lines)
    told = json.loads((tmp_path / "report" / "result.json").read_text())
    assert told["risk"]["people"] == len(lines)
    assert told["settings"]["alone"] is True


def test_audit_trained_on_another_graph_repeats(edges, tmp_path, run_here):
    words = ["--scheme", "d4d-1", "--train-on", edges, *QUICK]
    first = run("audit", "synthetic", *words, "--out", tmp_path / "a", "--json")
    assert json.loads(first.stdout)["trained_on"]["nodes"] == 3000
    second = run_here("audit", "--settings", tmp_path / "a" / "settings.toml", "--out", tmp_path / "b", "--json")
    assert json.loads(first.stdout)["rates"] == json.loads(second.stdout)["rates"]
    assert "learned from another graph (3,000 nodes" in (tmp_path / "b" / "report.html").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["info", "missing.txt"], "missing.txt: no such file"),
        (["audit"], "no graph given"),
        (["audit", "synthetic", "--scheme", "d4d-3"], "unknown scheme 'd4d-3'"),
        (["audit", "synthetic", "--protocol", "mine"], "unknown protocol 'mine'"),
        (["audit", "synthetic", "--min-size", "19999"], "lower min_size or egonets"),
        (["audit", "synthetic", "--set", "bins"], "--set bins: give NAME=VALUE"),
        (["audit", "synthetic", "--set", "bin=3"], "unknown setting 'bin'"),
        (["audit", "synthetic", "--set", "bins='x'"], "setting bins = 'x' is not of type int"),
        (["audit", "--settings", "none.toml"], "none.toml"),
        (["audit", "synthetic", "--per-person", "no/people.csv"], "no/people.csv: cannot be written"),
        (["audit", "synthetic", "--out", "o", "--per-person", "o/p.csv"], "must not lie in the folder of the report"),
        (["audit", "synthetic", "--per-person", "p.csv", "--test-negatives", "500"], "raise test_negatives"),
        (
            ["audit", "synthetic", "--scheme", "overlap", "--egonets", "5"],
            "takes node_overlap and edge_overlap, not egonets",
        ),
        (
            ["anonymize", "synthetic", "--out", "o", "--truth", "t", "--scheme", "overlap", "--min-size", "5"],
            "not min_size",
        ),
        (["anonymize", "synthetic", "--out", "o", "--truth", "t", "--edge-overlap", "1"], "takes egonets and min_size"),
        (["audit", "synthetic", "--test-negatives", "1000000000000"], "test_negatives = 1000000000000: give a number"),
        (["audit", "synthetic", "--min-size", "99999999999999999999"], "give a number from 0"),
        (["info", "a\nb"], "no such file"),
        (["train", "synthetic", "--out", "no/model"], "no/model: cannot be written"),
        (["link", "--raw", "synthetic", "--release", "r", "--model", "m", "--out", "l.csv"], "m: no such file"),
        (["anonymize", "synthetic", "--out", "o", "--truth", "o/t"], "the truth must not lie in the folder"),
    ],
)
def test_bad_input_is_one_line_and_status_1(words, message, tmp_path, monkeypatch, run_here):
    monkeypatch.chdir(tmp_path)
    done = run_here(*words)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_help_is_quick_and_imports_nothing_heavy():
    script = (
        "import sys; sys.argv = ['thinveil', '--help']\n"
        "from thinveil.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([name for name in ('numba', 'polars', 'scipy', 'matplotlib', 'sklearn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]")


def test_version():
    assert run("--version").stdout == f"thinveil {thinveil.__version__}\n"


def test_two_graphs_from_the_command_line(edges, tmp_path):
    words = ["--scheme", "overlap", "--node-overlap", "0.5", "--edge-overlap", "0.75"]
    places = ["--out", str(tmp_path / "out"), "--truth", str(tmp_path / "truth.parquet")]
    done = CliRunner().invoke(app, ["anonymize", str(edges), *words, *places])
    assert done.exit_code == 0
    assert "2 sub-graphs" in done.output
    release = thinveil.read_release(tmp_path / "out")
    assert [subgraph.node_count for subgraph in release.subgraphs] == [2250, 2250]

    quick = [
        "--attack",
        "forest",
        "--seeds",
        "30",
        "--trees",
        "20",
        "--test-negatives",
        "5000",
        "--set",
        "min_degree=2",
    ]
    done = CliRunner().invoke(app, ["audit", str(edges), *words, *quick, "--out", str(tmp_path / "a"), "--json"])
    settings = json.loads(done.output)["settings"]
    assert (settings["node_overlap"], settings["edge_overlap"], settings["seeds"]) == (0.5, 0.75, 30)
    again = ["audit", "--settings", str(tmp_path / "a" / "settings.toml"), "--out", str(tmp_path / "b"), "--json"]
    assert json.loads(CliRunner().invoke(app, again).output)["rates"] == json.loads(done.output)["rates"]


@pytest.mark.parametrize("command", ["anonymize", "audit"])
def test_help_names_every_scheme(command):
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output
    assert all(name in shown for name in SCHEMES)


@pytest.mark.parametrize("command", ["info", "anonymize", "audit", "train", "link"])
def test_every_command_has_help(command):
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert "GRAPH" in result.output


def test_the_public_names():
    assert thinveil.__all__ == sorted(thinveil.__all__)
    assert len(thinveil.__all__) <= 16
    for name in thinveil.__all__:
        assert callable(getattr(thinveil, name))  # and not a module of the same name
    with pytest.raises(AttributeError):
        thinveil.nothing  # noqa: B018


def test_an_interrupted_audit_leaves_nothing(edges, tmp_path):
    program = "from thinveil.cli import main; print('ready', flush=True); main()"
    command = [sys.executable, "-c", program, "audit", str(edges), "--repeats", "500", "--out", str(tmp_path / "o")]
    process = subprocess.Popen([*command, *QUICK], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(4)
    process.send_signal(2)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []


def test_stitch_tells_rounds_and_seeds(tmp_path, run_here):
    edges = write_edges(tmp_path, 1000)
    words = ["--scheme", "d4d-1", "--attack", "signature", "--egonets", 6, "--min-size", 60, "--rounds", 1]
    done = run("stitch", edges, *words)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "Rebuilt, round by round" in done.stdout
    assert "Between two sub-graphs with a known seed" in done.stdout
    told = json.loads(run_here("stitch", edges, *words, "--json").stdout)
    assert [draw[0]["links"] >= draw[0]["right"] for draw in told["rounds"]] == [True]
    assert told["seeds"][0]["prior"]["trials"] == told["seeds"][0]["scored"]
    assert told["graph"]["name"] == "edges.csv"
    bad = run_here("stitch", edges, *words, "--sure", 7)
    assert bad.returncode == 1
    assert "links at least 7.0 probable" in bad.stderr
