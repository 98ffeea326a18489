"""The two-graph task (Section 4.4): one network, two overlapping copies of it, a few people known in both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from thinveil.auditing.results import AuditResult
from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.measures.mistakes import OverlapRisk, paper_ranges
from thinveil.paper.experiments.base import Experiment, Outcome
from thinveil.paper.lab import RATES, Lab, rate_line, roc_curves, share_value
from thinveil.paper.numbers import printed
from thinveil.paper.records import Block, Column, Curves, Line, Value
from thinveil.threats import Identification

_KNOWN = (10, 50, 250, 1250)
_OVERLAPS = (0.25, 0.5, 0.75, 1.0)
_GRAPHS = ("flickr", "blogcatalog", "epinions")
_TASK = (
    "Two graphs share a quarter of their people (Jaccard) and the given share of the edges among those; the forest "
    "learns from the known people and 5,000 pairs of different people and is tested on up to 10,000 pairs of everybody "
    "else with more than 5 contacts in both."
)


def run_known(lab: Lab) -> Outcome:
    """Vary the number of people known in both graphs."""
    return Outcome(tuple(_block(lab, graph, "seeds", _KNOWN) for graph in _GRAPHS), (_TASK, "Edge overlap 0.25."))


def run_overlaps(lab: Lab) -> Outcome:
    """Vary the share of common edges."""
    blocks = (_block(lab, graph, "edge-overlap", _OVERLAPS) for graph in _GRAPHS)
    return Outcome(tuple(blocks), (_TASK, "50 known people."))


def run_transfer(lab: Lab) -> Outcome:
    """Attack Flickr with what was learned from Epinions, beside what 50 known people of Flickr itself teach."""
    flickr, epinions = lab.graph("flickr"), lab.graph("epinions")
    own = _audit(lab, flickr)
    other = _audit(lab, flickr, train_on=epinions)
    paper = printed("two-graphs", "seeds", "50")
    lines = (
        rate_line(own, "complete", name="learned from 50 known people", paper=paper),
        rate_line(other, "complete", name="learned from Epinions"),
    )
    curves = Curves({line.name: roc_curves(one)["complete"] for line, one in zip(lines, (own, other), strict=True)})
    note = "The paper reports, without figures, that results are similar when the classifier is trained on Epinions."
    return Outcome((Block("Edge overlap 0.25", RATES, lines, curves),), (_TASK, note))


def _block(lab: Lab, graph: str, varied: str, values: Iterable[float]) -> Block:
    """Measure one graph under several values of a parameter; the paper's figures stand beside Flickr only."""
    lines: list[Line] = []
    curves: dict[str, Any] = {}
    for value in values:
        name = f"{value} known people" if varied == "seeds" else f"edge overlap {value}"
        paper, hours = (
            printed(*place, varied, str(value)) if graph == "flickr" else None
            for place in (("two-graphs",), ("hours", "two-graphs"))
        )
        try:
            result = _audit(lab, lab.graph(graph), "known" if varied == "seeds" else "edge_overlap", value)
        except SampleError:
            lines.append(Line(name, tuple(Value((), paper[k] if paper else None) for k in range(5)), "too few people"))
            continue
        lines.append(rate_line(result, "complete", name=name, paper=paper, hours=sum(hours) if hours else None))
        curves[name] = roc_curves(result)["complete"]
    return Block(lab.find(graph).used.title, RATES, tuple(lines), Curves(curves))


def _audit(lab: Lab, graph: Graph, parameter: str = "", value: float = 0, **changes: Any) -> AuditResult:
    threat = Identification(**({parameter: value} if parameter else {}))  # type: ignore[arg-type]
    return lab.audit(graph, threat=threat, train_negatives=5_000, **changes)


_LINKED = (
    Column("identical linked"), Column("identical", "", 0),
    Column("different linked"), Column("different", "", 0),
)  # fmt: skip


def run_errors(lab: Lab) -> Outcome:
    """Link at 1% false positives, and look at right and wrong links by how far the neighbourhoods overlap."""
    runs = [_audit(lab, lab.graph("flickr"), repeats=1, seed=lab.seed + draw) for draw in range(lab.effort.draws)]
    risks = [paper_ranges(run.by_overlap) for run in runs]
    lines = tuple(
        _error_line(name, [draw[k] for draw in risks], counts)
        for k, (name, counts) in enumerate(printed("error-analysis").items())
    )
    note = (
        "By Jaccard coefficient of the 2-hop neighbourhoods of the two appearances; 50 known people, edge overlap 0.25."
    )
    bars = ("identical linked", "different linked")
    return Outcome((Block("Linked at an overall false-positive rate of 1%", _LINKED, lines, bars=bars),), (note,))


def _error_line(name: str, draws: list[OverlapRisk], paper: list[int]) -> Line:
    hits, positives, wrong, negatives = paper
    shares = [100 * hits / positives if positives else None, 100 * wrong / negatives]
    values = (
        share_value(_told((r.tpr, r.tpr_low, r.tpr_high) for r in draws), shares[0]),
        Value(tuple(float(risk.positives) for risk in draws), positives),
        share_value(_told((r.fpr, r.fpr_low, r.fpr_high) for r in draws), shares[1]),
        Value(tuple(float(risk.negatives) for risk in draws), negatives),
    )
    return Line(name, values)


def _told(shares: Iterable[tuple[float | None, ...]]) -> Iterator[tuple[float, float, float]]:
    """Leave out shares that were not told."""
    for share, low, high in shares:
        if share is not None and low is not None and high is not None:
            yield share, low, high


EXPERIMENTS = (
    Experiment(
        "two-graphs-known", "Two graphs: number of known people", "Tables 6, 10 and 12, Figure 10", _GRAPHS, run_known
    ),
    Experiment("two-graphs-edges", "Two graphs: edge overlap", "Tables 6, 10 and 12, Figure 10", _GRAPHS, run_overlaps),
    Experiment(
        "two-graphs-transfer", "Two graphs: learned from another network", "Section 4.4",
        ("flickr", "epinions"), run_transfer,
    ),
    Experiment("error-analysis", "Where links go wrong", "Figure 5", ("flickr",), run_errors),
)  # fmt: skip
