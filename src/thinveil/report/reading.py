"""``result.json`` read back, and the schema that says what stands in it."""

from __future__ import annotations

import csv
import json
import os
import typing
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from thinveil.auditing.findings import FINDINGS
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import AuditResult, RocCurve
from thinveil.errors import InputError
from thinveil.measures.promises import PromiseTest
from thinveil.runtime.csvtext import read_guarded
from thinveil.runtime.inputs import first_line, read_input
from thinveil.runtime.records import from_plain, schema_of

_MOST = 2**26  # bytes
_ASIDE = {"thinveil", "found_something", "settings", "headline", "upper", "run"}
_TEXT, _SHARE = {"type": "string"}, {"type": ["number", "null"]}


def read_result(path: str | os.PathLike[str]) -> AuditResult:
    """Read what an audit found from its ``result.json``, and the curves from ``roc.csv`` beside it, if it is there.

    All that the report shows is there again; the risk of each person is in neither file. Schemes and attacks of one's
    own must be registered first.

    Parameters
    ----------
    path
        The file ``result.json``, or the folder of the report.

    Raises
    ------
    InputError
        If it is no result of an audit, or one of another version.

    Examples
    --------
    >>> import tempfile
    >>> from thinveil.auditing.audit import audit
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.report.files import write_report
    >>> result = audit(synthetic_graph(3000, seed=1), "d4d-1:egonets=10,min_size=50", attack="forest:trees=20")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = write_report(result, folder)
    ...     read_result(folder).rates == result.rates
    True
    """
    place = Path(path) / "result.json" if Path(path).is_dir() else Path(path)
    try:
        told = _load(read_input(place, _MOST))
        plan = Plan.from_tables(from_plain(dict[str, Any], told.get("settings"), "settings"))
        own = {name: from_plain(hint, told[name], name) for name, hint in _own().items() if name in told}
        more = {name: from_plain(hint, told[name], name) for name, hint in _others().items() if name in told}
        _check_names(told, {*own, *more})
        roc = _read_roc(place.parent / "roc.csv", told["run"])
        return AuditResult(plan=plan, roc=roc, run=told["run"], more=more, **own)
    except InputError as error:
        raise InputError(f"{place}: {first_line(error)}: give the result.json of an audit") from None


def result_schema() -> dict[str, Any]:
    """Return the JSON schema of ``result.json``."""
    share = {"confidence": {"type": "number"}, "fpr": {"type": "number"}, "pairs": {"type": "number"}, "people": _SHARE}
    upper = {"type": ["object", "null"], "properties": share, "required": list(share)}
    told = {
        "headline": {**_TEXT, "description": "What was found, in a sentence or two."},
        "run": {**_TEXT, "description": "The same in all files of one run."},
        "upper": {**upper, "description": "The largest shares that 95% intervals allow; null where none is supported."},
        "thinveil": {**_TEXT, "description": "The version that made it."},
        "found_something": {"type": "boolean", "description": "Whether the attack beat guessing anywhere."},
        "settings": {"type": "object", "description": "The plan: the tables of settings.toml."},
    }
    own = {name: schema_of(hint) for name, hint in _own().items()}
    others = {name: schema_of(hint) for name, hint in _others().items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "result.json of thinveil audit",
        "type": "object", "properties": {**told, **own, **others}, "required": [*told, *own],
        "additionalProperties": False,
    }  # fmt: skip


def _own() -> dict[str, Any]:
    """Return the fields of a result that are told, with their types."""
    hints = typing.get_type_hints(AuditResult)
    return {one.name: hints[one.name] for one in fields(AuditResult) if one.metadata.get("told", True)}


def _others() -> dict[str, Any]:
    """Return the findings that are no fields of a result, with their types."""
    known = {one.name for one in fields(AuditResult)}
    found = {name: typing.get_type_hints(find)["return"] for name, find in FINDINGS.items() if name not in known}
    return {**found, "promise": PromiseTest}


def _load(content: bytes) -> dict[str, Any]:
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        raise InputError("is no JSON") from None
    if not isinstance(told, dict) or not isinstance(told.get("run"), str):
        raise InputError("is not the result of an audit")
    return told


def _check_names(told: dict[str, Any], read: set[str]) -> None:
    missing = [name for name, one in AuditResult.__dataclass_fields__.items() if name in _own() and name not in read]
    if missing:
        raise InputError(f"{missing[0]} is missing")
    strange = sorted(set(told) - read - _ASIDE)
    if strange:
        raise InputError(f"{strange[0]} is not known: it may be of another version")


def _read_roc(path: Path, run: str) -> dict[str, RocCurve]:
    """Return the curves of the same run; none where the file is missing, or of another run."""
    if not path.is_file():
        return {}
    lines = list(csv.DictReader(read_input(path, _MOST).decode(errors="replace").splitlines()))
    points: dict[str, list[list[float]]] = {}
    try:
        for line in lines:
            if line["run"] != run:
                return {}
            numbers = [float(line[name]) for name in ("fpr", "tpr", "low", "high")]
            points.setdefault(read_guarded(line["category"]), []).append(numbers)
    except (KeyError, TypeError, ValueError):
        raise InputError("roc.csv beside it holds no curves") from None
    return {name: RocCurve(*np.array(rows).T) for name, rows in points.items()}
