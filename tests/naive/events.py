"""Plain twins of what is done with events: tuples (source, target, direction, weight, slot)."""


def published(rows, events, ego, outer_edges):
    """The numbers of the events that an egonet shows."""
    near = {ego, *rows[ego]}
    ball = near | {far for v in rows[ego] for far in rows[v]}
    inside = [k for k, (s, t, *_) in enumerate(events) if s in ball and t in ball]
    return [k for k in inside if outer_edges or events[k][0] in near or events[k][1] in near]


def incidence(events, nodes):
    """For each node the numbers of its events."""
    return [[k for k, (s, t, *_) in enumerate(events) if v in (s, t)] for v in range(nodes)]


def sums(events, node, kind):
    """What the events of a node with each neighbour add up to."""
    totals = {}
    for source, target, direction, weight, _ in events:
        if node not in (source, target):
            continue
        other = target if node == source else source
        amount = max(weight, 0) if kind.startswith("weight") else 1
        sent, got = direction == 0 or node == source, direction == 0 or node == target
        counts = {"out": sent, "in": got}.get(kind.partition("-")[2], True)
        totals[other] = totals.get(other, 0) + amount * counts
    return totals


def histogram(events, node, kind, bins):
    """The neighbours of a node by sum: 0, 1, 2-3, 4-7, ..., the last bin without end."""
    result = [0] * bins
    for total in sums(events, node, kind).values():
        result[min(int(total).bit_length(), bins - 1)] += 1
    return result


def neighbors(events, nodes, slot=None):
    """The sorted neighbours of every node, by the events of one slot or of all."""
    chosen = [e for e in events if slot in (None, e[4])]
    return [sorted({t if s == v else s for s, t, *_ in chosen if v in (s, t)}) for v in range(nodes)]


def join(scores, kind):
    """The log odds or the votes of one pair's slots, and their mean score: larger means more alike."""
    from math import log

    if kind == "majority":
        return sum(p > 0.5 for p in scores) / len(scores), sum(scores) / len(scores)
    odds = sum(log(min(max(p, 0.01), 0.99) / (1 - min(max(p, 0.01), 0.99))) for p in scores)
    return (odds if kind == "summed-log-odds" else odds / len(scores),)


def tie(events, node, other, kinds, slots):
    """All that is summed up between a node and one neighbour, kind by kind and slot by slot."""
    parts = [[e for e in events if slots == 1 or e[4] == slot] for slot in range(slots)]
    return tuple(sums(part, node, kind).get(other, 0) for kind in kinds for part in parts)


def compare_slots(one, two):
    """What slots say: two lists of histograms, one for each slot."""
    from math import sqrt

    totals = [(sum(x), sum(y)) for x, y in zip(one, two, strict=True)]
    apart = [
        sum(abs(a - b) for a, b in zip(x, y, strict=True)) / (sum(x) + sum(y))
        for x, y in zip(one, two, strict=True)
        if sum(x) and sum(y)
    ]
    squares = sum(x * x for x, _ in totals) * sum(y * y for _, y in totals)
    return {
        "BOTH": len(apart) / len(one),
        "ONE": sum((x > 0) != (y > 0) for x, y in totals) / len(one),
        "ACTIVITY_DIFFER": sum(abs(x - y) for x, y in totals) / max(sum(x + y for x, y in totals), 1),
        "ACTIVITY_COSINE": sum(x * y for x, y in totals) / sqrt(max(squares, 1)),
        "LEAST_DIFFER": min(apart, default=1),
        "MEAN_DIFFER": sum(apart) / len(apart) if apart else 1,
        "MOST_DIFFER": max(apart, default=1),
    }


def tied(marks, subgraph, most, entries):
    """The pairs with most rare marks in common: of each other sub-graph the best, and of these the best few."""
    from math import log2

    counts = {}
    for mark in (mark for mine in marks for mark in mine):
        counts[mark] = counts.get(mark, 0) + 1
    pairs = set()
    for p, mine in enumerate(marks):
        best = {}
        for q, theirs in enumerate(marks):
            common = {mark for mark in mine if mark in theirs and counts[mark] <= entries}
            if subgraph[p] == subgraph[q] or not common:
                continue
            worth = sum(log2(len(marks) / counts[mark] + 1) for mark in common)
            best[subgraph[q]] = max(best.get(subgraph[q], (0, 0)), (round(worth, 9), -q))
        for _, _, q in sorted((-worth, part, -q) for part, (worth, q) in best.items())[:most]:
            pairs.add((min(p, q), max(p, q)))
    return sorted(pairs)


def near(one, two, within):
    """How many numbers of the first list have one of the second within a distance."""
    return sum(any(abs(x - y) <= within for y in two) for x in one)


def equal(one, two):
    """How many numbers two lists have in common, each as often as both have it."""
    return sum(min(one.count(x), two.count(x)) for x in set(one))


def moments(mine, theirs, people_in):
    """What two lists of spans say: ``people_in`` counts the people of the other graph who are active in each span."""
    from math import log

    if not mine or not theirs:
        return 0.0
    mean = sum(count + 1 for count in people_in) / len(people_in)
    usual = log(0.25) - log(min(1, 3 * len(theirs) / len(people_in)))
    total = 0.0
    for span in mine:
        is_hit = any(abs(span - other) <= 1 for other in theirs)
        total += max(0, usual + log(mean / (people_in[span] + 1))) if is_hit else log(0.75)
    return total / 2


def compare_ties(mine, theirs, links):
    """How alike the shared ties are; both sides are {contact: (amount, weight, share sent, times)}."""
    pairs = [(mine[x], theirs[y]) for x, y in links.items() if x in mine and y in theirs]
    amounts = [(one[0], two[0]) for one, two in pairs]
    squares = sum(x * x for x, _ in amounts) * sum(y * y for _, y in amounts)

    def mean(values):
        values = list(values)
        return sum(values) / max(len(values), 1)

    same = sum(equal(one[3], two[3]) for one, two in pairs)
    return [
        sum(x for x, _ in amounts) / max(sum(tie[0] for x, tie in mine.items() if x in links), 1e-9),
        sum(y for _, y in amounts) / max(sum(tie[0] for y, tie in theirs.items() if y in links.values()), 1e-9),
        mean(abs(x - y) for x, y in amounts),
        sum(x * y for x, y in amounts) / max(squares, 1e-9) ** 0.5,
        mean(abs(one[2] - two[2]) for one, two in pairs),
        mean(abs(one[1] - two[1]) for one, two in pairs),
        same,
        same / max(sum(min(len(one[3]), len(two[3])) for one, two in pairs), 1),
        sum(near(one[3], two[3], 600) for one, two in pairs) / max(sum(len(one[3]) for one, _ in pairs), 1),
    ]
