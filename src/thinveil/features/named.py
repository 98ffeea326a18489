"""Labelled pairs of a published appearance and a person with a name, where several sub-graphs were published.

The attacker wants names: two published sub-graphs are not compared with each other. Every pair has one appearance in
the auxiliary graph, and its category is the distance of the other from its ego: ``1-hop`` (at most one), ``2-hop``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from thinveil.features.pairs import Groups, IdenticalPairs, Pairs, PairSampler, choose_numbers
from thinveil.features.views import Labels

I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]


class NameSampler(PairSampler):
    """Draws labelled pairs of an appearance in a published sub-graph and one in the auxiliary graph."""

    def __init__(
        self, subgraph: NDArray[np.int32], truth: Labels, *, admit: Bools | None = None, known: Bools | None = None
    ) -> None:
        super().__init__(subgraph, truth, admit=admit, known=known)
        every, is_named = self._appearances, np.asarray(subgraph == truth.auxiliary)
        self._identical = _NamePairs(every if known is None else every[known[every]], truth, is_named)
        self._published, self._named = every[~is_named[every]], every[is_named[every]]
        self._by_published = Groups(self._published, subgraph)

    def linkable(self) -> NDArray[np.int32]:
        """Return the people of the auxiliary graph with a published appearance."""
        return np.intersect1d(self._person[self._published], self._person[self._named])

    def mean_appearances(self) -> float:
        """Return the mean number of appearances of a published sub-graph."""
        return float(self._published.size / max(1, self._by_published.count))

    def mean_pairs(self) -> float:
        """Return the mean number of pairs of a published sub-graph and the auxiliary graph."""
        return float(self.mean_appearances() * self._named.size)

    def mean_shared(self) -> float:
        """Return the mean number of people of a published sub-graph who are in the auxiliary graph."""
        return float(self.count("complete") / max(1, self._by_published.count))

    def _per_subgraph_pair(self, size: int, rng: np.random.Generator) -> Pairs:
        groups = rng.integers(self._by_published.count, size=size)
        return Pairs(self._by_published.draw(groups, rng), self._by_name(size, rng))

    def _over_appearances(self, size: int, rng: np.random.Generator) -> Pairs:
        published = self._published[rng.integers(self._published.size, size=size)]
        return Pairs(published, self._by_name(size, rng))

    def _by_name(self, size: int, rng: np.random.Generator) -> I64:
        return np.asarray(self._named[rng.integers(self._named.size, size=size)])


class _NamePairs(IdenticalPairs):
    """All pairs of one person's published appearances and the one with a name, by number.

    Appearances with a name stand where those far from an ego do: such pairs are then those of one of either kind.
    """

    def __init__(self, appearances: I64, truth: Labels, is_named: Bools) -> None:
        turned = replace(truth, is_far=is_named)
        super().__init__(appearances, turned)
        is_far = truth.is_far[appearances]
        self._parts = {
            name: IdenticalPairs(appearances[mine | is_named[appearances]], turned)
            for name, mine in (("1-hop", ~is_far), ("2-hop", is_far), ("complete", np.ones_like(is_far)))
        }

    def total(self, category: str) -> int:
        """Return the number of pairs of a category."""
        return self._parts[category].total("1,2-hop") if category in self._parts else 0

    def decode(self, category: str, numbers: I64) -> Pairs:
        return self._parts[category].decode("1,2-hop", numbers)

    def of_each(self, most: int, rng: np.random.Generator) -> Pairs:
        person, numbers = choose_numbers(self._near * self._far, most, rng)
        start, near = self._start[person], self._near[person]  # whoever has a name has one
        return Pairs(self._appearances[start + numbers], self._appearances[start + near])
