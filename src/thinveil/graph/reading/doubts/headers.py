"""Doubts about the first line: tables of our own, headers that do not fit, and those that nobody recognised."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.doubts.rows import Rows, Whole, shape
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.labels import is_missing
from thinveil.graph.reading.layout import is_integer, quote
from thinveil.graph.reading.names import HEADER_WORDS
from thinveil.graph.reading.pairs import are_paired

_GIVE = "give the graph itself"
# the first columns of tables that thinveil writes, and what they are
_OURS = {
    ("subgraph", "node", "person", "hops"): "the truth of a release, which says who is who: keep it secret",
    ("subgraph", "node", "person"): f"a table of names that 'match' wrote: {_GIVE}",
    ("cluster", "subgraph", "node"): f"a table of links that 'link' wrote: {_GIVE}",
    ("person", "appearances", "largest_degree"): f"a table of people that 'audit' wrote: {_GIVE}",
    ("category", "fpr", "tpr"): f"a table of rates that 'audit' wrote: {_GIVE}",
    ("subgraph", "source", "target"): "a part of a release, in which each sub-graph has names of its own: give the "
    "folder to 'link' or 'match'; to read it as one graph, pass --source source --target target",
    ("subgraph", "node"): f"the list of nodes of a release: {_GIVE}",
}
_ENOUGH = 8  # rows: in fewer, a first pair that stands apart may be chance
_MOST_LINES = 3  # of a title or a remark
_SAMPLE = 1000


def our_table(names: Sequence[str]) -> str | None:
    """Say which table of thinveil has these columns, if one has."""
    given = tuple(name.strip().lower() for name in names)
    return next((f"this is {what}" for ours, what in _OURS.items() if given[: len(ours)] == ours), None)


def header_width(rows: Rows, options: Options) -> str | None:
    """Find a header of fewer names than columns, as R writes it beside the numbers of the rows; or of more."""
    names, width = rows.names, rows.width()
    if names is None or not rows.has_header_line or not width or width == len(names):
        return None
    is_filled = all(row[-1] for row in rows.fields) and bool(names[-1])
    if not is_filled:
        return None  # a comma too many at the end of each line
    return (
        f"the header has {len(names)} names, and the lines below have {width} columns: export the table again, "
        "without numbers of the rows (in R: row.names = FALSE), or remove the header"
    )


def repeated_header(whole: Whole, options: Options) -> str | None:
    """Find a header that stands again below, where several files were put together."""
    rows = whole.rows
    if rows.names is None or not rows.has_header_line:
        return None
    names = [rows.names[rows.choice[role]] for role in IDS]
    forms = (str, str.lower, str.upper, str.capitalize, str.title)
    if not any(_has_row(whole, form(names[0]), form(names[1])) for form in forms):
        return None
    return "the header stands again among the lines below it: remove it there"


def _has_row(whole: Whole, source: str, target: str) -> bool:
    first, second = whole.find(source), whole.find(target)
    return first >= 0 and second >= 0 and whole.has_row(first, second)


def bears_out_header(rows: Rows, edges: Edges) -> bool:
    """Say whether all lines together bear out a header that was guessed from the first of them.

    Its names come again nowhere; and unless they are a pair, most edges below hang together.
    """
    assert rows.names is not None
    whole, names = Whole(rows, edges), [rows.names[rows.choice[role]] for role in IDS]
    if repeated_header(whole, Options()) is not None:
        return True
    if any(whole.find(form(name)) >= 0 for name in names for form in (str, str.lower, str.capitalize)):
        return False
    return are_paired(*names) or 2 * _rows_apart(whole).size < edges.source.size


def unknown_header(whole: Whole, options: Options) -> str | None:
    """Find first rows that stand apart: none of their ids comes again, while all other rows hang together.

    Of a few rows, the first must be spelled otherwise too, as ``Chef,Knecht`` is above ``anna,bob``; and so must rows
    with digits, for names of columns have none.
    """
    if whole.texts is None or whole.rows.names is not None or whole.edges.source.size < 3:
        return None
    apart = _rows_apart(whole)
    first = list(range(apart.size))
    if not 0 < apart.size <= _MOST_LINES or apart.tolist() != first:
        return None
    is_short = whole.edges.source.size <= _ENOUGH
    has_digits = any(character.isdigit() for row in first for label in whole.pair(row) for character in label)
    if (is_short or has_digits) and not all(_is_of_other_shape(whole, row, is_short) for row in first):
        return None
    shown = quote(", ".join(whole.pair(0)), 60)
    return (
        f"the first line, {shown}, may be a header or an edge, for neither id comes again: name its columns with "
        "--source and --target, or pass --format edge-list if it is an edge"
    )


def footer(whole: Whole, options: Options) -> str | None:
    """Find a last row that stands apart and is spelled otherwise: a remark on the table."""
    last = whole.edges.source.size - 1
    if whole.texts is None or last < _ENOUGH:
        return None
    apart = _rows_apart(whole)
    if not 0 < apart.size <= _MOST_LINES or apart[-1] != last or not _is_of_other_shape(whole, last, False):
        return None
    shown = quote(", ".join(whole.pair(last)), 60)
    return f"the last line, {shown}, seems to be no edge: remove it, or pass --format edge-list if it is one"


def late_header(whole: Whole, options: Options) -> str | None:
    """Find two names of columns below other rows: a title stands above the table, or another table follows."""
    if whole.texts is None:
        return None
    words = np.array([form(word) for word in HEADER_WORDS for form in (str, str.capitalize, str.upper)])
    places = np.minimum(np.searchsorted(whole.texts, words), whole.texts.size - 1)
    is_name = np.zeros(whole.node_count, dtype=np.bool_)
    is_name[places[whole.texts[places] == words]] = True
    is_name &= whole.counts == 1
    found = whole.rows_among(is_name) if is_name.any() else is_name[:0]
    if not found.size or found[0] == 0:
        return None  # the first row is told by others
    shown = quote(", ".join(whole.pair(int(found[0]))), 60)
    return (
        f"row {found[0] + 1}, {shown}, seems to be a header: remove what stands above it, or give each table a file of "
        "its own; if it is an edge, pass --format edge-list"
    )


def second_header(rows: Rows, options: Options) -> str | None:
    """Find words above ids that are all numbers: a second line of a header, with units or questions."""
    if rows.integers or options.ids == "string":
        return None
    pairs = zip(rows.column("source"), rows.column("target"), strict=False)
    are_numbers = [is_integer(one) and is_integer(other) for one, other in pairs]
    first = are_numbers.index(True) if True in are_numbers else 0
    if not 0 < first <= _MOST_LINES or len(are_numbers) < first + _ENOUGH or not all(are_numbers[first:]):
        return None
    fields = [rows.column(role)[0] for role in IDS]
    if any(map(is_missing, fields)):
        return None  # told as such
    words = ", ".join(fields)
    return (
        f"the first ids, {quote(words, 40)}, are no numbers, as all others are: remove what stands above the edges, or "
        "pass --ids string"
    )


def _rows_apart(whole: Whole) -> NDArray[np.int64]:
    """Return the rows none of whose ids stands on another row."""
    return whole.rows_among(whole.counts == 1)


def _is_of_other_shape(whole: Whole, row: int, is_short: bool) -> bool:
    """Say whether an id of a row, or of a short table both, is spelled as no other is."""
    assert whole.texts is not None
    pair = whole.pair(row)
    others = {shape(label) for label in whole.texts[:_SAMPLE].tolist() if label not in pair}
    is_other = [shape(label) not in others for label in pair]
    return all(is_other) if is_short else any(is_other)


def first_line_note(whole: Whole) -> str:
    """Say what the user should know where the first line could be a header or an edge."""
    rows = whole.rows
    if rows.is_guess:
        return "the first line is taken for a header: if it is an edge, pass --format edge-list"
    if rows.names is not None or whole.texts is None or whole.edges.source.size < 2:
        return ""
    first = whole.edges.source[0], whole.edges.target[0]
    if any(whole.counts[node] > 1 for node in first):
        return ""
    return "the first line is taken for an edge: if it is a header, name its columns with --source and --target"
