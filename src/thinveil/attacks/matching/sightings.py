"""What the holder of a graph with names sees of each person: the appearances in sub-graphs that he cuts out of it.

Sightings stand person by person: those of the k-th person are ``start[k] : start[k + 1]``, the ones within one hop of
an ego first, and among equals the one with the most edges, which is the fullest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import SampleError
from thinveil.features import Labels, Needs, View, label, observe
from thinveil.schemes import Release

_BATCH = 64  # sub-graphs whose appearances are in memory at once


@dataclass(frozen=True, eq=False)
class Sightings:
    """Appearances whose people are known; ``order`` lists them person by person, the best of each first."""

    view: View
    person: NDArray[np.int32]
    is_far: NDArray[np.bool_]
    order: NDArray[np.int64]

    @property
    def start(self) -> NDArray[np.int64]:
        """Where each person's sightings begin in ``order``, and where the last one's end."""
        changes = np.flatnonzero(np.diff(self.person[self.order], prepend=-1))
        return np.append(changes, self.order.size)

    @classmethod
    def of(cls, view: View, labels: Labels, most: int) -> Sightings:
        """List the best few sightings of each person."""
        order = np.lexsort((view.subgraph, -view.degree, labels.is_far, labels.person))
        person = labels.person[order]
        starts = np.flatnonzero(np.diff(person, prepend=-1))
        place = np.arange(order.size) - np.repeat(starts, np.diff(np.append(starts, order.size)))
        return cls(view, labels.person, labels.is_far, order[place < most])

    def alone(self) -> Sightings:
        """Return the listed sightings without all other appearances."""
        return Sightings(
            self.view.take(self.order), self.person[self.order], self.is_far[self.order], np.arange(self.order.size)
        )


def gather(release: Release, needs: Needs, *, min_degree: int, most: int) -> Sightings:
    """Return the best few sightings of everybody in a release whose secret is known.

    An attack that must know who knows whom needs all appearances; for others only the sightings are kept.
    """
    step = max(1, len(release)) if needs.neighbors else _BATCH
    found: Sightings | None = None
    for first in range(0, len(release), step):
        part = _look(release, range(first, min(first + step, len(release))), needs, min_degree, most)
        found = part if found is None else _join(found, part, first, most)
    if found is None or not found.order.size:
        raise SampleError(
            f"nobody in the cut-out sub-graphs has more than {min_degree} contacts: there is nobody to name; train the "
            "model with a smaller --min-degree (min_degree=)"
        )
    return found


def _look(release: Release, numbers: range, needs: Needs, min_degree: int, most: int) -> Sightings:
    assert release.secret is not None  # who cuts a graph knows who is who
    view = observe(release.public[numbers.start : numbers.stop], needs, min_degree=min_degree)
    found = Sightings.of(view, label(release.secret[numbers.start : numbers.stop], view), most)
    return found if needs.neighbors else found.alone()


def _join(one: Sightings, two: Sightings, shift: int, most: int) -> Sightings:
    view = View.join(one.view, two.view, shift=shift)
    person, is_far = np.concatenate((one.person, two.person)), np.concatenate((one.is_far, two.is_far))
    return Sightings.of(view, Labels(person, is_far, person), most).alone()
