"""Command line: one short file per command; library errors become one line and exit status 1."""

from __future__ import annotations

import sys

import typer

from thinveil.cli import anonymize, audit, info
from thinveil.errors import ThinveilError

app = typer.Typer(
    help="How many people in an anonymized social graph could be found again?",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("info")(info.run)
app.command("anonymize")(anonymize.run)
app.command("audit")(audit.run)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except ThinveilError as error:
        print(f"thinveil: {error}", file=sys.stderr)
        sys.exit(1)
