"""Commands that are killed and disks that are full: a small scene, and what must be true of it afterwards."""

import contextlib
import hashlib
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl

import thinveil
from tests.reporting import run_ids
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.staging import is_work

SHAPE = "d4d-1:egonets=6,min_size=60"
LEARN = ["--scheme", SHAPE, "--attack", "signature"]
FEW = ["--set", "test_negatives=5000", "--set", "train_negatives=2000"]
COMMANDS = {
    "info": ["info", "g.csv"],
    "audit": ["audit", "g.csv", *LEARN, *FEW, "--alone", "--out", "report", "--per-person", "people.csv", "--force"],
    "anonymize": ["anonymize", "g.csv", "--scheme", SHAPE, "--out", "release", "--truth", "truth", "--force"],
    "train": ["train", "g.csv", *LEARN, "--out", "model", "--force"],
    "link": ["link", "kept", "--model", "kept-model", "--out", "links.csv", "--force"],
    "match": ["match", "g.csv", "kept", "--out", "names.csv", "--force"],
    "utility": ["utility", "g.csv", "kept", "--truth", "kept-truth", "--out", "utility.json", "--force"],
    "compare": ["compare", "g.csv", "pseudonyms", "--aux", "nodes=1,edges=1", "--out", "comparison"],
    "stitch": ["stitch", "g.csv", *LEARN],
    "reproduce": ["reproduce", "feature-vector", "--quick", "--draws", "1", "--out", "paper"],
}
INPUTS = ("g.csv", "kept", "kept-model", "kept-truth")
FILES = {"report.html", "result.json", "roc.csv", "settings.toml"}


def build_scene(folder, run):
    """Make a graph, and what the commands need and have made before; ``run`` runs a command in the folder."""
    graph = synthetic_graph(800, seed=2)
    pairs = [(u, v) for u in range(graph.node_count) for v in graph.neighbors(u) if u < v]
    (folder / "g.csv").write_text("from,to\n" + "".join(f"n{u},n{v}\n" for u, v in pairs))
    run(["anonymize", "g.csv", "--scheme", SHAPE, "--out", "kept", "--truth", "kept-truth"])
    run(["train", "g.csv", *LEARN, "--out", "kept-model"])
    for words in COMMANDS.values():
        run(words)
    (folder / "truth").unlink()


def digest(folder):
    """Return a number of all that a folder holds under the names of inputs."""
    paths = [
        path
        for name in INPUTS
        for path in ([folder / name] if (folder / name).is_file() else sorted((folder / name).iterdir()))
    ]
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in paths)).hexdigest()


def check_whole(folder):
    """Check that every output is there, readable to its end, and of one run."""
    assert {path.name for path in (folder / "report").iterdir()} == FILES
    assert len(run_ids(folder / "report")) == 1
    assert (folder / "report" / "report.html").read_text().rstrip().endswith("</html>")
    told = json.loads((folder / "report" / "result.json").read_text())
    assert len(pl.read_csv(folder / "people.csv")) == told["risk"]["people"]
    thinveil.load_model(folder / "model")
    assert len(thinveil.read_release(folder / "release")) == 6
    if (folder / "truth").exists():
        check_truth(folder)
    for name, column in (("links.csv", "probability"), ("names.csv", "probability")):
        assert pl.read_csv(folder / name)[column].null_count() == 0
    assert json.loads((folder / "utility.json").read_text())["measures"]
    assert json.loads((folder / "comparison" / "comparison.json").read_text())["schemes"][0]["status"] == "measured"
    assert (folder / "comparison" / "index.html").read_text().rstrip().endswith("</html>")
    for path in (folder / "comparison" / "finished").glob("*.json"):
        json.loads(path.read_text())
    assert (folder / "paper" / "index.html").read_text().rstrip().endswith("</html>")
    json.loads((folder / "paper" / "finished" / "feature-vector.json").read_text())


def check_truth(folder):
    """Check that the truth is that of the release; a kill between their renames leaves it beside the earlier one.

    No system renames two things in one step. Such a pair is refused, and never read.
    """
    try:
        secret = thinveil.read_release(folder / "release", folder / "truth").secret
    except thinveil.ReleaseError as error:
        if "does not belong to this release" not in str(error):
            raise
    else:
        assert secret is not None


def leftovers(folder):
    """Return the unfinished work that killed runs left."""
    return [path for path in folder.rglob("*") if is_work(path.name)]


def start(folder, words, **more):
    """Start a command as a user would."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-m", "thinveil", *words], cwd=folder, **(pipes | more))


STAGES = ("start", "work", "writing", "ended")


class Killer:
    """Kills commands at moments drawn over their whole life, as an unharmed run measured it; every third as it writes.

    ``fell`` counts the kills by stage: before anything but Python and its modules had run (``start``), while it worked,
    while it wrote, and those that came too late (``ended``).
    """

    def __init__(self, folder, seed):
        self.folder, self.rng, self.lasts, self.starts = folder, random.Random(seed), {}, {}
        self.fell = {name: dict.fromkeys(STAGES, 0) for name in COMMANDS}

    def measure(self, name):
        """Run a command unharmed, and note how long its start and all of it take."""
        (self.folder / "truth").unlink(missing_ok=True)
        self.starts[name] = self._time([name, "--help"])
        self.lasts[name] = self._time(COMMANDS[name])

    def kill(self, name):
        """Start a command and kill it; tell whether it had not ended before."""
        if name not in self.lasts:
            self.measure(name)
        (self.folder / "truth").unlink(missing_ok=True)
        writes, before = self.rng.random() < 1 / 3 and name not in ("info", "stitch"), set(leftovers(self.folder))
        process, begun = start(self.folder, COMMANDS[name]), time.monotonic()
        if writes:
            self._await_work(process, before)
            time.sleep(self.rng.random() * 0.01)
        else:
            time.sleep(self.rng.random() * self.lasts[name])
        lived = time.monotonic() - begun
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        assert "Traceback" not in errors, errors
        ended = process.returncode == 0
        if ended and not writes:  # it was quicker than measured
            self.lasts[name] = min(self.lasts[name], lived)
        wrote = bool(set(leftovers(self.folder)) - before)
        stage = "ended" if ended else "writing" if wrote else "start" if lived < self.starts[name] else "work"
        self.fell[name][stage] += 1
        return not ended

    def told(self):
        """Return where the kills fell, command by command."""
        lines = [f"{name}: {fell}" for name, fell in self.fell.items()]
        total = {stage: sum(fell[stage] for fell in self.fell.values()) for stage in STAGES}
        return "\n".join([*lines, f"all: {total}"])

    def _time(self, words):
        begun = time.monotonic()
        process = start(self.folder, words)
        _, errors = process.communicate()
        assert process.returncode == 0, errors
        return time.monotonic() - begun

    def _await_work(self, process, before):
        """Wait until a command has begun to write; what earlier kills left there was of others."""
        while process.poll() is None and not set(leftovers(self.folder)) - before:
            time.sleep(0.0005)


def finish(folder, name):
    """Run a command to its end after kills, and check that nothing of theirs is left."""
    (folder / "truth").unlink(missing_ok=True)
    process = start(folder, COMMANDS[name])
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    (folder / "truth").unlink(missing_ok=True)


def mount(folder: Path, size: str) -> bool:
    """Mount a small disk in memory, if this user may."""
    folder.mkdir()
    return (
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True).returncode
        == 0
    )
