"""Propagation: people get names from the names of their contacts, again and again until nothing changes.

Shared by the attacks of Narayanan and Shmatikov and of Bumblebee, which differ in the score only. One step for a
person: count for every published node the contacts whose nodes are contacts of it, turn counts into scores, and take
the best node if it stands out (its *eccentricity*); then ask the same from the node back. Only nodes that are met on
the way are looked at. A node that belongs to somebody else is no candidate::

    person --contacts--> people with a node --image--> nodes --contacts--> candidates, with counts

A person is looked at again if the name of a contact has changed since, of a contact of the best node, or of one of
those between whom it was a close choice: where they were equal, the one that is left may be taken now.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from thinveil.attacks.matching.base import F64, I32
from thinveil.attacks.matching.peers.sides import I64, Found, Rows, Sides, invert

_EQUAL = 1e-9


class _Desk(NamedTuple):
    """Where the candidates on one side are counted, and when something changed there.

    ``hits`` is zero but while candidates are looked at; ``near`` is when a neighbour's name changed, ``own`` when the
    node's own name did.
    """

    hits: I32
    met: I32
    near: I64
    own: I64


class _Score(NamedTuple):
    """How counts become scores, and by how many standard deviations the best must lead."""

    theta: float
    power: float
    by_ratio: bool


def propagate(sides: Sides, *, theta: float, power: float, by_ratio: bool, sweeps: int) -> Found:
    """Spread names from the known people.

    Parameters
    ----------
    theta
        How many standard deviations the best candidate must be ahead of the second.
    power, by_ratio
        The score is count * (smaller degree / larger degree) ** power, or count / (candidate's degree) ** power.
    sweeps
        How often everybody is looked at, at most.
    """
    score = _Score(theta, power, by_ratio)
    image, evidence, done = _propagate(sides.people, sides.nodes, sides.known, score, sweeps)
    return Found(image, evidence, {"sweeps": float(done)})


@numba.njit(cache=True, nogil=True)
def _propagate(people: Rows, nodes: Rows, known: I32, score: _Score, sweeps: int) -> tuple[I32, F64, int]:
    image, owner = known.copy(), invert(known, nodes.indptr.size - 1)
    evidence, looked = np.zeros(image.size), np.zeros(image.size, dtype=np.int64)
    watched = np.full((image.size, 3), -1, dtype=np.int32)  # the best node, its rival, the rival on the way back
    left, right = _make_desk(image.size), _make_desk(owner.size)
    clock = 1
    for person in range(image.size):
        if known[person] >= 0:
            _touch(people, person, left, clock)
            _touch(nodes, known[person], right, clock)
    for sweep in range(sweeps):
        before = clock
        for person in range(image.size):
            if known[person] >= 0 or not _is_stale(person, looked[person], watched[person], left, right):
                continue
            looked[person] = clock
            best, rival, lead = _choose(people, nodes, image, owner, person, right, score)
            watched[person] = best, rival, -1
            if lead < score.theta - _EQUAL:
                continue
            reverse, rival, lead_back = _choose(nodes, people, owner, image, best, left, score)
            watched[person, 2] = rival if reverse == person else reverse
            if reverse != person or lead_back < score.theta - _EQUAL:
                continue
            evidence[person] = min(lead, lead_back)
            if image[person] != best:
                clock += 1
                if image[person] >= 0:
                    owner[image[person]] = -1
                    _touch(nodes, image[person], right, clock)
                image[person], owner[best] = best, person
                _touch(people, person, left, clock)
                _touch(nodes, best, right, clock)
        if clock == before:
            return image, evidence, sweep + 1
    return image, evidence, sweeps


@numba.njit(cache=True, nogil=True)
def _make_desk(count: int) -> _Desk:
    changed = np.zeros((2, count), dtype=np.int64)
    return _Desk(np.zeros(count, dtype=np.int32), np.empty(count, dtype=np.int32), changed[0], changed[1])


@numba.njit(cache=True, nogil=True)
def _touch(rows: Rows, node: int, desk: _Desk, clock: int) -> None:
    """Note that the name of a node changed, for itself and for its neighbours."""
    desk.own[node] = clock
    for k in range(rows.indptr[node], rows.indptr[node + 1]):
        desk.near[rows.indices[k]] = clock


@numba.njit(cache=True, nogil=True)
def _is_stale(person: int, looked: int, watched: I32, left: _Desk, right: _Desk) -> bool:
    """Tell whether somebody's choice may be another one by now."""
    best, rival, rival_back = watched
    return (
        left.near[person] > looked
        or (best >= 0 and max(right.near[best], right.own[best]) > looked)
        or (rival >= 0 and right.own[rival] > looked)
        or (rival_back >= 0 and left.own[rival_back] > looked)
    )


@numba.njit(cache=True, nogil=True)
def _choose(
    own: Rows, other: Rows, image: I32, owner: I32, node: int, desk: _Desk, how: _Score
) -> tuple[int, int, float]:
    """Return the best candidate and the second, -1 for none, and by how many standard deviations the best leads.

    Two that are equally good lead by less than nothing: neither is chosen.
    """
    count = _count(own, other, image, owner, node, desk)
    degree = own.indptr[node + 1] - own.indptr[node]
    best, rival, first, second, total, squares = -1, -1, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        candidate = desk.met[k]
        its = other.indptr[candidate + 1] - other.indptr[candidate]
        scale = min(degree, its) / max(degree, its) if how.by_ratio else 1 / its
        score = desk.hits[candidate] * (np.sqrt(scale) if how.power == 0.5 else scale**how.power)
        desk.hits[candidate] = 0
        total += score
        squares += score * score
        if score > first:
            best, rival, first, second = candidate, best, score, first
        elif score > second:
            rival, second = candidate, score
    if first - second <= _EQUAL:
        return best, rival, -1.0
    spread = squares / count - (total / count) ** 2
    return best, rival, (first - second) / np.sqrt(spread) if spread > _EQUAL else np.inf


@numba.njit(cache=True, nogil=True)
def _count(own: Rows, other: Rows, image: I32, owner: I32, node: int, desk: _Desk) -> int:
    """Count the contacts in common with every candidate; return how many candidates were met."""
    met = 0
    for k in range(own.indptr[node], own.indptr[node + 1]):
        there = image[own.indices[k]]
        if there < 0:
            continue
        for m in range(other.indptr[there], other.indptr[there + 1]):
            candidate = other.indices[m]
            if owner[candidate] >= 0 and owner[candidate] != node:
                continue
            if desk.hits[candidate] == 0:
                desk.met[met] = candidate
                met += 1
            desk.hits[candidate] += 1
    return met
