"""The methods of ``Graph`` that make one of what other libraries hold, and give it back to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from thinveil.graph.graph import Graph
    from thinveil.graph.reading.base import Ids
    from thinveil.graph.reading.columns import Column

# the modules are imported late: each takes its library along


class Exchange:
    """Graphs of other libraries, in and out.

    Labels may be of any hashable kind. Whole numbers and texts stay as they are; all else becomes the text that ``str``
    gives, and two labels with the same text are refused. Nodes are numbered in ascending order of their labels.
    """

    @staticmethod
    def from_networkx(
        graph: Any, *, weight: str | None = None, time: str | None = None, directed: bool | None = None
    ) -> Graph:
        """Return the graph of a networkx graph, of whatever class, with nodes that have no edge.

        Parameters
        ----------
        graph
            The graph; every edge of a multigraph is an event.
        weight, time
            Attributes of the edges to keep: numbers, and for times also dates.
        directed
            Whether to keep which way edges go; by default, as the graph is.

        Examples
        --------
        >>> import networkx as nx
        >>> from thinveil.graph import Graph
        >>> graph = Graph.from_networkx(nx.karate_club_graph(), weight="weight")
        >>> graph, graph.rows.columns["weight"][:3].tolist()
        (<Graph: 34 nodes, 78 edges>, [4, 5, 3])
        """
        from thinveil.graph.exchange.networks import from_networkx

        return from_networkx(graph, weight=weight, time=time, directed=directed)

    @staticmethod
    def from_igraph(
        graph: Any, *, weight: str | None = None, time: str | None = None, directed: bool | None = None,
        name: str = "name",
    ) -> Graph:  # fmt: skip
        """Return the graph of an igraph graph.

        Parameters
        ----------
        graph
            The graph. It is read by its methods: igraph itself is not needed.
        weight, time, directed
            As in ``from_networkx``.
        name
            The attribute of the vertices that holds their labels; without it they are numbers.
        """
        from thinveil.graph.exchange.igraphs import from_igraph

        return from_igraph(graph, weight=weight, time=time, directed=directed, name=name)

    @staticmethod
    def from_pandas(
        table: Any, *, source: Column | None = None, target: Column | None = None, weight: Column | None = None,
        time: Column | None = None, direction: Column | None = None, directed: bool = False, ids: Ids = "auto",
    ) -> Graph:  # fmt: skip
        """Return the graph of a pandas table with a line per edge or event.

        The same is made of the table as of a file that holds it, and what is refused there is refused here: see
        ``read_graph``, which also tells what the parameters mean.

        Examples
        --------
        >>> import pandas as pd
        >>> from thinveil.graph import Graph
        >>> day = pd.to_datetime(["2024-05-01 12:30", "2024-05-02 08:00"])
        >>> calls = pd.DataFrame({"caller": ["+41 1", "+41 2"], "callee": ["+41 2", "+41 3"], "start": day})
        >>> graph = Graph.from_pandas(calls, time="start", directed=True)
        >>> graph, graph.rows.columns["time"].tolist()
        (<Graph: 3 nodes, 2 edges>, [1714566600, 1714636800])
        """
        from thinveil.graph.exchange.frames import from_pandas

        return from_pandas(
            table, source=source, target=target, weight=weight, time=time, direction=direction, directed=directed,
            ids=ids,
        )  # fmt: skip

    @staticmethod
    def from_polars(
        table: Any, *, source: Column | None = None, target: Column | None = None, weight: Column | None = None,
        time: Column | None = None, direction: Column | None = None, directed: bool = False, ids: Ids = "auto",
    ) -> Graph:  # fmt: skip
        """Return the graph of a polars table, or of any other that speaks Arrow, with a line per edge or event.

        As for ``from_pandas``.

        Examples
        --------
        >>> import polars as pl
        >>> from thinveil.graph import Graph
        >>> Graph.from_polars(pl.DataFrame({"caller": [41, 42], "callee": [42, 43]}))
        <Graph: 3 nodes, 2 edges>
        """
        from thinveil.graph.exchange.frames import from_polars

        return from_polars(
            table, source=source, target=target, weight=weight, time=time, direction=direction, directed=directed,
            ids=ids,
        )  # fmt: skip

    @staticmethod
    def from_scipy(matrix: Any, *, labels: Any = None, weights: bool = False, directed: bool | None = None) -> Graph:
        """Return the graph of a sparse matrix: an edge for each value that is stored and not zero.

        Parameters
        ----------
        matrix
            A square sparse array or matrix of scipy.
        labels
            What the nodes are called: whole numbers or texts, one for each row.
        weights
            Whether to keep the values as weights.
        directed
            Whether to keep that edges go from row to column; by default, where the matrix is not symmetric.

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> from thinveil.graph import Graph
        >>> Graph.from_scipy(csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), labels=["ann", "bob", "cem"])
        <Graph: 3 nodes, 2 edges>
        """
        from thinveil.graph.exchange.matrices import from_scipy

        return from_scipy(matrix, labels=labels, weights=weights, directed=directed)

    def to_networkx(self: Graph) -> Any:  # type: ignore[misc]
        """Return a graph of networkx, its nodes called by their labels.

        Without events it is a ``Graph``. With events each of them is an edge, with its weight and time: of a
        ``MultiDiGraph`` where directions are known (what went both ways is two edges), else of a ``MultiGraph``.

        Examples
        --------
        >>> from thinveil.graph import Graph
        >>> sorted(Graph.from_edges([("bob", "ann"), ("ann", "cem")]).to_networkx().edges)
        [('ann', 'bob'), ('ann', 'cem')]
        """
        from thinveil.graph.exchange.networks import to_networkx

        return to_networkx(self)

    def to_polars(self: Graph) -> pl.DataFrame:  # type: ignore[misc]
        """Return a table of polars: source, target and what is known of each event; nodes without edges are not in it.

        Examples
        --------
        >>> from thinveil.graph import Graph
        >>> Graph.from_edges([("bob", "ann"), ("ann", "cem")]).to_polars().rows()
        [('ann', 'bob'), ('ann', 'cem')]
        """
        from thinveil.graph.exchange.frames import to_polars

        return to_polars(self)

    def to_pandas(self: Graph) -> Any:  # type: ignore[misc]
        """Return a table of pandas; as ``to_polars``."""
        from thinveil.graph.exchange.frames import to_pandas

        return to_pandas(self)

    def to_scipy(self: Graph, *, weights: bool = False) -> Any:  # type: ignore[misc]
        """Return the symmetric adjacency matrix, rows in the order of ``labels``.

        With ``weights`` a value is the sum over the events between two nodes, else 1.
        """
        from thinveil.graph.exchange.matrices import to_scipy

        return to_scipy(self, weights=weights)
