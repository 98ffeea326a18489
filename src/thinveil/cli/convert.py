"""``thinveil convert``: write a graph into a folder that every command opens in a moment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from thinveil.cli.options import OUTPUT, READER, Force, GraphPath, say, takes
from thinveil.cli.progress import show_progress


@takes(READER)
def run(
    graph: GraphPath,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="New folder for the arrays, such as calls.thinveil.")],
    reader: dict[str, Any],
    memory: Annotated[
        str,
        typer.Option(
            metavar="SIZE", rich_help_panel=OUTPUT,
            help="Memory that may be taken, beside the program itself; edges that need more are sorted on the disk.",
        ),
    ] = "4GiB",
    force: Force = False,
) -> None:  # fmt: skip
    """Write a graph into a folder that every command opens in a moment, whatever its size."""
    from thinveil.cli.options import SYNTHETIC
    from thinveil.graph.stored.convert import convert

    given: Any = graph
    if graph == SYNTHETIC and not Path(SYNTHETIC).exists():
        from thinveil.graph.synthetic import synthetic_graph

        given = synthetic_graph()
    with show_progress() as on_progress:
        on_progress("convert", 0, 0)
        stored = convert(given, folder, memory=memory, force=force, **reader)
    if stored.origin is not None and stored.origin.note:
        typer.echo(f"thinveil: {stored.origin.note}", err=True)
    say(f"graph    {folder} ({stored.node_count:,} nodes, {stored.edge_count:,} edges)\ndigest   {stored.digest()}")
