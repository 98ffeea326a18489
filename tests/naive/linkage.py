"""Plain twins of the kernels that walk from link to link.

Rows know each other by ``knows``: a list of sets of row numbers. ``person`` is the person of each row, or -1.
"""

import math


def rows_among(edges, nodes):
    """Who knows whom among the nodes, by their place in the list."""
    place = {node: k for k, node in enumerate(nodes)}
    rows = [[] for _ in nodes]
    for u, v in edges:
        if u in place and v in place:
            rows[place[u]].append(place[v])
            rows[place[v]].append(place[u])
    return [sorted(row) for row in rows]


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


def figures(person):
    """Who can be somebody: the rows of each person, and every other row alone."""
    people = {}
    for row, name in enumerate(person):
        people.setdefault(name if name >= 0 else (row,), []).append(row)
    return list(people.values())


def met_elsewhere(name, others, home, case):
    """Whether a person has stood with any of these rows in a sub-graph but home, and so that a tie would be visible."""
    person, subgraph, is_inner = case["person"], case["subgraph"], case["inner"]
    couples = [
        (one, two) for one in others for two in range(len(person))
        if person[two] == name and subgraph[one] == subgraph[two] != home
    ]  # fmt: skip
    return bool(couples), any(is_inner[one] or is_inner[two] for one, two in couples)


def net_support(row, members, knows, case, weight, rarity):
    """By what candidates are ranked: what a row and a figure share, less what is missing on either side."""
    guess, trust, subgraph, is_inner = (case[name] for name in ("guess", "trust", "subgraph", "inner"))
    mine, theirs = acquaintances([row], knows, case), acquaintances(members, knows, case)
    here = {guess[r]: r for r in range(len(guess)) if subgraph[r] == subgraph[row] and guess[r] >= 0}

    def trusted(g):
        return max(sure for _, sure in theirs[g])

    both = {g: weight[g] * mine[g][0][1] * trusted(g) for g in mine if g in theirs}
    equal = sum(both[g] * rarity[mine[g][0][0]] for g in both if max(theirs[g])[0] == mine[g][0][0])
    expected = sum(
        weight[g] * trusted(g) * trust[here[g]] for g in theirs if g in here and (is_inner[row] or is_inner[here[g]])
    )
    owed = 0
    for other in members:
        there = {case["person"][r]: r for r in range(len(guess)) if subgraph[r] == subgraph[other]}
        seen = [g for g in mine if g in there and (is_inner[other] or is_inner[there[g]])]
        owed = max(owed, sum(weight[g] * mine[g][0][1] for g in seen))
    return sum(both.values()), 3 * sum(both.values()) - expected - owed + 0.1 * equal


def acquaintances(members, knows, case):
    """People whom rows know, each with (shared neighbours, trust) of every time; ``knows[row]`` is {other: shared}."""
    met = {}
    for row in members:
        for other, shared in knows[row].items():
            if case["guess"][other] >= 0:
                met.setdefault(case["guess"][other], []).append((shared, case["trust"][other]))
    return met


def evidence(row, members, knows, case, weight, rarity, anchors):
    """What speaks for a row being the figure of ``members``: that figure as it is without the row itself."""
    person, guess, trust, subgraph = (case[name] for name in ("person", "guess", "trust", "subgraph"))
    is_inner, degree, share_of = (case[name] for name in ("inner", "degree", "share"))
    others = [other for other in members if other != row]
    met, mine = acquaintances(others, knows, case), acquaintances([row], knows, case)
    rows = [r for r in range(len(person)) if subgraph[r] == subgraph[row]]
    here = {guess[r]: r for r in rows if guess[r] >= 0 and r != row}
    ties = {g: max(shared for shared, _ in met[g]) for g in met}
    trusted = {g: max(sure for _, sure in met[g]) for g in met}
    sure_met = [g for g in met if trusted[g] >= 0.5]
    seen = {person[other]: is_inner[other] for other in knows[row] if person[other] >= 0}
    expected = [g for g in sure_met if g in here and person[here[g]] >= 0]
    both = [g for g in expected if g in mine]
    inner_both = [g for g in both if seen[g]]
    equal = [g for g in both if ties[g] == mine[g][0][0]]

    def worth(people):
        return sum(weight[g] for g in people)

    def share(part, whole):
        return part / max(whole, 1e-9)

    def cosine(part, one, two):
        return part / max(one * two, 1e-9) ** 0.5

    inner_mine = worth(g for g in seen if seen[g])
    inner_expected = worth(g for g in expected if is_inner[here[g]])
    inner_degrees = [degree[other] for other in others if is_inner[other]]
    close = sum(weight[g] * (min(ties[g], mine[g][0][0]) + 1) / (max(ties[g], mine[g][0][0]) + 1) for g in both)
    names = {person[other] for other in members if person[other] >= 0}
    together, visible = (
        [g for g in seen if met_elsewhere(g, others, subgraph[row], case)[kind]] for kind in (0, 1)
    )  # fmt: skip
    hints = {g: weight[g] * trusted[g] * mine[g][0][1] for g in met if g in here and g in mine}
    hint, known = sum(hints.values()), sum(weight[g] * mine[g][0][1] for g in mine)
    hoped = sum(weight[g] * trusted[g] * trust[here[g]] for g in met if g in here)
    return [
        len(both), worth(both), len(inner_both), worth(inner_both),
        share(worth(both), worth(seen)), share(worth(both), worth(expected)),
        share(worth(inner_both), inner_mine), share(worth(inner_both), inner_expected),
        cosine(worth(both), worth(seen), worth(expected)), cosine(worth(inner_both), inner_mine, inner_expected),
        len(seen), sum(seen.values()), degree[row], is_inner[row],
        len(others), len(inner_degrees), max((degree[other] for other in others), default=0),
        math.log(degree[row] / max(inner_degrees)) if inner_degrees else 9.0,
        len(sure_met), any(g in here for g in names),
        max((sure for one, two, sure in anchors if one == row and two in others), default=0.0),
        sum(weight[g] * rarity[mine[g][0][0]] for g in equal), len(equal) / max(len(both), 1),
        share(close, worth(both)), sum(rarity[mine[g][0][0]] for g in equal if seen[g]),
        case["crowd"][row], share_of[row], sum(share_of[other] for other in others) / max(len(others), 1),
        max(inner_degrees, default=0),
        hint, share(hint, known), share(hint, hoped), cosine(hint, known, hoped),
        sum(value * rarity[ties[g]] for g, value in hints.items() if ties[g] == mine[g][0][0]),
        len(seen) / max(degree[row], 1), sum(person[r] >= 0 for r in rows) / len(rows),
        sum(name >= 0 for name in person) / len(person),
        worth(visible), worth(g for g in visible if g not in both),
        worth(together), worth(g for g in together if g not in both),
        inner_expected - worth(inner_both), worth(expected) - worth(both),
        3 * worth(both) - worth(visible) - (worth(expected) if is_inner[row] else inner_expected),
    ]  # fmt: skip
