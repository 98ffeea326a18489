"""From two columns of node numbers on the disk to compressed sparse rows on the disk, in a given memory.

Nodes are cut into ranges whose rows fit a part of the memory. Edges become keys, smaller end first, and are dealt
into a file for the range of that end; one file after the other is sorted and freed of repeats, and its keys are dealt
once more, for the range of the larger end. Both files of a range together hold all of its rows, in order::

    edges     2-0 1-2 0-2 0-1      ranges: node 0, nodes 1 and 2
    by low    range 0: 0-2 0-2 0-1     range 1: 1-2
    sorted    range 0: 0-1 0-2         range 1: 1-2
    by high   range 0: -               range 1: 0-1 0-2 1-2
    rows      0: 1 2                   1: 0 2    2: 0 1

What stands in memory at a time are some bytes for each node, the keys of a range, and its rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.runtime.mapped import column_header, forget

Longs = NDArray[np.int64]
Nodes = NDArray[np.int32]

_RANGE = 32  # bytes of memory for each entry of a range: its key, a copy, its place in the rows, and room
_LOOKED_AT = 1 << 20  # nodes
_PIECE = 96  # the same for each edge that is dealt at a time


class Rows(NamedTuple):
    """What came of the edges: row starts, their digest with the neighbours, and how many edges were dropped."""

    indptr: Longs
    digest: str
    loops: int
    duplicates: int


def sort_rows(source: Nodes, target: Nodes, node_count: int, *, memory: int, scratch: Path, out: Path) -> Rows:
    """Write the neighbours of all nodes into a file, and return the rest; ``scratch`` is an empty folder."""
    step, most = max(1, memory // _PIECE), max(1, memory // _RANGE)
    deal = _Dealer(_cut_nodes(_count_ends(source, target, node_count, step), most), scratch)
    loops = _deal_edges(deal, source, target, step)
    degrees, kept = np.zeros(node_count, dtype=np.int64), 0
    for number in range(deal.count):
        keys = _distinct(deal, number, most)
        kept += keys.size
        keys.tofile(deal.path("sorted", number))
        for first in range(0, keys.size, step):
            _add_ends(keys[first : first + step], degrees)
            deal.add("high", keys[first : first + step], by_high=True)
    indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(degrees)))
    del degrees
    digest = _write_rows(deal, indptr, out, step)
    return Rows(indptr, digest, loops, source.size - loops - kept)


def largest(nodes: Nodes) -> int:
    """Return the largest number of a column that may lie on the disk."""
    found = -1
    for first in range(0, nodes.size, _LOOKED_AT):
        found = max(found, int(nodes[first : first + _LOOKED_AT].max()))
        forget(nodes)
    return found


class _Dealer:
    """Ranges of nodes, and for each of them a file of keys; ``cuts`` are the first nodes of the ranges, and the end."""

    def __init__(self, cuts: Longs, scratch: Path) -> None:
        self.cuts, self.count, self._scratch = cuts, cuts.size - 1, scratch
        self._range_of = np.repeat(np.arange(self.count, dtype=np.int32), np.diff(cuts))

    def path(self, kind: str, number: int) -> Path:
        return self._scratch / f"{kind}-{number}"

    def add(self, kind: str, keys: Longs, *, by_high: bool = False) -> None:
        """Append keys to the files of the ranges in which their smaller or larger ends are, in their order."""
        dealt, ends = deal_keys(keys, self._range_of, self.count, by_high)
        for number in np.flatnonzero(np.diff(ends)).tolist():
            with open(self.path(kind, number), "ab") as file:
                file.write(dealt[ends[number] : ends[number + 1]].data)

    def read(self, kind: str, number: int, step: int) -> Iterator[Longs]:
        """Yield the keys of a range, some at a time."""
        if self.path(kind, number).exists():
            with open(self.path(kind, number), "rb") as file:
                while (keys := np.fromfile(file, dtype=np.int64, count=step)).size:
                    yield keys

    def remove(self, kind: str, number: int) -> None:
        self.path(kind, number).unlink(missing_ok=True)


def _count_ends(source: Nodes, target: Nodes, node_count: int, step: int) -> Longs:
    counts = np.zeros(node_count, dtype=np.int64)
    for first in range(0, source.size, step):
        for ends in (source, target):
            add_nodes(ends[first : first + step], counts)
            forget(ends)
    return counts


def _cut_nodes(counts: Longs, most: int) -> Longs:
    """Cut nodes into ranges with no more than so many ends, or of one node."""
    sums, cuts = np.cumsum(counts), [0]
    while cuts[-1] < counts.size:
        before = int(sums[cuts[-1] - 1]) if cuts[-1] else 0
        cuts.append(max(cuts[-1] + 1, int(np.searchsorted(sums, before + most, side="right"))))
    return np.array(cuts, dtype=np.int64)


def _deal_edges(deal: _Dealer, source: Nodes, target: Nodes, step: int) -> int:
    """Deal all edges but loops by their smaller ends; return the number of loops."""
    loops = 0
    for first in range(0, source.size, step):
        one, other = (ends[first : first + step] for ends in (source, target))
        keys = (np.minimum(one, other).astype(np.int64) << 32) | np.maximum(one, other)
        keys = keys[one != other]
        loops += one.size - keys.size
        deal.add("low", keys)
        forget(source)
        forget(target)
    return loops


def _distinct(deal: _Dealer, number: int, most: int) -> Longs:
    """Return the distinct keys of a range in order: of a node with very many edges, most may be repeats."""
    from thinveil.graph.csr import drop_repeats

    found = np.empty(0, dtype=np.int64)
    for keys in deal.read("low", number, most):
        keys = np.concatenate((found, keys)) if found.size else keys
        keys.sort()
        found = drop_repeats(keys)
    deal.remove("low", number)
    return found


def _write_rows(deal: _Dealer, indptr: Longs, out: Path, step: int) -> str:
    sha = hashlib.sha256(b"thinveil graph 1")
    sha.update(np.ascontiguousarray(indptr, dtype="<i8").data)
    with open(out, "xb") as file:
        file.write(column_header(np.int32, int(indptr[-1])))
        for number in range(deal.count):
            rows = _rows_of(deal, indptr, number, step)
            sha.update(np.ascontiguousarray(rows, dtype="<i4").data)
            file.write(rows.data)
    return sha.hexdigest()


def _rows_of(deal: _Dealer, indptr: Longs, number: int, step: int) -> Nodes:
    """Return the rows of a range of nodes: smaller neighbours come first, since keys were dealt in order."""
    first, last = deal.cuts[number], deal.cuts[number + 1]
    cursor = indptr[first:last] - indptr[first]
    rows = np.empty(indptr[last] - indptr[first], dtype=np.int32)
    for kind, by_high in (("high", True), ("sorted", False)):
        for keys in deal.read(kind, number, step):
            fill_range(keys, cursor, int(first), by_high, rows)
        deal.remove(kind, number)
    return rows


@numba.njit(cache=True, nogil=True)
def add_nodes(nodes: Nodes, counts: Longs) -> None:
    """Count how often each node occurs."""
    for node in nodes:
        counts[node] += 1


@numba.njit(cache=True, nogil=True)
def _add_ends(keys: Longs, counts: Longs) -> None:
    for key in keys:
        counts[key >> 32] += 1
        counts[key & 0xFFFFFFFF] += 1


@numba.njit(cache=True, nogil=True)
def deal_keys(keys: Longs, range_of: Nodes, ranges: int, by_high: bool) -> tuple[Longs, Longs]:
    """Return the keys by the range of one of their ends, in their order within it, and where each range starts."""
    starts = np.zeros(ranges + 1, dtype=np.int64)
    for key in keys:
        starts[range_of[(key & 0xFFFFFFFF) if by_high else (key >> 32)] + 1] += 1
    for number in range(ranges):
        starts[number + 1] += starts[number]
    cursor, dealt = starts.copy(), np.empty(keys.size, dtype=np.int64)
    for key in keys:
        number = range_of[(key & 0xFFFFFFFF) if by_high else (key >> 32)]
        dealt[cursor[number]] = key
        cursor[number] += 1
    return dealt, starts


@numba.njit(cache=True, nogil=True)
def fill_range(keys: Longs, cursor: Longs, first: int, by_high: bool, rows: Nodes) -> None:
    """Write one end of each key into the row of the other; rows start at node ``first``, and are full up to cursor."""
    for key in keys:
        low, high = key >> 32, key & 0xFFFFFFFF
        node, other = (high, low) if by_high else (low, high)
        rows[cursor[node - first]] = other
        cursor[node - first] += 1
