"""Plain twins of the kernels that walk from link to link.

Rows know each other by ``knows``: a list of sets of row numbers. ``person`` is the person of each row, or -1.
"""


def rows_among(edges, nodes):
    """Who knows whom among the nodes, by their place in the list."""
    place = {node: k for k, node in enumerate(nodes)}
    rows = [[] for _ in nodes]
    for u, v in edges:
        if u in place and v in place:
            rows[place[u]].append(place[v])
            rows[place[v]].append(place[u])
    return [sorted(row) for row in rows]


def acquaintances(knows, person):
    """The set of people whom each row knows."""
    return [{person[other] for other in mine if person[other] >= 0} for mine in knows]


def best_two(knows, person, subgraph, degree, weight):
    """All pairs of a row and one of its two best supported rows in another sub-graph, but for ties with the third."""
    known, found = acquaintances(knows, person), set()
    for x in range(len(knows)):
        for other in set(subgraph) - {subgraph[x]}:
            ranked = []
            for y in range(len(knows)):
                shared = sum(weight[g] for g in known[x] & known[y])
                if subgraph[y] == other and shared:
                    near = min(degree[x], degree[y]) / max(degree[x], degree[y])
                    ranked.append((-(shared * shared / sum(weight[g] for g in known[y]) + 1e-6 * near), y))
            third = sorted(ranked)[2][0] if len(ranked) > 2 else 0
            found |= {tuple(sorted((x, y))) for value, y in ranked if value < third}
    return sorted(found)


def merge(links, sure, subgraph):
    """Sets of rows, joined by links of one sureness at a time where no sub-graph comes twice; and the links kept."""
    people, kept = {row: {row} for row in range(len(subgraph))}, {}
    for level in sorted(set(sure), reverse=True):
        here = [k for k in range(len(links)) if sure[k] == level]
        tried = dict(people)
        for k in here:
            both = tried[links[k][0]] | tried[links[k][1]]
            tried.update(dict.fromkeys(both, both))
        for row, mine in tried.items():
            if len({subgraph[other] for other in mine}) == len(mine):
                people[row] = mine
        kept.update({k: links[k][1] in people[links[k][0]] for k in here})
    return people, [kept[k] for k in range(len(links))]


def neighbor_pairs(knows, seeds):
    """Pairs of a neighbour of p and a neighbour of q for any seed (p, q), but for the seeds' own rows."""
    known = {row for seed in seeds for row in seed}
    return {(x, y) for p, q in seeds for x in knows[p] - known for y in knows[q] - known}


def distance(one, two):
    return sum(abs(a - b) for a, b in zip(one, two, strict=True)) / max(1, sum(one) + sum(two))
