"""What the holder of a raw graph sees of each person: the rows of the sub-graphs that were cut out of it.

Sightings stand person by person: those of ``people[k]`` are rows ``start[k] : start[k + 1]``, the ones within one hop
of an ego first, and among equals the one with the most edges, which is the fullest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import SampleError
from thinveil.features import Channel, observe
from thinveil.schemes import Published

_BATCH = 64  # sub-graphs whose rows are in memory at once


@dataclass(frozen=True, eq=False)
class Sightings:
    """Rows of people, sorted; ``vectors[row]`` holds the components of all channels side by side."""

    vectors: NDArray[np.int32]
    person: NDArray[np.int32]
    is_far: NDArray[np.bool_]
    degree: NDArray[np.int32]
    subgraph: NDArray[np.int32]

    @property
    def start(self) -> NDArray[np.int64]:
        """Return where each person's rows begin, and where the last one's end."""
        changes = np.flatnonzero(np.diff(self.person, prepend=-1))
        return np.append(changes, self.person.size)

    def best(self, most: int) -> Sightings:
        """Return the best few of each person, in order."""
        order = np.lexsort((self.subgraph, -self.degree, self.is_far, self.person))
        found = self._take(order)
        place = np.arange(order.size) - np.repeat(found.start[:-1], np.diff(found.start))
        return found._take(place < most)

    def _take(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Sightings:
        return Sightings(
            self.vectors[rows], self.person[rows], self.is_far[rows], self.degree[rows], self.subgraph[rows]
        )


def gather(
    release: Sequence[Published], channels: Sequence[Channel], *, min_degree: int, most: int, threads: int | None = None
) -> Sightings:
    """Return the best few sightings of everybody in a release whose secret is known."""
    names = [channel.name for channel in channels]
    found: list[Sightings] = []
    for first in range(0, len(release), _BATCH):
        batch = [release[k] for k in range(first, min(first + _BATCH, len(release)))]
        view, truth = observe(batch, channels, min_degree=min_degree, threads=threads)
        found.append(Sightings(view.vectors(*names), truth.person, truth.is_far, view.degree, view.subgraph + first))
        found = [_join(found).best(most)]
    if not found or not found[0].person.size:
        raise SampleError(f"nobody in the raw sub-graphs has more than {min_degree} edges: there is nobody to link to")
    return found[0]


def _join(parts: Sequence[Sightings]) -> Sightings:
    columns = ("vectors", "person", "is_far", "degree", "subgraph")
    return Sightings(*(np.concatenate([getattr(part, name) for part in parts]) for name in columns))
