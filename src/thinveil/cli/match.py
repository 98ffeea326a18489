"""``thinveil match``: look for the people of a graph with names in a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.link import LinksPath, ModelPath, TruthPath, told
from thinveil.cli.options import READER, RUN, Force, open_graph, say, takes
from thinveil.cli.progress import show_progress

if TYPE_CHECKING:
    from thinveil.measures.naming import Grade


@takes(READER, RUN)
def run(
    auxiliary: Annotated[
        str, typer.Argument(metavar="AUX", help="The graph with names: an edge list, or 'synthetic'.")
    ],
    release: Annotated[Path, typer.Argument(metavar="TARGET", help="The release, as thinveil anonymize wrote it.")],
    model: ModelPath,
    out: LinksPath,
    reader: dict[str, Any],
    run: dict[str, Any],
    truth: TruthPath = None,
    subgraphs: Annotated[
        int | None,
        typer.Option(
            min=2, help="Sub-graphs cut out of the graph with names.", show_default="400, or 100 to link them"
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Candidates per published node, at most.")] = 10,
    min_score: Annotated[float, typer.Option(min=0, max=1, help="Leave out candidates that score less.")] = 0.0,
    seed: Annotated[int, typer.Option(min=0, help="Decides which sub-graphs are cut out.")] = 0,
    force: Force = False,
) -> None:
    """Look for the people of a graph with names among the nodes of a release.

    For custodians who test their own release before they publish it. The links name people: whoever has them has
    undone part of the anonymization.
    """
    from thinveil.auditing.match import match
    from thinveil.auditing.models import load_model
    from thinveil.auditing.tables import check_links_place, write_links
    from thinveil.measures.naming import grade
    from thinveil.schemes import read_release

    inputs: list[str | Path | None] = [auxiliary, release, model, truth]
    check_links_place(out, inputs=inputs, force=force)
    attack, published = load_model(model), read_release(release, truth)
    with show_progress(run) as on_progress:
        on_progress("read", 0, 0)
        graph = open_graph(auxiliary, reader)
        links = match(
            graph, published, attack, subgraphs=subgraphs, top=top, min_score=min_score, seed=seed,
            on_progress=on_progress, **run,
        )  # fmt: skip
    write_links(links, out, inputs=inputs, force=force)
    say(f"links  {out} ({len(links):,} candidates; they name people: do not publish)")
    if truth is not None:
        typer.echo(_lines(grade(links, published, min_degree=attack.plan.sampling.min_degree), top))


def _lines(found: Grade, top: int) -> str:
    lines = [f"{name:<6} rank 1: {told(found.first[name])}; top {top}: {told(found.top[name])}" for name in found.first]
    claims = [
        f"score >= {least:g}: {'no link' if right is None else 'right ' + told(right)}"
        for least, right in found.precision.items()
    ]
    return "\n".join([*lines, *claims])
