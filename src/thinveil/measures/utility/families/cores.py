"""Cores: the largest part in which everybody has k contacts or more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.measures.utility.base import About, Answers, Comparison, Family, Side, say
from thinveil.measures.utility.distances import kolmogorov_smirnov
from thinveil.runtime.networkit import one_thread


def compare(given: Comparison) -> Answers:
    """Compare the deepest core of everybody."""
    cores = [core_numbers(side) for side in given.sides]
    return {"cores": say((float(one.max()) for one in cores), kolmogorov_smirnov(*cores))}


def core_numbers(side: Side) -> NDArray[np.float64]:
    """Return the largest k of whose core each node is part."""
    with one_thread() as networkit:
        found = networkit.centrality.CoreDecomposition(side.network)
        found.run()
        return np.asarray(found.scores(), dtype=np.float64)


CORES = Family(
    "cores",
    (
        About(
            "cores",
            "the largest k for which some people have k contacts or more among themselves",
            "0: the same law of everybody's deepest core; 1: no core in common",
        ),
    ),
    compare,
)
