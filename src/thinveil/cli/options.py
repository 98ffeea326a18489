"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from thinveil.graph import Graph

SYNTHETIC = "synthetic"

GraphPath = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="Edge list (text, CSV, Parquet, MatrixMarket; gzip and zstd too), - for standard input, "
        f"or '{SYNTHETIC}' for the built-in graph.",
    ),
]
SourceColumn = Annotated[str | None, typer.Option("--source", help="Name or number of the first id column.")]
TargetColumn = Annotated[str | None, typer.Option("--target", help="Name or number of the second id column.")]
WeightColumn = Annotated[str | None, typer.Option("--weight", help="Name or number of a column of weights.")]
TimeColumn = Annotated[str | None, typer.Option("--time", help="Name or number of a column of times.")]
DirectionColumn = Annotated[
    str | None, typer.Option("--direction", help="Name or number of a column of directions (in, out, both).")
]
Directed = Annotated[bool, typer.Option("--directed", help="Every line goes from its first id to its second.")]
Delimiter = Annotated[str | None, typer.Option(help="What parts the columns; found out by default.")]
Ids = Annotated[str, typer.Option(help="What node ids are: auto, integer or string.")]
SchemeName = Annotated[str | None, typer.Option("--scheme", help="Scheme: d4d-1, d4d-2 or overlap.  [default: d4d-2]")]
Egonets = Annotated[int | None, typer.Option(min=2, help="d4d: egonets per release.  [default: 100]")]
MinSize = Annotated[int | None, typer.Option(min=0, help="d4d: egonets have more nodes.  [default: 400]")]
NodeOverlap = Annotated[
    float | None, typer.Option(help="overlap: share of the people who are in both graphs.  [default: 0.25]")
]
EdgeOverlap = Annotated[
    float | None, typer.Option(help="overlap: share of their edges that are in both.  [default: 0.25]")
]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads; all cores by default. Changes no result.")]


def open_graph(path: str, reader: dict[str, Any]) -> Graph:
    """Return the graph a user means."""
    from pathlib import Path

    if path == SYNTHETIC and not Path(path).exists():
        from thinveil.graph.synthetic import synthetic_graph

        return synthetic_graph()
    from thinveil.graph.reading import read_graph

    return read_graph(path, **reader)
