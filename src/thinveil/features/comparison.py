"""Two appearances side by side: what the strong attack learns from before there is any link.

A comparison is a table with a line per pair of appearances and a column per thing compared, see ``Seen``. All of it is
symmetric: (p, q) and (q, p) give the same line. In kernels a ``row`` is an appearance's number in the view.
"""

from __future__ import annotations

from dataclasses import dataclass

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
from thinveil.features.coincidences import Marks, make_marks
from thinveil.features.columns import Columns
from thinveil.features.further import NOTHING, Further
from thinveil.features.likeness import (
    COSINE,
    COUNT,
    DIFFER,
    MARKS_COSINE,
    MARKS_SHARE,
    WORTH,
    Bins,
    Marked,
    compare_bins,
    compare_marks,
)
from thinveil.features.views import View
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
    INNER_DEGREES_DIFFER = DIFFER, _INNER_BINS
    INNER_DEGREES_COSINE = COSINE, _INNER_BINS
    OUTER_DEGREES_DIFFER = DIFFER, _OUTER_BINS
    OUTER_DEGREES_COSINE = COSINE, _OUTER_BINS
    SHARED_DIFFER = DIFFER, _SHARED_BINS
    SHARED_COSINE = COSINE, _SHARED_BINS
    EXACT_DEGREES = COUNT, _EXACT_DEGREES
    EXACT_DEGREES_WORTH = WORTH, _EXACT_DEGREES
    EXACT_DEGREES_COSINE = MARKS_COSINE, _EXACT_DEGREES
    EXACT_DEGREES_SHARE = MARKS_SHARE, _EXACT_DEGREES
    EXACT_SHARED = COUNT, _EXACT_SHARED
    EXACT_SHARED_WORTH = WORTH, _EXACT_SHARED
    EXACT_SHARED_COSINE = MARKS_COSINE, _EXACT_SHARED
    EXACT_SHARED_SHARE = MARKS_SHARE, _EXACT_SHARED
    EXACT_BOTH = COUNT, _EXACT_BOTH
    EXACT_BOTH_WORTH = WORTH, _EXACT_BOTH
    EXACT_BOTH_COSINE = MARKS_COSINE, _EXACT_BOTH
    EXACT_BOTH_SHARE = MARKS_SHARE, _EXACT_BOTH
    SIGNATURE = "whether the signatures are equal", "fingerprint of the circle of contacts"


_HISTOGRAMS = (
    Bins(INNER_DEGREES.start, INNER_DEGREES.stop, int(Seen.INNER_DEGREES_DIFFER), int(Seen.INNER_DEGREES_COSINE)),
    Bins(OUTER_DEGREES.start, OUTER_DEGREES.stop, int(Seen.OUTER_DEGREES_DIFFER), int(Seen.OUTER_DEGREES_COSINE)),
    Bins(SHARED.start, SHARED.stop, int(Seen.SHARED_DIFFER), int(Seen.SHARED_COSINE)),
)
_MARKED = tuple(
    Marked(*(int(Seen[name + ending]) for ending in ("", "_WORTH", "_COSINE", "_SHARE")))
    for name in ("EXACT_DEGREES", "EXACT_SHARED", "EXACT_BOTH")
)


@dataclass(frozen=True, eq=False)
class Comparer:
    """What is needed to compare the appearances of one view: made once, asked often.

    ``further`` is what of the events is compared besides, and ``ties`` the keys of ties as marks, where these are.
    """

    view: View
    marks: tuple[Marks, Marks, Marks]
    further: Further = NOTHING
    ties: Marks | None = None

    @classmethod
    def of(cls, view: View, further: Further = NOTHING) -> Comparer:
        """Prepare a view."""
        return cls(view, make_marks(view), further, further.marks(view))

    @property
    def columns(self) -> tuple[str, ...]:
        """What each column looks at, in words for the report."""
        return (*Seen.all_words(), *self.further.words)

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
            compare_bins(surroundings, bins, left, right, lines)
        for marks, at in zip(self.marks, _MARKED, strict=True):
            compare_marks(marks.starts, marks.marks, marks.rarity, marks.totals, left, right, lines, at)
        lines[:, Seen.SIGNATURE] = (signatures[left] == signatures[right]).all(axis=1)
        self.further.fill(self.view, self.ties, left, right, lines[:, len(Seen) :])


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
