"""The risk of each person as a table, for the custodian of the graph alone."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import polars as pl

from thinveil.auditing.plan import Plan
from thinveil.auditing.results import HEADLINE_FPR, AuditResult
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.measures.rates import allowed_false_positives
from thinveil.report.shares import one_in
from thinveil.runtime.csvtext import guarded_csv
from thinveil.runtime.files import File, write_together
from thinveil.runtime.places import Inputs, Kind, check_place, starts_with

PEOPLE = Kind(
    "table of people", lambda path: starts_with(path, b"person,appearances,largest_degree,"), option="--per-person"
)
"""The file of the risk of each person."""

_TOO_FEW = (
    f"the risk of each person is worked out at a false-positive rate of {one_in(HEADLINE_FPR)}, which the test "
    "pairs of different people cannot support: give a larger --set test_negatives=, or more sub-graphs"
)


def write_people(
    result: AuditResult, graph: GraphLike, path: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = ()
) -> None:
    """Write the risk of each person as CSV that only its owner can read: it names people, like the graph itself.

    Parameters
    ----------
    result
        What the audit found.
    graph
        The graph that was audited: it knows what people are called.
    path
        The file: person, appearances, largest_degree, closest_hop (1: at most one hop from some ego; empty without
        egos), pairs_compared, pairs_linked and risk, from the highest risk on. Names that a spreadsheet would take for
        a formula have a single quote in front (``thinveil.runtime.csvtext``).
    force
        Whether an earlier table of people may be replaced.
    inputs
        What the audit read; none of it is ever written over.

    Raises
    ------
    InputError
        If the data cannot support the rate at which risks are worked out, the graph is another one, or the file is
        something else.
    """
    place = check_place(path, PEOPLE, force=force, inputs=inputs)
    write_together(people_file(result, as_graph(graph), place, force=force))


def people_file(result: AuditResult, graph: Graph, place: Path, *, force: bool = False) -> File:
    """Return what ``write_people`` writes at a place that was checked."""
    table = result.people
    if table is None:
        raise InputError(_TOO_FEW)
    if graph.digest() != result.graph.digest:
        raise InputError("this is not the graph that was audited: its names would be those of others")
    columns = {
        "person": table.person if graph.labels is None else np.asarray(graph.labels)[table.person],
        "appearances": table.appearances,
        "largest_degree": table.degree,
        "closest_hop": [None] * len(table) if table.hops is None else table.hops,
        "pairs_compared": table.looked,
        "pairs_linked": table.linked,
        "risk": table.risk,
    }
    lines = pl.DataFrame(columns).sort("risk", "person", descending=[True, False])
    content = guarded_csv(lines, float_precision=4)
    return File(place, content, secret=True, may_replace=PEOPLE.may_replace(force))


def check_people_place(
    path: str | os.PathLike[str],
    plan: Plan,
    report: str | os.PathLike[str] | None = None,
    *,
    force: bool = False,
    inputs: Inputs = (),
) -> Path:
    """Say early, before long work, that the risk of each person could not be written.

    It must not lie in the folder of the report, which may be handed on.
    """
    place = Path(path).resolve()
    if report is not None and Path(report).resolve() in (place, *place.parents):
        raise InputError(f"{path}: names people, and must not lie in the folder of the report: choose another place")
    if not allowed_false_positives(HEADLINE_FPR, plan.sampling.test_negatives):
        raise InputError(_TOO_FEW)
    return check_place(path, PEOPLE, force=force, inputs=inputs)
