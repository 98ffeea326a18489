"""What the targets that read graphs share: the first byte of a case says what the user asks of the reader."""

from __future__ import annotations

import io
from random import Random
from typing import Any

_COLUMNS = (0, 1, 2, 3, "0", "2", "callee", "Duration", "w", "t", "weight", "source", 99)
_ROLES = ("source", "target", "weight", "time", "direction")


def options(number: int) -> dict[str, Any]:
    """Return one of 256 sets of options; the first 64 ask for nothing."""
    if number < 64:
        return {}
    chance = Random(number)
    asked: dict[str, Any] = {role: chance.choice(_COLUMNS) for role in _ROLES[2:] if chance.random() < 0.4}
    if chance.random() < 0.5:
        asked |= {role: chance.choice(_COLUMNS) for role in _ROLES[:2]}
    if chance.random() < 0.3:
        asked["ids"] = chance.choice(("integer", "string"))
    if chance.random() < 0.3:
        asked["delimiter"] = chance.choice(("tab", ",", "semicolon", "space", "|", "x"))
    if chance.random() < 0.3 and "direction" not in asked:
        asked["directed"] = True
    return asked


def wished(chance: Random, content: bytes) -> bytes:
    """Return a case: a byte for the options, then the content of the file."""
    return bytes([chance.randrange(256) if chance.random() < 0.7 else 0]) + content


def read_wished(data: bytes) -> None:
    """Read a graph with the options of its first byte, and look at all of it."""
    from thinveil.graph.info import info
    from thinveil.graph.reading import read_graph

    info(read_graph(io.BytesIO(data[1:]), **options(data[0] if data else 0)))
