"""METIS: the numbers of nodes and edges on the first line, then a line per node with its neighbours, counted from 1.

A node without neighbours has an empty line. ``%`` starts a comment.
"""

from __future__ import annotations

import re
from array import array

import numpy as np

from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, fail, text_lines
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import quote
from thinveil.graph.reading.sources import Source

_SIZES = re.compile(r"([0-9]{1,10})\s+([0-9]{1,12})(?:\s+([01]{1,3}))?(?:\s+([0-9]))?")


def _recognises(head: Head) -> bool:
    lines = [line.strip() for line in head.lines if not line.lstrip().startswith("%")]
    lines = lines[:-1] if lines and not lines[-1] else lines  # the last line has an end, too
    sizes = _SIZES.fullmatch(lines[0]) if lines else None
    widths = {len(line.split()) for line in lines[1:]}
    if sizes is None or len(widths) < 2 or "#" in head.text:
        return False
    if not all(re.fullmatch(r"[0-9 \t]*", line) for line in lines):
        return False
    while len(lines) > int(sizes[1]) + 1 and not lines[-1]:
        lines.pop()
    if not head.is_whole:
        return _count_lines(head) in (int(sizes[1]) + 1, int(sizes[1]) + 2)
    is_plain = sizes[3] in (None, "0", "00", "000")
    words = sum(len(line.split()) for line in lines[1:])
    return len(lines) == int(sizes[1]) + 1 and (not is_plain or words == 2 * int(sizes[2]))


def _count_lines(head: Head) -> int:
    comments = sum(line.lstrip().startswith("%") for line in head.lines)
    lines = sum(int(np.count_nonzero(piece == ord("\n"))) for piece in head.source.pieces())
    return 1 + lines - comments


def _read(source: Source, options: Options) -> Edges:
    found = Collector(source, options, ("source", "target", "weight"))
    lines = ((number, line) for number, line in text_lines(source) if not line.startswith("%"))
    number, first = next(lines, (1, ""))
    sizes = _SIZES.fullmatch(first)
    if sizes is None or int(sizes[1]) > source.data.size:
        raise fail(source, f"{quote(first)}: expected the numbers of nodes and edges", number)
    nodes, skip, step = int(sizes[1]), *_columns(sizes)
    node, places = 0, (array("q"), array("q"))
    for number, line in lines:
        node += 1
        words = line.split()[skip:]
        if node > nodes and line:
            raise fail(
                source, f"there are more lines than the {nodes} nodes of the first line; correct that number", number
            )
        for at in range(0, len(words), step):
            _check_node(source, words[at], nodes, number)
            other = int(words[at])
            if other != node:
                places[other > node].append(min(node, other) * nodes + max(node, other) - 1)
            if other >= node:  # every edge stands on two lines
                found.add_edge([node, other, *words[at + 1 : at + step]], number)
    if node < nodes:
        promise = f"the first line promises {nodes} nodes, but there are only {node} lines below it"
        raise source.fail(f"{promise}; fetch it again, or correct the line")
    _check_both(source, places, nodes)
    for node in range(1, nodes + 1):
        found.add_node(node)
    return found.edges("METIS")


def _check_both(source: Source, places: tuple[array[int], array[int]], nodes: int) -> None:
    """Refuse a file in which some edge does not stand as often on the line of one of its nodes as on the other's."""
    lower, higher = (np.sort(np.array(place, dtype=np.int64)) for place in places)
    if np.array_equal(lower, higher):
        return
    edges, counts = np.unique(np.concatenate([lower, higher]), return_counts=True)
    wrong = counts != 2 * (np.searchsorted(lower, edges, "right") - np.searchsorted(lower, edges))
    node, other = divmod(int(edges[np.argmax(wrong)]), nodes)
    raise source.fail(
        f"the edge between {node} and {other + 1} stands on the line of one of them only; METIS lists it with "
        "both: add it there"
    )


def _columns(sizes: re.Match[str]) -> tuple[int, int]:
    """Return how many numbers stand before the neighbours, and how many numbers there are per neighbour."""
    kind = (sizes[3] or "0").zfill(3)
    return (kind[0] == "1") + (int(sizes[4] or 1) if kind[1] == "1" else 0), 1 + (kind[2] == "1")


def _check_node(source: Source, word: str, nodes: int, number: int) -> None:
    if not re.fullmatch("[0-9]{1,10}", word) or not 1 <= int(word) <= nodes:
        raise fail(source, f"{quote(word)}: neighbours are numbers from 1 to {nodes}", number)


METIS = Format("metis", _recognises, _read, is_guess=True)
