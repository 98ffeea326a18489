"""``thinveil train``: learn the attack once, and keep it in a file."""

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
    Threads,
    open_graph,
)


def run(
    graph: GraphPath,
    out: Annotated[Path, typer.Option(help="File for the model.")],
    scheme: SchemeName = None,
    egonets: Egonets = None,
    min_size: MinSize = None,
    node_overlap: NodeOverlap = None,
    edge_overlap: EdgeOverlap = None,
    trees: Annotated[int, typer.Option(min=1, help="Trees per forest.")] = 400,
    protocol: Annotated[str, typer.Option(help="Non-identical pairs: paper, uniform or matched.")] = "matched",
    seed: Annotated[int, typer.Option(min=0, help="Decides all that is random.")] = 0,
    threads: Threads = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    delimiter: Delimiter = None,
    ids: Ids = "auto",
) -> None:
    """Learn the attack on a release drawn from a graph, for thinveil link."""
    from thinveil.auditing.models import save_model, train_model
    from thinveil.auditing.settings import Settings, check_fit
    from thinveil.runtime.files import check_file_place

    check_file_place(out)
    options = {
        "scheme": scheme, "egonets": egonets, "min_size": min_size, "node_overlap": node_overlap,
        "edge_overlap": edge_overlap, "trees": trees, "protocol": protocol, "seed": seed,
    }  # fmt: skip
    given = {name: value for name, value in options.items() if value is not None}
    chosen = Settings.from_dict(given)
    check_fit(chosen.scheme, given)
    data = open_graph(graph, {"source": source, "target": target, "delimiter": delimiter, "ids": ids})
    model = train_model(data, settings=chosen, threads=threads)
    save_model(model, out)
    typer.echo(f"model  {out} (scheme {chosen.scheme}; {'; '.join(model.forests)})")
