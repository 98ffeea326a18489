"""Plain twins of the wiring kernels: lists that grow, promised degrees, unbounded integers."""

from itertools import pairwise

MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15


class Counter:
    """The stream of splitmix64 that starts after ``state``."""

    def __init__(self, state):
        self.state = state

    def below(self, bound):
        self.state = (self.state + STEP) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 32) * bound >> 32


def shuffle_segments(stubs, bounds, seed):
    draws, shuffled = Counter(seed), []
    for start, end in pairwise(bounds):
        segment = list(stubs[start:end])
        for last in reversed(range(1, len(segment))):
            other = draws.below(last + 1)
            segment[last], segment[other] = segment[other], segment[last]
        shuffled += segment
    return shuffled


def find(row, node):
    return row.index(node) if node in row else -1


def may_link(u, v, rows, degrees):
    return u != v and v not in rows[u] and not degrees[u] == degrees[v] == 1


def link(u, v, rows):
    rows[u].append(v)
    rows[v].append(u)


def match(stubs, rows, degrees):
    for u, v in zip(stubs[::2], stubs[1::2], strict=False):
        if may_link(u, v, rows, degrees):
            link(u, v, rows)


def close(stubs, rows, degrees, seed, tries=8):
    draws = Counter(seed)
    for u in stubs:
        if not 0 < len(rows[u]) < degrees[u]:
            continue
        for _ in range(tries):
            v = rows[u][draws.below(len(rows[u]))]
            w = rows[v][draws.below(len(rows[v]))]
            if len(rows[w]) < degrees[w] and may_link(u, w, rows, degrees):
                link(u, w, rows)
                break


def splice(stubs, rows, degrees, seed, tries=64):
    draws = Counter(seed)
    for u, x in zip(stubs[::2], stubs[1::2], strict=False):
        for _ in range(tries):
            places = [w for v, row in enumerate(rows) for w in row + [-1] * (degrees[v] - len(row))]
            a = places[draws.below(len(places))]
            if a < 0:
                continue
            place = draws.below(len(rows[a]))
            b = rows[a][place]
            if may_link(u, a, rows, degrees) and may_link(x, b, rows, degrees):
                rows[a][place], rows[b][rows[b].index(a)] = u, x
                rows[u].append(a)
                rows[x].append(b)
                break
