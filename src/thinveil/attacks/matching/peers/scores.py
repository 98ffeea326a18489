"""Names from the scores of any other aligner: those who are each other's best, and clearly so.

Reference: REGAL, CONE, FUGAL, PARROT and others give a matrix of scores, a row for every published node and a column
for every person, and leave the names to its reader. A node gets the name of a person if no other person has as high a
score with the node, and no other node with the person. Equal scores name nobody. ``score_files`` reads the matrix.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from thinveil.attacks.matching.base import F64, I32, Names, Verdict
from thinveil.attacks.matching.peers.score_files import Scores, read_scores
from thinveil.errors import InputError
from thinveil.graph import Graph

_WORDS = (
    "these names come from imported scores, which were not checked; their probabilities are not calibrated, they only "
    "rank names by how far their scores are ahead of the next best"
)


class _Lead(NamedTuple):
    """The best partner of everybody on one side, -1 for nobody, and how far its score is ahead of the second's."""

    best: I32
    margin: F64


def names_from_scores(path: str | Path, auxiliary: Graph, target: Graph, *, margin: float = 0.0) -> Names:
    """Return the pairs in a file of scores who are each other's best.

    Parameters
    ----------
    path
        ``.npy``: a matrix, rows for nodes and columns for people, in the order of the graphs. ``.npz``: the same as a
        sparse matrix of scipy, where what is not stored is no candidate. ``.csv``: columns node, person and score,
        with the names that nodes have in the graphs' files.
    margin
        How far a score must be ahead of the next best, of the node and of the person, in units of the scores.
    """
    if not (isinstance(margin, int | float) and 0 <= margin < np.inf):
        raise InputError(f"margin = {margin}: give a number of 0 or more")
    scores = read_scores(Path(path), auxiliary, target)
    nodes, people = (
        _lead(scores.node, scores.person, scores.score, target.node_count),
        _lead(scores.person, scores.node, scores.score, auxiliary.node_count),
    )
    node = np.flatnonzero(nodes.best >= 0)
    node = node[people.best[nodes.best[node]] == node]
    ahead = np.minimum(nodes.margin[node], people.margin[nodes.best[node]])
    node, ahead = node[ahead > margin], ahead[ahead > margin]
    facts = {"scores": float(scores.score.size), "named": float(node.size)}
    return Names.of_graph(node.astype(np.int32), nodes.best[node], _share(ahead, scores), Verdict(True, _WORDS, facts))


def _lead(one: I32, other: I32, score: F64, count: int) -> _Lead:
    """Return the best partner of each one; somebody with a single candidate is ahead of nothing at all."""
    order = np.lexsort((-score, one))
    firsts = np.flatnonzero(np.diff(one[order], prepend=-1))
    best, margin = np.full(count, -1, dtype=np.int32), np.zeros(count)
    who = one[order[firsts]]
    best[who] = other[order[firsts]]
    seconds = np.append(firsts, order.size)[1:] > firsts + 1
    margin[who] = np.inf
    margin[who[seconds]] = score[order[firsts[seconds]]] - score[order[firsts[seconds] + 1]]
    return _Lead(best, margin)


def _share(ahead: F64, scores: Scores) -> F64:
    """Turn margins into numbers above 0, up to 1, whatever the unit of the scores is."""
    unit = (float(scores.score.std()) if scores.score.size else 0.0) or 1.0
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(ahead), 1.0, np.maximum(ahead / (unit + ahead), 1e-9))
