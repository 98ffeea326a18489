"""Lines with an arrow: ``a -> b``, ``a -- b``, ``a <- b``, ``a <-> b``, and chains of them, ``a -> b -> c``.

Names may have spaces. Where they have none, numbers after the last name are columns: ``a -> b 7``.
"""

from __future__ import annotations

import re

from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.collecting import Collector, fail, text_lines
from thinveil.graph.reading.doubts import MOST_ROWS, check_table
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import is_number, quote
from thinveil.graph.reading.sources import Source

_ARROW = re.compile(r"(<?-{1,2}>|<-{1,2}|<?=>|[→←↔]|(?<=\s)--(?=\s))")
_PROGRAM = re.compile(r"[(){}=;]|::|:\s+(?![0-9.+-]+$)")
_ASIDE = re.compile(r'"[^"]*"|\[.*\]')  # quoted names, and what Graphviz says about an edge
_TURNED = ("<-", "<--", "←")
_BOTH = ("<->", "<-->", "<=>", "↔")


def _recognises(head: Head) -> bool:
    return len(head.data) > 0 and all(_is_chain(line) for line in head.data)


def _is_chain(line: str) -> bool:
    names = _ARROW.split(line.rstrip(" ;"))[::2]
    # a direction is a column of its own in some tables: a,->,b
    if any(_PROGRAM.search(_ASIDE.sub("", name)) for name in names):
        return False
    return len(names) > 1 and all(name.strip(" \t,;|\"'") == name.strip(" \t\"'") != "" for name in names)


def _read(source: Source, options: Options) -> Edges:
    found = Collector(source, options, ("source", "target", "weight"))
    first: list[list[str]] = []
    for number, line in text_lines(source):
        if line and not line.startswith(("#", "%")):
            names = _add_chain(source, found, line.rstrip(" ;"), number)
            first += [names[:2]] if len(first) < MOST_ROWS else []
    return check_table(source, options, found.edges("arrows"), first)


def _add_chain(source: Source, found: Collector, line: str, number: int) -> list[str]:
    parts = _ARROW.split(line)
    names, arrows = [_bare(name) for name in parts[::2]], parts[1::2]
    if len(names) < 2 or not all(names):
        raise fail(source, f"{quote(line)}: expected two names with an arrow between them, as in 'a -> b'", number)
    names[-1], more = _take_number(names)
    for left, arrow, right in zip(names, arrows, names[1:], strict=False):
        if arrow not in _TURNED:
            found.add_edge([left, right, *more], number)
        if arrow in (*_TURNED, *_BOTH):
            found.add_edge([right, left, *more], number)
    return names


def _bare(name: str) -> str:
    name = name.strip()
    if name.endswith("]") and "[" in name:  # what Graphviz says about an edge
        name = name[: name.rindex("[")].strip()
    is_quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "\"'"
    return name[1:-1] if is_quoted else name


def _take_number(names: list[str]) -> tuple[str, list[str]]:
    """Part the last name from a number behind it, unless names have spaces."""
    parts = re.split(r"[\s,;:]+", names[-1])
    is_number_behind = len(parts) == 2 and parts[0] != "" and is_number(parts[1])
    if not is_number_behind or any(re.search(r"\s", name) for name in names[:-1]):
        return names[-1], []
    return parts[0], parts[1:]


ARROWS = Format("arrows", _recognises, _read, ("arrow",), is_guess=True)
