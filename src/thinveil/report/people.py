"""Each person's risk: in words for everybody, and as a table for the custodian alone."""

from __future__ import annotations

import io
import math
import os
from pathlib import Path

import numpy as np
import polars as pl

from thinveil.auditing.results import HEADLINE_FPR, AuditResult
from thinveil.auditing.settings import Settings
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.measures.people import PAIRS_EACH, PersonRisks, RiskGroup
from thinveil.measures.rates import allowed_false_positives
from thinveil.report.shares import one_in, round_percent
from thinveil.runtime.files import check_file_place, write_whole

_TOO_FEW = (
    f"the risk of each person is worked out at a false-positive rate of {one_in(HEADLINE_FPR)}, which the test "
    "pairs of different people cannot support: raise test_negatives, or publish more"
)


def write_people(result: AuditResult, graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the risk of each person as CSV that only its owner can read: it names people, like the graph itself.

    Parameters
    ----------
    result
        What the audit found.
    graph
        The graph that was audited: it knows what people are called.
    path
        The file: person, appearances, largest_degree, closest_hop (1: at most one hop from some ego; empty without
        egos), pairs_looked_at, pairs_linked and risk, from the highest risk on.

    Raises
    ------
    InputError
        If the data cannot support the rate at which risks are worked out, or the graph is another one.
    """
    table = result.people
    if table is None:
        raise InputError(_TOO_FEW)
    if graph.digest() != result.graph.digest:
        raise InputError("this is not the graph that was audited: its names would be those of others")
    columns = {
        "person": table.person if graph.labels is None else np.asarray(graph.labels)[table.person],
        "appearances": table.rows,
        "largest_degree": table.degree,
        "closest_hop": [None] * len(table) if table.hops is None else table.hops,
        "pairs_looked_at": table.looked,
        "pairs_linked": table.linked,
        "risk": table.risk,
    }
    content = io.BytesIO()
    lines = pl.DataFrame(columns).sort("risk", "person", descending=[True, False])
    lines.write_csv(content, float_precision=4)
    write_whole(path, content.getvalue(), secret=True)


def check_people_place(
    path: str | os.PathLike[str], settings: Settings, report: str | os.PathLike[str] | None = None
) -> Path:
    """Say early, before long work, that the risk of each person could not be written.

    It must not lie in the folder of the report, which may be handed on.
    """
    if report is not None and Path(report).resolve() in Path(path).resolve().parents:
        raise InputError(f"{path}: names people, and must not lie in the folder of the report: choose another place")
    if not allowed_false_positives(HEADLINE_FPR, settings.test_negatives):
        raise InputError(_TOO_FEW)
    return check_file_place(path)


def people_sentence(risk: PersonRisks | None) -> str:
    """Say how many people would be re-linked; empty where that is not known.

    Examples
    --------
    >>> counts = {"ever": 300.0, "never": 700.0, "bins": (30.0,) * 10, "by_degree": (), "by_hops": ()}
    >>> people_sentence(PersonRisks(0.001, 1000.0, 120.0, 101.2, 139.5, draws=(120.0,), **counts))
    'Of 1,000 people who could be compared, about 120 would be re-linked (95% interval 101 to 140) between two sub-graphs, chosen at random, in which they stand.'
    """  # noqa: E501
    if risk is None:
        return ""
    low, high = (risk.low, risk.high) if len(risk.draws) == 1 else (min(risk.draws), max(risk.draws))
    span = f"{math.floor(low + 1e-9):,} to {math.ceil(high - 1e-9):,}"
    interval = f"95% interval {span}" if len(risk.draws) == 1 else f"{span} in {len(risk.draws)} draws"
    found = "none" if risk.relinked == 0 else f"about {_count(risk.relinked)}"
    return (
        f"Of {risk.people:,.0f} people who could be compared, {found} would be re-linked ({interval}) between two "
        "sub-graphs, chosen at random, in which they stand."
    )


def exposed_sentences(risk: PersonRisks) -> list[str]:
    """Say who was linked at least once, and where people are most at risk."""
    told = [_ever_sentence(risk), _sure_sentence(risk)]
    if risk.by_hops:
        near, far = risk.by_hops
        told.append(
            f"People at most one hop from some ego run a risk of {_share(near)} on average, people two hops from all "
            f"egos one of {_share(far)}."
        )
    return [sentence for sentence in told if sentence]


def group_rows(risk: PersonRisks) -> list[tuple[str, str, str, str]]:
    """Return the groups of a table: who, how many, mean risk, interval."""
    hops = {0: "at most one hop from some ego", 2: "two hops from all egos"}
    named = [(hops[group.lowest], group) for group in risk.by_hops]
    named += [(_degrees(group), group) for group in risk.by_degree]
    return [(name, _count(group.people), round_percent(group.risk), _span(group)) for name, group in named]


def _ever_sentence(risk: PersonRisks) -> str:
    if not risk.ever:
        return (
            f"Nobody was linked in any of the pairs looked at, up to {PAIRS_EACH} of each person. That is what this "
            "attack did not find, not what cannot be found."
        )
    return (
        f"{_count(risk.ever)} of them ({round_percent(risk.ever / risk.people)}) were linked in at least one of the "
        f"pairs looked at, up to {PAIRS_EACH} of each person: who compares more sub-graphs finds more people."
    )


def _sure_sentence(risk: PersonRisks) -> str:
    sure = risk.bins[-1]
    return f"For {_count(sure)} of them the risk is above 90%." if sure else ""


def _share(group: RiskGroup) -> str:
    return f"{round_percent(group.risk)} (95% interval {_span(group)})"


def _span(group: RiskGroup) -> str:
    return f"{round_percent(group.low)} to {round_percent(group.high)}"


def _degrees(group: RiskGroup) -> str:
    span = f"{group.lowest:,} or more" if group.highest is None else f"{group.lowest:,} to {group.highest:,}"
    return f"{span} contacts, where they have most"


def _count(value: float) -> str:
    """Return a number of people; a mean over draws below 1 must not read as nobody."""
    return f"{value:,.0f}" if value >= 0.5 or value == 0 else "less than 1"
