"""Two appearances side by side: what the strong attack learns from before there is any link.

A comparison is a table with a line per pair of appearances and a column per thing compared, see ``Seen``. All of it is
symmetric: (p, q) and (q, p) give the same line. In kernels a ``row`` is an appearance's number in the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.features.channels.surroundings import (
    INNER,
    INNER_DEGREES,
    INNER_NEIGHBORS,
    INNER_NODES,
    NODES,
    OUTER_DEGREES,
    SHARED,
    TRIANGLES,
)
from thinveil.features.coincidences import Marks, count_common, make_marks
from thinveil.features.columns import Columns
from thinveil.features.views import Channel, View
from thinveil.runtime.threads import map_chunks

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

_PAIRS_AT_ONCE = 4096
_POSITION, _SIZE = "distance from the center of the sub-graph", "size of the sub-graphs"
_CONTACTS, _CIRCLE = "own number of contacts", "contacts among one's contacts (triangles)"
_INNER_BINS, _OUTER_BINS = "contacts of fully visible contacts, in ranges", "contacts of other contacts, in ranges"
_SHARED_BINS, _EXACT_DEGREES = "contacts shared with each contact, in ranges", "exact degrees of fully visible contacts"
_EXACT_SHARED, _EXACT_BOTH = "exact numbers of shared contacts", "exact degree and shared contacts at once"
_DIFFER, _COSINE = "difference of the two histograms, as a share of both", "cosine of the two histograms"
_COUNT, _WORTH = "marks in common", "what these are worth by their rarity"
_MARKS_COSINE, _MARKS_SHARE = "that as a share of what both have", "that as a share of what the poorer has"


class Seen(Columns):
    """The columns of a comparison."""

    FEWER_CONTACTS = "smaller degree", _CONTACTS
    MORE_CONTACTS = "larger degree", _CONTACTS
    CONTACTS_RATIO = "smaller degree over the larger", _CONTACTS
    INNER_ONES = "how many of the two are inner nodes", _POSITION
    CONTACTS_GAP = "where only one is an inner node: how many fewer contacts the other has", _CONTACTS
    SMALLER_NODES = "nodes of the smaller sub-graph", _SIZE
    LARGER_NODES = "nodes of the larger sub-graph", _SIZE
    FEWER_INNER_NODES = "inner nodes of the sub-graph with fewer", _SIZE
    MORE_INNER_NODES = "inner nodes of the sub-graph with more", _SIZE
    FEWER_INNER_CONTACTS = "inner contacts of the one with fewer", _POSITION
    MORE_INNER_CONTACTS = "inner contacts of the one with more", _POSITION
    TRIANGLES_RATIO = "fewer triangles over more", _CIRCLE
    LOWER_DENSITY = "triangles for each two contacts, the lower", _CIRCLE
    HIGHER_DENSITY = "triangles for each two contacts, the higher", _CIRCLE
    INNER_DEGREES_DIFFER = _DIFFER, _INNER_BINS
    INNER_DEGREES_COSINE = _COSINE, _INNER_BINS
    OUTER_DEGREES_DIFFER = _DIFFER, _OUTER_BINS
    OUTER_DEGREES_COSINE = _COSINE, _OUTER_BINS
    SHARED_DIFFER = _DIFFER, _SHARED_BINS
    SHARED_COSINE = _COSINE, _SHARED_BINS
    EXACT_DEGREES = _COUNT, _EXACT_DEGREES
    EXACT_DEGREES_WORTH = _WORTH, _EXACT_DEGREES
    EXACT_DEGREES_COSINE = _MARKS_COSINE, _EXACT_DEGREES
    EXACT_DEGREES_SHARE = _MARKS_SHARE, _EXACT_DEGREES
    EXACT_SHARED = _COUNT, _EXACT_SHARED
    EXACT_SHARED_WORTH = _WORTH, _EXACT_SHARED
    EXACT_SHARED_COSINE = _MARKS_COSINE, _EXACT_SHARED
    EXACT_SHARED_SHARE = _MARKS_SHARE, _EXACT_SHARED
    EXACT_BOTH = _COUNT, _EXACT_BOTH
    EXACT_BOTH_WORTH = _WORTH, _EXACT_BOTH
    EXACT_BOTH_COSINE = _MARKS_COSINE, _EXACT_BOTH
    EXACT_BOTH_SHARE = _MARKS_SHARE, _EXACT_BOTH
    SIGNATURE = "whether the signatures are equal", "fingerprint of the circle of contacts"


class ChannelSeen(Columns):
    """The columns that each further channel adds behind these; the report calls them by the channel's name."""

    DIFFER = _DIFFER, "channel"
    COSINE = _COSINE, "channel"
    TOTALS_RATIO = "smaller sum over the larger", "channel"
    EQUAL = "whether all components are equal", "channel"


class _Bins(NamedTuple):
    """Where a histogram stands in a channel, and the two columns to which its comparison goes."""

    first: int
    last: int
    differ: int
    cosine: int


class _Marked(NamedTuple):
    """The four columns to which the comparison of marks goes."""

    number: int
    worth: int
    cosine: int
    share: int


_HISTOGRAMS = (
    _Bins(INNER_DEGREES.start, INNER_DEGREES.stop, int(Seen.INNER_DEGREES_DIFFER), int(Seen.INNER_DEGREES_COSINE)),
    _Bins(OUTER_DEGREES.start, OUTER_DEGREES.stop, int(Seen.OUTER_DEGREES_DIFFER), int(Seen.OUTER_DEGREES_COSINE)),
    _Bins(SHARED.start, SHARED.stop, int(Seen.SHARED_DIFFER), int(Seen.SHARED_COSINE)),
)
_MARKED = tuple(
    _Marked(*(int(Seen[name + ending]) for ending in ("", "_WORTH", "_COSINE", "_SHARE")))
    for name in ("EXACT_DEGREES", "EXACT_SHARED", "EXACT_BOTH")
)


@dataclass(frozen=True, eq=False)
class Comparer:
    """What is needed to compare the appearances of one view: made once, asked often."""

    view: View
    marks: tuple[Marks, Marks, Marks]
    channels: tuple[str, ...] = ()

    @classmethod
    def of(cls, view: View, channels: Sequence[Channel] = ()) -> Comparer:
        """Prepare a view; ``channels`` are histograms to be compared besides."""
        return cls(view, make_marks(view), tuple(channel.name for channel in channels))

    @property
    def columns(self) -> tuple[str, ...]:
        """What each column looks at, in words for the report."""
        return (*Seen.all_words(), *(name for name in self.channels for _ in ChannelSeen))

    def compare(self, left: I64, right: I64) -> F32:
        """Return a line for each pair of appearances."""
        table = np.empty((left.size, len(self.columns)), dtype=np.float32)

        def fill(first: int, last: int) -> None:
            self._fill(left[first:last], right[first:last], table[first:last])

        map_chunks(fill, left.size, chunk=_PAIRS_AT_ONCE)
        return table

    def _fill(self, left: I64, right: I64, lines: F32) -> None:
        surroundings, signatures = self.view.channels["surroundings"], self.view.channels["signature"]
        _compare_standing(self.view.degree, surroundings, left, right, lines)
        for bins in _HISTOGRAMS:
            _compare_bins(surroundings, bins, left, right, lines)
        for marks, at in zip(self.marks, _MARKED, strict=True):
            _compare_marks(marks.starts, marks.marks, marks.rarity, marks.totals, left, right, lines, at)
        lines[:, Seen.SIGNATURE] = (signatures[left] == signatures[right]).all(axis=1)
        for k, name in enumerate(self.channels):
            _compare_channel(self.view.channels[name], left, right, lines, len(Seen) + len(ChannelSeen) * k)


def _compare_channel(vectors: I32, left: I64, right: I64, lines: F32, start: int) -> None:
    bins = _Bins(0, vectors.shape[1], start + int(ChannelSeen.DIFFER), start + int(ChannelSeen.COSINE))
    _compare_bins(vectors, bins, left, right, lines)
    totals = np.sort(np.stack((vectors[left].sum(axis=1), vectors[right].sum(axis=1))), axis=0)
    lines[:, start + ChannelSeen.TOTALS_RATIO] = totals[0] / np.maximum(totals[1], 1)
    lines[:, start + ChannelSeen.EQUAL] = (vectors[left] == vectors[right]).all(axis=1)


@numba.njit(cache=True, nogil=True)
def _compare_standing(degree: I32, rows: I32, left: I64, right: I64, lines: F32) -> None:
    for k in range(left.size):
        line, one, two = lines[k], left[k], right[k]
        # the one with more contacts first: no order of the pair is left
        if degree[one] < degree[two]:
            one, two = two, one
        more, less = np.float64(degree[one]), np.float64(degree[two])
        line[Seen.FEWER_CONTACTS], line[Seen.MORE_CONTACTS] = less, more
        line[Seen.CONTACTS_RATIO] = less / max(more, 1.0)
        line[Seen.INNER_ONES] = rows[one, INNER] + rows[two, INNER]
        gap = (more - less) / max(more + less, 1.0)
        line[Seen.CONTACTS_GAP] = gap * (rows[one, INNER] - rows[two, INNER])
        line[Seen.SMALLER_NODES] = min(rows[one, NODES], rows[two, NODES])
        line[Seen.LARGER_NODES] = max(rows[one, NODES], rows[two, NODES])
        line[Seen.FEWER_INNER_NODES] = min(rows[one, INNER_NODES], rows[two, INNER_NODES])
        line[Seen.MORE_INNER_NODES] = max(rows[one, INNER_NODES], rows[two, INNER_NODES])
        line[Seen.FEWER_INNER_CONTACTS] = min(rows[one, INNER_NEIGHBORS], rows[two, INNER_NEIGHBORS])
        line[Seen.MORE_INNER_CONTACTS] = max(rows[one, INNER_NEIGHBORS], rows[two, INNER_NEIGHBORS])
        near, far = rows[one, TRIANGLES], rows[two, TRIANGLES]
        line[Seen.TRIANGLES_RATIO] = min(near, far) / max(1.0, max(near, far))
        dense, other = near / max(more * more, 1.0), far / max(less * less, 1.0)
        line[Seen.LOWER_DENSITY], line[Seen.HIGHER_DENSITY] = min(dense, other), max(dense, other)


@numba.njit(cache=True, nogil=True)
def _compare_bins(rows: I32, bins: _Bins, left: I64, right: I64, lines: F32) -> None:
    """Write how far two histograms differ, as a share of both, and the cosine between them."""
    for k in range(left.size):
        differ, total, product, one, two = 0.0, 0.0, 0.0, 0.0, 0.0
        for b in range(bins.first, bins.last):
            x, y = np.float64(rows[left[k], b]), np.float64(rows[right[k], b])
            differ += abs(x - y)
            total += x + y
            product += x * y
            one += x * x
            two += y * y
        lines[k, bins.differ] = differ / max(total, 1.0)
        lines[k, bins.cosine] = product / np.sqrt(max(one * two, 1.0))


@numba.njit(cache=True, nogil=True)
def _compare_marks(
    starts: I64, marks: I32, rarity: F64, totals: F64, left: I64, right: I64, lines: F32, at: _Marked
) -> None:
    """Write count and worth of common marks, and their share of what both have, and of what the poorer has."""
    for k in range(left.size):
        count, worth = count_common(starts, marks, rarity, left[k], right[k])
        one, two = totals[left[k]], totals[right[k]]
        lines[k, at.number], lines[k, at.worth] = count, worth
        lines[k, at.cosine] = worth / np.sqrt(max(one * two, 1.0))
        lines[k, at.share] = worth / max(min(one, two), 1.0)
