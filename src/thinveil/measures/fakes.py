"""How well edges that a scheme made up can be told from real ones (Zhang et al., NDSS 2020).

Two people who are in contact mostly have contacts in common, or many contacts; two who were joined at random mostly
have not. Edges are ranked by fixed scores of their two ends that anybody can compute from the release alone. The truth
serves for counting, and for choosing the best of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from thinveil.graph import Graph
from thinveil.graph.thinning import are_edges
from thinveil.measures.rates import effective_bounds, placements

F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

SCORES = ("common contacts", "Jaccard", "Adamic-Adar", "product of degrees")
"""By what edges are ranked: a low score means made up."""

_LEVEL = 0.95


@dataclass(frozen=True)
class FakeEdges:
    """How well made-up edges can be told, of all ``edges`` in so many ``subgraphs``.

    ``auc`` is the probability that a made-up edge looks more made up than a real one, by the best of the fixed
    ``scores``; 0.5 is guessing. Its 95% interval ``low`` .. ``high`` allows for edges of one person being alike,
    and for having taken the best. Where nothing can be said they are None, and ``reason`` says why.
    """

    edges: int
    fake: int
    subgraphs: int = 1
    best: str = ""
    auc: float | None = None
    low: float | None = None
    high: float | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""


class Known(NamedTuple):
    """A published sub-graph, and who its nodes are: all that is needed to grade.

    ``person`` is the number in the original of the person behind each node, ``NOBODY`` where there is none; edges of
    nodes that stand for several people are left out.
    """

    public: Graph
    person: I32
    is_several: NDArray[np.bool_]

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Which entries of the rows are edges to be judged, each once."""
        source = self.sources
        once = source < self.public.indices
        return np.asarray(once & ~self.is_several[source] & ~self.is_several[self.public.indices])

    @property
    def sources(self) -> I32:
        """The node in whose row each entry stands."""
        return np.repeat(np.arange(self.public.node_count, dtype=np.int32), self.public.degrees)


def find_fakes(graph: Graph, parts: Sequence[Known]) -> FakeEdges:
    """Try to tell made-up edges in sub-graphs that were made of a graph; they are looked at one after the other."""
    judged = [_judge(graph, part) for part in parts]
    is_fake = np.concatenate(judged) if judged else np.zeros(0, dtype=bool)
    count, fake = is_fake.size, int(np.count_nonzero(is_fake))
    if fake in (0, count):
        reason = "all edges were made up" if fake else "no edges were added" if count else "there are no edges to judge"
        return FakeEdges(count, fake, len(parts), reason=reason)
    # scores take a while, and are not needed where nothing was made up
    scores, hubs = zip(*(_score(part) for part in parts), strict=True)
    first = np.cumsum([0, *(int(one.max(initial=-1)) + 1 for one in hubs)])
    hub = np.concatenate([start + one for start, one in zip(first[:-1], hubs, strict=True)])
    told = [_area(-values, is_fake, hub) for values in np.concatenate(scores, axis=1)]
    best = int(np.argmax([area for area, _, _ in told]))
    areas = {name: area for name, (area, _, _) in zip(SCORES, told, strict=True)}
    return FakeEdges(count, fake, len(parts), SCORES[best], *told[best], areas)


def _judge(graph: Graph, part: Known) -> NDArray[np.bool_]:
    """Return which edges are made up: this is all that the truth serves for."""
    kept = part.kept
    first, second = part.person[part.sources[kept]], part.person[part.public.indices[kept]]
    return ~np.asarray(are_edges(first, second, graph.indptr, graph.indices))


def _score(part: Known) -> tuple[F64, I64]:
    """Return the scores of all edges, and for each the end with more contacts."""
    public, kept = part.public, part.kept
    source, target, degrees = part.sources[kept], public.indices[kept], public.degrees.astype(float)
    common = public.common_neighbors[kept].astype(float)
    either = degrees[source] + degrees[target] - common
    # whoever is a common contact has two contacts or more
    close = adamic_adar(public.indptr, public.indices, 1 / np.log(np.maximum(degrees, 2)), source, target)
    scores = np.stack((common, common / either, close, degrees[source] * degrees[target]))
    return scores, np.where(degrees[source] >= degrees[target], source, target).astype(np.int64)


@numba.njit(cache=True, nogil=True)
def adamic_adar(indptr: I64, indices: I32, weights: F64, source: I32, target: I32) -> F64:
    """Return for each pair of nodes the sum of the weights of all common neighbours; rows are sorted."""
    close = np.zeros(source.size)
    for k in range(source.size):
        i, j = indptr[source[k]], indptr[target[k]]
        last, end = indptr[source[k] + 1], indptr[target[k] + 1]
        while i < last and j < end:
            if indices[i] < indices[j]:
                i += 1
            elif indices[i] > indices[j]:
                j += 1
            else:
                close[k] += weights[indices[i]]
                i, j = i + 1, j + 1
    return close


def _area(scores: F64, is_fake: NDArray[np.bool_], hub: I64) -> tuple[float, float, float]:
    """Return the area with its interval.

    The spread of the area is that of what each edge adds to it (DeLong et al. 1988), taken together by the people with
    most contacts at their ends. Where it is 0, or small, the binomial interval of as many trials as there are such
    people says more.
    """
    above = placements(scores[is_fake], scores[~is_fake])
    area = float(above.mean())
    share = np.empty(scores.size)
    share[is_fake] = (above - area) / above.size
    below = 1 - placements(scores[~is_fake], scores[is_fake])
    share[~is_fake] = (below - area) / below.size
    _, who = np.unique(hub, return_inverse=True)
    spread = float(np.sqrt((np.bincount(who, weights=share) ** 2).sum()))
    confidence = 1 - (1 - _LEVEL) / len(SCORES)
    reach = float(norm.ppf((1 + confidence) / 2)) * spread
    trials = min(np.unique(hub[mine]).size for mine in (is_fake, ~is_fake))
    low, high = effective_bounds(area, trials, confidence=confidence)
    return area, max(0.0, min(area - reach, low)), min(1.0, max(area + reach, high))
