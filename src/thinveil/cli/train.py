"""``thinveil train``: learn an attack once, and keep it in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from thinveil.cli.options import LEARNING, OUTPUT, READER, RUN, Force, GraphPath, open_graph, plan_words, say, takes
from thinveil.cli.progress import show_progress


@takes(LEARNING, READER, RUN)
def run(
    graph: GraphPath,
    out: Annotated[Path, typer.Option(help="File for the model.", rich_help_panel=OUTPUT)],
    chosen: dict[str, Any],
    reader: dict[str, Any],
    run: dict[str, Any],
    force: Force = False,
) -> None:
    """Learn an attack on a release drawn from a graph, for thinveil link and thinveil match."""
    from thinveil.auditing.models import MODEL, save_model
    from thinveil.auditing.plan import Plan
    from thinveil.auditing.train import train
    from thinveil.runtime.places import check_place

    check_place(out, MODEL, inputs=[graph], force=force)
    plan = Plan.make(beside=(), **plan_words(chosen))
    with show_progress(run) as on_progress:
        on_progress("read", 0, 0)
        model = train(open_graph(graph, reader), plan=plan, on_progress=on_progress, **run)
        save_model(model, out, inputs=[graph], force=force)
    names = f"scheme {plan.scheme.name}, attack {plan.attack.name}"
    say(f"model  {out} ({names}; {'; '.join(model.categories)})")
