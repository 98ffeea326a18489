"""Command line: one short file per command; library errors become one line and exit status 1."""

from __future__ import annotations

from typing import Annotated

import typer

from thinveil.cli import (
    anonymize,
    attacks,
    audit,
    compare,
    convert,
    info,
    link,
    match,
    report,
    reproduce,
    schemes,
    stitch,
    threats,
    train,
    utility,
)
from thinveil.cli.listing import Command, CompareCommand, NamesCommand, PlanCommand, SchemeCommand, UtilityCommand
from thinveil.cli.progress import show_notices

app = typer.Typer(
    help="How many people in an anonymized social graph could be found again?",
    add_completion=True,
    no_args_is_help=True,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def _common(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if version:
        from importlib.metadata import version as version_of

        typer.echo(f"thinveil {version_of('thinveil')}")
        raise typer.Exit
    show_notices()


app.command("info", cls=Command)(info.run)
app.command("convert", cls=Command)(convert.run)
app.command("audit", cls=PlanCommand)(audit.run)
app.command("compare", cls=CompareCommand)(compare.run)
app.command("anonymize", cls=SchemeCommand)(anonymize.run)
app.command("train", cls=PlanCommand)(train.run)
app.command("link", cls=Command)(link.run)
app.command("match", cls=NamesCommand)(match.run)
app.command("stitch", cls=PlanCommand)(stitch.run)
app.command("utility", cls=UtilityCommand)(utility.run)
app.command("report", cls=Command)(report.run)
app.command("reproduce", cls=Command)(reproduce.run)
app.command("schemes", cls=Command)(schemes.run)
app.command("attacks", cls=Command)(attacks.run)
app.command("threats", cls=Command)(threats.run)


def load() -> typer.Typer:
    """Return the program, ready to run."""
    show_notices()
    return app
