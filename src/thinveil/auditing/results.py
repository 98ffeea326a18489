"""What an audit found: frozen records, ready for JSON.

Nothing in them but ``AuditResult.people`` says who is who, and that is no part of ``to_dict``.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Lesson
from thinveil.auditing.plan import Plan
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.measures.mistakes import OverlapRisk
from thinveil.measures.people import PeopleTable, PersonRisks
from thinveil.measures.rates import rate
from thinveil.runtime.versions import used_versions

HEADLINE_FPR = 0.001
"""The false-positive rate at which a report's headline speaks."""

OVERLAP_FPR = 0.01
"""The false-positive rate at which mistakes are looked at, as in the paper's Section 4.5."""


@dataclass(frozen=True)
class FoundRate:
    """Share of identical pairs found at a false-positive rate, over all draws.

    ``tpr`` is hits / positives; all are None where the negatives cannot support the rate. The 95% interval ``low`` ..
    ``high`` draws pairs of sub-graphs anew, of which there are ``subgraph_pairs``: identical pairs of the same two
    sub-graphs are found or missed together. It is never narrower than the binomial one, nor than the one by how far
    pairs of one person or sub-graph agree. As many ``independent`` pairs would tell as much as the groups of the draws,
    each draw by itself. A negative may be drawn again, so what supports a rate is how many are ``distinct``;
    ``false_positives`` of all negatives passed the threshold. Pairs are counted, and people with many appearances have
    many pairs: ``per_person`` is the mean over people of the share of their pairs found. ``draws`` holds the share
    found in each draw of egos; ``mean`` and ``sd`` say how it is spread (None for a single draw).
    """

    category: str
    fpr: float
    tpr: float | None
    low: float | None
    high: float | None
    hits: int
    positives: int
    negatives: int
    distinct: int
    false_positives: int
    per_person: float | None = None
    mean: float | None = None
    sd: float | None = None
    draws: tuple[float, ...] = ()
    subgraph_pairs: int = 0
    independent: int | None = None


@dataclass(frozen=True)
class Auc:
    """Area under the ROC curve: mean and spread over draws, and the 95% interval ``low`` .. ``high``.

    The interval is the binomial one of as many independent pairs as would tell as much: wide, where pairs are few.
    """

    mean: float
    sd: float | None
    draws: tuple[float, ...]
    low: float
    high: float


@dataclass(frozen=True)
class DegreeRisk:
    """Share of identical pairs found, among those whose smaller degree lies in a range.

    The last range has no end (``highest`` is None). The interval draws pairs of sub-graphs anew, as that of a rate.
    """

    lowest: int
    highest: int | None
    tpr: float
    low: float
    high: float
    hits: int
    positives: int


@dataclass(frozen=True)
class LinkWorth:
    """What an attacker who claims all links above the threshold would get, right and wrong.

    Task ``one person``: find one person among the ``people`` compared in a sub-graph in which that person is.
    Task ``two sub-graphs``: compare everybody of one sub-graph with everybody of another.

    Both rates behind it are uncertain: the share found, and the share of different people who pass the threshold. What
    the ends of their 95% intervals give stands in ``right_low`` to ``precision_high``.
    """

    task: str
    category: str
    fpr: float
    people: float
    pairs: float
    shared: float
    right: float
    wrong: float
    precision: float | None
    right_low: float
    right_high: float
    wrong_low: float
    wrong_high: float
    precision_low: float
    precision_high: float


@dataclass(frozen=True)
class Egos:
    """How often the ego of a test sub-graph can be told from the published sub-graph alone."""

    subgraphs: int
    detected: int
    right: int


@dataclass(frozen=True, eq=False)
class RocCurve:
    """Share found by false-positive rate: mean over draws, and its 95% interval at each point."""

    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True)
class Compared:
    """Another attack, or another protocol, on the same releases."""

    attack: str
    protocol: str
    rates: tuple[FoundRate, ...]
    auc: dict[str, Auc]

    def rate(self, category: str, fpr: float) -> FoundRate | None:
        """Return the rate of a category at a false-positive rate; None where that was not measured."""
        return next((found for found in self.rates if (found.category, found.fpr) == (category, fpr)), None)


@dataclass(frozen=True)
class LinkRound:
    """One round in which links found before lead to more.

    ``people`` were put together from so many ``appearances`` of the release: as many ``pairs`` of appearances are
    claimed to be one person, and ``right`` of them are, out of ``all_pairs`` that there are.
    """

    people: int
    appearances: int
    pairs: int
    right: int
    all_pairs: int

    @property
    def precision(self) -> float | None:
        """Share of the claimed pairs that are right; None where nothing was claimed."""
        return self.right / self.pairs if self.pairs else None

    @property
    def recall(self) -> float | None:
        """Share of all identical pairs that were found; None where there are none."""
        return self.right / self.all_pairs if self.all_pairs else None


@dataclass(frozen=True)
class GraphFacts:
    """What was audited."""

    nodes: int
    edges: int
    digest: str
    name: str = ""
    sha256: str = ""
    reader: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Name of the file without the folders, which are nobody's business."""
        return PurePath(self.name).name

    @classmethod
    def of(
        cls, graph: Graph, *, name: str = "", sha256: str = "", reader: Mapping[str, Any] | None = None
    ) -> GraphFacts:
        """Describe a graph; ``name`` and ``sha256`` are those of the file, ``reader`` says how it was read."""
        known = graph.origin.file if graph.origin is not None else ""
        name = name or ("" if known.startswith("<") else known)  # a stream has no name
        return cls(graph.node_count, graph.edge_count, graph.digest(), name, sha256, dict(reader or {}))


_NOT_TOLD = {"told": False}  # in the files for machines


@dataclass(frozen=True, eq=False)
class AuditResult:
    """Everything an audit found.

    ``auxiliary`` is the graph with names, where one was given,
    ``beside`` are other attacks on the same releases, ``risk`` what may be told of each person's own risk, ``rounds``
    the links of each draw, round by round, ``lesson`` what the attack learned, and ``run`` a random number by which the
    files of one run are known. ``people`` names people: it is for the custodian, and in none of the report's files.
    ``more`` holds findings that have no field of their own.
    """

    plan: Plan = field(metadata=_NOT_TOLD)
    graph: GraphFacts
    rates: tuple[FoundRate, ...]
    auc: dict[str, Auc]
    roc: dict[str, RocCurve] = field(metadata=_NOT_TOLD)
    by_degree: tuple[DegreeRisk, ...]
    worth: tuple[LinkWorth, ...]
    baseline: tuple[FoundRate, ...]
    egos: Egos
    lesson: Lesson
    seconds: dict[str, float]
    category_seconds: dict[str, dict[str, float]] = field(default_factory=dict, metadata=_NOT_TOLD)
    trained_on: GraphFacts | None = None
    auxiliary: GraphFacts | None = None
    by_overlap: tuple[OverlapRisk, ...] = ()
    beside: tuple[Compared, ...] = ()
    risk: PersonRisks | None = None
    rounds: tuple[tuple[LinkRound, ...], ...] = ()
    versions: dict[str, str] = field(default_factory=used_versions)
    people: PeopleTable | None = field(default=None, repr=False, metadata=_NOT_TOLD)
    run: str = field(default_factory=lambda: secrets.token_hex(8), metadata=_NOT_TOLD)
    more: Mapping[str, Any] = field(default_factory=dict, metadata=_NOT_TOLD)

    def rate(self, category: str = "complete", fpr: float = HEADLINE_FPR) -> FoundRate:
        """Return the rate of a category at one of the false-positive rates."""
        for found in self.rates:
            if found.category == category and found.fpr == fpr:
                return found
        known = sorted({found.fpr for found in self.rates})
        raise InputError(f"no rate of category {category!r} at FPR {fpr!r}: the rates are {known}")

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that were measured, in their order."""
        return tuple(dict.fromkeys(found.category for found in self.rates))

    @property
    def wins(self) -> tuple[FoundRate, ...]:
        """The rates at which the attack beat guessing by more than chance gives in so many tries.

        Both shares are uncertain: the found one, which counts as many pairs as would be independent, and the one of
        false positives that the threshold lets pass.
        """
        confidence = 1 - 0.05 / max(1, len(self.rates))

        def beats_guessing(found: FoundRate) -> bool:
            pairs = found.independent or found.positives
            hits = rate(int(found.hits / found.positives * pairs + 1e-9), pairs, confidence=confidence)
            # a negative that was drawn twice is no more evidence than once
            wrong = round(found.false_positives / found.negatives * found.distinct)
            return hits.low > rate(wrong, found.distinct, confidence=confidence).high

        return tuple(found for found in self.rates if found.tpr is not None and beats_guessing(found))

    @property
    def found_something(self) -> bool:
        """Whether the attack beat guessing anywhere."""
        return bool(self.wins)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in plain types, but the curves, and who is who."""
        told = [one.name for one in fields(self) if one.metadata.get("told", True)]
        return {
            "thinveil": self.versions["thinveil"],
            "found_something": self.found_something,
            "settings": self.plan.tables(),
            **{name: _plain(getattr(self, name)) for name in told},
            **{name: _plain(value) for name, value in self.more.items()},
        }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, GraphFacts):
        return {**asdict(value), "name": value.title}
    if isinstance(value, float):
        return value
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value
