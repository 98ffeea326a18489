"""Names beside the truth: who each published node was said to be, and who it is. Nothing else opens the secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.matching import KnownNames, Names
from thinveil.graph import Graph
from thinveil.graph.twins import has_twin
from thinveil.measures.naming import Judged
from thinveil.schemes import NOBODY, Secret, told_apart

I32 = NDArray[np.int32]


def judge(names: Names, known: KnownNames, public: Sequence[Graph], secret: Sequence[Secret], place: I32) -> Judged:
    """Put beside each published node who it was said to be and who it is; those known beforehand are left out.

    ``place[p]`` is the number of person p in the auxiliary graph, -1 for whoever is not there.
    """
    people = told_apart(secret)
    parts = [_judge_part(k, names, known, public[k], secret[k], place, people[k]) for k in range(len(secret))]
    return replace(Judged.join(parts), draws=1, failed=int(not names.verdict.accepted))


def places_of(auxiliary: I32, secret: Sequence[Secret]) -> I32:
    """Return the number in the auxiliary graph of everybody, where ``auxiliary`` says who its nodes are."""
    people = 1 + max(int(one.max(initial=-1)) for one in (auxiliary, *(part.everybody for part in secret)))
    place = np.full(people, -1, dtype=np.int32)
    place[auxiliary] = np.arange(auxiliary.size, dtype=np.int32)
    return place


def _judge_part(
    k: int, names: Names, known: KnownNames, graph: Graph, secret: Secret, place: I32, person: I32
) -> Judged:
    size = secret.people.size
    said, sure = np.full(size, -1, dtype=np.int32), np.zeros(size)
    mine = names.subgraph == k
    said[names.node[mine]], sure[names.node[mine]] = names.person[mine], names.probability[mine]
    asked = np.ones(size, dtype=bool)
    asked[known.node[known.subgraph == k]] = False
    degree, block = graph.degrees.astype(np.int32), np.zeros(size, dtype=np.int32)
    true = _true(secret, place, said)
    return Judged(said, true, sure, degree, block, has_twin(graph), person, secret.hops).part(asked)


def _true(secret: Secret, place: I32, said: I32) -> I32:
    """Return who the nodes are in the auxiliary graph; of several people in one node, the one who was named."""
    true = np.append(place, np.int32(NOBODY))[secret.people]
    if secret.others is not None:
        for node, number in zip(secret.others[0], place[secret.others[1]], strict=True):
            if number >= 0 and (true[node] < 0 or number == said[node]):
                true[node] = number
    return true
