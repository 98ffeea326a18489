"""ROC curves are no surer than the rates in the tables: a few pairs make wide bands."""

import numpy as np
import pytest

import thinveil
from thinveil.graph.synthetic import synthetic_graph

FEW = {"test_negatives": 5_000, "train_negatives": 2_000}


@pytest.fixture(scope="module", params=[1, 3])
def result(request):
    graph = synthetic_graph(800, seed=2)
    scheme = "d4d-1:egonets=6,min_size=60"
    return thinveil.audit(graph, scheme, attack="signature", repeats=request.param, beside=(), **FEW)


def test_a_curve_has_the_intervals_of_the_rates(result):
    assert result.roc
    for rate in result.rates:
        curve = result.roc.get(rate.category)
        if rate.tpr is None or curve is None or rate.fpr < curve.fpr[0]:
            continue
        for end in ("low", "high"):
            told = np.interp(np.log(rate.fpr), np.log(curve.fpr), getattr(curve, end))
            assert told == pytest.approx(getattr(rate, end), abs=0.12)  # points between are carried over


def test_no_point_of_a_curve_of_a_sample_is_sure(result):
    for category, curve in result.roc.items():
        pairs = next(rate.positives for rate in result.rates if rate.category == category)
        least = least_width(pairs)
        assert (curve.low <= curve.tpr).all()
        assert (curve.tpr <= curve.high).all()
        assert (curve.high - curve.low > 0.9 * least).all()


def least_width(pairs):
    """Return the width of the exact interval of none of so many independent pairs: no interval is narrower."""
    return 1 - 0.025 ** (1 / pairs)
