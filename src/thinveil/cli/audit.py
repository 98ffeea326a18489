"""``thinveil audit``: measure the risk of a scheme on a graph, and write the report."""

from __future__ import annotations

import tomllib
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.options import (
    SYNTHETIC,
    Delimiter,
    Directed,
    DirectionColumn,
    EdgeOverlap,
    Egonets,
    Ids,
    MinSize,
    NodeOverlap,
    SchemeName,
    SourceColumn,
    TargetColumn,
    Threads,
    TimeColumn,
    WeightColumn,
    open_graph,
)
from thinveil.cli.progress import show_progress
from thinveil.errors import InputError

if TYPE_CHECKING:
    from thinveil.auditing.results import AuditResult, GraphFacts
    from thinveil.graph import Graph
    from thinveil.runtime.progress import Progress


def run(
    graph: Annotated[
        str | None,
        typer.Argument(metavar="GRAPH", help=f"Graph file, - for standard input, or '{SYNTHETIC}'."),
    ] = None,
    scheme: SchemeName = None,
    attack: Annotated[str | None, typer.Option(help="Attack: strong, forest or signature.  [default: strong]")] = None,
    features: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="What is compared, such as degrees,contacts,weight.  [default: degrees]"),
    ] = None,
    slots: Annotated[
        int | None, typer.Option(min=1, help="Cut the time into slots; needs --time.  [default: 1]")
    ] = None,
    join: Annotated[
        str | None, typer.Option(help="Join slots: log odds, summed log odds or majority.  [default: log odds]")
    ] = None,
    train_on: Annotated[str | None, typer.Option(metavar="GRAPH", help="Learn the attack from another graph.")] = None,
    egonets: Egonets = None,
    min_size: MinSize = None,
    node_overlap: NodeOverlap = None,
    edge_overlap: EdgeOverlap = None,
    seeds: Annotated[
        int | None,
        typer.Option(
            min=0, help="People known in the attacked release, to learn from.  [default: 50 for overlap, or 0]"
        ),
    ] = None,
    trees: Annotated[int | None, typer.Option(min=1, help="Trees per forest.  [default: 400]")] = None,
    protocol: Annotated[
        str | None, typer.Option(help="Non-identical pairs: paper, uniform or matched.  [default: paper]")
    ] = None,
    alone: Annotated[
        bool | None, typer.Option("--alone", help="Measure no other attack or protocol beside the chosen one.")
    ] = None,
    unseen: Annotated[
        bool | None, typer.Option("--unseen", help="Test only people who are nowhere in training.")
    ] = None,
    people: Annotated[int | None, typer.Option(min=1, help="Sub-graph size for the worth of a link.")] = None,
    test_negatives: Annotated[
        int | None, typer.Option(min=1, help="Non-identical test pairs.  [default: 200000]")
    ] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Draws of new releases.  [default: 1]")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Decides all that is random.  [default: 0]")] = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Any other setting, such as bins=35; may be repeated."),
    ] = None,
    settings: Annotated[
        Path | None, typer.Option(help="settings.toml of an earlier audit, to repeat it; options override it.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the report.")] = Path("thinveil-report"),
    per_person: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Risk of each person, as CSV: it names people, keep it like the graph."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print result.json instead of a table.")] = False,
    threads: Threads = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    weight: WeightColumn = None,
    time: TimeColumn = None,
    direction: DirectionColumn = None,
    directed: Directed = False,
    delimiter: Delimiter = None,
    ids: Ids = "auto",
) -> None:
    """Measure how many people an attacker would re-link across published sub-graphs."""
    changes = {
        "scheme": scheme, "attack": attack, "egonets": egonets, "min_size": min_size, "trees": trees,
        "node_overlap": node_overlap, "edge_overlap": edge_overlap, "seeds": seeds,
        "protocol": protocol, "unseen": unseen, "people": people, "test_negatives": test_negatives,
        "features": features and [name.strip() for name in features.split(",")], "slots": slots, "join": join,
        "repeats": repeats, "seed": seed, "alone": alone, **_parse(others or []),
    }  # fmt: skip
    reader = {
        "source": source, "target": target, "weight": weight, "time": time, "direction": direction,
        "directed": directed or None, "delimiter": delimiter, "ids": None if ids == "auto" else ids,
    }  # fmt: skip
    names = {"graph": graph, "train_on": train_on}
    with show_progress() as report_progress:
        page, result = _audit(names, settings, changes, reader, (out, per_person), threads, report_progress)
    if as_json:
        typer.echo((page.parent / "result.json").read_text())
    else:
        from thinveil.cli.table import print_result

        print_result(result, page)
        if per_person is not None:
            typer.echo(f"people  {per_person} (it names people: keep it like the graph itself)")


def _audit(
    names: dict[str, str | None], settings: Path | None, changes: dict[str, Any], reader: dict[str, Any],
    places: tuple[Path, Path | None], threads: int | None, on_progress: Progress,
) -> tuple[Path, AuditResult]:  # fmt: skip
    on_progress("read", 0, 0)
    start = perf_counter()
    from thinveil.auditing.audit import audit
    from thinveil.auditing.settings import Settings, check_fit
    from thinveil.report import check_people_place, check_report_folder, read_settings, write_people, write_report

    out, per_person = places
    check_report_folder(out)
    chosen, earlier = read_settings(settings) if settings else (Settings(), {"graph": {}, "train_on": {}})
    chosen = Settings.from_dict({**chosen.to_dict(), **_given(changes)})
    check_fit(chosen.scheme, _given(changes))
    if per_person is not None:
        check_people_place(per_person, chosen, out)
    graph, facts = _open(names["graph"], earlier["graph"], reader)
    other, other_facts = _open(names["train_on"], earlier["train_on"], reader)
    if graph is None:
        raise InputError("no graph given: name a graph file, or a settings file that names one")
    result = audit(
        graph, train_on=other, settings=chosen, facts=facts, train_facts=other_facts, on_progress=on_progress,
        threads=threads, seconds={"read": perf_counter() - start},
    )  # fmt: skip
    on_progress("report", 0, 0)
    page = write_report(result, out)
    if per_person is not None:
        write_people(result, graph, per_person)
    return page, result


def _open(name: str | None, earlier: dict[str, Any], reader: dict[str, Any]) -> tuple[Graph | None, GraphFacts | None]:
    """Read a graph, and make sure that a repeated audit has the same input as the first."""
    name = name or earlier.get("name")
    if not name:
        return None, None
    from thinveil.auditing.results import GraphFacts
    from thinveil.graph.reading import file_sha256

    reader = {**earlier.get("reader", {}), **_given(reader)}
    sha256, expected = file_sha256(name) if Path(name).is_file() else "", earlier.get("sha256")
    if expected and not sha256:
        raise InputError(f"{name}: the graph of the settings is not here: name where it is")
    if expected and sha256 != expected:
        raise InputError(f"{name}: not the file of the settings (SHA-256 {sha256}, expected {expected})")
    graph = open_graph(name, reader)
    return graph, GraphFacts.of(graph, name=name, sha256=sha256, reader=reader)


def _parse(assignments: list[str]) -> dict[str, Any]:
    """Read NAME=VALUE as TOML would, so that numbers are numbers."""
    try:
        return {k: v for text in assignments for k, v in tomllib.loads(text).items()}
    except tomllib.TOMLDecodeError:
        raise InputError(f"--set {' --set '.join(assignments)}: give NAME=VALUE, such as bins=35") from None


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
