"""Plain twins of the kernels that weigh evidence under noise; rows are lists of sets, tables lists of lists."""

import math

CAP = 5.0


def log_odds(root, together, other, knows, chance, spread, edges):
    """The log odds of common contacts and of knowing each other; chance: (roots, whether known) of other people."""
    mean = sum(value for value, _ in chance) / len(chance)
    share = (sum(known for _, known in chance) + 0.5) / (len(chance) + 1)
    wide = sum(value**2 for value, _ in chance) / len(chance) - mean**2 + spread
    right = -0.5 * (root - other) ** 2 / spread - 0.5 * math.log(spread)
    wrong = -0.5 * (root - mean) ** 2 / wide - 0.5 * math.log(wide)
    if together:
        right, wrong = right + math.log(edges if knows else 1 - edges), wrong + math.log(share)
    else:
        right, wrong = right + (math.log(1 - edges) if knows else 0), wrong + math.log(1 - share)
    return max(-CAP, min(CAP, right - wrong))


def pair_evidence(one, two, root, together, roots, knows, spread, edges):
    """The log odds of all pairs of candidates of two variables, by (place, place); others say nothing."""
    chance = [(roots[a][b], knows[a][b]) for a in one for b in two if min(a, b) >= 0 and a != b]
    found = {}
    for i, a in enumerate(one):
        for j, b in enumerate(two):
            if chance and min(a, b) >= 0:
                odds = log_odds(root, together, roots[a][b], knows[a][b], chance, spread, edges)
                found[i + 1, j + 1] = -CAP if a == b else odds
    return found


def propagate(unary, factors, ends, rounds):
    """The log beliefs after so many rounds of messages, each half old and half new, or when little changes."""
    size = len(unary[0])
    messages = {(k, way): [0.0] * size for k in range(len(ends)) for way in (0, 1)}
    beliefs = unary
    for _ in range(rounds):
        beliefs = [list(row) for row in unary]
        for (k, way), told in messages.items():
            hearer = ends[k][1 - way]
            beliefs[hearer] = [b + t for b, t in zip(beliefs[hearer], told, strict=True)]
        before, messages = (
            messages,
            {
                (k, way): _send(beliefs[ends[k][way]], messages[k, 1 - way], messages[k, way], factors[k], way)
                for k, way in messages
            },
        )
        if all(abs(a - b) < 0.01 for key in messages for a, b in zip(before[key], messages[key], strict=True)):
            break
    return beliefs


def _send(belief, heard, before, factor, way):
    weight = [math.exp(b - h) for b, h in zip(belief, heard, strict=True)]
    size = range(len(belief))
    sent = [sum(weight[a] * (factor[a][b] if way == 0 else factor[b][a]) for a in size) for b in size]
    return [(old + math.log(new / sent[0])) / 2 for old, new in zip(before, sent, strict=True)]


def posterior(prior, odds, people):
    """How probable each candidate is, among all and nobody, who has the share 1 - people beforehand."""
    weight = [math.exp(one) for one in odds]
    total = sum(weight) + sum(map(math.exp, prior)) * (1 - people) / people
    return [one / total for one in weight]


def by_landmarks(contacts, degrees, marks, overlap):
    """How probable each candidate is by his landmarks (root, together, roots of all, who knows it)."""
    prior = [-((degree - contacts) ** 2) / (1 - overlap.people * overlap.edges) for degree in degrees]
    spread = (1 - overlap.people * overlap.edges**2) / 2 + 0.05
    odds = list(prior)
    for root, together, roots, knows in marks:
        chance = list(zip(roots, knows, strict=True))
        for v, (other, known) in enumerate(chance):
            odds[v] += log_odds(root, together, other, known, chance, spread, overlap.edges)
    return posterior(prior, odds, overlap.people)


def shared(rows, center):
    """The roots of what somebody shares with each contact, in the contacts' order."""
    return [math.sqrt(len(rows[center] & rows[x]) + 0.375) for x in sorted(rows[center])]


def by_contacts(people, graph, contacts, root, overlap):
    """How probable each candidate is for a center, by its contacts (roots of degrees, roots of what is shared)."""
    one = 1 / (1 - overlap.people * overlap.edges)
    two = 1 / (1 - overlap.people * overlap.edges**2 + 0.1)
    share = overlap.people * overlap.edges

    def fit(person, x):
        gaps = [
            one * (math.sqrt(len(graph[y])) - x[0]) ** 2 + two * (common - x[1]) ** 2
            for y, common in zip(sorted(graph[person]), shared(graph, person), strict=True)
        ]
        return sum(math.exp(-gap) for gap in gaps if gap < 12) / max(1, len(gaps))

    prior = [-one * (math.sqrt(len(graph[person])) - root) ** 2 for person in people]
    odds = list(prior)
    for x in contacts:
        fits = [fit(person, x) for person in people]
        mean = sum(fits) / len(fits) + 1e-12
        odds = [o + math.log(share * f / mean + 1 - share) for o, f in zip(odds, fits, strict=True)]
    return posterior(prior, odds, overlap.people)


def by_circle(people, graph, circle, root, spread, bins, overlap):
    """The log odds of each candidate for a hub, by the histogram of what it shares with its contacts."""
    one = 1 / (1 - overlap.people * overlap.edges)
    share, reach = overlap.people * overlap.edges, int(3 * math.sqrt(spread)) + 1

    def place(value):
        return min(bins - 1, int(4 * value))

    def fit(person, b):
        steps = [b - place(value) for value in shared(graph, person)]
        near = [math.exp(-(step**2) / (2 * spread)) for step in steps if abs(step) <= reach]
        return sum(near) / max(1, len(steps))

    odds = [-one * (math.sqrt(len(graph[person])) - root) ** 2 for person in people]
    for value in circle:
        fits = [fit(person, place(value)) for person in people]
        mean = sum(fits) / len(fits) + 1e-9
        odds = [o + 0.5 * math.log(share * f / mean + 1 - share) for o, f in zip(odds, fits, strict=True)]
    return odds


def circle(rows, members):
    """The edges among some people, by their places, both ways."""
    place = {x: k for k, x in enumerate(members)}
    return {(place[x], place[y]) for x in members for y in rows[x] if y in place}


def agreement(one, two):
    """The log odds that two appearances are one person; traits are {contacts of the partner: common}."""
    both = one.keys() & two.keys()
    return sum(math.log(1 + one[key] / 2) if one[key] == two[key] else -1.5 for key in both)


def unite(pairs, subgraph):
    """Groups as a set of frozen sets, united in order, never two of one sub-graph."""
    groups = {r: frozenset([r]) for r in range(len(subgraph))}
    for a, b in pairs:
        places = [subgraph[r] for r in groups[a] | groups[b]]
        if len({*places}) == len(places):
            both = groups[a] | groups[b]
            groups.update(dict.fromkeys(both, both))
    return {*groups.values()}


def count_found(subgraphs, shows, person, graph, known):
    """For each appearance: edges of the graph to named ones who show theirs that are there, and that could be.

    ``subgraphs`` are dictionaries of rows.
    """
    found, met = [0] * len(person), [0] * len(person)
    for rows in subgraphs:
        for w, row in rows.items():
            for y in rows:
                is_new = not (known[w] and known[y])
                if is_new and shows[w] and person[w] >= 0 and person[y] in graph[person[w]]:
                    met[y] += 1
                    found[y] += y in row
    return found, met
