"""One self-contained page that compares schemes: the plane, a table that sorts and filters, a sentence for each."""

from __future__ import annotations

from typing import Any

from thinveil.auditing.comparison import Assessment, Comparison, Risk
from thinveil.report.comparison.plane import lay_out
from thinveil.report.comparison.sentences import headline, sentence
from thinveil.report.shares import NOT_GIVEN, printable, round_percent
from thinveil.report.spans import percent_range
from thinveil.report.templates import fill
from thinveil.threats import THREATS


def build_comparison_page(comparison: Comparison) -> str:
    """Return the comparison as HTML that needs nothing outside itself."""
    return str(fill(
        "comparison/page.html",
        name=printable(comparison.graph.title) or "unnamed graph",
        graph=comparison.graph,
        headline=headline(comparison),
        threat=THREATS.make(comparison.threat).describe(),
        plane=lay_out(comparison),
        measures=comparison.plane,
        columns=_columns(comparison),
        rows=[_row(one, comparison) for one in comparison.assessments],
        repeats=comparison.repeats,
        todo=comparison.todo,
        version=comparison.versions["thinveil"],
    ))  # fmt: skip


def _columns(comparison: Comparison) -> list[tuple[str, str]]:
    """Return the heads of the table, each with a word of explanation."""
    return [
        ("scheme", "how the graph is published"),
        ("risk", "the larger share of the two beside"),
        ("named", "share of the nodes whose person is in the auxiliary graph that are named rightly"),
        ("named wrongly", "share of these nodes that get a wrong name"),
        ("linked", "share of pairs of one person that are linked, with one wrong link in 1,000 pairs"),
        ("cost", f"mean distance from the original of {', '.join(comparison.plane)}; 0 is the same"),
        *((name, "distance from the original, 0 is the same") for name in comparison.plane),
        ("alone", "share of nodes that are the only one with their number of contacts: singled out by it"),
        ("fake edges", "how well made-up edges can be told from real ones (AUC; 0.5 is guessing)"),
    ]


def _row(one: Assessment, comparison: Comparison) -> dict[str, Any]:
    by_threat = {risk.threat: risk for risk in one.risks}
    named, linked = by_threat.get("identification"), by_threat.get("linkage")
    distances = {found.name: found.distance for found in one.utility}
    cells = [
        _share(one.worst),
        _part(named, one.worst),
        _number(None if named is None else named.wrong, percents=True),
        _part(linked, one.worst),
        _number(one.distance(comparison.plane)),
        *(_number(distances.get(name)) for name in comparison.plane),
        _number(one.alone, percents=True),
        _number(one.fakes),
    ]
    return {
        "scheme": one.scheme, "status": one.status, "says": one.says, "sentence": sentence(one, comparison),
        "cells": cells, "is_best": one.scheme in comparison.frontier,
    }  # fmt: skip


def _share(risk: Risk | None) -> dict[str, Any]:
    if risk is None or risk.share is None:
        return {"value": None, "text": NOT_GIVEN, "more": ""}
    return {"value": risk.share, "text": round_percent(risk.share), "more": percent_range(risk.low, risk.high)}


def _part(risk: Risk | None, worst: Risk | None) -> dict[str, Any]:
    """Return the share of one threat; its interval stands beside the larger one already."""
    shown = _share(risk)
    return {**shown, "more": _failure(risk) or ("" if risk is worst else shown["more"])}


def _failure(risk: Risk | None) -> str:
    """Say that an attack knew that it had failed; nothing where it had not."""
    if risk is None or not risk.failed:
        return ""
    return "attack failed" if risk.failed == len(risk.draws) else f"failed in {risk.failed} of {len(risk.draws)} draws"


def _number(value: float | None, *, percents: bool = False) -> dict[str, Any]:
    if value is None:
        return {"value": None, "text": NOT_GIVEN, "more": ""}
    return {"value": value, "text": round_percent(value) if percents else f"{value:.2f}", "more": ""}
