"""Other attacks and protocols beside the chosen one, on the same releases."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.auditing import SMALL, without
from thinveil.attacks import ForestAttack, Lesson
from thinveil.auditing import settings as settings_module
from thinveil.auditing.audit import audit
from thinveil.auditing.settings import Settings, beside_of
from thinveil.features.pairs import CATEGORIES
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import FPRS
from thinveil.report.files import result_json

SMALLER = {**SMALL, "egonets": 15, "trees": 10, "bag_size": 100, "test_negatives": 3_000, "test_pairs": 500}


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(4000, seed=2)


@pytest.fixture
def compared(monkeypatch):
    monkeypatch.setattr(settings_module, "_COMPARED", {"forest": ("signature",)})


@pytest.fixture(scope="module")
def result(graph):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings_module, "_COMPARED", {"forest": ("signature",)})
        return audit(graph, "d4d-1", seed=1, repeats=2, **SMALLER)


def test_what_stands_beside_what():
    strong = Settings(attack="strong")
    assert beside_of(strong) == (
        ("strong", "matched"),
        *((attack, protocol) for attack in ("forest", "signature") for protocol in ("paper", "matched")),
    )
    assert len(beside_of(replace(strong, protocol="uniform"))) == 6
    assert beside_of(replace(strong, alone=True)) == ()
    assert beside_of(Settings(attack="forest")) == beside_of(Settings(attack="signature")) == ()


def test_each_is_what_an_audit_of_its_own_would_give(graph, result):
    kinds = [(found.attack, found.protocol) for found in result.beside]
    assert kinds == [("forest", "matched"), ("signature", "paper"), ("signature", "matched")]
    for found in result.beside:
        chosen = {"attack": found.attack, "protocol": found.protocol, "alone": True}
        alone = audit(graph, "d4d-1", seed=1, repeats=2, **{**SMALLER, **chosen})
        assert alone.beside == ()
        assert found.rates == alone.rates
        assert found.auc == alone.auc
    assert audit(graph, "d4d-1", seed=1, repeats=2, alone=True, **SMALLER).rates == result.rates


def test_the_result_holds_them(result):
    for found in result.beside:
        assert [(rate.category, rate.fpr) for rate in found.rates] == [(c, f) for c in CATEGORIES for f in FPRS]
        assert found.rate("complete", 0.01) in found.rates
        assert found.rate("complete", 0.5) is None
    told = json.loads(result_json(result))["beside"]
    assert [found["protocol"] for found in told] == ["matched", "paper", "matched"]
    assert told[0]["rates"][0]["category"] == "1-hop"
    assert told[0]["auc"]["complete"]["mean"] == result.beside[0].auc["complete"].mean
    assert "other attacks" in result.seconds


@pytest.mark.usefixtures("compared")
def test_the_release_is_looked_at_once(graph, monkeypatch):
    views = []
    score = ForestAttack.score
    monkeypatch.setattr(ForestAttack, "score", lambda self, view, pairs: views.append(view) or score(self, view, pairs))
    steps = []
    audit(graph, "d4d-1", on_progress=lambda stage, done, total: steps.append((done, total)), **SMALLER)
    assert len({id(view) for view in views}) == 1
    assert len(views[0].channels) == 2
    assert steps[-1][0] == steps[-1][1]


@pytest.mark.usefixtures("compared")
@pytest.mark.parametrize("changes", [{"scheme": "overlap"}, {"scheme": "d4d-1", "seeds": 30, "protocol": "matched"}])
def test_seeds_and_releases_without_egos(graph, changes):
    foreign = ("egonets", "min_size") if changes["scheme"] == "overlap" else ()
    result = audit(graph, **without(SMALLER, *foreign), **changes)
    assert len(result.beside) == 3
    assert all(found.rate("complete", 0.01).tpr is not None for found in result.beside)


@pytest.mark.usefixtures("compared")
def test_slots(graph):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    events = type(graph).from_edges(source, graph.indices, columns={"time": np.arange(source.size) % 97})
    result = audit(events, "d4d-1", slots=2, **SMALLER)
    assert all(found.rate("complete", 0.1).tpr is not None for found in result.beside)


def test_what_was_learned_is_told(graph, monkeypatch):
    words = (("exact degrees", 0.7), ("sizes", 0.3))
    monkeypatch.setattr(ForestAttack, "lesson", lambda self: Lesson(channels=words))
    result = audit(graph, "d4d-1", seed=1, **SMALLER)
    assert result.learned == words
    assert result.to_dict()["learned"][0] == {"compared": "exact degrees", "share": 0.7}
