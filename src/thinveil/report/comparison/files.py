"""The files of a comparison: the page, ``comparison.json``, ``comparison.csv``, and what goes on after a stop.

::

    index.html            the page, rewritten after every scheme
    comparison.json       all that was found
    comparison.csv        a line for each scheme
    finished/             assessments that are done
"""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from thinveil.auditing.comparison import Assessment, Comparison
from thinveil.errors import InputError
from thinveil.report.comparison.page import build_comparison_page
from thinveil.report.page import is_page
from thinveil.runtime.csvtext import guarded_csv
from thinveil.runtime.finished import is_begun, write_file
from thinveil.runtime.inputs import open_regular
from thinveil.runtime.places import Kind, check_folder, entries, starts_with

PAGE = "index.html"
_KINDS = {
    PAGE: Kind("page of a comparison", partial(is_page, title="schemes compared on ")),
    "comparison.json": Kind("comparison", lambda path: starts_with(path, b'{\n  "thinveil": ')),
    "comparison.csv": Kind("table of a comparison", lambda path: starts_with(path, b"scheme,status,risk,")),
}


def check_comparison_folder(folder: str | os.PathLike[str]) -> Path:
    """Return a folder that is new, or in which an earlier comparison was begun; or say what else lies there."""
    check_folder(folder)
    place = Path(folder)
    if (
        place.is_dir()
        and entries(place)
        and not is_begun(place, [(kind, place / name) for name, kind in _KINDS.items()], made_from="asked")
    ):
        raise InputError(f"{folder}: holds {entries(place)[0]}, and no comparison: name a new folder with --out")
    return place


def write_comparison(comparison: Comparison, folder: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write the page, the JSON and the CSV of a comparison, each whole, and return the path of the page.

    A comparison of the same graph by the same threat, seed and number of draws is replaced: this one goes on with it.
    Another is replaced with ``force`` only.
    """
    place = check_comparison_folder(folder)
    if not force:
        _check_same(place, comparison)
    made = {
        "comparison.json": json.dumps(comparison.to_dict(), indent=2) + "\n",
        "comparison.csv": guarded_csv(pl.DataFrame(
            [_line(one, comparison) for one in comparison.assessments], infer_schema_length=None)).decode(),
        PAGE: build_comparison_page(comparison),
    }  # fmt: skip
    for name, text in made.items():
        write_file(place / name, text, _KINDS[name])
    return place / PAGE


def _check_same(place: Path, comparison: Comparison) -> None:
    """Refuse to replace a comparison that this one does not go on with."""
    now = comparison.to_dict()
    try:
        with open_regular(place / "comparison.json") as file:
            before = json.load(file)
        is_same = before["graph"]["digest"] == now["graph"]["digest"] and all(
            before["settings"][name] == now["settings"][name] for name in ("threat", "repeats", "seed")
        )
    except (OSError, ValueError, KeyError, TypeError):
        return  # not there yet, or damaged
    if not is_same:
        raise InputError(
            f"{place}: holds a comparison of another graph, or with another threat, seed or number of draws: give "
            "--force (force=True) to replace it, or name a new folder with --out"
        )


def _line(one: Assessment, comparison: Comparison) -> dict[str, Any]:
    worst, by_threat = one.worst, {risk.threat: risk for risk in one.risks}
    line: dict[str, Any] = {
        "scheme": one.scheme, "status": one.status, "risk": None if worst is None else worst.share,
        "risk_low": None if worst is None else worst.low, "risk_high": None if worst is None else worst.high,
    }  # fmt: skip
    for threat, word in (("identification", "named"), ("linkage", "linked")):
        risk = by_threat.get(threat)
        line |= {word: risk and risk.share, f"{word}_low": risk and risk.low, f"{word}_high": risk and risk.high}
    named = by_threat.get("identification")
    line |= {
        "named_wrongly": named and named.wrong, "named_wrongly_low": named and named.wrong_low,
        "named_wrongly_high": named and named.wrong_high,
    }  # fmt: skip
    line |= {"cost": one.distance(comparison.plane)}
    line |= {found.name: found.distance for found in one.utility}
    return {**line, "alone": one.alone, "fake_edges": one.fakes, "why": one.why, "seconds": round(one.seconds, 1)}
