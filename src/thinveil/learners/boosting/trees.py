"""Grown trees as flat arrays, read from lightgbm's text.

Leaves of a tree are numbered from left to right. A split sends the lines above its threshold to the right, away from
all leaves on its left: its mask has a zero for each of those. So of the ones that are left when the masks of all
splits that send a line right are joined, the lowest is the line's leaf, in whatever order they are joined
(Lucchese et al., QuickScorer, SIGIR 2015).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Words = NDArray[np.uint32] | NDArray[np.uint64]

_ZERO = np.float32(1e-35)  # lightgbm takes what is no further from zero than this for zero
_MOST_LEAVES = 64
_CATEGORICAL, _ZERO_IS_MISSING = 1, 4  # in lightgbm's decision type: bit 0, and bits 2 and 3


class Trees(NamedTuple):
    """The splits of all trees, one tree behind the other; those of tree t begin at ``starts[t]``.

    A tree has one leaf more than splits: its leaves begin at ``starts[t] + t``.
    """

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    thresholds: F32
    masks: Words
    leaves: F64

    @classmethod
    def read(cls, text: str) -> Trees:
        """Read what ``lightgbm.Booster.model_to_string`` wrote."""
        sizes, columns, masks = [0], list[int](), list[int]()
        thresholds, leaves = list[float](), list[float]()
        for tree in _tree_fields(text):
            _check(tree)
            kept, order = _number_leaves(_whole(tree["left_child"]), _whole(tree["right_child"]))
            values = tree["leaf_value"].split()
            sizes.append(len(kept))
            columns += _whole(tree["split_feature"])
            thresholds += map(float, tree["threshold"].split())
            masks += kept
            leaves += [float(values[leaf]) for leaf in order]
        return cls(
            np.cumsum(sizes, dtype=np.int64), np.array(columns, dtype=np.int32), _for_floats(np.array(thresholds)),
            _shortest_words(masks, max(sizes) + 1), np.array(leaves),
        )  # fmt: skip


def _tree_fields(text: str) -> Iterator[Mapping[str, str]]:
    trees, _, _ = text.partition("\nend of trees")
    for tree in trees.split("\nTree=")[1:]:
        yield dict(line.split("=", 1) for line in tree.splitlines() if "=" in line)


def _check(tree: Mapping[str, str]) -> None:
    """Refuse trees that do more than compare a number with a threshold."""
    assert tree["is_linear"] == "0", "leaves must be constant"
    assert int(tree["num_leaves"]) <= _MOST_LEAVES, f"at most {_MOST_LEAVES} leaves"
    for kind in set(_whole(tree["decision_type"])):
        assert not kind & _CATEGORICAL, "splits must be by a threshold"
        assert not kind & _ZERO_IS_MISSING, "zero must be a number like others"


def _number_leaves(left: list[int], right: list[int]) -> tuple[list[int], list[int]]:
    """Return the mask of every split, and lightgbm's numbers of the leaves from left to right.

    A child below zero is a leaf: lightgbm writes ``~leaf``.
    """
    masks, order = [0] * len(left), []

    def walk(node: int) -> None:
        if node < 0:
            order.append(~node)
            return
        first = len(order)
        walk(left[node])
        masks[node] = 2**_MOST_LEAVES - 1 - (2 ** len(order) - 2**first)
        walk(right[node])

    walk(0 if left else ~0)
    return masks, order


def _shortest_words(masks: list[int], leaves: int) -> Words:
    """Return masks of 32 bits where they suffice: the machine joins twice as many at a time."""
    words = np.array(masks, dtype=np.uint64)
    return words.astype(np.uint32) if leaves <= 32 else words  # the higher bits are cut off


def _for_floats(thresholds: F64) -> F32:
    """Return thresholds that part all 32-bit floats as lightgbm does with its 64-bit ones.

    No 32-bit float lies between a threshold and the next one below it, so rounding down moves none to the other side.
    """
    with np.errstate(over="ignore"):  # to infinity, and then back to the largest
        near = thresholds.astype(np.float32)
        below = np.where(near > thresholds, np.nextafter(near, np.float32(-np.inf)), near)
    # what counts as zero goes where zero goes
    below[(thresholds >= 0) & (thresholds < _ZERO)] = _ZERO
    below[(thresholds >= -_ZERO) & (thresholds < 0)] = np.nextafter(-_ZERO, np.float32(-np.inf))
    return below


def _whole(words: str) -> list[int]:
    return [int(word) for word in words.split()]
