"""Growing trees (Sections 3.2 and 3.4 of the paper).

A *bag* is the pairs that one tree learns from: m points, the first half identical pairs, the second half
not. It is laid out so that a split costs little: ``first[i]`` and ``second[j]`` are the i-th component of all
left vectors and the j-th of all right ones, and beside each stands a bitmap of the points where it is not
zero. For a component pair (i, j) the distance delta is then known for almost every point from the bitmaps
alone, 64 at a time: 0 where both are zero, 1 where just one is; only points where both are positive must be
looked at one by one.

A *tree* is rows of node arrays: ``first`` and ``second`` name the component pair, ``step`` the threshold
tau = step / steps, ``child`` the left (False) child, with the right (True) one behind it, or 0 for a leaf;
``identical`` and ``different`` count the training points that came by, ``gain`` the entropy won.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.forest.bits import count_ones, lowest_one, random_below, random_state

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

FIRST, SECOND, STEP, CHILD, IDENTICAL, DIFFERENT = range(6)
"""Columns of a tree's table of nodes."""

_ROUNDING = 8
"""Entropy table entries are rounded: a gain of a few units is none."""


class Rules(NamedTuple):
    """How trees are grown.

    ``candidates`` lists the component pairs that may be compared, of which each split looks at ``tries``; a
    node of fewer than ``smallest`` points is not split; ``table`` is the entropy table, ``lookup`` the step of
    delta for small counts, ``steps`` the number of thresholds less one.
    """

    candidates: I32
    tries: int
    smallest: float
    steps: int
    table: I64
    lookup: NDArray[np.uint16]


class Examples(NamedTuple):
    """Labelled pairs: row numbers ``left`` and ``right`` of ``vectors``, and which pairs are of either class."""

    vectors: I32
    left: I64
    right: I64
    identical: I64
    different: I64


@numba.njit(cache=True, nogil=True)
def delta_step(x: int, y: int, steps: int) -> int:
    """Return the smallest k with delta(x, y) <= k / steps, in whole numbers: no rounding decides a split."""
    high = max(x, y)
    if high == 0:
        return 0
    return (steps * abs(x - y) + high - 1) // high


@numba.njit(cache=True, nogil=True)
def draw_bag(state: U64, members: I64, size: int, taken: I64, stamp: int) -> I64:
    """Draw ``size`` different members; ``taken[member] == stamp`` marks those drawn already."""
    if size == members.size:
        return members.copy()
    bag = np.empty(size, dtype=np.int64)
    for k in range(size):
        pick = members[random_below(state, members.size)]
        while taken[pick] == stamp:
            pick = members[random_below(state, members.size)]
        taken[pick] = stamp
        bag[k] = pick
    return bag


@numba.njit(cache=True, nogil=True)
def lay_out(vectors: I32, rows: I64, values: I32, bitmaps: U64) -> None:
    """Transpose the vectors of a bag's rows into ``values`` and mark their non-zero components."""
    for i in range(bitmaps.shape[0]):
        for w in range(bitmaps.shape[1]):
            bitmaps[i, w] = 0
    for point in range(rows.size):
        word = point >> 6
        bit = np.uint64(1) << np.uint64(point & 63)
        for i in range(vectors.shape[1]):
            value = vectors[rows[point], i]
            values[i, point] = value
            if value:
                bitmaps[i, word] |= bit


@numba.njit(cache=True, nogil=True)
def count_steps(
    x: I32,
    y: I32,
    some_x: U64,
    some_y: U64,
    inside: U64,
    identical: U64,
    lookup: NDArray[np.uint16],
    counts: I64,
) -> None:
    """Count the node's points by the step of their delta: ``counts[step, class]``."""
    side, steps = lookup.shape[0], counts.shape[0] - 1
    for step in range(steps + 1):
        counts[step, 0], counts[step, 1] = 0, 0
    for w in range(inside.size):
        if inside[w] == 0:
            continue
        a, b = some_x[w] & inside[w], some_y[w] & inside[w]
        one, both = a ^ b, a & b
        counts[steps, 1] += np.int64(count_ones(one & identical[w]))
        counts[steps, 0] += np.int64(count_ones(one & ~identical[w]))
        none = inside[w] & ~(a | b)
        counts[0, 1] += np.int64(count_ones(none & identical[w]))
        counts[0, 0] += np.int64(count_ones(none & ~identical[w]))
        while both:
            place = lowest_one(both)
            point = (w << 6) + np.int64(place)
            if x[point] < side and y[point] < side:
                step = np.int64(lookup[x[point], y[point]])
            else:
                step = delta_step(x[point], y[point], steps)
            counts[step, np.int64((identical[w] >> place) & np.uint64(1))] += 1
            both &= both - np.uint64(1)


@numba.njit(cache=True, nogil=True)
def best_step(counts: I64, table: I64, total: int, positive: int) -> tuple[int, int]:
    """Return the least entropy that a threshold leaves, and the threshold's step.

    Several thresholds can part the points alike; the largest is taken, which is what the paper's printed
    tree shows (0.95 where all deltas are 0 or 1).
    """
    best, chosen = np.int64(np.iinfo(np.int64).max), -1
    right, right_positive = 0, 0
    for step in range(counts.shape[0] - 1):
        right += counts[step, 0] + counts[step, 1]
        right_positive += counts[step, 1]
        if right == total:
            break
        left, left_positive = total - right, positive - right_positive
        entropy = (table[right] - table[right_positive] - table[right - right_positive]) + (
            table[left] - table[left_positive] - table[left - left_positive]
        )
        if right and entropy <= best:
            best, chosen = entropy, step
    return best, chosen


@numba.njit(cache=True, nogil=True)
def pass_right(x: I32, y: I32, a: np.uint64, b: np.uint64, step: int, steps: int) -> np.uint64:
    """Return which of 64 points have delta <= step / steps; ``a`` and ``b`` mark where x and y are not zero."""
    right = ~(a | b)  # both zero: no difference
    both = a & b
    while both:
        place = lowest_one(both)
        one, two = np.int64(x[place]), np.int64(y[place])
        if steps * abs(one - two) <= step * max(one, two):
            right |= np.uint64(1) << place
        both &= both - np.uint64(1)
    return right


@numba.njit(cache=True, nogil=True)
def _ones(words: U64) -> int:
    total = 0
    for w in range(words.size):
        total += np.int64(count_ones(words[w]))
    return total


@numba.njit(cache=True, nogil=True)
def _common_ones(words: U64, others: U64) -> int:
    total = 0
    for w in range(words.size):
        total += np.int64(count_ones(words[w] & others[w]))
    return total


@numba.njit(cache=True, nogil=True)
def _shuffle_front(state: U64, places: I32, count: int) -> None:
    """Bring a random choice of ``count`` entries to the front."""
    for k in range(count):
        other = k + random_below(state, places.size - k)
        places[k], places[other] = places[other], places[k]


@numba.njit(cache=True, nogil=True)
def best_split(state: U64, places: I32, values: I32, bitmaps: U64, inside: U64, identical: U64, rules: Rules) -> I64:
    """Return (entropy won, component i, component j, step) of the best split of a node; nothing won: no split."""
    total, positive = _ones(inside), _common_ones(inside, identical)
    table = rules.table
    before = table[total] - table[positive] - table[total - positive]
    split = np.zeros(4, dtype=np.int64)
    counts = np.empty((rules.steps + 1, 2), dtype=np.int64)
    _shuffle_front(state, places, rules.tries)
    for k in range(rules.tries):
        i, j = rules.candidates[places[k], 0], rules.candidates[places[k], 1]
        count_steps(values[0, i], values[1, j], bitmaps[0, i], bitmaps[1, j], inside, identical, rules.lookup, counts)
        entropy, step = best_step(counts, table, total, positive)
        if step >= 0 and before - entropy > split[0]:
            split[0], split[1], split[2], split[3] = before - entropy, i, j, step
    return split


@numba.njit(cache=True, nogil=True)
def grow_tree(state: U64, values: I32, bitmaps: U64, rules: Rules, nodes: I32, gains: I64) -> int:
    """Grow a tree on a laid-out bag into ``nodes`` and ``gains``; return its number of nodes."""
    points = values.shape[2]
    inside = np.zeros((nodes.shape[0], bitmaps.shape[2]), dtype=np.uint64)
    identical = np.zeros(bitmaps.shape[2], dtype=np.uint64)
    for point in range(points):
        bit = np.uint64(1) << np.uint64(point & 63)
        inside[0, point >> 6] |= bit
        if point < points // 2:
            identical[point >> 6] |= bit
    places = np.empty(rules.candidates.shape[0], dtype=np.int32)
    for k in range(places.size):
        places[k] = k
    size, node = 1, 0
    while node < size:
        mine = inside[node]
        total, positive = _ones(mine), _common_ones(mine, identical)
        gains[node] = 0
        for column in range(nodes.shape[1]):
            nodes[node, column] = 0
        nodes[node, IDENTICAL], nodes[node, DIFFERENT] = positive, total - positive
        if total >= rules.smallest and 0 < positive < total:
            won, i, j, step = best_split(state, places, values, bitmaps, mine, identical, rules)
            if won > _ROUNDING:
                for w in range(mine.size):
                    x, y = values[0, i, w << 6 :], values[1, j, w << 6 :]
                    passed = pass_right(x, y, bitmaps[0, i, w] & mine[w], bitmaps[1, j, w] & mine[w], step, rules.steps)
                    inside[size, w], inside[size + 1, w] = mine[w] & ~passed, mine[w] & passed
                nodes[node, FIRST], nodes[node, SECOND], nodes[node, STEP], nodes[node, CHILD] = (
                    i,
                    j,
                    step,
                    size,
                )
                gains[node] = won
                size += 2
        node += 1
    return size


@numba.njit(cache=True, nogil=True)
def grow_trees(
    examples: Examples,
    rules: Rules,
    bag_size: int,
    seed: int,
    first_tree: int,
    nodes: I32,
    gains: I64,
    sizes: I64,
) -> None:
    """Grow the trees ``first_tree`` .. into the rows of ``nodes``, ``gains`` and ``sizes``."""
    vectors, points = examples.vectors, 2 * bag_size
    taken = np.zeros(examples.left.size, dtype=np.int64)
    one, two = np.empty(points, dtype=np.int64), np.empty(points, dtype=np.int64)
    values = np.empty((2, vectors.shape[1], points), dtype=np.int32)
    bitmaps = np.empty((2, vectors.shape[1], (points + 63) >> 6), dtype=np.uint64)
    for tree in range(sizes.size):
        state = random_state(seed, first_tree + tree)
        identical = draw_bag(state, examples.identical, bag_size, taken, tree + 1)
        different = draw_bag(state, examples.different, bag_size, taken, tree + 1)
        for point in range(points):
            pair = identical[point] if point < bag_size else different[point - bag_size]
            one[point], two[point] = examples.left[pair], examples.right[pair]
            if random_below(state, 2):  # a pair has no order: the tree must see both
                one[point], two[point] = two[point], one[point]
        lay_out(vectors, one, values[0], bitmaps[0])
        lay_out(vectors, two, values[1], bitmaps[1])
        sizes[tree] = grow_tree(state, values, bitmaps, rules, nodes[tree], gains[tree])
