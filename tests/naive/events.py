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
