"""The forest as an estimator: conventions, bad input, and what it learns."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score

from thinveil.errors import InputError
from thinveil.learners.forest import PairForest, growing, print_tree
from thinveil.learners.forest.forest import Trees


def planted(count, seed, width=6, signal=None):
    """Half of the pairs agree up to noise in the components of the signal, all others are unrelated."""
    rng = np.random.default_rng(seed)
    left, right = rng.poisson(4, (2, count, width))
    y = np.arange(count) % 2 == 0
    agree = list(range(width)) if signal is None else signal
    right[np.ix_(y, agree)] = rng.binomial(left[np.ix_(y, agree)], 0.8)
    return np.hstack([left, right]), y


@pytest.fixture(scope="module")
def forest():
    return PairForest(trees=60, bag_size=200, seed=3).fit(*planted(1000, 0))


def test_conventions_of_sklearn(forest):
    X, y = planted(50, 1)
    fresh = PairForest(trees=5)
    assert fresh.fit(X, y) is fresh
    assert fresh.classes_.tolist() == [False, True]
    assert fresh.n_features_in_ == 12
    assert fresh.predict(X).shape == (50,)
    assert fresh.predict(X).dtype == bool
    chances = forest.predict_proba(X)
    assert chances.shape == (50, 2)
    assert chances.sum(axis=1) == pytest.approx(1)
    assert ((chances >= 0) & (chances <= 1)).all()
    assert (forest.predict(X) == (chances[:, 1] > 0.5)).all()
    assert forest.score(X, y) == (forest.predict(X) == y).mean()
    assert forest.predict_proba(X[:0]).shape == (0, 2)


def test_parameters_are_kept_and_cloned():
    parameters = {
        "trees": 7, "bag_size": 9, "candidates": 0.5, "thresholds": 11, "smallest": 0.2, "widths": (2, 4), "seed": 5,
        "threads": 1,
    }  # fmt: skip
    forest = PairForest(**parameters)
    assert forest.get_params() == parameters == clone(forest).get_params()
    assert forest.set_params(trees=3).trees == 3
    with pytest.raises(NotFittedError):
        clone(forest.fit(*planted(50, 1))).predict(planted(5, 1)[0])
    defaults = PairForest().get_params()
    paper = {"trees": 400, "bag_size": 600, "candidates": 0.05, "thresholds": 21, "smallest": 0.1}
    assert {name: defaults[name] for name in paper} == paper


def test_nothing_is_told_before_fit():
    X, _ = planted(5, 1)
    for ask in (PairForest().predict, PairForest().predict_proba, lambda _: PairForest().important_pairs()):
        with pytest.raises(NotFittedError):
            ask(X)


def test_no_tree_is_printed_before_fit():
    with pytest.raises(NotFittedError):
        print_tree(PairForest(), 0)


# the paper's Figure 4: (i, j, tau, False branch, True branch) or a leaf (non-identical, identical)
FIGURE_4 = (
    0, 58, 0.95,
    (7, 29, 0.45, (18, 19), (52, 53, 0.95, (0, 3), (21, 68, 0.95, (1, 2),
        (0, 0, 0.05, (57, 37, 0.95, (3, 1), (112, 0)), (1, 1))))),
    (64, 0, 0.95,
        (54, 2, 0.95, (6, 19), (49, 21, 0.95, (1, 3), (51, 11, 0.95, (1, 2), (67, 45, 0.95, (3, 2), (49, 0))))),
        (22, 7, 0.45, (0, 60), (61, 20, 0.95, (4, 26), (54, 0, 0.95, (1, 2), (0, 60))))),
)  # fmt: skip


def totals(tree):
    return tree if len(tree) == 2 else tuple(map(sum, zip(*map(totals, tree[3:]), strict=True)))


def as_forest(tree):
    nodes, queue = [], [tree]
    for branch in queue:
        different, identical = totals(branch)
        row = [0, 0, 0, 0, identical, different]
        if len(branch) > 2:
            row[:4] = branch[0], branch[1], round(20 * branch[2]), len(queue)
            queue += branch[3:]
        nodes.append(row)
    forest = PairForest(trees=1)
    forest.adopt(Trees(np.array(nodes, dtype=np.int32), np.zeros(len(nodes), dtype=np.int64), np.array([0]), 20), (70,))
    return forest


def test_the_papers_tree():
    assert totals(FIGURE_4) == (200, 200)
    forest = as_forest(FIGURE_4)
    pair = np.zeros((1, 140), dtype=int)
    pair[0, [64, 54]] = 3, 1  # v1[64] and v1[54] where v2[0] and v2[2] are zero
    assert forest.predict_proba(pair)[0].tolist() == pytest.approx([0.24, 0.76])
    text = print_tree(forest, 0)
    assert text.startswith("δ(v1[0], v2[58]) ≤ 0.95\n├─ False: δ(v1[7], v2[29]) ≤ 0.45\n│  ├─ False: 18, 19\n")
    assert "\n   ├─ False: δ(v1[54], v2[2]) ≤ 0.95\n   │  ├─ False: 6, 19\n" in text
    for tree in (-1, 1):
        with pytest.raises(InputError, match=f"no tree {tree}: the forest has trees 0 to 0"):
            print_tree(forest, tree)


def test_a_planted_signal_is_found_first():
    forest = PairForest(trees=50, bag_size=300, candidates=0.5).fit(*planted(1000, 0, signal=[2]))
    pairs = forest.important_pairs(36)
    assert pairs[0][:2] == (2, 2)
    shares = [share for _, _, share in pairs]
    assert shares == sorted(shares, reverse=True)
    assert min(shares) > 0
    assert sum(shares) <= 1 + 1e-12
    assert shares[0] > 3 * shares[1]
    assert forest.important_pairs(3) == pairs[:3]


def test_as_good_as_sklearn_on_the_same_deltas(forest):
    def deltas(X):
        x, y = X[:, :6, None].astype(float), X[:, None, 6:]
        return (abs(x - y) / np.maximum(np.maximum(x, y), 1)).reshape(len(X), -1)

    (X, y), (fresh, truth) = planted(1000, 0), planted(1000, 1)
    oracle = RandomForestClassifier(60, criterion="entropy", min_samples_split=0.1, max_samples=400, random_state=0)
    ref = roc_auc_score(truth, oracle.fit(deltas(X), y).predict_proba(deltas(fresh))[:, 1])
    comp = roc_auc_score(truth, forest.predict_proba(fresh)[:, 1])
    assert comp > 0.8
    assert comp == pytest.approx(ref, abs=0.03)


def test_nothing_is_learned_from_shuffled_labels():
    X, y = planted(2000, 0)
    forest = PairForest(trees=40, bag_size=300).fit(X, np.random.default_rng(1).permutation(y))
    fresh, truth = planted(2000, 1)
    spread = np.sqrt(2001 / 12) / 1000  # of the area under the curve of a guess, 1,000 + 1,000 pairs
    assert roc_auc_score(truth, forest.predict_proba(fresh)[:, 1]) == pytest.approx(0.5, abs=4 * spread)


def test_which_side_comes_first_says_nothing(forest):
    X, y = planted(1000, 0)
    turned = PairForest(trees=60, bag_size=200, seed=3).fit(np.roll(X, 6, axis=1), y)
    fresh, truth = planted(1000, 1)
    one, two, back = (
        model.predict_proba(rows)[:, 1]
        for model, rows in ((forest, fresh), (turned, fresh), (forest, np.roll(fresh, 6, axis=1)))
    )
    assert np.corrcoef(one, two)[0, 1] > 0.9
    assert np.corrcoef(one, back)[0, 1] > 0.9
    for other in (two, back):
        assert roc_auc_score(truth, other) == pytest.approx(roc_auc_score(truth, one), abs=0.02)


def test_both_orders_are_learned():
    # the left vector is always the smaller one; trees that saw one order only would know it
    X = np.tile([1, 0, 0, 0, 9, 9], (100, 1))
    X[::2] = [1, 0, 0, 3, 0, 0]
    forest = PairForest(trees=100).fit(X, np.arange(100) % 2 == 0)
    splits = forest.grown_.nodes[forest.grown_.nodes[:, growing.CHILD] > 0]
    assert {0, 1, 2} == set(splits[:, growing.FIRST]) | set(splits[:, growing.SECOND])
    there, back = forest.predict_proba(X)[:, 1], forest.predict_proba(np.roll(X, 3, axis=1))[:, 1]
    assert there == pytest.approx(back, abs=0.1)


def test_parameters_changed_after_fit_do_not_touch_the_trees():
    X, y = planted(100, 1)
    forest = PairForest(trees=5).fit(X, y)
    before = forest.predict_proba(X)
    assert (forest.set_params(thresholds=5).predict_proba(X) == before).all()


def test_kernels_are_compiled_once(forest):
    rules = [PairForest(smallest=1)._rules(5, (3,)), PairForest()._rules(5, (1,)), PairForest()._rules(5, (2, 2))]
    for rule in rules:
        assert isinstance(rule.smallest, float)
        assert rule.candidates.flags.c_contiguous
