import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn import metrics as oracle

from tests.naive import metrics as naive
from thinveil.errors import InputError
from thinveil.measures import rates as metrics
from thinveil.measures.rates import (
    FPRS,
    auc,
    link_outlook,
    outlook_bounds,
    placements,
    precision_bounds,
    rate,
    roc_curve,
    share_bounds,
    threshold_at,
    tpr_at_fpr,
)

# few different values, so that ties are common
scores = st.lists(st.integers(0, 8).map(lambda k: k / 8), min_size=1, max_size=40).map(np.array)
fprs = st.sampled_from([*FPRS, 0.05, 0.3, 0.5, 1.0])


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_equal_scipy(case):
    hits, trials = case
    comp = rate(hits, trials)
    ref = binomtest(hits, trials).proportion_ci(confidence_level=0.95, method="exact")
    assert (comp.low, comp.high) == pytest.approx((ref.low, ref.high), abs=1e-9)
    assert comp.low <= comp.value == hits / trials <= comp.high


def test_intervals_at_the_ends():
    assert rate(0, 10).low == 0.0
    assert rate(10, 10).high == 1.0
    assert rate(0, 10).high == pytest.approx(1 - 0.025**0.1)  # (1 - p)^10 = 2.5%
    assert rate(5, 10, confidence=0.99).low < rate(5, 10).low


@given(st.floats(0, 1), st.integers(1, 500))
def test_hits_that_are_not_whole_have_the_wider_interval(share, trials):
    low, high = share_bounds(share, trials)
    below, above = math.floor(share * trials + 1e-9), math.ceil(share * trials - 1e-9)
    assert (low, high) == (rate(below, trials).low, rate(above, trials).high)
    assert low <= share + 1e-9
    assert share <= high + 1e-9


def test_many_trials_are_counted_in_whole_numbers():
    assert rate(66_666_667, 200_000_001).low < 66_666_667 / 200_000_001 < rate(66_666_667, 200_000_001).high


@pytest.mark.parametrize(("hits", "trials"), [(3, 2), (-1, 5), (0, 0)])
def test_impossible_counts_are_named(hits, trials):
    with pytest.raises(InputError, match=f"{hits} hits in {trials} trials"):
        rate(hits, trials)


@given(scores, scores, fprs)
def test_true_positives_equal_plain_twin(positives, negatives, fpr):
    comp = tpr_at_fpr(positives, negatives, fpr)
    if int(fpr * negatives.size + 1e-9) < 1:
        assert comp is None  # too few negatives to tell
    else:
        assert comp.value == naive.tpr_at_fpr(positives, negatives, fpr)
        assert comp.trials == positives.size


@given(scores, fprs)
def test_threshold_keeps_its_promise(negatives, fpr):
    threshold = threshold_at(negatives, fpr)
    if threshold is not None:
        allowed = int(fpr * negatives.size + 1e-9)
        assert np.count_nonzero(negatives > threshold) <= allowed
        lower = negatives[negatives < threshold]  # the next threshold down would let too many pass
        assert not lower.size or np.count_nonzero(negatives > lower.max()) > allowed


@pytest.mark.parametrize("fpr", [1e-4, 1e-3, 0.01, 0.07, 0.1, 0.25, 0.29, 0.57])
def test_products_that_floats_round_down(fpr):
    for negatives in (100, 10_000, 100_000, 1_000_000):  # 0.29 * 100 is 28.999999999999996
        assert metrics.allowed_false_positives(fpr, negatives) == round(fpr * negatives, 6) // 1
    assert metrics.allowed_false_positives(1e-4, 100_000) == 10
    assert metrics.allowed_false_positives(1e-4, 9_999) == 0


def test_too_few_negatives_are_not_guessed():
    assert tpr_at_fpr(np.ones(5), np.zeros(9_999), 1e-4) is None
    assert tpr_at_fpr(np.ones(5), np.zeros(10_000), 1e-4).value == 1.0


@given(scores, scores)
def test_auc_equals_twin_and_sklearn(positives, negatives):
    comp = auc(positives, negatives)
    assert comp == pytest.approx(float(naive.auc(positives, negatives)), abs=1e-12)
    labels = np.repeat([1, 0], [positives.size, negatives.size])
    assert comp == pytest.approx(oracle.roc_auc_score(labels, np.append(positives, negatives)))
    assert auc(negatives, positives) == pytest.approx(1 - comp)


@given(scores, scores)
def test_the_area_is_the_mean_place(positives, negatives):
    places = placements(positives, negatives)
    assert places.mean() == pytest.approx(auc(positives, negatives))
    assert places.tolist() == naive.placements(positives.tolist(), negatives.tolist())


@given(scores, scores)
def test_roc_equals_twin(positives, negatives):
    curve = roc_curve(positives, negatives)
    ref = naive.roc_points(positives.tolist(), negatives.tolist())
    assert np.column_stack(curve).tolist() == [[f / negatives.size, t / positives.size] for f, t in ref]
    assert np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(auc(positives, negatives))


@given(scores, scores, fprs)
def test_curve_and_table_agree(positives, negatives, fpr):
    in_table = tpr_at_fpr(positives, negatives, fpr)
    if in_table is not None:
        assert roc_curve(positives, negatives).at(np.array([fpr]))[0] == in_table.value


@given(scores, scores, fprs)
def test_only_the_order_of_scores_counts(positives, negatives, fpr):
    def bent(values):
        return np.exp(3 * values) - 7

    assert auc(bent(positives), bent(negatives)) == pytest.approx(auc(positives, negatives), abs=1e-12)
    assert tpr_at_fpr(bent(positives), bent(negatives), fpr) == tpr_at_fpr(positives, negatives, fpr)


def test_outlook_of_a_link():
    # Section 2.2 of the paper: one match among n, so n - 1 chances to be wrong
    outlook = link_outlook(0.9, 0.001, pairs=1001, matches=1)
    assert outlook.right == 0.9
    assert outlook.wrong == pytest.approx(1.0)
    assert outlook.precision == pytest.approx(0.9 / 1.9)
    assert link_outlook(0.0, 0.0, pairs=10, matches=1).precision is None
    assert link_outlook(1.0, 0.0, pairs=10, matches=1).precision == 1.0


def test_an_outlook_is_as_sure_as_its_rates():
    worst, best = outlook_bounds((0.0, 0.07), (0.0, 0.0004), pairs=101, matches=1)
    assert precision_bounds(worst, best) == (0.0, 1.0)
    assert (best.right, worst.wrong) == (0.07, 0.04)
    worst, best = outlook_bounds((0.3, 0.4), (0.0009, 0.0011), pairs=101, matches=1)
    low, high = precision_bounds(worst, best)
    assert low < link_outlook(0.35, 0.001, pairs=101, matches=1).precision < high
    assert precision_bounds(*outlook_bounds((0.0, 0.0), (0.0, 0.0), pairs=1, matches=1)) == (0.0, 1.0)
