"""``thinveil stitch``: how much of the graph comes together when one link leads to the next."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.options import DRAWS, PLAN, READER, AsJson, GraphPath, open_graph, plan_words, takes
from thinveil.cli.progress import show_progress

if TYPE_CHECKING:
    from rich.table import Table

    from thinveil.auditing.stitch import StitchResult


@takes(PLAN, READER, DRAWS)
def run(
    graph: GraphPath,
    chosen: dict[str, Any],
    reader: dict[str, Any],
    run: dict[str, Any],
    known: Annotated[int, typer.Option(min=0, help="People known in every two sub-graphs; 0 for none.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Join sub-graphs along sure links, tell what is rebuilt, and what known people are worth."""
    from thinveil.auditing.plan import Plan
    from thinveil.auditing.results import GraphFacts
    from thinveil.auditing.stitch import stitch

    plan = Plan.make(beside=(), **plan_words(chosen))
    with show_progress(run) as on_progress:
        on_progress("read", 0, 0)
        data = open_graph(graph, reader)
        facts = GraphFacts.of(data, name=graph)
        result = stitch(data, plan=plan, known=known, facts=facts, on_progress=on_progress, **run)
    if as_json:
        typer.echo(json.dumps(result.to_dict(), indent=2))
    else:
        print_tables(result)


def print_tables(result: StitchResult) -> None:
    """Print the rounds and the worth of known people."""
    from thinveil.cli.table import plain_console, show

    console = plain_console()
    show(console, _rounds_table(result))
    if not any(made.links for draw in result.rounds for made in draw):
        console.print("No link was sure enough to begin with: nothing was stitched. That is no proof of safety.\n")
    elif not any(draw and draw[-1].links for draw in result.rounds):
        console.print("The last round kept none of the links that earlier rounds had made.\n")
    if result.known:
        show(console, _known_table(result))


def _rounds_table(result: StitchResult) -> Table:
    draws = len(result.rounds)
    table = _table(
        f"Rebuilt, round by round; scheme {result.plan.scheme.name}, mean of {draws} draws (± between draws; beneath "
        "shares their 95% interval)"
    )
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
    for number in range(max(map(len, result.rounds), default=0)):
        # a draw that has ended stays as it is
        made = [draw[min(number, len(draw) - 1)] for draw in result.rounds if draw]
        table.add_row(str(number), *(_cell([getattr(one, name) for one in made]) for name in names))
    return table


def _known_table(result: StitchResult) -> Table:
    priors = (_cell([getattr(one, name) for one in result.known]) for name in ("prior", "blind_prior", "release_prior"))
    told = (
        "identical pairs: {} of the contacts of known people, {} of all pairs of the same two sub-graphs, {} of any "
        "two; beneath shares their 95% interval"
    )
    table = _table(f"Between two sub-graphs with a known person ({told.format(*priors)})")
    for name in ("at FPR", "found", "right", "wrong", "precision", "without: found", "right", "wrong", "precision"):
        table.add_column(name, justify="right")
    names = ("right", "wrong", "precision", "blind_right", "blind_wrong", "blind_precision")
    from thinveil.measures.rates import FPRS

    for k, fpr in enumerate(FPRS):
        worth = [one for draw in result.known for one in draw.worth if one.fpr == fpr]
        cells = [_cell([getattr(one, name) for one in worth], _ends(worth, name)) for name in names]
        found, blind = (_cell([getattr(draw, name)[k] for draw in result.known]) for name in ("found", "blind_found"))
        table.add_row(f"{100 * fpr:g}%", found, *cells[:3], blind, *cells[3:])
    return table


def _table(title: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))


def _ends(worth: list[Any], name: str) -> list[tuple[float, float]]:
    """Return the intervals that a number of the known people's worth has; none for the others."""
    return [(getattr(one, f"{name}_low"), getattr(one, f"{name}_high")) for one in worth if hasattr(one, f"{name}_low")]


def _cell(values: list[Any], ends: list[tuple[float, float]] | None = None) -> str:
    """Return the mean of counts or of shares, the interval of shares that holds those of all draws, and the spread."""
    import numpy as np

    given = [value for value in values if value is not None]
    plain = [getattr(value, "value", value) for value in given]
    if not plain:
        return "-"
    mean, spread = float(np.mean(plain)), float(np.std(plain, ddof=1)) if len(plain) > 1 else None
    if any(isinstance(value, int) for value in plain):
        return f"{mean:,.0f}" + ("" if spread is None else f"\n±{spread:,.0f}")
    spans = ends or [(value.low, value.high) for value in given if hasattr(value, "low")]
    return f"{mean:.3g}{_span(spans)}" + ("" if spread is None else f"\n±{spread:.2g}")


def _span(ends: list[tuple[float, float]]) -> str:
    """Return the interval that holds all of some, rounded outward; empty where there are none."""
    if not ends:
        return ""
    low, high = (math.floor(1000 * min(low for low, _ in ends)), math.ceil(1000 * max(high for _, high in ends)))
    # in words, so that a narrow terminal can break it
    return f"\n{low / 1000:g} to {high / 1000:g}"
