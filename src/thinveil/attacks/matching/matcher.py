"""Who of the people of a graph with names may be behind a published node, and how probably.

To compare everybody with everybody would take the square of the work, so it goes in three steps:

1. An appearance is only compared with people whose degree fits: the ratio of degrees lies where it lay for identical
   training pairs. Of them at most ``NEAREST`` are compared, around the usual ratio.
2. A quick version of the attack compares it with the best sighting of each, and picks a shortlist.
3. The whole attack compares it with all sightings of the people on the shortlist; the most similar one counts.

A person's *weight* is the odds that the attack gives, times ``boost``: how many people there are for each whose degree
fits. The score is the share of a person's weight in that of all people and of being none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import Fitted, Session
from thinveil.attacks.matching.ratios import Ratios
from thinveil.attacks.matching.sightings import Sightings
from thinveil.features import View
from thinveil.features.pairs import Pairs, Question

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

NEAR, FAR, UNKNOWN = range(3)
"""Hop classes of published nodes."""

NEAREST = 500
SHORTLIST = 30
_CATEGORIES = {(NEAR, False): "1-hop", (NEAR, True): "1,2-hop", (FAR, False): "1,2-hop", (FAR, True): "2-hop"}


@dataclass(frozen=True, eq=False)
class Matches:
    """Candidates: appearance, number of the person, score, agreeing sightings."""

    appearance: I64
    person: I64
    score: F64
    agree: I64

    @property
    def rank(self) -> I64:
        """Return the place of each among those of its appearance, from 1 on; they must be in order."""
        return _place_in_group(self.appearance) + 1

    def best(self, top: int, min_score: float) -> Matches:
        """Return the best of each appearance, in order."""
        order = np.lexsort((self.person, -self.score, self.appearance))
        keep = (_place_in_group(self.appearance[order]) < top) & (self.score[order] >= min_score)
        return Matches(*(getattr(self, field.name)[order[keep]] for field in fields(self)))


@dataclass(frozen=True, eq=False)
class _Shortlist:
    """Candidates after the first look, by place in the chunk; ``rest`` is the weight of all others of each."""

    place: I64
    person: I64
    boost: F64
    rest: F64


class Matcher:
    """Compares published appearances with people, who are numbered as in ``sightings.start``.

    Parameters
    ----------
    fitted
        The attack.
    ratios
        Degree of a person in one sub-graph over that in another, by category.
    protocol
        The protocol of the question that the attack learned.
    view
        The published appearances.
    sightings
        What is seen of the people who have names.
    subgraphs
        Number of published sub-graphs.
    """

    def __init__(
        self, fitted: Fitted, ratios: Mapping[str, Ratios], protocol: str, view: View, sightings: Sightings,
        subgraphs: int,
    ) -> None:  # fmt: skip
        self._ratios_of, self._protocol = ratios, protocol
        self._degree, self._sightings, self._first = view.degree, sightings, len(view)
        together = View.join(view, sightings.view, shift=subgraphs)
        self._whole = fitted.enter(together)
        quick = fitted.quick()
        self._quick: Session = self._whole if quick is fitted else quick.enter(together)
        self._start = sightings.start
        self._seen = sightings.order  # all below speaks of places in it
        self._seen_degree, self._seen_far = sightings.view.degree[self._seen], sightings.is_far[self._seen]
        faces = self._start[:-1]  # the best sighting of each person
        self._by_degree = {
            is_far: people[np.argsort(self._seen_degree[faces[people]], kind="stable")]
            for is_far in (False, True)
            if (people := np.flatnonzero(self._seen_far[faces] == is_far)).size
        }

    @property
    def person(self) -> NDArray[np.int32]:
        """The number of each person in the graph with names."""
        return self._sightings.person[self._seen[self._start[:-1]]]

    def match(self, rows: I64, hop_class: int) -> Matches:
        """Return the candidates of published appearances of one hop class."""
        lists = [self._compare_quickly(rows, hop_class, is_far) for is_far in self._by_degree]
        place, person, boost = (
            np.concatenate([getattr(part, name) for part in lists]) for name in ("place", "person", "boost")
        )
        chance, agree = self._compare_closely(rows[place], person, hop_class)
        weight = _odds(chance) * boost
        nobody = self._start.size - 1  # as probable beforehand as all people together
        whole = nobody + sum(part.rest for part in lists) + np.bincount(place, weight, rows.size)
        return Matches(rows[place], person, weight / whole[place], agree)

    def _score(self, session: Session, row: I64, seen: I64, category: str) -> F64:
        pairs = Pairs(row, self._first + self._seen[seen])
        return session.score(pairs, Question(category, self._protocol)) if row.size else np.empty(0)

    def _compare_quickly(self, rows: I64, hop_class: int, is_far: bool) -> _Shortlist:
        """Pick the best of those people whose degree fits."""
        people = self._by_degree[is_far]
        degrees = self._seen_degree[self._start[people]]
        first, count, fitting = _window(degrees, self._degree[rows], self._ratios(hop_class, is_far))
        place, person = np.repeat(np.arange(rows.size), count), people[_ranges(first, count)]
        chance = self._score(self._quick, rows[place], self._start[person], self._category(hop_class, is_far))
        boost = (people.size / np.maximum(fitting, 1))[place]
        order = np.lexsort((person, -chance, place))
        short = order[_place_in_group(place[order]) < SHORTLIST]
        weight = _odds(chance) * boost
        # people cut off for their number weigh like those compared
        rest = np.bincount(place, weight, rows.size) * (fitting / np.maximum(count, 1))
        rest -= np.bincount(place[short], weight[short], rows.size)
        return _Shortlist(place[short], person[short], boost[short], np.maximum(rest, 0))

    def _compare_closely(self, row: I64, person: I64, hop_class: int) -> tuple[F64, I64]:
        """Return the probability of the most similar sighting, at even odds, and how many speak for the person."""
        count = self._start[person + 1] - self._start[person]
        pair, seen = np.repeat(np.arange(row.size), count), _ranges(self._start[person], count)
        chance = np.empty(seen.size)
        for is_far in (False, True):
            mine = np.flatnonzero(self._seen_far[seen] == is_far)
            chance[mine] = self._score(self._whole, row[pair[mine]], seen[mine], self._category(hop_class, is_far))
        most = np.zeros(row.size)
        np.maximum.at(most, pair, chance)
        return most, np.bincount(pair[chance > 0.5], minlength=row.size)

    def _category(self, hop_class: int, is_far: bool) -> str:
        category = _CATEGORIES.get((hop_class, is_far), "complete")
        return category if category in self._ratios_of else "complete"

    def _ratios(self, hop_class: int, is_far: bool) -> Ratios:
        """Return published degree over degree in the sighting."""
        category = self._category(hop_class, is_far)
        ratios = self._ratios_of[category]
        return ratios.inverted() if category == "1,2-hop" and hop_class == NEAR else ratios


def _window(degrees: NDArray[np.int32], wanted: NDArray[np.int32], ratios: Ratios) -> tuple[I64, I64, I64]:
    """Return for each wanted degree first and number of the sorted degrees to look at, and how many fit at all."""
    low = np.searchsorted(degrees, wanted / ratios.high - 1e-6, side="left")
    high = np.searchsorted(degrees, wanted / ratios.low + 1e-6, side="right")
    middle = np.searchsorted(degrees, wanted / ratios.usual, side="left")
    first = np.clip(middle - NEAREST // 2, low, np.maximum(low, high - NEAREST))
    return first, np.minimum(high - first, NEAREST), high - low


def _odds(chance: F64) -> F64:
    """Turn probabilities at even odds into odds; no attack is quite sure."""
    unsure = np.clip(chance, 1e-3, 1 - 1e-3)
    return np.asarray(unsure / (1 - unsure))


def _ranges(start: I64, count: I64) -> I64:
    """Return the numbers of all ranges one behind the other."""
    return np.asarray(np.repeat(start - (np.cumsum(count) - count), count) + np.arange(count.sum()))


def _place_in_group(sorted_keys: I64) -> I64:
    """Return each entry's place among those of its key."""
    firsts = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    return np.asarray(np.arange(sorted_keys.size) - np.repeat(firsts, np.diff(np.append(firsts, sorted_keys.size))))
