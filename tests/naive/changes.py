"""What schemes do to whole graphs, in plain Python: sets of edges and loops."""

_STEP, _ALL = 0x9E3779B97F4A7C15, 2**64 - 1


class Chance:
    """SplitMix64: a counter, mixed."""

    def __init__(self, state):
        self.state = state

    def bits(self):
        self.state = (self.state + _STEP) & _ALL
        z = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _ALL
        return z ^ (z >> 31)

    def below(self, limit):
        return (self.bits() >> 32) * limit >> 32

    def share(self):
        return (self.bits() >> 11) * 2.0**-53


def absent_pairs(contacts, count, state):
    """Draw pairs of people until so many are distinct and no contacts."""
    chance, found = Chance(state), []
    while len(found) < count:
        u, v = chance.below(len(contacts)), chance.below(len(contacts))
        if u != v and v not in contacts[u] and {u, v} not in found:
            found.append({u, v})
    return found


def walk_edges(contacts, steps, tries, state):
    """Replace each contact by the end of a walk, after Mittal, Papamanthou and Song (2013)."""
    chance, edges = Chance(state), []
    for u, mine in enumerate(contacts):
        degree, own, first = len(mine), 0, chance.below(max(len(mine), 1))
        for v in mine[first:] + mine[:first]:
            for _ in range(tries):
                end = v
                for _ in range(steps - 1):
                    end = contacts[end][chance.below(len(contacts[end]))]
                if end != u and {u, end} not in edges:
                    lot = chance.share()
                    if own == 0 or lot < (0.5 * degree - 1) / (degree - 1):
                        edges.append({u, end})
                    own += 1
                    break
    return edges
