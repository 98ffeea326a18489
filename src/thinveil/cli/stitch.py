"""``thinveil stitch``: how much of the graph comes together when one link leads to the next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.options import Delimiter, GraphPath, Ids, SchemeName, SourceColumn, TargetColumn, Threads, open_graph

if TYPE_CHECKING:
    from rich.table import Table

    from thinveil.auditing.rebuilding import RebuildResult


def run(
    graph: GraphPath,
    scheme: SchemeName = "d4d-2",
    attack: Annotated[
        str, typer.Option(help="Attack on the neighbours of seeds: forest, strong or signature.")
    ] = "forest",
    seeds: Annotated[int, typer.Option(min=0, help="Known seeds for each two sub-graphs; 0 for none.")] = 1,
    sure: Annotated[float, typer.Option(help="How probable a link must be.")] = 0.5,
    rounds: Annotated[
        int, typer.Option(min=0, help="Rounds of training, at most; the attack has three times as many.")
    ] = 6,
    egonets: Annotated[int, typer.Option(min=2, help="Egonets per release.")] = 100,
    min_size: Annotated[int, typer.Option(min=0, help="Egonets have more nodes than this.")] = 400,
    trees: Annotated[int, typer.Option(min=1, help="Trees of the forest.")] = 400,
    repeats: Annotated[int, typer.Option(min=1, help="Draws of new egos.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Decides all that is random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    threads: Threads = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    delimiter: Delimiter = None,
    ids: Ids = "auto",
) -> None:
    """Join sub-graphs along sure links, attack again, and tell what is rebuilt; and what known seeds are worth."""
    from thinveil.auditing.rebuilding import rebuild
    from thinveil.auditing.results import GraphFacts

    data = open_graph(graph, {"source": source, "target": target, "delimiter": delimiter, "ids": ids})
    result = rebuild(
        data, scheme, seeds=seeds, sure=sure, rounds=rounds, facts=GraphFacts.of(data, name=graph),
        attack=attack, egonets=egonets, min_size=min_size, trees=trees, repeats=repeats, seed=seed, threads=threads,
    )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(result.to_dict(), indent=2))
    else:
        print_tables(result)


def print_tables(result: RebuildResult) -> None:
    """Print the rounds and the worth of seeds."""
    from rich.console import Console

    console = Console(highlight=False)
    console.print(_rounds_table(result))
    if not any(len(draw) and draw[-1].links for draw in result.rounds):
        console.print("No link was sure enough to begin with: nothing was stitched.\n")
    if result.seeds:
        console.print(_seeds_table(result))


def _rounds_table(result: RebuildResult) -> Table:
    draws = len(result.rounds)
    table = _table(f"Rebuilt, round by round; scheme {result.settings.scheme}, mean of {draws} draws (± between draws)")
    for name in (
        "round",
        "links",
        "precision",
        "people merged",
        "sub-graphs joined",
        "people",
        "of",
        "edges",
        "of",
        "wrong edges",
    ):
        table.add_column(name, justify="right")
    names = (
        "links",
        "precision",
        "linked_people",
        "subgraphs",
        "people",
        "all_people",
        "edges",
        "all_edges",
        "wrong_edges",
    )
    for number in range(max(map(len, result.rounds))):
        # a draw that has ended stays as it is
        made = [draw[min(number, len(draw) - 1)] for draw in result.rounds]
        table.add_row(str(number), *(_cell([getattr(one, name) for one in made]) for name in names))
    return table


def _seeds_table(result: RebuildResult) -> Table:
    priors = (_cell([getattr(one, name) for one in result.seeds]) for name in ("prior", "blind_prior", "release_prior"))
    told = "identical pairs: {} of the seeds' neighbours, {} of all rows of the same two sub-graphs, {} of any two"
    table = _table(f"Between two sub-graphs with a known seed ({told.format(*priors)})")
    for name in ("at FPR", "found", "right", "wrong", "precision", "without: found", "right", "wrong", "precision"):
        table.add_column(name, justify="right")
    names = ("right", "wrong", "precision", "blind_right", "blind_wrong", "blind_precision")
    from thinveil.measures.rates import FPRS

    for k, fpr in enumerate(FPRS):
        worth = [one for draw in result.seeds for one in draw.worth if one.fpr == fpr]
        cells = [_cell([getattr(one, name) for one in worth]) for name in names]
        found, blind = (_cell([getattr(draw, name)[k] for draw in result.seeds]) for name in ("found", "blind_found"))
        table.add_row(f"{100 * fpr:g}%", found, *cells[:3], blind, *cells[3:])
    return table


def _table(title: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))


def _cell(values: list[Any]) -> str:
    """Return the mean of counts or of rates, with the spread between draws."""
    import numpy as np

    plain = [getattr(value, "value", value) for value in values if value is not None]
    if not plain:
        return "-"
    mean, spread = float(np.mean(plain)), float(np.std(plain, ddof=1)) if len(plain) > 1 else None
    if any(isinstance(value, int) for value in plain):
        return f"{mean:,.0f}" + ("" if spread is None else f"\n±{spread:,.0f}")
    return f"{mean:.3g}" + ("" if spread is None else f"\n±{spread:.2g}")
