"""Plain twins of what the strong attack sees of a row."""

import math


def inner_sets(rows, most=0.9):
    """All sets of inner nodes that are right: where nodes of equally large balls have equally few neighbours."""
    balls = [{v, *mine, *(far for near in mine for far in rows[near])} for v, mine in enumerate(rows)]
    largest = max(map(len, balls))
    if largest < most * len(rows) or not any(rows):
        return [set(range(len(rows)))]
    centers = [v for v in range(len(rows)) if len(balls[v]) == largest]
    fewest = min(len(rows[v]) for v in centers)
    return [{v, *rows[v]} for v in centers if len(rows[v]) == fewest]


def surroundings(rows, nodes, inner):
    """Standing, and neighbours by the logarithm of degree, inner ones apart, and of shared neighbours."""
    lines = []
    for v in nodes:
        shared = [len(set(rows[v]) & set(rows[u])) for u in rows[v]]
        standing = [inner[v], sum(inner[u] for u in rows[v]), sum(shared) // 2, len(rows), sum(inner)]
        near, far, ties = [0] * 24, [0] * 24, [0] * 16
        for u, common in zip(rows[v], shared, strict=True):
            (near if inner[u] else far)[min(round(2 * math.log2(len(rows[u]) + 1)), 23)] += 1
            ties[min(round(2 * math.log2(common + 1)), 15)] += 1
        lines.append((standing, near, far, ties))
    return lines


def common(rows, one, two):
    """How many values two rows have in common, and what these are worth by their rarity."""
    entries = [value for row in rows for value in row]
    left, count, worth = list(rows[two]), 0, 0.0
    for value in rows[one]:
        if value in left:
            left.remove(value)
            count += 1
            worth += math.log2(len(rows) / entries.count(value) + 1)
    return count, worth
