"""Plain twins of the drawing of pairs: all pairs listed, all chances as fractions.

A row is a tuple (sub-graph, person, is far).
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import isqrt

CATEGORIES = ("1-hop", "1,2-hop", "2-hop")


def identical_pairs(rows, category):
    """All unordered pairs of row numbers of one person."""
    return [
        (p, q)
        for p, q in combinations(range(len(rows)), 2)
        if rows[p][1] == rows[q][1] and category in ("complete", CATEGORIES[rows[p][2] + rows[q][2]])
    ]


def different_chances(rows, protocol, category):
    """Chance of every ordered pair of row numbers, up to a factor."""
    draw = {"paper": _paper, "uniform": _uniform, "matched": _matched}[protocol]
    chances = Counter()
    for (p, q), chance in draw(rows, category):
        if rows[p][0] != rows[q][0] and rows[p][1] != rows[q][1]:
            chances[p, q] += chance
            chances[q, p] += chance  # either may come first
    return chances


def _paper(rows, category):
    groups = {s: [k for k, row in enumerate(rows) if row[0] == s] for s, _, _ in rows}
    for one in groups.values():
        for two in groups.values():
            if one is not two:
                yield from (((p, q), Fraction(1, len(one) * len(two))) for p in one for q in two)


def _uniform(rows, category):
    yield from (((p, q), Fraction(1)) for p in range(len(rows)) for q in range(len(rows)))


def _matched(rows, category):
    for pair in identical_pairs(rows, category):
        for p, q in (pair, pair[::-1]):
            like = [k for k, row in enumerate(rows) if (row[0], row[2]) == (rows[q][0], rows[q][2])]
            yield from (((p, k), Fraction(1, len(like))) for k in like)


def triangle(number):
    """The pair i < j of a number, in exact arithmetic."""
    j = (1 + isqrt(1 + 8 * number)) // 2
    return number - j * (j - 1) // 2, j
