"""Two graphs side by side, their nodes numbered by lot.

::

    people, nodes (graphs as given) --lots--> Sides (rows in an order drawn by lot) --a peer--> Found --lots--> pairs

Published attacks leave it open in which order nodes are looked at and which of two equals is taken. Here both graphs
are numbered anew by lot before, and the kernels go by these numbers: what a node was called has no say in it.
``image[person]`` is the published node of a person, -1 for none.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching.base import F64, I32, Held, KnownNames
from thinveil.errors import InputError
from thinveil.graph import Graph

I64 = NDArray[np.int64]


class Rows(NamedTuple):
    """The neighbours of node ``v`` are ``indices[indptr[v] : indptr[v + 1]]``."""

    indptr: I64
    indices: I32


class Sides(NamedTuple):
    """Both graphs in numbers drawn by lot, and whom the attacker knows."""

    people: Rows
    nodes: Rows
    known: I32


class Found(NamedTuple):
    """The node of each person, how much speaks for it in the attack's own unit, and how the attack went."""

    image: I32
    evidence: F64
    facts: dict[str, float]


def draw_sides(held: Held, target: Graph, lots: tuple[I64, I64]) -> Sides:
    """Give both graphs the numbers of their lots: node ``v`` becomes ``lots[side][v]``."""
    known = np.full(held.auxiliary.node_count, -1, dtype=np.int32)
    known[lots[0][held.known.person]] = lots[1][held.known.node]
    return Sides(renumber(held.auxiliary, lots[0]), renumber(target, lots[1]), known)


def renumber(graph: Graph, lot: I64) -> Rows:
    """Return the rows of a graph whose node ``v`` is called ``lot[v]``."""
    return Rows(*_renumber(graph.indptr, graph.indices, lot))


@numba.njit(cache=True, nogil=True)
def _renumber(indptr: I64, indices: I32, lot: I64) -> tuple[I64, I32]:
    count = lot.size
    starts, cursor, order = np.zeros(count + 1, dtype=np.int64), np.zeros(count, dtype=np.int64), np.empty_like(lot)
    for v in range(count):
        order[lot[v]] = v
    for v in range(count):
        cursor[v] = starts[v]
        starts[v + 1] = starts[v] + indptr[order[v] + 1] - indptr[order[v]]
    rows = np.empty(indices.size, dtype=np.int32)
    for v in range(count):  # in ascending order, so that every row comes out sorted
        for k in range(indptr[order[v]], indptr[order[v] + 1]):
            neighbor = lot[indices[k]]
            rows[cursor[neighbor]] = v
            cursor[neighbor] += 1
    return starts, rows


@numba.njit(cache=True, nogil=True)
def invert(image: I32, count: int) -> I32:
    """Return the person of each of so many nodes."""
    owner = np.full(count, -1, dtype=np.int32)
    for person in range(image.size):
        if image[person] >= 0:
            owner[image[person]] = person
    return owner


@numba.njit(cache=True, nogil=True)
def count_witnesses(people: Rows, nodes: Rows, image: I32) -> F64:
    """Return for each person with a node how many contacts have a node that is a contact of it."""
    witnesses = np.zeros(image.size)
    stamp = np.full(nodes.indptr.size - 1, -1, dtype=np.int32)
    for person in range(image.size):
        if image[person] < 0:
            continue
        for k in range(nodes.indptr[image[person]], nodes.indptr[image[person] + 1]):
            stamp[nodes.indices[k]] = person
        for k in range(people.indptr[person], people.indptr[person + 1]):
            there = image[people.indices[k]]
            if there >= 0 and stamp[there] == person:
                witnesses[person] += 1
    return witnesses


@numba.njit(cache=True, nogil=True)
def find_free(rows: Rows, name: I32, node: int, least: int) -> I32:
    """Return the contacts of a node that have no name, and so many contacts at least."""
    free, count = np.empty(rows.indptr[node + 1] - rows.indptr[node], dtype=np.int32), 0
    for k in range(rows.indptr[node], rows.indptr[node + 1]):
        contact = rows.indices[k]
        if name[contact] < 0 and rows.indptr[contact + 1] - rows.indptr[contact] >= least:
            free[count] = contact
            count += 1
    return free[:count]


def check_known(known: KnownNames, people: int, nodes: int, attack: str) -> None:
    """Say what is wrong with the known people, if anything is."""
    for words, numbers, count in (("person", known.person, people), ("node", known.node, nodes)):
        if numbers.size and (numbers.min() < 0 or numbers.max() >= count):
            raise InputError(f"attack {attack}: a known {words} is not one of the {count}: give numbers from 0 on")
        if np.unique(numbers).size < numbers.size:
            raise InputError(f"attack {attack}: a known {words} stands twice: give each one only once")
