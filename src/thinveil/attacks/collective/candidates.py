"""Candidates: the clusters that appearances may belong to, with the evidence for and against each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from thinveil.attacks.collective.anchors import Anchors
from thinveil.attacks.collective.appearances import F32, F64, I32, I64, Appearances, Span
from thinveil.attacks.collective.clusters import Clusters
from thinveil.attacks.collective.columns import Evidence
from thinveil.attacks.collective.margins import add_margins
from thinveil.attacks.collective.notes import make_notes
from thinveil.attacks.collective.search import search

Judge = Callable[[I64, F32], F64]
"""How probable it is that appearances belong to their candidates, by the evidence."""

_MOST, _LEAST, _LINES = 12, 6, 200_000  # candidates of an appearance, and of all together about


@dataclass(frozen=True, eq=False)
class Candidates:
    """Appearance ``appearance[k]`` may belong to ``cluster[k]``, by ``evidence[k]``: ``Evidence``, then ``Lead``."""

    appearance: I64
    cluster: I32
    evidence: F32


def find_candidates(span: Span, seen: Appearances, clusters: Clusters, anchors: Anchors) -> Candidates:
    """Find the candidates of the appearances of one sub-graph."""
    size, most = span[1] - span[0], _most(seen)
    chosen = np.empty((size, most), dtype=np.int32)
    lines = np.empty((size, most, len(Evidence)), dtype=np.float32)
    counts = np.zeros(size, dtype=np.int64)
    search(span, seen, clusters, anchors, make_notes(clusters.merged_count), (chosen, counts, lines))
    place, number = np.nonzero(np.arange(most) < counts[:, None])
    cluster = chosen[place, number]
    return Candidates(span[0] + place, cluster, add_margins(place, cluster, lines[place, number]))


def _most(seen: Appearances) -> int:
    """Return how many candidates an appearance may have: fewer where there are many: links spread easily there."""
    return int(np.clip(_LINES / max(1, seen.degree.size), _LEAST, _MOST))
