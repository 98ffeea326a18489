"""Every scheme with two parameters each: what is found of people in it, and what is left for use; draw by draw.

Each draw is a comparison with a seed of its own, as ``thinveil compare --seed`` makes it, in a folder of its own: what
was stopped goes on, and more draws may be added later. The table of all finished draws, mean and standard deviation, is
written anew to ``catalogue.md`` in that folder after every scheme. Uses Epinions and GitHub where THINVEIL_DATA names a
folder that holds them, the built-in graph elsewhere.

    python benchmarks/bench_catalogue.py OUT [--draws 5] [--graphs NAME ...] [--only SCHEME ...]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from thinveil import compare
from thinveil.auditing.comparison import Assessment, Comparison
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.finished import write_file

WORDS = (
    "pseudonyms", "sparsify:share=0.1", "sparsify:share=0.5", "add-delete:share=0.1", "add-delete:share=0.3",
    "switch:share=0.1", "switch:share=1", "random-walk:steps=2", "random-walk:steps=5", "k-degree:k=10",
    "k-degree:k=50", "clusters:k=5", "clusters:k=5,hops=1", "uncertain:k=20", "uncertain:k=50", "tmf:epsilon=5",
    "tmf:epsilon=8", "priv-graph:epsilon=2", "priv-graph:epsilon=8", "dp-degrees:epsilon=1", "dp-degrees:epsilon=10",
    "drop-hubs:share=0.001", "drop-hubs:share=0.01", "d4d-1:egonets=50", "d4d-1:egonets=100", "d4d-2:egonets=50",
    "d4d-2:egonets=100", "sparsify:share=0.1+d4d-2", "sparsify:share=0.3+d4d-2", "random-graph",
)  # fmt: skip
UTILITY = ("degrees", "local-clustering", "path-lengths", "communities", "edges-kept")
GRAPHS = {"Epinions": "soc-Epinions1.txt.gz", "GitHub": "github-social.csv.gz"}
FIRST_SEED = 101
DASH = "\N{EN DASH}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--graphs", nargs="*", default=list(GRAPHS))
    parser.add_argument("--only", nargs="*", default=list(WORDS))
    options = parser.parse_args()
    graphs = {name: open_graph(name) for name in options.graphs}
    draws: dict[str, list[Comparison]] = {name: [] for name in graphs}
    for draw in range(options.draws):
        for name, graph in graphs.items():

            def tell(so_far: Comparison, name: str = name, draw: int = draw) -> None:
                latest = so_far.assessments[-1]
                print(f"{name}, draw {draw + 1}: {len(so_far.assessments)} of {len(options.only)} schemes, "
                      f"{time.strftime('%H:%M:%S')}, last in order {latest.scheme}", file=sys.stderr)  # fmt: skip
                write(options.out, {**draws, name: [*draws[name], so_far]}, options.only)

            folder = options.out / f"{name}-{draw + 1}"
            draws[name].append(compare(graph, options.only, seed=FIRST_SEED + draw, folder=folder, on_assessed=tell))
            write(options.out, draws, options.only)


def write(folder: Path, draws: dict[str, list[Comparison]], words: Sequence[str]) -> None:
    text = "\n".join(table(name, found, words) for name, found in draws.items() if found)
    write_file(folder / "catalogue.md", text)


def table(name: str, draws: Sequence[Comparison], words: Sequence[str]) -> str:
    """Return the table of one graph: mean and standard deviation over the draws that there are."""
    lines = [f"{name}, {len(draws)} draws\n", f"| scheme | draws | named rightly | named wrongly | linked | "
             f"{' | '.join(UTILITY)} |", "|---" * (5 + len(UTILITY)) + "|"]  # fmt: skip
    for word in words:
        found = [one for draw in draws for one in draw.assessments if one.scheme == word]
        if found:
            lines.append(line(word, found))
    return "\n".join(lines) + "\n"


def line(word: str, found: Sequence[Assessment]) -> str:
    risks = {threat: [next((risk for risk in one.risks if risk.threat == threat), None) for one in found]
             for threat in ("identification", "linkage")}  # fmt: skip
    named, linked = risks["identification"], risks["linkage"]
    failed = sum(bool(risk and risk.failed) for risk in named)
    cells = [
        spread([risk and risk.share for risk in named], percent) + (f" ({failed} failed)" if failed else ""),
        spread([risk and risk.wrong for risk in named], percent),
        spread([risk and risk.share for risk in linked], percent),
    ]  # fmt: skip
    told = [{measure.name: measure.distance for measure in one.utility} for one in found]
    cells += [spread([measures.get(name) for measures in told], "{:.3f}".format) for name in UTILITY]
    status = {one.status for one in found} - {"measured"}
    return f"| `{word}` | {len(found)}{' ' + ', '.join(sorted(status)) if status else ''} | {' | '.join(cells)} |"


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def spread(values: Sequence[float | None], as_text: Callable[[float], str]) -> str:
    """Return mean and standard deviation of what could be said."""
    told = [value for value in values if value is not None]
    if not told:
        return DASH
    return as_text(float(np.mean(told))) + (f" ± {as_text(float(np.std(told, ddof=1)))}" if len(told) > 1 else "")


def open_graph(name: str) -> Graph:
    path = Path(os.environ.get("THINVEIL_DATA", "")) / GRAPHS[name]
    return read_graph(path) if path.exists() else synthetic_graph()


if __name__ == "__main__":
    main()
