"""Plain Python: shortest paths through nodes, common neighbours, and nodes that look alike."""

from collections import Counter


def neighbors_of(nodes, edges):
    rows = [set() for _ in range(nodes)]
    for u, v in edges:
        rows[u].add(v)
        rows[v].add(u)
    return rows


def shortest_paths(rows, source):
    """Return how far each node is from a source, and by how many shortest paths; nodes out of reach are not there."""
    far, paths, layer = {source: 0}, {source: 1}, [source]
    while layer:
        ahead = Counter()
        for v in layer:
            for w in rows[v]:
                if w not in far:
                    ahead[w] += paths[v]
        step = far[layer[0]] + 1
        far |= dict.fromkeys(ahead, step)
        paths |= ahead
        layer = list(ahead)
    return far, paths


def paths_through(rows, sources):
    """Return for each node the shares of shortest paths from the sources that go through it, pair by pair."""
    found = [shortest_paths(rows, v) for v in range(len(rows))]
    total = [0.0] * len(rows)
    for s in sources:
        far, paths = found[s]
        for t in far:
            for v in far:
                if v in (s, t) or far[v] + found[v][0].get(t, len(rows)) != far[t]:
                    continue
                total[v] += paths[v] * found[v][1][t] / paths[t]
    return total


def weighted_common(rows, weights, pairs):
    return [sum(weights[w] for w in rows[u] & rows[v]) for u, v in pairs]


def candidate_counts(rows):
    """Return the number of candidates of each node, by each of the three traits."""
    degree = [len(row) for row in rows]
    triangles = [sum(len(row & rows[v]) for v in row) // 2 for row in rows]
    traits = (
        degree,
        list(zip(degree, triangles, strict=True)),
        [tuple(sorted(degree[v] for v in row)) for row in rows],
    )
    return [[Counter(trait)[one] for one in trait] for trait in traits]
