"""Schemes that are commands: what they get, what they may write, and what becomes of those that misbehave."""

import json
import os
import shlex
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.drawing import from_networkx
from thinveil.auditing.audit import audit
from thinveil.auditing.plan import Plan
from thinveil.cli import app
from thinveil.errors import InputError, UndefinedError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import NOBODY, SCHEMES, Command

FEW = {"attack": "forest:trees=20", "beside": (), "train_negatives": 1_000, "test_negatives": 3_000}
GRAPH = synthetic_graph(300, mean_degree=8, seed=3)
HEAD = """
import os, random, sys, time
given, output, mapping, seed = sys.argv[1:]
chance = random.Random(int(seed))
edges = [tuple(line.split(",")) for line in open(given).read().split()[1:]]
def write(lines, path=output):
    open(path, "w").write("source,target\\n" + "".join(f"{u},{v}\\n" for u, v in lines))
"""


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    """Where temporary folders are made; empty again at the end."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "rooms"))
    (tmp_path / "rooms").mkdir()
    yield tmp_path / "rooms"
    assert not list((tmp_path / "rooms").iterdir())


@pytest.fixture
def box(tmp_path, rooms):
    """Make a black box of a few lines of Python."""
    made = iter(range(100))

    def make(body, **limits):
        script = tmp_path / f"box{next(made)}.py"
        script.write_text(HEAD + body)
        words = [sys.executable, "-I", str(script), "{input}", "{output}", "{mapping}", "{seed}"]
        return Command(shlex.join(words), **limits)

    return make


def told(caplog):
    return " ".join(record.getMessage() for record in caplog.records if record.name == "thinveil")


def edges_of(graph, people):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    return {frozenset((int(people[u]), int(people[v]))) for u, v in zip(source, graph.indices, strict=True)}


def test_ids_that_are_kept_lead_back_to_the_people(box, caplog):
    release = box("write(edges[:-100])").publish(GRAPH, seed=1)
    (public,), (secret,) = release.public, release.secret
    assert public.edge_count == GRAPH.edge_count - 100
    assert edges_of(public, secret.people) < edges_of(GRAPH, np.arange(GRAPH.node_count))
    assert public.labels is None
    assert "was run twice with one seed and gave the same" in told(caplog)


def test_what_the_attacker_tries_on_graphs_of_his_own_is_not_told(box, caplog):
    everybody = "identification:node_overlap=1,edge_overlap=1"
    leaves_one_out = box("write([edge for edge in edges if '7' not in edge])")
    audit(GRAPH, leaves_one_out, threat=everybody, attack="names", beside=())
    assert told(caplog).count("missing") == 2  # the release under attack, and the one to learn from


def test_neither_numbers_nor_lines_of_the_file_tell_who_is_who(tmp_path, box):
    kept = tmp_path / "kept"
    release = box(f"write(edges); write(edges, {str(kept)!r})").publish(GRAPH, seed=1)
    numbers = np.loadtxt(kept, delimiter=",", skiprows=1, dtype=int)
    assert numbers.max() == GRAPH.node_count - 1
    plain = np.array(sorted(sorted(edge) for edge in edges_of(GRAPH, np.arange(GRAPH.node_count))))
    for one in (numbers[:, 0], numbers[:, 1], numbers.min(axis=1)):
        assert abs(np.corrcoef(one, plain[:, 0])[0, 1]) < 0.15
    assert abs(np.corrcoef(release.secret[0].people, np.arange(len(release.secret[0].people)))[0, 1]) < 0.2


def test_the_same_seed_gives_the_same_and_an_earlier_release_another_seed(box):
    one = box("write(e for e in edges if chance.random() < 0.9)")
    first, again = (
        one.publish(GRAPH, seed=1),
        box("write(e for e in edges if chance.random() < 0.9) ").publish(GRAPH, seed=1),
    )
    assert first.public[0].digest() == again.public[0].digest()
    other, seeded = one.publish(GRAPH, seed=1, avoid=[first]), one.publish(GRAPH, seed=2)
    assert len({release.public[0].edge_count for release in (first, other, seeded)}) == 3


def test_a_command_that_does_not_heed_its_seed_is_told(box, caplog):
    box("chance = random.Random(); write(e for e in edges if chance.random() < 0.5)").publish(GRAPH, seed=1)
    assert "gave something else: the audit cannot be repeated to the digit" in told(caplog)


MAPPED = """
nodes = sorted({v for edge in edges for v in edge}, key=int)
twins = {nodes[1]: nodes[0]}
new = {v: f"x{k}" for k, v in enumerate(nodes)}
write([(new[twins.get(u, u)], new[twins.get(v, v)]) for u, v in edges] + [("made", new[nodes[0]])])
with open(mapping, "w") as file:
    file.write("published,original\\n")
    for v in nodes:
        file.write(f"{new[twins.get(v, v)]},{v}\\n")
    file.write("made,\\n")
"""


def test_a_mapping_says_who_was_made_up_and_who_was_put_together(box, caplog):
    release = box(MAPPED).publish(GRAPH, seed=1)
    (secret,) = release.secret
    assert (secret.people == NOBODY).sum() == 1
    assert secret.others.shape == (2, 1)
    assert secret.everybody.size == (GRAPH.degrees > 0).sum()
    assert "in what scheme command published: 1 node made up, 1 node of several people" in told(caplog)
    assert "missing" not in told(caplog)


def test_people_who_are_put_together_without_a_word_are_told_as_missing(box, caplog):
    body = "one, two = edges[0]; write([(one if u == two else u, one if v == two else v) for u, v in edges])"
    box(body).publish(GRAPH, seed=1)
    assert "1 person missing (left out, or put together without a word)" in told(caplog)


CUT = """
friends = {}
for u, v in edges:
    friends.setdefault(u, set()).add(v); friends.setdefault(v, set()).add(u)
os.mkdir(output)
with open(mapping, "w") as who:
    who.write("subgraph,published,original,hops\\n")
    for number, ego in enumerate(chance.sample(sorted(friends), 20)):
        near = friends[ego]
        ball = sorted({ego} | near | {w for v in near for w in friends[v]})
        chance.shuffle(ball)
        place = {v: k for k, v in enumerate(ball)}
        write([(place[u], place[v]) for u, v in edges if u in place and v in place], f"{output}/net{number}.csv")
        for v in ball:
            who.write(f"net{number},{place[v]},{v},{0 if v == ego else 1 if v in near else 2}\\n")
"""


def test_a_command_that_cuts_sub_graphs_is_audited_like_any_scheme(box):
    graph = synthetic_graph(2_000, seed=4)
    result = audit(graph, box(CUT), **FEW)
    assert result.rate("complete", 0.1).positives > 100
    assert {one.category for one in result.rates} == {"complete", "1-hop", "1,2-hop", "2-hop"}
    assert audit(graph, plan=result.plan).rates == result.rates


def test_a_table_with_a_column_of_sub_graphs_is_as_good_as_a_folder(box):
    body = """
with open(output, "w") as file:
    file.write("subgraph,source,target\\n")
    for name, part in (("a", edges[:200]), ("b", edges[100:])):
        file.writelines(f"{name},{u},{v}\\n" for u, v in part)
"""
    release = box(body).publish(GRAPH, seed=1)
    assert sorted(one.edge_count for one in release.public) == [200, GRAPH.edge_count - 100]


def test_whole_graphs_are_audited_by_names_though_they_are_always_the_same(box):
    graph = synthetic_graph(1_000, seed=4)
    words = {"threat": "identification:node_overlap=1,edge_overlap=1", "attack": "names", "beside": ()}
    result = audit(graph, box("write(edges)"), **words, test_negatives=2_000, train_negatives=2_000)
    assert result.rate("complete", 0.01).tpr > 0.9


HUBS = "sorted(friends, key=lambda v: (-len(friends[v]), sorted(len(friends[w]) for w in friends[v])))[:8]"


def test_the_same_sub_graphs_twice_are_refused(box):
    body = CUT.replace("chance.sample(sorted(friends), 20)", HUBS)
    with pytest.raises(InputError, match="published the same sub-graphs twice, to learn from and to attack"):
        audit(GRAPH, box(body), **FEW)


def test_nobody_behind_any_node_is_undefined(box):
    nobody = "''.join(f'{v},\\n' for v in {v for e in edges for v in e})"
    body = f"write(edges); open(mapping, 'w').write('published,original\\n' + {nobody})"
    with pytest.raises(UndefinedError, match="undefined, not 0%"):
        audit(GRAPH, box(body), threat="identification", **FEW)


WRONG = {
    "nothing": ("", {}, r"wrote nothing to \{output\}, and ended as if all were well"),
    "an empty file": ("open(output, 'w')", {}, r"\{output\}.*: .*(empty|no edge|no line)"),
    "garbage": ("open(output, 'wb').write(bytes(range(256)) * 50)", {}, r"\{output\}"),
    "a failure": ("print('first'); sys.exit('there is no licence for this')", {},
                  "ended with status 1: there is no licence for this"),
    "a crash": ("os.kill(os.getpid(), 11)", {}, "was ended by SIGSEGV"),
    "ids never given": ("write([*edges, ('77777', '3')])", {}, "wrote the id '77777', which it was never given"),
    "names never given": ("write([(f'p{u}', f'p{v}') for u, v in edges])", {}, "wrote the id 'p[0-9]+'"),
    "two files": ("write(edges, output + '.csv'); write(edges, output + '.txt')", {}, "write one file, or a folder"),
    "an empty folder": ("os.mkdir(output)", {}, "holds no files"),
    "folders": ("os.makedirs(output + '/in/it')", {}, "is no file"),
    "hanging": ("time.sleep(60)", {"seconds": 0.5}, "took longer than 0.5 seconds"),
    "hanging and deaf": ("import signal; signal.signal(15, signal.SIG_IGN); time.sleep(60)", {"seconds": 0.7},
                         "took longer than 0.7 seconds"),
    "a full disk": ("f = open(output, 'w')\nwhile True: f.write('1,2\\n' * 9999)", {"disk": 0.002},
                    "wrote more than 0.002 GiB"),
    "many files": ("[open(f'{output}{k}', 'w').write('1,2\\n' * 9999) for k in range(9999)]", {"disk": 0.01},
                   "wrote more than 0.01 GiB"),
    "a file elsewhere, by a child": (
        "import subprocess, tempfile\n"
        "file = tempfile.NamedTemporaryFile(dir=os.path.dirname(os.path.dirname(output)))\n"
        "sys.exit(128 + max(0, -subprocess.call(['head', '-c', '100000000', '/dev/zero'], stdout=file)))",
        {"disk": 0.002}, "wrote more than 0.002 GiB"),
    "a pipe": ("os.mkfifo(output)", {}, "neither a file nor a folder"),
    "no folder any more": ("import shutil; shutil.rmtree(os.path.dirname(output))", {}, "deleted the folder"),
    "much to say": ("while True: sys.stderr.write('no\\n' * 9999)", {"disk": 0.002}, "wrote more than 0.002 GiB"),
    "all memory": ("x = bytearray(2**30)", {"memory": 0.25},
                   r"ended with status 1 \(its memory is limited to 0.25 GiB\): .*MemoryError"),
    "children": ("os.fork() or time.sleep(30)\nwrite(edges)", {},
                 "processes that it started did not: let it wait for them"),
    "children with a session of their own": ("os.fork() or (os.setsid(), os.fork(), time.sleep(30))\nwrite(edges)", {},
                                             "processes that it started did not"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_misbehaves_is_told_in_one_line_and_leaves_nothing(name, box):
    body, limits, words = WRONG[name]
    one, start = box(body, **limits), time.monotonic()
    with pytest.raises(InputError, match=words) as caught:
        one.publish(GRAPH, seed=1)
    assert "\n" not in str(caught.value)
    assert tempfile.tempdir not in str(caught.value)
    assert time.monotonic() - start < 15
    assert not running(shlex.split(one.command)[2])


def running(script):
    """List the processes that run a script."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            found += [folder.name] if script.encode() in (folder / "cmdline").read_bytes().split(b"\0") else []
        except OSError:
            continue
    return found


@pytest.mark.parametrize(("mapping", "words"), [
    ("published,original\n5,1", "is not listed: add a line for it"),
    ("published,original\nALL\n0,1", "listed twice|stands twice"),
    ("published,original\nALL\n3,99999", "original '99999' is an id that the command was never given"),
    ("published\n1", "has no column 'original'"),
    ("", r"\{mapping\}: is no CSV table"),
    ("published,original\nALL\n0,", "both as somebody and as nobody"),
    ("published,original,subgraph\n1,1,x\n2,2,y", "several sub-graphs are listed, and the release is a single graph"),
])  # fmt: skip
def test_mappings_that_make_no_sense_are_refused(mapping, words, box):
    every = "'\\n'.join(f'{v},{v}' for v in sorted({v for e in edges for v in e}))"
    text = f"{mapping!r}.replace('ALL', {every})"
    with pytest.raises(InputError, match=words):
        box(f"write(edges); open(mapping, 'w').write({text})").publish(GRAPH, seed=1)


@pytest.mark.parametrize(("word", "words"), [
    ("command:", "nothing to run"),
    ("command:cat {input} {out}", "unknown placeholder {out}: did you mean 'output'"),
    ("command:cat {input}", r"has no \{output\}, the file that it writes"),
    ("command:cat 'x {input} {output}", "cannot be split"),
    ("command:nowhere-to-be-found {input} {output}", "there is no such program"),
    ("command[second=3]:cat {input} {output}", "no parameter is called 'second': did you mean 'seconds'"),
    ("command[seconds=-3]:cat {input} {output}", "seconds = -3.0: give a number above 0"),
    ("command[command=x]:cat {input} {output}", "stands behind the colon"),
    ("command", "command is not given"),
])  # fmt: skip
def test_words_that_name_no_command_are_refused_before_anything_runs(word, words):
    with pytest.raises(InputError, match=words):
        Plan.make(word)


def test_words_and_tables_lead_back():
    made = SCHEMES.make("command[seconds=60,memory=2]:cat {input} -o {output} --share=0.5,x:y+z '{{print}}'")
    assert (made.seconds, made.memory) == (60, 2)
    assert SCHEMES.make(SCHEMES.word(made)) == made == SCHEMES.make(SCHEMES.table(made))
    assert SCHEMES.left_open("command:cat {input} {output}") == ()
    assert made.describe().startswith("publishes ")


def test_a_file_that_is_no_program_is_told(tmp_path):
    (tmp_path / "mine.sh").write_text("cp $1 $2")
    with pytest.raises(InputError, match=r"mine.sh': is no program: chmod \+x it"):
        SCHEMES.make(f"command:{tmp_path / 'mine.sh'} {{input}} {{output}}")


@pytest.mark.parametrize("graph", [Graph.from_edges([], []), Graph.from_edges([], [], node_count=5)])
def test_a_graph_without_edges_is_told(graph, box):
    with pytest.raises(InputError, match=r"\{output\}"):
        box("write(edges)").publish(graph, seed=1)


def test_a_star_comes_back(box):
    import networkx as nx

    release = box("write(edges)").publish(from_networkx(nx.star_graph(4)), seed=1)
    assert sorted(release.public[0].degrees.tolist()) == [1, 1, 1, 1, 4]


def test_a_command_is_ended_with_the_process_that_runs_it(tmp_path):
    import signal
    import subprocess

    script = tmp_path / "long.py"
    script.write_text("import time; time.sleep(60)")
    word = f"command:{sys.executable} {script} {{input}} {{output}}"
    for number in (signal.SIGTERM, signal.SIGINT):
        run = [sys.executable, "-m", "thinveil", "anonymize", "synthetic", "--scheme", word,
               "--out", str(tmp_path / "out"), "--truth", str(tmp_path / "truth")]  # fmt: skip
        program = subprocess.Popen(run, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)})
        end = time.monotonic() + 60
        while not running(str(script)) and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.2)
        program.send_signal(number)
        assert program.wait(20) == 128 + number
        program.stderr.close()
        assert not running(str(script))
        assert sorted(path.name for path in tmp_path.iterdir()) == ["long.py"]


def test_the_command_line_audits_a_command_and_settings_of_strangers_run_nothing(tmp_path, box):
    np.savetxt(tmp_path / "graph.csv", sorted(map(sorted, edges_of(GRAPH, np.arange(300)))), fmt="%d", delimiter=",")
    word = SCHEMES.word(box(CUT, seconds=60.0))
    words = ["audit", str(tmp_path / "graph.csv"), "--attack", "signature", "--alone", "--set", "test_negatives=2000"]
    first = CliRunner().invoke(app, [*words, "--scheme", word, "--out", str(tmp_path / "a")])
    assert first.exit_code == 0, first.exception
    settings = ["audit", "--settings", str(tmp_path / "a" / "settings.toml"), str(tmp_path / "graph.csv")]
    refused = CliRunner().invoke(app, [*settings, "--out", str(tmp_path / "b")])
    assert "would run a program: say yourself what is run: --scheme 'command[seconds=60" in str(refused.exception)
    assert CliRunner().invoke(app, [*settings, "--scheme", word, "--out", str(tmp_path / "b")]).exit_code == 0
    one, two = (json.loads((tmp_path / name / "result.json").read_text()) for name in "ab")
    assert one["rates"] == two["rates"]
    assert one["settings"]["scheme"] == {"name": "command", **two["settings"]["scheme"]}
    page = (tmp_path / "a" / "report.html").read_text()
    assert "publishes what the program python" in page
