"""Mistakes by how far neighbourhoods overlap: ranges, counts, and what is not told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few
from thinveil.features import Needs, observe
from thinveil.features.pairs import Pairs
from thinveil.measures.mistakes import Overlaps, Sample, paper_ranges, risk_by_overlap, sample_overlaps
from thinveil.measures.neighborhoods import neighborhood_overlaps
from thinveil.measures.rates import rate
from thinveil.schemes import D4D1

NOBODY = Sample(np.empty(0), np.empty(0))


def sample(*groups):
    """Each group is (overlap, pairs, those of them with a high score)."""
    overlaps = np.concatenate([np.full(pairs, overlap) for overlap, pairs, _ in groups])
    scores = np.concatenate([np.arange(pairs) < high for _, pairs, high in groups]).astype(float)
    return Sample(scores, overlaps)


def counts(risks):
    return {
        r.lowest if r.highest != 0 else "none": (r.hits, r.positives, r.false_positives, r.negatives) for r in risks
    }


def test_a_range_holds_its_lower_end():
    edges = sample((0, 30, 1), (1e-9, 30, 2), (0.05, 30, 3), (0.1, 30, 4), (0.15, 30, 5), (1, 30, 6))
    assert counts(risk_by_overlap([Overlaps(edges, edges)], [0.5])) == {
        "none": (1, 30, 1, 30), 0.0: (2, 30, 2, 30), 0.05: (3, 30, 3, 30), 0.1: (4, 30, 4, 30),
        0.15: (5, 30, 5, 30), 0.3: (6, 30, 6, 30),
    }  # fmt: skip


def test_draws_are_pooled_each_with_its_threshold():
    one, two = (Overlaps(sample((0.07, 40, hits)), sample((0, 100, 1))) for hits in (10, 20))
    strict = risk_by_overlap([one, two], [0.5, 1.0])
    assert counts(strict)[0.05] == (10, 80, 0, 0)
    assert counts(strict)["none"] == (0, 0, 1, 200)


def test_rates_come_with_their_intervals():
    risk = risk_by_overlap([Overlaps(sample((0.2, 50, 20)), sample((0.2, 400, 3)))], [0.5])[-1]
    same, different = rate(20, 50), rate(3, 400)
    assert (risk.tpr, risk.tpr_low, risk.tpr_high) == (same.value, same.low, same.high)
    assert (risk.fpr, risk.fpr_low, risk.fpr_high) == (different.value, different.low, different.high)


def test_few_pairs_are_not_told_of():
    risks = risk_by_overlap([Overlaps(sample((0.07, 19, 5), (0.12, 20, 5)), NOBODY)], [0.5])
    small, large, empty = risks[2], risks[3], risks[4]
    assert (small.tpr, small.hits, small.positives) == (None, None, 19)
    assert (large.tpr, large.hits, large.positives) == (0.25, 5, 20)
    assert (empty.tpr, empty.hits, empty.positives) == (None, 0, 0)


@pytest.mark.parametrize(
    ("negatives", "lowest"),
    [
        (((0.2, 50, 0), (0.4, 50, 0), (0.6, 50, 0)), [0.15, 0.3, 0.5]),
        (((0.2, 50, 0), (0.4, 50, 0), (0.6, 19, 0)), [0.15, 0.3]),
        (((0.2, 50, 0), (0.4, 19, 0), (0.6, 50, 0)), [0.15, 0.3]),
        (((0.2, 19, 0), (0.4, 10, 0), (0.6, 50, 0)), [0.15, 0.5]),
        (((0.2, 50, 0),), [0.15, 0.3, 0.5]),  # none at all is no small group
    ],
)
def test_the_last_range_is_cut_where_no_small_group_comes_of_it(negatives, lowest):
    positives = sample((0.2, 50, 1), (0.4, 50, 2), (0.6, 50, 3))
    risks = risk_by_overlap([Overlaps(positives, sample(*negatives))], [0.5])
    assert [risk.lowest for risk in risks[4:]] == lowest


kinds = st.lists(st.tuples(st.sampled_from([0, 0.01, 0.07, 0.12, 0.2, 0.4, 0.7]), st.booleans()), max_size=150)


@few
@given(kinds, kinds)
def test_the_papers_ranges_hold_the_same_pairs(positives, negatives):
    both = [
        Sample(np.array([float(s) for _, s in k]), np.array([float(o) for o, _ in k])) for k in (positives, negatives)
    ]
    risks = risk_by_overlap([Overlaps(*both)], [0.5])
    paper = paper_ranges(risks)
    assert [(risk.lowest, risk.highest) for risk in paper] == [
        (0, 0), (0, 0.05), (0.05, 0.1), (0.1, 0.15), (0.15, None)
    ]  # fmt: skip
    assert paper[:4] == risks[:4]
    for ranges in (risks, paper):
        assert sum(risk.positives for risk in ranges) == len(positives)
        assert sum(risk.negatives for risk in ranges) == len(negatives)
    last = [high for overlap, high in positives if overlap >= 0.15]
    assert paper[4].hits == (sum(last) if len(last) >= 20 or not last else None)


def test_scores_stay_with_their_pairs(crowd):
    release = D4D1(egonets=10, min_size=20).publish(crowd, seed=1)
    view = observe(release.public, Needs())
    one, two = (Pairs(*np.random.default_rng(seed).integers(len(view), size=(2, 400))) for seed in (1, 2))
    numbers = np.arange(400.0)
    draw = [
        sample_overlaps(release, view, (one, numbers), (two, numbers), chance=np.random.default_rng(3), most=150)
        for _ in range(2)
    ]
    for kind, pairs in (("positives", one), ("negatives", two)):
        scores, overlaps = getattr(draw[0], kind)
        assert np.unique(scores).size == 150
        assert overlaps.tolist() == neighborhood_overlaps(release, view, pairs)[scores.astype(int)].tolist()
        assert getattr(draw[1], kind).scores.tolist() == scores.tolist()
