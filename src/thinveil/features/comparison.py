"""Two rows side by side: what the strong attack learns from before there is any link.

A comparison is a table with a line per pair and a column per thing compared. All of it is symmetric: (p, q) and (q, p)
give the same line. What a column means, in words for the report, stands in ``COLUMNS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.features.channels import surroundings as place
from thinveil.features.coincidences import Marks, count_common, make_marks
from thinveil.features.views import Channel, View
from thinveil.runtime.threads import map_chunks

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

_PAIRS_AT_ONCE = 4096
_POSITION, _SIZE = "distance from the center of the sub-graph", "size of the sub-graphs"
_CONTACTS, _CIRCLE = "own number of contacts", "contacts among one's contacts (triangles)"

COLUMNS = (
    *(_CONTACTS,) * 3, _POSITION, _CONTACTS, *(_SIZE,) * 4, *(_POSITION,) * 2, *(_CIRCLE,) * 3,
    *("contacts of fully visible contacts, in ranges",) * 2,
    *("contacts of other contacts, in ranges",) * 2,
    *("contacts shared with each contact, in ranges",) * 2,
    *("exact degrees of fully visible contacts",) * 4,
    *("exact numbers of shared contacts",) * 4,
    *("exact degree and shared contacts at once",) * 4,
    "fingerprint of the circle of contacts",
)  # fmt: skip
"""What each column of a comparison looks at."""

_PER_CHANNEL = 4  # columns for each further channel


class _Bins(NamedTuple):
    """Where histograms stand in a row's components."""

    first: int
    last: int


_HISTOGRAMS = tuple(_Bins(part.start, part.stop) for part in (place.INNER_DEGREES, place.OUTER_DEGREES, place.SHARED))


@dataclass(frozen=True, eq=False)
class Comparer:
    """What is needed to compare rows of one view: made once, asked often."""

    view: View
    marks: tuple[Marks, Marks, Marks]
    channels: tuple[str, ...] = ()

    @classmethod
    def of(cls, view: View, channels: Sequence[Channel] = (), *, threads: int | None = None) -> Comparer:
        """Prepare a view; ``channels`` are histograms to be compared besides."""
        return cls(view, make_marks(view, threads=threads), tuple(channel.name for channel in channels))

    @property
    def columns(self) -> tuple[str, ...]:
        """What each column looks at."""
        return (*COLUMNS, *(name for name in self.channels for _ in range(_PER_CHANNEL)))

    def compare(self, left: I64, right: I64, *, threads: int | None = None) -> F32:
        """Return a line for each pair of rows."""
        table = np.empty((left.size, len(self.columns)), dtype=np.float32)
        surroundings, fingerprints = self.view.channels["surroundings"], self.view.channels["signature"]
        marks = [(m.starts, m.marks, m.rarity, m.totals) for m in self.marks]
        further = [self.view.channels[name] for name in self.channels]

        def fill(first: int, last: int) -> None:
            one, two, lines = left[first:last], right[first:last], table[first:last]
            _compare_standing(self.view.degree, surroundings, one, two, lines)
            for k, bins in enumerate(_HISTOGRAMS):
                _compare_bins(surroundings, bins, one, two, lines, 14 + 2 * k)
            for k, mark in enumerate(marks):
                _compare_marks(*mark, one, two, lines, 20 + 4 * k)
            lines[:, 32] = (fingerprints[one] == fingerprints[two]).all(axis=1)
            for k, vectors in enumerate(further):
                start = len(COLUMNS) + _PER_CHANNEL * k
                _compare_bins(vectors, _Bins(0, vectors.shape[1]), one, two, lines, start)
                totals = np.sort(np.stack((vectors[one].sum(axis=1), vectors[two].sum(axis=1))), axis=0)
                lines[:, start + 2] = totals[0] / np.maximum(totals[1], 1)
                lines[:, start + 3] = (vectors[one] == vectors[two]).all(axis=1)

        map_chunks(fill, left.size, chunk=_PAIRS_AT_ONCE, threads=threads)
        return table


@numba.njit(cache=True, nogil=True)
def _compare_standing(degree: I32, rows: I32, left: I64, right: I64, lines: F32) -> None:
    for k in range(left.size):
        one, two = left[k], right[k]
        # the row with more contacts first: no order of the pair is left
        if degree[one] < degree[two]:
            one, two = two, one
        more, less = np.float64(degree[one]), np.float64(degree[two])
        lines[k, 0], lines[k, 1], lines[k, 2] = less, more, less / max(more, 1.0)
        lines[k, 3] = rows[one, 0] + rows[two, 0]
        # where only one is seen whole: how much fewer contacts the other has
        gap = (more - less) / max(more + less, 1.0)
        lines[k, 4] = gap * (rows[one, 0] - rows[two, 0])
        for c in range(2):
            lines[k, 5 + 2 * c] = min(rows[one, 3 + c], rows[two, 3 + c])
            lines[k, 6 + 2 * c] = max(rows[one, 3 + c], rows[two, 3 + c])
        lines[k, 9], lines[k, 10] = min(rows[one, 1], rows[two, 1]), max(rows[one, 1], rows[two, 1])
        lines[k, 11] = min(rows[one, 2], rows[two, 2]) / max(1.0, max(rows[one, 2], rows[two, 2]))
        dense, other = rows[one, 2] / max(more * more, 1.0), rows[two, 2] / max(less * less, 1.0)
        lines[k, 12], lines[k, 13] = min(dense, other), max(dense, other)


@numba.njit(cache=True, nogil=True)
def _compare_bins(rows: I32, bins: _Bins, left: I64, right: I64, lines: F32, start: int) -> None:
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
        lines[k, start] = differ / max(total, 1.0)
        lines[k, start + 1] = product / np.sqrt(max(one * two, 1.0))


@numba.njit(cache=True, nogil=True)
def _compare_marks(
    starts: I64, marks: I32, rarity: F64, totals: F64, left: I64, right: I64, lines: F32, start: int
) -> None:
    """Write count and worth of common marks, and their share of what both rows have, and of what the poorer has."""
    for k in range(left.size):
        count, worth = count_common(starts, marks, rarity, left[k], right[k])
        one, two = totals[left[k]], totals[right[k]]
        lines[k, start], lines[k, start + 1] = count, worth
        lines[k, start + 2] = worth / np.sqrt(max(one * two, 1.0))
        lines[k, start + 3] = worth / max(min(one, two), 1.0)
