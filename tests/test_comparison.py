"""Comparing two appearances by what each shows alone: all columns beside their plain twin."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few, from_pairs, graphs
from tests.naive import comparison as naive
from tests.naive.surroundings import common
from thinveil.attacks import StrongAttack
from thinveil.features import DegreeHistogram, Needs, observe
from thinveil.features.channels.surroundings import INNER, INNER_DEGREES, OUTER_DEGREES, SHARED, STANDING
from thinveil.features.coincidences import Marks, count_common
from thinveil.features.comparison import Comparer, Seen
from thinveil.features.further import ChannelSeen, Further
from thinveil.graph import Graph

HISTOGRAM = DegreeHistogram(bins=4, bin_size=2)


@given(st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=2, max_size=6), st.sampled_from([1, 2**40]))
def test_marks_equal_plain_twin(rows, scale):
    counts = np.array([len(row) for row in rows])
    values = np.array([value * scale for row in rows for value in row], dtype=np.int64)
    marks = Marks.of(counts, values)
    for one in range(len(rows)):
        for two in range(len(rows)):
            count, worth = count_common(marks.starts, marks.marks, marks.rarity, one, two)
            assert (count, pytest.approx(worth)) == common(rows, one, two)
    assert marks.totals == pytest.approx([common(rows, k, k)[1] for k in range(len(rows))])


def look(*released: Graph):
    """The view of some sub-graphs, with all their nodes."""
    return observe(released, StrongAttack().needs.join(Needs((HISTOGRAM,))), min_degree=-1)


def plain(view):
    """The appearances of a view for the plain twin."""
    table, inner = view.channels["surroundings"], view.channels["surroundings"][:, INNER] > 0
    appearances = []
    for row in range(len(view)):
        others = view.neighbors.of(row).tolist()
        shared = view.neighbors.shared[view.neighbors.indptr[row] :][: len(others)].tolist()
        both = [(int(view.degree[other]), tie) for other, tie in zip(others, shared, strict=True) if inner[other]]
        appearances.append({
            "degree": int(view.degree[row]), "standing": table[row, STANDING].tolist(),
            "histograms": [table[row, part].tolist() for part in (INNER_DEGREES, OUTER_DEGREES, SHARED)],
            "marks": [[degree for degree, _ in both], shared, both],
            "signature": view.channels["signature"][row].tolist(),
            "channel": view.channels[HISTOGRAM.name][row].tolist(),
        })  # fmt: skip
    return appearances


@few
@given(graphs(most=12), graphs(most=12))
def test_every_column_equals_its_plain_twin(one, two):
    view = look(one, two)
    comparer = Comparer.of(view, Further((HISTOGRAM,)))
    left, right = (side.ravel() for side in np.meshgrid(np.arange(len(view)), np.arange(len(view))))
    table = comparer.compare(left, right)
    appearances = plain(view)
    entries = [Counter(mark for mine in appearances for mark in mine["marks"][kind]) for kind in range(3)]
    ref = []
    for p, q in zip(left.tolist(), right.tolist(), strict=True):
        sides = appearances[p], appearances[q]
        line = naive.compare(*sides, entries, len(view))
        assert line.keys() == set(Seen.__members__)
        more = naive.compare_channel(*(side["channel"] for side in sides))
        assert more.keys() == set(ChannelSeen.__members__)
        ref.append([line[name] for name in Seen.__members__] + [more[name] for name in ChannelSeen.__members__])
    assert table == pytest.approx(np.array(ref), rel=1e-5, abs=1e-6)
    assert (comparer.compare(right, left) == table).all()


def test_every_column_has_its_words():
    comparer = Comparer.of(look(from_pairs([(0, 1), (1, 2)])), Further((HISTOGRAM,)))
    assert [int(column) for column in Seen] == list(range(len(Seen.__members__)))
    assert len(comparer.columns) == len(Seen) + len(ChannelSeen)
    assert comparer.columns[: len(Seen)] == Seen.all_words()
    assert set(comparer.columns[len(Seen) :]) == {HISTOGRAM.name}
    assert comparer.compare(np.array([], dtype=np.int64), np.array([], dtype=np.int64)).shape == (
        0,
        len(comparer.columns),
    )
