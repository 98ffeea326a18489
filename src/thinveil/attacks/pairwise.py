"""Links of an attack that judges each pair by itself.

To compare everybody with everybody would take the square of the work, so an appearance is only compared with those
whose degree is nearest to its own: a handful on either side in the order of degrees. Scores hold for one match in two
pairs; here there is at most one in many, so that the odds of a pair stand against those of all other candidates, and of
none of them being right, which is taken to be as probable beforehand. Pairs that are the surest of both appearances and
probable enough become links; links are followed from the surest on, and no cluster has two appearances in a sub-graph.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.margins import margin
from thinveil.attacks.collective.merging import merge
from thinveil.features import View
from thinveil.features.pairs import Pairs

I32 = NDArray[np.int32]
F64 = NDArray[np.float64]

_NEAREST = 40
_UNSURE = 1e-4  # no score is surer than this


@dataclass(frozen=True, eq=False)
class Links:
    """Which appearances are taken for one person.

    ``cluster[a]`` is the cluster of appearance ``a``, -1 for none, and ``probability[a]`` how probably it belongs
    there.
    """

    cluster: I32
    probability: F64

    def without_singles(self) -> Links:
        """Leave out clusters of one appearance, and number the others from 0 on."""
        sizes = np.bincount(self.cluster[self.cluster >= 0], minlength=1)
        keep = (self.cluster >= 0) & (sizes[np.maximum(self.cluster, 0)] > 1)
        cluster = np.full(self.cluster.size, -1, dtype=np.int32)
        cluster[keep] = np.unique(self.cluster[keep], return_inverse=True)[1]
        return Links(cluster, np.where(keep, self.probability, 0.0))

    @classmethod
    def along(cls, pairs: Pairs, sure: F64, subgraph: I32) -> Links:
        """Merge the appearances of pairs, from the surest on."""
        order = np.argsort(-sure, kind="stable")
        chosen, sure = Pairs(pairs.left[order], pairs.right[order]), sure[order]
        cluster, kept = merge(chosen, sure, subgraph)
        probability = np.zeros(subgraph.size)
        for side in (chosen.left, chosen.right):
            np.maximum.at(probability, side[kept], sure[kept])
        return cls(cluster, np.where(cluster >= 0, probability, 0.0))


def link_pairs(view: View, score: Callable[[Pairs], F64], *, sure: float = 0.5, nearest: int = _NEAREST) -> Links:
    """Link the appearances of a view by the scores of those whose degrees are nearest, if they are ``sure`` enough."""
    pairs = near_pairs(view, nearest)
    scores = np.clip(score(pairs), _UNSURE, 1 - _UNSURE) if len(pairs) else np.empty(0)
    weight = scores / (1 - scores)
    chance = _chances(pairs, weight, len(view))
    both, twice = np.append(pairs.left, pairs.right), np.append(chance, chance)
    leads = (margin(both, twice) > 0).reshape(2, -1).all(axis=0)
    best = leads & (chance >= sure)
    return Links.along(Pairs(pairs.left[best], pairs.right[best]), chance[best], view.subgraph)


def near_pairs(view: View, nearest: int) -> Pairs:
    """Return each appearance with those of other sub-graphs that follow next in the order of degrees."""
    order = np.lexsort((view.node, view.subgraph, view.degree))
    steps = [Pairs(order[:-k], order[k:]) for k in range(1, min(nearest, order.size - 1) + 1)]
    if not steps:
        return Pairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    left, right = (np.concatenate([getattr(step, side) for step in steps]) for side in ("left", "right"))
    apart = view.subgraph[left] != view.subgraph[right]
    return Pairs(left[apart], right[apart])


def _chances(pairs: Pairs, weight: F64, appearances: int) -> F64:
    """Return each pair's share in the weight of all candidates, and of none being right, for the one that has more."""
    both = np.append(pairs.left, pairs.right)
    whole = np.bincount(both, np.append(weight, weight), appearances) + np.bincount(both, minlength=appearances)
    return np.asarray(weight / np.maximum(whole[pairs.left], whole[pairs.right]))
