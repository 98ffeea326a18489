"""``thinveil audit``: measure the risk of a scheme on a graph, and write the report."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.options import SYNTHETIC, Delimiter, Ids, SourceColumn, TargetColumn, Threads, open_graph
from thinveil.errors import InputError

if TYPE_CHECKING:
    from thinveil.auditing import Progress
    from thinveil.results import GraphFacts


def run(
    graph: Annotated[
        str | None,
        typer.Argument(metavar="GRAPH", help=f"Graph file, - for standard input, or '{SYNTHETIC}'."),
    ] = None,
    scheme: Annotated[str | None, typer.Option(help="Scheme: d4d-1 or d4d-2.  [default: d4d-2]")] = None,
    egonets: Annotated[int | None, typer.Option(min=2, help="Egonets per release.  [default: 100]")] = None,
    min_size: Annotated[int | None, typer.Option(min=0, help="Egonets have more nodes.  [default: 400]")] = None,
    trees: Annotated[int | None, typer.Option(min=1, help="Trees per forest.  [default: 400]")] = None,
    protocol: Annotated[
        str | None, typer.Option(help="Non-identical pairs: paper, uniform or matched.  [default: paper]")
    ] = None,
    unseen: Annotated[
        bool | None, typer.Option("--unseen", help="Test only people who are nowhere in training.")
    ] = None,
    people: Annotated[int | None, typer.Option(min=1, help="Sub-graph size for the worth of a link.")] = None,
    test_negatives: Annotated[
        int | None, typer.Option(min=1, help="Non-identical test pairs.  [default: 100000]")
    ] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Draws of new egos.  [default: 1]")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Decides all that is random.  [default: 0]")] = None,
    settings: Annotated[
        Path | None, typer.Option(help="settings.toml of an earlier audit, to repeat it; options override it.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the report.")] = Path("thinveil-report"),
    as_json: Annotated[bool, typer.Option("--json", help="Print result.json instead of a table.")] = False,
    threads: Threads = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    delimiter: Delimiter = None,
    ids: Ids = "auto",
) -> None:
    """Measure how many people an attacker would re-link across published sub-graphs."""
    changes = {
        "scheme": scheme, "egonets": egonets, "min_size": min_size, "trees": trees, "protocol": protocol,
        "unseen": unseen, "people": people, "test_negatives": test_negatives, "repeats": repeats, "seed": seed,
    }  # fmt: skip
    reader = {"source": source, "target": target, "delimiter": delimiter, "ids": ids}
    start = time.perf_counter()
    with _progress() as report_progress:
        report_progress("read", 0, 0)
        page, result = _audit(graph, settings, changes, reader, out, threads, start, report_progress)
    if as_json:
        typer.echo((page.parent / "result.json").read_text())
    else:
        from thinveil.cli.table import print_result

        print_result(result, page)


def _audit(
    graph: str | None, settings: Path | None, changes: dict[str, Any], reader: dict[str, Any], out: Path,
    threads: int | None, start: float, on_progress: Progress,
) -> tuple[Path, Any]:  # fmt: skip
    from thinveil.auditing import audit
    from thinveil.report import read_settings, write_report
    from thinveil.settings import Settings

    chosen, earlier = read_settings(settings) if settings else (Settings(), {})
    wanted = {name: value for name, value in changes.items() if value is not None}
    chosen = Settings.from_dict({**chosen.to_dict(), **wanted})
    name = graph or earlier.get("name")
    if not name:
        raise InputError("no graph given: name a graph file, or a settings file that names one")
    reader = {**earlier.get("reader", {}), **{k: v for k, v in reader.items() if v not in (None, "auto")}}
    facts, data = _open(name, reader, earlier.get("sha256", "") if settings else "")
    seconds = {"read": time.perf_counter() - start}
    result = audit(data, settings=chosen, facts=facts, on_progress=on_progress, threads=threads, seconds=seconds)
    on_progress("report", 0, 0)
    return write_report(result, out), result


def _open(name: str, reader: dict[str, Any], expected: str) -> tuple[GraphFacts, Any]:
    """Read the graph, and make sure that a repeated audit has the same input as the first."""
    from thinveil.io import file_sha256
    from thinveil.results import GraphFacts

    sha256 = file_sha256(name) if Path(name).is_file() else ""
    if expected and sha256 != expected:
        raise InputError(f"{name}: not the file of the settings (SHA-256 {sha256 or 'unknown'}, expected {expected})")
    graph = open_graph(name, reader)
    return GraphFacts.of(graph, name=name, sha256=sha256, reader=reader), graph


@contextmanager
def _progress() -> Iterator[Progress]:
    """Show progress on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<20}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting" if _is_compiled() else "compiling (first run only)", total=None)
        yield lambda stage, done, total: bar.update(
            task, description=stage if _is_compiled() else f"{stage} (compiling, first run only)",
            completed=done, total=total or None,
        )  # fmt: skip


def _is_compiled() -> bool:
    """Tell whether an earlier run left compiled kernels behind."""
    return any((Path(__file__).parent.parent / "forest" / "__pycache__").glob("prediction.mean_leaf*.nbi"))
