"""What the links of one round say about any two appearances.

Appearance p is weighed against the cluster of q, and q against the cluster of p. A comparison holds, for every piece of
evidence, the smaller and the larger of the two, so that the order of the pair does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinveil.attacks.collective.anchors import Anchors
from thinveil.attacks.collective.appearances import F32, F64, I32, I64, Appearances
from thinveil.attacks.collective.candidates import Judge, find_candidates
from thinveil.attacks.collective.clusters import Clusters
from thinveil.attacks.collective.columns import USED, Evidence
from thinveil.attacks.collective.evidence import weigh_pairs
from thinveil.attacks.collective.margins import Best, values_of
from thinveil.attacks.collective.notes import make_notes
from thinveil.runtime.threads import map_threads


@dataclass(frozen=True, eq=False)
class Links:
    """The clusters of a round, and the best values among the candidates of every appearance and of every cluster."""

    seen: Appearances
    clusters: Clusters
    anchors: Anchors
    judge: Judge
    by_appearance: tuple[Best, ...]
    by_cluster: tuple[Best, ...]

    @classmethod
    def of(cls, seen: Appearances, clusters: Clusters, anchors: Anchors, judge: Judge) -> Links:
        """Search once more for the candidates of all appearances, to know which lead."""
        spans = seen.spans()

        def value(subgraph: int) -> tuple[I64, I64, F64]:
            found = find_candidates(spans[subgraph], seen, clusters, anchors)
            values = np.stack((*values_of(found.evidence), judge(found.appearance, found.evidence)))
            return found.appearance, subgraph * clusters.sizes.size + found.cluster.astype(np.int64), values

        parts = map_threads(value, range(len(spans)))
        appearance, cluster = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
        values = np.hstack([part[2] for part in parts])
        best = [tuple(Best.of(key, value) for value in values) for key in (appearance, cluster)]
        return cls(seen, clusters, anchors, judge, *best)

    def compare(self, left: I64, right: I64) -> F32:
        """Return what the links say about pairs of appearances, a line for each; ``columns.WORDS`` says what."""
        one, two = map_threads(lambda ends: self._weigh(*ends), ((left, right), (right, left)))
        merged = self.clusters.merged
        same = (merged[left] == merged[right]) & (merged[left] >= 0)
        return np.column_stack((np.minimum(one, two), np.maximum(one, two), same)).astype(np.float32)

    def _weigh(self, appearance: I64, other: I64) -> F32:
        """Weigh each appearance against the cluster of another: evidence, leads, and the judge's verdict."""
        cluster = self.clusters.cluster[other]
        evidence = self._evidence(appearance, cluster)
        keys = (appearance, self.seen.subgraph[appearance] * np.int64(self.clusters.sizes.size) + cluster)
        groups = (self.by_appearance, self.by_cluster)
        leads = [
            group[k].margin(key, value)
            for k, value in enumerate(values_of(evidence))
            for group, key in zip(groups, keys, strict=True)
        ]
        sure = self.judge(appearance, np.column_stack((evidence, *leads)).astype(np.float32))
        last = [group[-1].margin(key, sure) for group, key in zip(groups, keys, strict=True)]
        return np.column_stack((evidence[:, USED], *leads, sure, *last)).astype(np.float32)

    def _evidence(self, appearance: I64, cluster: I32) -> F32:
        spans, order = self.seen.spans(), np.argsort(appearance, kind="stable")
        row, target = appearance[order], cluster[order]
        lines = np.empty((row.size, len(Evidence)), dtype=np.float32)
        first, last = (np.searchsorted(row, [span[k] for span in spans]) for k in (0, 1))

        def weigh(subgraph: int) -> None:
            part, notes = slice(first[subgraph], last[subgraph]), make_notes(self.clusters.merged_count)
            weigh_pairs(
                spans[subgraph], row[part], target[part], self.seen, self.clusters, self.anchors, notes, lines[part]
            )

        map_threads(weigh, np.flatnonzero(last - first).tolist())
        table = np.empty_like(lines)
        table[order] = lines
        return table
