"""Who of the raw graph's people may be behind a published row, and how probably.

To compare every row with every row would take the square of the work, so it goes in three steps:

1. A published row is only compared with people whose degree fits: the ratio of degrees lies where it lay for identical
   training pairs. Of them at most ``NEAREST`` are looked at, around the usual ratio.
2. The first few trees of the forest compare it with the best sighting of each, and pick a shortlist.
3. The whole forest compares it with all sightings of the people on the shortlist; the most similar one counts.

A person's *weight* is the odds that the forest gives, times ``boost``: how many people there are for each whose degree
fits. The score is the share of a person's weight in that of all people and of being none of them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from thinveil.auditing.models import Model, Ratios
from thinveil.auditing.sightings import Sightings
from thinveil.features import View
from thinveil.learners.forest import PairForest
from thinveil.learners.forest.trees import Trees

I64 = NDArray[np.int64]
F64 = NDArray[np.float64]

NEAR, FAR, UNKNOWN = range(3)
"""Hop classes of published rows."""

NEAREST = 500
QUICK_TREES = 25
SHORTLIST = 30
_CATEGORIES = {(NEAR, False): "1-hop", (NEAR, True): "1,2-hop", (FAR, False): "1,2-hop", (FAR, True): "2-hop"}


@dataclass(frozen=True, eq=False)
class Matches:
    """Candidates: published row, number of the person, score, agreeing sightings."""

    row: I64
    person: I64
    score: F64
    agree: I64

    @property
    def rank(self) -> I64:
        """Return the place of each among those of its row, from 1 on; they must be in order."""
        return _place_in_group(self.row) + 1

    def best(self, top: int, min_score: float) -> Matches:
        """Return the best of each row, in order."""
        order = np.lexsort((self.person, -self.score, self.row))
        keep = (_place_in_group(self.row[order]) < top) & (self.score[order] >= min_score)
        return Matches(*(getattr(self, field.name)[order[keep]] for field in fields(self)))


@dataclass(frozen=True, eq=False)
class _Shortlist:
    """Candidates after the first look, by place in the chunk of rows; ``rest`` is the weight of all others per row."""

    place: I64
    person: I64
    boost: F64
    rest: F64


class Matcher:
    """Compares published rows with people, who are numbered as in ``sightings.start``."""

    def __init__(self, model: Model, view: View, sightings: Sightings, threads: int | None = None) -> None:
        self._model, self._degree, self._sightings = model, view.degree, sightings
        self._vectors = np.vstack((view.vectors(*(channel.name for channel in model.channels)), sightings.vectors))
        self._first = len(view)  # where the sightings begin
        self._start = sightings.start
        self._whole = {name: _first_trees(forest, None, threads) for name, forest in model.forests.items()}
        self._quick = {name: _first_trees(forest, QUICK_TREES, threads) for name, forest in model.forests.items()}
        faces = self._start[:-1]  # the best sighting of each person
        self._by_degree = {
            is_far: people[np.argsort(sightings.degree[faces[people]], kind="stable")]
            for is_far in (False, True)
            if (people := np.flatnonzero(sightings.is_far[faces] == is_far)).size
        }

    def match(self, rows: I64, hop_class: int) -> Matches:
        """Return the candidates of published rows of one hop class."""
        lists = [self._look_quickly(rows, hop_class, is_far) for is_far in self._by_degree]
        place, person, boost = (
            np.concatenate([getattr(part, name) for part in lists]) for name in ("place", "person", "boost")
        )
        chance, agree = self._look_closely(rows[place], person, hop_class)
        weight = _odds(chance) * boost
        nobody = self._start.size - 1  # as probable beforehand as all people together
        whole = nobody + sum(part.rest for part in lists) + np.bincount(place, weight, rows.size)
        return Matches(rows[place], person, weight / whole[place], agree)

    def _look_quickly(self, rows: I64, hop_class: int, is_far: bool) -> _Shortlist:
        """Pick the best of those people whose degree fits."""
        people = self._by_degree[is_far]
        degrees = self._sightings.degree[self._start[people]]
        first, count, fitting = _window(degrees, self._degree[rows], self._ratios(hop_class, is_far))
        place, person = np.repeat(np.arange(rows.size), count), people[_ranges(first, count)]
        forest = self._quick[self._category(hop_class, is_far)]
        chance = forest.score_pairs(self._vectors, rows[place], self._first + self._start[person])
        boost = (people.size / np.maximum(fitting, 1))[place]
        order = np.lexsort((person, -chance, place))
        short = order[_place_in_group(place[order]) < SHORTLIST]
        weight = _odds(chance) * boost
        # people cut off for their number weigh like those looked at
        rest = np.bincount(place, weight, rows.size) * (fitting / np.maximum(count, 1))
        rest -= np.bincount(place[short], weight[short], rows.size)
        return _Shortlist(place[short], person[short], boost[short], np.maximum(rest, 0))

    def _look_closely(self, row: I64, person: I64, hop_class: int) -> tuple[F64, I64]:
        """Return the probability of the most similar sighting, at even odds, and how many speak for the person."""
        count = self._start[person + 1] - self._start[person]
        pair, seen = np.repeat(np.arange(row.size), count), _ranges(self._start[person], count)
        chance = np.empty(seen.size)
        for is_far in (False, True):
            mine = np.flatnonzero(self._sightings.is_far[seen] == is_far)
            forest = self._whole[self._category(hop_class, is_far)]
            chance[mine] = forest.score_pairs(self._vectors, row[pair[mine]], self._first + seen[mine])
        most = np.zeros(row.size)
        np.maximum.at(most, pair, chance)
        return most, np.bincount(pair[chance > 0.5], minlength=row.size)

    def _category(self, hop_class: int, is_far: bool) -> str:
        category = _CATEGORIES.get((hop_class, is_far), "complete")
        return category if category in self._model.forests else "complete"

    def _ratios(self, hop_class: int, is_far: bool) -> Ratios:
        """Return published degree over raw degree."""
        category = self._category(hop_class, is_far)
        ratios = self._model.ratios[category]
        return ratios.inverted() if category == "1,2-hop" and hop_class == NEAR else ratios


def _window(degrees: NDArray[np.int32], wanted: NDArray[np.int32], ratios: Ratios) -> tuple[I64, I64, I64]:
    """Return for each wanted degree first and number of the sorted degrees to look at, and how many fit at all."""
    low = np.searchsorted(degrees, wanted / ratios.high - 1e-6, side="left")
    high = np.searchsorted(degrees, wanted / ratios.low + 1e-6, side="right")
    middle = np.searchsorted(degrees, wanted / ratios.usual, side="left")
    first = np.clip(middle - NEAREST // 2, low, np.maximum(low, high - NEAREST))
    return first, np.minimum(high - first, NEAREST), high - low


def _odds(chance: F64) -> F64:
    """Turn probabilities at even odds into odds; no forest is quite sure."""
    unsure = np.clip(chance, 1e-3, 1 - 1e-3)
    return np.asarray(unsure / (1 - unsure))


def _ranges(start: I64, count: I64) -> I64:
    """Return the numbers of all ranges one behind the other."""
    return np.asarray(np.repeat(start - (np.cumsum(count) - count), count) + np.arange(count.sum()))


def _place_in_group(sorted_keys: I64) -> I64:
    """Return each entry's place among those of its key."""
    firsts = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    return np.asarray(np.arange(sorted_keys.size) - np.repeat(firsts, np.diff(np.append(firsts, sorted_keys.size))))


def _first_trees(forest: PairForest, most: int | None, threads: int | None) -> PairForest:
    """Return a forest of the first trees of another, or of all."""
    grown = forest.grown_
    if most is not None and most < grown.roots.size:
        end = grown.roots[most]
        grown = Trees(grown.nodes[:end], grown.gains[:end], grown.roots[:most], grown.steps)
    part = PairForest(**{**forest.get_params(), "threads": threads})
    part.adopt(grown, forest.widths_)
    return part
