"""Each person's own risk: how often one would be linked between two of the sub-graphs in which one stands.

A ``PeopleTable`` says who: it is for the custodian alone, and never part of a result's files. ``PersonRisks`` is what
may be told of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.measures.agreement import Agreement, Clusters
from thinveil.measures.intervals import agreed_bounds, effective_number, resampled_share
from thinveil.measures.rates import share_bounds

I64 = NDArray[np.int64]

PAIRS_EACH = 10
"""Pairs of appearances that are looked at of each person, at most."""

SMALLEST_GROUP = 20
"""A group of fewer would point at people."""

_DEGREE_CUTS = (10, 20, 50, 100, 200, 500, 1000)
_BINS = 10


@dataclass(frozen=True)
class RiskGroup:
    """People of a draw whose degree, or distance from the closest ego, lies in a range, and their mean risk.

    The last range of degrees has no end (``highest`` is None). The interval is that of ``PersonRisks``, with as many
    ``independent`` people.
    """

    lowest: int
    highest: int | None
    people: float
    risk: float
    low: float
    high: float
    independent: int


@dataclass(frozen=True)
class PersonRisks:
    """How many people would be re-linked, each by two sub-graphs chosen at random in which they stand.

    Counts are means over draws. ``people`` could be compared at all; ``relinked`` is how many of them would be
    re-linked, with the 95% interval ``low`` .. ``high``, in each draw (``draws``; as a share of the people of that draw
    in ``shares``) and the standard deviation between draws (``sd``, None for one). The interval draws people anew; it
    is never narrower than the exact binomial one of as many ``independent`` people, each of whom is re-linked or not.
    Somebody who is in several draws is one person, and people who share sub-graphs are found or missed together:
    ``independent`` people would tell as much. ``ever`` were linked in at least one pair looked at, ``never`` in none.
    ``bins`` counts the others by risk: up to 10%, above 10% and up to 20%, and so on. ``by_degree`` goes by a person's
    largest degree, ``by_hops`` by the distance from the closest ego.
    """

    fpr: float
    people: float
    relinked: float
    low: float
    high: float
    independent: int
    ever: float
    never: float
    bins: tuple[float, ...]
    by_degree: tuple[RiskGroup, ...]
    by_hops: tuple[RiskGroup, ...]
    draws: tuple[float, ...]
    shares: tuple[float, ...]
    sd: float | None = None


@dataclass(frozen=True, eq=False)
class PeopleTable:
    """Who was linked how often: node number, appearances, largest degree, closest hop, pairs looked at and linked.

    ``hops`` is 1 for who is at most one hop from some ego and 2 for others; without egos it is None. ``agreement`` says
    how far people who share sub-graphs are linked together, where that is known.
    """

    person: NDArray[np.int32]
    appearances: I64
    degree: I64
    hops: I64 | None
    looked: I64
    linked: I64
    agreement: Agreement | None = None

    def __len__(self) -> int:
        return self.person.size

    @property
    def risk(self) -> NDArray[np.float64]:
        """Share of each person's pairs that were linked."""
        return np.asarray(self.linked / self.looked)

    @classmethod
    def pool(cls, tables: Sequence[PeopleTable]) -> PeopleTable:
        """Return one table of several draws: what was counted is added up, degree and hop are the most exposed."""
        person, who = np.unique(_column(tables, "person"), return_inverse=True)
        columns = {name: _column(tables, name) for name in ("appearances", "looked", "linked")}
        sums = {name: _by_group(np.add, column, who, person.size) for name, column in columns.items()}
        hops = [table.hops for table in tables if table.hops is not None]
        return cls(
            person=person,
            degree=_by_group(np.maximum, _column(tables, "degree"), who, person.size),
            hops=_by_group(np.minimum, np.concatenate(hops), who, person.size) if hops else None,
            appearances=sums["appearances"],
            looked=sums["looked"],
            linked=sums["linked"],
        )


def tabulate(
    person: NDArray[np.int32],
    degree: NDArray[np.int32],
    is_far: NDArray[np.bool_] | None,
    asked: NDArray[np.int32],
    linked: NDArray[np.bool_],
    subgraphs: I64 | None = None,
) -> PeopleTable:
    """Count by person: rows given by ``person``, ``degree`` and ``is_far``; pairs by ``asked``, whose they are.

    Only people of whom a pair was asked stand in the table; ``is_far`` is None for a release without egos.
    ``subgraphs`` is a number for the two sub-graphs of each pair.

    Examples
    --------
    >>> rows = np.array([4, 4, 4, 7], dtype=np.int32), np.array([6, 9, 8, 6], dtype=np.int32)
    >>> table = tabulate(*rows, np.array([True, False, True, True]), np.array([4, 4]), np.array([True, False]))
    >>> table.person, table.appearances, table.degree, table.hops, table.risk
    (array([4]), array([3]), array([9]), array([1]), array([0.5]))
    """
    people, who = np.unique(asked, return_inverse=True)
    mine = np.isin(person, people)
    owner = np.searchsorted(people, person[mine])
    hops = None if is_far is None else _by_group(np.minimum, 1 + is_far[mine].astype(np.int64), owner, people.size)
    looked = np.bincount(who, minlength=people.size)
    # everybody counts once, whose pairs share it
    clusters = None if subgraphs is None else Clusters(asked, subgraphs, 1 / looked[who])
    return PeopleTable(
        person=people,
        appearances=np.bincount(owner, minlength=people.size),
        degree=_by_group(np.maximum, degree[mine].astype(np.int64), owner, people.size),
        hops=hops,
        looked=looked,
        linked=np.bincount(who[linked], minlength=people.size),
        agreement=None if clusters is None else clusters.agreement(linked),
    )


def risk_of_people(
    tables: Sequence[PeopleTable], *, fpr: float, min_degree: int, chance: np.random.Generator, left_open: float = 0.0
) -> PersonRisks:
    """Tell of the tables of all draws what points at nobody; no interval ends below the share that is left open.

    Examples
    --------
    >>> counts = {"appearances": np.full(40, 5), "degree": np.full(40, 9), "looked": np.full(40, 10)}
    >>> table = PeopleTable(np.arange(40), hops=None, linked=np.repeat([0, 5], 20), **counts)
    >>> risks = risk_of_people([table], fpr=0.001, min_degree=5, chance=np.random.default_rng(0))
    >>> risks.people, risks.relinked, risks.ever, risks.never, risks.bins[4]
    (40.0, 10.0, 20.0, 20.0, 20.0)
    """
    draws = len(tables)
    everybody = _Risks(_column(tables, "person"), _column(tables, "risk"), _joined(tables), left_open)
    looked, linked = (_column(tables, name) for name in ("looked", "linked"))
    low, high, independent = everybody.interval(chance)
    people, relinked = everybody.risk.size / draws, tuple(float(table.risk.sum()) for table in tables)
    # in whole numbers: 3 of 10 belong to the bin that ends at 30%
    bins = np.bincount((_BINS * linked[linked > 0] - 1) // looked[linked > 0], minlength=_BINS)
    return PersonRisks(
        fpr=fpr,
        people=people,
        relinked=float(np.mean(relinked)),
        low=low * people,
        high=high * people,
        independent=independent,
        ever=int(np.count_nonzero(linked)) / draws,
        never=int(np.count_nonzero(linked == 0)) / draws,
        bins=tuple((bins / draws).tolist()),
        by_degree=tuple(_by_degree(tables, everybody, min_degree, chance)),
        by_hops=tuple(_by_hops(tables, everybody, chance)),
        draws=relinked,
        shares=tuple(float(table.risk.mean()) for table in tables),
        sd=float(np.std(relinked, ddof=1)) if draws > 1 else None,
    )


def degree_ranges(
    degrees: NDArray[np.integer], min_degree: int, smallest: int = SMALLEST_GROUP
) -> Iterable[tuple[int, int | None]]:
    """Cut the degrees into round ranges, each above its first number. A small one joins its neighbour."""
    low = min_degree
    for high in _DEGREE_CUTS:
        inside, beyond = np.count_nonzero((degrees > low) & (degrees <= high)), np.count_nonzero(degrees > high)
        if min(inside, beyond) >= smallest:
            yield low, high
            low = high
    yield low, None


class _Risks(NamedTuple):
    """Risks of people in several draws, one after the other, whose they are, and how far everybody's agree.

    ``left_open`` is a share that cannot be ruled out, whatever was counted.
    """

    person: NDArray[np.int32]
    risk: NDArray[np.float64]
    agreement: Agreement | None
    left_open: float

    def interval(self, chance: np.random.Generator) -> tuple[float, float, int]:
        """Return the 95% interval of the mean risk, and as how many independent people they count."""
        _, who, times = np.unique(self.person, return_inverse=True, return_counts=True)
        # a person who is in several draws is drawn as one
        low, high = resampled_share(np.bincount(who, weights=self.risk), times, chance)
        mean, independent = float(self.risk.mean()), effective_number(times)
        ends = [(low, high), share_bounds(mean, independent)]
        if self.agreement is not None:
            ends.append(agreed_bounds(mean, independent, self.agreement))
            independent = round(self.agreement.independent(independent))
        lower, upper = zip(*ends, strict=True)
        return min(lower), max(*upper, self.left_open), independent

    def only(self, mine: NDArray[np.bool_]) -> _Risks:
        """Return some of the people, who agree as far as everybody does."""
        return self._replace(person=self.person[mine], risk=self.risk[mine])


def _by_degree(
    tables: Sequence[PeopleTable], risks: _Risks, min_degree: int, chance: np.random.Generator
) -> Iterable[RiskGroup]:
    degrees = _column(tables, "degree")
    if degrees.size < SMALLEST_GROUP * len(tables):
        return
    # one person may stand in every draw
    for low, high in degree_ranges(degrees, min_degree, SMALLEST_GROUP * len(tables)):
        mine = (degrees > low) & (degrees <= (high or np.inf))
        yield _group(low + 1, high, risks.only(mine), len(tables), chance)


def _by_hops(tables: Sequence[PeopleTable], risks: _Risks, chance: np.random.Generator) -> Iterable[RiskGroup]:
    if any(table.hops is None for table in tables):
        return
    hops = _column(tables, "hops")
    groups = [(0, 1, risks.only(hops == 1)), (2, 2, risks.only(hops == 2))]
    # the smaller group could be worked out from the larger one and from everybody
    if all(group.risk.size >= SMALLEST_GROUP * len(tables) for *_, group in groups):
        for lowest, highest, group in groups:
            yield _group(lowest, highest, group, len(tables), chance)


def _group(lowest: int, highest: int | None, risks: _Risks, draws: int, chance: np.random.Generator) -> RiskGroup:
    low, high, independent = risks.interval(chance)
    size, mean = risks.risk.size / draws, float(risks.risk.mean())
    return RiskGroup(lowest, highest, size, mean, low, high, independent)


def _joined(tables: Sequence[PeopleTable]) -> Agreement | None:
    """Return how far people are linked together in all draws; None where one draw does not tell."""
    known = [table.agreement for table in tables if table.agreement is not None]
    return sum(known[1:], start=known[0]) if known and len(known) == len(tables) else None


def _column(tables: Sequence[PeopleTable], name: str) -> NDArray[Any]:
    """Return a column of all tables, one after the other."""
    return np.concatenate([getattr(table, name) for table in tables])


def _by_group(join: np.ufunc, values: I64, group: I64, groups: int) -> I64:
    """Join the values of each group; none of the groups is empty."""
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(groups))
    return np.asarray(join.reduceat(values[order], starts))
