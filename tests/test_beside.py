"""Other attacks and protocols beside the chosen one, on the same releases."""

import json

import numpy as np
import pytest

from thinveil.attacks import Lesson
from thinveil.attacks.forest import ForestModel
from thinveil.auditing.audit import audit
from thinveil.features.pairs import CATEGORIES
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import FPRS

SCHEME = "d4d-1:egonets=15,min_size=60"
FOREST = "forest:trees=10,bag_size=100"
SMALLER = {"attack": FOREST, "protocol": "paper", "test_negatives": 3_000, "test_pairs": 500}
COMPARED = {**SMALLER, "beside": ("signature",)}


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(4000, seed=2)


@pytest.fixture(scope="module")
def result(graph):
    return audit(graph, SCHEME, seed=1, repeats=2, **COMPARED)


def test_each_is_what_an_audit_of_its_own_would_give(graph, result):
    kinds = [(found.attack, found.protocol) for found in result.beside]
    assert kinds == [("forest", "matched"), ("signature", "paper"), ("signature", "matched")]
    for found in result.beside:
        attack = FOREST if found.attack == "forest" else found.attack
        chosen = {**SMALLER, "attack": attack, "protocol": found.protocol}
        alone = audit(graph, SCHEME, seed=1, repeats=2, beside=(), **chosen)
        assert alone.beside == ()
        assert found.rates == alone.rates
        assert found.auc == alone.auc
    assert audit(graph, SCHEME, seed=1, repeats=2, beside=(), **SMALLER).rates == result.rates


def test_the_result_holds_them(result):
    for found in result.beside:
        assert [(rate.category, rate.fpr) for rate in found.rates] == [(c, f) for c in CATEGORIES for f in FPRS]
        assert found.rate("complete", 0.01) in found.rates
        assert found.rate("complete", 0.5) is None
    told = json.loads(json.dumps(result.to_dict()))["beside"]
    assert [found["protocol"] for found in told] == ["matched", "paper", "matched"]
    assert told[0]["rates"][0]["category"] == "1-hop"
    assert told[0]["auc"]["complete"]["mean"] == result.beside[0].auc["complete"].mean
    assert "other attacks" in result.seconds
    # what the others take is not booked on the chosen one
    assert {"train", "test"} <= set(result.seconds)
    assert all(set(spent) == {"train", "test"} for spent in result.category_seconds.values())


def test_the_plan_names_them(result):
    tables = result.plan.tables()
    assert [one["name"] for one in tables["beside"]] == ["signature"]
    assert result.to_dict()["settings"] == tables


def test_the_release_is_looked_at_once(graph, monkeypatch):
    views = []
    score = ForestModel.score

    def spy(self, view, pairs, question):
        views.append(view)
        return score(self, view, pairs, question)

    monkeypatch.setattr(ForestModel, "score", spy)
    steps = []
    audit(graph, SCHEME, on_progress=lambda stage, done, total: steps.append((done, total)), **COMPARED)
    assert len({id(view) for view in views}) == 1
    assert len(views[0].channels) == 2
    assert all(done <= total for done, total in steps)
    assert steps[-1][0] == steps[-1][1]


@pytest.mark.parametrize(
    ("scheme", "changes"),
    [(None, {"threat": "identification"}), (SCHEME, {"threat": "linkage:known=30", "protocol": "matched"})],
)
def test_known_people_and_releases_without_egos(graph, scheme, changes):
    result = audit(graph, scheme, **{**COMPARED, **changes})
    assert len(result.beside) == 3
    assert all(found.rate("complete", 0.01).tpr is not None for found in result.beside)


def test_slots(graph):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    events = type(graph).from_edges(source, graph.indices, columns={"time": np.arange(source.size) % 97})
    slots = {"attack": f"{FOREST},slots=2", "beside": ("signature:slots=2",)}
    result = audit(events, SCHEME, **{**COMPARED, **slots})
    assert [found.attack for found in result.beside] == ["forest", "signature", "signature"]
    assert all(found.rate("complete", 0.1).tpr is not None for found in result.beside)


def test_what_was_learned_is_told(graph, monkeypatch):
    words = (("exact degrees", 0.7), ("sizes", 0.3))
    monkeypatch.setattr(ForestModel, "lesson", lambda self, question: Lesson(channels=words))
    result = audit(graph, SCHEME, seed=1, **SMALLER)
    assert result.lesson.channels == words
    assert result.to_dict()["lesson"]["channels"][0] == ("exact degrees", 0.7)
