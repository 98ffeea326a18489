"""GDF of GUESS and Gephi: ``nodedef>name VARCHAR,...`` and a line per node, ``edgedef>node1,node2,...`` and the edges.

Nodes go by their names, and those without an edge are kept. Fields are parted by commas, with single or double quotes.
"""

from __future__ import annotations

import re

from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, fail, text_lines
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import quote
from thinveil.graph.reading.sources import Source

_SECTION = re.compile(r"(nodedef|edgedef)\s*>\s*(.*)", re.IGNORECASE)
_FIELD = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^,]*?))\s*(?:,|$)""")
_ENDS = ("node1", "node2")


def _recognises(head: Head) -> bool:
    return bool(head.data) and _SECTION.match(head.data[0]) is not None


def _read(source: Source, options: Options) -> Edges:
    lines = [(number, line) for number, line in text_lines(source) if line and not line.startswith("#")]
    names = _edge_names(source, lines)
    found, section, width = Collector(source, options, names), "", 0
    has_nodes = False
    for number, line in lines:
        start = _SECTION.match(line.removeprefix("\ufeff"))
        if start:
            section, width = start[1].lower(), len(_split(source, start[2], number))
            continue
        fields = _split(source, line, number)
        if len(fields) > width or not section:
            raise fail(source, f"{quote(line)} has {len(fields)} fields where {width} were defined", number)
        if section == "nodedef":
            has_nodes = True
            found.add_node(fields[0], number)
        else:
            _check_ends(source, found, dict(zip(names, fields, strict=False)), number, is_listed=has_nodes)
            found.add_edge(fields, number)
    return found.edges("GDF")


def _edge_names(source: Source, lines: list[tuple[int, str]]) -> list[str]:
    """Return the columns of the edges, their ends as source and target."""
    for number, line in lines:
        start = _SECTION.match(line.removeprefix("\ufeff"))
        if start and start[1].lower() == "edgedef":
            names = [(name.split() or [""])[0] for name in _split(source, start[2], number)]
            if [name.lower() for name in names[:2]] != list(_ENDS):
                raise fail(source, f"{quote(line)}: edges begin with node1 and node2", number)
            return ["source", "target", *names[2:]]
    raise source.fail("there is no line 'edgedef>node1,node2', so there are no edges; export them too")


def _split(source: Source, line: str, number: int) -> list[str]:
    fields, place = [], 0
    while place < len(line):
        found = _FIELD.match(line, place)
        if found is None:
            raise fail(source, f"{quote(line)}: the quotes around a field are wrong; correct them", number)
        fields.append(next((part for part in found.groups() if part is not None), ""))
        place = found.end()
    return fields


def _check_ends(source: Source, found: Collector, edge: dict[str, str], number: int, *, is_listed: bool) -> None:
    for role in ("source", "target"):
        if is_listed and edge.get(role) not in found:
            raise fail(source, f"the node {quote(edge.get(role, ''))} is not among those of 'nodedef'; add it", number)


GDF = Format("gdf", _recognises, _read, ("guess",))
