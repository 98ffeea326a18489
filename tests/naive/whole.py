"""Plain twins of the kernels that match two whole graphs; graphs are lists of sorted neighbours."""

import math

BINS = 12


def count_walks(rows, node, bins):
    """Neighbours by bin, walks of two steps by bin, and walks that end at a neighbour."""
    near, far, triangles = [0] * BINS, [0] * BINS, 0
    for x in rows[node]:
        near[bins[x]] += 1
        for end in rows[x]:
            far[bins[end]] += 1
            triangles += end in rows[node]
    return [*near, *far, triangles]


def expect(likeliest, held, gain, survival):
    """The evidence, expected over the likeliest of one person, that each of the other core touches that person."""
    base = max(1 - survival * sum(held), 1e-6)
    return [base + sum(h * gain[y][v] for y, h in zip(likeliest, held, strict=True) if h > 1e-4)
            for v in range(len(gain[0]))]  # fmt: skip


def tell(contacts, likeliest, held, evidence, gain, survival, heat):
    """All messages: the plain ones, and for the likeliest of each person those without that person's own words."""
    people, others = len(contacts), len(gain[0])
    told = [[sum(math.log(evidence[x][v]) for x in contacts[u]) for v in range(others)] for u in range(people)]
    for u in range(people):
        for v in likeliest[u]:
            told[u][v] = sum(
                _without(u, x, v, likeliest, held, evidence, gain, survival, heat) for x in contacts[u]
            )  # fmt: skip
    return told


def _without(u, x, v, likeliest, held, evidence, gain, survival, heat):
    cavity = [h * evidence[u][y] ** (-1 / heat) for y, h in zip(likeliest[x], held[x], strict=True)]
    rest = max(1 - sum(held[x]), 1e-6)
    whole = sum(cavity) + rest
    found = (rest + (1 - survival) * sum(cavity)) / whole
    for y, weight in zip(likeliest[x], cavity, strict=True):
        if weight > 1e-4 * whole:
            found += weight / whole * gain[y][v]
    return math.log(found)


def count_linked(mine, theirs, known):
    """How many linked contacts two people have together; ``known`` are the linked on either side."""
    return sum(x in known[0] for x in mine) + sum(y in known[1] for y in theirs)


def scan(left, right, links, survival, penalty):
    """Evidence and shared linked neighbours of all pairs that share one; links are {u: (v, sure)}."""
    ends = math.sqrt(sum(map(len, left)) * sum(map(len, right)))
    back = {v: u for u, (v, _) in links.items()}
    found = {}
    for u, mine in enumerate(left):
        for v, theirs in enumerate(right):
            shared = [x for x in mine if x in links and links[x][0] in theirs]
            if not shared:
                continue
            value = 0.0
            for x in shared:
                y, sure = links[x]
                degrees = len(left[x]) * len(right[y]) * len(mine) * len(theirs)
                value += max(0.05, math.log(sure * survival * ends / math.sqrt(degrees)))
            missing = sum(x in links for x in mine) + sum(y in back for y in theirs) - 2 * len(shared)
            found[u, v] = value - penalty * missing, len(shared)
    return found


def count_kept(left, right, links):
    """Directed edges between linked people, and those that are on the other side too."""
    edges = [(links[u], links[x]) for u, row in enumerate(left) for x in row if u in links and x in links]
    return sum(v in right[w] for v, w in edges), len(edges)


def distance(one, two):
    """The sum of differences of square roots."""
    return sum(abs(math.sqrt(a) - math.sqrt(b)) for a, b in zip(one, two, strict=True))


def stand(candidates, other, mine):
    """How far one leads among candidates {other: evidence}, its share, and how many rivals it has."""
    rivals = [value for who, value in candidates.items() if who != other]
    whole = math.exp(-50) + sum(math.exp(min(value - mine, 50)) for value in rivals)
    return min(mine - max([*rivals, -50.0]), 50.0), 1 / (1 + whole), len(rivals)
