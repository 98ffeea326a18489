"""The seal over a release: after it no name and no order in the release comes from the seed or from the scheme.

A scheme may draw its pseudonyms from a seed that can be guessed, or not shuffle at all. Sealed, a release has its
sub-graphs in another order, its nodes under other numbers, and its events in another order, all drawn by a key
(``runtime.keys``). What the scheme publishes of people and edges stays as it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import EdgeRows, trusted_graph
from thinveil.graph.balls import sorted_rows
from thinveil.runtime.keys import Key
from thinveil.schemes.base import Published, Release, check_published
from thinveil.schemes.egonets import reorder_events


def seal(release: Release, key: Key) -> Release:
    """Return the release with all names and orders drawn by the key, one sub-graph at a time.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.schemes import make_scheme
    >>> release = make_scheme("d4d-1:egonets=4,min_size=50").publish(synthetic_graph(2000), seed=1)
    >>> sealed = seal(release, Key.fresh())
    >>> sorted(sealed.egos) == sorted(release.egos)
    True
    """
    public, secret = release.public, release.secret
    if secret is None:
        raise InputError("this release has no secret half to keep: publish one with a scheme")
    order = key.permutation(len(public), "sub-graphs")
    centers = release.centers
    if centers is not None and len(centers) != len(public):
        raise InputError(f"{len(public)} sub-graphs, but {len(centers)} egos: one of each is needed")

    def make(k: int) -> Published:
        before = int(order[k])
        return _seal_one(check_published(before, Published(public[before], secret[before])), key, k)

    return Release.lazy(
        len(public), make, scheme=release.scheme, names=release.names,
        centers=None if centers is None else np.asarray(centers)[order], key=key,
    )  # fmt: skip


def _seal_one(published: Published, key: Key, k: int) -> Published:
    public, secret = published
    people = key.permutation(public.node_count, "nodes", k)  # the new node v was people[v]
    number = np.empty(people.size, dtype=np.int32)
    number[people] = np.arange(people.size, dtype=np.int32)
    source = np.repeat(np.arange(people.size, dtype=np.int32), public.degrees)
    once = source < public.indices
    rows = sorted_rows(number[source[once]], number[public.indices[once]], people.size)
    graph = trusted_graph(*rows, rows=_seal_events(public.rows, number, key, k))
    return Published(graph, secret.reordered(people))


def _seal_events(rows: EdgeRows | None, number: NDArray[np.int32], key: Key, k: int) -> EdgeRows | None:
    if rows is None:
        return None
    ends, count = np.stack((number[rows.source], number[rows.target])), rows.source.size
    order, coin = key.permutation(count, "events", k), key.coins(count, "ends of events", k)
    return reorder_events(ends, rows.columns, order, coin)
