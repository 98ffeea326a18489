"""Plain twins of the links between pairs that are judged one by one.

An appearance is (degree, sub-graph, node); a pair is two places in the list of them.
"""

from tests.naive.linkage import merge


def near_pairs(appearances, nearest):
    """Each appearance with the next ones in the order of degrees that stand in another sub-graph."""
    order = sorted(range(len(appearances)), key=lambda place: appearances[place])
    pairs = []
    for place, one in enumerate(order):
        pairs += [
            (one, two) for two in order[place + 1 : place + 1 + nearest] if appearances[one][1] != appearances[two][1]
        ]
    return sorted(pairs)


def chances(pairs, scores):
    """How probable each pair is against all others of either appearance, and against none of them being right."""
    odds = [min(max(score, 1e-4), 1 - 1e-4) / (1 - min(max(score, 1e-4), 1 - 1e-4)) for score in scores]
    found = []
    for k, pair in enumerate(pairs):
        sides = []
        for one in pair:
            rivals = [odds[j] for j, other in enumerate(pairs) if one in other]
            sides.append(odds[k] / (sum(rivals) + len(rivals)))
        found.append(min(sides))
    return found


def best_pairs(pairs, found, sure):
    """The numbers of those pairs that are probable enough, and more so than all others of either appearance."""
    chosen = []
    for k, pair in enumerate(pairs):
        rivals = [found[j] for j, other in enumerate(pairs) if j != k and set(other) & set(pair)]
        if found[k] >= sure and all(found[k] > rival for rival in rivals):
            chosen.append(k)
    return chosen


def along(pairs, found, subgraph):
    """The clusters along pairs from the surest on, as sets, and how probably each appearance belongs to its own."""
    people, kept = merge(pairs, found, subgraph)
    clusters = {frozenset(mine) for mine in people.values() if len(mine) > 1}
    probability = [0.0] * len(subgraph)
    for pair, sure, was_kept in zip(pairs, found, kept, strict=True):
        for one in pair if was_kept else ():
            probability[one] = max(probability[one], sure)
    return clusters, probability
