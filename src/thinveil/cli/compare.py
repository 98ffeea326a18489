"""``thinveil compare``: schemes beside each other, what each protects and what it destroys."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.options import ATTACKER, DRAWS, OUTPUT, READER, SAMPLING, SCHEME, AsJson, Force, GraphPath, say, takes
from thinveil.cli.progress import show_progress

if TYPE_CHECKING:
    from rich.table import Table

    from thinveil.auditing.comparison import Comparison


@takes(READER, DRAWS)
def run(
    graph: GraphPath,
    reader: dict[str, Any],
    run: dict[str, Any],
    schemes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SCHEME]...", help="Schemes, as in `thinveil schemes`; without any, a grid of them."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--schemes", metavar="FILE.toml", rich_help_panel=SCHEME,
                     help="A file of schemes: a list of words, and tables of parameters with several values each."),
    ] = None,
    utility: Annotated[
        str | None,
        typer.Option(metavar="NAME,...", rich_help_panel=SCHEME, show_default="degrees, clustering, paths, edges",
                     help="Which measures of utility count as the cost: clustering,paths."),
    ] = None,
    aux: Annotated[
        str | None,
        typer.Option(metavar="nodes=SHARE,edges=SHARE", rich_help_panel=ATTACKER, show_default="nodes=0.5,edges=0.75",
                     help="What whoever wants names holds: shares of people and edges in common with the release."),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Draws of each audit.", rich_help_panel=SAMPLING)] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Decides all that is random.", rich_help_panel=SAMPLING)] = 0,
    out: Annotated[
        Path, typer.Option(help="Folder for the page; a run that was stopped goes on there.", rich_help_panel=OUTPUT)
    ] = Path("thinveil-comparison"),
    force: Force = False,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Compare schemes on one graph: how many people each leaves to be found again, and what it costs."""
    from thinveil.auditing.comparison.comparing import AUXILIARY, are_measured, compare
    from thinveil.auditing.comparison.grid import check_words, read_grid
    from thinveil.cli.options import plan_words
    from thinveil.cli.repeating import find_graph
    from thinveil.errors import InputError
    from thinveil.measures.utility import choose
    from thinveil.report.comparison import check_comparison_folder, write_comparison

    words = [*(schemes or ()), *(read_grid(file) if file else ())] or None
    if words:
        check_words(words)
    choose(utility)
    place = check_comparison_folder(out)
    threat = plan_words({"aux": aux})["threat"] if aux else AUXILIARY
    with show_progress(run) as on_progress:
        on_progress("read", 0, 0)
        opened, facts = find_graph("graph", graph, {}, reader, None).open()
        if opened is None:
            raise InputError("no graph given: name a graph file")
        found = compare(
            opened, words, threat=threat, utility=utility, repeats=repeats, seed=seed, facts=facts, folder=place,
            force=force, on_progress=on_progress,
            on_assessed=lambda so_far: write_comparison(so_far, place, force=force), **run,
        )  # fmt: skip
        page = write_comparison(found, place, force=force)
    if as_json:
        typer.echo((place / "comparison.json").read_text(), nl=False)
    else:
        _print(found, page)
    if not are_measured(found):
        raise InputError("no scheme could be measured: the page says why")


def _print(found: Comparison, page: Path) -> None:
    from thinveil.cli.table import plain_console, show
    from thinveil.report.comparison.sentences import headline

    console = plain_console()
    show(console, _table(found))
    for one in found.assessments:
        if one.why:
            say(f"{one.scheme}: {one.why.removeprefix(f'{one.scheme}: ')}")
    say(f"worth a choice  {', '.join(found.frontier) or f'none: {headline(found)}'}\npage            {page}")


def _table(found: Comparison) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title="Risk and cost of each scheme; less is better of both", title_justify="left", box=SIMPLE_HEAD,
                  padding=(0, 1, 0, 0))  # fmt: skip
    table.add_column("scheme", overflow="fold")
    for name in ("risk", "95% interval", "under", "cost"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found.assessments:
        worst, cost = one.worst, one.distance(found.plane)
        told = ("-", "-", one.status if one.status != "measured" else "-")
        if worst is not None and worst.share is not None:
            told = (f"{worst.share:.1%}", f"{worst.low:.1%} to {worst.high:.1%}", worst.threat)
        table.add_row(one.scheme, *told, "-" if cost is None else f"{cost:.3f}")
    return table
