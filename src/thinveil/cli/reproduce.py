"""``thinveil reproduce``: the paper's tables and figures, measured again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.options import RUN, say, takes
from thinveil.cli.progress import show_progress

if TYPE_CHECKING:
    from thinveil.paper import Experiment, Finished


@takes(RUN)
def run(
    run: dict[str, Any],
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Tables to reproduce, or 'all'; none lists them.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(envvar="THINVEIL_DATA", help="Folder with the public graphs.", show_envvar=True)
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="One draw and smaller forests: minutes in all.")] = False,
    draws: Annotated[int | None, typer.Option(min=1, help="Draws of new people per number.", show_default="5")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides all that is random.")] = 0,
    out: Annotated[Path, typer.Option(help="Folder for the page and the tables.")] = Path("thinveil-paper"),
    force: Annotated[bool, typer.Option("--force", help="Replace tables of other draws or another seed.")] = False,
) -> None:
    """Measure the paper's tables and figures again, its own numbers beside ours.

    Finished tables are kept in the folder: a run that was interrupted goes on where it stopped.
    """
    from thinveil.errors import InputError
    from thinveil.paper import FULL, PAGE, QUICK, choose, reproduce

    if not names:
        _list(data)
        return
    if data is not None and not data.is_dir():
        raise InputError(f"{data} is not a folder: name the one that holds the public graphs with --data")
    effort = QUICK if quick else FULL
    effort = replace(effort, draws=draws or effort.draws)
    count = len(choose(names))
    with show_progress(run, lines=False) as on_progress:
        finished = reproduce(
            names, data, out, effort=effort, seed=seed, force=force,
            on_progress=lambda experiment, words: on_progress(f"{experiment.name}: {words}", 0, 0), **run,
        )  # fmt: skip
        made = 0
        for number, one in enumerate(finished, start=1):
            say(f"[{number}/{count}] {one.experiment.name:<20} {_outcome(one)}")
            made += one.table is not None
    say(f"page     {out / PAGE}")
    if not made:
        raise InputError("no table was made: name the folder that holds the public graphs with --data")


def _outcome(one: Finished) -> str:
    from thinveil.paper.page import duration

    if one.table is None:
        return f"not run: {one.missing}"
    stand_in = f" ({one.table.stand_in})" if one.table.stand_in else ""
    return f"{'kept from an earlier run' if one.kept else duration(one.table.seconds)}{stand_in}"


def _list(data: Path | None) -> None:
    """List the experiments, and which of them the data allow."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from thinveil.paper import EXPERIMENTS

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for head in ("name", "what", "in the paper", "graphs"):
        table.add_column(head, no_wrap=head == "name")
    for experiment in EXPERIMENTS.values():
        table.add_row(experiment.name, experiment.title, experiment.place, _needs(experiment, data))
    console = Console()
    console.print(table)
    console.print("thinveil reproduce NAME... or all, with --data DIR (or THINVEIL_DATA) where the graphs are")


def _needs(experiment: Experiment, data: Path | None) -> str:
    from thinveil.paper.data import data_sets, find_data

    def state(name: str) -> str:
        title, found = data_sets()[name].title, find_data(name, data)
        if data is None:
            return title
        if found is None:
            return f"{title} (missing: {data_sets()[name].source})"
        return f"{title} (stand-in: {found.used.title})" if found.is_stand_in else title

    return ", ".join(map(state, experiment.needs)) or "none"
