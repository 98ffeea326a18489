"""Tables of a release that may come from a stranger: every line is checked before anything is made of it.

Nodes are numbered in order of their pseudonyms, sub-graph by sub-graph: those of sub-graph k are ``starts[k]`` to
``starts[k + 1]``. All checks take whole columns at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.errors import InputError, ReleaseError
from thinveil.graph.checks import check_columns
from thinveil.runtime.inputs import first_line
from thinveil.schemes.layout import ENDS

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

_MOST = 2**31 - 1


def whole_numbers(table: pl.DataFrame, name: str) -> I64:
    """Return a column of whole numbers from 0 up, none missing."""
    column = table[name]
    if column.dtype.is_integer() and not column.null_count():
        try:
            numbers: I64 = column.cast(pl.Int64).to_numpy()
        except pl.exceptions.PolarsError:
            numbers = np.array([-1])
        if not numbers.size or numbers.min() >= 0:
            return numbers
    raise ReleaseError(f"column {name!r} must hold whole numbers from 0 to 2^63 - 1 on every line")


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of all sub-graphs: pseudonyms in order, where each sub-graph starts, and all places by pseudonym."""

    names: I64
    subgraph: I64
    starts: I64
    by_name: I64

    @classmethod
    def of(cls, table: pl.DataFrame, subgraphs: int) -> Nodes:
        """List the nodes of a release that says how many sub-graphs it has."""
        subgraph, names = whole_numbers(table, "subgraph"), whole_numbers(table, "node")
        if not subgraphs <= names.size <= _MOST or subgraph.max(initial=0) >= subgraphs:
            raise ReleaseError(f"does not hold the {subgraphs:,} sub-graphs that release.toml promises")
        sizes = np.bincount(subgraph, minlength=subgraphs)
        if not sizes.all():
            raise ReleaseError(f"sub-graph {np.argmin(sizes)} of the {subgraphs:,} that there should be has no nodes")
        order = np.lexsort((names, subgraph))
        names, by_name = names[order], np.argsort(names[order], kind="stable")
        twice = np.flatnonzero(np.diff(names[by_name]) == 0)
        if twice.size:
            raise ReleaseError(f"node {names[by_name][twice[0]]} is listed twice: each has a pseudonym of its own")
        return cls(names, subgraph[order], np.append(0, np.cumsum(sizes)), by_name)

    def part(self, k: int) -> slice:
        """Return the places of the nodes of one sub-graph."""
        return slice(int(self.starts[k]), int(self.starts[k + 1]))

    def places(self, names: I64, subgraph: I64) -> I64:
        """Return where the nodes of those names stand, or refuse one that its sub-graph does not list."""
        found = np.searchsorted(self.names[self.by_name], names)
        places = self.by_name[np.minimum(found, self.names.size - 1)]
        strange = np.flatnonzero((self.names[places] != names) | (self.subgraph[places] != subgraph))
        if strange.size:
            raise ReleaseError(f"sub-graph {subgraph[strange[0]]} has an edge to a node that it does not list")
        return places


@dataclass(frozen=True, eq=False)
class Lines:
    """Edges or events, sub-graph by sub-graph, by the numbers of their nodes within it; ``columns`` are their values.

    ``keys`` has a number for the two ends of each, whichever comes first.
    """

    source: I32
    target: I32
    starts: I64
    columns: dict[str, NDArray[Any]]
    keys: I64

    @classmethod
    def of(cls, table: pl.DataFrame, nodes: Nodes) -> Lines:
        """List the lines of a table."""
        subgraph = whole_numbers(table, "subgraph")
        if (np.diff(subgraph) < 0).any():
            table = table[np.argsort(subgraph, kind="stable")]
            subgraph = whole_numbers(table, "subgraph")
        ends = np.stack([nodes.places(whole_numbers(table, side), subgraph) for side in ENDS[1:]])
        if (ends[0] == ends[1]).any():
            raise ReleaseError("has an edge from a node to itself")
        source, target = (ends - nodes.starts[subgraph]).astype(np.int32)
        starts = np.searchsorted(subgraph, np.arange(nodes.starts.size))
        values = {name: table[name] for name in table.columns if name not in ENDS}
        return cls(source, target, starts, _values(values, source.size), ends.min(axis=0) * _MOST + ends.max(axis=0))

    def part(self, k: int) -> slice:
        """Return the places of the lines of one sub-graph."""
        return slice(int(self.starts[k]), int(self.starts[k + 1]))

    def check_on(self, edges: Lines) -> None:
        """Refuse events between nodes that no edge joins."""
        known = np.unique(edges.keys)
        place = np.minimum(np.searchsorted(known, self.keys), max(known.size - 1, 0))
        if self.keys.size and (not known.size or (known[place] != self.keys).any()):
            raise ReleaseError("has an event between two nodes that no edge joins")


def _values(columns: dict[str, pl.Series], count: int) -> dict[str, NDArray[Any]]:
    """Return the values of events as numbers, each of them finite."""
    for name, column in columns.items():
        if not (column.dtype.is_integer() or column.dtype.is_float() or column.dtype == pl.Boolean):
            raise ReleaseError(f"column {name!r} must hold numbers, not {column.dtype}")
        if column.null_count():
            raise ReleaseError(f"column {name!r} must hold a number for each event")
    try:
        values = check_columns({name: column.to_numpy() for name, column in columns.items()}, count)
    except (InputError, pl.exceptions.PolarsError) as error:
        raise ReleaseError(first_line(error)) from None
    if "direction" in values and (values["direction"] < 0).any():
        raise ReleaseError("column 'direction' must hold 1 (from source to target) or 0 (both ways)")
    return values
