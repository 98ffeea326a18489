"""What schemes do to whole graphs, in plain Python: sets of edges and loops."""

import math

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


def least_cost(falling, k, up):
    """Return the least sum of changes that puts falling degrees into runs of at least k with one degree each."""

    def cost(run):
        wanted = run[0] if up else run[len(run) // 2]
        return sum(abs(degree - wanted) for degree in run)

    least = {0: 0}
    for end in range(k, len(falling) + 1):
        ways = [least[start] + cost(falling[start:end]) for start in range(end - k + 1) if start in least]
        if ways:
            least[end] = min(ways)
    return least[len(falling)]


def move_edges(edges, wanted, draw):
    """Move, add and delete edges of a set until all degrees are those wanted, as a careful programmer would."""
    edges = {frozenset(edge) for edge in edges}
    degrees = [0] * len(wanted)
    for u, v in edges:
        degrees[u] += 1
        degrees[v] += 1
    for u in range(len(wanted)):
        while degrees[u] > wanted[u]:
            few = [v for v in range(len(wanted)) if degrees[v] < wanted[v]]
            mine = [edge for edge in edges if u in edge]
            edge = draw.choice(mine)
            (w,) = edge - {u}
            able = [v for v in few if v != w and frozenset((v, w)) not in edges]
            edges.remove(edge)
            degrees[u] -= 1
            if able:
                v = draw.choice(able)
                edges.add(frozenset((v, w)))
                degrees[v] += 1
            else:
                degrees[w] -= 1
    return edges


def degree_law(chances):
    """Return the chances that of some coins 0, 1, ... show heads, by trying all ways in which they may fall."""
    law = [0.0] * (len(chances) + 1)
    for way in range(2 ** len(chances)):
        heads = [way >> k & 1 for k in range(len(chances))]
        share = 1.0
        for head, chance in zip(heads, chances, strict=True):
            share *= chance if head else 1 - chance
        law[sum(heads)] += share
    return law


def entropies(pairs, chances, nodes, largest):
    """Return how many bits of doubt each degree leaves whose it is."""
    laws = [degree_law([c for pair, c in zip(pairs, chances, strict=True) if v in pair]) for v in range(nodes)]
    bits = []
    for w in range(largest + 1):
        shares = [law[w] for law in laws if w < len(law) and law[w] > 0]
        bits.append(-sum(x / sum(shares) * math.log2(x / sum(shares)) for x in shares))
    return bits


def community_chances(contacts, community, count, weight):
    """Return with which chance each node moves to each community: the exponential mechanism."""
    chances = []
    for mine in contacts:
        weights = [math.exp(weight * sum(community[v] == c for v in mine)) for c in range(count)]
        chances.append([one / sum(weights) for one in weights])
    return chances
