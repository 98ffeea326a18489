"""Grown trees as facts and plain arrays, to be kept without pickle: unpacking can fail, it cannot run code.

The facts can be written as JSON. Whoever keeps several models in one file puts each one's name before its arrays.
Arrays may come from a file that somebody changed: those with which the prediction kernel would read beyond an array are
refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.learners.boosting.trees import F64, Trees

Facts = dict[str, Any]
Arrays = dict[str, NDArray[Any]]

_LARGEST = 1e6  # no log odds are further from zero
_KINDS = {
    "starts": (np.int64,), "columns": (np.int32,), "thresholds": (np.float32,), "masks": (np.uint32, np.uint64),
    "leaves": (np.float64,), "won": (np.float64,),
}  # fmt: skip


def prefix(name: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """Put a name before the names of arrays.

    Examples
    --------
    >>> list(prefix("first", {"leaves": np.zeros(1)}))
    ['first.leaves']
    """
    return {f"{name}.{key}": array for key, array in arrays.items()}


def pick(name: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """Return the arrays that have a name before theirs, without it.

    Examples
    --------
    >>> list(pick("first", {"first.leaves": np.zeros(1), "second.leaves": np.zeros(1)}))
    ['leaves']
    """
    return {key.removeprefix(f"{name}."): array for key, array in arrays.items() if key.startswith(f"{name}.")}


def check_facts(facts: object) -> Mapping[str, Any]:
    """Return facts that are a JSON object; refuse all else with a ``ValueError``."""
    if not isinstance(facts, Mapping):
        raise ValueError("the model's facts are not an object with names")
    return facts


def pack_trees(trees: Trees, won: F64) -> Arrays:
    """Return trees, and what each column won, as arrays."""
    return {**trees._asdict(), "won": won}


def unpack_trees(arrays: Mapping[str, NDArray[Any]]) -> tuple[Trees, F64]:
    """Return what was packed, or refuse it with a ``ValueError``."""
    for name, kinds in _KINDS.items():
        array = arrays.get(name)
        if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype not in kinds:
            raise ValueError(f"the model has no array {name} of the right kind")
    kept = {name: np.ascontiguousarray(arrays[name]) for name in _KINDS}
    won: F64 = kept.pop("won")
    trees = Trees(**kept)
    _check_sizes(trees)
    _check_values(trees, won)
    return trees, won


def _check_sizes(trees: Trees) -> None:
    starts, splits = trees.starts, trees.columns.size
    if not starts.size or starts[0] != 0 or starts[-1] != splits or (np.diff(starts) < 0).any():
        raise ValueError("the trees do not begin and end where their splits do")
    if trees.thresholds.size != splits or trees.masks.size != splits or trees.leaves.size != splits + starts.size - 1:
        raise ValueError("the splits and leaves of the trees do not fit each other")
    if np.diff(starts).max(initial=0) + 1 > 8 * trees.masks.itemsize:
        raise ValueError("a tree has more leaves than its masks have bits")


def _check_values(trees: Trees, won: F64) -> None:
    if (trees.columns < 0).any() or (trees.columns >= won.size).any():
        raise ValueError(f"a split asks for a column beyond the {won.size} that there are")
    splits = np.diff(trees.starts)
    # the last leaf is on the left of no split: while all masks keep it, every line finds a leaf of its own tree
    last = np.repeat(splits, splits).astype(np.uint64)
    if not ((trees.masks.astype(np.uint64) >> last) & np.uint64(1)).all():
        raise ValueError("a mask rules out every leaf of its tree")
    if np.isnan(trees.thresholds).any() or not (np.abs(trees.leaves) <= _LARGEST).all():
        raise ValueError("a threshold or a leaf is no number, or absurdly large")
    if not np.isfinite(won).all() or (won < 0).any():
        raise ValueError("what columns won is no number, or below zero")
