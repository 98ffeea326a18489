"""``thinveil info``: what a graph file holds."""

from __future__ import annotations

import json
from typing import Any

import typer

from thinveil.cli.options import READER, AsJson, GraphPath, open_graph, takes


@takes(READER)
def run(graph: GraphPath, reader: dict[str, Any], as_json: AsJson = False) -> None:
    """Print nodes, edges, degree quantiles, and what was dropped."""
    from thinveil.graph.info import info

    facts = info(open_graph(graph, reader))
    typer.echo(json.dumps(facts, indent=2) if as_json else _lines(facts))


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
