"""JSON: a list of pairs, a list of objects with source and target, a node-link object, or one of these per line.

::

    [[1, 2], [2, 3, 0.5]]                                        pairs, with values behind
    [{"source": 1, "target": 2, "weight": 7}, ...]               objects; also caller and callee, from and to, ...
    {"nodes": [{"id": 1}, ...], "links": [{"source": ...}]}      also "edges"
    {"1": [2, 3], "2": [3]}                                      a node and its neighbours
    {"source": 1, "target": 2}                                   JSON lines: an object or a pair on each
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, check_memory, fail, text_lines, whole_text
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import quote
from thinveil.graph.reading.sources import Source

_START = re.compile(r'\s*(\{\s*(["}]|$)|\[\s*([\[{"\]0-9-]|$))')
_EXPECTED = 'expected pairs [1, 2], objects {"source": 1, "target": 2}, or {"nodes": [...], "links": [...]}'
Rows = list[tuple[int | None, Any]]  # line number, where there is one, and an edge


def _recognises(head: Head) -> bool:
    return _START.match(head.text) is not None


def _read(source: Source, options: Options) -> Edges:
    check_memory(source)
    if _has_lines(source):
        rows: Rows = [(number, _load(source, line, number)) for number, line in text_lines(source) if line]
        return _read_rows(source, options, rows, [], "JSON lines")
    whole = _load(source, whole_text(source), None)
    if isinstance(whole, list):
        return _read_rows(source, options, [(None, row) for row in whole], [], "JSON")
    if not isinstance(whole, dict):
        raise source.fail(f"this JSON is no graph that is known; {_EXPECTED}")
    return _read_object(source, options, whole)


def _has_lines(source: Source) -> bool:
    """Say whether the first line is an edge by itself, and another follows."""
    lines = [line.strip() for line in Head(source).lines if line.strip()]
    try:
        first = [json.loads(line) for line in lines[:2]]
    except (ValueError, RecursionError):
        return False
    return len(first) == 2 and all(isinstance(one, dict | list) for one in first)


class _TwiceError(Exception):
    """An object has a key twice: whichever is taken, what stands under the other is lost."""


def _take_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) < len(pairs):
        raise _TwiceError(Counter(key for key, _ in pairs).most_common(1)[0][0])
    return whole


def _load(source: Source, text: str, line: int | None) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_take_pairs)
    except _TwiceError as error:
        raise fail(source, f"an object has the key {quote(str(error))} twice; keep one, or rename one", line) from None
    except json.JSONDecodeError as error:
        problem = f"the JSON is damaged ({error.msg}); {_EXPECTED}"
        raise fail(source, problem, line or error.lineno) from None
    except RecursionError:
        raise fail(source, f"the JSON is nested too deeply; {_EXPECTED}", line) from None
    except ValueError:
        raise fail(source, f"a number in the JSON is too long; {_EXPECTED}", line) from None


def _read_object(source: Source, options: Options, whole: dict[str, Any]) -> Edges:
    whole = whole["graph"] if isinstance(whole.get("graph"), dict) and "nodes" in whole["graph"] else whole
    rows = next((whole[key] for key in ("links", "edges") if isinstance(whole.get(key), list)), None)
    if rows is not None:
        nodes = _node_ids(source, whole.get("nodes", []))
        rows = _resolve(rows, nodes)
        return _read_rows(source, options, [(None, row) for row in rows], nodes, "JSON node-link")
    if isinstance(whole.get("adjacency"), list):
        raise source.fail("this is JSON of adjacencies; write node-link JSON instead (networkx: node_link_data)")
    if not whole or not all(isinstance(others, list) for others in whole.values()):
        raise source.fail(f"this JSON is no graph that is known; {_EXPECTED}")
    return _read_neighbours(source, options, whole)


def _read_neighbours(source: Source, options: Options, lists: dict[str, list[Any]]) -> Edges:
    found = Collector(source, options)
    for node, others in lists.items():
        found.add_node(node)
        for other in others:
            # keys are always text in JSON, whatever the ids are
            found.add_edge((node, str(other) if type(other) is int else other))
    return found.edges("JSON", "each key is a node, with the list of its neighbours")


def _node_ids(source: Source, nodes: Any) -> list[Any]:
    if isinstance(nodes, dict):
        return list(nodes)
    if not isinstance(nodes, list):
        raise source.fail(f'"nodes" must be a list; {_EXPECTED}')
    ids = [node.get("id", node.get("key", node.get("name"))) if isinstance(node, dict) else node for node in nodes]
    if any(one is None for one in ids):
        raise source.fail('a node has no id; give each an "id"')
    return ids


def _resolve(rows: list[Any], nodes: list[Any]) -> list[Any]:
    """Put ids where links give places in the list of nodes, as D3 once did: numbers, where ids are text."""
    if not nodes or not all(isinstance(node, str) for node in nodes):
        return rows
    ends = [row.get(role) for row in rows if isinstance(row, dict) for role in IDS]
    if not ends or not all(type(end) is int and 0 <= end < len(nodes) for end in ends):
        return rows
    return [{**row, **{role: nodes[row[role]] for role in IDS}} if isinstance(row, dict) else row for row in rows]


def _read_rows(source: Source, options: Options, rows: Rows, nodes: list[Any], words: str) -> Edges:
    """Read edges that are all objects, or all lists."""
    kind = dict if rows and isinstance(rows[0][1], dict) else list
    for line, row in rows:
        if not isinstance(row, kind) or len(row) < 2:
            raise fail(source, f"{quote(json.dumps(row), 40)} is no edge like the first; {_EXPECTED}", line)
    names = _names(row for _, row in rows)
    found = Collector(source, options, names)
    for node in nodes:
        found.add_node(node)
    for line, row in rows:
        found.add_edge(row if kind is list else [row.get(name) for name in names], line)
    if nodes and found.node_count > len(set(nodes)):
        raise source.fail('some edge has an end that is not among "nodes"; add the node, or leave "nodes" out')
    return found.edges(words)


def _names(rows: Iterable[Any]) -> list[str]:
    """Return the names of all columns: the keys of objects, or for lists source, target, 2, 3, ..."""
    names: dict[str, None] = {}
    longest = 2
    for row in rows:
        if isinstance(row, dict):
            names |= dict.fromkeys(row)
        else:
            longest = max(longest, min(len(row), 100))
    return list(names) or ["source", "target", *map(str, range(2, longest))]


JSON = Format("json", _recognises, _read, ("jsonl", "json-lines", "ndjson", "node-link"))
