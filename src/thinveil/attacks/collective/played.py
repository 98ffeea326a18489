"""What the rounds on one release have left: the clusters after each, and what the links of one say about pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinveil.attacks.collective.anchors import Anchors
from thinveil.attacks.collective.appearances import F32, I32, Appearances
from thinveil.attacks.collective.candidates import Judge
from thinveil.attacks.collective.clusters import Clusters, list_clusters
from thinveil.attacks.collective.links import Links
from thinveil.attacks.collective.merging import Clustering
from thinveil.features.pairs import count_pairs
from thinveil.runtime.streams import stream

_WAIT, _GROWS = 3, 1.05  # links that have hardly grown for three rounds will not


@dataclass(frozen=True, eq=False)
class Played:
    """The rounds that a release has seen, and the judge of the last; None where nothing was learned."""

    seen: Appearances
    anchors: Anchors
    made: tuple[Clustering, ...]
    judge: Judge | None
    seed: int

    @classmethod
    def nothing(cls, seen: Appearances, seed: int) -> Played:
        """Return a release without a link."""
        count = seen.degree.size
        return cls(seen, Anchors.empty(count), (Clustering.empty(count),), None, seed)

    @property
    def clusters(self) -> tuple[I32, ...]:
        """The cluster of every appearance after each round, -1 for none."""
        return tuple(clustering.cluster for clustering in self.made)

    @property
    def trust(self) -> F32:
        """How sure it is that each appearance belongs to its last cluster; 0 for those without one."""
        last = self.made[-1]
        return np.where(last.cluster >= 0, last.trust, 0).astype(np.float32)

    def last(self) -> Links | None:
        """Return what the links of the last round say, after a search as long as a round; None if there are none."""
        return self._links_of(-1)

    def early(self) -> Links | None:
        """Return what the links of the first round say; None where no more than two rounds were made.

        Releases in which links spread badly stay like that: a model must have seen such links too.
        """
        return self._links_of(1) if len(self.made) > 2 else None

    def _links_of(self, number: int) -> Links | None:
        if self.judge is None:
            return None
        clusters = list_clusters(self.seen, self.made[number], stream(self.seed, "round", 0))
        return Links.of(self.seen, clusters, self.anchors, self.judge)


def list_round(seen: Appearances, made: list[Clustering], seed: int) -> Clusters:
    """List the clusters with which the next round begins."""
    return list_clusters(seen, made[-1], stream(seed, "round", len(made)))


def still_grows(made: list[Clustering]) -> bool:
    """Tell whether the number of links has grown in the last rounds."""
    counts = [count_pairs(one.cluster[one.cluster >= 0]) for one in made]
    return len(made) <= _WAIT or max(counts[-_WAIT:]) > _GROWS * max(counts[:-_WAIT])
