"""What the forest refuses to learn from, and how it says so."""

import numpy as np
import pytest

from thinveil.errors import InputError
from thinveil.learners.forest import PairForest


def some_pairs(count=20):
    return np.random.default_rng(0).poisson(4, (count, 12)), np.arange(count) % 2 == 0


@pytest.fixture(scope="module")
def forest():
    return PairForest(trees=10).fit(*some_pairs())


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1, 2, 3]], "pairs of shape \\(1, 3\\): each row must hold two vectors of equal length"),
        ([1, 2], "pairs of shape \\(2,\\)"),
        (np.empty((3, 0)), "pairs of shape \\(3, 0\\)"),
        ([[1, -2]], "feature vectors must hold counts: whole numbers from 0 up"),
        ([[1, 2.5]], "whole numbers"),
        ([[1, 2**40]], "whole numbers"),
    ],
)
def test_bad_pairs_are_named(X, message, forest):
    with pytest.raises(InputError, match=message):
        PairForest().fit(X, [True] * len(X))
    with pytest.raises(InputError, match=message):
        forest.predict(X)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_missing_values_are_refused_quietly(value):
    with pytest.raises(InputError, match="whole numbers"):
        PairForest().fit([[1, value]], [True])


def test_whole_floats_and_any_integer_type_are_counts(forest):
    X, _ = some_pairs()
    for kind in (np.uint8, np.int64, float):
        assert (forest.predict_proba(X.astype(kind)) == forest.predict_proba(X)).all()


def test_vectors_of_another_width_are_refused(forest):
    with pytest.raises(InputError, match="vectors of 2 components, but the forest learned 6"):
        forest.predict([[1, 2, 3, 4]])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([True, True, True], "labels must be true \\(identical\\) or false \\(non-identical\\), and both must occur"),
        ([0, 0, 0], "both must occur"),
        ([0, 1, 2], "labels must be true"),
        ([True, False], "labels of shape \\(2,\\) for 3 pairs"),
        ([[True], [False], [True]], "labels of shape \\(3, 1\\) for 3 pairs"),
    ],
)
def test_bad_labels_are_named(y, message):
    with pytest.raises(InputError, match=message):
        PairForest().fit([[1, 2]] * 3, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"trees": 0}, "trees = 0: give a whole number from 1"),
        ({"bag_size": -1}, "bag_size = -1: give a whole number from 1"),
        ({"thresholds": 1}, "thresholds = 1: give a whole number from 2"),
        ({"candidates": 0.0}, "candidates = 0.0: give a share above 0 and up to 1"),
        ({"candidates": 1.01}, "candidates = 1.01"),
        ({"smallest": float("nan")}, "smallest = nan"),
        ({"seed": -1}, "seed -1 is not allowed"),
        ({"widths": (2, 3)}, "channels of widths \\(2, 3\\) do not fill vectors of 6 components"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(InputError, match=message):
        PairForest(**parameters).fit(*some_pairs())


@pytest.mark.parametrize(
    "parameters", [{"trees": 2.5}, {"bag_size": 2.5}, {"trees": "9"}, {"candidates": "all"}, {"widths": (7, -1)},
                   {"threads": -1}]
)  # fmt: skip
def test_parameters_of_wrong_type_are_named(parameters):
    with pytest.raises(InputError, match=next(iter(parameters))):
        PairForest(**parameters).fit(*some_pairs())


def test_too_many_thresholds_are_refused():
    with pytest.raises(InputError, match="thresholds = 65538"):
        PairForest(thresholds=65_538).check_parameters()


def test_negative_counts_do_not_reach_the_kernels():
    vectors = np.array([[1, -2], [1, 2]], dtype=np.int32)
    with pytest.raises(InputError, match="whole numbers from 0 up"):
        PairForest(trees=1).fit_pairs(vectors, np.array([0, 1]), np.array([1, 0]), [True, False])
