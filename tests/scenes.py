"""Small releases in the middle of being linked: what the kernels get, and the same for their plain twins."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from tests.drawing import as_pairs, linked, neighbors_of
from thinveil.attacks.collective.anchors import Anchors
from thinveil.attacks.collective.appearances import Appearances
from thinveil.attacks.collective.clusters import list_clusters
from thinveil.attacks.collective.merging import Clustering


class Scene(NamedTuple):
    """Appearances, anchors and clusters; and for the plain twins ``knows``, ``case``, ``weight`` and ``alike``."""

    seen: Appearances
    anchors: Anchors
    clustering: Clustering
    clusters: object
    knows: list
    case: dict
    weight: dict
    alike: list

    def members(self, cluster):
        """The appearances of a cluster."""
        return np.flatnonzero(self.clusters.cluster == cluster).tolist()

    def twin(self):
        """What the plain twins of evidence want besides appearance and members."""
        return self.knows, self.case, self.weight, self.seen.rarity


@st.composite
def guesses(draw, subgraph, cluster):
    """As whom appearances count: their cluster, or one that is not present in their sub-graph."""
    guess, taken = list(cluster), {(s, name) for s, name in zip(subgraph.tolist(), cluster, strict=True)}
    trust = [draw(st.sampled_from([0.5, 0.75, 1.0])) if name >= 0 else 0.0 for name in cluster]
    for row, name in enumerate(cluster):
        wanted = draw(st.sampled_from([-1, *sorted({one for one in cluster if one >= 0})])) if name < 0 else -1
        if wanted >= 0 and (subgraph[row], wanted) not in taken:
            taken.add((subgraph[row], wanted))
            guess[row], trust[row] = wanted, draw(st.sampled_from([0.125, 0.25]))
    return {"guess": guess, "trust": trust}


@st.composite
def scenes(draw):
    """Any small scene."""
    subgraph, edges, cluster = draw(linked())
    neighbors, circles = neighbors_of(edges, subgraph.size)
    knows = [{other: len(mine & circles[other]) for other in sorted(mine)} for mine in circles]

    def each(strategy):
        return draw(st.lists(strategy, min_size=subgraph.size, max_size=subgraph.size))

    inner, degree, share = each(st.booleans()), each(st.integers(1, 9)), each(st.sampled_from([0.0, 0.25, 0.5]))
    seen = Appearances(
        neighbors.indptr, neighbors.indices, neighbors.shared, np.array(inner), np.array(degree, dtype=np.int32),
        subgraph, np.linspace(0.5, 3.0, 30), (subgraph + 3).astype(np.int32), np.array(share),
    )  # fmt: skip
    alike = draw(st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23), st.floats(0.1, 1)), max_size=8))
    alike = [(a, b, s) for a, b, s in alike if max(a, b) < subgraph.size and subgraph[a] != subgraph[b]]
    anchors = Anchors.of(as_pairs(alike), np.array([s for *_, s in alike]), subgraph.size)
    case = {
        "cluster": cluster.tolist(), "subgraph": subgraph, "inner": inner, "degree": degree,
        "inner_nodes": seen.inner_nodes.tolist(), "inner_share": share, **draw(guesses(subgraph, cluster.tolist())),
    }  # fmt: skip
    clustering = Clustering(cluster, np.array(case["guess"], dtype=np.int32), np.array(case["trust"], dtype=np.float32))
    clusters = list_clusters(seen, clustering, np.random.default_rng(0))
    weight = {
        name: clusters.weight[g] for name, g in zip(case["cluster"], clusters.merged.tolist(), strict=True) if g >= 0
    }
    return Scene(seen, anchors, clustering, clusters, knows, case, weight, alike + [(b, a, s) for a, b, s in alike])


def bare(subgraph):
    """Appearances of which nothing is known but their sub-graphs."""
    count = subgraph.size
    neighbors, _ = neighbors_of([], count)
    none = np.zeros(count, dtype=np.int32)
    return Appearances(
        neighbors.indptr, neighbors.indices, neighbors.shared, none > 0, none, subgraph, np.ones(1), none,
        np.zeros(count),
    )  # fmt: skip
