"""The kinds of objects that hold a graph; a new one is a file and a line here."""

from __future__ import annotations

from thinveil.errors import InputError
from thinveil.graph.exchange.base import GraphLike, Kind
from thinveil.graph.exchange.files import FILE
from thinveil.graph.exchange.frames import PANDAS, POLARS
from thinveil.graph.exchange.igraphs import IGRAPH
from thinveil.graph.exchange.matrices import SCIPY
from thinveil.graph.exchange.networks import NETWORKX
from thinveil.graph.graph import Graph
from thinveil.runtime.visible import shown

KINDS: tuple[Kind, ...] = (FILE, PANDAS, POLARS, SCIPY, IGRAPH, NETWORKX)


def as_graph(given: GraphLike, name: str = "graph") -> Graph:
    """Return the graph that somebody has: of thinveil, in a file, or of another library.

    Every public function takes graphs through here. Where more must be said, such as which column holds times, the
    graph is made beforehand: ``read_graph(path, time=...)``, ``Graph.from_pandas(table, time=...)``.

    Examples
    --------
    >>> import polars as pl
    >>> as_graph(pl.DataFrame({"caller": ["ann", "bob"], "callee": ["bob", "cem"]}))
    <Graph: 3 nodes, 2 edges>
    """
    if isinstance(given, Graph):
        return given
    kind = next((kind for kind in KINDS if kind.recognises(given)), None)
    if kind is None:
        raise InputError(
            f"{name} = {shown(given)} is not a graph: read one with thinveil.read_graph(path), or give a path, or a "
            "graph or table of networkx, igraph, pandas, polars or scipy"
        )
    return kind.read(given)
