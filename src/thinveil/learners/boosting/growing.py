"""Gradient boosting (lightgbm) as thinveil uses it: one thread per model, the same model on every machine's threads.

lightgbm's own threads wait for each other in a busy loop, and on a machine that others use that can cost ten times the
work. So each model is grown by one thread, several models at a time. Of a grown model only the trees are kept: lines
are scored by kernels of our own (see ``prediction``), chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.learners.boosting.packing import Arrays, Facts, check_facts, pack_trees, pick, prefix, unpack_trees
from thinveil.learners.boosting.prediction import sum_leaves, to_probabilities
from thinveil.learners.boosting.trees import Trees
from thinveil.runtime.threads import map_chunks, map_threads

if TYPE_CHECKING:
    import lightgbm

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]

_LINES_AT_ONCE = 16_384
_FIXED = {
    "objective": "binary", "num_threads": 1, "verbosity": -1, "deterministic": True, "force_row_wise": True,
    "min_data_in_leaf": 20, "min_sum_hessian_in_leaf": 1.0, "lambda_l2": 2.0, "max_bin": 127,
    "bin_construct_sample_cnt": 20_000, "feature_pre_filter": False,
}  # fmt: skip


@dataclass(frozen=True)
class Growth:
    """How a model is grown: trees, leaves of each, and the share of each tree's advice that is taken."""

    trees: int = 80
    leaves: int = 15
    rate: float = 0.15
    columns: float = 1.0
    lines: float = 1.0


def grow(table: F32, right: Bools, growth: Growth, *, seed: int = 0) -> lightgbm.Booster:
    """Let lightgbm grow the trees."""
    import lightgbm  # late: it imports scikit-learn and pandas too, which takes a second

    settings = {
        **_FIXED, "num_leaves": growth.leaves, "learning_rate": growth.rate, "seed": seed % 2**31,
        "feature_fraction": growth.columns, "bagging_fraction": growth.lines,
        "bagging_freq": int(growth.lines < 1),
    }  # fmt: skip
    data = lightgbm.Dataset(table, right.astype(np.float32), params=settings)
    return lightgbm.train(settings, data, growth.trees)


@dataclass(frozen=True, eq=False)
class Boosted:
    """A grown model: from lines of numbers to the probability that a pair is identical.

    The probability is that under the training lines' own share of identical pairs.
    """

    trees: Trees
    won: F64

    @classmethod
    def fit(cls, table: F32, right: Bools, growth: Growth, *, seed: int = 0) -> Boosted:
        """Grow a model; where all lines are alike it says so.

        Examples
        --------
        >>> table = np.arange(200, dtype=np.float32)[:, None]
        >>> model = Boosted.fit(table, table[:, 0] > 120, Growth(trees=30))
        >>> model.predict(np.array([[10.0], [190.0]], dtype=np.float32)).round().tolist()
        [0.0, 1.0]
        """
        booster = grow(table, right, growth, seed=seed)
        won = np.asarray(booster.feature_importance("gain"), dtype=np.float64)
        return cls(Trees.read(booster.model_to_string()), won)

    def predict(self, table: F32, *, raw: bool = False) -> F64:
        """Return the probability of each line, or its log odds."""
        assert table.dtype == np.float32, "the trees' thresholds are rounded for 32-bit floats"
        if table.shape[1] != self.won.size:  # the kernel would read beyond the table
            raise InputError(f"the trees know {self.won.size} columns, not {table.shape[1]}: train the model again")
        odds = np.empty(len(table))

        def score(first: int, last: int) -> None:
            lines, mine = np.ascontiguousarray(table[first:last]), odds[first:last]
            assert not np.isnan(lines.min(initial=0)), "the trees do not know where to send what is missing"
            sum_leaves(lines, *self.trees, mine)
            if not raw:
                to_probabilities(mine)

        map_chunks(score, len(table), chunk=_LINES_AT_ONCE)
        return odds

    def gains(self) -> F64:
        """Return what each column contributed, as shares."""
        return self.won / max(float(self.won.sum()), 1e-12)

    def pack(self) -> tuple[Facts, Arrays]:
        """Return all that must be kept: facts for JSON, and plain arrays."""
        return {}, pack_trees(self.trees, self.won)

    @classmethod
    def unpack(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Boosted:
        """Return the model that was packed; a ``ValueError`` says why these are none."""
        return cls(*unpack_trees(arrays))


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """Two models, each of which has not seen one half of the people; both together are asked about strangers."""

    blind: tuple[Boosted, Boosted]

    @classmethod
    def fit(cls, table: F32, right: Bools, half: NDArray[np.int8], growth: Growth, *, seed: int = 0) -> CrossFitted:
        """Grow both models; ``half`` is 0 or 1 for each line."""
        parts = (half != 0, half != 1)
        models = map_threads(lambda part: Boosted.fit(table[part], right[part], growth, seed=seed), parts)
        return cls((models[0], models[1]))

    @property
    def column_count(self) -> int:
        """How many columns the models know."""
        return self.blind[0].won.size

    def predict(self, table: F32) -> F64:
        """Return the probability of each line of which neither model has seen the person: the mean of both."""
        one, two = (model.predict(table) for model in self.blind)
        return (one + two) / 2

    def predict_blind(self, table: F32, half: NDArray[np.int8]) -> F64:
        """Return the probability of each line by the model that has not seen its half."""
        sure = np.empty(len(table))
        for k, model in enumerate(self.blind):
            sure[half == k] = model.predict(table[half == k])
        return sure

    def pack(self) -> tuple[Facts, Arrays]:
        """Return all that must be kept: facts for JSON, and plain arrays."""
        (one, first), (two, second) = (model.pack() for model in self.blind)
        return {"blind": [one, two]}, {**prefix("0", first), **prefix("1", second)}

    @classmethod
    def unpack(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> CrossFitted:
        """Return the models that were packed; a ``ValueError`` says why these are none."""
        parts = check_facts(facts).get("blind")
        if not isinstance(parts, list) or len(parts) != 2:
            raise ValueError("the model does not have two halves")
        one, two = (Boosted.unpack(part, pick(str(k), arrays)) for k, part in enumerate(parts))
        if one.won.size != two.won.size:
            raise ValueError("the two halves of the model know different columns")
        return cls((one, two))
