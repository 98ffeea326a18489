"""What every reader hands over: edges between numbered nodes, ready to become a graph, and how they were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.graph.origin import Origin


@dataclass(frozen=True, eq=False)
class Edges:
    """Two columns of dense node numbers, the nodes' labels (None: the numbers), and values per edge."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    labels: NDArray[Any] | None = None
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    node_count: int | None = None
    origin: Origin = field(default_factory=Origin)
