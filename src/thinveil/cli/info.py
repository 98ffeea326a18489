"""``thinveil info``: what a graph file holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinveil.cli.options import (
    Delimiter,
    Directed,
    DirectionColumn,
    GraphPath,
    Ids,
    SourceColumn,
    TargetColumn,
    TimeColumn,
    WeightColumn,
    open_graph,
)

if TYPE_CHECKING:
    from thinveil.graph import Graph

_QUANTILES = (0, 25, 50, 75, 90, 99, 100)


def run(
    graph: GraphPath,
    source: SourceColumn = None,
    target: TargetColumn = None,
    weight: WeightColumn = None,
    time: TimeColumn = None,
    direction: DirectionColumn = None,
    directed: Directed = False,
    delimiter: Delimiter = None,
    ids: Ids = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print nodes, edges, degree quantiles, and what was dropped."""
    reader = {
        "source": source, "target": target, "weight": weight, "time": time, "direction": direction,
        "directed": directed, "delimiter": delimiter, "ids": ids,
    }  # fmt: skip
    facts = describe(open_graph(graph, reader))
    typer.echo(json.dumps(facts, indent=2) if as_json else _lines(facts))


def describe(graph: Graph) -> dict[str, Any]:
    """Return the facts about a graph that ``info`` prints."""
    import numpy as np

    degrees = graph.degrees if graph.node_count else np.zeros(1, dtype=np.int64)
    levels = np.quantile(degrees, [q / 100 for q in _QUANTILES], method="higher")
    facts: dict[str, Any] = {
        "nodes": graph.node_count,
        "edges": graph.edge_count,
        "mean_degree": round(float(degrees.mean()), 3),
        "degree_quantiles": {f"{q}%": int(level) for q, level in zip(_QUANTILES, levels, strict=True)},
        "dropped": {"self_loops": graph.dropped.loops, "duplicates": graph.dropped.duplicates},
        "digest": graph.digest(),
    }
    if graph.rows is not None:
        columns = {name: {"min": v.min().item(), "max": v.max().item()} for name, v in graph.rows.columns.items()}
        facts["rows"] = {"count": graph.rows.source.size, "columns": columns}
    return facts


def _lines(facts: dict[str, Any]) -> str:
    dropped = facts["dropped"]
    lines = [
        f"nodes    {facts['nodes']:,}",
        f"edges    {facts['edges']:,} (undirected)",
        f"degree   mean {facts['mean_degree']:,.2f}; "
        + ", ".join(f"{q} {level:,}" for q, level in facts["degree_quantiles"].items()),
        f"dropped  {dropped['self_loops']:,} self-loops, {dropped['duplicates']:,} duplicates",
    ]
    for name, span in facts.get("rows", {}).get("columns", {}).items():
        lines.append(f"{name:<8} {span['min']:,} to {span['max']:,}")
    return "\n".join([*lines, f"digest   {facts['digest']}"])
