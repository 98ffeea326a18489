"""JSON: a list of pairs, a list of objects with source and target, a node-link object, or one of these per line.

::

    [[1, 2], [2, 3, 0.5]]                                        pairs, with values behind
    [{"source": 1, "target": 2, "weight": 7}, ...]               objects; also caller and callee, from and to, ...
    {"nodes": [{"id": 1}, ...], "links": [{"source": ...}]}      also "edges"
    {"source": [1, 2], "target": [2, 3]}                         columns; also {"columns": [...], "data": [[1, 2], ...]}
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
from thinveil.graph.reading.columns import IDS, known_pair
from thinveil.graph.reading.doubts import MOST_ROWS, check_table
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
        return _read_table(source, options, rows, "JSON lines")
    whole = _load(source, whole_text(source), None)
    if isinstance(whole, list):
        return _read_table(source, options, [(None, row) for row in whole], "JSON")
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
    whole = _without_wrapping(source, whole)
    rows = next((whole[key] for key in ("links", "edges") if isinstance(whole.get(key), list)), None)
    if rows is not None:
        nodes = _node_ids(source, whole.get("nodes", []))
        if not options.is_sure and not whole.keys() & {"directed", "multigraph"}:  # networkx writes these, and ids
            _check_places(source, rows, nodes)
        rows = _resolve(rows, nodes)
        return _read_rows(source, options, [(None, row) for row in rows], nodes, "JSON node-link")
    columns = _columns(source, whole)
    if columns is not None:
        return _read_table(source, options, columns, "JSON columns")
    if not whole or not all(isinstance(others, list) for others in whole.values()):
        raise source.fail(f"this JSON is no graph that is known; {_EXPECTED}")
    return _read_neighbours(source, options, whole)


def _without_wrapping(source: Source, whole: dict[str, Any]) -> dict[str, Any]:
    """Return the nodes and edges that Cytoscape wraps as data of elements, or networkx as lists of neighbours."""
    elements, lists = whole.get("elements"), whole.get("adjacency")
    if isinstance(elements, dict):
        parts = {key: elements.get(key, []) for key in ("nodes", "edges")}
        if not all(isinstance(part, list) and all(map(_has_data, part)) for part in parts.values()):
            raise source.fail(f"this JSON is no graph of Cytoscape; {_EXPECTED}")
        return {key: [one["data"] for one in part] for key, part in parts.items()}
    if not isinstance(lists, list):
        return whole
    nodes = _node_ids(source, whole.get("nodes", []))
    if len(nodes) != len(lists) or not all(isinstance(others, list) for others in lists):
        raise source.fail(f'"adjacency" must have as many lists as there are "nodes"; {_EXPECTED}')
    ends = [(node, other) for node, others in zip(nodes, lists, strict=True) for other in others]
    named = [{**other, "source": node, "target": other.get("id")} for node, other in ends if isinstance(other, dict)]
    if len(named) < len(ends):
        raise source.fail(f'neighbours in "adjacency" must be objects with an "id"; {_EXPECTED}')
    return {**{key: whole[key] for key in whole.keys() - {"adjacency"}}, "directed": True, "links": named}


def _has_data(element: Any) -> bool:
    return isinstance(element, dict) and isinstance(element.get("data"), dict)


def _check_places(source: Source, rows: list[Any], nodes: list[Any]) -> None:
    """Refuse links whose numbers may be ids of nodes or places in their list: all ids beyond the list are unused."""
    if not nodes or not all(type(node) is int for node in nodes) or max(nodes) < len(nodes):
        return
    ends = [row.get(role) for row in rows if isinstance(row, dict) for role in IDS]
    if ends and all(type(end) is int and 0 <= end < len(nodes) for end in ends):
        raise source.fail(
            "the ends of links may be ids of nodes or their places in the list: if they are ids, pass --format json; "
            "if they are places, write ids"
        )


def _columns(source: Source, whole: dict[str, Any]) -> Rows | None:
    """Return the rows of a table that is given by its columns, as pandas writes it, or None."""
    if whole.keys() <= {"columns", "index", "data"} and isinstance(whole.get("data"), list):
        names = whole.get("columns")
        if not isinstance(names, list) or not all(isinstance(row, list) for row in whole["data"]):
            raise source.fail(f'"columns" and "data" must be lists; {_EXPECTED}')
        return [(None, dict(zip(map(str, names), row, strict=False))) for row in whole["data"]]
    if known_pair(list(whole)) is None:
        return None
    lists = [list(column.values()) if isinstance(column, dict) else column for column in whole.values()]
    if not all(isinstance(column, list) and len(column) == len(lists[0]) for column in lists):
        raise source.fail(f"the columns of this JSON are not lists of one length; {_EXPECTED}")
    return [(None, dict(zip(whole, row, strict=True))) for row in zip(*lists, strict=True)]


def _read_neighbours(source: Source, options: Options, lists: dict[str, list[Any]]) -> Edges:
    found = Collector(source, options)
    if len(lists) > 1 and not options.is_sure and _may_be_columns(lists):
        raise source.fail(
            "no list has a key of this JSON in it, and all are of one length: if they are columns, name two of them "
            "source and target; if they are neighbours, pass --format json"
        )
    for node, others in lists.items():
        found.add_node(node)
        for other in others:
            # keys are always text in JSON, whatever the ids are
            found.add_edge((node, str(other) if type(other) is int else other))
    return found.edges("JSON", "each key is a node, with the list of its neighbours")


def _may_be_columns(lists: dict[str, list[Any]]) -> bool:
    values = {str(one) for others in lists.values() for one in others}
    return len({len(others) for others in lists.values()}) == 1 and not values & lists.keys()


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


def _read_table(source: Source, options: Options, rows: Rows, words: str) -> Edges:
    """Read a table of edges, if it is one."""
    edges = _read_rows(source, options, rows, [], words)
    names = list(_names(row for _, row in rows)) if isinstance(rows[0][1], dict) else None
    first = [row if names is None else [row.get(name) for name in names] for _, row in rows[:MOST_ROWS]]
    return check_table(source, options, edges, first, names)


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
