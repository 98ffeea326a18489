"""``thinveil info``: what a graph file holds."""

from __future__ import annotations

import json
from typing import Any

import typer

from thinveil.cli.options import READER, AsJson, GraphPath, open_graph, takes


@takes(READER)
def run(graph: GraphPath, reader: dict[str, Any], as_json: AsJson = False) -> None:
    """Print how the file was read, nodes, edges, degree quantiles, and what was dropped."""
    from thinveil.graph.info import info

    facts = info(open_graph(graph, reader, tell=as_json))
    typer.echo(json.dumps(facts, indent=2) if as_json else _lines(facts))


def _origin(told: dict[str, Any]) -> list[str]:
    """Return how the file was read: a line of facts, then the first rows."""
    columns = ", ".join(f"{role} {name!r}" for role, name in told["columns"].items())
    header = ["no header", "header"][told["header"]] if "header" in told else None
    facts = [told["format"], told.get("delimiter"), header, columns, f"{told['ids']} ids", f"{told['rows']:,} rows"]
    first = "; ".join(f"{source!r} - {target!r}" for source, target in told["first"])
    notes = [f"note     {told['note']}"] if "note" in told else []
    return [f"read as  {', '.join(fact for fact in facts if fact)}", f"first    {first}", *notes]


def _lines(facts: dict[str, Any]) -> str:
    dropped = facts["dropped"]
    lines = [
        f"nodes    {facts['nodes']:,}",
        f"edges    {facts['edges']:,} (undirected)",
        f"degree   mean {facts['mean_degree']:,.2f}; "
        + ", ".join(f"{q} {level:,}" for q, level in facts["degree_quantiles"].items()),
        f"dropped  {dropped['self_loops']:,} self-loops, {dropped['duplicates']:,} duplicates",
    ]
    if "read_as" in facts:
        lines[:0] = _origin(facts["read_as"])
    for name, span in facts.get("rows", {}).get("columns", {}).items():
        lines.append(f"{name:<8} {span['min']:,} to {span['max']:,}")
    return "\n".join([*lines, f"digest   {facts['digest']}"])
