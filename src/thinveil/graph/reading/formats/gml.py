"""GML: ``graph [ node [ id 1 label "Anna" ] edge [ source 1 target 2 weight 7 ] ]``."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from thinveil.errors import GraphFileError
from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, second_graph, whole_text
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import is_integer, quote
from thinveil.graph.reading.sources import Source

_START = re.compile(r"(?:^|\n)\s*graph\s*\[", re.IGNORECASE)
_TOKEN = re.compile(r'\s*+(?:#[^\n]*\n\s*)*+(?:("[^"]*")|(\[)|(\])|([^\s\[\]"]+))')
_DEEPEST = 100
Table = dict[str, Any]


def _recognises(head: Head) -> bool:
    start = _START.search(head.text[:4096])
    return start is not None and "{" not in head.text[: start.start()]


def _read(source: Source, options: Options) -> Edges:
    nodes: list[Table] = []
    edges: list[Table] = []
    is_over = False
    for path, table in _tables(source):
        if is_over and path[0] == "graph":
            raise second_graph(source)
        is_over |= path == ("graph",)
        if path == ("graph", "node"):
            nodes.append(table)
        elif path == ("graph", "edge"):
            edges.append(table)
    names = dict.fromkeys(("source", "target"))
    for edge in edges:
        names |= dict.fromkeys(edge)
    found = Collector(source, options, list(names))
    for node in nodes:
        found.add_node(_id(source, node, "id"), shown=node.get("label"))
    for edge in edges:
        ends = {role: _id(source, edge, role) for role in ("source", "target")}
        if nodes and not all(end in found for end in ends.values()):
            raise source.fail(
                f"an edge joins {ends['source']!r} and {ends['target']!r}, not both of which are listed; add the node"
            )
        found.add_edge([ends.get(name, edge.get(name)) for name in names])
    return found.edges("GML")


def _id(source: Source, table: Table, key: str) -> str | int:
    value = table.get(key)
    if value is None:
        raise source.fail(f"a node or an edge has no {key}; add it")
    return int(value) if is_integer(value) and len(value) < 30 else str(value)


def _tables(source: Source) -> Iterator[tuple[tuple[str, ...], Table]]:
    """Yield each table with its path of keys when it ends; deeper ones are left out of it."""
    stack: list[tuple[str, Table]] = []
    key = None
    for token in _tokens(source):
        if token == "]":
            if not stack or key is not None:
                raise _unreadable(source, token)
            yield tuple(name for name, _ in stack), stack[-1][1]
            stack.pop()
        elif key is None:
            key = token.lower()
        elif token == "[":
            stack.append((key, {}))
            key = None
            if len(stack) > _DEEPEST:
                raise source.fail(f"tables stand more than {_DEEPEST} deep in one another")
        else:
            if stack:
                stack[-1][1].setdefault(key, html.unescape(token[1:-1]) if token.startswith('"') else token)
            key = None
    if stack or key is not None:
        raise source.fail("the GML file is cut off; fetch it again")


def _tokens(source: Source) -> Iterator[str]:
    text = whole_text(source).rstrip()
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            if re.compile(r"\s*#[^\n]*\Z").match(text, position):
                return
            raise _unreadable(source, text[position : position + 100])
        yield match[match.lastindex or 0]
        position = match.end()


def _unreadable(source: Source, text: str) -> GraphFileError:
    return source.fail(f"{quote(text, 40)}: expected GML, as in 'node [ id 1 ]'")


GML = Format("gml", _recognises, _read)
