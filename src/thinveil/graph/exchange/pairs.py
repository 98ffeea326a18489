"""Edges as Python has them: pairs of labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from thinveil.errors import InputError
from thinveil.graph.exchange.labels import enrol
from thinveil.graph.exchange.values import as_directions, number_values
from thinveil.graph.graph import Graph
from thinveil.graph.origin import Origin
from thinveil.graph.reading.edges import Edges, graph_of
from thinveil.runtime.visible import shown

_KIND = "list of edges"


def from_pairs(pairs: Iterable[Any], columns: Mapping[str, Any] | None = None) -> Graph:
    """Return the graph of pairs of labels, with values of each pair beside; see ``Graph.from_edges``."""
    ends = _check(pairs)
    place, labels = enrol(node for pair in ends for node in pair)
    numbers = np.array([(place[one], place[two]) for one, two in ends], dtype=np.int32).reshape(-1, 2)
    values = {name: _values(name, given, len(ends)) for name, given in (columns or {}).items()}
    edges = Edges(numbers[:, 0], numbers[:, 1], labels, values, len(place), Origin(_KIND))
    return graph_of(edges, "")


def _check(pairs: Iterable[Any]) -> list[tuple[Any, Any]]:
    try:
        given = list(pairs)
    except TypeError:
        raise InputError(f"{shown(pairs)} is no list of edges: give pairs such as ('ann', 'bob')") from None
    ends = []
    for k, pair in enumerate(given):
        if isinstance(pair, str | bytes) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise InputError(f"edge {k} is {shown(pair)}: give a pair such as ('ann', 'bob')")
        one, two = pair
        ends.append((one, two))
    return ends


def _values(name: str, given: Any, count: int) -> Any:
    values = list(given)
    if len(values) != count:
        raise InputError(f"column {name!r} has {len(values)} values for {count} edges")
    return as_directions(values) if name == "direction" else number_values(_KIND, name, values)
