"""The files of a report: the page, ``result.json``, ``roc.csv`` and ``settings.toml``.

``settings.toml`` is enough to repeat a run to the digit::

    thinveil = "0.1.0"
    run = "0123456789abcdef"    the same in all files of a report
    [plan], [threat], [scheme], [attack], [[beside]], [sampling]    the plan: all that decides the numbers
    [graph]       name (without folders), sha256 (of the file), digest (of the graph), nodes, edges, how it was read
    [train_on]    the same of the graph that the attack learned from, if that was another
    [auxiliary]   the same of the graph with names that the attacker held, if one was given
"""

from __future__ import annotations

import csv
import io
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from reprlib import repr as brief
from typing import Any

import tomli_w

from thinveil.auditing.plan import Plan
from thinveil.auditing.results import AuditResult, GraphFacts
from thinveil.errors import InputError
from thinveil.report.page import build_page, is_page
from thinveil.report.shares import printable
from thinveil.report.words import headline, upper_bounds
from thinveil.runtime.csvtext import guard_text
from thinveil.runtime.files import File, Folder, write_together
from thinveil.runtime.inputs import MOST_TOML, parse_toml, read_input
from thinveil.runtime.places import Inputs, Kind, check_place, starts_with

PAGE = "report.html"
REPORT = Kind("report", {
    "result.json": lambda path: starts_with(path, b'{\n  "headline": '),
    "settings.toml": lambda path: starts_with(path, b'thinveil = "'),
    "roc.csv": lambda path: starts_with(path, b"category,fpr,tpr,low,high"),
    PAGE: is_page,
})  # fmt: skip
"""The folder of a report, and how each of its files is told from a foreign one."""
_PLAN = ("plan", "threat", "scheme", "attack", "beside", "sampling")
_GRAPHS = ("graph", "train_on", "auxiliary")
_READER = {"source", "target", "weight", "time", "direction", "directed", "delimiter", "ids", "format"}
_GRAPH_TYPES = {"name": str, "sha256": str, "digest": str, "nodes": int, "edges": int, "reader": dict}


def write_report(
    result: AuditResult,
    folder: str | os.PathLike[str],
    *,
    force: bool = False,
    inputs: Inputs = (),
    more: Sequence[File] = (),
) -> Path:
    """Write the report of an audit as a new folder, and return the path of the page.

    The folder appears whole or not at all, and takes the place of an earlier one in one step. Each of its files has
    the same ``result.run``, so that files of two runs that were put together by hand can be told.

    Parameters
    ----------
    result
        What the audit found.
    folder
        Where to write ``report.html``, ``result.json``, ``roc.csv`` and ``settings.toml``: missing, empty, or the
        report of an earlier audit and nothing else.
    force
        Whether an earlier report may be replaced.
    inputs
        What the audit read; none of it is ever written over.
    more
        Files that belong to the same run and are written along with the report, or not at all.

    Raises
    ------
    InputError
        If the folder holds anything else, or cannot be written. Then nothing has changed.

    Examples
    --------
    >>> import tempfile
    >>> from thinveil.auditing.audit import audit
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> result = audit(synthetic_graph(3000, seed=1), "d4d-1:egonets=10,min_size=50", attack="forest:trees=20")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(result, folder).name
    'report.html'
    """
    start = time.perf_counter()
    page = build_page(result)
    seconds = {**result.seconds, "report": time.perf_counter() - start}
    contents = {
        "settings.toml": settings_toml(result),
        "roc.csv": roc_csv(result),
        "result.json": result_json(replace(result, seconds=seconds)),
        PAGE: page,
    }
    place = check_report_folder(folder, force=force, inputs=inputs)
    encoded = {name: text.encode() for name, text in contents.items()}
    write_together(Folder(place, encoded, REPORT.may_replace(force)), *more)
    return Path(folder) / PAGE


def check_report_folder(folder: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = ()) -> Path:
    """Say early, before hours of work, that a report could not be written there."""
    return check_place(folder, REPORT, force=force, inputs=inputs)


def read_settings(path: str | os.PathLike[str]) -> tuple[Plan, dict[str, dict[str, Any]]]:
    r"""Read ``settings.toml`` back: the plan, and what it says about each graph, if anything.

    Raises
    ------
    InputError
        If the file is missing, is no TOML, or holds tables, settings or names that are not known. Schemes and attacks
        of one's own must be registered first.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "mine.toml").write_text('[scheme]\nname = "d4d-1"\negonets = 20')
    ...     plan, _ = read_settings(Path(folder, "mine.toml"))
    >>> plan.scheme
    D4D1(egonets=20, min_size=400, most_nodes=0)
    """
    try:
        content = read_input(path, MOST_TOML)
    except InputError as error:
        raise InputError(f"cannot read settings from {path}: {error}") from None
    try:
        tables = parse_toml(content)
    except InputError as error:
        raise InputError(f"{path} is not a TOML file: {error}") from None
    _check_tables(path, tables)
    try:
        plan = Plan.from_tables({name: tables[name] for name in _PLAN if name in tables})
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return plan, {name: tables.get(name, {}) for name in _GRAPHS}


def settings_toml(result: AuditResult) -> str:
    """Return what it takes to repeat the run."""
    tables = {
        "thinveil": result.versions["thinveil"],
        "run": result.run,
        **result.plan.tables(),
        "graph": _graph_table(result.graph),
    }
    others = {"train_on": result.trained_on, "auxiliary": result.auxiliary}
    tables |= {name: _graph_table(facts) for name, facts in others.items() if facts is not None}
    return tomli_w.dumps(tables)


def _graph_table(graph: GraphFacts) -> dict[str, Any]:
    facts = {"name": printable(graph.title), "sha256": graph.sha256, "digest": graph.digest}
    reader = {name: value for name, value in graph.reader.items() if value is not None}  # TOML has no None
    return {**facts, "nodes": graph.nodes, "edges": graph.edges, "reader": reader}


def result_json(result: AuditResult) -> str:
    """Return the result for machines."""
    told = {"headline": headline(result), "run": result.run, "upper": upper_bounds(result), **result.to_dict()}
    return json.dumps(told, indent=2) + "\n"


def roc_csv(result: AuditResult) -> str:
    """Return the points of the ROC curves, in full precision."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("category", "fpr", "tpr", "low", "high", "run"))
    for category, curve in result.roc.items():
        columns = (curve.fpr, curve.tpr, curve.low, curve.high)
        points = zip(*(column.tolist() for column in columns), strict=True)
        writer.writerows((guard_text(category), *point, result.run) for point in points)
    return text.getvalue()


def _check_tables(path: str | os.PathLike[str], tables: Mapping[str, Any]) -> None:
    unknown = sorted(set(tables) - {"thinveil", "run", *_PLAN, *_GRAPHS})
    if unknown:
        allowed = ", ".join(f"[{name}]" for name in (*_PLAN, *_GRAPHS))
        raise InputError(f"{path}: unknown entry {unknown[0]!r}: allowed are thinveil, run, {allowed}")
    if not set(tables) & set(_PLAN):
        raise InputError(f"{path}: no table of a plan, such as [scheme]: give the settings.toml that an audit wrote")
    beside = tables.get("beside", [])
    if not isinstance(beside, list) or not all(isinstance(one, dict) for one in beside):
        raise InputError(f"{path}: beside = {brief(beside)} is not a list of tables [[beside]]")
    for table in _GRAPHS:
        _check_graph(path, table, tables.get(table, {}))


def _check_graph(path: str | os.PathLike[str], table: str, graph: Any) -> None:
    if not isinstance(graph, dict):
        raise InputError(f"{path}: {table} = {brief(graph)} is not a table [{table}]")
    for name, value in graph.items():
        if type(value) is not _GRAPH_TYPES.get(name):
            allowed = ", ".join(f"{known} ({kind.__name__})" for known, kind in _GRAPH_TYPES.items())
            raise InputError(f"{path}: {name} = {brief(value)} does not belong in [{table}]: allowed are {allowed}")
    reader = graph.get("reader", {})
    unknown = sorted(set(reader) - _READER)
    if unknown:
        raise InputError(f"{path}: {unknown[0]!r} does not belong in [{table}.reader]: remove it")
    for name, value in reader.items():
        if name != "directed" and (isinstance(value, bool) or not isinstance(value, str | int)):
            raise InputError(f"{path}: [{table}.reader] has {name} = {brief(value)}: give a text or a number")
    if not isinstance(reader.get("directed", False), bool):
        raise InputError(f"{path}: [{table}.reader] has directed = {brief(reader['directed'])}: give true or false")
