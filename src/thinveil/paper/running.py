"""Run experiments one after another, and keep each finished table: an interrupted run goes on where it stopped.

The folder of a reproduction::

    index.html           the page, rewritten after every table
    NAME.csv             a table for spreadsheets
    finished/NAME.json   the table, and the fingerprint of what it was made from
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from thinveil.errors import InputError
from thinveil.graph.reading import file_sha256
from thinveil.paper.data import find_data, missing_words
from thinveil.paper.experiments import EXPERIMENTS, Experiment
from thinveil.paper.lab import FULL, Effort, Lab
from thinveil.paper.page import build_page, make_section
from thinveil.paper.records import Table, table_csv
from thinveil.report.page import is_page
from thinveil.runtime.finished import FinishedParts, is_begun, write_file
from thinveil.runtime.parameters import suggest
from thinveil.runtime.places import Kind, check_folder, entries, starts_with
from thinveil.runtime.versions import used_versions

PAGE = "index.html"
_PAGE = Kind("page of a reproduction", partial(is_page, title="the paper"))
_TABLE = Kind("table of a reproduction", lambda path: starts_with(path, b"table,data,block,"))


@dataclass(frozen=True)
class Finished:
    """What became of an experiment: its table, or why there is none; ``kept`` if an earlier run had made it."""

    experiment: Experiment
    table: Table | None = None
    missing: str = ""
    kept: bool = False


Progress = Callable[[Experiment, str], None]
"""Called with the experiment and what it is doing."""


def reproduce(
    names: Iterable[str],
    folder: str | os.PathLike[str] | None,
    out: str | os.PathLike[str],
    *,
    effort: Effort = FULL,
    seed: int = 0,
    force: bool = False,
    threads: int | None = None,
    on_progress: Progress = lambda experiment, words: None,
) -> Iterator[Finished]:
    """Run experiments and yield what became of each, after its table and the page are written.

    Parameters
    ----------
    names
        Names of experiments, or ``all``.
    folder
        Where the public graphs lie.
    out
        Folder for the page and the tables; finished tables in it are kept if they were made from the same.
    effort, seed
        How much work to put into each table, and what decides all that is random.
    force
        Whether tables that were made with other effort or another seed may be replaced.
    threads
        Number of threads; it does not change the result.
    on_progress
        Called with the experiment and what it is doing.
    """
    chosen = choose(names)
    data, out = Path(folder) if folder else None, _check_out(out)
    lab = Lab(data, effort, seed, threads)
    if not force:
        given = {"effort": ("number of draws", asdict(effort)), "seed": ("seed", seed)}
        FinishedParts(out).check_same(given, [one.name for one in chosen])
    done: list[Finished] = []
    sections: list[dict[str, Any]] = []
    for experiment in chosen:
        lab.report = lambda words, experiment=experiment: on_progress(experiment, words)  # type: ignore[misc]
        one = _finish(experiment, lab, out)
        done.append(one)
        sections.extend([make_section(one.table)] if one.table else [])
        write_file(out / PAGE, build_page(done, sections, chosen, effort), _PAGE)
        yield one


def choose(names: Iterable[str]) -> list[Experiment]:
    """Return the experiments of those names."""
    names = list(names)
    unknown = sorted(set(names) - set(EXPERIMENTS) - {"all"})
    if unknown:
        raise InputError(f"unknown experiment {unknown[0]!r}: {suggest(unknown[0], EXPERIMENTS)}")
    return [experiment for name, experiment in EXPERIMENTS.items() if name in names or "all" in names]


def _finish(experiment: Experiment, lab: Lab, out: Path) -> Finished:
    """Take the table from an earlier run, or make it, or say what is missing."""
    lacking = [name for name in experiment.needs if find_data(name, lab.folder) is None]
    if lacking:
        return Finished(experiment, missing="; ".join(map(missing_words, lacking)))
    parts, fingerprint = FinishedParts(out), _fingerprint(experiment, lab)
    kept = _table_of(parts.find(experiment.name, fingerprint))
    if kept is not None:
        return Finished(experiment, kept, kept=True)
    table = _run(experiment, lab)
    write_file(out / f"{experiment.name}.csv", table_csv(table), _TABLE)
    parts.keep(experiment.name, fingerprint, table.to_dict())
    return Finished(experiment, table)


def _run(experiment: Experiment, lab: Lab) -> Table:
    start = time.perf_counter()
    outcome = experiment.run(lab)
    found = [lab.find(name) for name in experiment.needs]
    return Table(
        name=experiment.name,
        title=experiment.title,
        place=experiment.place,
        data=", ".join(one.used.title for one in found) or "none",
        stand_in="; ".join(f"{one.used.title} stands in for {one.wanted.title}" for one in found if one.is_stand_in),
        blocks=outcome.blocks,
        notes=outcome.notes,
        text=outcome.text,
        draws=max((len(v.draws) for b in outcome.blocks for line in b.lines for v in line.values), default=1),
        seconds=time.perf_counter() - start,
    )


def _fingerprint(experiment: Experiment, lab: Lab) -> dict[str, Any]:
    """Return all that a table is made from: where any of it has changed, it is made again."""
    return {
        "experiment": experiment.name,
        "effort": asdict(lab.effort),
        "seed": lab.seed,
        "versions": used_versions(),
        "data": {name: file_sha256(str(lab.find(name).path)) for name in experiment.needs},
    }


def _table_of(part: Any) -> Table | None:
    """Return the table of an earlier run; None for what is none."""
    try:
        return None if part is None else Table.from_dict(part)
    except (ValueError, KeyError, TypeError):
        return None


def _check_out(out: str | os.PathLike[str]) -> Path:
    """Return a folder that is new, or that an earlier reproduction has begun."""
    check_folder(out)
    place = Path(out)
    if place.is_dir() and entries(place) and not _is_begun(place):
        raise InputError(f"{out}: holds {entries(place)[0]}, and no reproduction: name a new folder with --out")
    return place


def _is_begun(place: Path) -> bool:
    marks = [(_PAGE, place / PAGE), *((_TABLE, path) for path in place.glob("*.csv"))]
    return is_begun(place, marks, made_from="experiment")
