"""The paper's choice of parameters (Section 5.3): Epinions, Scheme 2, all pairs."""

from __future__ import annotations

from typing import Any

from thinveil.auditing.results import AuditResult
from thinveil.paper.experiments.base import Experiment, Outcome
from thinveil.paper.lab import RATES, Lab, rate_line, roc_curves
from thinveil.paper.numbers import printed
from thinveil.paper.records import Block, Curves, Line

_VECTORS = {"21 x 50": (21, 50), "35 x 30": (35, 30), "70 x 15": (70, 15), "105 x 10": (105, 10)}


def run_vectors(lab: Lab) -> Outcome:
    """Vary the length of the vector and the size of its bins: 200 trees of 200 + 200 pairs."""
    lines: list[Line] = []
    curves: dict[str, Any] = {}
    trees = min(200, lab.effort.trees)
    for name, (bins, size) in _VECTORS.items():
        result = _audit(lab, bins=bins, bin_size=size, trees=trees, bag_size=200)
        lines.append(rate_line(result, "complete", name=name, paper=printed("vector-length", name)))
        curves |= {name: roc_curves(result)["complete"]}
    block = Block("Vector length x bin size", RATES, tuple(lines), Curves(curves))
    return Outcome((block,), (f"{trees} trees, 200 pairs of each kind per tree.",))


def run_forest(lab: Lab) -> Outcome:
    """Grow more trees, and try more component pairs at each split."""
    size = tuple(_vary(lab, "trees", count, f"{count} trees") for count in _forest_sizes(lab))
    share = tuple(_vary(lab, "candidates", part, f"{part:.0%} of component pairs") for part in (0.05, 0.1, 0.2, 0.25))
    notes = ("The paper reports no appreciable gain from 500 trees, and none from more component pairs.",)
    return Outcome((Block("Forest size", RATES, size), Block("Component pairs per split", RATES, share)), notes)


def run_two_hop(lab: Lab) -> Outcome:
    """Add the 2-hop histogram as a second channel, on egonets."""
    blocks = []
    for scheme, title in (("d4d-1", "Scheme 1"), ("d4d-2", "Scheme 2")):
        lines = [
            rate_line(_audit(lab, scheme, features=features), "complete", name=name)
            for name, features in _FEATURES.items()
        ]
        blocks.append(Block(title, RATES, tuple(lines)))
    return Outcome(tuple(blocks), ("The paper reports, without figures, that false positives rise sharply.",))


_FEATURES = {"1-hop histogram": ("degrees",), "1-hop and 2-hop histograms": ("degrees", "two-hop")}


def _forest_sizes(lab: Lab) -> tuple[int, ...]:
    return (lab.effort.trees, lab.effort.trees * 5 // 4)


def _vary(lab: Lab, setting: str, value: Any, name: str) -> Line:
    return rate_line(_audit(lab, **{setting: value}), "complete", name=name)


def _audit(lab: Lab, scheme: str = "d4d-2", **parameters: Any) -> AuditResult:
    return lab.audit(lab.graph("epinions"), scheme, attack=lab.forest(**parameters), categories=("complete",))


EXPERIMENTS = (
    Experiment(
        "vector-length", "Length of the feature vector", "Table 7, Figure 11", ("epinions",), run_vectors
    ),
    Experiment("forest-parameters", "Forest size and randomness", "Section 5.3", ("epinions",), run_forest),
    Experiment("two-hop-features", "2-hop features on egonets", "Section 5.3", ("epinions",), run_two_hop),
)  # fmt: skip
