"""Plain twins of the kernels that walk from link to link.

Appearances are numbers. ``knows[r]`` says whom appearance r knows, with the number of neighbours that the two share. A
``case`` holds a list for each thing known of them: ``cluster`` is the merged cluster of each, or -1.
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
    """Sets of appearances, joined by links of one sureness at a time where no sub-graph comes twice; and links kept."""
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
    """Pairs of a neighbour of p and a neighbour of q for any seed (p, q), but for the seeds themselves."""
    known = {row for seed in seeds for row in seed}
    return {(x, y) for p, q in seeds for x in knows[p] - known for y in knows[q] - known}


def clusters(cluster):
    """The appearances of each merged cluster, and every other appearance alone."""
    groups = {}
    for row, name in enumerate(cluster):
        groups.setdefault(name if name >= 0 else (row,), []).append(row)
    return list(groups.values())


def met_elsewhere(contact, others, home, case):
    """Whether a contact was in a sub-graph but home with any of these appearances, and so that a tie would show."""
    cluster, subgraph, is_inner = case["cluster"], case["subgraph"], case["inner"]
    both = [
        (one, two) for one in others for two in range(len(cluster))
        if cluster[two] == contact and subgraph[one] == subgraph[two] != home
    ]  # fmt: skip
    return bool(both), any(is_inner[one] or is_inner[two] for one, two in both)


def net_support(row, members, knows, case, weight, rarity):
    """By what candidates are ranked: what an appearance and a cluster share, less what is missing on either side."""
    guess, trust, subgraph, is_inner = (case[name] for name in ("guess", "trust", "subgraph", "inner"))
    mine, theirs = known_contacts([row], knows, case), known_contacts(members, knows, case)
    here = {guess[r]: r for r in range(len(guess)) if subgraph[r] == subgraph[row] and guess[r] >= 0}

    def trusted(g):
        return max(sure for _, sure in theirs[g])

    both = {g: weight[g] * mine[g][0][1] * trusted(g) for g in mine if g in theirs}
    equal = sum(both[g] * rarity[mine[g][0][0]] for g in both if max(theirs[g])[0] == mine[g][0][0])
    expected = sum(
        weight[g] * trusted(g) * trust[here[g]] for g in theirs if g in here and (is_inner[row] or is_inner[here[g]])
    )
    visible = 0
    for other in members:
        there = {case["cluster"][r]: r for r in range(len(guess)) if subgraph[r] == subgraph[other]}
        seen = [g for g in mine if g in there and (is_inner[other] or is_inner[there[g]])]
        visible = max(visible, sum(weight[g] * mine[g][0][1] for g in seen))
    return sum(both.values()), 3 * sum(both.values()) - expected - visible + 0.1 * equal


def known_contacts(members, knows, case):
    """Clusters that appearances know, each with (shared neighbours, trust) of every sighting."""
    met = {}
    for row in members:
        for other, shared in knows[row].items():
            if case["guess"][other] >= 0:
                met.setdefault(case["guess"][other], []).append((shared, case["trust"][other]))
    return met


def evidence(row, members, knows, case, weight, rarity, anchors):
    """What speaks for an appearance belonging to the cluster of ``members``, as it is without the appearance itself."""
    cluster, guess, trust, subgraph = (case[name] for name in ("cluster", "guess", "trust", "subgraph"))
    is_inner, degree, share_of = (case[name] for name in ("inner", "degree", "inner_share"))
    others = [other for other in members if other != row]
    met, mine = known_contacts(others, knows, case), known_contacts([row], knows, case)
    there = [r for r in range(len(cluster)) if subgraph[r] == subgraph[row]]
    here = {guess[r]: r for r in there if guess[r] >= 0 and r != row}
    ties = {g: max(shared for shared, _ in met[g]) for g in met}
    trusted = {g: max(sure for _, sure in met[g]) for g in met}
    sure_met = [g for g in met if trusted[g] >= 0.5]
    seen = {cluster[other]: is_inner[other] for other in knows[row] if cluster[other] >= 0}
    expected = [g for g in sure_met if g in here and cluster[here[g]] >= 0]
    both = [g for g in expected if g in mine]
    inner_both = [g for g in both if seen[g]]
    equal = [g for g in both if ties[g] == mine[g][0][0]]

    def worth(contacts):
        return sum(weight[g] for g in contacts)

    def share(part, whole):
        return part / max(whole, 1e-9)

    def cosine(part, one, two):
        return part / max(one * two, 1e-9) ** 0.5

    inner_mine = worth(g for g in seen if seen[g])
    inner_expected = worth(g for g in expected if is_inner[here[g]])
    inner_degrees = [degree[other] for other in others if is_inner[other]]
    close = sum(weight[g] * (min(ties[g], mine[g][0][0]) + 1) / (max(ties[g], mine[g][0][0]) + 1) for g in both)
    names = {cluster[other] for other in members if cluster[other] >= 0}
    together, visible = (
        [g for g in seen if met_elsewhere(g, others, subgraph[row], case)[kind]] for kind in (0, 1)
    )  # fmt: skip
    hints = {g: weight[g] * trusted[g] * mine[g][0][1] for g in met if g in here and g in mine}
    hint, known = sum(hints.values()), sum(weight[g] * mine[g][0][1] for g in mine)
    hoped = sum(weight[g] * trusted[g] * trust[here[g]] for g in met if g in here)
    return {
        "COMMON": len(both),
        "COMMON_WEIGHT": worth(both),
        "COMMON_INNER": len(inner_both),
        "COMMON_INNER_WEIGHT": worth(inner_both),
        "SHARE_OF_OWN": share(worth(both), worth(seen)),
        "SHARE_OF_EXPECTED": share(worth(both), worth(expected)),
        "INNER_SHARE_OF_OWN": share(worth(inner_both), inner_mine),
        "INNER_SHARE_OF_EXPECTED": share(worth(inner_both), inner_expected),
        "COSINE": cosine(worth(both), worth(seen), worth(expected)),
        "INNER_COSINE": cosine(worth(inner_both), inner_mine, inner_expected),
        "CONTACTS": len(seen),
        "INNER_CONTACTS": sum(seen.values()),
        "DEGREE": degree[row],
        "IS_INNER": is_inner[row],
        "SIZE": len(others),
        "INNER_SIZE": len(inner_degrees),
        "LARGEST_DEGREE": max((degree[other] for other in others), default=0),
        "DEGREE_RATIO": math.log(degree[row] / max(inner_degrees)) if inner_degrees else 9.0,
        "KNOWN_CONTACTS": len(sure_met),
        "IS_PRESENT": any(g in here for g in names),
        "ANCHOR": max((sure for one, two, sure in anchors if one == row and two in others), default=0.0),
        "EQUAL_TIES": sum(weight[g] * rarity[mine[g][0][0]] for g in equal),
        "EQUAL_TIES_SHARE": len(equal) / max(len(both), 1),
        "TIE_CLOSENESS": share(close, worth(both)),
        "EQUAL_INNER_TIES": sum(rarity[mine[g][0][0]] for g in equal if seen[g]),
        "INNER_NODES": case["inner_nodes"][row],
        "INNER_NODES_KNOWN": share_of[row],
        "INNER_NODES_KNOWN_ELSEWHERE": sum(share_of[other] for other in others) / max(len(others), 1),
        "INNER_DEGREE": max(inner_degrees, default=0),
        "TRUSTED_WEIGHT": hint,
        "TRUSTED_SHARE_OF_OWN": share(hint, known),
        "TRUSTED_SHARE_OF_EXPECTED": share(hint, hoped),
        "TRUSTED_COSINE": cosine(hint, known, hoped),
        "TRUSTED_EQUAL_TIES": sum(value * rarity[ties[g]] for g, value in hints.items() if ties[g] == mine[g][0][0]),
        "LINKED_CONTACTS_SHARE": len(seen) / max(degree[row], 1),
        "LINKED_SUBGRAPH_SHARE": sum(cluster[r] >= 0 for r in there) / len(there),
        "LINKED_RELEASE_SHARE": sum(name >= 0 for name in cluster) / len(cluster),
        "VISIBLE": worth(visible),
        "VISIBLE_MISSING": worth(g for g in visible if g not in both),
        "TOGETHER": worth(together),
        "TOGETHER_MISSING": worth(g for g in together if g not in both),
        "INNER_EXPECTED_MISSING": inner_expected - worth(inner_both),
        "EXPECTED_MISSING": worth(expected) - worth(both),
        "NET_WEIGHT": 3 * worth(both) - worth(visible) - (worth(expected) if is_inner[row] else inner_expected),
    }
