"""``thinveil report``: the page of an audit once more, from its result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from thinveil.cli.options import FailAbove, Force, say
from thinveil.errors import InputError

EXCEEDED = 3
"""The exit status where a limit is exceeded."""


def run(
    result: Annotated[
        Path | None, typer.Argument(metavar="RESULT", help="The result.json of an audit, or the folder of its report.")
    ] = None,
    out: Annotated[Path, typer.Option(help="File for the page.")] = Path("report.html"),
    force: Force = False,
    fail_above: FailAbove = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of result.json, and do nothing else.")
    ] = False,
) -> None:
    """Make the page of an audit again from its result, without the graph.

    The curves are drawn where roc.csv lies beside result.json.
    """
    from thinveil.report import read_result, result_schema, write_page

    if schema:
        typer.echo(json.dumps(result_schema(), indent=2))
        return
    if result is None:
        raise InputError("no result given: name the result.json of an audit, or the folder of its report")
    found, found_at = read_result(result), result / "result.json" if result.is_dir() else result
    say(f"page  {write_page(found, out, force=force, inputs=[found_at])}")
    stop_above(found, fail_above)


def stop_above(result: object, limit: float | None) -> None:
    """End with a status of its own where a limit is exceeded."""
    if limit is None:
        return
    from thinveil.report import check_limit

    why = check_limit(result, limit)  # type: ignore[arg-type]
    if why is not None:
        typer.echo(f"risk {why}", err=True)
        raise typer.Exit(EXCEEDED)
