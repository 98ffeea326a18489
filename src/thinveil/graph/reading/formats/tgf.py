"""Trivial Graph Format: a line per node, ``1 Anna``; a line with ``#`` alone; a line per edge, ``1 2 friends``."""

from __future__ import annotations

import re

from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, fail, text_lines
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import quote
from thinveil.graph.reading.sources import Source

_PARTING = re.compile(rb"\n[ \t]*+#[ \t]*+\r?\n")
_LONGEST_PARTING = 1000


def _recognises(head: Head) -> bool:
    lines = [line.strip() for line in head.lines]
    if "#" not in lines:
        return _may_list_nodes(lines) and any(
            _PARTING.search(piece.data) for piece in head.source.pieces(overlap=_LONGEST_PARTING)
        )
    parted = lines.index("#")
    nodes = [line.split()[0] for line in lines[:parted] if line]
    ends = [line.split()[:2] for line in lines[parted + 1 :] if line]
    known = set(nodes)
    if not nodes or len(known) < len(nodes) or any(node.startswith(("#", "%")) for node in nodes):
        return False
    return all(len(pair) == 2 and known.issuperset(pair) for pair in ends)


def _may_list_nodes(lines: list[str]) -> bool:
    """Say whether lines are nodes, each named once: with a text beside, or alone."""
    words = [line.split(maxsplit=1) for line in lines if line]
    firsts = {word[0] for word in words}
    if not words or len(firsts) < len(words) or any(first.startswith(("#", "%")) for first in firsts):
        return False
    return all(len(word) == 1 or word[1] not in firsts for word in words)


def _read(source: Source, options: Options) -> Edges:
    found = Collector(source, options, ("source", "target", "label"))
    is_node = True
    for number, line in text_lines(source):
        if line == "#" and is_node:
            is_node = False
            continue
        words = line.split(maxsplit=1 if is_node else 2)
        if is_node and words:
            found.add_node(words[0], number, shown=words[1] if len(words) == 2 else None)
        elif words:
            _check_ends(source, words, found, number)
            found.add_edge(words, number)
    return found.edges("TGF")


def _check_ends(source: Source, words: list[str], found: Collector, number: int) -> None:
    if len(words) < 2:
        raise fail(source, f"{quote(' '.join(words))}: expected two nodes on each line below '#'", number)
    for end in words[:2]:
        if end not in found:
            raise fail(source, f"the node {quote(end)} is not listed above '#'; add it there", number)


TGF = Format("tgf", _recognises, _read, is_guess=True)
