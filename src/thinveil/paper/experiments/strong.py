"""Beyond the paper: the strong attack beside the paper's, and what it learns from other graphs."""

from __future__ import annotations

from typing import Any

from thinveil.auditing.results import AuditResult, Compared
from thinveil.features.pairs import CATEGORIES
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import FPRS
from thinveil.paper.experiments.base import Experiment, Outcome
from thinveil.paper.experiments.validation import SCHEMES
from thinveil.paper.lab import RATES, Lab, rate_line, rate_value
from thinveil.paper.numbers import printed
from thinveil.paper.records import Block, Line

_DRAWS = (
    "A fifth of the other tables' draws, one at least (--draws 25 gives five): a draw of Scheme 1 takes minutes. A "
    "quick run has 40 egonets of Scheme 2 only."
)


def run_strong(lab: Lab) -> Outcome:
    """Attack Epinions with all three attacks, under both protocols, on the same releases."""
    blocks = []
    for scheme, title in _schemes(lab).items():
        result = lab.audit(
            lab.graph("epinions"), _sized(lab, scheme), beside=(lab.forest(), "signature"), **_effort(lab)
        )
        found = {(one.attack, one.protocol): one for one in result.beside}
        for protocol in ("paper", "matched"):
            lines = []
            for category in CATEGORIES:
                paper = printed("self", "epinions", scheme, category)
                lines += [
                    rate_line(result, category, name=f"{category}, strong", paper=paper)
                    if protocol == result.plan.sampling.protocol
                    else _line(found["strong", protocol], category, "strong", paper)
                ]
                lines += [_line(found[attack, protocol], category, attack) for attack in ("forest", "signature")]
            blocks.append(Block(f"{title}, protocol {protocol}", RATES, tuple(lines)))
    return Outcome(tuple(blocks), ("The paper's figures are those of its forest, under its own protocol.", _DRAWS))


def run_transfer(lab: Lab) -> Outcome:
    """Learn the strong attack from one graph and attack another."""
    epinions, other = lab.graph("epinions"), lab.graph("pokec")
    name = lab.find("pokec").used.title
    tasks: dict[str, tuple[Graph, Graph | None]] = {
        "Epinions, from itself": (epinions, None),
        f"Epinions, from {name}": (epinions, other),
        "Epinions, from a synthetic graph": (epinions, synthetic_graph(seed=lab.seed + 1, mean_degree=24)),
        f"{name}, from itself": (other, None),
        f"{name}, from Epinions": (other, epinions),
    }
    blocks = []
    for scheme, title in _schemes(lab).items():
        results = {words: _learn_from(lab, scheme, *graphs) for words, graphs in tasks.items()}
        for category in CATEGORIES:
            lines = tuple(rate_line(one, category, name=words) for words, one in results.items())
            blocks.append(Block(f"{title}, {category}", RATES, lines))
    return Outcome(tuple(blocks), ("Protocol matched; the strong attack alone.", _DRAWS))


def _learn_from(lab: Lab, scheme: str, graph: Graph, teacher: Graph | None) -> AuditResult:
    chosen = {**_effort(lab), "protocol": "matched", "beside": ()}
    return lab.audit(graph, _sized(lab, scheme), train_on=teacher, **chosen)


def _schemes(lab: Lab) -> dict[str, str]:
    return {"d4d-2": SCHEMES["d4d-2"]} if lab.effort.quick else SCHEMES


def _effort(lab: Lab) -> dict[str, Any]:
    return {"attack": "strong", "repeats": max(1, lab.effort.draws // 5)}


def _sized(lab: Lab, scheme: str) -> str:
    return f"{scheme}:egonets=40" if lab.effort.quick else scheme


def _line(found: Compared, category: str, attack: str, paper: list[float] | None = None) -> Line:
    rates = [found.rate(category, fpr) for fpr in FPRS]
    values = tuple(rate_value(rate, paper[k] if paper else None) for k, rate in enumerate(rates))
    return Line(f"{category}, {attack}", values)


EXPERIMENTS = (
    Experiment("strong", "The strong attack beside the paper's", "beyond the paper", ("epinions",), run_strong),
    Experiment(
        "strong-transfer", "The strong attack, learned from other graphs", "beyond the paper",
        ("epinions", "pokec"), run_transfer,
    ),
)  # fmt: skip
