"""What a forest accepts: guards in front of kernels that check nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thinveil.errors import InputError
from thinveil.runtime.arrays import check_array
from thinveil.runtime.streams import check_seed

_COUNTS = {"trees": (1, 10**9), "bag_size": (1, 10**8), "thresholds": (2, 65_536)}


def check_parameters(parameters: dict[str, Any]) -> None:
    """Say which parameter of a forest is out of range, if one is."""
    check_seed(parameters["seed"])
    for name, (low, high) in _COUNTS.items():
        value = parameters[name]
        if not _is_whole(value) or not low <= value <= high:
            raise InputError(f"{name} = {value}: give a whole number from {low:,} to {high:,}")
    for name in ("candidates", "smallest"):
        value = parameters[name]
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value <= 1:
            raise InputError(f"{name} = {value}: give a share above 0 and up to 1")
    threads = parameters["threads"]
    if threads is not None and (not _is_whole(threads) or threads < 1):
        raise InputError(f"threads = {threads}: give 1 or more, or None for all cores")


def check_widths(widths: Any, components: int) -> tuple[int, ...]:
    """Return the widths of the channels that fill a vector."""
    if widths is None:
        return (components,)
    if not all(_is_whole(width) and width > 0 for width in widths) or sum(widths) != components:
        raise InputError(f"channels of widths {tuple(widths)} do not fill vectors of {components} components")
    return tuple(int(width) for width in widths)


def as_pairs(X: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Turn rows of (left vector, right vector) into a table of vectors and the row numbers of the pairs."""
    table = check_array("pairs", X)
    if table.ndim != 2 or table.shape[1] == 0 or table.shape[1] % 2:
        raise InputError(f"pairs of shape {table.shape}: each row must hold two vectors of equal length")
    if table.dtype.kind not in "buif" or not ((table >= 0) & (table < 2**31)).all():
        raise InputError("feature vectors must hold counts: whole numbers from 0 up")
    counts = table.astype(np.int32)
    if (counts != table).any():
        raise InputError("feature vectors must hold counts: whole numbers from 0 up")
    places = 2 * np.arange(len(counts), dtype=np.int64)
    return np.ascontiguousarray(counts).reshape(-1, table.shape[1] // 2), places, places + 1


def check_labels(y: ArrayLike, count: int) -> NDArray[np.bool_]:
    """Return the labels as booleans."""
    labels = check_array("labels", y)
    if labels.shape != (count,):
        raise InputError(f"labels of shape {labels.shape} for {count} pairs")
    identical: NDArray[np.bool_] = labels.astype(bool)
    if (identical != labels).any() or identical.all() or not identical.any():
        raise InputError("labels must be true (identical) or false (non-identical), and both must occur")
    return identical


def check_rows(
    vectors: NDArray[np.int32], left: NDArray[np.int64], right: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return table and row numbers in the one form that the kernels are compiled for."""
    if vectors.ndim != 2 or vectors.dtype != np.int32:
        raise InputError(f"vectors are {vectors.ndim}-d {vectors.dtype}: a table of 32-bit counts is needed")
    if vectors.size and int(vectors.min()) < 0:
        raise InputError("feature vectors must hold counts: whole numbers from 0 up")
    if left.shape != right.shape or left.ndim != 1:
        raise InputError(f"row numbers of shapes {left.shape} and {right.shape}: one of each per pair is needed")
    for rows in (left, right):
        if rows.size and not 0 <= int(rows.min()) <= int(rows.max()) < len(vectors):
            raise InputError(f"row numbers must lie between 0 and {len(vectors) - 1}")
    return _plain(vectors, np.int32), _plain(left, np.int64), _plain(right, np.int64)


def _plain(array: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """Return a contiguous, writable view or copy: numba compiles anew for any other kind."""
    array = np.ascontiguousarray(array, dtype=kind)
    return array if array.flags.writeable else array.copy()


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
