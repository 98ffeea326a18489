"""``thinveil audit``: measure the risk of a scheme on a graph, and write the report."""

from __future__ import annotations

import shlex
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.elsewhere import find_release
from thinveil.cli.options import (
    ATTACKER,
    DRAWS,
    GRAPH,
    OUTPUT,
    PLAN,
    READER,
    SAMPLING,
    SCHEME,
    SYNTHETIC,
    FailAbove,
    Force,
    plan_words,
    say,
    take_auxiliary,
    takes,
)
from thinveil.cli.progress import show_progress
from thinveil.cli.repeating import find_graph
from thinveil.cli.report import stop_above
from thinveil.errors import InputError

if TYPE_CHECKING:
    from thinveil.auditing.plan import Plan
    from thinveil.auditing.results import AuditResult
    from thinveil.runtime.progress import Progress


@takes(PLAN, DRAWS, READER)
def run(
    chosen: dict[str, Any],
    run: dict[str, Any],
    reader: dict[str, Any],
    graph: Annotated[
        str | None,
        typer.Argument(metavar="GRAPH", help=f"Graph file, - for standard input, or '{SYNTHETIC}'."),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:...]", rich_help_panel=ATTACKER,
            help="Another attack to measure on the same releases; may be repeated.",
            show_default="those the attack names",
        ),
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Measure no other attack or protocol.", rich_help_panel=ATTACKER)
    ] = False,
    release: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", rich_help_panel=GRAPH,
            help="A release that was made elsewhere: audit what lies there, and run no scheme. Needs --truth.",
        ),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", rich_help_panel=GRAPH,
            help="Who is who in it: a table with subgraph, node and person. The attack never sees it.",
        ),
    ] = None,
    named: Annotated[
        str | None,
        typer.Option(
            "--graph", metavar="GRAPH", rich_help_panel=GRAPH,
            help="The graph with names behind the release: what an attacker holds who wants to name its people.",
        ),
    ] = None,
    train_on: Annotated[
        str | None,
        typer.Option(metavar="GRAPH", help="Learn the attack from another graph.", rich_help_panel=ATTACKER),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option(
            help="settings.toml of an earlier audit, to repeat it; options override it.", rich_help_panel=GRAPH
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the report.", rich_help_panel=OUTPUT)] = Path("thinveil-report"),
    per_person: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", rich_help_panel=OUTPUT,
            help="Risk of each person, as CSV: it names people, keep it like the graph.",
        ),
    ] = None,
    force: Force = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", rich_help_panel=SAMPLING,
            help="A first look at a large graph: 40 sub-graphs, fewer pairs, no other attack, where you do not choose.",
        ),
    ] = False,
    test_promise: Annotated[
        bool,
        typer.Option(
            "--test-promise", rich_help_panel=SCHEME,
            help="Put what the scheme promises to the test too: k by counting, epsilon by hidden edges.",
        ),
    ] = False,
    fail_above: FailAbove = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print result.json instead of a table.", rich_help_panel=OUTPUT)
    ] = False,
) -> None:  # fmt: skip
    """Measure how many people an attacker would find again in what a scheme publishes."""
    auxiliary = take_auxiliary(chosen)
    if settings is not None and "most_nodes" in chosen and "scheme" not in chosen:
        raise InputError(f"--most-nodes {chosen['most_nodes']}: {settings} names the scheme; give --scheme too")
    words = {**plan_words(chosen), **_beside(beside, alone), "quick": quick}
    names = {"graph": _one_graph(graph, named), "train_on": train_on, "auxiliary": auxiliary}
    with show_progress(run) as report_progress:
        page, result = _audit(
            names,
            (release, truth),
            settings,
            words,
            reader,
            (out, per_person),
            {**run, "test_promise": test_promise},
            report_progress,
            force,
        )
    if as_json:
        typer.echo((page.parent / "result.json").read_text())
    else:
        _print(result, page, per_person)
    stop_above(result, fail_above)


def _print(result: AuditResult, page: Path, per_person: Path | None) -> None:
    from thinveil.cli.table import print_result

    print_result(result, page)
    if "promise" in result.more:
        from thinveil.report.sections.promise import declared, measured

        say(f"promise  {declared(result.more['promise'])} {measured(result.more['promise'])}")
    if per_person is not None:
        say(f"people  {per_person} (it names people: keep it like the graph itself)")


def _one_graph(graph: str | None, named: str | None) -> str | None:
    if graph is not None and named is not None:
        raise InputError(f"{graph} and --graph {named} are the same: give one of the two")
    return graph or named


def _beside(beside: list[str] | None, alone: bool) -> dict[str, Any]:
    if alone and beside:
        raise InputError(f"--alone and --beside {beside[0]} exclude each other: leave one out")
    return {"beside": ()} if alone else {"beside": tuple(beside)} if beside else {}


def _audit(
    names: dict[str, str | None], elsewhere: tuple[Path | None, Path | None], settings: Path | None,
    words: dict[str, Any], reader: dict[str, Any], places: tuple[Path, Path | None], run: dict[str, Any],
    on_progress: Progress, force: bool,
) -> tuple[Path, AuditResult]:  # fmt: skip
    start = perf_counter()
    from thinveil.auditing.audit import audit
    from thinveil.auditing.elsewhere import prepare
    from thinveil.auditing.plan import Plan
    from thinveil.report import check_people_place, check_report_folder, people_file, read_settings, write_report

    out, per_person = places
    base, earlier = read_settings(settings) if settings else (None, {role: {} for role in names})
    found = find_release(*elsewhere, base, settings, {**words, **names})
    plan = None if found else Plan.make(base=base, **words)
    if plan is not None and base is not None and "scheme" not in words:
        _check_stranger(plan, settings)
    if found and not getattr(base and base.threat, "auxiliary", False):
        earlier = {**earlier, "graph": {}}  # it was put together from the release
    if "threat" in words and names["auxiliary"] is None:
        earlier = {**earlier, "auxiliary": {}}  # another attacker, who has it no more
    sources = [find_graph(role, name, earlier[role], reader, settings) for role, name in names.items()]
    guard: dict[str, Any] = {"inputs": [settings, *(found or ()), *(source.path for source in sources)], "force": force}
    check_report_folder(out, **guard)
    if per_person is not None and plan is not None:
        check_people_place(per_person, plan, out, **guard)
    on_progress("read", 0, 0)
    (graph, facts), (other, other_facts), (auxiliary, auxiliary_facts) = (source.open() for source in sources)
    if found is not None:
        plan, graph, facts = prepare(found.open(), graph, plan=base, facts=facts, **found.names, **words)
    if graph is None:
        raise InputError("no graph given: name a graph file, or a settings file that names one")
    result = audit(
        graph, train_on=other, auxiliary=auxiliary, plan=plan, facts=facts, train_facts=other_facts,
        auxiliary_facts=auxiliary_facts, on_progress=on_progress, seconds={"read": perf_counter() - start}, **run,
    )  # fmt: skip
    on_progress("report", 0, 0)
    people = []
    if per_person is not None:
        place = check_people_place(per_person, result.plan, out, **guard)
        people.append(people_file(result, graph, place, force=force))
    return write_report(result, out, more=people, **guard), result


def _check_stranger(plan: Plan, settings: Path | None) -> None:
    """Refuse to run a program that settings alone name: they may come from a stranger."""
    from thinveil.schemes import SCHEMES

    if getattr(plan.scheme, "is_foreign", False):
        word = shlex.quote(SCHEMES.word(plan.scheme))
        raise InputError(f"{settings} would run a program: say yourself what is run: --scheme {word}")
