"""The examples of black boxes: a shell script, a script that knows nothing of thinveil, and an installed plug-in."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import thinveil as package
from tests.wheels import install
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import make_scheme

PACKAGE = str(Path(package.__file__).parent.parent)
EXAMPLES = Path(__file__).parent.parent / "examples" / "blackbox"
GRAPH = synthetic_graph(2_500, seed=1)
FEW = ["--alone", "--quiet", "--set", "test_negatives=5000"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("place")
    (folder / "calls.csv").write_text(lines_of(GRAPH))
    return folder


def lines_of(graph):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    once = source < graph.indices
    lines = "".join(f"{u},{v}\n" for u, v in zip(source[once], graph.indices[once], strict=True))
    return f"caller,callee\n{lines}"


def thinveil(place, *words, path=""):
    return run_python(place, path, "-m", "thinveil", *map(str, words))


def run_python(place, path, *words):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(path), PACKAGE]))}
    return subprocess.run([sys.executable, *words], cwd=place, capture_output=True, text=True, env=environment)


def rate_of(folder, category, fpr):
    rates = json.loads((folder / "result.json").read_text())["rates"]
    return next(one for one in rates if (one["category"], one["fpr"]) == (category, fpr))


@pytest.mark.skipif(shutil.which("awk") is None, reason="needs awk")
def test_the_shell_script_drops_a_tenth_of_the_edges(place):
    word = f"command:{EXAMPLES / 'drop_edges.sh'} {{input}} {{output}} {{seed}}"
    done = thinveil(place, "audit", "calls.csv", "--scheme", word, "--aux", "nodes=1,edges=1", *FEW, "--out", "awk")
    assert done.returncode == 0, done.stderr
    assert "drop_edges.sh was run twice with one seed and gave the same" in done.stderr
    assert rate_of(place / "awk", "complete", 0.01)["tpr"] > 0.5


def test_the_script_cuts_egonets_and_maps_them(place):
    word = f"command[seconds=60]:{EXAMPLES / 'cut_egonets.py'} {{input}} {{output}} {{mapping}} {{seed}}"
    done = thinveil(place, "audit", "calls.csv", "--scheme", word, "--attack", "forest:trees=30", *FEW, "--out", "cut")
    assert done.returncode == 0, done.stderr
    assert rate_of(place / "cut", "complete", 0.1)["positives"] > 100


def test_the_plug_in_is_installed_checked_and_audited(place):
    target = place / "target"
    install(EXAMPLES / "plugin", target)
    listed = thinveil(place, "schemes", path=target)
    assert "noisy-contacts: Publish 2-hop egonets among people who were made up" in listed.stdout
    assert "(from noisy-contacts 1.0)" in listed.stdout
    words = ["--scheme", "noisy-contacts:share=0.2", "--attack", "forest:trees=30", *FEW]
    done = thinveil(place, "audit", "calls.csv", *words, "--out", "plugged", path=target)
    assert done.returncode == 0, done.stderr
    assert rate_of(place / "plugged", "complete", 0.1)["positives"] > 100
    again = thinveil(place, "audit", "--settings", "plugged/settings.toml", "--quiet", "--out", "again", path=target)
    assert again.returncode == 0, again.stderr
    assert rate_of(place / "again", "complete", 0.1) == rate_of(place / "plugged", "complete", 0.1)
    code = "from noisy_contacts import NoisyContacts; import thinveil.testing as t; t.check_scheme(NoisyContacts())"
    checked = run_python(place, target, "-c", code)
    assert checked.returncode == 0, checked.stderr
    assert "unknown scheme 'noisy-contacts'" in thinveil(place, "audit", "calls.csv", *words).stderr


def test_the_commands_of_the_page_about_black_boxes_work(place):
    text = (EXAMPLES.parent.parent / "docs" / "blackbox.md").read_text()
    blocks = re.findall(r"```(sh|python)\n(.*?)```", text, flags=re.DOTALL)
    commands = [line for kind, block in blocks if kind == "sh" for line in block.splitlines()]
    (place / "my_schemes.py").write_text(next(block for _, block in blocks if "def thinned" in block))
    for script in EXAMPLES.glob("*.*"):
        shutil.copy(script, place)
    write_release_elsewhere(place)
    for number, command in enumerate(commands):
        program, name, *words = shlex.split(command)
        assert program == "thinveil"
        if name == "audit":
            words += ["--set", "test_negatives=3000", "--alone", "--quiet"]
            words += ["--attack", "forest:trees=10"] if not {"--aux", "--graph"} & set(words) else []
            words += ["--out", f"page{number}"] if "--out" not in words else []
        done = thinveil(place, name, *words)
        assert done.returncode == 0, (command, done.stderr)


def write_release_elsewhere(place):
    """Write sub-graphs and their truth as anybody's own pipeline might."""
    release = make_scheme("d4d-2:egonets=20,min_size=60").publish(GRAPH, seed=0)
    (place / "nets").mkdir()
    who = ["subgraph,node,person"]
    for k, (public, secret) in enumerate(zip(release.public, release.secret, strict=True)):
        (place / "nets" / f"net{k}.csv").write_text(lines_of(public))
        who += [f"net{k},{node},{person}" for node, person in enumerate(secret.people)]
    (place / "truth.csv").write_text("\n".join(who))
