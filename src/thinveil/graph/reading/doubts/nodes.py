"""Doubts about tables of nodes: a row for each person, with a name, a class or a number beside."""

from __future__ import annotations

import numpy as np

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS, known_pair
from thinveil.graph.reading.doubts.rows import AFTER_ALL, Rows, Whole, shape
from thinveil.graph.reading.layout import is_integer, quote
from thinveil.graph.reading.names import has_id_names, is_attribute

_ENOUGH = 8  # rows: fewer edges may well have no node in common
_TOUCHED, _FAR = 3, 1000  # rows of an id that may stand for a missing one, and how far it is from others
_MANY = 50  # rows: fewer may well be couples and chains
_CODES = 3  # negative ids that may stand for missing ones, as -1 and -2 do; more are ids
_CLASSES = 6  # rows that may show classes: fewer are stars


def attributes(rows: Rows, options: Options) -> str | None:
    """Find a column of ids whose name tells something about a node."""
    if rows.names is None or known_pair(rows.names) is not None:
        return None
    name = rows.names[rows.choice["target"]]
    return about_nodes(name) if is_attribute(name) else None


def about_nodes(name: str) -> str:
    """Return the words for a column that tells about nodes."""
    return (
        f"the column {quote(name, 30)} tells about nodes, not who knows whom: this looks like a table of nodes; "
        "choose the columns of the two ids with --source and --target (source= and target=)"
    )


def node_table(whole: Whole, options: Options) -> str | None:
    """Find a table all of whose rows together are about nodes, not edges between them."""
    rows, count = whole.rows, whole.edges.source.size
    is_named = rows.names is not None and has_id_names(rows.names, rows.choice)
    # a table about nodes has a row for each: more rows than nodes are edges, whatever else they are
    if is_named or whole.node_count < count or whole.counts_by_side[0].max() > 1:
        return None
    targets = whole.counts_by_side[1]
    few, most = int(np.count_nonzero(targets)), int(targets.max())
    is_parted = few + count == whole.node_count  # no id stands in both columns
    if _are_of_two_kinds(rows) or (count >= 50 and few <= min(20, count / 10)) or _has_classes(count, few, is_parted):
        problem = "every first id has one line, with a name or a class: this looks like a table about nodes"
    elif most == 1 and is_parted and (count >= _ENOUGH or _are_spelled_apart(rows)):
        problem = "no id stands on two lines: this looks like a table about nodes"
    elif most == 1 and count >= _MANY and whole.node_count - count >= count / 10:  # so many chains, and no branch
        problem = "no id stands twice in a column: this looks like a table of who is who in two graphs"
    else:
        return None
    return f"{problem}, not like edges between them; {AFTER_ALL}"


def _are_of_two_kinds(rows: Rows) -> bool:
    """Say whether numbers stand beside names: 1,Anna; or names beside numbers: Anna,3."""
    first, second = ([is_integer(field) for field in rows.column(role)] for role in IDS)
    if not first or not second:
        return False
    return (all(first) and not any(second)) or (len(first) > 2 and all(second) and not any(first))


def _are_spelled_apart(rows: Rows) -> bool:
    """Say whether the ids of one column are all spelled otherwise than those of the other: 10.0.0.2 and server."""
    first, second = ({shape(field) for field in rows.column(role)} for role in IDS)
    return len(rows.fields) > 2 and not first & second


def _has_classes(count: int, few: int, is_parted: bool) -> bool:
    """Say whether the second column holds a few classes; a single one may be the middle of a star."""
    return is_parted and count >= _CLASSES and 1 < few <= count / 3


def parted_note(whole: Whole) -> str:
    """Say what the user should know of a graph between two kinds of things, such as people and groups."""
    rows = whole.rows
    is_known = rows.names is not None and has_id_names(rows.names, rows.choice)
    shared = set(rows.column("source")) & set(rows.column("target"))  # of the first rows: most graphs end here
    if is_known or shared or whole.edges.source.size < _ENOUGH or whole.node_count > 2 * whole.edges.source.size:
        return ""
    if not whole.is_parted() or whole.sides.sum(axis=1).min() < 2:
        return ""
    return "no id stands in both columns: if one of them holds no people, this is no graph of people"


def id_note(whole: Whole) -> str:
    """Say what the user should know of ids that may be another's, or nobody's."""
    if whole.padded.size:
        return f"ids begin or end with blanks, as {quote(str(whole.padded[0]), 30)} does"
    written = set(whole.rows.ids()) if whole.rows.integers else set()
    zeros = next((one for one in sorted(written) if one[:1] == "0" and one.lstrip("0") in written - {one}), None)
    if zeros is not None:
        return f"{zeros} and {zeros.lstrip('0')} are read as one id: if they are two, pass --ids string"
    labels = whole.edges.labels
    if labels is None or labels.dtype.kind != "i" or labels.size < 3:
        return ""
    negative = int(np.count_nonzero(labels < 0))
    apart = labels[:negative] if negative else labels[: int(labels[0] == 0 and labels[1] > _FAR)]
    if not 0 < apart.size <= _CODES or apart.size > labels.size / 4 or whole.counts[: apart.size].max() < _TOUCHED:
        return ""
    one, are, mean = ("id", "stands", "it means") if apart.size == 1 else ("ids", "stand", "they mean")
    listed = " and ".join(map(str, apart.tolist()))
    return f"the {one} {listed} {are} apart from all others: if {mean} that an id is missing, remove such rows"
