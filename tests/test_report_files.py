"""The files of a report: whole, exact, and read back."""

import csv
import json
import os
import re
from dataclasses import replace

import pytest

from tests.reporting import CATEGORIES, make_result, run_ids
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import GraphFacts
from thinveil.errors import InputError
from thinveil.report import headline, read_settings, write_report

FILES = {"report.html", "result.json", "roc.csv", "settings.toml"}


def test_same_result_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_report(replace(make_result(draws=2), run="0123456789abcdef"), tmp_path / name)
    assert {path.name for path in (tmp_path / "a").iterdir()} == FILES
    for name in FILES:
        texts = [(tmp_path / side / name).read_text() for side in "ab"]
        one, two = (re.sub(r'"report": [\d.]+', "", text) for text in texts)  # seconds taken to make the page
        assert one == two


def test_json_for_machines(tmp_path):
    result = make_result(draws=2)
    write_report(result, tmp_path)
    found = json.loads((tmp_path / "result.json").read_text())
    assert found["headline"] == headline(result)
    assert len(found["rates"]) == 20
    for told, rate in zip(found["rates"], result.rates, strict=True):
        for name in ("category", "fpr", "tpr", "low", "high", "hits", "positives", "negatives"):
            assert told[name] == getattr(rate, name)
    assert [told["false_positives"] for told in found["by_overlap"]] == [0, 2, 3, 15, 30]
    assert found["by_overlap"][2]["hits"] is None
    assert {name: area["mean"] for name, area in found["auc"].items()} == dict.fromkeys(CATEGORIES, 0.9)
    assert found["seconds"] == {"train": 1.25, "test": 2.5, "report": found["seconds"]["report"]}
    assert (tmp_path / "result.json").read_text().startswith('{\n  "headline"')


def test_csv_round_trip(tmp_path):
    result = make_result()
    write_report(result, tmp_path)
    with (tmp_path / "roc.csv").open(newline="") as file:
        points = list(csv.DictReader(file))
    assert list(points[0]) == ["category", "fpr", "tpr", "low", "high", "run"]
    for category, curve in result.roc.items():
        mine = [point for point in points if point["category"] == category]
        for column in ("fpr", "tpr", "low", "high"):
            assert [float(point[column]) for point in mine] == getattr(curve, column).tolist()


def test_settings_round_trip(tmp_path):
    plan = Plan.make(
        "d4d-1:egonets=7", "strong:features=contacts+weight", threat="linkage:unseen=yes",
        beside=("forest:slots=3,join=majority", "signature:large=8"), people=500, protocol="paper", seed=2**40,
    )  # fmt: skip
    reader = {"delimiter": "\t", "ids": "string", "source": None}
    graph = GraphFacts(5, 4, "d" * 64, 'a "b" \\ é.txt', "5" * 64, reader)
    write_report(make_result(plan=plan, graph=graph), tmp_path)
    again, facts = read_settings(tmp_path / "settings.toml")
    assert again == plan
    assert facts["train_on"] == {}
    assert facts["graph"] == {
        "name": graph.name, "sha256": "5" * 64, "digest": "d" * 64, "nodes": 5, "edges": 4,
        "reader": {"delimiter": "\t", "ids": "string"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"[scheme", "is not a TOML file"),
        (b"\xff\xfe", "is not a TOML file"),
        (b"", r"no table of a plan, such as \[scheme\]"),
        (b"[graph]\nnodes = 3\n", r"no table of a plan, such as \[scheme\]"),
        (b"scheme = 3\n", r"scheme = 3 is not a table \[scheme\]"),
        (b"beside = 3\n", r"beside = 3 is not a list of tables \[\[beside\]\]"),
        (b"beside = ['forest']\n", r"is not a list of tables \[\[beside\]\]"),
        (b"[[beside]]\ntrees = 3\n", "the table of the attack has no name"),
        (b"graph = 3\n[scheme]\nname = 'd4d-1'\n", r"is not a table \[graph\]"),
        (b"[plan]\n[graph]\nnodes = 'x'\n", r"nodes = 'x' does not belong in \[graph\]"),
        (b"[plan]\n[graph]\ncolour = 'x'\n", r"colour = 'x' does not belong in \[graph\]"),
        (b"[plan]\n[graph]\nreader = 3\n", r"reader = 3 does not belong in \[graph\]"),
        (b"[plan]\n[graph.reader]\ncolour = 'x'\n", r"'colour' does not belong in \[graph.reader\]"),
        (b"[plan]\n[graph.reader]\ndirected = 'no'\n", "directed = 'no': give true or false"),
        (b"[plan]\n[graph.reader]\nsource = [1]\n", r"source = \[1\]: give a text or a number"),
        (b"[plan]\n[graph.reader]\nids = true\n", "ids = True: give a text or a number"),
        (b"a = " + b"[" * 3_000, "is not a TOML file: tables within tables without end"),
        (b"a = " + b"{a = " * 50 + b"1" + b"}" * 50, "is not a TOML file: tables within tables without end"),
        (b"a" + b".a" * 1_900 + b" = 1\n", "is not a TOML file: tables within tables without end"),
        (b"a" + b".a" * 10**5 + b" = 1\n", "a line longer than"),
        (b"\n" * 10**6, "longer than 262,144 bytes"),
        (b"[plan]\nseed = 1" + b"0" * 3_900 + b"\n", "seed|is not a TOML file"),
        (b"[plan]\nseed = nan\n", "seed nan is not allowed"),
        (b"[plan]\nrepeats = inf\n", "repeats = inf: give a whole number"),
        (b"[attack]\nname = 'strong'\nsure = nan\n", "sure = nan: give a number"),
        (b"[attack]\nname = 'forest'\ntrees = '''a\nb'''\n", r"trees = 'a\\nb': give a whole number"),
        (b"[attack]\nname = 'forest'\nfeatures = [['degrees']]\n", "features = "),
        (b"[attack]\nname = 'forest'\nfeatures = 2020-01-01\n", "features = 2020-01-01: give words"),
        (b"[scheme]\nname = '" + b"x" * 3_900 + b"'\n", "unknown scheme"),
        (b"scheme = [" + b"1, " * 900 + b"]\n", r"is not a table \[scheme\]"),
        (b"[settings]\n", "unknown entry 'settings'"),
        (b"[plan]\nrepeat = 3\n", "unknown setting 'repeat'"),
        (b"[sampling]\nprotocl = 'paper'\n", "no parameter is called 'protocl'"),
        (b"[attack]\nname = 'forest'\ntrees = 'many'\n", "trees = many: give a whole number"),
        (b"[scheme]\nname = 'd4d_2'\n", "unknown scheme 'd4d_2': did you mean 'd4d-2'?"),
    ],
)
def test_wrong_settings_are_refused(tmp_path, text, problem):
    path = tmp_path / "settings.toml"
    path.write_bytes(text)
    with pytest.raises(InputError, match=problem) as caught:
        read_settings(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_settings_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    for path in (tmp_path / "nowhere.toml", tmp_path, tmp_path / "pipe", tmp_path / "device", "a\0b"):
        with pytest.raises(InputError, match="cannot read settings from"):
            read_settings(path)


def test_settings_alone_are_enough(tmp_path):
    (tmp_path / "mine.toml").write_text("[attack]\nname = 'forest'\ntrees = 10\n")
    plan = Plan.make(attack="forest:trees=10")
    assert read_settings(tmp_path / "mine.toml") == (plan, {"graph": {}, "train_on": {}, "auxiliary": {}})


def test_unwritable_folder(tmp_path):
    (tmp_path / "taken").write_text("mine")
    for folder, problem in (("taken", "is there already and no folder"), ("taken/deeper", "cannot be written")):
        with pytest.raises(InputError, match=problem) as caught:
            write_report(make_result(), tmp_path / folder)
        assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    assert (tmp_path / "taken").read_text() == "mine"


def test_all_files_know_their_run(tmp_path):
    result = make_result()
    write_report(result, tmp_path / "out")
    assert run_ids(tmp_path / "out") == {result.run}
    other = make_result()
    write_report(other, tmp_path / "out", force=True)
    assert run_ids(tmp_path / "out") == {other.run} != {result.run}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_earlier_report_is_replaced_only_by_force(tmp_path):
    first = make_result()
    write_report(first, tmp_path / "out")
    with pytest.raises(InputError, match=r"holds the report of an earlier run: give --force .* or name a new folder"):
        write_report(make_result(), tmp_path / "out")
    assert run_ids(tmp_path / "out") == {first.run}


@pytest.mark.parametrize("name", ["notes.txt", "report.html", "result.json", "settings.toml", "roc.csv"])
def test_a_folder_with_anything_else_is_never_touched(tmp_path, name):
    (tmp_path / name).write_text("mine")
    for force in (False, True):
        with pytest.raises(InputError, match=f"holds {name}, which is of no report: name a new folder with --out"):
            write_report(make_result(), tmp_path, force=force)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
    (tmp_path / name).unlink()
    write_report(make_result(), tmp_path)
    (tmp_path / "more.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds more.txt"):
        write_report(make_result(), tmp_path, force=True)
