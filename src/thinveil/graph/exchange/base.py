"""What an object of another library is to thinveil: a kind, with how it is recognised and how its edges are taken.

A kind is one file with one ``Kind`` in it, and one line in ``kinds.py``. No library is imported to recognise its
objects: what a kind takes is told by the module of the class, or by the methods that it uses.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph.graph import Graph
from thinveil.graph.origin import Origin
from thinveil.graph.reading.edges import Edges, graph_of

NO_BYTES = np.empty(0, dtype=np.uint8)


class Network(Protocol):
    """A graph of networkx."""

    def number_of_nodes(self) -> int:
        """Return how many nodes there are."""
        ...

    def is_directed(self) -> bool:
        """Say whether edges have a direction."""
        ...


class Igraph(Protocol):
    """A graph of igraph."""

    def get_edgelist(self) -> Any:
        """Return the ends of each edge."""
        ...

    def vcount(self) -> int:
        """Return how many vertices there are."""
        ...


class Table(Protocol):
    """A table of pandas or polars."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        ...


class Matrix(Protocol):
    """A sparse matrix or array of scipy."""

    def tocoo(self) -> Any:
        """Return the cells that are stored."""
        ...


GraphLike = Graph | str | os.PathLike[str] | BinaryIO | Network | Igraph | Table | Matrix
"""What people have: a graph, the path of a file with one, or an object of another library."""


@dataclass(frozen=True)
class Kind:
    """A kind of objects that hold a graph: ``recognises`` looks at one, ``read`` takes it with nothing more said."""

    name: str
    recognises: Callable[[Any], bool]
    read: Callable[[Any], Graph]


class Attributed(NamedTuple):
    """Edges by the numbers of their ends, each with its attributes; nodes have labels, or None: the numbers."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    labels: NDArray[Any] | None
    node_count: int
    attributes: Sequence[Any] = ()


def graph_of_attributed(
    edges: Attributed, kind: str, *, weight: str | None, time: str | None, directed: bool
) -> Graph:  # fmt: skip
    """Return the graph of edges whose weights and times stand under names in their attributes."""
    wanted = {role: name for role, name in (("weight", weight), ("time", time)) if name is not None}
    columns = {role: _attribute(edges, kind, role, name) for role, name in wanted.items()}
    read = Edges(edges.source, edges.target, edges.labels, columns, edges.node_count, Origin(kind, columns=wanted))
    return graph_of(read, "", directed=directed)


def _attribute(edges: Attributed, kind: str, role: str, name: str) -> NDArray[Any]:
    from thinveil.graph.exchange.values import number_values  # late: polars takes its time

    values = [one.get(name) for one in edges.attributes]
    if any(value is None for value in values):
        without = sum(value is None for value in values)
        raise InputError(f"{without} of {len(values)} edges of the {kind} have no {name!r}: choose another {role}=, "
                         "or leave it out")  # fmt: skip
    return number_values(kind, role, values)
