"""An attack that knows that its start failed has tried once, however many people it did not name."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thinveil
from tests.reporting import Page, make_result
from thinveil.attacks import Lesson
from thinveil.auditing.findings import FINDINGS
from thinveil.auditing.findings.pooled import Pooled
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import Egos
from thinveil.auditing.trials import Draw, Trial
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.naming import Judged, count_names
from thinveil.measures.rates import most_after_failures, rate
from thinveil.report import write_report
from thinveil.report.page import build_page
from thinveil.report.sections.naming import naming_sentence
from thinveil.report.words import headline, person_sentence, upper_bounds

THREAT = "identification:node_overlap=0.5,edge_overlap=0.75"
ONE = rate(0, 1).high


@pytest.fixture(scope="module")
def failed():
    """Nothing of anybody is left in a random graph: no start succeeds."""
    return thinveil.audit(synthetic_graph(600, seed=1), "random-graph", threat=THREAT, beside=(), repeats=1)


@pytest.fixture(scope="module")
def found():
    """A start that succeeds."""
    return thinveil.audit(synthetic_graph(2_000, seed=1), "pseudonyms", threat=THREAT, beside=(), repeats=1)


def test_one_failed_draw_leaves_nearly_any_share_open(failed):
    naming = failed.more["identification"]
    everybody, _ = naming.groups
    assert naming.failed == 1
    assert (everybody.right.value, everybody.right.high, everybody.wrong.high) == (0.0, ONE, ONE)
    assert (everybody.unnamed.value, everybody.unnamed.low) == (1.0, 1 - ONE)
    assert everybody.absent_named.high == naming.found.high == naming.worth[0].found.high == ONE
    assert everybody.unique.low > 0.2  # who has a twin is no matter of the start
    assert failed.rate("complete", 0.001).high == ONE
    assert failed.auc["complete"].high >= ONE
    assert (failed.roc["complete"].high >= ONE).all()
    assert failed.risk.high == pytest.approx(ONE * failed.risk.people)
    assert all(group.high == ONE for group in failed.risk.by_degree)


def test_what_guessing_finds_is_known_all_the_same(failed):
    assert all(one.high < 0.5 for one in failed.baseline if one.fpr <= 0.01)


def test_words_claim_no_more(failed, tmp_path):
    said = headline(failed)
    assert said.startswith("The attack failed, and knew it: nobody was re-linked.")
    assert "up to 98 of 100" in said
    assert said.endswith("give --repeats 5.")
    assert person_sentence(failed) == ""
    assert "no proof of safety" in naming_sentence(failed)
    assert upper_bounds(failed)["pairs"] == ONE
    assert upper_bounds(failed)["people"] == pytest.approx(ONE)
    page = Page(build_page(failed)).text
    assert "at most 1 of" not in page
    write_report(failed, tmp_path / "report")
    kept = json.loads((tmp_path / "report" / "result.json").read_text())
    assert kept["identification"]["groups"][0]["right"]["high"] == ONE


def test_a_start_that_succeeded_leaves_the_intervals_alone(found):
    naming = found.more["identification"]
    assert naming.failed == 0
    assert naming.groups[0].right.high < naming.groups[0].right.value + 0.1
    assert "one trial for each draw" not in naming_sentence(found)


def judged(said, *, failed):
    """Forty people in a draw, of whom some are named rightly and nobody wrongly."""
    everybody = np.arange(40, dtype=np.int32)
    names = np.where(everybody < said, everybody, -1).astype(np.int32)
    return Judged(names, everybody, np.ones(40), np.full(40, 9, dtype=np.int32), np.zeros(40, dtype=np.int32),
                  everybody >= 30, everybody, failed=int(failed))  # fmt: skip


def test_some_failed_draws_widen_the_intervals_of_all():
    draws = [judged(30, failed=False), judged(0, failed=True)]
    everybody, _ = count_names(Judged.join(draws))
    assert (everybody.right.hits, everybody.right.trials) == (30, 80)
    assert everybody.right.high == everybody.wrong.high == rate(1, 2).high
    assert everybody.unnamed.low == 1 - rate(1, 2).high
    assert everybody.unique.high < rate(1, 2).high
    assert count_names(draws[0])[0].right.high < 0.95


@given(st.integers(1, 50), st.integers(0, 50))
def test_more_failed_draws_leave_less_open(draws, failed):
    failed = min(failed, draws)
    most = most_after_failures(draws, failed)
    assert most == (rate(draws - failed, draws).high if failed else 0.0)
    assert most_after_failures(2 * draws, 2 * failed) <= most


def one_draw(shares, seed):
    """A draw in which a share of the people score above everybody else; all stand in the same two sub-graphs."""
    rng, found = np.random.default_rng(seed), round(1_000 * shares)
    trial = Trial(
        category="complete", positives=np.where(np.arange(1_000) < found, 2.0, 0.0), negatives=rng.random(5_000),
        distinct=5_000, people=np.arange(1_000), subgraphs=np.zeros(1_000, dtype=np.int64),
        degrees=np.full(1_000, 9), crowd=1.0, lesson=Lesson(), failed=not found,
    )  # fmt: skip
    return Draw((trial,), 50.0, 2_500.0, 50.0, Egos(0, 0, 0), ("complete",))


@pytest.mark.parametrize("shares", [(0.06, 0.7), (0.0, 0.7), (0.0, 0.05, 0.57, 0.56, 0.0)])
def test_draws_that_differ_are_no_guesses(shares):
    draws = [one_draw(share, seed) for seed, share in enumerate(shares)]
    rates = FINDINGS["rates"](Pooled(draws, Plan.make(attack="signature", beside=())))
    found = make_result(rates=rates, draws=len(shares))
    assert found.found_something
    failed = shares.count(0.0)
    assert found.rate("complete", 0.001).high >= most_after_failures(len(shares), failed)
