"""Graphviz: ``graph { a -- b; }`` or ``digraph { a -> b [weight=7]; }``, without edges between whole sub-graphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from thinveil.errors import GraphFileError
from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, second_graph, whole_text
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import quote
from thinveil.graph.reading.sources import Source

# possessive (*+): whatever is wrong behind the blanks, they are not taken apart in another way
_BLANK = r"(?:\s|//[^\n]*|/\*.*?\*/|(?<![^\n])#[^\n]*)*+"
_START = re.compile(_BLANK + r'(?:strict\s+)?(?:di)?graph(?:\s+(?:\w+|"[^"]*"))?\s*\{', re.DOTALL | re.IGNORECASE)
_QUOTED, _NUMBER, _NAME = r'"(?:[^"\\]|\\.)*+"', r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)", r"[^\W0-9]\w*"
_TOKEN = re.compile(_BLANK + rf"(?:({_QUOTED}|--|->|[{{}}\[\];,=:]|{_NUMBER}|{_NAME})|\Z)", re.DOTALL)
_ARROWS, _DEFAULTS = ("--", "->"), ("graph", "node", "edge")
_MARKS = frozenset("{}[];,=:")
Edge = tuple[str, str, dict[str, str]]


def _recognises(head: Head) -> bool:
    return _START.match(head.text) is not None


def _read(source: Source, options: Options) -> Edges:
    statements = [_Statement(source, tokens) for tokens in _statements(source)]
    names = dict.fromkeys(("source", "target"))
    for statement in statements:
        names |= dict.fromkeys(statement.about if len(statement.nodes) > 1 else ())
    found = Collector(source, options, list(names))
    for statement in statements:
        for node in statement.nodes:
            found.add_node(node)
        for pair in zip(statement.nodes, statement.nodes[1:], strict=False):
            found.add_edge([*pair, *(statement.about.get(name) for name in list(names)[2:])])
    return found.edges("Graphviz")


class _Statement:
    """A chain of nodes (one: a node by itself; none: a setting), and what is said about it in brackets."""

    def __init__(self, source: Source, tokens: list[str]) -> None:
        self.nodes: list[str] = []
        self.about: dict[str, str] = {}
        chain, brackets = _part(tokens)
        if (len(chain) > 1 and chain[1] == "=") or (chain[:1] and chain[0].lower() in (*_DEFAULTS, "subgraph")):
            return
        for place, token in enumerate(_without_ports(chain)):
            if (token in _ARROWS) != (place % 2 == 1) or token in _MARKS:
                raise source.fail(f"{quote(' '.join(tokens), 60)} cannot be read: expected 'a -- b' or 'a -> b'")
            if token not in _ARROWS:
                self.nodes.append(_bare(token))
        if chain and chain[-1] in _ARROWS:
            raise source.fail(f"{quote(' '.join(tokens), 60)}: sub-graphs at the end of an edge cannot be read")
        for name, equals, value in zip(brackets, brackets[1:], brackets[2:], strict=False):
            if equals == "=" and name not in ("source", "target"):
                self.about[_bare(name)] = _bare(value)


def _part(tokens: list[str]) -> tuple[list[str], list[str]]:
    at = tokens.index("[") if "[" in tokens else len(tokens)
    return tokens[:at], tokens[at:]


def _without_ports(chain: list[str]) -> list[str]:
    return [token for place, token in enumerate(chain) if token != ":" and (place == 0 or chain[place - 1] != ":")]


def _bare(token: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", token[1:-1]) if token.startswith('"') else token


def _statements(source: Source) -> Iterator[list[str]]:
    """Yield the tokens of each statement: up to a semicolon, a brace, or where a new one starts without any."""
    tokens: list[str] = []
    in_brackets = False
    for token in _tokens(source):
        starts = bool(tokens) and not in_brackets and token not in (*_MARKS, *_ARROWS)
        if not in_brackets and (token in (";", "{", "}", ",") or (starts and _is_complete(tokens))):
            if token == "{" and tokens and tokens[-1] in _ARROWS:
                raise source.fail("an edge to a whole sub-graph, as in a -- {b c}, cannot be read: write each edge")
            yield tokens
            tokens = []
        if token in "[]" and token:
            in_brackets = token == "["
        if token not in (";", "{", "}") or in_brackets:
            tokens.append(token)
    yield tokens


def _is_complete(tokens: list[str]) -> bool:
    """Say whether a name that follows must belong to the next statement."""
    return tokens[-1] not in (*_ARROWS, "=", ":") and tokens[0].lower() != "subgraph"


def _tokens(source: Source) -> Iterator[str]:
    text = whole_text(source)
    start = _START.match(text)
    if start is None:
        raise source.fail("this is no Graphviz file: expected 'graph {' or 'digraph {'")
    position, depth = start.end(), 1
    while depth:
        match = _TOKEN.match(text, position)
        if match is None:
            raise _unreadable(source, text[position : position + 100])
        token = match[1] or ""
        if not token:
            raise source.fail("the Graphviz file is cut off before its last '}'; fetch it again")
        depth += (token == "{") - (token == "}")
        position = match.end()
        yield token
    if _START.match(text, position):
        raise second_graph(source)
    rest = _TOKEN.match(text, position)
    if rest is None or rest[1]:
        behind = quote(text[position : position + 100].strip(), 40)
        raise source.fail(f"{behind} stands behind the last '}}' of the graph: remove it, or move it inside")


def _unreadable(source: Source, text: str) -> GraphFileError:
    return source.fail(f"{quote(text, 40)}: this part of the Graphviz language cannot be read; write plain edges")


GRAPHVIZ = Format("graphviz", _recognises, _read, ("dot", "gv"))
