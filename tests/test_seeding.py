"""Known seeds: which pairs they leave, and what the numbers stand for."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import linked, neighbors_of, ordered
from tests.naive import linkage as naive
from thinveil.attacks import SignatureAttack
from thinveil.auditing.seeding import Seeds, all_pairs, draw_seeds, measure_seeds, neighbor_pairs
from thinveil.errors import InputError, SampleError
from thinveil.features import observe
from thinveil.features.pairs import Pairs, PairSampler
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import FPRS
from thinveil.schemes import make_scheme


@given(linked(), st.integers(1, 3))
def test_neighbor_pairs(case, most_seeds):
    subgraph, edges, person = case
    neighbors, knows = neighbors_of(edges, subgraph.size)
    shared = [
        (p, q) for p in np.flatnonzero(subgraph == 0) for q in np.flatnonzero(subgraph == 1)
        if person[p] == person[q] >= 0
    ][:most_seeds]  # fmt: skip
    known = Seeds(
        np.array([0, len(shared)]), Pairs(*(np.array([s[k] for s in shared], dtype=np.int64) for k in (0, 1)))
    )
    comp, total = neighbor_pairs(neighbors, known, most=10**6, seed=0)
    assert sorted(ordered(comp)) == sorted(naive.neighbor_pairs(knows, shared))
    assert total == len(comp)


@pytest.fixture(scope="module")
def side():
    release = make_scheme("d4d-1", egonets=8, min_size=50).draw(synthetic_graph(1500, seed=3), seed=4)[0]
    return observe(release, SignatureAttack().channels, keep_neighbors=True)


def test_seeds_are_right_and_each_couple_has_as_many_as_it_can(side):
    view, truth = side
    known = draw_seeds(view, truth, per_couple=3, couples=10, rng=np.random.default_rng(0))
    assert (truth.person[known.pairs.left] == truth.person[known.pairs.right]).all()
    assert len(set(ordered(known.pairs))) == len(known.pairs)
    for first, last in zip(known.starts[:-1], known.starts[1:], strict=True):
        one, two = view.subgraph[known.pairs.left[first:last]], view.subgraph[known.pairs.right[first:last]]
        assert len(set(one)) == len(set(two)) == 1
        shared = np.intersect1d(*(truth.person[view.subgraph == k] for k in (one[0], two[0])))
        assert last - first == min(3, shared.size)


def test_a_share_of_many_pairs(side):
    view, truth = side
    known = draw_seeds(view, truth, per_couple=1, couples=10, rng=np.random.default_rng(0))
    every, total = neighbor_pairs(view.neighbors, known, most=10**9, seed=1)
    some, same_total = neighbor_pairs(view.neighbors, known, most=total // 4, seed=1)
    assert len(every) == total == same_total
    assert set(ordered(some)) < set(ordered(every))
    assert abs(len(some) - total / 4) < 5 * np.sqrt(total * 3 / 16)


def test_everybody_with_everybody(side):
    view, truth = side
    known = draw_seeds(view, truth, per_couple=1, couples=4, rng=np.random.default_rng(0))
    drawn, shared = all_pairs(view, truth, known, most=2000, rng=np.random.default_rng(1))
    couples = {(view.subgraph[p], view.subgraph[q]) for p, q in ordered(known.pairs)}
    assert {(view.subgraph[p], view.subgraph[q]) for p, q in ordered(drawn)} <= couples
    assert (truth.person[shared.left] == truth.person[shared.right]).all()
    assert set(ordered(known.pairs)) <= set(ordered(shared))


class Oracle(SignatureAttack):
    """Scores what it is told to; keeps what it was asked."""

    def __init__(self, person):
        super().__init__()
        self.person, self.asked = person, []

    def score(self, view, pairs):
        self.asked.append(ordered(pairs))
        return (self.person[pairs.left] == self.person[pairs.right]).astype(float)


def test_an_attack_that_knows_finds_all(side):
    view, truth = side
    result = measure_seeds(view, truth, Oracle(truth.person), couples=10, most=20_000)
    assert result.auc == 1.0
    assert {found.value for found in (*result.found, *result.blind_found) if found} == {1.0}
    assert len(result.found) == len(FPRS)
    for worth in result.worth:
        assert worth.precision == worth.blind_precision == 1.0
        assert worth.right == pytest.approx(result.prior.value * result.candidates / result.couples)
        assert worth.blind_right > worth.right


def test_numbers_follow_from_the_rows(side):
    view, truth = side
    result = measure_seeds(view, truth, SignatureAttack(), couples=10, most=20_000, seed=2)
    assert result == measure_seeds(view, truth, SignatureAttack(), couples=10, most=20_000, seed=2, threads=1)
    assert result != measure_seeds(view, truth, SignatureAttack(), couples=10, most=20_000, seed=3)
    sampler = PairSampler(view.subgraph, truth)
    sizes = np.bincount(view.subgraph)
    assert result.release_prior == pytest.approx(
        sampler.count("complete") / ((sizes.sum() ** 2 - (sizes**2).sum()) / 2)
    )
    assert result.prior.trials == result.scored <= result.candidates
    assert result.prior.value > result.release_prior


def test_bad_input_is_named(side):
    view, truth = side
    with pytest.raises(InputError, match="0 seeds for 200 couples of sub-graphs: give 1 or more of both"):
        measure_seeds(view, truth, SignatureAttack(), seeds=0)
    with pytest.raises(InputError, match="keep_neighbors=True"):
        measure_seeds(replace(view, neighbors=None), truth, SignatureAttack())
    strangers = replace(truth, person=np.arange(len(view), dtype=np.int32))
    with pytest.raises(SampleError, match="no two sub-graphs share anybody"):
        measure_seeds(view, strangers, SignatureAttack())
