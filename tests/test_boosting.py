"""Boosted trees: our kernel against lightgbm's own prediction and against a plain twin, digit for digit."""

import json
import pickle

import lightgbm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few
from tests.naive import boosting as naive
from thinveil.errors import InputError
from thinveil.learners.boosting import Boosted, CrossFitted, Growth
from thinveil.learners.boosting.growing import _LINES_AT_ONCE, grow
from thinveil.learners.boosting.prediction import BLOCK
from thinveil.learners.boosting.trees import Trees
from thinveil.runtime.threads import limit_threads

COLUMNS = 3
NEXT_TO_ZERO = float(np.float32(1e-35))
EDGES = [0.0, NEXT_TO_ZERO, 1e-35, 1e-40, 1e-45, 1e-50, 1.0, 0.1, float(np.float32(0.1)), 16_777_217.0, 3.5e38, 1e300]
thresholds = st.sampled_from(EDGES + [-x for x in EDGES]) | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def trees(draw):
    """A tree as (column, threshold, left, right), or the value of a leaf; deep ones and shallow ones."""
    leaves = draw(st.integers(1, 64))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    pool, lean = draw(st.lists(thresholds, min_size=1, max_size=8)), draw(st.sampled_from([0.02, 0.5, 0.98]))

    def tree(leaves):
        if leaves == 1:
            return float(rng.normal())
        left = 1 + int(rng.binomial(leaves - 2, lean))
        return int(rng.integers(COLUMNS)), float(rng.choice(pool)), tree(left), tree(leaves - left)

    return tree(leaves)


def write_tree(number, tree):
    """The tree in lightgbm's text: splits in the order met, leaves in another one."""
    splits, leaves, children = [], [], []

    def add(node):
        if isinstance(node, float):
            leaves.append(node)
            return -len(leaves)
        mine = len(splits)
        splits.append(node[:2])
        children.append(None)
        right = add(node[3])
        children[mine] = (add(node[2]), right)
        return mine

    add(tree)
    rows = {
        "num_leaves": [len(leaves)], "num_cat": [0],
        "split_feature": [column for column, _ in splits], "split_gain": [1] * len(splits),
        "threshold": [repr(threshold) for _, threshold in splits], "decision_type": [2] * len(splits),
        "left_child": [left for left, _ in children], "right_child": [right for _, right in children],
        "leaf_value": [repr(value) for value in leaves], "leaf_weight": [1] * len(leaves),
        "leaf_count": [1] * len(leaves), "internal_value": [0] * len(splits),
        "internal_weight": [1] * len(splits), "internal_count": [1] * len(splits), "is_linear": [0], "shrinkage": [1],
    }  # fmt: skip
    return f"Tree={number}\n" + "".join(f"{name}={' '.join(map(str, row))}\n" for name, row in rows.items()) + "\n\n"


def write_model(drawn):
    names = " ".join(f"Column_{k}" for k in range(COLUMNS))
    return (
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
        f"max_feature_idx={COLUMNS - 1}\nobjective=binary sigmoid:1\nfeature_names={names}\n"
        f"feature_infos={' '.join(['[-1:1]'] * COLUMNS)}\n\n"
        + "".join(write_tree(number, tree) for number, tree in enumerate(drawn))
        + "end of trees\n"
    )


def model_of(booster):
    return Boosted(Trees.read(booster.model_to_string()), np.ones(booster.num_feature()))


def near(values, rng, lines, columns):
    """Lines made of the values, of the floats next to them, and of others."""
    with np.errstate(over="ignore"):
        middle = np.array(values, dtype=np.float64).astype(np.float32)
        beside = [np.nextafter(middle, np.float32(way)) for way in (-np.inf, np.inf)]
    ends = np.array([np.inf, -np.inf, 0, -0.0, 1e-45, -1e-45, 3e38, -3e38, 1e-35, -1e-35], dtype=np.float32)
    pool = np.concatenate((middle, *beside, ends, rng.normal(size=5).astype(np.float32)))
    return rng.choice(pool, size=(lines, columns))


def assert_equal_to_lightgbm(booster, table, model=None):
    model = model or model_of(booster)
    theirs = [booster.predict(table, raw_score=raw, num_threads=1) for raw in (True, False)]
    assert (model.predict(table, raw=True) == theirs[0]).all()
    np.testing.assert_allclose(model.predict(table), theirs[1], rtol=1e-14, atol=0)


@few
@given(st.lists(trees(), min_size=1, max_size=4), st.integers(0, 2**32))
def test_any_trees_equal_lightgbm_and_plain_twin(drawn, seed):
    booster = lightgbm.Booster(model_str=write_model(drawn))
    dumped, model = booster.dump_model(), model_of(booster)
    table = near(model.trees.thresholds, np.random.default_rng(seed), 60, COLUMNS)
    assert_equal_to_lightgbm(booster, table, model)
    assert model.predict(table, raw=True).tolist() == [naive.log_odds(dumped, line) for line in table]
    assert model.predict(table).tolist() == pytest.approx([naive.probability(dumped, line) for line in table])


@few
@given(thresholds, st.lists(st.floats(width=32, allow_nan=False), min_size=1))
def test_rounded_thresholds_part_floats_as_lightgbm_does(threshold, values):
    booster = lightgbm.Booster(model_str=write_model([(0, threshold, 1.0, 2.0)]))
    assert_equal_to_lightgbm(booster, near([threshold, *values], np.random.default_rng(0), 200, COLUMNS))


@pytest.mark.parametrize("leaves", [2, 15, 31, 32, 33, 64])
def test_grown_trees_equal_lightgbm(leaves):
    rng = np.random.default_rng(leaves)
    table = rng.normal(size=(4_000, 6)).astype(np.float32)
    table[:, ::2] = np.round(table[:, ::2])  # zeros and ties
    right = table[:, 0] + table[:, 1] * table[:, 2] + rng.normal(size=len(table)) > 0
    growth = Growth(trees=20, leaves=leaves, columns=0.7, lines=0.8)
    booster, model = (fit(table, right, growth, seed=3) for fit in (grow, Boosted.fit))
    assert model.trees.masks.dtype == (np.uint32 if leaves <= 32 else np.uint64)
    gains = booster.feature_importance("gain")
    assert model.gains() == pytest.approx(gains / gains.sum())
    for lines in (table, near(model.trees.thresholds, rng, 3_000, 6), near([1e30], rng, 50, 6)):
        assert_equal_to_lightgbm(booster, lines, model)


@pytest.fixture(scope="module")
def grown():
    table = np.random.default_rng(0).normal(size=(_LINES_AT_ONCE + 300, 4)).astype(np.float32)
    right = table[:, 0] + table[:, 3] > 0
    booster, model = (fit(table[:2_000], right[:2_000], Growth(trees=5)) for fit in (grow, Boosted.fit))
    return table, booster, model


@pytest.mark.parametrize("lines", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, _LINES_AT_ONCE, _LINES_AT_ONCE + 300])
def test_any_number_of_lines(grown, lines):
    table, booster, model = grown
    for threads in (1, 2):
        with limit_threads(threads):
            ours = model.predict(table[:lines], raw=True)
        assert ours.shape == (lines,)
        if lines:
            assert (ours == booster.predict(table[:lines], raw_score=True, num_threads=1)).all()


def test_layout_does_not_matter(grown):
    table, _, model = grown
    wide = np.repeat(table, 2, axis=1)
    assert (model.predict(np.asfortranarray(table)) == model.predict(table)).all()
    assert (model.predict(wide[:, ::2]) == model.predict(table)).all()


def test_kept_models_say_the_same(grown):
    table, _, model = grown
    assert (pickle.loads(pickle.dumps(model)).predict(table) == model.predict(table)).all()


def test_packed_models_say_the_same(grown):
    table, _, model = grown
    half = (np.arange(2_000) % 2).astype(np.int8)
    crossed = CrossFitted.fit(table[:2_000], table[:2_000, 0] > 0, half, Growth(trees=3, leaves=40))
    for one in (model, crossed):
        facts, arrays = one.pack()
        again = type(one).unpack(json.loads(json.dumps(facts)), {name: array.copy() for name, array in arrays.items()})
        assert (again.predict(table) == one.predict(table)).all()
    assert (again.predict_blind(table[:2_000], half) == crossed.predict_blind(table[:2_000], half)).all()
    assert (Boosted.unpack(*model.pack()).gains() == model.gains()).all()


def at(place, value):
    def change(array):
        changed = array.copy()
        changed[place] = value
        return changed

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("starts", at(0, 1), "begin and end"),
        ("starts", at(1, -3), "begin and end"),
        ("starts", at(-1, 10**6), "begin and end"),
        ("starts", lambda array: array[:0], "begin and end"),
        ("starts", lambda array: array.astype(np.int32), "no array starts"),
        ("columns", at(3, 4), "beyond the 4 that there are"),
        ("columns", at(3, -1), "beyond the 4 that there are"),
        ("columns", lambda array: array[:-1], "begin and end"),
        ("columns", lambda array: array[:, None], "no array columns"),
        ("thresholds", lambda array: array[:-1], "do not fit"),
        ("thresholds", at(0, np.nan), "no number"),
        ("masks", lambda array: array[:-1], "do not fit"),
        ("masks", at(5, 0), "rules out every leaf"),
        ("masks", at(5, 1), "rules out every leaf"),
        ("masks", lambda array: array.astype(np.uint8), "no array masks"),
        ("masks", lambda array: array.astype(np.int64), "no array masks"),
        ("leaves", lambda array: array[:-1], "do not fit"),
        ("leaves", at(0, np.inf), "no number"),
        ("leaves", lambda array: list(array), "no array leaves"),
        ("won", lambda array: array[:2], "beyond the 2 that there are"),
        ("won", at(0, -1.0), "below zero"),
    ],
)
def test_broken_arrays_are_refused(grown, name, change, message):
    facts, arrays = grown[2].pack()
    with pytest.raises(ValueError, match=message):
        Boosted.unpack(facts, {**arrays, name: change(arrays[name])})


def test_broken_models_are_refused(grown):
    facts, arrays = grown[2].pack()
    with pytest.raises(ValueError, match="no array won"):
        Boosted.unpack(facts, {name: array for name, array in arrays.items() if name != "won"})
    noise = np.random.default_rng(1).random(len(grown[0])) < 0.3
    many = Boosted.fit(grown[0], noise ^ (grown[0][:, 1] > grown[0][:, 2]), Growth(trees=2, leaves=64)).pack()[1]
    with pytest.raises(ValueError, match="more leaves than its masks have bits"):
        Boosted.unpack({}, {**many, "masks": many["masks"].astype(np.uint32)})
    for wrong in (None, {}, {"blind": [{}]}, {"blind": [{}, {}, {}]}):
        with pytest.raises(ValueError, match=r"two halves|not an object"):
            CrossFitted.unpack(wrong, arrays)
    narrow = Boosted.fit(grown[0][:2_000, :3], grown[0][:2_000, 0] > 0, Growth(trees=2)).pack()[1]
    both = {**{f"0.{name}": array for name, array in arrays.items()}, **{f"1.{name}": narrow[name] for name in narrow}}
    with pytest.raises(ValueError, match="different columns"):
        CrossFitted.unpack({"blind": [{}, {}]}, both)


def test_models_do_not_depend_on_threads():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(3_000, 4)).astype(np.float32)
    right = table[:, 0] + rng.normal(size=3_000) > 0
    half = (np.arange(3_000) % 2).astype(np.int8)
    models, said = [], []
    for threads in (1, 3):
        with limit_threads(threads):
            models.append(CrossFitted.fit(table, right, half, Growth()))
            said.append(models[-1].predict_blind(table, half))
    one = models[0]
    assert (said[0] == said[1]).all()
    blind = Boosted.fit(table[half == 1], right[half == 1], Growth())
    assert (one.predict_blind(table, half)[half == 0] == blind.predict(table[half == 0])).all()
    assert (one.predict(table) == sum(model.predict(table) for model in one.blind) / 2).all()
    assert blind.gains().sum() == pytest.approx(1)
    assert one.predict(table[:0]).size == 0


@pytest.mark.parametrize("right", [np.ones(100, dtype=bool), np.zeros(100, dtype=bool), np.arange(100) % 3 == 0])
def test_trees_of_one_leaf(right):
    table = np.zeros((100, 2), dtype=np.float32)
    model = Boosted.fit(table, right, Growth(trees=5))
    assert model.trees.columns.size == 0
    assert_equal_to_lightgbm(grow(table, right, Growth(trees=5)), table, model)
    assert model.predict(table) == pytest.approx(right.mean())
    assert model.gains().tolist() == [0, 0]


def test_other_lines_are_refused(grown):
    table, _, model = grown
    missing = table[:9].copy()
    missing[3, 1] = np.nan
    with pytest.raises(AssertionError, match="missing"):
        model.predict(missing)
    with pytest.raises(AssertionError, match="32-bit"):
        model.predict(table[:9].astype(np.float64))
    with pytest.raises(InputError, match="know 4 columns, not 3"):
        model.predict(table[:9, :3])


@pytest.mark.parametrize(
    ("changed", "to", "message"),
    [
        ("decision_type=2", "decision_type=1", "threshold"),
        ("decision_type=2", "decision_type=6", "zero"),
        ("is_linear=0", "is_linear=1", "constant"),
        ("num_leaves=2", "num_leaves=65", "at most 64 leaves"),
    ],
)
def test_other_trees_are_refused(changed, to, message):
    text = write_model([(0, 1.0, 1.0, 2.0)])
    assert changed in text
    with pytest.raises(AssertionError, match=message):
        Trees.read(text.replace(changed, to))
    assert Trees.read(text.replace("decision_type=2", "decision_type=10")).thresholds == [1]
