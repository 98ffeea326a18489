"""``thinveil match``: put names on published nodes with the help of an auxiliary graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.link import told
from thinveil.cli.options import ATTACKER, OUTPUT, READER, RUN, AsJson, Force, open_graph, say, takes
from thinveil.cli.progress import show_progress

if TYPE_CHECKING:
    from thinveil.auditing.match import Matched, NameGrade
    from thinveil.graph import Graph
    from thinveil.schemes import Release

NamesPath = Annotated[
    Path, typer.Option(help="File for the names, .csv or .parquet: keep it secret.", rich_help_panel=OUTPUT)
]
WhoPath = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Who is who: the release's truth file, or a table with node and person. Counts "
                 "how many names are right; the attack never sees it."),
]  # fmt: skip


@takes(READER, RUN)
def run(
    auxiliary: Annotated[str, typer.Argument(metavar="AUX", help="The graph with names, or 'synthetic'.")],
    release: Annotated[
        Path, typer.Argument(metavar="TARGET", help="The folder of a release, or a file with a whole graph.")
    ],
    out: NamesPath,
    reader: dict[str, Any],
    run: dict[str, Any],
    truth: WhoPath = None,
    known: Annotated[
        Path | None,
        typer.Option(metavar="FILE", rich_help_panel=ATTACKER,
                     help="People known beforehand: a table with node and person, and subgraph if there are several."),
    ] = None,
    attack: Annotated[
        str, typer.Option(metavar="NAME[:...]", rich_help_panel=ATTACKER, help="The attack, as listed below.")
    ] = "names",
    scores: Annotated[
        Path | None,
        typer.Option(metavar="FILE", rich_help_panel=ATTACKER,
                     help="Take names from the scores of another aligner, .npy, .npz or .csv, instead of an attack."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides all that is random.", rich_help_panel=ATTACKER)] = 0,
    force: Force = False,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Put names on the nodes of a release, or of a whole graph, with the help of a graph with names.

    For custodians who test their own release before they publish it. Nobody is forced a name, and the attack says
    itself whether it should be believed. The table names people: whoever has it has undone part of the anonymization.
    """
    from thinveil.auditing.match import grade_names, match
    from thinveil.auditing.tables import check_links_place, write_links
    from thinveil.auditing.whoiswho import read_who

    inputs: list[str | Path | None] = [auxiliary, release, known, truth, scores]
    check_links_place(out, inputs=inputs, force=force)
    with show_progress(run) as on_progress:
        on_progress("read", 0, 0)
        graph, published = open_graph(auxiliary, reader), open_target(release, truth, reader)
        people = None if known is None else read_who(known)
        found = match(
            graph, published, attack=attack, known=people, scores=scores, seed=seed, on_progress=on_progress, **run
        )
    write_links(found.table, out, inputs=inputs, force=force)
    graded = grade_names(found, graph, published, seed=seed) if truth is not None else None  # type: ignore[arg-type]
    if as_json:
        typer.echo(json.dumps(_facts(found, graded), indent=2))
    else:
        say("\n".join(_lines(found, graded, out)))


def open_target(target: Path, truth: Path | None, reader: dict[str, Any]) -> Release | Graph:
    """Return a release, or a whole graph in a file, with who is who where that is given."""
    from thinveil.auditing.whoiswho import read_who, with_truth
    from thinveil.schemes import read_release
    from thinveil.schemes.given import is_release

    if is_release(target):
        return read_release(target, truth)
    graph = open_graph(str(target), reader)
    return graph if truth is None else with_truth(graph, read_who(truth))


def _lines(found: Matched, graded: NameGrade | None, out: Path) -> list[str]:
    words = found.verdict.words
    lines = [
        words[:1].upper() + words[1:] + ".",
        f"names  {out} ({len(found.table):,} nodes; they name people: do not publish)",
    ]
    for one in graded.groups if graded is not None else ():
        lines += [
            f"{one.group}: right {told(one.right)}, wrong {told(one.wrong)}",
            f"  without a structural twin, whom no attack can tell apart: {told(one.unique)}",
        ]
        if one.absent:
            lines.append(f"  not in the auxiliary graph, and named all the same: {told(one.absent_named)}")
    for worth in graded.worth if graded is not None else ():
        lines.append(f"probability {worth.probability:g} or more: right {told(worth.precision)} names")
    return lines


def _facts(found: Matched, graded: NameGrade | None) -> dict[str, Any]:
    from dataclasses import asdict

    verdict = {"accepted": found.verdict.accepted, "words": found.verdict.words, **found.verdict.facts}
    more = {} if graded is None else {"groups": [asdict(one) for one in graded.groups],
                                      "worth": [asdict(one) for one in graded.worth]}  # fmt: skip
    return {"verdict": verdict, "named": len(found.table), **more}
