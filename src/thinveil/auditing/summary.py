"""From the scores of all draws to the result of an audit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Lesson
from thinveil.auditing.results import (
    HEADLINE_FPR,
    OVERLAP_FPR,
    Auc,
    AuditResult,
    Compared,
    DegreeRisk,
    Egos,
    FoundRate,
    GraphFacts,
    LinkRound,
    LinkWorth,
    RocCurve,
)  # fmt: skip
from thinveil.auditing.settings import Settings
from thinveil.features.pairs import CATEGORIES
from thinveil.measures.intervals import GroupedRate, group_sums, grouped_rate
from thinveil.measures.mistakes import OverlapRisk, Overlaps, risk_by_overlap
from thinveil.measures.people import PeopleTable, PersonRisks, degree_ranges, risk_of_people
from thinveil.measures.rates import FPRS, Curve, allowed_false_positives, auc, link_outlook, roc_curve, threshold_at
from thinveil.runtime.streams import stream

_CURVE_POINTS = 201


@dataclass(frozen=True, eq=False)
class Trial:
    """One category of one draw: the scores of its test pairs.

    ``distinct`` counts the different ones among the negatives; ``people``, ``couples`` and ``degrees`` hold the person,
    a number for the two sub-graphs and the smaller degree of each positive pair; ``crowd`` is the mean number of rows
    among which a person is looked for. Where that was worked out, ``overlaps`` says of some pairs how far their
    neighbourhoods overlap, and ``table`` how often each person was linked.
    """

    category: str
    positives: NDArray[np.float64]
    negatives: NDArray[np.float64]
    distinct: int
    people: NDArray[np.int32]
    couples: NDArray[np.int64]
    degrees: NDArray[np.int32]
    crowd: float
    lesson: Lesson
    overlaps: Overlaps | None = None
    table: PeopleTable | None = None

    @cached_property
    def curve(self) -> Curve:
        """The ROC curve of the trial."""
        return roc_curve(self.positives, self.negatives)

    def threshold(self, fpr: float) -> float | None:
        """Return the threshold for a false-positive rate, or None where the negatives cannot support it."""
        return threshold_at(self.negatives, fpr) if allowed_false_positives(fpr, self.distinct) else None

    def share_per_person(self, found: NDArray[np.bool_]) -> float:
        """Return the mean over people of the share of their pairs that are found."""
        _, who = np.unique(self.people, return_inverse=True)
        return float((np.bincount(who, weights=found) / np.bincount(who)).mean())


@dataclass(frozen=True, eq=False)
class Measured:
    """Another attack of the same draw, or the same under another protocol."""

    attack: str
    protocol: str
    trials: tuple[Trial, ...]


@dataclass(frozen=True, eq=False)
class Draw:
    """One draw of egos: its trials, and the means over two sub-graphs of its test release.

    ``rows`` is the mean number of rows of a sub-graph; ``pairs`` and ``shared`` the mean number of pairs of rows of
    two sub-graphs and of people with a row in both; ``categories`` are those of the release that were asked for.
    ``beside`` are other attacks on the same releases, ``rounds`` what an attack linked round by round, if it does.
    """

    trials: tuple[Trial, ...]
    rows: float
    pairs: float
    shared: float
    egos: Egos
    categories: tuple[str, ...] = CATEGORIES
    beside: tuple[Measured, ...] = ()
    rounds: tuple[LinkRound, ...] = ()


def summarize(
    draws: Sequence[Draw],
    settings: Settings,
    graph: GraphFacts,
    trained_on: GraphFacts | None,
    seconds: dict[str, float],
) -> AuditResult:
    """Join the draws into one result."""
    categories = draws[0].categories
    trials = _by_category(categories, [draw.trials for draw in draws])
    rates = _found_rates(trials, (settings.attack, settings.protocol), settings.seed)
    complete = trials["complete"]
    guesses = [_guesses(trial, stream(settings.seed, "guesses", k)) for k, trial in enumerate(complete)]
    tables = _tables(complete)
    return AuditResult(
        settings=settings,
        graph=graph,
        rates=rates,
        auc=_areas(trials),
        roc={name: _mean_curve(trials[name]) for name in categories if trials[name]},
        by_degree=tuple(_risk_by_degree(complete, settings)),
        by_overlap=_risk_by_overlap(complete),
        worth=tuple(_worth(rates, trials, draws, settings.people)),
        baseline=_found_rates({"complete": guesses}, ("guessing",), settings.seed),
        egos=Egos(*(sum(getattr(d.egos, name) for d in draws) for name in ("subgraphs", "detected", "right"))),
        important=complete[0].lesson.important if complete else (),
        tree=complete[0].lesson.tree if complete else "",
        learned=complete[0].lesson.channels if complete else (),
        seconds=dict(seconds),
        trained_on=trained_on,
        beside=tuple(
            _compare(categories, kinds, settings.seed) for kinds in zip(*(d.beside for d in draws), strict=True)
        ),
        risk=_risk_of_people(tables, settings),
        people=PeopleTable.pool(tables) if tables else None,
        rounds=tuple(draw.rounds for draw in draws) if any(draw.rounds for draw in draws) else (),
    )


def _by_category(categories: Sequence[str], draws: Sequence[Sequence[Trial]]) -> dict[str, list[Trial]]:
    return {name: [trial for trials in draws for trial in trials if trial.category == name] for name in categories}


def _compare(categories: Sequence[str], draws: Sequence[Measured], seed: int) -> Compared:
    """Join the draws of another attack."""
    kind, trials = (draws[0].attack, draws[0].protocol), _by_category(categories, [draw.trials for draw in draws])
    return Compared(*kind, _found_rates(trials, kind, seed), _areas(trials))


def _thresholds(trials: Sequence[Trial], fpr: float) -> list[float]:
    """Return the draws' thresholds; none at all where one draw cannot support the rate."""
    found = [limit for trial in trials if (limit := trial.threshold(fpr)) is not None]
    return found if len(found) == len(trials) else []


def _found_rates(trials: Mapping[str, Sequence[Trial]], kind: tuple[str, ...], seed: int) -> tuple[FoundRate, ...]:
    """Return the rates of all categories at all false-positive rates."""
    return tuple(
        _found_rate(name, fpr, trials[name], stream(seed, "intervals", *kind, name, str(fpr)))
        for name in trials
        for fpr in FPRS
    )


def _found_rate(category: str, fpr: float, trials: Sequence[Trial], chance: np.random.Generator) -> FoundRate:
    """Pool the hits of all draws."""
    positives, negatives = (sum(getattr(t, side).size for t in trials) for side in ("positives", "negatives"))
    distinct = sum(trial.distinct for trial in trials)
    limits = _thresholds(trials, fpr)
    if not limits:
        return FoundRate(category, fpr, None, None, None, 0, positives, negatives, distinct, 0)
    hits = [trial.positives > limit for trial, limit in zip(trials, limits, strict=True)]
    wrong = sum(int((trial.negatives > limit).sum()) for trial, limit in zip(trials, limits, strict=True))
    pooled = _pool(trials, hits, chance)
    shares = tuple(float(found.mean()) for found in hits)
    per_person = float(np.mean([trial.share_per_person(found) for trial, found in zip(trials, hits, strict=True)]))
    return FoundRate(
        category, fpr, pooled.value, pooled.low, pooled.high, pooled.hits, positives, negatives, distinct, wrong,
        per_person, float(np.mean(shares)), _spread(shares), shares, pooled.groups, pooled.independent,
    )  # fmt: skip


def _pool(trials: Sequence[Trial], hits: Sequence[NDArray[np.bool_]], chance: np.random.Generator) -> GroupedRate:
    """Return the share of hits; the groups are the pairs of sub-graphs of all draws."""
    sums = [group_sums(trial.couples, found) for trial, found in zip(trials, hits, strict=True)]
    found, pairs = (np.concatenate(column) for column in zip(*sums, strict=True))
    return grouped_rate(found, pairs, chance)


def _areas(trials: Mapping[str, Sequence[Trial]]) -> dict[str, Auc]:
    return {name: _auc(mine) for name, mine in trials.items() if mine}


def _auc(trials: Sequence[Trial]) -> Auc:
    areas = tuple(auc(trial.positives, trial.negatives) for trial in trials)
    return Auc(float(np.mean(areas)), _spread(areas), areas)


def _spread(values: Sequence[float]) -> float | None:
    """Return the standard deviation between draws; one draw has none."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


def _mean_curve(trials: Sequence[Trial]) -> RocCurve:
    """Average the draws' curves at the same false-positive rates, from the smallest they can tell on."""
    smallest = max(1 / trial.distinct for trial in trials)
    fpr = np.geomspace(smallest, 1.0, _CURVE_POINTS)
    tpr = np.array([trial.curve.at(fpr) for trial in trials])
    return RocCurve(fpr, tpr.mean(axis=0), tpr.min(axis=0), tpr.max(axis=0))


def _risk_by_degree(trials: Sequence[Trial], settings: Settings) -> Iterable[DegreeRisk]:
    limits = _thresholds(trials, HEADLINE_FPR)
    if not limits:
        return
    degrees = np.concatenate([trial.degrees for trial in trials])
    for low, high in degree_ranges(degrees, settings.min_degree):
        parts = [_narrow(trial, (trial.degrees > low) & (trial.degrees <= (high or np.inf))) for trial in trials]
        hits = [part.positives > limit for part, limit in zip(parts, limits, strict=True)]
        share = _pool(parts, hits, stream(settings.seed, "intervals by degree", low))
        yield DegreeRisk(low + 1, high, share.value, share.low, share.high, share.hits, share.trials)


def _narrow(trial: Trial, mine: NDArray[np.bool_]) -> Trial:
    """Return the trial with some of its positives only."""
    return replace(
        trial,
        positives=trial.positives[mine],
        people=trial.people[mine],
        couples=trial.couples[mine],
        degrees=trial.degrees[mine],
    )


def _tables(trials: Sequence[Trial]) -> list[PeopleTable]:
    """Return who was linked how often in each draw; nothing at all where one draw cannot tell."""
    found = [trial.table for trial in trials if trial.table is not None]
    return found if len(found) == len(trials) else []


def _risk_of_people(tables: Sequence[PeopleTable], settings: Settings) -> PersonRisks | None:
    chance = stream(settings.seed, "intervals of people")
    if not tables:
        return None
    return risk_of_people(tables, fpr=HEADLINE_FPR, min_degree=settings.min_degree, chance=chance)


def _risk_by_overlap(trials: Sequence[Trial]) -> tuple[OverlapRisk, ...]:
    samples = [trial.overlaps for trial in trials if trial.overlaps is not None]
    limits = _thresholds(trials, OVERLAP_FPR)
    return risk_by_overlap(samples, limits) if limits and len(samples) == len(limits) else ()


def _worth(
    rates: Sequence[FoundRate], trials: Mapping[str, Sequence[Trial]], draws: Sequence[Draw], people: int | None
) -> Iterable[LinkWorth]:
    rows, pairs, shared = (float(np.mean([getattr(d, name) for d in draws])) for name in ("rows", "pairs", "shared"))
    for found in rates:
        if found.tpr is None:
            continue
        crowd = float(people or np.mean([trial.crowd for trial in trials[found.category]]))
        tasks = [("one person", crowd, crowd, 1.0)]
        if found.category == "complete":
            tasks.append(("two sub-graphs", rows, pairs, shared))
        for task, size, compared, matches in tasks:
            passed = found.false_positives / found.negatives
            outlook = link_outlook(found.tpr, passed, pairs=compared, matches=min(matches, compared))
            worth = (outlook.right, outlook.wrong, outlook.precision)
            yield LinkWorth(task, found.category, found.fpr, size, compared, matches, *worth)


def _guesses(trial: Trial, chance: np.random.Generator) -> Trial:
    """Return the same trial by an attacker who guesses: what any attack must beat."""
    return replace(trial, positives=chance.random(trial.positives.size), negatives=chance.random(trial.negatives.size))
