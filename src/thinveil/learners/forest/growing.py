"""Growing trees (Sections 3.2 and 3.4 of the paper).

A *bag* is the pairs that one tree learns from: m points, the first half identical pairs, the second half
not. It is laid out so that a split costs little: beside each component of all points stands a bitmap of the
points where it is not zero. For a component pair (i, j) the distance delta is then known for almost every point
from the bitmaps alone, 64 at a time: 0 where both are zero, 1 where just one is; only points where both are
positive must be looked at one by one.

A *tree* is rows of node arrays: ``first`` and ``second`` name the component pair, ``step`` the threshold
tau = step / steps, ``child`` the left (False) child, with the right (True) one behind it, or 0 for a leaf;
``identical`` and ``different`` count the training points that came by, ``gain`` the entropy won.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.runtime.bits import count_ones, lowest_one, random_below, random_state

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


class Bag(NamedTuple):
    """The pairs that one tree learns from, laid out for splitting.

    ``values[side, i, point]`` is component i of the point's left or right vector; ``bitmaps[side, i]`` marks the
    points where it is not zero, and ``identical`` those that are identical pairs.
    """

    values: I32
    bitmaps: U64
    identical: U64


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
def draw_members(state: U64, members: I64, size: int) -> I64:
    """Draw ``size`` different members."""
    if size == members.size:
        return members.copy()
    drawn = np.empty(size, dtype=np.int64)
    taken = np.zeros((members.size + 63) >> 6, dtype=np.uint64)  # a bit for each: cheap even among millions
    for k in range(size):
        pick = random_below(state, members.size)
        while (taken[pick >> 6] >> np.uint64(pick & 63)) & np.uint64(1):
            pick = random_below(state, members.size)
        taken[pick >> 6] |= np.uint64(1) << np.uint64(pick & 63)
        drawn[k] = members[pick]
    return drawn


@numba.njit(cache=True, nogil=True)
def lay_out(vectors: I32, rows: I64, bag: Bag) -> None:
    """Transpose the vectors of both rows of each point into the bag, and mark their non-zero components."""
    points = rows.shape[1]
    for side in range(2):
        for w in range(bag.bitmaps.shape[2]):
            last = min((w + 1) << 6, points)
            for i in range(vectors.shape[1]):  # 64 rows stay in the nearest cache while their columns are read
                bits = np.uint64(0)
                for point in range(w << 6, last):
                    value = vectors[rows[side, point], i]
                    bag.values[side, i, point] = value
                    bits |= np.uint64(value != 0) << np.uint64(point & 63)
                bag.bitmaps[side, i, w] = bits


@numba.njit(cache=True, nogil=True)
def fill_bag(state: U64, examples: Examples, bag: Bag) -> None:
    """Draw as many pairs of either class as the bag has room for, and lay them out."""
    half = bag.values.shape[2] // 2
    identical = draw_members(state, examples.identical, half)
    different = draw_members(state, examples.different, half)
    rows = np.empty((2, 2 * half), dtype=np.int64)
    for point in range(2 * half):
        pair = identical[point] if point < half else different[point - half]
        side = random_below(state, 2)  # a pair has no order: the tree must see both
        rows[side, point], rows[1 - side, point] = examples.left[pair], examples.right[pair]
    lay_out(examples.vectors, rows, bag)


@numba.njit(cache=True, nogil=True)
def count_steps(bag: Bag, i: int, j: int, inside: U64, here: int, lookup: NDArray[np.uint16], counts: I64) -> None:
    """Count the node's points where a count is not zero by the step of their delta: ``counts[step, class]``."""
    side, steps = lookup.shape[0], counts.shape[0] - 1
    for step in range(steps + 1):
        counts[step, 0], counts[step, 1] = 0, 0
    one_of_two, identical_ones = 0, 0
    for w in range(inside.shape[1]):
        a, b = bag.bitmaps[0, i, w] & inside[here, w], bag.bitmaps[1, j, w] & inside[here, w]
        one_of_two += np.int64(count_ones(a ^ b))
        identical_ones += np.int64(count_ones((a ^ b) & bag.identical[w]))
        both = a & b
        while both:
            place = lowest_one(both)
            point = (w << 6) + np.int64(place)
            x, y = bag.values[0, i, point], bag.values[1, j, point]
            step = np.int64(lookup[x, y]) if x < side and y < side else delta_step(x, y, steps)
            counts[step, np.int64((bag.identical[w] >> place) & np.uint64(1))] += 1
            both &= both - np.uint64(1)
    counts[steps, 0] += one_of_two - identical_ones
    counts[steps, 1] += identical_ones


@numba.njit(cache=True, nogil=True)
def best_step(counts: I64, table: I64, total: int, positive: int) -> tuple[int, int]:
    """Return the least entropy that a threshold leaves, and the threshold's step; -1 if none parts the points.

    ``counts`` leaves out the points that are zero on both sides; they pass at any threshold. Several thresholds
    can part the points alike; the largest is taken, which is what the paper's printed tree shows (0.95 where all
    deltas are 0 or 1).
    """
    best, chosen = np.int64(np.iinfo(np.int64).max), -1
    left, left_positive = 0, 0
    for step in range(counts.shape[0] - 2, -1, -1):
        left += counts[step + 1, 0] + counts[step + 1, 1]
        left_positive += counts[step + 1, 1]
        right, right_positive = total - left, positive - left_positive
        if right == 0:
            break
        entropy = (table[right] - table[right_positive] - table[right - right_positive]) + (
            table[left] - table[left_positive] - table[left - left_positive]
        )
        if left and entropy < best:
            best, chosen = entropy, step
    return best, chosen


@numba.njit(cache=True, nogil=True)
def pass_right(bag: Bag, i: int, j: int, w: int, here: np.uint64, step: int, steps: int) -> np.uint64:
    """Return which of the points ``here`` in word w have delta <= step / steps."""
    a, b = bag.bitmaps[0, i, w] & here, bag.bitmaps[1, j, w] & here
    right = here & ~(a | b)  # both zero: no difference
    both = a & b
    while both:
        place = lowest_one(both)
        point = (w << 6) + np.int64(place)
        x, y = np.int64(bag.values[0, i, point]), np.int64(bag.values[1, j, point])
        if steps * abs(x - y) <= step * max(x, y):
            right |= np.uint64(1) << place
        both &= both - np.uint64(1)
    return right


@numba.njit(cache=True, nogil=True)
def _shuffle_front(state: U64, places: I32, count: int) -> None:
    """Bring a random choice of ``count`` entries to the front."""
    for k in range(count):
        other = k + random_below(state, places.size - k)
        places[k], places[other] = places[other], places[k]


@numba.njit(cache=True, nogil=True)
def best_split(state: U64, places: I32, bag: Bag, inside: U64, here: int, row: I32, rules: Rules) -> int:
    """Write the best split of the points ``inside[here]`` into a node's row, and return the entropy won, or 0."""
    positive, total = row[IDENTICAL], row[IDENTICAL] + row[DIFFERENT]
    table = rules.table
    before = table[total] - table[positive] - table[total - positive]
    most = _ROUNDING
    counts = np.empty((rules.steps + 1, 2), dtype=np.int64)
    _shuffle_front(state, places, rules.tries)
    for k in range(rules.tries):
        i, j = rules.candidates[places[k], 0], rules.candidates[places[k], 1]
        count_steps(bag, i, j, inside, here, rules.lookup, counts)
        entropy, step = best_step(counts, table, total, positive)
        if step >= 0 and before - entropy > most:
            most = before - entropy
            row[FIRST], row[SECOND], row[STEP] = i, j, step
    return most if most > _ROUNDING else 0


@numba.njit(cache=True, nogil=True)
def grow_tree(examples: Examples, rules: Rules, seed: int, tree: int, bag: Bag, nodes: I32, gains: I64) -> int:
    """Grow tree number ``tree`` of a seed into ``nodes`` and ``gains``; return its number of nodes."""
    points, words = bag.values.shape[2], bag.identical.size
    state = random_state(seed, tree)
    fill_bag(state, examples, bag)
    # Nodes wait in line to be split. A level has at most points / smallest nodes that are large enough, so the line
    # never holds more than four times that, and the bitmaps of what waits go round in a ring.
    ring = min(nodes.shape[0], np.int64(4 * points / rules.smallest) + 8)
    inside = np.zeros((ring, words), dtype=np.uint64)
    for point in range(points):
        inside[0, point >> 6] |= np.uint64(1) << np.uint64(point & 63)
    places = np.empty(rules.candidates.shape[0], dtype=np.int32)
    for k in range(places.size):
        places[k] = k
    size, node = 1, 0
    while node < size:
        here = node % ring
        gains[node] = 0
        for column in range(nodes.shape[1]):
            nodes[node, column] = 0
        for w in range(words):
            nodes[node, IDENTICAL] += np.int32(count_ones(inside[here, w] & bag.identical[w]))
            nodes[node, DIFFERENT] += np.int32(count_ones(inside[here, w] & ~bag.identical[w]))
        total = nodes[node, IDENTICAL] + nodes[node, DIFFERENT]
        if total >= rules.smallest and 0 < nodes[node, IDENTICAL] < total:
            gains[node] = best_split(state, places, bag, inside, here, nodes[node], rules)
        if gains[node]:
            i, j, step = nodes[node, FIRST], nodes[node, SECOND], nodes[node, STEP]
            for w in range(words):
                passed = pass_right(bag, i, j, w, inside[here, w], step, rules.steps)
                inside[size % ring, w], inside[(size + 1) % ring, w] = inside[here, w] & ~passed, passed
            nodes[node, CHILD] = size
            size += 2
        node += 1
    return size


def empty_bag(components: int, points: int) -> Bag:
    """Return room for a bag of points, the first half identical."""
    words = (points + 63) // 64
    identical = np.zeros(words, dtype=np.uint64)
    for point in range(points // 2):
        identical[point // 64] |= np.uint64(1 << (point % 64))
    values = np.empty((2, components, points), dtype=np.int32)
    return Bag(values, np.empty((2, components, words), dtype=np.uint64), identical)
