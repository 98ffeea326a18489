"""How far it is: told to the library's caller and its log, on a terminal by a bar, elsewhere by a few lines."""

import io
import logging
import re
import subprocess
import sys
import threading
from itertools import pairwise

import numba
import pytest
from rich.console import Console
from typer.testing import CliRunner

from thinveil.auditing.audit import audit
from thinveil.auditing.link import link
from thinveil.auditing.match import match
from thinveil.auditing.stitch import stitch
from thinveil.auditing.train import train
from thinveil.cli import app
from thinveil.cli.progress import show_notices, show_progress, time_left
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.notices import notify
from thinveil.runtime.progress import Clock, account, part, report_nothing, stage, steps
from thinveil.schemes import make_scheme

FEW = {"test_negatives": 3_000, "train_negatives": 3_000}
SCHEME = "d4d-1:egonets=12,min_size=60"


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(2_000, seed=2)


@pytest.fixture
def told():
    return []


@pytest.fixture
def tell(told):
    return lambda stage, done, total: told.append((stage, done, total))


def test_parts_and_steps_add_up(told, tell):
    with Clock(tell).running():
        with part(0.25):
            step = steps(5)
            for _ in range(5):
                step()
        with stage("rest", share=0.5), part(0.5):
            pass
        with stage("last", share=1.0):
            pass
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert [done for _, done, _ in told[:5]] == [50, 100, 150, 200, 250]
    assert ("rest", 500, 1000) in told
    assert told[-1] == ("last", 1000, 1000)


def test_other_threads_may_tell_steps(told, tell):
    with Clock(tell).running(), stage("learn", share=0.8):
        step = steps(8)
        threads = [threading.Thread(target=step) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    assert [done for _, done, _ in told[1:9]] == [100 * k for k in range(1, 9)]
    assert {words for words, *_ in told[:9]} == {"learn"}


def test_without_a_clock_nothing_happens():
    with stage("train", share=0.5), part(0.5), account("other", whose="forest"):
        steps(3)()


def test_draws_are_counted_and_named(told, tell):
    outer = Clock(tell, draws=4)
    with outer.running():
        for _ in range(4):
            with Clock().running(), account(None, whose="strong"), stage("link", share=1.0):
                pass
            outer.finish_draw()
    assert told[0] == ("draw 1 of 4: link (strong)", 0, 4000)
    assert told[-1] == ("draws", 4000, 4000)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


@pytest.mark.parametrize("draws", [1, 3, 7, 100, 1000])
def test_the_log_is_bounded(draws, caplog):
    caplog.set_level(logging.INFO, logger="thinveil")
    clock = Clock(report_nothing, draws=draws)
    with clock.running():
        for _ in range(draws):
            with Clock().running():
                for name in ("publish", "learn", "learn", "test"):
                    with stage(name, share=0.25):
                        pass
            clock.finish_draw()
    assert draws / 20 <= len(caplog.records) <= 101
    assert {record.name for record in caplog.records} == {"thinveil"}


def test_an_audit_moves_while_it_links(graph, told, tell, caplog):
    caplog.set_level(logging.INFO, logger="thinveil")
    result = audit(graph, SCHEME, beside=("signature",), on_progress=tell, **FEW)
    done = [step for _, step, _ in told]
    assert done == sorted(done)
    assert done[-1] == told[-1][2] == 1000
    linking = {step for words, step, _ in told if words == "link (strong)"}
    assert len(linking) >= 6  # rounds, and not one long step
    assert max(two - one for one, two in pairwise(done)) < 300
    assert set(result.seconds) >= {"publish", "observe", "link", "train", "test", "other attacks"}
    lines = [record.getMessage() for record in caplog.records]
    assert "link (strong)" in lines
    assert "test (signature)" in lines
    assert len(lines) < 20


def test_other_commands_tell_too(graph, told, tell):
    release = make_scheme(SCHEME).publish(graph, seed=1)
    model = train(graph, SCHEME, attack="forest:trees=10", on_progress=tell, **FEW)
    assert told[-1][1:] == (1000, 1000)
    for work in (
        lambda: link(release, model, on_progress=tell),
        lambda: match(graph, make_scheme("pseudonyms").publish(graph, seed=1), on_progress=tell),
        lambda: stitch(graph, SCHEME, attack="signature", on_progress=tell, **FEW),
    ):
        told.clear()
        work()
        assert len({done for _, done, _ in told}) >= 3
        assert told[-1][1:] == (1000, 1000)


def test_draws_in_other_processes_are_told_as_they_end(graph, told, tell):
    audit(graph, SCHEME, attack="signature", repeats=2, engine="local:jobs=2", on_progress=tell, **FEW)
    assert [done for _, done, _ in told] == [1000, 2000]


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    return ["audit", "synthetic", "--scheme", "d4d-1:egonets=5", "--attack", "signature", "--set",
            "test_negatives=2000", "--out", str(tmp_path_factory.mktemp("report") / "out")]  # fmt: skip


def test_without_a_terminal_a_line_for_each_stage(words):
    done = subprocess.run([sys.executable, "-m", "thinveil", *words, "--repeats", "2"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if "compiling" not in line]
    assert all(re.fullmatch(r"thinveil: .* \(after \d+ s\)", line) for line in lines), lines
    for stage_words in ("read", "draw 1 of 2: publish", "draw 2 of 2: test (signature)", "draw 2 of 2 done", "report"):
        assert any(line.startswith(f"thinveil: {stage_words} (after") for line in lines), stage_words
    assert len(lines) < 20
    assert "thinveil:" not in done.stdout


def test_how_a_file_was_read_is_said_once(tmp_path):
    (tmp_path / "ring.csv").write_text("\n".join(f"a{k},a{(k + 1) % 40}" for k in range(40)))
    words = ["--out", str(tmp_path / "release"), "--truth", str(tmp_path / "truth.parquet")]
    done = CliRunner().invoke(app, ["anonymize", str(tmp_path / "ring.csv"), *words])
    assert done.exit_code == 0, done.exception
    assert done.stderr.count("ring.csv") == 1


def test_quiet_says_nothing(words):
    for quiet in ("--quiet", "-q"):
        done = CliRunner().invoke(app, [*words[:-1], words[-1] + quiet, quiet])
        assert done.exit_code == 0, done.exception
        assert done.stderr == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_gets_a_bar_with_the_time_left(monkeypatch):
    screen, clock = Terminal(), iter([0.0, 10.0, 20.0])
    monkeypatch.setattr("thinveil.cli.progress.sys.stderr", screen)
    monkeypatch.setattr("rich.console.Console", lambda **_: Console(file=screen, force_terminal=True, width=110))
    monkeypatch.setattr("thinveil.cli.progress.time.perf_counter", lambda: next(clock, 20.0))
    with show_progress() as report:
        report("read", 0, 0)
        report("draw 1 of 2: link (strong)", 0, 1000)
        report("draw 1 of 2: link (strong)", 100, 1000)
        report("draw 1 of 2: link (strong)", 100, 1000)
    shown = screen.getvalue()
    assert "draw 1 of 2: link (strong)" in shown
    assert "left" in shown


def test_compiling_is_said_only_while_numba_compiles(capfd):
    @numba.njit
    def double(x):
        return 2 * x

    with show_progress() as report:
        report("first", 0, 0)
        assert "compiling" not in capfd.readouterr().err
        double(1)
        double(2)
        double.py_func(3)
    assert capfd.readouterr().err.count("compiling, first run only") == 1
    assert len(double.signatures) == 1


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, ""), (4, "about 4 s left"), (47, "about 50 s left"), (600, "about 10 min left"), (9e4, "about 25.0 h left")],
)
def test_the_time_left_is_no_more_exact_than_it_is_known(seconds, words):
    assert time_left(seconds) == words


@pytest.mark.parametrize("to", ["2>&-", "2>/dev/full"])
def test_a_standard_error_that_takes_nothing_stops_nothing(tmp_path, to):
    words = f"anonymize synthetic --scheme d4d-1:egonets=3,min_size=60 --repeatable --seed 1 --out {tmp_path}/o"
    command = f"{sys.executable} -m thinveil {words} --truth {tmp_path}/t {to}"
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0
    assert "thinveil: " not in done.stdout
    assert (tmp_path / "t").exists()


def test_a_closed_standard_error_is_quiet(monkeypatch, capsys):
    show_notices()
    with monkeypatch.context() as closed, show_progress({}) as report:
        closed.setattr(sys, "stderr", None)
        notify("not for standard output")
        with show_progress({}) as quiet:
            quiet("read", 0, 0)
        report("read", 0, 0)
    assert capsys.readouterr().out == ""
