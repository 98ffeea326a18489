"""Plain twin of the pair forest: lists, fractions, one point at a time, the same random draws in the same order.

A node is a row [first, second, step, child, identical, different]; ``table`` is k log2 k in whole units.
"""

from fractions import Fraction
from math import ceil

WORD = 2**64
ROUNDING = 8


class SplitMix:
    """SplitMix64, from its published definition."""

    def __init__(self, state):
        self.state = state

    @classmethod
    def of_tree(cls, seed, tree):
        return cls(cls(seed).word() ^ (tree * 0xD1342543DE82EF95 % WORD))

    def word(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        return z ^ (z >> 31)

    def below(self, limit):
        return (self.word() >> 32) * limit >> 32


def delta(x, y):
    """The paper's distance of two counts."""
    return Fraction(abs(x - y), max(x, y)) if x or y else Fraction(0)


def delta_step(x, y, steps):
    """The smallest k with delta <= k / steps."""
    return ceil(delta(x, y) * steps)


def draw_bag(chance, members, size):
    """Different members, in the order drawn; all of them as they come, if all are needed."""
    if size == len(members):
        return list(members)
    bag = []
    while len(bag) < size:
        pick = members[chance.below(len(members))]
        if pick not in bag:
            bag.append(pick)
    return bag


def entropy(points, table):
    """Number of points times the entropy of their labels."""
    positive = sum(same for _, _, same in points)
    return table[len(points)] - table[positive] - table[len(points) - positive]


def part(points, i, j, step, steps):
    """The points above the threshold, and those at most at it."""
    passed = [delta(x[i], y[j]) <= Fraction(step, steps) for x, y, _ in points]
    return tuple([p for p, right in zip(points, passed, strict=True) if right is side] for side in (False, True))


def best_step(points, i, j, steps, table):
    """The least entropy of any threshold that parts the points, and the largest threshold that reaches it."""
    options = []
    for step in range(steps):
        left, right = part(points, i, j, step, steps)
        if left and right:
            options.append((entropy(left, table) + entropy(right, table), -step))
    return (min(options)[0], -min(options)[1]) if options else None


def best_split(chance, points, places, candidates, tries, steps, table):
    """The gain, components and step of the best split; among equals the first one tried."""
    for k in range(tries):
        other = k + chance.below(len(places) - k)
        places[k], places[other] = places[other], places[k]
    best = (0, 0, 0, 0)
    for place in places[:tries]:
        i, j = candidates[place]
        found = best_step(points, i, j, steps, table)
        if found and entropy(points, table) - found[0] > best[0]:
            best = (entropy(points, table) - found[0], i, j, found[1])
    return best


def grow_tree(chance, points, candidates, tries, smallest, steps, table):
    """Nodes in breadth-first order, and their gains."""
    nodes, gains, inside, places = [], [], [points], list(range(len(candidates)))
    for mine in inside:  # it grows while we walk
        positive = sum(same for _, _, same in mine)
        node, gain = [0, 0, 0, 0, positive, len(mine) - positive], 0
        if len(mine) >= smallest and 0 < positive < len(mine):
            won, i, j, step = best_split(chance, mine, places, candidates, tries, steps, table)
            if won > ROUNDING:
                node[:4], gain = [i, j, step, len(inside)], won
                inside += part(mine, i, j, step, steps)
        nodes.append(node)
        gains.append(gain)
    return nodes, gains


def grow_forest(lefts, rights, labels, *, trees, bag_size, candidates, thresholds, smallest, widths, seed, table):
    """All trees one behind the other: nodes, gains, roots."""
    starts = [sum(widths[:k]) for k in range(len(widths))]
    allowed = [
        (start + i, start + j)
        for start, width in zip(starts, widths, strict=True)
        for i in range(width)
        for j in range(width)
    ]
    classes = [[k for k, same in enumerate(labels) if same == wanted] for wanted in (True, False)]
    size = min(bag_size, *map(len, classes))
    tries = max(1, round(candidates * len(allowed)))
    nodes, gains, roots = [], [], []
    for tree in range(trees):
        chance = SplitMix.of_tree(seed, tree)
        bag = draw_bag(chance, classes[0], size) + draw_bag(chance, classes[1], size)
        points = []
        for k in bag:
            x, y = (rights[k], lefts[k]) if chance.below(2) else (lefts[k], rights[k])
            points.append((x, y, labels[k]))
        grown, won = grow_tree(chance, points, allowed, tries, smallest * 2 * size, thresholds - 1, table)
        roots.append(len(nodes))
        nodes += [[*row[:3], row[3] and row[3] + roots[-1], *row[4:]] for row in grown]
        gains += won
    return nodes, gains, roots


def score(nodes, roots, steps, x, y):
    """Mean over trees of the share of identical pairs in the leaf of (x, y)."""
    total = 0.0
    for node in roots:
        while nodes[node][3]:
            first, second, step, child = nodes[node][:4]
            node = child + (delta(x[first], y[second]) <= Fraction(step, steps))
        total += nodes[node][4] / (nodes[node][4] + nodes[node][5])
    return total / len(roots)
