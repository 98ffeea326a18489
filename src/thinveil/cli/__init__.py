"""Command line: one short file per command; library errors become one line and exit status 1."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from thinveil.cli import anonymize, audit, info, stitch
from thinveil.errors import ThinveilError

app = typer.Typer(
    help="How many people in an anonymized social graph could be found again?",
    add_completion=False,
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


app.command("info")(info.run)
app.command("anonymize")(anonymize.run)
app.command("audit")(audit.run)
app.command("stitch")(stitch.run)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except ThinveilError as error:
        print(f"thinveil: {' '.join(str(error).splitlines())}", file=sys.stderr)
        sys.exit(1)
    except SystemError as error:  # what becomes of Ctrl-C inside a kernel
        if isinstance(error.__cause__, KeyboardInterrupt):
            sys.exit(130)
        raise
