"""Labelled pairs of appearances: who is compared with whom (Section 4.1 of the paper).

An *identical* pair is two appearances of one person in two sub-graphs. Its category says how far both stand from
their ego: ``1-hop`` (neither is two hops away), ``1,2-hop`` (one is), ``2-hop`` (both are); ``complete`` is
all of them. With thousands of sub-graphs there are billions of identical pairs, so they are never listed:
they are *numbered* (person by person, from the counts of each one's near and far appearances) and a drawn number is
turned into its pair.

A *non-identical* pair is drawn by one of three protocols, and the choice matters more than anything else:

``paper``
    Two sub-graphs uniformly, then an appearance uniformly in each: what the paper did. Sub-graph size and hop class
    give part of the answer away, so rates look better than an attacker's would be.
``uniform``
    Two appearances uniformly among all appearances.
``matched``
    An identical pair (p, q) with q replaced by another appearance of q's sub-graph and hop class: "can this person
    be told from the others of that sub-graph?", the honest question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError, SampleError
from thinveil.features.views import Labels
from thinveil.runtime.parameters import suggest

I64 = NDArray[np.int64]

CATEGORIES = ("1-hop", "1,2-hop", "2-hop", "complete")
PROTOCOLS = ("paper", "uniform", "matched")
_MOST_ROUNDS = 100


class Question(NamedTuple):
    """Which pairs an attack is asked about: their category, and how pairs of different people are drawn."""

    category: str = "complete"
    protocol: str = "matched"


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of appearance numbers of a view: ``left[k]`` is compared with ``right[k]``."""

    left: I64
    right: I64

    def __len__(self) -> int:
        return self.left.size

    def distinct(self) -> Pairs:
        """Return each pair once, the smaller appearance first, in ascending order."""
        keys = np.unique(self._keys())
        return Pairs(keys >> 32, keys & 0xFFFFFFFF)

    def count_distinct(self) -> int:
        """Return the number of different pairs, whichever side comes first."""
        return np.unique(self._keys()).size

    def without(self, others: Pairs) -> Pairs:
        """Return the pairs that are not among others, whichever side comes first."""
        keep = ~np.isin(self._keys(), others._keys())
        return Pairs(self.left[keep], self.right[keep])

    def _keys(self) -> I64:
        """Return a number for each pair, the same for both orders: appearance numbers have 31 bits."""
        return np.minimum(self.left, self.right) << 32 | np.maximum(self.left, self.right)

    def shuffled_sides(self, rng: np.random.Generator) -> Pairs:
        """Return the pairs with left and right swapped at random: which comes first must say nothing."""
        swap = rng.random(len(self)) < 0.5
        return Pairs(np.where(swap, self.right, self.left), np.where(swap, self.left, self.right))


NO_PAIRS = Pairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


class PairSampler:
    """Draws labelled pairs from the appearances of one release.

    Parameters
    ----------
    subgraph
        Sub-graph of every appearance.
    truth
        Who the appearances are.
    admit
        Rows that may be drawn; all by default.
    known
        Rows of those people whose identical pairs may be drawn; all that are admitted by default.
    """

    def __init__(
        self, subgraph: NDArray[np.int32], truth: Labels, *, admit: NDArray[np.bool_] | None = None,
        known: NDArray[np.bool_] | None = None,
    ) -> None:  # fmt: skip
        appearances = np.arange(subgraph.size) if admit is None else np.flatnonzero(admit)
        self._subgraph, self._truth, self._person = subgraph, truth, truth.person
        self._identical = IdenticalPairs(appearances if known is None else appearances[known[appearances]], truth)
        self._by_subgraph = Groups(appearances, subgraph)
        self._by_class = Groups(appearances, classes_of(subgraph, truth))
        self._appearances = appearances

    @property
    def appearances(self) -> I64:
        """The appearances that may be drawn."""
        return self._appearances

    def count(self, category: str) -> int:
        """Return the number of identical pairs of a category."""
        return self._identical.total(category)

    def linkable(self) -> NDArray[np.int32]:
        """Return the people with an appearance in at least two sub-graphs."""
        people, appearances = np.unique(self._person[self._appearances], return_counts=True)
        return np.asarray(people[appearances > 1])

    def part(self, known: NDArray[np.bool_]) -> tuple[PairSampler, PairSampler]:
        """Return samplers for somebody who knows those appearances and for questions about the others.

        Who knows a few people knows their identical pairs. Two random appearances are two people, near enough, so the
        non-identical pairs may be anybody's; under ``matched``, which takes a person of whom it is known where
        else that person is, one of the two is a known appearance.
        """
        mine = np.zeros(self._subgraph.size, dtype=bool)
        mine[self._appearances] = True
        return (
            type(self)(self._subgraph, self._truth, admit=mine, known=known),
            type(self)(self._subgraph, self._truth, admit=mine & ~known),
        )

    def mean_appearances(self) -> float:
        """Return the mean number of appearances of a sub-graph."""
        return float(self._appearances.size / max(1, self._by_subgraph.count))

    def mean_pairs(self) -> float:
        """Return the mean number of pairs of appearances of two sub-graphs."""
        sizes = self._by_subgraph.sizes
        combinations = sizes.size * (sizes.size - 1) / 2
        return float((sizes.sum() ** 2 - (sizes**2).sum()) / 2 / combinations) if combinations else 0.0

    def mean_shared(self) -> float:
        """Return the mean number of people with an appearance in both of two sub-graphs."""
        combinations = self._by_subgraph.count * (self._by_subgraph.count - 1) / 2
        return self.count("complete") / combinations if combinations else 0.0

    def identical(self, category: str, most: int, rng: np.random.Generator) -> Pairs:
        """Draw identical pairs without repetition: ``most`` of them, or all there are."""
        total = self.count(category)
        if not total:
            return NO_PAIRS
        numbers = rng.choice(total, size=min(most, total), replace=False, shuffle=False)
        return self._identical.decode(category, numbers).shuffled_sides(rng)

    def of_each_person(self, most: int, rng: np.random.Generator) -> Pairs:
        """Draw ``most`` identical pairs of each person without repetition, or all there are; person by person."""
        return self._identical.of_each(most, rng).shuffled_sides(rng)

    def different(self, protocol: str, category: str, count: int, rng: np.random.Generator) -> Pairs:
        """Draw non-identical pairs, each independently of the others; a pair may come again.

        Leaving repeats out would change the distribution: the pairs of small sub-graphs would run out first.
        The category only matters to the ``matched`` protocol; the others make no difference, like the paper.
        """
        if protocol not in PROTOCOLS:
            raise InputError(f"unknown protocol {protocol!r}: {suggest(protocol, PROTOCOLS)}")
        if self._by_subgraph.count < 2:
            raise SampleError("fewer than two sub-graphs have anybody to compare")
        draw: dict[str, Callable[[int], Pairs]] = {
            "paper": lambda n: self._per_subgraph_pair(n, rng),
            "uniform": lambda n: self._over_appearances(n, rng),
            "matched": lambda n: self._matched(category, n, rng),
        }
        return self._collect(draw[protocol], count).shuffled_sides(rng)

    def _per_subgraph_pair(self, size: int, rng: np.random.Generator) -> Pairs:
        groups = self._by_subgraph.count
        first = rng.integers(groups, size=size)
        second = (first + rng.integers(1, groups, size=size)) % groups
        return Pairs(self._by_subgraph.draw(first, rng), self._by_subgraph.draw(second, rng))

    def _over_appearances(self, size: int, rng: np.random.Generator) -> Pairs:
        return Pairs(*(self._appearances[rng.integers(self._appearances.size, size=size)] for _ in range(2)))

    def _matched(self, category: str, size: int, rng: np.random.Generator) -> Pairs:
        total = self.count(category)
        if not total:
            raise SampleError(f"no identical pairs of category {category} to match others to")
        true = self._identical.decode(category, rng.integers(total, size=size)).shuffled_sides(rng)
        return Pairs(true.left, self._by_class.draw_other(true.right, rng))

    def _collect(self, draw: Callable[[int], Pairs], count: int) -> Pairs:
        """Draw until there are enough valid pairs, or next to none turn up."""
        left, right = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        for _ in range(_MOST_ROUNDS):
            pairs = self._valid(draw(int(1.1 * (count - left.size)) + 16))
            left, right = np.append(left, pairs.left)[:count], np.append(right, pairs.right)[:count]
            if left.size == count:
                break
        return Pairs(left, right)

    def _valid(self, pairs: Pairs) -> Pairs:
        apart = self._subgraph[pairs.left] != self._subgraph[pairs.right]
        keep = apart & (self._person[pairs.left] != self._person[pairs.right])
        return Pairs(pairs.left[keep], pairs.right[keep])


def categories_of(truth: Labels) -> tuple[str, ...]:
    """Return the categories of a release: without egos there is only one, and an auxiliary graph has no ego."""
    if not truth.has_hops:
        return ("complete",)
    return CATEGORIES if truth.auxiliary is None else ("1-hop", "2-hop", "complete")


def classes_of(subgraph: NDArray[np.int32], truth: Labels) -> I64:
    """Return a number for each appearance's sub-graph and hop class."""
    return subgraph.astype(np.int64) * 2 + truth.is_far


def has_company(subgraph: NDArray[np.int32], truth: Labels) -> NDArray[np.bool_]:
    """Return which appearances have another appearance of their sub-graph and hop class: others cannot be matched."""
    _, group, sizes = np.unique(classes_of(subgraph, truth), return_inverse=True, return_counts=True)
    return np.asarray(sizes[group] > 1)


class Groups:
    """Appearances sorted by a key, so that an appearance can be drawn from the group of each key."""

    def __init__(self, appearances: I64, key_of_appearance: NDArray[np.integer]) -> None:
        self._appearances = appearances[np.argsort(key_of_appearance[appearances], kind="stable")]
        keys, self._starts, self.sizes = np.unique(
            key_of_appearance[self._appearances], return_index=True, return_counts=True
        )
        self.count = keys.size
        # place of each appearance in the sorted order, and the group it belongs to
        self._place = np.zeros(key_of_appearance.size, dtype=np.int64)
        self._place[self._appearances] = np.arange(appearances.size)
        self._group = np.repeat(np.arange(self.count), self.sizes)

    def draw(self, groups: I64, rng: np.random.Generator) -> I64:
        """Draw an appearance from each of the given groups."""
        return np.asarray(self._appearances[self._starts[groups] + rng.integers(self.sizes[groups])])

    def draw_other(self, appearances: I64, rng: np.random.Generator) -> I64:
        """Draw another appearance from the group of each given one; one that is alone comes back itself."""
        place = self._place[appearances]
        start, size = self._starts[self._group[place]], self.sizes[self._group[place]]
        steps = rng.integers(1, np.maximum(size, 2))
        return np.asarray(self._appearances[start + (place - start + steps) % size])


class IdenticalPairs:
    """All pairs of appearances of one person, by number.

    The appearances of a person stand together, near ones first: ``near[g]`` and ``far[g]`` count them from
    ``start[g]`` on. A person has near*(near-1)/2 pairs of category 1-hop, near*far of 1,2-hop and
    far*(far-1)/2 of 2-hop; running totals over persons turn a number into a person and a pair of its appearances.
    """

    def __init__(self, appearances: I64, truth: Labels) -> None:
        person, is_far = truth.person[appearances], truth.is_far[appearances]
        self._appearances = appearances[np.lexsort((is_far, person))]
        _, self._start, size = np.unique(truth.person[self._appearances], return_index=True, return_counts=True)
        self._far = (
            np.add.reduceat(truth.is_far[self._appearances].astype(np.int64), self._start) if appearances.size else size
        )
        self._near, self._size = size - self._far, size
        counts = (
            self._near * (self._near - 1) // 2,
            self._near * self._far,
            self._far * (self._far - 1) // 2,
        )
        self._ends = {name: np.cumsum(count) for name, count in zip(CATEGORIES, counts, strict=False)}

    def total(self, category: str) -> int:
        """Return the number of pairs of a category."""
        if category == "complete":
            return sum(self.total(name) for name in self._ends)
        if category not in self._ends:
            raise InputError(f"unknown category {category!r}: choose one of {'; '.join(CATEGORIES)}")
        ends = self._ends[category]
        return int(ends[-1]) if ends.size else 0

    def decode(self, category: str, numbers: I64) -> Pairs:
        """Turn numbers below the category's total into pairs of appearances."""
        if category != "complete":
            return Pairs(*self._decode_one(category, numbers))
        left, right = np.empty_like(numbers), np.empty_like(numbers)
        first = 0
        for name in self._ends:
            mine = (numbers >= first) & (numbers < first + self.total(name))
            left[mine], right[mine] = self._decode_one(name, numbers[mine] - first)
            first += self.total(name)
        return Pairs(left, right)

    def of_each(self, most: int, rng: np.random.Generator) -> Pairs:
        """Draw up to ``most`` pairs of each person."""
        person, numbers = choose_numbers(self._size * (self._size - 1) // 2, most, rng)
        one, two = _triangle(numbers)
        return Pairs(self._appearances[self._start[person] + one], self._appearances[self._start[person] + two])

    def _decode_one(self, category: str, numbers: I64) -> tuple[I64, I64]:
        ends = self._ends[category]
        group = np.searchsorted(ends, numbers, side="right")
        within = numbers - np.where(group > 0, ends[group - 1], 0)
        near, start = self._near[group], self._start[group]
        if category == "1,2-hop":
            far = np.maximum(self._far[group], 1)
            one, two = within // far, near + within % far
        else:
            one, two = _triangle(within)
            if category == "2-hop":
                one, two = one + near, two + near
        return self._appearances[start + one], self._appearances[start + two]


def choose_numbers(totals: I64, most: int, rng: np.random.Generator) -> tuple[I64, I64]:
    """Choose ``most`` numbers below each total, or all there are; return whose they are, and the numbers.

    Floyd's way, for all totals at once: the k-th choice is below total - most + k + 1, or the last of them if it was
    chosen before.
    """
    numbers = np.tile(np.arange(most), (totals.size, 1))
    large = np.flatnonzero(totals > most)
    chosen = np.empty((large.size, most), dtype=np.int64)
    for k in range(most):
        last = totals[large] - most + k
        pick = rng.integers(last + 1)
        chosen[:, k] = np.where((chosen[:, :k] == pick[:, None]).any(axis=1), last, pick)
    numbers[large] = chosen
    owner, place = np.nonzero(numbers < totals[:, None])
    return owner, numbers[owner, place]


def _triangle(numbers: I64) -> tuple[I64, I64]:
    """Return the pairs i < j of given numbers, where the pairs count (0,1) (0,2) (1,2) (0,3) ..."""
    j = ((1 + np.sqrt(1 + 8.0 * numbers)) / 2).astype(np.int64)
    # the square root may be off by one in the last place
    j -= j * (j - 1) // 2 > numbers
    j += j * (j + 1) // 2 <= numbers
    return numbers - j * (j - 1) // 2, j


def count_pairs(group: NDArray[np.integer]) -> int:
    """Return how many pairs have the same number."""
    _, sizes = np.unique(group, return_counts=True)
    return int((sizes * (sizes - 1) // 2).sum())
