"""``thinveil utility``: what a release keeps of the original."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.match import open_target
from thinveil.cli.options import OUTPUT, READER, RUN, AsJson, Force, GraphPath, open_graph, say, takes
from thinveil.cli.progress import show_progress

if TYPE_CHECKING:
    from rich.table import Table

    from thinveil.measures.fakes import FakeEdges
    from thinveil.measures.utility import Measure, Utility


@takes(READER, RUN)
def run(
    graph: GraphPath,
    release: Annotated[
        Path, typer.Argument(metavar="RELEASE", help="The folder of a release, or a file with a whole graph.")
    ],
    reader: dict[str, Any],
    run: dict[str, Any],
    truth: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Who is who: the release's truth file, or a table with node and person. "
                     "Measures of single people need it, and all measures of a release of sub-graphs."),
    ] = None,
    utility: Annotated[
        str | None,
        typer.Option(metavar="NAME,...", show_default="all",
                     help="Which measures, or families of them, as listed below: clustering,paths."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides who is in the samples.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for the measures, .json or .csv.", rich_help_panel=OUTPUT)
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Measure what a release keeps of the graph it was made from.

    Each measure has a distance from 0, the same as the original, to 1.
    """
    from thinveil.measures.utility import choose
    from thinveil.measures.utility import utility as measure
    from thinveil.report.utility import check_utility_place, utility_json, write_utility

    choose(utility)  # says early what is wrong with it
    inputs: list[str | Path | None] = [graph, release, truth]
    if out is not None:
        check_utility_place(out, force=force, inputs=inputs)
    with show_progress(run) as on_progress:
        on_progress("read", 0, 0)
        original, published = open_graph(graph, reader, tell=not as_json), open_target(release, truth, reader)
        found = measure(original, published, measures=utility, seed=seed, on_progress=on_progress, **run)
    if out is not None:
        write_utility(found, out, force=force, inputs=inputs)
    if as_json:
        typer.echo(utility_json(found), nl=False)
    else:
        _print(found)
        if out is not None:
            say(f"written  {out}")


def _print(found: Utility) -> None:
    from thinveil.cli.table import plain_console, show

    console = plain_console()
    console.print(f"Compared: {found.basis}.", soft_wrap=True)
    show(console, _table(found.measures))
    missing: dict[str, list[str]] = {}
    for one in found.measures:
        if one.distance is None:
            missing.setdefault(one.reason, []).append(one.name)
    for reason, names in missing.items():
        console.print(f"Not said of {', '.join(names)}: {reason}.", soft_wrap=True)
    console.print(fakes_words(found.fakes), soft_wrap=True)


def _table(measures: tuple[Measure, ...]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title="Utility: distance 0 is the same as the original, 1 as different as can be (--json says more)",
                  title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))  # fmt: skip
    table.add_column("measure", no_wrap=True)
    for name in ("original", "release", "distance"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("what it is")
    for one in measures:
        error = "" if one.error is None else f" ±{one.error:.3f}"
        distance = "-" if one.distance is None else f"{one.distance:.3f}{error}"
        table.add_row(one.name, _number(one.original), _number(one.release), distance, one.words)
    return table


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 10_000 else f"{value:,.4g}"


def fakes_words(fakes: FakeEdges) -> str:
    """Say how well made-up edges can be told."""
    if fakes.auc is None:
        return f"Made-up edges: {fakes.reason}."
    return (
        f"Made-up edges: {fakes.fake:,} of {fakes.edges:,}. They can be told from real ones with AUC {fakes.auc:.3f} "
        f"(95% interval {fakes.low:.3f} to {fakes.high:.3f}; 0.5 is guessing) by {fakes.best}, the best of "
        f"{len(fakes.scores)} fixed scores."
    )
