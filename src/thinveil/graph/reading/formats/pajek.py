"""Pajek: ``*Vertices 3`` and a line per node, ``1 "Anna"``, then the edges.

Below ``*Edges`` or ``*Arcs`` a line is ``1 2 weight``; below ``*Edgeslist`` or ``*Arcslist`` it is a node with all its
neighbours. Nodes are counted from 1, and those without an edge are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, fail, is_plausible, second_graph, text_lines
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import quote
from thinveil.graph.reading.sources import Source

_PAIRS, _LISTS = ("*edges", "*arcs"), ("*edgeslist", "*arcslist")
_NETWORK, _NUMBERS = "*network", ("*partition", "*vector", "*permutation", "*cluster")  # numbers about the nodes
_VERTEX = re.compile(r'([0-9]+)(?:\s+(?:"([^"]*)"|(\S+)))?')


def _recognises(head: Head) -> bool:
    first = head.data[0].lower().split()[0] if head.data else ""
    return first in ("*vertices", _NETWORK, *_PAIRS, *_LISTS)


def _read(source: Source, options: Options) -> Edges:
    found = Collector(source, options, ("source", "target", "weight"))
    nodes = 0
    for number, section, line in _lines(source):
        if line.startswith("*"):
            if section == "*vertices":
                nodes = _read_size(source, line, number)
                for node in range(1, nodes + 1):
                    found.add_node(node)
        elif section == "*vertices":
            _add_vertex(source, found, line, nodes, number)
        elif section in (*_PAIRS, *_LISTS):
            for fields in _pairs(line.split(), section):
                _check_ends(source, fields[:2], nodes, number)
                found.add_edge([int(fields[0]), int(fields[1]), *fields[2:]], number)
        elif section != _NETWORK:
            known = ", ".join((*_PAIRS, *_LISTS))
            raise fail(source, f"the section {quote(section)} cannot be read: {known} can", number)
    return found.edges("Pajek")


def _lines(source: Source) -> Iterator[tuple[int, str, str]]:
    """Yield the number, the section and the text of all lines of the one network, without numbers about its nodes."""
    section, seen, is_network = "", set(), True
    for number, line in text_lines(source):
        if line.startswith("*"):
            section = line.lower().split()[0].split(":")[0]
            is_network = section in (_NETWORK, *_PAIRS, *_LISTS) or (is_network and section not in _NUMBERS)
            if is_network and section in (_NETWORK, "*vertices") and section in seen:
                raise second_graph(source, number)
            seen |= {section} if is_network else set()
        if is_network and line and not line.startswith("%"):
            yield number, section, line


def _read_size(source: Source, line: str, number: int) -> int:
    words = line.split()
    nodes = int(words[1]) if len(words) > 1 and re.fullmatch("[0-9]{1,10}", words[1]) else 0
    if not is_plausible(source, nodes):
        raise fail(source, f"{quote(line)}: expected '*Vertices' and their number, fitting the file's size", number)
    return nodes


def _add_vertex(source: Source, found: Collector, line: str, nodes: int, number: int) -> None:
    match = _VERTEX.match(line)
    if match is None or not 1 <= int(match[1][:12]) <= nodes:
        raise fail(source, f"{quote(line)}: expected the number of a vertex, from 1 to {nodes}, and its name", number)
    found.add_node(int(match[1]), number, shown=match[2] or match[3])


def _pairs(words: list[str], section: str) -> list[list[str]]:
    return [words[:3]] if section in _PAIRS else [[words[0], other] for other in words[1:]]


def _check_ends(source: Source, ends: list[str], nodes: int, number: int) -> None:
    # a minus marks a line's end in lists of some programs: refused rather than guessed
    if len(ends) < 2 or not all(re.fullmatch("[0-9]{1,10}", end) and 1 <= int(end) <= nodes for end in ends):
        raise fail(source, f"{quote(' '.join(ends))}: expected two vertices from 1 to {nodes}", number)


PAJEK = Format("pajek", _recognises, _read, ("net",))
