"""``thinveil anonymize``: make a release that can be published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from thinveil.cli.options import OUTPUT, READER, SCHEME, SCHEME_OPTION, Force, GraphPath, open_graph, say, takes
from thinveil.cli.progress import show_progress, warnings_as_notices
from thinveil.errors import RepeatableWarning


@takes(SCHEME_OPTION, READER)
def run(
    graph: GraphPath,
    out: Annotated[Path, typer.Option(help="New folder for the publishable release.", rich_help_panel=OUTPUT)],
    truth: Annotated[
        Path,
        typer.Option(help="File for the secret: who is who. Keep it; never publish it.", rich_help_panel=OUTPUT),
    ],
    chosen: dict[str, Any],
    reader: dict[str, Any],
    slots: Annotated[
        int,
        typer.Option(min=1, help="Equal spans into which times are cut; 1 leaves them out.", rich_help_panel=SCHEME),
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Secret number that decides who is chosen for an ego, and nothing else.",
            rich_help_panel=SCHEME,
            show_default="random",
        ),
    ] = None,
    repeatable: Annotated[
        bool,
        typer.Option(
            "--repeatable",
            help="Draw names, orders and noise by --seed too. For tests, UNFIT FOR PUBLICATION: who guesses the seed "
            "undoes the release.",
            rich_help_panel=SCHEME,
        ),
    ] = False,
    force: Force = False,
) -> None:
    """Write a release into a folder, and the secret truth into a file of its own.

    Names, orders and noise are drawn by a fresh secret key, whatever the seed; it lies in the truth file only.
    """
    from thinveil.auditing.anonymize import anonymize
    from thinveil.schemes import SCHEMES, check_release_places, write_release

    word = chosen.get("scheme", "d4d-2")
    SCHEMES.make(word)  # says early what is wrong with it
    check_release_places(out, truth, inputs=[graph], force=force)
    with show_progress() as on_progress:
        on_progress("read", 0, 0)
        data = open_graph(graph, reader)
        on_progress("publish", 0, 0)
        with warnings_as_notices(RepeatableWarning):
            release = anonymize(data, word, slots=slots, seed=seed, repeatable=repeatable)
        write_release(release, out, truth, inputs=[graph], force=force)
    count = f"{len(release)} sub-graph{'s' * (len(release) > 1)}"
    told = f"{count}; made to be repeated: do not publish" if repeatable else count
    say(f"release  {out} ({told})\ntruth    {truth} (secret: do not publish)")
