"""The start without any known person: who is who among the people with the most contacts on either side.

Everybody of one core may be anybody of the other, or nobody. A belief is the probability of each; it is made from how
alike two portraits are, and from messages along the edges of the auxiliary core::

    u --- x        x is y with probability b(y): then u should be somebody who touches y
    :     :
    v --- y        message to u about v: log of the evidence that v touches whoever x is, expected over b

A message to u leaves out what u told x before (belief propagation); that matters where u is believed to be v, so it is
worked out for the likeliest few of each person, and for all others by the plain expectation. Messages go along
the edges of the published core too, so that edges missing on either side count. Beliefs are kept soft at first (a
temperature that falls) and nearly one-to-one (Sinkhorn).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.whole.cores import Core
from thinveil.runtime.progress import steps
from thinveil.runtime.threads import map_chunks

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

ROUNDS = 26
_HOTTEST, _COOLEST = 10.0, 3.0  # contacts of a person agree: cooler beliefs take that for proof
_DAMPING = 0.5
_EACH_WAY = 0.6  # an edge that both have is told twice, one that only one side has, once
_LIKELIEST = 8
_BALANCING = 6  # passes over rows and columns
_NEGLIGIBLE = np.float32(1e-4)
_FACTORS = 24  # multiplied before a logarithm is taken: so many stay within what a float can hold


class Rows(NamedTuple):
    """Who knows whom in a core: the contacts of person u are ``others[starts[u] : starts[u + 1]]``."""

    starts: I64
    others: I32

    @classmethod
    def of(cls, touches: F32) -> Rows:
        """Return the rows of a matrix of zeros and ones."""
        rows, others = np.nonzero(touches)
        return cls(np.searchsorted(rows, np.arange(len(touches) + 1)), others.astype(np.int32))


class Likeness(NamedTuple):
    """How portraits of one person differ, and those of different people: inverse covariances, and a constant."""

    same: F64
    other: F64
    constant: float

    @classmethod
    def learn(cls, same: F64, other: F64) -> Likeness:
        """Learn from differences of portraits, a line each."""
        one, two = _covariance(same), _covariance(other)
        constant = 0.5 * (np.linalg.slogdet(two)[1] - np.linalg.slogdet(one)[1])
        return cls(_inverse(one), _inverse(two), float(constant))

    def compare(self, left: F64, right: F64) -> F32:
        """Return the log-likelihood ratio of each portrait on the left with each on the right."""
        ratio: F64 = np.full((len(left), len(right)), self.constant)
        for sign, matrix in ((-0.5, self.same), (0.5, self.other)):
            cross = left @ matrix @ right.T
            one, two = (np.einsum("ij,jk,ik->i", side, matrix, side) for side in (left, right))
            ratio = ratio + sign * (one[:, None] + two[None, :] - 2 * cross)
        return ratio.astype(np.float32)


def _inverse(matrix: F64) -> F64:
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def _covariance(differences: F64) -> F64:
    scale = differences.T @ differences / max(len(differences), 1)
    return np.asarray(scale + np.diag(0.01 * np.diag(scale) + 1e-6))


def believe(left: Core, right: Core, unary: F32, *, survival: float, absent: float) -> F32:
    """Return the beliefs after all rounds: ``beliefs[u, v]`` is the probability that u is v.

    ``survival`` is the share of edges that survive on the other side, and ``absent`` the log-weight of being nobody of
    the other core.
    """
    gains = tuple(_gains(core.touches, survival) for core in (left, right))
    contacts = tuple(Rows.of(core.touches) for core in (left, right))
    total: F32 = unary
    step = steps(ROUNDS)
    for number in range(ROUNDS):
        heat = _COOLEST + (_HOTTEST - _COOLEST) * (1 - number / (ROUNDS - 1))
        beliefs = balance(total / np.float32(heat), absent / heat)
        told = _tell(contacts[0], beliefs, gains[1], survival, heat)
        told += _tell(contacts[1], np.ascontiguousarray(beliefs.T), gains[0], survival, heat).T
        fresh = unary + np.float32(_EACH_WAY) * told
        total = (_DAMPING * total + (1 - _DAMPING) * fresh).astype(np.float32)
        step()
    return balance(total, absent)


def balance(logits: F32, absent: float) -> F32:
    """Turn logits into beliefs: at most one of each side, or nobody (Sinkhorn with a null on both sides)."""
    return share_out(logits, absent)[0]


def share_out(logits: F32, absent: float) -> tuple[F32, F32]:
    """Turn logits into beliefs; return them, and by which factor each column is held down, since many want it."""
    top = np.maximum(logits.max(axis=1, keepdims=True), np.float32(absent))
    weight = np.exp(logits - top)
    nobody = np.exp(np.float32(absent) - top[:, 0])
    mine, taken = nobody, np.ones(weight.shape[1], dtype=np.float32)
    for _ in range(_BALANCING):
        mine = 1 / (weight @ taken + nobody)
        taken = 1 / np.maximum(mine @ weight, 1)
    return np.asarray(weight * mine[:, None] * taken[None, :]), taken


def _gains(touches: F32, survival: float) -> F32:
    """Return by how much the evidence is stronger where two people of the right core touch: against chance."""
    degree = np.maximum(touches.sum(axis=1), 1)
    chance = np.minimum(np.outer(degree, degree) / degree.sum(), 0.9 * survival)
    return np.asarray(touches * (survival / chance - (1 - survival)), dtype=np.float32)


def _tell(contacts: Rows, beliefs: F32, gain: F32, survival: float, heat: float) -> F32:
    """Return the sum of all messages that each person of the left core gets, about everybody of the right core."""
    few = min(_LIKELIEST, beliefs.shape[1])
    likeliest = np.argpartition(-beliefs, few - 1, axis=1)[:, :few].astype(np.int32)
    held = np.take_along_axis(beliefs, likeliest, axis=1)
    evidence, told = np.empty_like(beliefs), np.zeros_like(beliefs)
    map_chunks(lambda first, last: _expect(likeliest, held, gain, survival, evidence, first, last), len(held), chunk=64)
    words = np.log(evidence)
    again = np.exp(words * np.float32(-1 / heat))

    def tell(first: int, last: int) -> None:
        _add_words(contacts, words, told, first, last)
        _leave_out_own(contacts, likeliest, held, again, gain, survival, told, first, last)

    map_chunks(tell, len(held), chunk=64)
    return told


@numba.njit(cache=True, nogil=True)
def _expect(likeliest: I32, held: F32, gain: F32, survival: float, evidence: F32, first: int, last: int) -> None:
    """Write the expected evidence that each person of the right core touches whoever x is."""
    for x in range(first, last):
        known = np.float32(0)
        for k in range(held.shape[1]):
            known += held[x, k]
        row = evidence[x]
        for v in range(row.size):
            row[v] = max(1 - np.float32(survival) * known, np.float32(1e-6))
        for k in range(held.shape[1]):
            if held[x, k] > _NEGLIGIBLE:
                gains, weight = gain[likeliest[x, k]], held[x, k]
                for v in range(row.size):
                    row[v] += weight * gains[v]


@numba.njit(cache=True, nogil=True)
def _add_words(contacts: Rows, words: F32, told: F32, first: int, last: int) -> None:
    for u in range(first, last):
        row = told[u]
        for e in range(contacts.starts[u], contacts.starts[u + 1]):
            said = words[contacts.others[e]]
            for v in range(row.size):
                row[v] += said[v]


@numba.njit(cache=True, nogil=True)
def _leave_out_own(
    contacts: Rows, likeliest: I32, held: F32, again: F32, gain: F32, survival: float, told: F32, first: int, last: int
) -> None:
    """Work the messages to the likeliest of each person out anew, without what that person itself had told."""
    few = held.shape[1]
    cavity, found, product = np.empty(few, dtype=np.float32), np.empty(few, dtype=np.float32), np.empty(few)
    for u in range(first, last):
        for j in range(few):
            told[u, likeliest[u, j]] = 0
        product[:] = 1
        for e in range(contacts.starts[u], contacts.starts[u + 1]):
            x = contacts.others[e]
            known, rest = np.float32(0), np.float32(1)
            for k in range(few):
                cavity[k] = held[x, k] * again[u, likeliest[x, k]]
                rest -= held[x, k]
                known += cavity[k]
            rest = max(rest, np.float32(1e-6))
            whole = known + rest
            found[:] = (rest + np.float32(1 - survival) * known) / whole
            for k in range(few):
                if cavity[k] > _NEGLIGIBLE * whole:
                    gains, share = gain[likeliest[x, k]], cavity[k] / whole
                    for j in range(few):
                        found[j] += share * gains[likeliest[u, j]]
            product *= found
            if (e - contacts.starts[u]) % _FACTORS == _FACTORS - 1 or e == contacts.starts[u + 1] - 1:
                for j in range(few):
                    told[u, likeliest[u, j]] += math.log(product[j])
                product[:] = 1
