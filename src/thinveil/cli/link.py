"""``thinveil link``: find the nodes of a release that are the same person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.options import OUTPUT, RUN, Force, say, takes
from thinveil.cli.progress import show_progress

if TYPE_CHECKING:
    from thinveil.measures.rates import Rate

ReleasePath = Annotated[Path, typer.Argument(metavar="RELEASE", help="The release: a folder, or a table.")]
ModelPath = Annotated[Path, typer.Option(metavar="FILE", help="The attack, as thinveil train wrote it.")]
LinksPath = Annotated[
    Path, typer.Option(help="File for the links, .csv or .parquet: keep it secret.", rich_help_panel=OUTPUT)
]
TruthPath = Annotated[Path | None, typer.Option(help="Who is who: count how many are right.")]


@takes(RUN)
def run(
    release: ReleasePath,
    model: ModelPath,
    out: LinksPath,
    run: dict[str, Any],
    sure: Annotated[float, typer.Option(min=0, max=1, help="How probable a link must be.")] = 0.5,
    truth: TruthPath = None,
    force: Force = False,
) -> None:
    """Put together the nodes of a release that an attacker would take for one person.

    For custodians who test their own release before they publish it.
    """
    from thinveil.auditing.link import grade_links, link
    from thinveil.auditing.models import load_model
    from thinveil.auditing.tables import LINKS, check_links_place, write_links
    from thinveil.schemes import read_release

    inputs = [release, model, truth]
    check_links_place(out, inputs=inputs, force=force, kind=LINKS)
    attack, published = load_model(model), read_release(release, truth)
    with show_progress(run) as on_progress:
        links = link(published, attack, sure=sure, on_progress=on_progress, **run)
    write_links(links, out, inputs=inputs, force=force)
    say(f"links  {out} ({len(links):,} nodes in {links['cluster'].n_unique():,} clusters; do not publish)")
    if not len(links):
        say(f"No link is as probable as {sure:g}: a lower --sure may show some. That is no proof of safety.")
    if truth is not None:
        found = grade_links(links, published, attack)
        say(f"right  {told(found.precision)} links between nodes\nfound  {told(found.recall)} links there are")


def told(share: Rate | None) -> str:
    """Return a share with its interval, and of how many it is."""
    if share is None:
        return "none of 0"
    from thinveil.report.shares import percent
    from thinveil.report.spans import percent_range

    return f"{percent(share.value)} (95% interval {percent_range(share.low, share.high)}) of {share.trials:,}"
