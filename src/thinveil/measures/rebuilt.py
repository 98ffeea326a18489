"""What linkage has rebuilt, counted by someone who knows who is who: no attack calls this.

The rebuilt graph has a node for every cluster and for every appearance that is in none. Two sub-graphs hang
together if they share a cluster. A node stands for the person of most of its appearances; an edge of the rebuilt
graph is right if the release has an edge between those two people.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from thinveil.features import Labels, View, kept_neighbors
from thinveil.features.pairs import count_pairs
from thinveil.measures.agreement import agreement_of_groups
from thinveil.measures.intervals import widened_rate
from thinveil.measures.rates import Rate, rate

I64 = NDArray[np.int64]


@dataclass(frozen=True)
class Rebuilt:
    """How much of the graph a round has rebuilt.

    ``links`` are the pairs of appearances that are in one cluster, ``precision`` the share of right ones with its
    interval, which allows for the links of one cluster being right or wrong together; None without links. ``merged``
    counts merged people, ``linked_people`` the distinct true people among them. ``subgraphs`` hang together in the
    largest part of the rebuilt graph; it has ``nodes``, which stand for ``people`` distinct people, and ``edges``
    distinct true edges; ``wrong_edges`` are between people who have none, because of wrong merges. ``all_people`` and
    ``all_edges`` are what the release shows in all.
    """

    links: int
    right: int
    precision: Rate | None
    merged: int
    linked_people: int
    subgraphs: int
    nodes: int
    people: int
    edges: int
    wrong_edges: int
    all_people: int
    all_edges: int


def count_rebuilt(view: View, labels: Labels, person: NDArray[np.int32]) -> Rebuilt:
    """Count what a round, after which row r is merged into ``person[r]`` (-1 for none), has got right."""
    neighbors = kept_neighbors(view)
    links, right = count_links(person, labels.person)
    node = _nodes(person)
    stands_for = _majority(node, labels.person)
    part = _largest_part(view.subgraph, person)
    inside = part[view.subgraph]
    source = np.repeat(np.arange(len(view)), neighbors.counts)
    true = np.unique(_keys(labels.person[source], labels.person[neighbors.indices]))
    here = inside[source]
    claimed = np.unique(_keys(node[source[here]], node[neighbors.indices[here]]))
    named = _keys(stands_for[claimed >> 32], stands_for[claimed & 0xFFFFFFFF])
    is_true = np.isin(named, true)
    return Rebuilt(
        links=links,
        right=right,
        precision=_precision(person, labels.person) if links else None,
        merged=int(person.max(initial=-1)) + 1,
        linked_people=np.unique(stands_for[node[person >= 0]]).size,
        subgraphs=int(part.sum()),
        nodes=np.unique(node[inside]).size,
        people=np.unique(stands_for[node[inside]]).size,
        edges=np.unique(named[is_true]).size,
        wrong_edges=int((~is_true).sum()),
        all_people=np.unique(labels.person).size,
        all_edges=true.size,
    )


def count_links(merged: NDArray[np.int32], person: NDArray[np.int32]) -> tuple[int, int]:
    """Return how many pairs of rows are merged, and how many of these are one person.

    Examples
    --------
    >>> count_links(np.array([0, 0, 0, -1]), np.array([7, 7, 8, 8]))
    (3, 1)
    """
    linked = merged >= 0
    return count_pairs(merged[linked]), count_pairs(merged[linked].astype(np.int64) << 32 | person[linked])


def _precision(merged: NDArray[np.int32], person: NDArray[np.int32]) -> Rate:
    """Return the share of right links; those of one merged person are right or wrong together."""
    linked = merged >= 0
    keys, counts = np.unique(merged[linked].astype(np.int64) << 32 | person[linked], return_counts=True)
    right = np.bincount(keys >> 32, weights=counts * (counts - 1) // 2).astype(np.int64)
    sizes = np.bincount(merged[linked])
    trials = sizes * (sizes - 1) // 2
    held = trials > 0
    found = rate(int(right.sum()), int(trials.sum()))
    return widened_rate(found, agreement_of_groups(right[held], trials[held]))


def _nodes(person: NDArray[np.int32]) -> I64:
    """Return the node of each row in the rebuilt graph: merged people first, then rows that stand alone."""
    node = person.astype(np.int64)
    alone = person < 0
    node[alone] = person.max(initial=-1) + 1 + np.arange(alone.sum())
    return node


def _majority(node: I64, person: NDArray[np.int32]) -> I64:
    """Return the person of most rows of each node; of equals the smallest number."""
    keys, counts = np.unique((node << 32) | person, return_counts=True)
    order = np.lexsort((keys, -counts, keys >> 32))
    _, first = np.unique(keys[order] >> 32, return_index=True)
    return np.asarray(keys[order][first] & 0xFFFFFFFF)


def _largest_part(subgraph: NDArray[np.int32], person: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which sub-graphs belong to the largest part, by rows."""
    subgraphs, people = int(subgraph.max(initial=-1)) + 1, int(person.max(initial=-1)) + 1
    linked = person >= 0
    places = (subgraph[linked], subgraphs + person[linked])
    size = subgraphs + people
    _, part = connected_components(coo_array((np.ones(linked.sum()), places), shape=(size, size)), directed=False)
    rows = np.bincount(part[subgraph], minlength=1)
    return np.asarray(part[:subgraphs] == rows.argmax())


def _keys(one: NDArray[np.integer], two: NDArray[np.integer]) -> I64:
    """Return a number for each pair, whichever comes first."""
    return np.asarray((np.minimum(one, two).astype(np.int64) << 32) | np.maximum(one, two))
