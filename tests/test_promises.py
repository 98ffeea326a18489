"""Promises put to the test: right ones are not refuted, broken ones are, and nothing is claimed beyond that."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from typer.testing import CliRunner

import thinveil
from thinveil.auditing.promises import CANARIES, draw_canaries, look_for, with_canaries
from thinveil.cli import app
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.promises import bound_epsilon, count_sharing, refuted_epsilon
from thinveil.report.sections.promise import declared, measured
from thinveil.schemes import Promise, Pseudonyms, Release
from thinveil.schemes.tmf import TopMFilter


@dataclass(frozen=True)
class SwappedFilter(TopMFilter):
    """The top-m filter as it was once written: branches swapped, and filled up to as many edges as there were.

    With the right threshold as many fakes pass as fill it up; with the wrong one far fewer are added than pass, and
    whoever stays is told from them.
    """

    name: ClassVar[str] = "tmf-swapped"

    def _chances(self, people, edges):
        cells = people * (people - 1) / 2
        border = log(cells / edges - 1)
        threshold = border / (2 * self.epsilon)
        if self.epsilon >= border:
            threshold = log(cells / (2 * edges) + (exp(self.epsilon) - 1) / 2) / self.epsilon
        stay = (
            exp(-self.epsilon * (threshold - 1)) / 2 if threshold > 1 else 1 - exp(self.epsilon * (threshold - 1)) / 2
        )
        return stay, (1 - stay) * edges / (cells - edges)


@dataclass(frozen=True)
class Boastful(Pseudonyms):
    """Pseudonyms that promise whatever one likes."""

    name: ClassVar[str] = "boastful"
    kind: str = "k"
    value: float = 3.0
    unit: str = "degree"

    @property
    def promise(self) -> Promise:
        return Promise(self.kind, self.value, self.unit)

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        return Pseudonyms().publish(graph, seed=seed, avoid=avoid)


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(20_000, seed=1)


@pytest.mark.parametrize("epsilon", [1.0, 5.0, 8.0])
def test_a_right_filter_is_not_refuted(graph, epsilon):
    found = [thinveil.check_promise(graph, TopMFilter(epsilon=epsilon), seed=seed) for seed in range(3)]
    assert not any(one.is_broken for one in found)
    if epsilon > 4:  # and the test has power: it comes near what is promised
        assert max(one.found for one in found) > 0.6 * epsilon


def test_a_filter_with_swapped_branches_is_caught(graph):
    found = thinveil.check_promise(graph, SwappedFilter(epsilon=1.0))
    assert found.is_broken
    assert found.found > 2
    assert "breaks its promise" in measured(found)


def test_pseudonyms_keep_no_epsilon(graph):
    found = thinveil.check_promise(graph, Boastful("epsilon", 5.0, "edge"))
    assert found.is_broken
    assert found.found == pytest.approx(found.ceiling)  # every guess is right


def test_nobody_to_look_for_is_no_test(graph):
    found = thinveil.check_promise(graph, "dp-degrees:epsilon=1")
    assert (found.found, found.is_broken) == (None, False)
    assert measured(found) == "Not tested: nobody stands behind the published nodes: no single edge can be looked for."


def test_k_is_counted(graph):
    for word in ("k-degree:k=4", "clusters:k=4,hops=0"):
        found = thinveil.check_promise(graph, word)
        assert (found.promised, found.is_broken) == (4, False)
        assert found.found >= 4
    broken = thinveil.check_promise(graph, Boastful())
    assert (broken.found, broken.is_broken) == (1, True)
    assert "broken" in measured(broken)


def test_what_cannot_be_tested_is_said(graph):
    with pytest.raises(InputError, match="pseudonyms makes no promise"):
        thinveil.check_promise(graph, "pseudonyms")
    assert "only an edge" in thinveil.check_promise(graph, Boastful("epsilon", 1.0, "person")).why
    assert "nobody has told how" in thinveil.check_promise(graph, Boastful("k", 2, "hat size")).why
    assert "too small" in thinveil.check_promise(synthetic_graph(150, seed=1), Boastful("epsilon", 1.0, "edge")).why
    assert count_sharing((), 2, "degree").why == "nobody was published"


def test_canaries_are_what_their_coins_say(graph):
    canaries = draw_canaries(graph, CANARIES, np.random.default_rng(3))
    assert np.unique(np.concatenate(canaries[:2])).size == 2 * canaries.heads.size == 20_000
    changed = with_canaries(graph, canaries)
    seen, asked = look_for(Pseudonyms().publish(changed, seed=1), canaries)
    assert asked.all()
    assert (seen == canaries.heads).all()
    pairs = {tuple(sorted(pair)) for pair in zip(canaries.one.tolist(), canaries.two.tolist(), strict=True)}
    assert edges(graph) - pairs == edges(changed) - pairs  # nothing else was touched


def edges(graph):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    once = source < graph.indices
    return set(zip(source[once].tolist(), graph.indices[once].tolist(), strict=True))


@given(st.integers(1, 3_000), st.data())
def test_the_bound_is_where_so_many_right_guesses_turn_improbable(guesses, data):
    right = data.draw(st.integers(1, guesses))
    epsilon = refuted_epsilon(guesses, right)
    if epsilon:  # as scipy has it: under that epsilon, so many or more come right in 1 of 20 cases
        assert binom.sf(right - 1, guesses, 1 / (1 + exp(-epsilon))) == pytest.approx(0.05, rel=1e-3)
    assert refuted_epsilon(guesses, guesses) >= epsilon


def test_ceilings_grow_with_the_guesses():
    ceilings = [bound_epsilon(1, "edge", canaries=n, guesses=n, right=n).ceiling for n in (100, 1_000, 10_000)]
    assert ceilings == pytest.approx([3.49, 5.81, 8.11], abs=0.01)


def test_guesses_by_lot_refute_nothing():
    chance = np.random.default_rng(1)
    refuted = [refuted_epsilon(1_000, int(chance.binomial(1_000, 0.5))) > 0 for _ in range(400)]
    assert np.mean(refuted) < 0.09


def test_the_page_and_the_terminal_tell_it(tmp_path):
    out = tmp_path / "out"
    words = [
        "audit",
        "synthetic",
        "--threat",
        "identification:node_overlap=1,edge_overlap=0.75",
        "--attack",
        "forest:trees=20",
    ]
    done = CliRunner().invoke(
        app, [*words, "--scheme", "k-degree:k=3", "--alone", "--test-promise", "--out", str(out), "-q"]
    )
    assert done.exit_code == 0, done.output
    assert "At least 3 people share each degree." in done.output
    page = (out / "report.html").read_text()
    assert "What the scheme promises" in page
    assert '"promise": {' in (out / "result.json").read_text()
    refused = CliRunner().invoke(app, [*words, "--test-promise", "--out", str(tmp_path / "no"), "-q"])
    assert "pseudonyms makes no promise" in str(refused.exception)


def test_declared_and_measured_are_told_apart():
    found = bound_epsilon(2.0, "edge", canaries=1_000, guesses=900, right=700)
    assert declared(found) == "Differential privacy with epsilon = 2 for one edge."
    assert "does not prove it" in measured(found)
    for words in (declared(found), measured(found)):
        assert "safe" not in words
        assert "anonymous" not in words
