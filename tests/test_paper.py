"""The paper's tables measured again: its own numbers, the data they need, and what is kept of a run."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.reporting import found_rate
from thinveil.cli import app
from thinveil.errors import InputError
from thinveil.features.pairs import CATEGORIES
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import FPRS
from thinveil.paper import EXPERIMENTS, PAGE, QUICK, choose, reproduce
from thinveil.paper.bars import draw_bars
from thinveil.paper.data import Found, data_sets, find_data
from thinveil.paper.lab import Lab, rate_value, share_value
from thinveil.paper.numbers import _numbers, printed
from thinveil.paper.page import spread_words
from thinveil.paper.records import Block, Column, Curves, Line, Table, Value, table_csv

TINY = replace(QUICK, draws=2, trees=5, negatives=2000)
ONCE = replace(TINY, draws=1)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder in which a synthetic graph lies under the name of Epinions, and another under that of GitHub."""
    folder = tmp_path_factory.mktemp("data")
    for name, seed in (("soc-Epinions1.txt", 1), ("musae_git_edges.csv", 2)):
        graph = synthetic_graph(4000, mean_degree=8, seed=seed)
        source = np.repeat(np.arange(graph.node_count), graph.degrees)
        once = source < graph.indices
        delimiter = "," if name.endswith(".csv") else "\t"
        lines = (f"{u}{delimiter}{v}" for u, v in zip(source[once], graph.indices[once], strict=True))
        (folder / name).write_text("\n".join(lines) + "\n")
    return folder


def test_numbers_are_whole_tables():
    for kind in ("self", "cross"):
        for network in ("epinions", "pokec"):
            for scheme in ("d4d-1", "d4d-2"):
                table = printed(kind, network, scheme)
                assert tuple(table) == CATEGORIES
                for rates in table.values():
                    assert len(rates) == len(FPRS)
                    assert rates == sorted(rates), "more is found where more wrong links are allowed"
    for rates in (*printed("two-graphs", "seeds").values(), *printed("vector-length").values()):
        assert rates == sorted(rates)


def test_numbers_agree_with_each_other():
    # 50 seeds and edge overlap 0.25 is one experiment, printed twice
    assert printed("two-graphs", "seeds", "50") == printed("two-graphs", "edge-overlap", "0.25")
    hits, positives, wrong, negatives = (
        sum(column) for column in zip(*printed("error-analysis").values(), strict=True)
    )
    assert (positives, negatives) == (10_000, 10_000)
    assert wrong <= 100  # 1% of 10,000
    assert 1_800 < hits < 2_300  # "about 20%"
    assert printed("nowhere") is None
    assert printed("self", "epinions", "d4d-1", "1-hop", "deeper") is None
    assert all(isinstance(value, dict) for value in _numbers().values())


def test_every_experiment_knows_its_data():
    for name, experiment in EXPERIMENTS.items():
        assert name == experiment.name
        assert set(experiment.needs) <= set(data_sets())


MATCHED = {"epinions-matched", "time-slots", "weights", "strong-transfer"}
NO_AUDIT = {"feature-vector", "epinions-sizes", "pokec-sizes", "naming", "global"}


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name not in NO_AUDIT])
def test_every_experiment_names_its_protocol(name, crowd, monkeypatch):
    """What the paper did is measured as the paper did it: nothing hangs on a default that may change."""

    class EnoughError(Exception):
        pass

    def refuse(graph, scheme=None, **choices):
        raise EnoughError(choices["protocol"])

    for place in ("lab.audit", "experiments.chains.stitch"):
        monkeypatch.setattr(f"thinveil.paper.{place}", refuse)
    monkeypatch.setattr(Lab, "graph", lambda self, name, **reader: crowd)
    monkeypatch.setattr(Lab, "find", lambda self, name: Found(data_sets()[name], data_sets()[name], Path()))
    with pytest.raises(EnoughError) as stopped:
        EXPERIMENTS[name].run(Lab(None, QUICK))
    assert str(stopped.value) == ("matched" if name in MATCHED else "paper")


def test_a_lab_audits_with_its_own_effort(town):
    lab, stages = Lab(None, TINY, seed=3), []
    lab.report = stages.append
    result = lab.audit(town, "d4d-1:egonets=6,min_size=60", categories=("complete",))
    plan = result.plan
    assert (plan.repeats, plan.seed, plan.sampling.protocol, plan.sampling.test_negatives) == (2, 3, "paper", 2000)
    assert (plan.attack.name, plan.attack.trees, plan.beside) == ("forest", 5, ())
    assert stages
    few = lab.audit(town, plan.scheme, attack="signature", repeats=1, protocol="matched", categories=("complete",))
    assert (few.plan.attack.name, few.plan.repeats, few.plan.sampling.protocol) == ("signature", 1, "matched")


def test_stand_ins_are_named(data, tmp_path):
    found = find_data("pokec", data)
    assert found is not None
    assert found.is_stand_in
    assert found.used.name == "github"
    (tmp_path / "soc-pokec-relationships.txt").write_text("1\t2\n")
    assert not find_data("pokec", tmp_path).is_stand_in
    assert find_data("pokec", tmp_path).used.scheme("d4d-2") == "d4d-2:egonets=1000,min_size=800"
    assert found.used.scheme("d4d-1") == "d4d-1:egonets=100,min_size=400"
    assert find_data("epinions", tmp_path) is None
    assert find_data("epinions", None) is None


def test_a_missing_graph_is_told_with_its_source(tmp_path):
    (one,) = reproduce(["epinions-self"], tmp_path, tmp_path / "out", effort=TINY)
    assert one.table is None
    assert "soc-Epinions1.txt.gz from https://snap.stanford.edu" in one.missing
    assert "not run: Epinions is not there" in (tmp_path / "out" / PAGE).read_text()


def test_unknown_names_are_refused(tmp_path):
    with pytest.raises(InputError, match="unknown experiment 'epinion'"):
        list(reproduce(["epinion"], tmp_path, tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    assert len(choose(["all"])) == len(EXPERIMENTS)


def test_finished_tables_are_kept(data, tmp_path):
    names = ["feature-vector", "vector-length"]
    first = list(reproduce(names, data, tmp_path, effort=ONCE))
    again = list(reproduce(names, data, tmp_path, effort=ONCE))
    assert [one.kept for one in first] == [False, False]
    assert [one.kept for one in again] == [True, True]
    assert [one.table for one in again] == [one.table for one in first]
    with pytest.raises(InputError, match="made with another seed: give --force"):
        list(reproduce(names, data, tmp_path, effort=ONCE, seed=1))
    with pytest.raises(InputError, match="made with another number of draws: give --force"):
        list(reproduce(names, data, tmp_path, effort=TINY))
    (other,) = reproduce(["vector-length"], data, tmp_path, effort=ONCE, seed=1, force=True)
    assert not other.kept
    assert other.table != first[1].table


def test_an_interrupted_run_keeps_what_it_finished(data, tmp_path):
    run = reproduce(["all"], data, tmp_path, effort=TINY)
    while next(run).experiment.name != "feature-vector":
        pass
    run.close()
    page = (tmp_path / PAGE).read_text()
    assert "not run yet" in page
    assert (tmp_path / "finished" / "feature-vector.json").exists()
    assert not (tmp_path / "finished" / "vector-length.json").exists()


def test_a_damaged_table_is_made_again(data, tmp_path):
    (first,) = reproduce(["feature-vector"], data, tmp_path, effort=TINY)
    place = tmp_path / "finished" / "feature-vector.json"
    for damage in ("", "{", "[]", json.dumps({"made_from": json.loads(place.read_text())["made_from"]})):
        place.write_text(damage)
        (again,) = reproduce(["feature-vector"], data, tmp_path, effort=TINY)
        assert not again.kept
        assert again.table.blocks == first.table.blocks


def test_it_goes_on_however_early_it_was_stopped(tmp_path):
    list(reproduce(["feature-vector"], None, tmp_path, effort=TINY))
    for gone in (PAGE, "finished/feature-vector.json", "feature-vector.csv"):
        (tmp_path / gone).unlink(missing_ok=True)
        (again,) = reproduce(["feature-vector"], None, tmp_path, effort=TINY)
        assert again.table is not None
        (tmp_path / PAGE).unlink()


def test_the_same_seed_gives_the_same_table(data, tmp_path):
    blocks = [
        next(reproduce(["epinions-cross"], data, tmp_path / str(threads), effort=ONCE, threads=threads)).table.blocks
        for threads in (1, 2)
    ]
    values = [[line.values for block in side for line in block.lines] for side in blocks]
    assert values[0] == values[1]


def test_a_table_has_the_papers_values_beside_its_own(data, tmp_path):
    (one,) = reproduce(["epinions-self"], data, tmp_path, effort=TINY)
    table = one.table
    assert [block.title for block in table.blocks] == ["Scheme 1", "Scheme 2"]
    line = table.blocks[0].lines[0]
    assert [value.paper for value in line.values] == printed("self", "epinions", "d4d-1", "1-hop")
    assert line.hours == pytest.approx(14.93 + 0.86)
    assert line.seconds > 0
    assert all(len(value.draws) in (0, 2) for value in line.values)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "epinions-self.csv").read_text())))
    assert len(rows) == 2 * len(CATEGORIES) * len(FPRS)
    assert {row["data"] for row in rows} == {"Epinions"}
    assert float(rows[1]["paper"]) == 90.39
    page = (tmp_path / PAGE).read_text()
    assert "paper 90.39" in page
    assert "quick run" in page
    assert "<svg" in page


def test_none_and_all_have_their_interval_on_the_page():
    column = Column("1%")
    shares = share_value([(1.0, 0.91, 1.0), (1.0, 0.93, 1.0)], 90.39)
    assert (shares.draws, shares.ends) == ((100.0, 100.0), (91.0, 100.0))
    assert spread_words(shares, column) == "91.00 to 100.00%"
    assert spread_words(share_value([(0.4, 0.3, 0.5)]), column) == "30.00 to 50.00%"
    assert spread_words(share_value([(0.4, 0.3, 0.5), (0.5, 0.4, 0.6)]), column) == "± 7.07"
    assert spread_words(Value((3.0,)), column) == ""
    assert (share_value([]), rate_value(None, 1.0)) == (Value(()), Value((), 1.0))
    found = rate_value(found_rate("complete", 0.001, 0, positives=48))
    assert spread_words(found, column) == "0.00 to 7.40%"


def test_a_stand_in_is_labelled(data, tmp_path):
    (one,) = reproduce(["pokec-sizes"], data, tmp_path, effort=TINY)
    assert one.table.stand_in == "GitHub mutual followers stands in for Pokec"
    assert one.table.stand_in in (tmp_path / PAGE).read_text()


def test_example_vector_follows_the_rule(tmp_path):
    (one,) = reproduce(["feature-vector"], None, tmp_path, effort=TINY)
    components = {line.name: line.values[0].mean for line in one.table.blocks[0].lines}
    assert components == {f"component {k}": v for k, v in ((0, 8), (1, 4), (4, 3), (68, 1), (69, 1))}


def test_tables_survive_json():
    line = Line("a", (Value((1.0, 2.0), 3.0), Value(())), "10 pairs", 1.5, 2.0)
    curves = Curves({"a": ((0.1, 0.2, 0.1, 0.3), (1.0, 1.0, 1.0, 1.0))})
    table = Table(
        "t", "T", "Table 1", "x", "", (Block("b", (Column("c"), Column("d", "", 0)), (line,), curves),), ("n",)
    )
    assert Table.from_dict(json.loads(json.dumps(table.to_dict()))) == table
    rows = list(csv.DictReader(io.StringIO(table_csv(table))))
    assert [(row["mean"], row["sd"], row["paper"]) for row in rows] == [("1.5", str(np.sqrt(0.5)), "3.0"), ("", "", "")]


def test_the_command_lists_what_there_is(data):
    shown = CliRunner().invoke(app, ["reproduce", "--data", str(data)], env={"COLUMNS": "300"})
    assert shown.exit_code == 0
    assert all(name in shown.output for name in EXPERIMENTS)
    assert "stand-in: GitHub mutual followers" in shown.output
    assert "missing: https://snap.stanford.edu/data/email-Eu-core-temporal.html" in shown.output


def test_the_command_runs_what_the_data_allow(data, tmp_path):
    words = ["reproduce", "feature-vector", "time-slots", "--quick", "--data", str(data), "--out", str(tmp_path / "o")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0
    assert re.search(r"\[1/2\] feature-vector +\d", done.output)
    assert "[2/2] time-slots           not run: e-mails" in done.output
    assert (tmp_path / "o" / PAGE).exists()
    again = CliRunner().invoke(app, words)
    assert "[1/2] feature-vector       kept from an earlier run" in again.output


def test_the_command_refuses_a_folder_that_is_none(tmp_path):
    done = CliRunner().invoke(app, ["reproduce", "all", "--data", str(tmp_path / "none"), "--out", str(tmp_path / "o")])
    assert isinstance(done.exception, InputError)
    assert "is not a folder: name the one that holds the public graphs" in str(done.exception)
    assert not (tmp_path / "o").exists()


def test_bars_stand_beside_the_papers_lines():
    line = Line("a", (Value((10.0, 20.0), 12.0), Value((5.0,)), Value(())))
    block = Block("b", (Column("x"), Column("y"), Column("z")), (line,), bars=("x", "z"))
    (axes,) = draw_bars(block).axes
    (bar,) = [patch for patch in axes.patches if patch.get_height()]
    assert bar.get_height() == 15.0
    assert [line.get_ydata()[0] for line in axes.lines if len(line.get_ydata()) == 2][-1] == 12.0
