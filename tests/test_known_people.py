"""Known people: which pairs they leave to compare, and what the numbers stand for."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import linked, neighbors_of, ordered
from tests.naive import linkage as naive
from thinveil.attacks import Known, SignatureAttack
from thinveil.errors import InputError, SampleError
from thinveil.features import Needs, label, observe
from thinveil.features.pairs import Pairs, PairSampler, Question
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.known import KnownPairs, all_pairs, draw_known, measure_known, neighbor_pairs
from thinveil.measures.rates import FPRS
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import make_scheme

FEW = {"subgraph_pairs": 10, "most": 20_000}


@given(linked(), st.integers(1, 3))
def test_neighbor_pairs(case, most_known):
    subgraph, edges, person = case
    neighbors, knows = neighbors_of(edges, subgraph.size)
    shared = [
        (p, q) for p in np.flatnonzero(subgraph == 0) for q in np.flatnonzero(subgraph == 1)
        if person[p] == person[q] >= 0
    ][:most_known]  # fmt: skip
    known = KnownPairs(
        np.array([0, len(shared)]), Pairs(*(np.array([s[k] for s in shared], dtype=np.int64) for k in (0, 1)))
    )
    comp, total = neighbor_pairs(neighbors, known, most=10**6, seed=0)
    assert sorted(ordered(comp)) == sorted(naive.neighbor_pairs(knows, shared))
    assert total == len(comp)


@pytest.fixture(scope="module")
def side():
    release = make_scheme("d4d-1:egonets=8,min_size=50").publish(synthetic_graph(1500, seed=3), seed=4)
    view = observe(release.public, SignatureAttack().needs.join(Needs(neighbors=True)))
    return view, label(release.secret, view)


@pytest.fixture(scope="module")
def score(side):
    """What the signature attack says of pairs."""
    view, labels = side
    session = SignatureAttack().fit(Known(view, labels.person, {}), seeds=Seeds(0)).enter(view)
    return lambda pairs: session.score(pairs, Question())


def draw(side, each, subgraph_pairs=10):
    return draw_known(*side, each=each, subgraph_pairs=subgraph_pairs, rng=np.random.default_rng(0))


def test_known_pairs_are_right_and_every_two_sub_graphs_have_as_many_as_they_can(side):
    view, labels = side
    known = draw(side, each=3)
    assert (labels.person[known.pairs.left] == labels.person[known.pairs.right]).all()
    assert len(set(ordered(known.pairs))) == len(known.pairs)
    for first, last in zip(known.starts[:-1], known.starts[1:], strict=True):
        one, two = view.subgraph[known.pairs.left[first:last]], view.subgraph[known.pairs.right[first:last]]
        assert len(set(one)) == len(set(two)) == 1
        shared = np.intersect1d(*(labels.person[view.subgraph == k] for k in (one[0], two[0])))
        assert last - first == min(3, shared.size)


def test_a_share_of_many_pairs(side):
    known = draw(side, each=1)
    every, total = neighbor_pairs(side[0].neighbors, known, most=10**9, seed=1)
    some, same_total = neighbor_pairs(side[0].neighbors, known, most=total // 4, seed=1)
    assert len(every) == total == same_total
    assert set(ordered(some)) < set(ordered(every))
    assert abs(len(some) - total / 4) < 5 * np.sqrt(total * 3 / 16)


def test_everybody_with_everybody(side):
    view, labels = side
    known = draw(side, each=1, subgraph_pairs=4)
    drawn, shared = all_pairs(view, labels, known, most=2000, rng=np.random.default_rng(1))
    chosen = {(view.subgraph[p], view.subgraph[q]) for p, q in ordered(known.pairs)}
    assert {(view.subgraph[p], view.subgraph[q]) for p, q in ordered(drawn)} <= chosen
    assert (labels.person[shared.left] == labels.person[shared.right]).all()
    assert set(ordered(known.pairs)) <= set(ordered(shared))


def test_an_attack_that_knows_finds_all(side):
    view, labels = side

    def tell(pairs):
        return (labels.person[pairs.left] == labels.person[pairs.right]).astype(float)

    result = measure_known(view, labels, tell, **FEW)
    assert result.auc == 1.0
    assert {found.value for found in (*result.found, *result.blind_found) if found} == {1.0}
    assert len(result.found) == len(FPRS)
    for worth in result.worth:
        assert worth.precision == worth.blind_precision == 1.0
        assert worth.right == pytest.approx(result.prior.value * result.candidates / result.subgraph_pairs)
        assert worth.blind_right > worth.right


def test_an_attack_that_guesses_finds_as_much_as_it_lets_pass(side):
    view, labels = side
    chance = np.random.default_rng(5)
    result = measure_known(view, labels, lambda pairs: chance.random(len(pairs)), people=3, **FEW)
    assert result.auc == pytest.approx(0.5, abs=0.1)
    for fpr, found in zip(FPRS, result.blind_found, strict=True):
        assert found is None or found.low <= fpr <= found.high
    assert all(worth.blind_precision < 0.1 for worth in result.worth)


def test_only_contacts_and_everybody_are_asked_about(side):
    """What is scored: contacts of the known people, then everybody of the same sub-graphs; each pair of two of them."""
    view, labels = side
    asked = []

    def remember(pairs):
        asked.append(ordered(pairs))
        return np.zeros(len(pairs))

    result = measure_known(view, labels, remember, **FEW)
    around, everybody, shared = asked
    assert len(around) == result.scored
    assert len(everybody) == FEW["most"]
    assert len(shared) == result.blind_prior.hits
    subgraphs = {frozenset((view.subgraph[p], view.subgraph[q])) for p, q in shared}
    assert len(subgraphs) == result.subgraph_pairs
    assert {frozenset((view.subgraph[p], view.subgraph[q])) for p, q in around + everybody} <= subgraphs
    assert result.prior.hits == sum(labels.person[p] == labels.person[q] for p, q in around)


def test_numbers_follow_from_the_appearances(side, score):
    view, labels = side
    result = measure_known(view, labels, score, **FEW, seed=2)
    with limit_threads(1):
        assert result == measure_known(view, labels, score, **FEW, seed=2)
    assert result != measure_known(view, labels, score, **FEW, seed=3)
    sampler = PairSampler(view.subgraph, labels)
    sizes = np.bincount(view.subgraph)
    assert result.release_prior == pytest.approx(
        sampler.count("complete") / ((sizes.sum() ** 2 - (sizes**2).sum()) / 2)
    )
    assert result.prior.trials == result.scored <= result.candidates
    assert result.prior.value > result.release_prior


def test_bad_input_is_named(side, score):
    view, labels = side
    with pytest.raises(InputError, match="0 known people for 200 pairs of sub-graphs: give 1 or more of both"):
        measure_known(view, labels, score, people=0)
    with pytest.raises(InputError, match=r"Needs\(neighbors=True\)"):
        measure_known(replace(view, neighbors=None), labels, score)
    strangers = replace(labels, person=np.arange(len(view), dtype=np.int32))
    with pytest.raises(SampleError, match="no two sub-graphs share anybody"):
        measure_known(view, strangers, score)
