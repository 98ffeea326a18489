"""GraphML: XML with ``<node id="1"/>`` and ``<edge source="1" target="2"/>``, and data under declared keys.

The XML is read as a stream, in little memory. A document type is refused, and with it entities: nothing is fetched, and
nothing grows.
"""

from __future__ import annotations

import re
from typing import Any
from xml.parsers import expat

from thinveil.errors import GraphFileError
from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, fail, second_graph
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.sources import Source

ROOT = re.compile(r"(?:\s|<\?.*?\?>|<!--.*?-->|<![^>[]*(?:\[[^\]]*\][^>]*)?>)*+<(?:[\w.-]+:)?([\w.-]+)", re.DOTALL)
_PIECE = 1 << 20


def _recognises(head: Head) -> bool:
    root = ROOT.match(head.text)
    return root is not None and root[1].lower() == "graphml"


def _read(source: Source, options: Options) -> Edges:
    document = _Document(source, options)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, about: document.start(name, about, parser.CurrentLineNumber)
    parser.EndElementHandler = lambda name: document.end(name, parser.CurrentLineNumber)
    parser.CharacterDataHandler = document.take
    parser.StartDoctypeDeclHandler = document.refuse_type
    try:
        for start in range(0, source.data.size, _PIECE):
            parser.Parse(source.data[start : start + _PIECE].tobytes(), False)
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        if isinstance(error, GraphFileError):
            raise
        raise source.fail(f"the XML is damaged ({error}); fetch it again") from None
    return document.found().edges("GraphML")


class _Document:
    """What was seen so far: the keys that were declared, the edge in work, and its data."""

    def __init__(self, source: Source, options: Options) -> None:
        self._source, self._options = source, options
        self._keys: dict[str, str] = {}
        self._collector: Collector | None = None
        self._edge: dict[str, str] | None = None
        self._key: str | None = None
        self._text: list[str] = []
        self._graphs = self._depth = 0  # graphs that lie beside each other, and those around the present place

    def start(self, name: str, about: dict[str, Any], line: int) -> None:
        match name.rpartition(":")[2]:
            case "graph":
                self._graphs += not self._depth
                self._depth += 1
                if self._graphs > 1:
                    raise second_graph(self._source, line)
            case "key":
                self._declare(about, line)
            case "node":
                self.found().add_node(self._get(about, "id", line), line)
            case "edge":
                ends = {role: self._get(about, role, line) for role in ("source", "target")}
                self._edge = {**{k: v for k, v in about.items() if k in self._keys.values()}, **ends}
            case "data" if self._edge is not None:
                self._key, self._text = about.get("key"), []
            case "hyperedge":
                raise fail(self._source, "a hyperedge joins more than two nodes: export edges between two", line)

    def end(self, name: str, line: int) -> None:
        kind = name.rpartition(":")[2]
        self._depth -= kind == "graph"
        if kind == "data" and self._edge is not None and self._key in self._keys:
            self._edge[self._keys[self._key]] = "".join(self._text).strip()
        if kind == "data":
            self._key = None
        if kind == "edge" and self._edge is not None:
            self.found().add_edge([self._edge.get(name) for name in self._names()], line)
            self._edge = None

    def take(self, text: str) -> None:
        if self._key is not None:
            self._text.append(text)

    def refuse_type(self, *_: object) -> None:
        raise self._source.fail("the XML declares a document type, which may hide anything: remove <!DOCTYPE ...>")

    def found(self) -> Collector:
        if self._collector is None:
            self._collector = Collector(self._source, self._options, self._names())
        return self._collector

    def _names(self) -> list[str]:
        return ["source", "target", *dict.fromkeys(self._keys.values())]

    def _declare(self, about: dict[str, Any], line: int) -> None:
        if about.get("for", "all") not in ("edge", "all"):
            return
        if self._collector is not None:
            raise fail(self._source, "a key is declared below the first node or edge: it must stand above", line)
        key = self._get(about, "id", line)
        name = about.get("attr.name", key)
        self._keys[key] = name if name not in ("source", "target") else f"data {name}"

    def _get(self, about: dict[str, Any], name: str, line: int) -> str:
        if name not in about:
            raise fail(self._source, f"a node, edge or key has no {name}; add it", line)
        return str(about[name])


GRAPHML = Format("graphml", _recognises, _read)
