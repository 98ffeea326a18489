"""networkit, with one thread: what it finds must not depend on how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from thinveil.measures.utility.base import Side


@contextmanager
def one_thread() -> Iterator[Any]:
    """Lend networkit, and set its threads back afterwards."""
    import networkit  # late: it takes a second to import

    before = networkit.getMaxNumberOfThreads()
    networkit.setNumberOfThreads(1)
    try:
        yield networkit
    finally:
        networkit.setNumberOfThreads(before)


def make_network(side: Side) -> Any:
    """Return a graph as networkit has it."""
    with one_thread() as networkit:
        ends = tuple(end.astype(np.uint64) for end in side.edges)
        return networkit.GraphFromCoo(ends, n=side.graph.node_count)
