"""``thinveil anonymize``: make a release that can be published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thinveil.cli.options import (
    Delimiter,
    EdgeOverlap,
    Egonets,
    GraphPath,
    Ids,
    MinSize,
    NodeOverlap,
    SchemeName,
    SourceColumn,
    TargetColumn,
    open_graph,
)


def run(
    graph: GraphPath,
    out: Annotated[Path, typer.Option(help="New folder for the publishable release.")],
    truth: Annotated[Path, typer.Option(help="File for the secret: who is who. Keep it; never publish it.")],
    scheme: SchemeName = None,
    egonets: Egonets = None,
    min_size: MinSize = None,
    node_overlap: NodeOverlap = None,
    edge_overlap: EdgeOverlap = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Secret number that repeats the release; random by default.")
    ] = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    delimiter: Delimiter = None,
    ids: Ids = "auto",
) -> None:
    """Write a release into a folder, and the secret truth into a file of its own.

    Whoever knows the graph and the seed can undo the release, so no seed is written into it.
    """
    import secrets

    from thinveil.schemes import make_scheme, write_release

    options = {
        "egonets": egonets, "min_size": min_size, "node_overlap": node_overlap, "edge_overlap": edge_overlap,
    }  # fmt: skip
    rule = make_scheme(scheme or "d4d-2", **{name: value for name, value in options.items() if value is not None})
    data = open_graph(graph, {"source": source, "target": target, "delimiter": delimiter, "ids": ids})
    number = secrets.randbelow(2**63) if seed is None else seed
    (release,) = rule.draw(data, releases=1, seed=number)
    write_release(release, out, truth, graph=data, scheme=rule.name, seed=number)
    typer.echo(f"release  {out} ({len(release)} sub-graphs)\ntruth    {truth} (secret: do not publish)")
