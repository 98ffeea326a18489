"""A quick first look: it sets only what nobody chose, and says what it is wherever its numbers are."""

import json
import tomllib

import pytest
from typer.testing import CliRunner

from thinveil.auditing.audit import audit
from thinveil.auditing.plan import Plan
from thinveil.cli import app
from thinveil.errors import InputError
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import D4D2

WORDS = "quick first look"


def test_it_takes_less_where_nobody_chose():
    plan, usual = Plan.make(quick=True), Plan.make()
    assert plan.quick
    assert not usual.quick
    assert plan.scheme.egonets < usual.scheme.egonets
    assert plan.scheme.min_size == usual.scheme.min_size
    assert plan.sampling.test_negatives < usual.sampling.test_negatives
    assert plan.beside == ()
    assert plan.attack == usual.attack  # a lighter one would find less, and comfort


def test_what_was_chosen_stays():
    plan = Plan.make("d4d-1:egonets=70", quick=True, beside=("forest",), test_pairs=77, repeats=3)
    assert plan.scheme.egonets == 70
    assert [one.name for one in plan.beside] == ["forest"]
    assert (plan.sampling.test_pairs, plan.repeats) == (77, 3)
    assert Plan.make(D4D2(90), quick=True).scheme == D4D2(90)
    assert Plan.make("pseudonyms", threat="identification", quick=True).quick


def test_it_stays_with_the_plan():
    plan = Plan.make(quick=True)
    assert Plan.from_tables(plan.tables()) == plan
    assert Plan.make(base=plan, seed=3).quick
    assert plan.tables()["plan"]["quick"] is True
    assert "quick" not in Plan.make().tables()["plan"]
    with pytest.raises(InputError, match=r"--quick .* leave one out"):
        Plan.make(base=plan, quick=True)


def test_it_ends_where_sub_graphs_or_pairs_are_chosen():
    plan = Plan.make(quick=True)
    assert not Plan.make("d4d-2:egonets=100", base=plan).quick
    assert not Plan.make(base=plan, test_negatives=200_000).quick
    assert Plan.make(base=plan, protocol="paper", repeats=3).quick  # as few sub-graphs and pairs as before


def test_page_terminal_and_settings_say_so(tmp_path):
    words = ["audit", "synthetic", "--quick", "--scheme", "d4d-1:egonets=10", "--attack", "signature", "-q", "--out"]
    done = CliRunner().invoke(app, [*words, str(tmp_path / "a")])
    assert done.exit_code == 0, done.exception
    assert WORDS in " ".join(done.stdout.split())
    assert "run the same without --quick" in " ".join(done.stdout.split())
    assert WORDS in " ".join((tmp_path / "a" / "report.html").read_text().split())
    settings = tomllib.loads((tmp_path / "a" / "settings.toml").read_text())
    assert settings["plan"]["quick"] is True
    assert json.loads((tmp_path / "a" / "result.json").read_text())["settings"]["plan"]["quick"] is True
    again = ["audit", "--settings", str(tmp_path / "a" / "settings.toml"), "-q", "--out", str(tmp_path / "b")]
    shown = " ".join(CliRunner().invoke(app, again).stdout.split())
    assert WORDS in shown
    assert "not from the settings of a quick look" in shown


def test_the_library_has_it_too():
    result = audit(synthetic_graph(3_000, seed=1), "d4d-1:min_size=60", attack="signature", quick=True)
    assert result.plan.quick
    assert result.plan.scheme.egonets == 40
