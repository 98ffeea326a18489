"""A graph as a black box gets it: lines of edges under numbers drawn by lot, in an order drawn by lot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.graph import Graph


@dataclass(frozen=True, eq=False)
class Handed:
    """What was handed over: the graph, and the number of each of its nodes in the file."""

    graph: Graph
    numbers: NDArray[np.int64]

    def people(self, texts: pl.Series) -> NDArray[np.int64]:
        """Return who has these numbers; -1 for what was never handed over."""
        person = np.empty_like(self.numbers)
        person[self.numbers] = np.arange(self.numbers.size)
        read = texts.cast(pl.Int64, strict=False).fill_null(-1).to_numpy()
        found = (read >= 0) & (read < self.numbers.size)
        return np.where(found, person[np.where(found, read, 0)] if person.size else -1, -1)


def hand_over(graph: Graph, path: Path, chance: np.random.Generator) -> Handed:
    """Write the edges of a graph into a file, each once: source and target."""
    numbers = chance.permutation(graph.node_count)
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    once = np.flatnonzero(source < graph.indices)
    once = chance.permutation(once)
    ends = numbers[np.stack((source[once], graph.indices[once]))]
    swap = chance.random(once.size) < 0.5
    ends[:, swap] = ends[::-1, swap]
    pl.DataFrame({"source": ends[0], "target": ends[1]}).write_csv(path)
    return Handed(graph, numbers)
