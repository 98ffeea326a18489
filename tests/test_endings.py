"""However a command ends: a status, at most one line, and never a traceback."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import thinveil
from thinveil.cli import app
from thinveil.runtime.visible import one_line, visible

COMMAND = [sys.executable, "-m", "thinveil"]


def run(*words, **more):
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.run([*COMMAND, *map(str, words)], text=True, timeout=300, **more)


def test_a_full_standard_output_is_one_line():
    with open("/dev/full", "w") as full:
        done = run("schemes", stdout=full)
    assert (done.returncode, done.stderr) == (1, "thinveil: standard output: No space left on device\n")


def test_a_reader_who_has_seen_enough_is_no_error():
    script = "import sys; sys.argv = ['thinveil', 'schemes']; from thinveil.__main__ import main; main()"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-c", script], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("close", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_files(tmp_path, close):
    (tmp_path / "g.csv").write_text("1,2\n2,3\n")
    line = f"'{sys.executable}' -m thinveil info {tmp_path / 'g.csv'} {close}"
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "g.csv").read_text() == "1,2\n2,3\n"


@pytest.mark.parametrize("command", [["info", "-"], ["audit", "-", "-q"]])
def test_a_closed_standard_input_is_one_line(command):
    line = f"'{sys.executable}' -m thinveil {' '.join(command)} <&-"
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert done.returncode == 1
    assert "standard input is closed" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("sent", "status", "words"), [
    (signal.SIGINT, 130, "thinveil: interrupted\n"),
    (signal.SIGTERM, 143, "thinveil: ended by SIGTERM\n"),
    (signal.SIGHUP, 129, "thinveil: ended by SIGHUP\n"),
])  # fmt: skip
@pytest.mark.parametrize("moment", ["loading", "running", "ending"])
def test_signals_end_it_with_one_line(sent, status, words, moment):
    program = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # the tests themselves may run where hanging up is ignored
        "from thinveil.runtime.endings import end_well\n"
        "def wait(moment):\n"
        "    if sys.argv[1] == moment:\n"
        "        print('ready', flush=True); time.sleep(60)\n"
        "def program(): wait('running')\n"
        "def load(): wait('loading'); return program\n"
        "import atexit; atexit.register(wait, 'ending')\n"
        "end_well(load)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, moment], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(sent)
    _, errors = process.communicate(timeout=30)
    ended = (-sent, "") if moment == "ending" else (status, words)  # a shell gives both the same number
    assert (process.returncode, errors) == ended


@pytest.mark.parametrize("after", [0.15, 0.3, 0.6, 1.2])
def test_an_interrupt_while_all_is_loaded(after):
    process = subprocess.Popen(
        [*COMMAND, "info", "synthetic"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    assert process.returncode in (0, 130, -2)


def test_too_little_memory_is_one_line():
    program = (
        "from thinveil.runtime.endings import end_well\n"
        "import numpy\n"
        "end_well(lambda: lambda: numpy.empty(2**58, dtype=numpy.int8))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("thinveil: not enough memory (Unable to allocate 256. PiB")
    assert done.stderr.count("\n") == 1


def test_a_mistake_of_the_program_shows_where_it_is():
    program = "from thinveil.runtime.endings import end_well; end_well(lambda: lambda: 1 / 0)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


def test_hostile_names_do_not_reach_the_terminal():
    done = run("info", "no\x1b[31m\rfile\u202e\n\x07")
    assert done.returncode == 1
    assert done.stderr == "thinveil: no\\x1b[31m file\\u202e \\x07: no such file; check the name and the folder\n"
    assert (
        one_line("Zoë \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645")
        == "Zoë \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    )
    assert visible("a\tb\nc\udcff") == "a\\tb\nc\\udcff"
    assert "\x1b" not in CliRunner().invoke(app, ["\x1b[31m"]).output


@pytest.fixture
def read_only(tmp_path):
    """A copy of the package that can hold no kernels, and the environment of a home that cannot be written."""
    copy = tmp_path / "lib" / "thinveil"
    shutil.copytree(Path(thinveil.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [copy, *(path for path in copy.rglob("*") if path.is_dir())]:
        (folder / "__pycache__").write_text("in the way")  # even of a superuser
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    names = {"PYTHONPATH": copy.parent, "HOME": "/proc/none", "XDG_CACHE_HOME": "/proc/none", "TMPDIR": temporary}
    kept = {name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "MPLCONFIGDIR")}
    return temporary, kept | {name: str(value) for name, value in names.items()}


def test_a_read_only_home_and_package(read_only, tmp_path):
    temporary, environment = read_only
    script = (
        "import thinveil, os, stat\n"
        "graph = thinveil.Graph.from_edges([0, 1], [1, 2])\n"
        "folder = os.environ['NUMBA_CACHE_DIR']\n"
        "print(oct(stat.S_IMODE(os.stat(folder).st_mode)), bool(os.listdir(folder)), graph)"
    )
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "0o700 True <Graph: 3 nodes, 2 edges>\n", done.stderr
    assert done.stderr.count("\n") == 1
    assert "neither home nor package can be written" in done.stderr
    assert list(temporary.iterdir()) == []


def test_a_cache_that_the_user_chose_is_used(read_only, tmp_path):
    temporary, environment = read_only
    environment["NUMBA_CACHE_DIR"] = str(tmp_path / "mine")
    script = "import thinveil; thinveil.Graph.from_edges([0, 1], [1, 2])"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert list((tmp_path / "mine").iterdir())
    assert list(temporary.iterdir()) == []
