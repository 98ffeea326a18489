"""The hand-made attack of Section 2.3, and the paper's worked examples."""

from __future__ import annotations

import numpy as np

from thinveil.features import DegreeHistogram
from thinveil.graph import Graph
from thinveil.measures.rates import rate
from thinveil.paper.experiments.base import Experiment, Outcome
from thinveil.paper.lab import Lab, of_rate, share_value
from thinveil.paper.numbers import printed
from thinveil.paper.records import Block, Column, Line, Value

_RIGHT = (Column("identical right"), Column("non-identical right", decimals=3))
_SIZES = (Column("identical", "", 0), Column("non-identical", "", 0))
_ANY_FPR = 0.01  # scores are 0 or 1, and far fewer than 1% of different people get a 1: the threshold lies between


def run_signature(lab: Lab) -> Outcome:
    """Link 1-hop nodes whose signatures match exactly, Scheme 1."""
    measured = {name: _measure(lab, name) for name in ("epinions", "pokec")}
    right = Block("Right, in %", _RIGHT, tuple(line for line, _ in measured.values()))
    sizes = Block("Pairs tested, per draw", _SIZES, tuple(line for _, line in measured.values()))
    return Outcome((right, sizes), ("A signature is trusted if it has at least 6 neighbours.",))


def _measure(lab: Lab, name: str) -> tuple[Line, Line]:
    title = lab.find(name).used.title
    identical, different, counts = [], [], []
    for draw in range(lab.effort.draws):
        result = lab.audit(
            lab.graph(name), "d4d-1", attack="signature", categories=("1-hop", "complete"),
            repeats=1, seed=lab.seed + draw,
        )  # fmt: skip
        found = result.rate("1-hop", _ANY_FPR)
        identical.append((found.tpr or 0.0, found.low or 0.0, 1.0 if found.high is None else found.high))
        different.append(of_rate(rate(found.negatives - found.false_positives, found.negatives)))
        counts.append((float(found.positives), float(found.negatives)))
    shares, sizes = printed("ad-hoc", "right", name), printed("ad-hoc", "pairs", name)
    values = (share_value(identical, shares[0]), share_value(different, shares[1]))
    numbers = (Value(tuple(n for n, _ in counts), sizes[0]), Value(tuple(n for _, n in counts), sizes[1]))
    return Line(title, values), Line(title, numbers)


_DEGREES = (1, 1, 3, 3, 5, 6, 7, 13, 16, 20, 21, 30, 65, 69, 72, 1030, 1100)
"""The example of the paper's Figure 3: the degrees of a node's 17 neighbours."""


def run_vector(lab: Lab) -> Outcome:
    """Build a node whose neighbours have the degrees of the paper's example, and extract its vector."""
    leaves = 1 + len(_DEGREES) + np.cumsum([0, *(degree - 1 for degree in _DEGREES)])
    hub = [(0, 1 + k) for k in range(len(_DEGREES))]
    rest = [(1 + k, leaf) for k in range(len(_DEGREES)) for leaf in range(leaves[k], leaves[k + 1])]
    source, target = np.array(hub + rest).T
    vector = DegreeHistogram().extract(Graph.from_edges(source, target), np.zeros(1, dtype=np.int32))[0]
    example = printed("feature-vector")
    lines = tuple(
        Line(f"component {k}", (Value((float(vector[k]),), float(example.get(str(k), 0))),))
        for k in range(vector.size)
        if vector[k] or str(k) in example
    )
    note = (
        "By the paper's own rule a neighbour with 1,030 contacts belongs into component 68; its figure counts it in "
        "component 69. We follow the rule."
    )
    return Outcome((Block("Components that are not 0", (Column("neighbours", "", 0),), lines),), (note,))


EXPERIMENTS = (
    Experiment("feature-vector", "The example of a feature vector", "Figure 3", (), run_vector),
    Experiment(
        "ad-hoc", "The hand-made signature attack on Scheme 1", "Tables 1 and 9",
        ("epinions", "pokec"), run_signature,
    ),
)  # fmt: skip
