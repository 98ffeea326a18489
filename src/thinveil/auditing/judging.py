"""Names beside the truth: who each published node was said to be, and who it is. Nothing else opens the secret."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching import KnownNames, Names
from thinveil.graph import Graph
from thinveil.graph.twins import has_twin
from thinveil.measures.naming import Judged
from thinveil.schemes import Secret

I32 = NDArray[np.int32]


def judge(
    names: Names, known: KnownNames, public: Sequence[Graph], secret: Sequence[Secret], true: Sequence[I32]
) -> Judged:
    """Put beside each published node who it was said to be and who it is; those known beforehand are left out.

    ``true[k]`` are the numbers in the auxiliary graph of the people of sub-graph k, -1 for whoever is not there.
    """
    return Judged.join([_judge_part(k, names, known, public[k], secret[k], true[k]) for k in range(len(true))])


def _judge_part(k: int, names: Names, known: KnownNames, graph: Graph, secret: Secret, true: I32) -> Judged:
    said, sure = np.full(true.size, -1, dtype=np.int32), np.zeros(true.size)
    mine = names.subgraph == k
    said[names.node[mine]], sure[names.node[mine]] = names.person[mine], names.probability[mine]
    asked = np.ones(true.size, dtype=bool)
    asked[known.node[known.subgraph == k]] = False
    degree, block = graph.degrees.astype(np.int32), np.zeros(true.size, dtype=np.int32)
    return Judged(said, true, sure, degree, block, has_twin(graph), secret.people, secret.hops).part(asked)
