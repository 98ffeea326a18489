"""DIMACS: ``c`` comments, ``p edge 5 4`` with the numbers of nodes and edges, ``e 1 2`` or ``a 1 2 7`` for each edge.

Nodes are counted from 1, and those without an edge are kept.
"""

from __future__ import annotations

import re

from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, fail, is_plausible, text_lines
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import quote
from thinveil.graph.reading.sources import Source

_PROBLEM = re.compile(r"p\s+([a-z]+)\s+([0-9]{1,10})\s+([0-9]{1,12})", re.IGNORECASE)
_KINDS = ("edge", "edges", "col", "sp", "max", "min", "aux")


def _recognises(head: Head) -> bool:
    first = next((line for line in head.lines if line.strip() and not re.match(r"c(\s|$)", line)), "")
    return _PROBLEM.match(first.strip()) is not None


def _read(source: Source, options: Options) -> Edges:
    found = Collector(source, options, ("source", "target", "weight"))
    nodes, promised, seen = 0, 0, 0
    for number, line in text_lines(source):
        words = line.split()
        if not words or words[0] in ("c", "n"):
            continue
        if words[0] == "p" and not nodes:
            nodes, promised = _read_sizes(source, line, number)
        elif words[0] in ("e", "a") and nodes and 3 <= len(words) <= 5:
            _check_ends(source, words[1:3], nodes, number)
            found.add_edge([*map(int, words[1:3]), *words[3:4]], number)
            seen += 1
        else:
            raise fail(source, f"{quote(line)} cannot be read; expected an edge, as in 'e 1 2' or 'a 1 2 7'", number)
    # colouring files count an edge once or twice, whatever they list
    if seen not in (promised, 2 * promised) and promised != 2 * seen:
        promise = f"the line with 'p' promises {promised} edges, but the file has {seen}"
        raise source.fail(f"{promise}; fetch it again, or correct the line")
    for node in range(1, nodes + 1):
        found.add_node(node)
    return found.edges("DIMACS")


def _read_sizes(source: Source, line: str, number: int) -> tuple[int, int]:
    match = _PROBLEM.match(line)
    if match is None or match[1].lower() not in _KINDS:
        raise fail(source, f"{quote(line)}: expected 'p', then {', '.join(_KINDS)}, nodes and edges", number)
    nodes, edges = int(match[2]), int(match[3])
    if not is_plausible(source, nodes):
        problem = f"{quote(line)}: {nodes} nodes do not fit a file of {source.data.size} bytes; correct their number"
        raise fail(source, problem, number)
    return nodes, edges


def _check_ends(source: Source, ends: list[str], nodes: int, number: int) -> None:
    if not all(end.isascii() and end.isdecimal() and len(end) < 12 and 1 <= int(end) <= nodes for end in ends):
        raise fail(
            source,
            f"{quote(' '.join(ends))}: nodes must be from 1 to {nodes}; correct the edge, or the line with 'p'",
            number,
        )


DIMACS = Format("dimacs", _recognises, _read, ("gr", "col"))
