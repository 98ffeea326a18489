"""Paths, and files that are open, beside the objects of other libraries."""

from __future__ import annotations

import os
from typing import Any

from thinveil.graph.exchange.base import Kind
from thinveil.graph.graph import Graph

SYNTHETIC = "synthetic"
"""What the built-in graph is called where a path could stand."""


def _recognises(given: Any) -> bool:
    return isinstance(given, str | os.PathLike) or (not isinstance(given, type) and hasattr(given, "read"))


def _read(given: Any) -> Graph:
    if given == SYNTHETIC and not os.path.exists(given):
        from thinveil.graph.synthetic import synthetic_graph

        return synthetic_graph()
    from thinveil.graph.reading import read_graph

    return read_graph(given)


FILE = Kind("graph file", _recognises, _read)
