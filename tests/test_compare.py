"""Schemes compared: risk and cost of each, the frontier, what is kept for after a stop, and the files."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from typer.testing import CliRunner

import thinveil
from tests.reporting import make_result
from thinveil.auditing.comparison import assessing, read_grid
from thinveil.auditing.comparison.grid import check_words
from thinveil.auditing.comparison.records import Assessment, Point, Risk, find_frontier
from thinveil.cli import app
from thinveil.cli.compare import _table
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.utility import Measure
from thinveil.report.comparison import build_comparison_page, write_comparison
from thinveil.report.comparison.sentences import headline, sentence
from thinveil.schemes import NOBODY, SCHEMES, Pseudonyms, Published, Release, Secret

WORDS = ("pseudonyms", "broken-one", "nobody-there")


@dataclass(frozen=True)
class Broken:
    """A scheme that fails."""

    name: ClassVar[str] = "broken-one"

    def describe(self) -> str:
        return "publishes nothing"

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        raise ZeroDivisionError("it does not\nwork")


@dataclass(frozen=True)
class NobodyThere:
    """A scheme behind whose nodes nobody stands."""

    name: ClassVar[str] = "nobody-there"

    def describe(self) -> str:
        return "publishes a graph of nobody"

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        public, secret = (
            half[0] for half in (lambda one: (one.public, one.secret))(Pseudonyms().publish(graph, seed=seed))
        )
        nobody = Secret(secret.people * 0 + NOBODY)
        return Release.of([Published(public, nobody)], scheme=self.name, graph=graph)


@pytest.fixture(scope="module", autouse=True)
def registered():
    for one in (Broken, NobodyThere):
        SCHEMES.add(one)
    yield
    for one in (Broken, NobodyThere):
        SCHEMES.remove(one.name)


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(1_500, seed=1)


@pytest.fixture(scope="module")
def found(graph):
    return thinveil.compare(graph, WORDS, threat="identification:node_overlap=1,edge_overlap=0.75", seed=3)


def test_every_scheme_is_a_line_whatever_becomes_of_it(found):
    assert [(one.scheme, one.status) for one in found.assessments] == [
        ("pseudonyms", "measured"), ("broken-one", "failed"), ("nobody-there", "undefined")
    ]  # fmt: skip
    ceiling, broken, nobody = found.assessments
    assert ceiling.worst.threat == "identification"
    assert 0.2 < ceiling.worst.low <= ceiling.worst.share <= ceiling.worst.high
    assert ceiling.distance(found.plane) == 0
    assert broken.why == "ZeroDivisionError: it does not"
    assert nobody.worst is None
    assert {one.name: one.distance for one in nobody.utility}["degrees"] == 0
    assert found.frontier == ["pseudonyms"]


def test_what_was_found_survives_json(found):
    for one in found.assessments:
        assert Assessment.from_dict(json.loads(json.dumps(one.to_dict()))) == one
    assert json.loads(json.dumps(found.to_dict()))["schemes"][0]["risk"] == found["pseudonyms"].worst.share


def test_finished_schemes_are_kept_and_failed_ones_tried_again(graph, tmp_path, monkeypatch):
    asked = {"threat": "identification:node_overlap=1,edge_overlap=0.75", "utility": "degrees", "folder": tmp_path}
    first = thinveil.compare(graph, WORDS, **asked)
    tried = []

    def assess(graph, asked, word):
        tried.append(word)
        return Assessment(word, status="failed", why="again")

    monkeypatch.setattr("thinveil.auditing.comparison.comparing.assess", assess)
    again = thinveil.compare(graph, WORDS, **asked)
    assert tried == ["broken-one", "nobody-there"]  # a class of the user's own may have changed
    assert again["pseudonyms"] == first["pseudonyms"]
    # the cost is worked out from what was measured: another choice of measures needs no new audit
    assert thinveil.compare(graph, ["pseudonyms"], **{**asked, "utility": "paths"})["pseudonyms"] == first["pseudonyms"]
    with pytest.raises(InputError, match="made with another threat, seed or number of draws: give --force"):
        thinveil.compare(graph, ["pseudonyms"], seed=9, **asked)
    with pytest.raises(InputError, match="made with another graph: give --force"):
        thinveil.compare(Graph.from_edges([0, 1], [1, 2]), ["pseudonyms"], **asked)
    thinveil.compare(graph, ["pseudonyms"], seed=9, force=True, **asked)
    assert tried[-1] == "pseudonyms"
    for path in (tmp_path / "finished").iterdir():
        path.write_text(path.read_text()[:100])
    tried.clear()
    thinveil.compare(graph, WORDS, **asked)
    assert tried == list(WORDS)


def test_programs_of_the_user_are_tried_again(graph, tmp_path, monkeypatch):
    tried = []

    def assess(graph, asked, word):
        tried.append(word)
        return Assessment(word)

    monkeypatch.setattr("thinveil.auditing.comparison.comparing.assess", assess)
    words = ["pseudonyms", "command:cp {input} {output}", "tests.test_compare:whole"]
    for _ in range(2):
        thinveil.compare(graph, words, utility="degrees", folder=tmp_path)
    assert tried == [*words, *words[1:]]


def test_too_few_pairs_and_too_small_a_test_are_told_apart():
    few = assessing._read_links(make_result(positives=12))
    assert few.why == "only 12 pairs could be linked: too few to say anything"
    small = make_result(positives=500)
    small = replace(small, rates=tuple(replace(rate, tpr=None, low=None, high=None) for rate in small.rates))
    assert assessing._read_links(small).why == "the test cannot support a false-positive rate of 1 in 1,000"


def whole(graph, seed):
    return graph


def test_a_plan_of_one_scheme_finds_what_its_audit_finds(graph, found):
    asked = assessing.Asked(found.threat, 1, 3)
    audit = thinveil.audit(graph, "pseudonyms", threat=found.threat, attack="names", beside=(), seed=3)
    right = audit.more["identification"].groups[0].right
    assert assessing._risk(found.threat, graph, "pseudonyms", asked).share == right.value


def test_engines_find_the_same(graph, found):
    two = thinveil.compare(graph, ["pseudonyms", "d4d-1:egonets=6,min_size=40"], threat=found.threat, seed=3,
                           engine="local:jobs=2")  # fmt: skip
    assert [one.scheme for one in two.assessments] == ["pseudonyms", "d4d-1:egonets=6,min_size=40"]
    assert {**two["pseudonyms"].to_dict(), "seconds": 0} == {**found["pseudonyms"].to_dict(), "seconds": 0}
    assert {risk.threat for risk in two.assessments[1].risks} == {"linkage", "identification"}


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8))
def test_no_scheme_of_the_frontier_is_beaten_and_all_others_are(pairs):
    points = [Point(f"s{k}", x / 5, y / 5) for k, (x, y) in enumerate(pairs)]
    frontier = [one for one in points if one.scheme in find_frontier(points)]

    def beats(one, two):
        return one.distance <= two.distance and one.risk <= two.risk and one[1:] != two[1:]

    for point in points:
        is_best = not any(beats(other, point) for other in points)
        assert (point in frontier) == is_best


def test_a_cost_needs_all_of_its_measures():
    measures = [
        Measure(name, "f", "", 1.0, 1.0, distance, "") for name, distance in (("a", 0.2), ("b", 0.4), ("c", None))
    ]
    one = Assessment("x", utility=tuple(measures))
    assert one.distance(("a", "b")) == pytest.approx(0.3)
    assert one.distance(("a", "c")) is None
    assert one.distance(("a", "nothing")) is None
    assert one.distance(()) is None


def test_files_of_schemes(tmp_path):
    file = tmp_path / "grid.toml"
    file.write_text('schemes = ["pseudonyms"]\n[[grid]]\nname = "d4d-2"\negonets = [10, 20]\nmin_size = 50\n')
    assert read_grid(file) == ("pseudonyms", "d4d-2:egonets=10,min_size=50", "d4d-2:egonets=20,min_size=50")


@pytest.mark.parametrize(("text", "words"), [
    ("", "names no scheme"), ("scheme = []", "unknown entry 'scheme'"), ("schemes = 3", "must be a list"),
    ("grid = [3]", "must be tables"), ('[[grid]]\nname = "d4d-3"', "unknown scheme 'd4d-3'"),
    ('[[grid]]\nname = "d4d-2"\negonets = [0]', "egonets"), ("[[grid]]\nx = 1", "has no name"), ("=", "line 1"),
])  # fmt: skip
def test_files_of_schemes_that_make_no_sense_are_refused(tmp_path, text, words):
    file = tmp_path / "grid.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        read_grid(file)
    assert str(caught.value).startswith(str(file))


def test_words_are_checked_before_anything_runs(graph):
    assert check_words(["pseudonyms", "pseudonyms"]) == ("pseudonyms",)
    for words, message in ((["d4d-9"], "d4d-2"), ([], "no scheme")):
        with pytest.raises(InputError, match=message):
            thinveil.compare(graph, words)
    with pytest.raises(InputError, match="linkage is always"):
        thinveil.compare(graph, ["pseudonyms"], threat="linkage")


def test_sentences_say_what_was_found_and_never_more(found):
    ceiling, broken, nobody = (sentence(one, found) for one in found.assessments)
    assert "were named rightly" in ceiling
    assert "nothing of the graph is lost" in ceiling
    assert broken == "Not measured: ZeroDivisionError: it does not."
    assert "not a risk of 0%" in nobody
    none = Assessment("x", risks=(Risk("linkage", 0.0, 0.0, 0.02, 200),))
    assert "none were linked" in sentence(none, found)
    assert "no proof of safety" in sentence(none, found)
    few = Assessment("x", risks=(Risk("linkage", why="only 3 pairs could be linked: too few to say anything"),))
    assert "nothing can be said: only 3 pairs" in sentence(few, found)
    page = build_comparison_page(found)
    for word in ("anonymous", " is safe", "guarantee"):
        assert word not in page
    assert headline(found) in page
    assert headline(found) == "Both risk and utility were measured of pseudonyms alone"
    assert "of none both risk and utility" in headline(replace(found, assessments=found.assessments[1:2]))
    twin = replace(found.assessments[0], scheme="twin")
    worse = replace(twin, scheme="worse", risks=(replace(twin.risks[0], share=1.0),))
    told = headline(replace(found, assessments=(*found.assessments, worse)))
    assert told.startswith("Of 2 schemes of which both risk and utility were measured, none is better than pseudonyms")
    told = headline(replace(found, assessments=(*found.assessments, twin, worse)))
    assert told.startswith("Of 3 schemes of which both risk and utility were measured, 2 are worth a choice")


def of_shares(found, **shares):
    """A comparison of schemes with these shares named rightly, each at the cost of the first letter's place."""
    told = [
        Assessment(word, risks=(Risk("identification", share, 0.0, 1.0, 400),), utility=(Measure(
            "degrees", "degrees", "", 1.0, 1.0, 0.1 * place, ""),))
        for place, (word, share) in enumerate(shares.items())
    ]  # fmt: skip
    return thinveil.Comparison(found.graph, tuple(told), ("degrees",), found.threat, 1, 0)


def test_an_attack_that_fails_everywhere_says_nothing_of_the_schemes(found):
    failed = of_shares(found, pseudonyms=0.0, sparsify=0.0)
    assert failed.frontier == []
    assert headline(failed).startswith("The attacks found nobody, where only names are taken away: this")
    assert headline(failed) in build_comparison_page(failed)
    assert "worth a choice</" not in build_comparison_page(failed)
    assert headline(of_shares(found, sparsify=0.0, switch=0.0)).startswith("The attacks found nobody, whatever the")
    assert of_shares(found, pseudonyms=0.4, sparsify=0.0).frontier == ["pseudonyms", "sparsify"]
    assert "none is better than pseudonyms in risk or in utility" in headline(of_shares(found, pseudonyms=0.1, d4=0.1))


def test_a_failed_attack_is_one_trial_and_recommends_no_scheme(found):
    both = of_shares(found, pseudonyms=0.4, sparsify=0.0).assessments
    for failed, draws, high, frontier in ((1, 1, 0.975, ["pseudonyms"]), (9, 9, 0.34, ["pseudonyms", "sparsify"])):
        risk = Risk("identification", 0.0, 0.0, high, 400, 0.0, (0.0,) * draws, failed)
        told = replace(of_shares(found), assessments=(both[0], replace(both[1], risks=(risk,))))
        assert told.frontier == frontier
        assert "The attack knew that it had failed" in sentence(told["sparsify"], told)
    real = thinveil.compare(synthetic_graph(600, seed=1), ["random-graph"], utility="degrees")["random-graph"].worst
    assert (real.share, real.failed, round(real.high, 3)) == (0.0, 1, 0.975)


def test_a_long_word_does_not_hide_the_numbers_on_a_narrow_terminal(found):
    shown = Console(width=80, file=io.StringIO())
    shown.print(_table(of_shares(found, **{"pseudonyms": 0.456, "command:" + "a/" * 40: 0.4})))
    assert "45.6%" in shown.file.getvalue()
    assert "0.0% to 100.0%" in shown.file.getvalue()


def test_hostile_names_do_not_break_the_page(found, tmp_path):
    hostile = Assessment('<script>alert(1)</script>"', says="<b>", why="=cmd()")
    bad = thinveil.Comparison(found.graph, (hostile, *found.assessments), found.plane, found.threat, 1, 0)
    page = build_comparison_page(bad)
    assert "<script>alert" not in page
    write_comparison(bad, tmp_path / "out")
    lines = list(csv.DictReader(io.StringIO((tmp_path / "out" / "comparison.csv").read_text())))
    assert lines[0]["why"] == "'=cmd()"
    write_comparison(bad, tmp_path / "out")  # goes on
    with pytest.raises(InputError, match="holds a comparison of another graph, or with another threat, seed"):
        write_comparison(replace(bad, seed=1), tmp_path / "out")
    assert write_comparison(replace(bad, seed=1), tmp_path / "out", force=True).exists()


def test_wrong_names_have_an_interval_too(found):
    risk = Risk("identification", 0.4, 0.3, 0.5, 100, 0.02, (0.4,), wrong_low=0.002, wrong_high=0.071)
    told = of_shares(found, pseudonyms=0.4)
    told = replace(told, assessments=(replace(told.assessments[0], risks=(risk,)),))
    assert "(95% interval 0.2 to 7.1%) wrongly" in sentence(told["pseudonyms"], told)
    real = thinveil.compare(synthetic_graph(2_000, seed=1), ["pseudonyms"], utility="degrees")["pseudonyms"].worst
    assert real.wrong_low <= real.wrong <= real.wrong_high
    assert real.wrong_high > 0


def test_the_command(tmp_path):
    out = tmp_path / "out"
    (tmp_path / "g.csv").write_text("".join(f"{u},{v}\n" for u, v in edges(synthetic_graph(1_200, seed=2))))
    given = [
        "compare",
        str(tmp_path / "g.csv"),
        "pseudonyms",
        "nobody-there",
        "--aux",
        "nodes=1,edges=0.9",
        "--out",
        str(out),
    ]
    done = CliRunner().invoke(app, [*given, "--utility", "degrees,paths", "-q"])
    assert done.exit_code == 0, done.output
    assert "worth a choice  pseudonyms" in done.output
    assert "undefined" in done.output
    told = json.loads((out / "comparison.json").read_text())
    assert told["settings"]["plane"][:2] == ["degrees", "joint-degrees"]
    lines = list(csv.DictReader(io.StringIO((out / "comparison.csv").read_text())))
    assert [line["scheme"] for line in lines] == ["pseudonyms", "nobody-there"]
    assert float(lines[0]["risk_low"]) <= float(lines[0]["risk"]) <= float(lines[0]["risk_high"])
    again = CliRunner().invoke(app, [*given, "--json", "-q"])
    assert json.loads(again.output[again.output.index("{") :])["schemes"][0] == told["schemes"][0] | {"distance": 0.0}


def test_a_foreign_folder_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("keep me")
    done = CliRunner().invoke(app, ["compare", "synthetic", "pseudonyms", "--out", str(tmp_path), "-q"])
    assert done.exit_code == 1
    assert "holds mine.txt, and no comparison" in str(done.exception)


def edges(graph):
    return [(u, int(v)) for u in range(graph.node_count) for v in graph.neighbors(u) if u < v]
