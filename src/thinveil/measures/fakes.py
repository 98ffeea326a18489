"""How well edges that a scheme made up can be told from real ones (Zhang et al., NDSS 2020).

Two people who are in contact mostly have contacts in common; two who were joined at random mostly have not. Edges are
ranked by how close their two ends are otherwise, by fixed scores that anybody can compute from the release alone. The
truth serves for nothing but counting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from thinveil.graph import Graph
from thinveil.measures.rates import effective_bounds, placements
from thinveil.schemes import NOBODY

F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

SCORES = ("common contacts", "Jaccard", "Adamic-Adar", "product of degrees")
"""By what edges are ranked: a low score means made up."""

_LEVEL = 0.95


@dataclass(frozen=True)
class FakeEdges:
    """How well made-up edges can be told.

    ``auc`` is the probability that a made-up edge looks more made up than a real one, by the best of the fixed
    ``scores``; 0.5 is guessing. Its 95% interval ``low`` .. ``high`` allows for edges of one person being alike,
    and for having taken the best. Where nothing can be said they are None, and ``reason`` says why.
    """

    edges: int
    fake: int
    best: str = ""
    auc: float | None = None
    low: float | None = None
    high: float | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, eq=False)
class _Edges:
    """Edges of a release: which are made up, their scores, and a number for the end with more contacts."""

    is_fake: NDArray[np.bool_]
    scores: F64
    hub: I64


def find_fakes(graph: Graph, parts: Iterable[tuple[Graph, I32, NDArray[np.bool_]]]) -> FakeEdges:
    """Try to tell made-up edges.

    Parameters
    ----------
    graph
        The original.
    parts
        Each published sub-graph, the number in the original of the person behind each node (``NOBODY`` where there is
        none), and which nodes stand for several people: edges of those are left out.
    """
    found = list(_judge_parts(graph, parts))
    if not found:
        return FakeEdges(0, 0, reason="the release has no edges whose ends are known")
    is_fake = np.concatenate([one.is_fake for one in found])
    count, fake = is_fake.size, int(np.count_nonzero(is_fake))
    if fake in (0, count):
        return FakeEdges(count, fake, reason="no edges were added" if not fake else "all edges were made up")
    scores = np.concatenate([one.scores for one in found], axis=1)
    hub = np.concatenate([one.hub for one in found])
    told = [_area(-values, is_fake, hub) for values in scores]
    best = int(np.argmax([area for area, _, _ in told]))
    areas = {name: area for name, (area, _, _) in zip(SCORES, told, strict=True)}
    return FakeEdges(count, fake, SCORES[best], *told[best], areas)


def _judge_parts(graph: Graph, parts: Iterable[tuple[Graph, I32, NDArray[np.bool_]]]) -> Iterator[_Edges]:
    first = 0
    judged = []
    for public, person, is_several in parts:
        source = np.repeat(np.arange(public.node_count, dtype=np.int32), public.degrees)
        kept = (source < public.indices) & ~is_several[source] & ~is_several[public.indices]
        ends = source[kept], public.indices[kept]
        is_fake = ~are_edges(graph, person[ends[0]], person[ends[1]])
        judged.append((public, kept, ends, is_fake, first))
        first += public.node_count
    # scores take a while, and are not needed where nothing was made up
    is_asked = any(is_fake.any() for _, _, _, is_fake, _ in judged)
    for public, kept, (source, target), is_fake, start in judged:
        if is_fake.size:
            scores = _score(public, kept, source, target) if is_asked else np.zeros((len(SCORES), is_fake.size))
            degrees = public.degrees
            yield _Edges(is_fake, scores, start + np.where(degrees[source] >= degrees[target], source, target))


def _score(public: Graph, kept: NDArray[np.bool_], source: I32, target: I32) -> F64:
    degrees = public.degrees.astype(float)
    common = public.common_neighbors[kept].astype(float)
    either = degrees[source] + degrees[target] - common
    # whoever is a common contact has two contacts or more
    weights = 1 / np.log(np.maximum(degrees, 2))
    close = adamic_adar(public.indptr, public.indices, weights, source, target)
    return np.stack((common, common / either, close, degrees[source] * degrees[target]))


def are_edges(graph: Graph, first: I32, second: I32) -> NDArray[np.bool_]:
    """Return which pairs of nodes are edges; ``NOBODY`` has none."""
    nodes = np.int64(graph.node_count)
    keys = np.repeat(np.arange(nodes), graph.degrees) * nodes + graph.indices  # rows are sorted, and so are the keys
    wanted = first.astype(np.int64) * nodes + second
    found = np.append(keys, NOBODY)[np.searchsorted(keys, wanted)] == wanted
    return np.asarray(found & (first >= 0) & (second >= 0))


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
