"""How far trials agree that share a sub-graph or a person, and how many independent ones would tell as much.

A trial is a pair of appearances of one person in two sub-graphs: it was found or not. Trials agree if they share

- the person (*own*),
- both sub-graphs, but not the person (*both*),
- one sub-graph, but not the person (*either*; who shares both counts twice).

The variance of a share is the sum of all these products of what two trials are above the share, a quadratic in the
share: three sums of each kind (``Moments``) are enough, and those of several draws add up.

Of few groups, or of few hits, agreement cannot be seen. So each end of an interval is worked out as if one more group
had been found whole (the upper end) or missed whole (the lower end). The way from a variance to an exact interval is
that of Korn and Graubard (1998): the binomial one of an effective number of trials, fewer by what a t distribution of
as many groups is wider than the normal one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

_FEW_GROUPS = 5
"""Fewer do not tell how groups differ."""

AUXILIARY = 0xFFFFFFFF
"""The number of an auxiliary graph beside several sub-graphs: every pair has one end in it."""

_NORMAL = 1.959963984540054  # the normal distribution's own 97.5% quantile


class Moments(NamedTuple):
    """Sums over groups of their hits squared, hits times size, and size squared."""

    hits: float = 0.0
    both: float = 0.0
    size: float = 0.0

    @classmethod
    def of(cls, hits: F64, size: F64) -> Moments:
        """Add up groups."""
        return cls(float(hits @ hits), float(hits @ size), float(size @ size))

    def at(self, share: float) -> float:
        """Return the sum of squares of what each group has above the share."""
        return self.hits - 2 * share * self.both + share**2 * self.size

    def plus(self, other: Moments, times: float = 1.0) -> Moments:
        """Return these and others, so many times."""
        return Moments(*(mine + times * one for mine, one in zip(self, other, strict=True)))


_NONE = Moments()


@dataclass(frozen=True)
class Agreement:
    """What is known of how trials agree; see the module's words. ``whole`` is the size of the largest group."""

    trials: float
    hits: float
    own: Moments
    both: Moments
    groups: int
    whole: float
    either: Moments = _NONE
    subgraphs: int = 0
    subgraph_squares: float = 0.0

    def __add__(self, other: Agreement) -> Agreement:
        """Join two draws, which share no sub-graph."""
        return Agreement(
            self.trials + other.trials, self.hits + other.hits, self.own.plus(other.own), self.both.plus(other.both),
            self.groups + other.groups, max(self.whole, other.whole),
            self.either.plus(other.either), self.subgraphs + other.subgraphs,
            self.subgraph_squares + other.subgraph_squares,
        )  # fmt: skip

    def independent(self, trials: float, more: bool | None = None) -> float:
        """Return how many independent trials would tell as much as so many of these; never more, and at least one.

        ``more`` says whether one more group was found whole, or missed whole; None for no more.

        Examples
        --------
        >>> pairs = np.full(40, 10)
        >>> agreeing = agreement_of_groups(np.repeat([10, 0], 20), pairs)
        >>> round(agreeing.independent(400)), round(agreement_of_groups(np.repeat([5], 40), pairs).independent(400))
        (37, 400)
        """
        if self.groups < 2:
            return trials  # nothing tells how groups differ
        wider = (stdtrit(self._freedom(), 0.975) / _NORMAL) ** 2
        excess = wider * self._excess(0.0, False)
        if more is not None:
            excess = max(excess, self._excess(self._typical(), more))
        least = min(trials, self.whole) if self._is_parted() else 1.0
        return float(min(trials, max(trials / (1 + excess), least, 1.0)))

    def _excess(self, size: float, more: bool) -> float:
        """Return by how much the variance is larger than that of independent trials, as a share of it."""
        share = (self.hits + size * more) / (self.trials + size)
        if not 0 < share < 1:
            return max(0.0, self.trials / self.groups - 1)  # a group counts as one
        alone = (self.trials + size) * share * (1 - share)
        return max(0.0, self._variance(share, size, more) / alone - 1)

    def _variance(self, share: float, size: float, more: bool) -> float:
        """Return the variance of the sum of hits, with one more group of that size, in two more sub-graphs."""
        square = (more - share) ** 2
        own, both = self.own.at(share) + size * square, self.both.at(share) + max(0.0, size * (size - 1)) * square
        groups = self.groups + (size > 0)
        variance = own + both * groups / (groups - 1)
        if self.subgraphs < 3 or self._is_alone():
            return variance
        either = self.either.at(share) + 2 * max(0.0, size * (size - 1)) * square
        # each sub-graph is measured against a mean in which it stands itself, at both ends of pairs
        lost = self.subgraphs * (self.subgraphs - 1) / (self.subgraphs - 2) ** 2
        return max(variance, own + (either - both) * lost)

    def _typical(self) -> float:
        """Return the size of one more group: between that of a group and that of all groups of a sub-graph."""
        group = self.trials / self.groups
        if not self.subgraphs or self._is_alone():
            return group
        return math.sqrt(group * 2 * self.trials / self.subgraphs)

    def _freedom(self) -> float:
        """Return the degrees of freedom: groups less one, or half of the sub-graphs, of which a large one is several.

        Half, and no fewer than two, by simulation: every pair has two sub-graphs.
        """
        if not self.subgraphs or self._is_alone():
            return float(self.groups - 1)
        return min(self.groups - 1.0, max(2.0, 2 * self.trials**2 / self.subgraph_squares))

    def _is_alone(self) -> bool:
        """Whether no sub-graph is in two groups, as of two graphs in each draw."""
        return self.subgraphs == 2 * self.groups

    def _is_parted(self) -> bool:
        """Whether agreement of whole groups is beyond telling: then the largest alone tells as much as it would."""
        return self.groups < _FEW_GROUPS or self._is_alone()


@dataclass(frozen=True, eq=False)
class Clusters:
    """What trials share: persons, two sub-graphs each, and the weight of each trial."""

    person: NDArray[np.integer]
    subgraphs: I64
    weight: F64 | None = None
    _codes: dict[str, I64] = field(default_factory=dict)

    def agreement(self, values: NDArray[np.bool_] | F64) -> Agreement:
        """Return how far these trials agree, which gave each a value from 0 to 1."""
        size = np.ones(self.subgraphs.size) if self.weight is None else self.weight
        hits = size * values
        if self._share_one_place():
            return _by_person_and_group(hits, size, self._code("own"), self._code("pair"))
        one = Moments.of(hits, size)  # a person has one pair in two sub-graphs
        own, pair, place, stay = (self._moments(kind, hits, size) for kind in ("own", "pair", "place", "stay"))
        return Agreement(
            float(size.sum()), float(hits.sum()), own[0], pair[0].plus(one, -1), pair[1], pair[2],
            place[0].plus(stay[0], -1), place[1], place[0].size,
        )  # fmt: skip

    def _share_one_place(self) -> bool:
        """Whether all pairs have one end in an auxiliary graph, and the other in one of several sub-graphs."""
        return self.subgraphs.size > 0 and bool((self.subgraphs & 0xFFFFFFFF == AUXILIARY).all())

    def _moments(self, kind: str, hits: F64, size: F64) -> tuple[Moments, int, float]:
        """Return the moments of the groups of a kind, how many there are, and the size of the largest."""
        code = self._code(kind)
        if code.size > hits.size:  # once for either sub-graph
            hits, size = np.concatenate((hits, hits)), np.concatenate((size, size))
        found, whole = (np.bincount(code, weights=one).astype(np.float64) for one in (hits, size))
        return Moments.of(found, whole), whole.size, float(whole.max(initial=0.0))

    def _code(self, kind: str) -> I64:
        """Return the number of each trial's group; of groups by sub-graph twice, for either end."""
        if kind not in self._codes:
            keys = {"own": self._own, "pair": self._pair, "place": self._place, "stay": self._stay}[kind]()
            self._codes[kind] = np.unique(keys, return_inverse=True)[1].astype(np.int64)
        return self._codes[kind]

    def _own(self) -> I64:
        return self.person.astype(np.int64)

    def _pair(self) -> I64:
        return self.subgraphs

    def _place(self) -> I64:
        return np.concatenate((self.subgraphs >> 32, self.subgraphs & 0xFFFFFFFF))

    def _stay(self) -> I64:
        """Return a number for each person in each sub-graph."""
        return self._code("place") << 32 | np.tile(self._code("own"), 2)


def agreement_of_appearances(
    hits: NDArray[np.bool_], person: NDArray[np.integer], group: NDArray[np.integer]
) -> Agreement:
    """Return how far trials agree that are appearances of people, each in one group: a sub-graph of a draw.

    Examples
    --------
    >>> person, group = np.tile(np.arange(20), 5), np.repeat(np.arange(5), 20)
    >>> agreeing = agreement_of_appearances(person < 10, person, group)
    >>> round(agreeing.independent(100)), round(agreement_of_groups(np.full(5, 10), np.full(5, 20)).independent(100))
    (15, 100)
    """
    codes = (np.unique(one, return_inverse=True)[1].astype(np.int64) for one in (person, group))
    return _by_person_and_group(hits.astype(np.float64), np.ones(hits.size), *codes)


def _by_person_and_group(hits: F64, size: F64, person: I64, group: I64) -> Agreement:
    """Return how far trials agree that share a person, or a group, by the numbers of these."""
    found, whole = (np.bincount(group, weights=one).astype(np.float64) for one in (hits, size))
    own = Moments.of(*(np.bincount(person, weights=one).astype(np.float64) for one in (hits, size)))
    both = Moments.of(found, whole).plus(Moments.of(hits, size), -1)
    return Agreement(float(size.sum()), float(hits.sum()), own, both, whole.size, float(whole.max(initial=0.0)))


def agreement_of_groups(hits: I64 | F64, trials: I64) -> Agreement:
    """Return how far trials agree that come in groups, of which only the sums are known."""
    found, size = hits.astype(np.float64), trials.astype(np.float64)
    own = Moments(float(found.sum()), float(found.sum()), float(size.sum()))  # as if each trial were 0 or 1
    all_of = Moments.of(found, size)
    return Agreement(
        float(size.sum()), float(found.sum()), own, all_of.plus(own, -1), size.size,
        float(size.max(initial=0.0)),
    )  # fmt: skip
