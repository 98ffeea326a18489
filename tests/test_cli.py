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
from thinveil import errors
from thinveil.cli import app, load
from thinveil.errors import InputError
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.endings import end_well
from thinveil.schemes import SCHEMES

SHAPE = "egonets=12,min_size=60"
FEW = ["--set", "test_negatives=5000"]
QUICK = ["--attack", "forest:trees=20", *FEW]


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
            end_well(load)
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

    attack = "forest:trees=5,features=degrees+contacts-out+weight,slots=3,join=majority"
    chosen = ["--scheme", f"d4d-2:{SHAPE}", "--attack", attack, *FEW]
    columns = ["--time", "when", "--weight", "length", "--directed"]
    first = audit(tmp_path / "calls.csv", *columns, *chosen, "--out", tmp_path / "a")
    (tmp_path / "a" / "settings.toml").rename(tmp_path / "settings.toml")
    second = audit("--settings", tmp_path / "settings.toml", "--out", tmp_path / "b")  # the graph lies beside it
    one, two = (json.loads(done.stdout) for done in (first, second))
    assert one["rates"] == two["rates"]
    assert one["graph"]["reader"] == {"time": "when", "weight": "length", "directed": True}
    assert one["settings"]["attack"]["features"] == ["degrees", "contacts-out", "weight"]
    bare = audit(tmp_path / "calls.csv", *columns[:-1], *chosen, "--out", tmp_path / "c")
    assert "feature contacts-out needs a direction of each event: read the graph with --directed" in str(bare.exception)


def test_anonymize_then_read_back(edges, tmp_path, run_here):
    words = ["--out", tmp_path / "out", "--truth", tmp_path / "truth.parquet"]
    done = run_here("anonymize", edges, "--scheme", "d4d-1:egonets=5,min_size=60", *words)
    assert done.returncode == 0, done.stderr
    assert "5 sub-graphs" in done.stdout
    release = thinveil.read_release(tmp_path / "out")
    assert len(release) == 5
    assert min(subgraph.node_count for subgraph in release.public) > 60
    again = run_here("anonymize", edges, *words)
    assert again.returncode == 1
    assert again.stderr.count("\n") == 1


def test_audit_writes_the_report_and_repeats_from_its_settings(edges, tmp_path, run_here):
    attack = "forest:trees=20,bins=35,smallest=0.2"
    words = ["--scheme", f"d4d-1:{SHAPE}", "--seed", 4, "--attack", attack, *FEW, "--set", "min_degree=4"]
    first = run("audit", edges, *words, "--quiet", "--out", tmp_path / "a")
    assert first.returncode == 0, first.stderr
    assert first.stderr.splitlines()[0].startswith("read edges.csv as CSV: commas, ")
    assert "complete" in first.stdout
    assert str(tmp_path / "a" / "report.html") in first.stdout.replace("\n", "")
    names = {path.name for path in (tmp_path / "a").iterdir()}
    assert names == {"report.html", "result.json", "roc.csv", "settings.toml"}

    again = ["--settings", tmp_path / "a" / "settings.toml", "--out"]
    second = run_here("audit", edges, *again, tmp_path / "b", "--json")
    results = [json.loads((tmp_path / side / "result.json").read_text()) for side in "ab"]
    assert json.loads(second.stdout) == results[1]
    for result in results:
        assert set(result.pop("seconds")) >= {"read", "train", "test", "report"}
    runs = [result.pop("run") for result in results]
    assert runs[0] != runs[1]
    assert results[0] == results[1]
    points = [(tmp_path / side / "roc.csv").read_text().replace(run, "") for side, run in zip("ab", runs, strict=True)]
    assert points[0] == points[1]

    settings = tomllib.loads((tmp_path / "a" / "settings.toml").read_text())
    assert settings["plan"] == {"repeats": 1, "seed": 4}
    assert (settings["attack"]["bins"], settings["attack"]["smallest"]) == (35, 0.2)
    assert (settings["sampling"]["min_degree"], settings["scheme"]["egonets"]) == (4, 12)
    assert settings["graph"]["name"] == "edges.csv"
    gone = run_here("audit", *again, tmp_path / "c")
    assert "is neither here nor beside it: say where: thinveil audit GRAPH --settings" in gone.stderr
    (tmp_path / "other.csv").write_text(edges.read_text() + "n0,n1500\n")
    changed = run_here("audit", tmp_path / "other.csv", *again, tmp_path / "c")
    assert changed.returncode == 1
    assert "not the graph of the settings (SHA-256" in changed.stderr
    within = run_here("audit", edges, *again, tmp_path / "a", "--force")
    assert "a: holds settings.toml, which this run reads" in within.stderr
    piped = run("audit", "-", *again, tmp_path / "c", input="1,2\n")
    assert "standard input: not the graph of the settings (SHA-256" in piped.stderr
    assert not (tmp_path / "c").exists()
    assert not (tmp_path / "c").exists()


def test_risks_by_name(edges, tmp_path, run_here):
    words = ["audit", edges, "--scheme", f"d4d-1:{SHAPE}", *QUICK, "--alone", "--out", tmp_path / "report"]
    done = run_here(*words, "--per-person", tmp_path / "people.csv")
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
    assert "beside" not in told["settings"]


def test_audit_trained_on_another_graph_repeats(edges, tmp_path, run_here):
    words = ["--scheme", f"d4d-1:{SHAPE}", "--train-on", edges, *QUICK]
    first = run_here("audit", "synthetic", *words, "--out", tmp_path / "a", "--json")
    assert json.loads(first.stdout)["trained_on"]["nodes"] == 3000
    words = ["--settings", tmp_path / "a" / "settings.toml", "--train-on", edges]
    second = run_here("audit", *words, "--out", tmp_path / "b", "--json")
    assert json.loads(first.stdout)["rates"] == json.loads(second.stdout)["rates"]
    assert "learned from another graph (3,000 nodes" in (tmp_path / "b" / "report.html").read_text()


AUDIT = ["audit", "synthetic"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["info", "missing.txt"], "missing.txt: no such file"),
        (["audit"], "no graph given"),
        ([*AUDIT, "--scheme", "d4d-3"], "unknown scheme 'd4d-3': did you mean 'd4d-"),
        ([*AUDIT, "--attack", "stong"], "unknown attack 'stong': did you mean 'strong'?"),
        ([*AUDIT, "--threat", "linking"], "unknown threat 'linking': did you mean 'linkage'?"),
        ([*AUDIT, "--engine", "locl"], "unknown engine 'locl': did you mean 'local'?"),
        ([*AUDIT, "--engine", "local:jobs=0"], "local: jobs = 0: give a whole number from 1"),
        ([*AUDIT, "--protocol", "mine"], "protocol = mine: choose one of paper, uniform, matched"),
        ([*AUDIT, "--scheme", "d4d-2:min_size=19999"], "give --scheme d4d-"),
        ([*AUDIT, "--scheme", "d4d-2:egonets"], "'egonets' has no value"),
        ([*AUDIT, "--scheme", "d4d-2:egonets=many"], "d4d-2: egonets = many: give a whole number"),
        ([*AUDIT, "--scheme", "d4d-2:egonet=5"], "no parameter is called 'egonet': did you mean 'egonets'?"),
        ([*AUDIT, "--scheme", "pseudonyms:egonets=5"], "it takes none"),
        ([*AUDIT, "--scheme", "pseudonyms"], "linkage is between two or more"),
        ([*AUDIT, "--attack", "forest:features=contact"], "choose among degrees, two-hop, contacts"),
        ([*AUDIT, "--threat", "linkage:known=5,unseen=yes"], "leave unseen out"),
        ([*AUDIT, "--alone", "--beside", "forest"], "exclude each other"),
        ([*AUDIT, "--set", "bins"], "--set bins: give NAME=VALUE"),
        ([*AUDIT, "--set", "min_degre=3"], "unknown setting 'min_degre': did you mean 'min_degree'?"),
        ([*AUDIT, "--set", "min_degree='x'"], "min_degree = 'x': give a whole number"),
        (["audit", "--settings", "none.toml"], "none.toml"),
        ([*AUDIT, "--per-person", "no/people.csv"], "no/people.csv: cannot be written"),
        ([*AUDIT, "--out", "o", "--per-person", "o/p.csv"], "must not lie in the folder of the report"),
        ([*AUDIT, "--per-person", "p.csv", "--set", "test_negatives=500"], "larger --set test_negatives="),
        ([*AUDIT, "--set", "test_negatives=1000000000000"], "test_negatives = 1000000000000: give a whole"),
        ([*AUDIT, "--scheme", "d4d-2:min_size=99999999999999999999"], "give a whole number from 0"),
        (["info", "a\nb"], "no such file"),
        (["train", "synthetic", "--out", "no/model"], "no/model: cannot be written"),
        (["link", "r", "--model", "m", "--out", "l.csv"], "m: no such file"),
        (["match", "synthetic", "r", "--out", "l.csv"], "r: no such file"),
        (["match", "synthetic", "r", "--out", "l.txt"], "choose one of the two endings"),
        (["anonymize", "synthetic", "--out", "o", "--truth", "o/t"], "the truth must not lie in the folder"),
        (["stitch", "synthetic", "--threat", "identification"], "threat linkage"),
    ],
)
def test_bad_input_is_one_line_and_status_1(words, message, tmp_path, monkeypatch, run_here):
    monkeypatch.chdir(tmp_path)
    done = run_here(*words)
    assert done.returncode == 1
    assert message in done.stderr
    assert len([line for line in done.stderr.splitlines() if not re.search(r" \(after \d+ s\)$", line)]) == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_help_is_quick_and_imports_nothing_heavy():
    script = (
        "import sys; sys.argv = ['thinveil', '--help']\n"
        "from thinveil.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([name for name in ('numba', 'polars', 'scipy', 'matplotlib', 'sklearn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]")


def test_version():
    assert run("--version").stdout == f"thinveil {thinveil.__version__}\n"


def test_an_auxiliary_graph_from_the_command_line(edges, tmp_path):
    threat = ["--threat", "identification:node_overlap=0.5,edge_overlap=0.75,known=30"]
    quick = [*QUICK, "--set", "min_degree=2"]
    done = CliRunner().invoke(app, ["audit", str(edges), *threat, *quick, "--out", str(tmp_path / "a"), "--json"])
    settings = json.loads(done.stdout)["settings"]
    assert settings["threat"] == {"name": "identification", "node_overlap": 0.5, "edge_overlap": 0.75, "known": 30}
    assert settings["attack"]["features"] == ["degrees", "two-hop"]
    again = [
        "audit",
        str(edges),
        "--settings",
        str(tmp_path / "a" / "settings.toml"),
        "--out",
        str(tmp_path / "b"),
        "--json",
    ]
    assert json.loads(CliRunner().invoke(app, again).stdout)["rates"] == json.loads(done.stdout)["rates"]


def test_train_link_and_match(edges, tmp_path, run_here, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scheme, attack = ["--scheme", f"d4d-1:{SHAPE}"], ["--attack", "signature"]
    assert run_here("anonymize", edges, *scheme, "--seed", 3, "--out", "r", "--truth", "t").returncode == 0
    made = run_here("train", edges, *scheme, *attack, "--out", "model")
    assert "scheme d4d-1, attack signature; 1-hop; 1,2-hop; 2-hop; complete" in made.stdout
    linked = run_here("link", "r", "--model", "model", "--truth", "t", "--out", "links.csv")
    assert linked.returncode == 0, linked.stderr
    assert re.search(
        r"nodes in [\d,]+ clusters; do not publish\)\nright  .* links between nodes\nfound  ", linked.stdout
    )
    named = run_here("match", edges, "r", "--truth", "t", "--out", "names.parquet")
    assert "1-hop: right " in named.stdout
    assert (tmp_path / "names.parquet").stat().st_mode & 0o077 == 0
    other = run_here("train", edges, "--scheme", f"d4d-2:{SHAPE}", *attack, "--out", "other")
    assert other.returncode == 0
    refused = run_here("link", "r", "--model", "other", "--out", "no.csv")
    assert "was made with d4d-1, the model learned d4d-2" in refused.stderr
    assert not (tmp_path / "no.csv").exists()


@pytest.mark.parametrize(("command", "known"), [("schemes", "d4d-2"), ("attacks", "forest"), ("threats", "linkage")])
def test_listings_tell_names_sentences_and_parameters(command, known, run_here):
    told = {one["name"]: one for one in json.loads(run_here(command, "--json").stdout)}
    assert told[known]["parameters"][0]["meaning"]
    shown = run_here(command).stdout
    for name, one in told.items():
        assert f"{name}: {one['what']}" in shown
        assert all(f"{each['name']}=" in shown and each["meaning"] in shown for each in one["parameters"])


def test_help_stands_in_groups():
    shown = CliRunner().invoke(app, ["audit", "--help"], env={"COLUMNS": "120"}).output
    places = [shown.index(f" {panel} ") for panel in ("Graph", "Scheme", "Attacker", "Sampling", "Output")]
    assert places == sorted(places)


@pytest.mark.parametrize("command", ["anonymize", "audit"])
def test_help_names_every_scheme(command):
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output
    assert all(name in shown for name in SCHEMES)


@pytest.mark.parametrize("command", ["info", "anonymize", "audit", "train", "stitch", "utility"])
def test_every_command_has_help(command):
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert "GRAPH" in result.output


def test_the_public_names():
    assert thinveil.__all__ == sorted(thinveil.__all__)
    wanted = {"audit", "anonymize", "train", "link", "match", "stitch", "reproduce", "info", "utility", "compare",
              "convert"}  # fmt: skip
    types = {"Graph", "Release", "Scheme", "Attack", "Threat", "Plan", "Model", "AuditResult"}
    problems = {name for name in vars(errors) if name.endswith("Error")}
    assert wanted | types | problems <= set(thinveil.__all__)
    listings, pages = {"schemes", "attacks", "threats"}, {"report"}  # read_result and write_page
    assert {command.name for command in app.registered_commands} - listings - pages <= wanted
    for name in thinveil.__all__:
        assert callable(getattr(thinveil, name))  # and not a module of the same name
    with pytest.raises(AttributeError):
        thinveil.nothing  # noqa: B018


def test_an_interrupted_audit_leaves_nothing(edges, tmp_path):
    program = "import thinveil.cli; from thinveil.__main__ import main; print('ready', flush=True); main()"
    command = [sys.executable, "-c", program, "audit", str(edges), "--repeats", "500", "--out", str(tmp_path / "o")]
    words = ["--scheme", f"d4d-2:{SHAPE}", *QUICK]
    process = subprocess.Popen([*command, *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(4)
    process.send_signal(2)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []


def test_stitch_tells_rounds_and_known_people(tmp_path, run_here):
    edges = write_edges(tmp_path, 1000)
    words = ["--scheme", "d4d-1:egonets=6,min_size=60", "--attack", "signature"]
    done = run("stitch", edges, *words, "-q")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("read edges.csv as CSV: ")
    assert "Rebuilt, round by round" in done.stdout
    assert "Between two sub-graphs with a known person" in done.stdout
    told = json.loads(run_here("stitch", edges, *words, "--json").stdout)
    assert [draw[0]["links"] >= draw[0]["right"] for draw in told["rounds"]] == [True]
    assert told["known"][0]["prior"]["trials"] == told["known"][0]["scored"]
    assert told["graph"]["name"] == "edges.csv"
    bad = run_here("stitch", edges, *words[:2], "--attack", "strong:sure=7")
    assert bad.returncode == 1
    assert "strong: sure = 7.0: give a number above 0 and up to 0.999" in bad.stderr


def test_settings_choose_no_file_outside_their_own_folder(tmp_path):
    (tmp_path / "g.csv").write_text("a,b\n")
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[scheme]\nname = "d4d-1"\n[graph]\nname = "{tmp_path}/g.csv"\n')
    done = CliRunner().invoke(app, ["audit", "--settings", str(settings), "--out", str(tmp_path / "r")])
    assert isinstance(done.exception, InputError)
    assert "names a graph in a folder" in str(done.exception)
