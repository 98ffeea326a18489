"""Plain twins of the kernels that name people in egonets."""

import math


def colors(rows, rounds):
    """Colors as nested tuples, after so many rounds."""
    now = [()] * len(rows)
    for _ in range(rounds):
        now = [(now[v], tuple(sorted(now[w] for w in rows[v]))) for v in range(len(rows))]
    return now


def stable_classes(rows):
    """The classes of nodes that no further round splits, as a list of sets."""
    part = [0] * len(rows)
    while True:
        keys = [(part[v], tuple(sorted(part[w] for w in rows[v]))) for v in range(len(rows))]
        names = {key: number for number, key in enumerate(sorted(set(keys)))}
        if len(names) == len(set(part)):
            return classes(part)
        part = [names[key] for key in keys]


def classes(values):
    """Who has the same value, as a set of frozen sets."""
    return {frozenset(v for v, other in enumerate(values) if other == one) for one in values}


def distances(rows, center):
    """The distance of every node that can be reached."""
    found, shell = {center: 0}, [center]
    while shell:
        shell = sorted({w for v in shell for w in rows[v] if w not in found})
        found.update(dict.fromkeys(shell, max(found.values()) + 1))
    return found


def cut(rows, center, radius, rim):
    """The members and the edges (as ordered pairs) of a piece."""
    near = {v: d for v, d in distances(rows, center).items() if d <= radius}
    edges = {(v, w) for v in near for w in rows[v] if w in near and (rim or min(near[v], near[w]) < radius)}
    return set(near), edges


def centers(rows, radius, rim):
    """The nodes around whom the whole graph can have been cut."""
    whole = set(range(len(rows))), {(v, w) for v in range(len(rows)) for w in rows[v]}
    return [v for v in range(len(rows)) if cut(rows, v, radius, rim) == whole]


def has_twin(rows):
    """Who has the same contacts as somebody else, apart from each other."""
    pairs = [(v, w) for v in range(len(rows)) for w in range(len(rows)) if v != w]
    twins = {v for v, w in pairs if {*rows[v]} - {w} == {*rows[w]} - {v}}
    return [v in twins for v in range(len(rows))]


def trait(circles, partner):
    """Twice the common contacts of two appearances, plus one where they know each other."""
    return 2 * len(circles[0] & circles[1]) + (partner in circles[0])


def odds(w, v, rows, graph, names, trust, overlap):
    """The log odds that outer appearance w is person v, by inner ones with names, all trusted alike."""
    ends = sum(map(len, graph))
    total = 0.0
    for x, person in names.items():
        if x in rows[w] and person in graph[v]:
            chance = min(0.5, len(graph[v]) * len(graph[person]) / ends)
            total += max(0.05, math.log(trust * overlap.edges / chance + 1 - trust))
        elif x in rows[w] or person in graph[v]:
            total += math.log(max(0.05, 1 - trust * overlap.edges))
    gap = math.sqrt(len(rows[w])) - math.sqrt(len(graph[v]))
    return total - (gap**2 / (1 - overlap.people * overlap.edges) if gap > 0 else 0)
