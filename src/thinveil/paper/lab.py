"""The bench on which an experiment works: the user's graphs, the number of draws, and audits under them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thinveil.attacks import ForestAttack
from thinveil.auditing.audit import audit
from thinveil.auditing.results import AuditResult, FoundRate, GraphFacts
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import FPRS, Rate
from thinveil.paper.data import Found, require_data
from thinveil.paper.records import Column, Line, Value
from thinveil.schemes import Scheme

RATES = tuple(Column(f"{100 * fpr:g}%") for fpr in FPRS)
"""The columns of most of the paper's tables: the share found at these false-positive rates."""


@dataclass(frozen=True)
class Effort:
    """How much work a reproduction puts into each table."""

    draws: int = 5
    trees: int = 400
    negatives: int = 100_000
    quick: bool = False


FULL = Effort()
QUICK = Effort(draws=1, trees=100, negatives=20_000, quick=True)


@dataclass
class Lab:
    """What experiments share: graphs are read once, audits run with the same effort and seed."""

    folder: Path | None
    effort: Effort = FULL
    seed: int = 0
    threads: int | None = None
    report: Callable[[str], None] = lambda words: None
    _graphs: dict[str, Graph] = field(default_factory=dict)

    def find(self, name: str) -> Found:
        """Return where a data set, or its stand-in, lies."""
        return require_data(name, self.folder)

    def graph(self, name: str, **reader: Any) -> Graph:
        """Return the graph of that name, or its stand-in; ``synthetic`` is made."""
        key = f"{name} {sorted(reader.items())}"
        if key not in self._graphs:
            self._graphs[key] = (
                synthetic_graph() if name == "synthetic" else read_graph(str(self.find(name).path), **reader)
            )
        return self._graphs[key]

    def forest(self, **parameters: Any) -> ForestAttack:
        """Return the paper's attack, with as many trees as the effort allows."""
        return ForestAttack(**{"trees": self.effort.trees, **parameters})

    def audit(self, graph: Graph, scheme: str | Scheme | None = None, **changes: Any) -> AuditResult:
        """Audit a graph with this lab's effort and the paper's protocol; ``changes`` are those of ``audit``."""
        usual: dict[str, Any] = {
            "attack": self.forest(),
            "protocol": "paper",
            "repeats": self.effort.draws,
            "test_negatives": self.effort.negatives,
            "seed": self.seed,
        }
        return audit(
            graph,
            scheme,
            **{**usual, **changes},
            # the digest of a graph is not worth its time here
            facts=GraphFacts(graph.node_count, graph.edge_count, ""),
            on_progress=self.tell,
            threads=self.threads,
        )

    def tell(self, stage: str, done: int, total: int) -> None:
        """Report the progress of an audit."""
        self.report(f"{stage} ({100 * done // total}%)" if total else stage)


def rate_line(
    result: AuditResult, category: str, *, name: str = "", paper: list[float] | None = None, hours: float | None = None
) -> Line:
    """Return the rates of a category as a line of the columns ``RATES``."""
    found = [result.rate(category, fpr) for fpr in FPRS]
    values = tuple(rate_value(rate, paper[k] if paper else None) for k, rate in enumerate(found))
    pairs = f"{found[0].positives:,} identical, {found[0].negatives:,} different"
    seconds = sum(result.category_seconds.get(category, {}).values()) / result.plan.repeats
    return Line(name or category, values, pairs, seconds, hours)


def rate_value(rate: FoundRate | None, paper: float | None = None) -> Value:
    """Return what each draw found, in percent, with the interval of all; nothing without a rate."""
    if rate is None or rate.low is None or rate.high is None:
        return Value((), paper)
    return Value(tuple(100 * share for share in rate.draws), paper, (100 * rate.low, 100 * rate.high))


def share_value(shares: Iterable[tuple[float, float, float]], paper: float | None = None) -> Value:
    """Return a share for each draw, in percent, each given with its interval: the one shown holds all of them."""
    given = list(shares)
    if not given:
        return Value((), paper)
    values, lows, highs = zip(*given, strict=True)
    return Value(tuple(100 * value for value in values), paper, (100 * min(lows), 100 * max(highs)))


def of_rate(rate: Rate) -> tuple[float, float, float]:
    """Return a share and its interval."""
    return rate.value, rate.low, rate.high


def roc_curves(result: AuditResult, categories: tuple[str, ...] | None = None) -> dict[str, Any]:
    """Return the ROC curves of a result as plain points, thin enough to be kept."""
    return {
        name: tuple(zip(*(column[::4].tolist() for column in (c.fpr, c.tpr, c.low, c.high)), strict=True))
        for name, c in result.roc.items()
        if categories is None or name in categories
    }
