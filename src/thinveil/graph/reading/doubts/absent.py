"""Doubts about tables of pairs that are not all edges: a column beside the ids says which of them are."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.doubts.rows import AFTER_ALL, Rows, Whole
from thinveil.graph.reading.layout import quote
from thinveil.graph.reading.names import plain

_ENOUGH = 8  # nodes: among fewer, all may know each other
_ANSWERS = ({"0", "1"}, {"0.0", "1.0"}, {"no", "yes"}, {"n", "y"}, {"false", "true"}, {"f", "t"}, {"nein", "ja"})
_WORDS = """
connected connection edge tie tied link linked friend friends friendship know knows related adjacent neighbors
acquainted contact exists present
"""
_ASKING = frozenset(_WORDS.split())


def unconnected(rows: Rows, options: Options) -> str | None:
    """Find a column such as is_friend that says of some pairs that they are no edges."""
    if rows.names is None or rows.width() != len(rows.names):
        return None
    for place, values in _asides(rows):
        if values in _ANSWERS and asks(rows.names[place]):
            return (
                f"the column {quote(rows.names[place], 20)} says which pairs are edges: leave out the lines of those "
                f"that are none; {AFTER_ALL}"
            )
    return None


def asks(name: str) -> bool:
    """Say whether a column of this name tells which pairs are edges: connected, is_friend."""
    return re.split("[_ .-]", plain(name))[-1] in _ASKING


def every_pair(whole: Whole, options: Options) -> str | None:
    """Find a line for every two nodes, with values beside that differ: they say who knows whom, or how far they are."""
    size, count = int(np.count_nonzero(whole.counts)), whole.edges.source.size
    without = size * (size - 1)
    if size < _ENOUGH or count not in {number + loops for number in (without // 2, without) for loops in (0, size)}:
        return None
    source, target = whole.edges.source.astype(np.int64), whole.edges.target
    is_once = np.unique(source * whole.node_count + target).size == count
    pairs = np.minimum(source, target) * whole.node_count + np.maximum(source, target)
    is_complete = np.unique(pairs[source != target]).size == without // 2
    if not is_once or not is_complete or not any(_asides(whole.rows)):
        return None
    return (
        f"every two of the {size:,} nodes have a line: if what stands beside them tells who knows whom, leave out the "
        f"lines of those who do not; {AFTER_ALL}"
    )


def answer_note(whole: Whole) -> str:
    """Say what the user should know of a column that answers yes or no: that the answer changes nothing."""
    for place, values in _asides(whole.rows):
        if values in _ANSWERS:
            names = whole.rows.names
            name = quote(names[place], 20) if names is not None and place < len(names) else str(place)
            return f"lines are edges whatever column {name} says: if it says which are none, leave those out"
    return ""


def _asides(rows: Rows) -> Iterator[tuple[int, set[str]]]:
    """Yield the columns without ids, times and directions that hold more than one value, and these in lower case."""
    known = {rows.choice[role] for role in (*IDS, "time", "direction") if role in rows.choice}
    for place in sorted(set(range(rows.width())) - known):
        values = {row[place].strip().lower() for row in rows.fields}
        if len(values) > 1:
            yield place, values
