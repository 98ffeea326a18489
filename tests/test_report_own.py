"""The page of a scheme and an attack that are a user's own, and of the threat with an auxiliary graph."""

import contextlib
import re
from dataclasses import dataclass, replace
from html import unescape
from typing import ClassVar

import numpy as np
import pytest

from tests.reporting import Page, make_result, rows
from thinveil.attacks import ATTACKS, Lesson, PairModel
from thinveil.auditing.audit import audit
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import Egos
from thinveil.errors import InputError
from thinveil.features import DegreeHistogram, Needs
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.report import headline, read_settings, write_report
from thinveil.report.page import build_page
from thinveil.report.sections.repeat import parameter_rows
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import stream
from thinveil.schemes import SCHEMES, Published, Release, Secret

FEW = {"train_negatives": 2_000, "test_negatives": 5_000}
HISTOGRAM = DegreeHistogram(10, 10)


@dataclass(frozen=True)
class Crowds:
    """Publish the networks among people chosen at random: no egos, and no words about itself."""

    name: ClassVar[str] = "crowds"
    parts: int = parameter(4, "networks in a release", low=2, high=100)
    share: float = parameter(0.5, "share of all people in each", low=0, high=1)

    def __post_init__(self):
        check_parameters(self)

    def publish(self, graph, *, seed, avoid=()):
        chance = stream(seed, "crowds", len(avoid))
        return Release.of([self._part(graph, chance) for _ in range(self.parts)], scheme=self.name, graph=graph)

    def _part(self, graph, chance):
        people = chance.permutation(graph.node_count)[: round(self.share * graph.node_count)].astype(np.int32)
        place = np.full(graph.node_count, -1)
        place[people] = np.arange(people.size)
        source, target = place[np.repeat(np.arange(graph.node_count), graph.degrees)], place[graph.indices]
        kept = (source >= 0) & (target >= 0) & (source < target)
        return Published(Graph.from_edges(source[kept], target[kept], node_count=people.size), Secret(people))


@dataclass(frozen=True)
class Alike:
    """The nearer two histograms are, the more probably they are one person; it says nothing about itself."""

    name: ClassVar[str] = "alike"
    power: float = parameter(1.0, "how much distance counts", low=0, high=10)

    @property
    def needs(self):
        return Needs((HISTOGRAM,))

    def fit(self, known, *, seeds):
        return AlikeModel(self.power)


@dataclass(frozen=True)
class AlikeModel(PairModel):
    power: float

    def score(self, view, pairs, question):
        left, right = (view.vectors(HISTOGRAM.name)[side].astype(float) for side in (pairs.left, pairs.right))
        return 1 / (1 + np.abs(left - right).sum(axis=1) ** self.power)


@contextlib.contextmanager
def registered():
    SCHEMES.add(Crowds)
    ATTACKS.add(Alike)
    try:
        yield
    finally:
        SCHEMES.remove("crowds")
        ATTACKS.remove("alike")


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(1_500, mean_degree=30, seed=2)


@pytest.fixture(scope="module")
def own(graph):
    return audit(graph, Crowds(parts=5), attack=Alike(power=0.5), beside=("signature",), seed=3, **FEW)


def test_things_without_words_have_a_page(own):
    page = Page(build_page(own))
    for text in (
        "The scheme crowds publishes sub-graphs that should not be linkable.",
        "The attack alike: an attack of the user's own. It learned from a second release of the same graph.",
        "Sub-graphs were drawn once: one release to learn from and another to attack.",
        "Not part of thinveil: scheme crowds and attack alike.",
    ):
        assert text in page.text
    assert "ego" not in re.findall(r"\w+", page.text)
    assert "thinveil audit GRAPH" not in page.text


def test_the_page_shows_the_parameters_that_were_used(own):
    shown = [[unescape(cell) for cell in row] for row in rows(build_page(own)) if len(row) == 4]
    for row in parameter_rows(own.plan):
        assert list(row) in shown
    assert ["scheme", "parts", "5", "networks in a release"] in shown
    assert ["scheme", "share", "0.5", "share of all people in each"] in shown
    assert ["attack", "power", "0.5", "how much distance counts"] in shown
    assert ["beside", "name", "signature", "another attack on the same releases"] in shown
    assert ["plan", "seed", "3", "decides all that is random"] in shown
    assert not {"egonets", "trees", "min_size"} & {row[1] for row in shown}


def test_the_lines_on_the_page_repeat_the_audit(own, graph, tmp_path, monkeypatch):
    html = write_report(own, tmp_path).read_text()
    (lines,) = (unescape(text) for text in re.findall(r"<pre>(.*?)</pre>", html, flags=re.DOTALL) if "import" in text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="unknown scheme 'crowds'"):
        read_settings("settings.toml")
    with registered():
        names = {"graph": graph}
        exec(lines, names)
    assert names["result"].plan == own.plan
    assert names["result"].rates == own.rates


@pytest.mark.parametrize(("name", "lines"), [("people.csv", 1), ("", 2)])
def test_a_graph_without_a_file_is_repeated_in_a_program(name, lines):
    html = build_page(make_result(name=name, lesson=Lesson()))
    assert len(re.findall("<pre>", html)) == lines
    assert "<pre>thinveil audit GRAPH --settings settings.toml</pre>" in html


@pytest.fixture(scope="module")
def named(graph):
    threat = "identification:node_overlap=0.5,edge_overlap=0.75,known=40"
    return audit(graph, threat=threat, attack="forest:trees=20,bins=10,bin_size=10", repeats=2, seed=1, **FEW)


def test_the_page_speaks_of_two_graphs(named):
    page = Page(build_page(named))
    assert page.all("h1") == [headline(named)]
    assert headline(named).startswith("Of 100 people who are both in the published graph and in the auxiliary graph")
    for text in (
        named.plan.threat.describe(),
        "The attacker knows 40 people beforehand, and attacks the others.",
        "It learned from 40 people known in both graphs.",
        "The two graphs were drawn 2 times: in the two graphs of each draw the attacker knows 40 people",
        "between the published graph and the auxiliary graph",
        "Comparing the two whole graphs",
        "contacts inside one of the two graphs were left out",
        "The interval counts pairs of appearances as independent.",
        "people within two hops with",
    ):
        assert text in page.text
    found = set(re.findall(r"[\w-]+", page.text.split("How to repeat it")[0]))
    assert not found & {"ego", "egos", "sub-graph", "sub-graphs", "egonets"}


def test_nobody_in_both_graphs():
    result = make_result(
        positives=0, plan=Plan.make(threat="identification").resolved(), egos=Egos(0, 0, 0), roc={}, auc={},
        by_degree=(), by_overlap=(), lesson=Lesson(),
    )  # fmt: skip
    assert headline(result) == "Nobody could be compared: no person appears in both graphs with enough contacts."
    assert "does not mean that nobody can be found" in Page(build_page(result)).text


def test_the_auxiliary_graph_and_another_graph_are_told_apart(named):
    plan = replace(named.plan, threat=replace(named.plan.threat, known=0))
    second = Page(build_page(replace(named, plan=plan))).text
    assert "It learned from two noisy copies of the auxiliary graph, one of them put through the scheme." in second
    assert "one release of this graph to attack, and what the attacker makes of his own graph to learn from" in second
    other = Page(build_page(replace(named, plan=plan, trained_on=named.graph))).text
    assert "It learned from another graph (1,500 nodes" in other
    assert "one release of another graph to learn from and one of this graph to attack" in other
