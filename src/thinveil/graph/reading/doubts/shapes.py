"""Doubts about tables of another shape: matrices, nodes with their neighbours, lines of many lengths, counts."""

from __future__ import annotations

import numpy as np

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.doubts.rows import AFTER_ALL, Rows, Whole
from thinveil.graph.reading.layout import BLANKS, count_columns, is_integer, is_number, quote

_LARGE = 8  # rows and columns of a matrix that none but a matrix has
_ENOUGH = 8  # rows: in fewer, numbers that fit may be chance


def is_named_matrix(rows: list[list[str]]) -> bool:
    """Say whether rows of numbers have the names of the columns, in their order."""
    width, names = len(rows[1]), [row[0] for row in rows[1:]]
    columns = rows[0] if len(rows[0]) == width - 1 else rows[0][1:]
    has_corner = len(rows[0]) == width and not is_integer(rows[0][0])
    fits = 2 <= len(names) <= len(columns) and columns[: len(names)] == names
    if not fits or not (has_corner or len(rows[0]) == width - 1):
        return False
    # names again instead of numbers: nodes with their neighbours, none of them left out
    return all(is_number(field) or not field for row in rows[1:] for field in row[1:])


def matrix(rows: Rows, options: Options) -> str | None:
    """Find a whole matrix of numbers, or one with names before its rows."""
    cells, width = rows.fields, rows.width()
    if width > 3 and len(cells) >= _LARGE and 0 not in rows.choice.values() and _is_binary([row[1:] for row in cells]):
        return matrix_words(width - 1)
    if width < 3 or not all(is_number(field) for row in cells for field in row):
        return None
    is_square = rows.is_whole and len(cells) == width
    is_binary = len(cells) > 2 and _is_binary(cells)
    # so many columns of numbers, and as many rows: no table of edges has them by chance
    is_large = width >= _LARGE and abs(_line_count(rows) - width) <= 1
    is_matrix = is_binary or is_large or (is_square and (_is_symmetric(cells) or _has_empty_middle(cells)))
    return matrix_words(width) if is_matrix else None


def _line_count(rows: Rows) -> int:
    return len(rows.fields) if rows.is_whole else int(np.count_nonzero(rows.source.data == ord("\n")))


def _has_empty_middle(cells: list[list[str]]) -> bool:
    """Say whether nobody knows himself; of three people that is chance."""
    return len(cells) > 3 and all(float(row[place]) == 0 for place, row in enumerate(cells))


def _is_symmetric(cells: list[list[str]]) -> bool:
    values = [[float(field) for field in row] for row in cells]
    size = range(len(values))
    return all(values[i][i] == 0 and values[i][j] == values[j][i] for i in size for j in size)


def _is_binary(cells: list[list[str]]) -> bool:
    return all(field in ("0", "1") for row in cells for field in row)


def matrix_words(size: int) -> str:
    """Return the words for a matrix."""
    return (
        f"this looks like a whole adjacency matrix ({size} columns), not like edges: write a line for each "
        f"edge (in numpy: savetxt of argwhere); {AFTER_ALL}"
    )


def ragged(rows: Rows, options: Options) -> str | None:
    """Find lines of many lengths; ids of text that blanks part should not differ at all, or they are words of prose."""
    widths = [count_columns(row) for row in rows.fields]
    others = sum(width != widths[0] for width in widths)
    most = len(widths) // (4 if rows.delimiter == BLANKS and not rows.integers else 2)
    if len(widths) > 2 and min(widths) >= widths[0] and others > most:
        return (
            f"lines have between {min(widths)} and {max(widths)} columns: if each is a node and its neighbours, pass "
            f"--format adjacency; {AFTER_ALL}"
        )
    return None


def neighbours(rows: Rows, options: Options) -> str | None:
    """Nodes with their neighbours, as many for each: they look like columns, but all are ids that have a line."""
    width, fields = rows.width(), rows.fields
    firsts = {row[0] for row in fields}
    if width < 3 or len(fields) < width or len(firsts) < len(fields) or not rows.is_whole:
        return None
    if width == 3 and rows.integers and not _are_lists(fields):
        return None  # the third may be a weight
    if all(field in firsts for row in fields for field in row) and all(len(set(row)) == width for row in fields):
        return (
            "every field is an id that has a line of its own: if each line is a node and its neighbours, pass "
            f"--format adjacency; {AFTER_ALL}"
        )
    return None


def _are_lists(fields: list[list[str]]) -> bool:
    """Say whether neighbours stand in order, and each names the node as its own."""
    if not all(is_integer(field) for row in fields for field in row):
        return False
    if any(int(row[1]) > int(row[2]) for row in fields):
        return False
    lists = {row[0]: set(row[1:]) for row in fields}
    return all(node in lists.get(other, ()) for node, others in lists.items() for other in others)


def count_line(whole: Whole, options: Options) -> str | None:
    """Find a first line with the numbers of nodes and edges: so many rows follow, and no id is larger."""
    count = whole.edges.source.size - 1
    if whole.texts is not None or count < 2 or not whole.rows.fields or whole.rows.has_header_line:
        return None
    first = [field for field in whole.rows.fields[0] if field]
    if len(first) not in (2, 3) or not all(map(is_integer, first)):
        return None
    numbers = [int(field) for field in first]
    if not (_are_counts(whole, numbers) or (count >= _ENOUGH and _are_nearly_counts(whole, numbers))):
        return None
    return (
        f"the first line, {quote(' '.join(first), 40)}, seems to hold the numbers of nodes and edges: remove it, or "
        "pass --format edge-list if it is an edge"
    )


def _are_counts(whole: Whole, numbers: list[int]) -> bool:
    """Say whether one number is that of the rows below, and the other of their nodes: or of a matrix, which has two."""
    count = whole.edges.source.size - 1
    is_size = len(numbers) == 3 and numbers[0] == numbers[1]  # of a matrix: rows, columns, entries
    if count not in (numbers[0], numbers[-1]) or not (len(numbers) == 2 or is_size):
        return False
    nodes = numbers[0] if numbers[-1] == count else numbers[-1]
    size, largest = _sizes(whole)
    return (nodes == size or nodes >= largest) and (is_size or not _is_among_others(whole))


def _are_nearly_counts(whole: Whole, numbers: list[int]) -> bool:
    """Say whether the second number may be that of edges, counted otherwise: repeated ones once, or both ways.

    Where the first is just the number of nodes, a second that is no id below need not be exact.
    """
    nodes, edges = numbers[:2]
    if nodes < _third(whole) - 1 and nodes < whole.node_count - 2:
        return False  # so it is for most files: spare them what is long for millions of edges
    size, largest = _sizes(whole)
    if nodes < largest - 1 and nodes != size:
        return False
    source, target = whole.edges.source[1:].astype(np.int64), whole.edges.target[1:]
    turned = np.minimum(source, target) * whole.node_count + np.maximum(source, target)
    distinct = {np.unique(source * whole.node_count + target).size, np.unique(turned).size, source.size}
    if edges in distinct | {2 * number for number in distinct}:
        return (nodes == size or nodes >= largest) and not _is_among_others(whole)
    is_near = min(distinct) <= 2 * edges <= 4 * source.size
    return is_near and edges > largest + 1 and (nodes == size or abs(nodes - largest) <= 1)


def _third(whole: Whole) -> int:
    """Return the third largest id: the first line has only two."""
    return int(whole.label(max(0, whole.node_count - 3)))


def _sizes(whole: Whole) -> tuple[int, int]:
    """Return the number of nodes below the first line, and the largest id there."""
    counts = whole.counts.copy()
    for end in (whole.edges.source, whole.edges.target):
        counts[end[0]] -= 1
    rest = np.flatnonzero(counts)
    return int(rest.size), int(whole.label(int(rest[-1])))


def _is_among_others(whole: Whole) -> bool:
    """Say whether both numbers are ids below too, in lines of no order: then the first line is one of them."""
    source, target = whole.edges.source, whole.edges.target
    rest = np.concatenate([source[1:], target[1:]])
    return bool(np.isin([source[0], target[0]], rest).all() and (np.diff(source[1:]) < 0).any())
