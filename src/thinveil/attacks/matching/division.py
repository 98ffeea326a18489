"""What the events of two graphs have in common, and copies of a graph whose events are divided like that.

Two graphs may show the same events, or different ones on the same edges: calls here and messages there, or mails of
this year and of the last. The attacker cannot learn from copies with the same events what different events are worth.
So each event of an edge goes to one of the copies: the earlier ones to the one and the later ones to the other where
the periods of the two graphs do not overlap; by lot else. Then the share that goes to the left is an edge's own (a beta
distribution of both parameters 1 / ``spread``): who often calls may rarely write. An edge with nothing left in a copy
borrows one event with its direction, at a time and of a weight that another event of that copy has.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.graph import EdgeRows, Graph, trusted_graph

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

SPREADS = (0.1, 0.3, 1.0, 3.0, 10.0)
"""How much two graphs may differ in what passes on an edge, from little to much."""
_LEAST_OVERLAP = 0.1  # of the shorter period
_DAY, _LATEST = 86_400.0, 1e11  # seconds since 1970 are below that for 3,000 years: more are milliseconds


class Division(NamedTuple):
    """What of the events both graphs tell, and how the events differ.

    ``columns`` are what events have on both sides; ``period`` is the time that both cover, in seconds, None where there
    is none; ``spread`` is how much the graphs differ on an edge: 0 where they show the same events.
    """

    columns: frozenset[str]
    period: tuple[float, float] | None = None
    spread: float = 1.0

    @classmethod
    def of(cls, left: Graph, right: Graph) -> Division | None:
        """Look at what the events of two graphs tell; None where one of them has none."""
        if left.rows is None or right.rows is None or not min(left.rows.source.size, right.rows.source.size):
            return None
        columns = {"direction", "weight", "time"} & set(left.rows.columns) & set(right.rows.columns)
        if "time" not in columns:
            return cls(frozenset(columns))
        spans = [(float(times.min()), float(times.max())) for times in map(seconds_of, (left.rows, right.rows))]
        if len({end - start < _DAY for start, end in spans}) > 1:  # the clock of one, and slots of time of the other
            return cls(frozenset(columns - {"time"}))
        return cls(frozenset(columns), _common_period(*spans))

    @property
    def is_by_time(self) -> bool:
        """Whether one graph is earlier than the other."""
        return "time" in self.columns and self.period is None


def seconds_of(rows: EdgeRows) -> F64:
    """Return the times of events in seconds."""
    times = rows.columns["time"].astype(np.float64)
    return times / 1000 if times.size and np.abs(times).max() > _LATEST else times


def _common_period(*spans: tuple[float, float]) -> tuple[float, float] | None:
    first, last = max(start for start, _ in spans), min(end for _, end in spans)
    shorter = min(end - start for start, end in spans)
    return (first, last) if last - first > _LEAST_OVERLAP * shorter and last > first else None


def divide(graph: Graph, division: Division, chance: np.random.Generator) -> tuple[Graph, Graph]:
    """Return the graph twice, with all its edges, each with the events that one copy shows."""
    assert graph.rows is not None
    if division.spread == 0:
        return graph, graph
    edge, edges = edge_numbers(graph, graph.rows)
    lots = chance.random(edge.size)
    share = np.full(edges, 0.5)
    if division.is_by_time:
        lots = np.argsort(np.lexsort((lots, seconds_of(graph.rows)))) / max(edge.size, 1)
    else:
        share = chance.beta(1 / division.spread, 1 / division.spread, size=edges)
    is_first = lots < share[edge]
    return tuple(_copy(graph, edge, mine, lots, chance) for mine in (is_first, ~is_first))  # type: ignore[return-value]


def _copy(graph: Graph, edge: I64, mine: NDArray[np.bool_], lots: F64, chance: np.random.Generator) -> Graph:
    """Return the graph with some of its events, and one that is borrowed for each edge without any."""
    assert graph.rows is not None
    has_some = np.bincount(edge[mine], minlength=int(edge.max(initial=-1)) + 1) > 0
    others = np.flatnonzero(~has_some[edge])
    others = others[np.lexsort((lots[others], edge[others]))]
    borrowed = others[np.unique(edge[others], return_index=True)[1]]
    kept = np.concatenate((np.flatnonzero(mine), borrowed))
    lenders = kept.copy()
    if mine.any():
        lenders[kept.size - borrowed.size :] = chance.choice(np.flatnonzero(mine), size=borrowed.size)
    rows = graph.rows
    columns = {name: values[kept if name == "direction" else lenders] for name, values in rows.columns.items()}
    return trusted_graph(graph.indptr, graph.indices, rows=EdgeRows(rows.source[kept], rows.target[kept], columns))


def edge_numbers(graph: Graph, rows: EdgeRows) -> tuple[I64, int]:
    """Return the number of the edge of every event, and how many edges there are that have one."""
    keys = np.minimum(rows.source, rows.target).astype(np.int64) * graph.node_count
    found, number = np.unique(keys + np.maximum(rows.source, rows.target), return_inverse=True)
    return number, found.size
