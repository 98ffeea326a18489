"""``thinveil link``: look for the people of a raw graph in a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thinveil.cli.options import Delimiter, Ids, SourceColumn, TargetColumn, Threads, open_graph
from thinveil.cli.progress import show_progress

if TYPE_CHECKING:
    from thinveil.measures.naming import Grade
    from thinveil.measures.rates import Rate


def run(
    raw: Annotated[str, typer.Option(metavar="GRAPH", help="The graph with names: an edge list, or 'synthetic'.")],
    release: Annotated[Path, typer.Option(metavar="DIR", help="The release, as thinveil anonymize wrote it.")],
    model: Annotated[Path, typer.Option(metavar="FILE", help="The attack, as thinveil train wrote it.")],
    out: Annotated[Path, typer.Option(help="File for the links, .csv or .parquet. It names people: keep it secret.")],
    truth: Annotated[
        Path | None, typer.Option(help="The release's truth file: count how many links are right.")
    ] = None,
    egonets: Annotated[
        int | None, typer.Option(min=2, help="Sub-graphs of the raw graph.  [default: 400, or as many as there are]")
    ] = None,
    min_size: Annotated[
        int | None, typer.Option(min=0, help="Raw egonets have more nodes.  [default: the model's]")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Candidates per published node, at most.")] = 10,
    min_score: Annotated[float, typer.Option(min=0, max=1, help="Leave out candidates that score less.")] = 0.0,
    seed: Annotated[int, typer.Option(min=0, help="Decides which raw sub-graphs are drawn.")] = 0,
    threads: Threads = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    delimiter: Delimiter = None,
    ids: Ids = "auto",
) -> None:
    """Look for the people of a raw graph among the nodes of a release.

    For custodians who test their own release before they publish it. The links name people: whoever has them has
    undone part of the anonymization.
    """
    from thinveil.auditing.linking import check_links_place, link, write_links
    from thinveil.auditing.models import load_model
    from thinveil.measures.naming import grade
    from thinveil.schemes import read_release, read_truth

    check_links_place(out)
    attack, published = load_model(model), read_release(release)
    known = None if truth is None else read_truth(truth, published)
    graph = open_graph(raw, {"source": source, "target": target, "delimiter": delimiter, "ids": ids})
    with show_progress() as on_progress:
        links = link(
            published, graph, attack, egonets=egonets, min_size=min_size, top=top, min_score=min_score, seed=seed,
            threads=threads, on_progress=on_progress,
        )  # fmt: skip
    write_links(links, out)
    typer.echo(f"links  {out} ({len(links):,} candidates; they name people: do not publish)")
    if known is not None:
        typer.echo(_lines(grade(links, published, known, min_degree=attack.settings.min_degree), top))


def _lines(found: Grade, top: int) -> str:
    lines = [
        f"{name:<6} rank 1: {_told(found.first[name])}; top {top}: {_told(found.top[name])}" for name in found.first
    ]
    claims = [
        f"score >= {least:g}: {'no link' if right is None else 'right ' + _told(right)}"
        for least, right in found.precision.items()
    ]
    return "\n".join([*lines, *claims])


def _told(share: Rate) -> str:
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%}) of {share.trials:,}"
