"""How often 95% intervals hold the truth where trials agree: the table in docs/method.md.

``python benchmarks/bench_coverage.py [RUNS]``: trials in groups that agree (beta-binomial), pairs in sub-graphs that
agree (probit, an effect of each sub-graph and of each two), and people who share such sub-graphs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import combinations, product

import numpy as np
from scipy.stats import norm

from thinveil.measures.agreement import Clusters
from thinveil.measures.intervals import group_sums, grouped_rate
from thinveil.measures.people import risk_of_people, tabulate
from thinveil.measures.rates import rate

Ends = tuple[float, float]
Cell = tuple[str, Callable[[np.random.Generator], tuple[float, Ends, Ends]]]
_EFFECTS = ((0.0, 0.0), (0.5, 0.5), (1.0, 0.5), (1.5, 0.0))
_SHARES = (0.01, 0.05, 0.3)


def group_cells() -> Iterator[Cell]:
    """Yield groups of equal size, whose trials agree by an intraclass correlation."""
    for groups, size, share, alike in product((5, 10, 20, 50), (2, 8, 40), (0.01, 0.05, 0.2, 0.5), (0, 0.2, 0.5, 1)):

        def run(chance, groups=groups, size=size, share=share, alike=alike):
            spread = 1 / alike - 1 if alike else 0.0
            chances = chance.beta(share * spread, (1 - share) * spread, groups) if 0 < alike < 1 else share
            chances = chance.random(groups) < share if alike == 1 else chances
            hits = chance.binomial(size, chances, groups)
            found, alone = grouped_rate(hits, np.full(groups, size), chance), rate(int(hits.sum()), groups * size)
            return share, (found.low, found.high), (alone.low, alone.high)

        yield f"groups: {groups} of {size}, share {share}, agreement {alike}", run


def pair_cells() -> Iterator[Cell]:
    """Yield pairs of all, of some, or of one and any other of the sub-graphs."""
    for (subgraphs, shape), size, share, effect in product(_SHAPES, (2, 20), _SHARES, _EFFECTS):

        def run(chance, subgraphs=subgraphs, shape=shape, size=size, share=share, effect=effect):
            one, two, chances = _chances(chance, subgraphs, shape, share, effect)
            keys = np.repeat(one << 32 | two, size)
            hits = chance.random(keys.size) < np.repeat(chances, size)
            agreement = Clusters(np.arange(keys.size), keys).agreement(hits)
            sums = group_sums(keys, hits)
            found = grouped_rate(sums[0].astype(np.int64), sums[1], chance, agreement=agreement)
            alone = rate(int(hits.sum()), hits.size)
            return share, (found.low, found.high), (alone.low, alone.high)

        yield f"pairs: {subgraphs} sub-graphs, {shape}, {size} each, share {share}, effects {effect}", run


def people_cells() -> Iterator[Cell]:
    """Yield people who stand in some of the sub-graphs, up to ten pairs each."""
    for subgraphs, people, share, effect in product((10, 20, 50), (50, 200), _SHARES, _EFFECTS):

        def run(chance, subgraphs=subgraphs, people=people, share=share, effect=effect):
            one, two, chances = _chances(chance, subgraphs, "all", share, effect)
            number = {pair: k for k, pair in enumerate(zip(one.tolist(), two.tolist(), strict=True))}
            asked, pairs = [], []
            for person in range(people):
                places = np.sort(chance.permutation(subgraphs)[: 2 + chance.poisson(1.5)]).tolist()
                mine = [number[pair] for pair in combinations(places, 2)]
                pairs += list(chance.permutation(mine)[:10])
                asked += [person] * min(10, len(mine))
            who, chosen = np.array(asked, dtype=np.int32), np.array(pairs)
            linked = chance.random(who.size) < chances[chosen]
            table = tabulate(who, np.full(who.size, 9, np.int32), None, who, linked, one[chosen] << 32 | two[chosen])
            ends = []
            for agreement in (table.agreement, None):
                told = table.__class__(*(getattr(table, name) for name in _COLUMNS), agreement)
                risk = risk_of_people([told], fpr=0.001, min_degree=5, chance=chance)
                ends.append((risk.low / people, risk.high / people))
            return share, ends[0], ends[1]

        yield f"people: {people} in {subgraphs} sub-graphs, share {share}, effects {effect}", run


_COLUMNS = ("person", "appearances", "degree", "hops", "looked", "linked")
_SHAPES = ((10, "all"), (20, "all"), (40, "all"), (40, "some"), (20, "star"))


def _chances(chance, subgraphs, shape, share, effect):
    """Return pairs of sub-graphs, and how probably a trial is a hit in each."""
    one, two = np.array(list(combinations(range(subgraphs), 2))).T
    keep = {"all": one >= 0, "star": one == 0, "some": np.random.default_rng(1).random(one.size) < 0.08}[shape]
    one, two = one[keep], two[keep]
    place, both = effect
    middle = norm.ppf(share) * np.sqrt(1 + place**2 + both**2)
    drawn = chance.normal(size=subgraphs)
    return one, two, norm.cdf(middle + place * (drawn[one] + drawn[two]) / 2**0.5 + both * chance.normal(size=one.size))


def measure(cells: Iterator[Cell], runs: int) -> list[tuple[float, float, float, float, str]]:
    """Return how often the interval and the plain one held the truth, and their mean widths, in each cell."""
    lines = []
    for name, run in cells:
        chance = np.random.default_rng(list(name.encode()))
        held, widths = np.zeros(2), np.zeros(2)
        for _ in range(runs):
            truth, *both = run(chance)
            held += [low <= truth + 1e-12 and truth <= high + 1e-12 for low, high in both]
            widths += [high - low for low, high in both]
        lines.append((*(held / runs), *(widths / runs), name))
    return sorted(lines)


def main(runs: int) -> None:
    for cells in (group_cells, pair_cells, people_cells):
        lines = measure(cells(), runs)
        below = [sum(line[k] < 0.94 for line in lines) for k in range(2)]
        least = [min(line[k] for line in lines) for k in range(2)]
        print(f"{cells.__name__}: {len(lines)} cells of {runs} runs; least held {least[0]:.3f} (plain {least[1]:.3f}); "
              f"below 94%: {below[0]} (plain {below[1]})")  # fmt: skip
        for line in lines[:6]:
            print("  {:.3f} ({:.3f}) width {:.3f} ({:.3f}) {}".format(*line))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
