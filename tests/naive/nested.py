"""Plain twins of the kernels that place one graph in another; graphs are lists of sorted neighbours."""

import math

DAMPING = 0.3


def speak(outer, total, heard, crowd, heat, floor):
    """The log of how probably somebody, who forgets what it heard, is next to each person."""
    logits = [(t - h) / heat + c for t, h, c in zip(total, heard, crowd, strict=True)]
    top = max(logits)
    weight = [math.exp(logit - top) for logit in logits]
    return [math.log(sum(weight[w] for w in row) / sum(weight) + floor) for row in outer]


def exchange(inner, outer, total, told, crowd, heat, floor):
    """All messages renewed; told[u, x] is what x told u before."""
    fresh = {}
    for u, row in enumerate(inner):
        for x in row:
            words = speak(outer, total[x], told[x, u], crowd, heat, floor)
            fresh[u, x] = [DAMPING * old + (1 - DAMPING) * new for old, new in zip(told[u, x], words, strict=True)]
    return fresh


def miss(outer, beliefs, kept):
    """What having no edge to somebody with these beliefs says of being each person."""
    return [math.log(1 - kept * min(sum(beliefs[w] for w in row), 1)) for row in outer]


def gather(inner, told, apart, total):
    """What is then known of everybody: all that was told, and that there is no edge to all others."""
    fresh = []
    for u, row in enumerate(inner):
        others = [z for z in range(len(inner)) if z != u and z not in row]
        sums = [
            sum(told[u, x][v] for x in row) + sum(apart[z][v] for z in others) for v in range(len(total[u]))
        ]  # fmt: skip
        mixed = [DAMPING * old + (1 - DAMPING) * new for old, new in zip(total[u], sums, strict=True)]
        fresh.append([value - max(mixed) for value in mixed])
    return fresh
