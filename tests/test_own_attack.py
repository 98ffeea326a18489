"""An attack is one file and one line: this one is defined here, and nothing in the package knows it."""

import html
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

import thinveil
from tests.auditing import everything_held, hold_no_truth, small, without
from thinveil.attacks import ATTACKS, Fitted, Known, Packed, PairModel
from thinveil.auditing.audit import audit
from thinveil.auditing.draw import learn, set_scene
from thinveil.auditing.plan import Plan
from thinveil.cli import app
from thinveil.errors import InputError
from thinveil.features import Degree, Needs, View
from thinveil.features.pairs import Pairs, Question
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.keys import Key
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import Seeds
from thinveil.schemes import make_scheme, seal, write_release

NAME = "yardstick"
FEW = {"protocol": "matched", "test_negatives": 3_000, "test_pairs": 500, "seed": 5}
SCHEME = small("d4d-1")


@dataclass(frozen=True)
class Yardstick:
    """Take appearances for one person whose numbers of contacts are close, by a measure that is learned."""

    name: ClassVar[str] = NAME
    title: ClassVar[str] = "two numbers of contacts that are close"
    learns: ClassVar[bool] = True
    beside: ClassVar[tuple[str, ...]] = ()

    slack: float = parameter(1.0, "how many usual differences two numbers may be apart", low=0, high=100)

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def needs(self) -> Needs:
        return Needs((Degree(),))

    def describe(self) -> str:
        return f"Numbers of contacts are laid along a yardstick of {self.slack:g} usual differences."

    def fit(self, known: Known, *, seeds: Seeds) -> Fitted:
        usual = {
            question: float(np.median(_apart(known.view, examples.identical)))
            for question, examples in known.examples.items()
        }
        return Measured(self.slack, max(usual.values(), default=1.0))

    def restore(self, packed: Packed) -> Fitted:
        return Measured(self.slack, float(packed.facts["usual"]))


@dataclass(frozen=True)
class Measured(PairModel):
    slack: float
    usual: float

    def score(self, view: View, pairs: Pairs, question: Question) -> np.ndarray:
        return 1 / (1 + np.maximum(0, _apart(view, pairs) - self.slack * self.usual))

    def pack(self) -> Packed:
        return Packed({"usual": self.usual}, {})


def _apart(view, pairs):
    degree = view.vectors("degree")[:, 0]
    return np.abs(np.log(degree[pairs.left]) - np.log(degree[pairs.right]))


@pytest.fixture(scope="module", autouse=True)
def registered():
    """The one line."""
    ATTACKS.add(Yardstick)
    yield
    ATTACKS.remove(NAME)


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(2_000, seed=4)


@pytest.fixture(scope="module")
def result(graph):
    return audit(graph, SCHEME, attack=f"{NAME}:slack=0.5", beside=("signature",), **FEW)


@pytest.fixture(scope="module")
def report(result, tmp_path_factory):
    """The folder of the audit's report."""
    from thinveil.report import write_report

    return write_report(result, tmp_path_factory.mktemp("report")).parent


def plain(result):
    return without(result.to_dict(), "seconds")


@pytest.mark.parametrize("spoil", [lambda s: s[:-1], lambda s: s * np.nan, lambda s: 1.0, lambda s: s[:, None], str])
def test_scores_that_are_none_are_refused(graph, monkeypatch, spoil):
    score = Measured.score
    monkeypatch.setattr(Measured, "score", lambda *given: spoil(score(*given)))
    with pytest.raises(InputError, match=r"an attack must give each of .* pairs a finite score"):
        audit(graph, SCHEME, attack=NAME, **FEW)


def test_nothing_in_the_package_knows_it():
    package = Path(thinveil.__file__).parent
    files = [path for path in package.rglob("*") if path.suffix in (".py", ".html", ".toml", ".css")]
    assert len(files) > 100
    assert not [path for path in files if NAME in path.read_text().lower()]


def test_it_is_audited_by_name(graph, result):
    assert result.plan.attack == Yardstick(slack=0.5)
    assert result.found_something
    assert [found.attack for found in result.beside] == [NAME, "signature", "signature"]
    assert plain(audit(graph, SCHEME, attack=Yardstick(slack=0.5), beside=("signature",), **FEW)) == plain(result)
    assert audit(graph, SCHEME, attack=NAME, beside=(), **FEW).rates != result.rates  # the parameter counts


def test_it_is_measured_beside_others(graph, result):
    others = audit(graph, SCHEME, attack="signature", beside=(f"{NAME}:slack=0.5",), **FEW)
    mine = next(one for one in others.beside if (one.attack, one.protocol) == (NAME, "matched"))
    assert mine.rates == result.rates


@pytest.mark.parametrize("threat", ["linkage:known=40", "identification"])
def test_it_serves_every_threat(graph, threat):
    scheme = SCHEME if threat.startswith("linkage") else None
    found = audit(graph, scheme, attack=NAME, threat=threat, **FEW)
    assert found.rate("complete", 0.1).tpr is not None


def test_its_parameters_are_checked_and_told_like_all_others():
    assert ATTACKS.word(Yardstick(slack=0.5)) == f"{NAME}:slack=0.5"
    with pytest.raises(InputError, match=f"{NAME}: slack = 0.0: give a number above 0 and up to 100"):
        Plan.make(attack=f"{NAME}:slack=0")
    with pytest.raises(InputError, match=f"{NAME}: no parameter is called 'slak': .*slack"):
        Plan.make(attack=f"{NAME}:slak=1")
    with pytest.raises(InputError, match=f"unknown attack 'yardstik': did you mean '{NAME}'"):
        Plan.make(attack="yardstik")


def test_the_report_states_what_was_used(result, report):
    page = (report / "report.html").read_text()
    text = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
    assert NAME in text
    assert result.plan.attack.describe().rstrip(".") in text  # with the half that was really used
    assert re.search(r"\bslack\b[ =:]*0\.5\b", text)
    for foreign in ("trees", "bag_size"):  # those of another attack
        assert not re.search(rf"\b{foreign}\b[ =:]*[0-9]", text)
    told = json.loads((report / "result.json").read_text())
    assert told["settings"]["attack"] == {"name": NAME, "slack": 0.5}


def test_the_settings_repeat_it_to_the_digit(graph, result, report):
    from thinveil.report.files import read_settings

    plan, _ = read_settings(report / "settings.toml")
    assert plan == result.plan
    assert plain(audit(graph, plan=plan)) == plain(result)


def test_settings_of_an_attack_that_nobody_registered_are_refused(report):
    from thinveil.report.files import read_settings

    ATTACKS.remove(NAME)
    try:
        with pytest.raises(InputError, match=f"settings.toml: unknown attack '{NAME}': .*known are strong"):
            read_settings(report / "settings.toml")
    finally:
        ATTACKS.add(Yardstick)


def test_it_links_and_comes_back_from_plain_data_without_more_ado(graph):
    attack = Yardstick(slack=0.5)
    sides = set_scene(Plan.make(SCHEME, attack, **FEW).resolved(), graph, None, Seeds(1, (0,)))
    model, _ = learn(attack, sides)
    view, question = sides.attacked.view, Question()
    session, again = model.enter(view), attack.restore(model.pack()).enter(view)
    pairs, _ = sides.asked(question)
    assert (session.score(pairs, question) == again.score(pairs, question)).all()
    links = session.links()
    assert links.cluster.shape == links.probability.shape == view.subgraph.shape
    assert (links.cluster == again.links().cluster).all()
    truths = [sides.known.labels, sides.attacked.labels]
    assert hold_no_truth(everything_held(attack, model, session, view), truths)


def run(*words):
    done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.exception or done.output
    return done.output


def test_the_command_line_knows_it(graph, tmp_path):
    assert f"{NAME}: " in run("attacks")
    assert "slack=" in run("attacks")
    assert NAME in run("audit", "--help")
    release = make_scheme(SCHEME).publish(graph, seed=3)
    write_release(seal(release, Key.of_seed(3)), tmp_path / "r", tmp_path / "t")
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    lines = [f"{u} {v}" for u, v in zip(source, graph.indices, strict=True) if u < v]
    (tmp_path / "edges.txt").write_text("\n".join(lines))
    model, links = tmp_path / "model", tmp_path / "links.csv"
    told = run("train", tmp_path / "edges.txt", "--scheme", SCHEME, "--attack", f"{NAME}:slack=0.5", "--out", model)
    assert f"attack {NAME}" in told
    assert "clusters" in run("link", tmp_path / "r", "--model", model, "--truth", tmp_path / "t", "--out", links)
