"""What several test files need: graphs from networkx, hypothesis strategies, and a test of frequencies."""

import networkx as nx
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from thinveil.features import Neighbors
from thinveil.features.pairs import Pairs
from thinveil.graph import Graph

# the toy egonet of the paper's Figure 1, n1 = 0 being the ego, and what Figure 2 leaves of it
FIGURE_1 = [(0, 1), (0, 2), (0, 3), (1, 3), (1, 4), (1, 5), (2, 5), (2, 6), (3, 6), (3, 7), (4, 5), (4, 7), (5, 6)]
FIGURE_2 = FIGURE_1[:10]

few = settings(max_examples=40, deadline=None)


def from_networkx(graph):
    """Make a Graph of a networkx graph on 0 .. n - 1."""
    return from_pairs(graph.edges, graph.number_of_nodes())


def from_pairs(edges, node_count=None):
    """Make a Graph of a list of edges."""
    edges = list(edges)
    return Graph.from_edges([u for u, _ in edges], [v for _, v in edges], node_count=node_count)


def to_networkx(graph):
    """Make a networkx graph of a Graph."""
    result = nx.empty_graph(graph.node_count)
    result.add_edges_from((v, int(u)) for v in range(graph.node_count) for u in graph.neighbors(v))
    return result


def rows_of(graph):
    """List the neighbours of every node, for the plain twins."""
    return [graph.neighbors(v).tolist() for v in range(graph.node_count)]


def edge_set(graph, names=None):
    """The edges as a set of sets, with the nodes renamed."""
    names = range(graph.node_count) if names is None else names
    return {frozenset((int(names[v]), int(names[u]))) for v in range(graph.node_count) for u in graph.neighbors(v)}


@st.composite
def graphs(draw, least=1, most=30):
    """Any small graph."""
    n = draw(st.integers(least, most))
    node = st.integers(0, n - 1)
    return from_pairs(draw(st.lists(st.tuples(node, node), max_size=3 * n)), n)


def assert_follows(drawn, chances):
    """Check by chi-square that drawn things have the given chances; seeds are fixed, so it never flickers."""
    things = sorted(chances)
    assert set(drawn) <= set(things)
    total, whole = sum(drawn.values()), sum(chances.values())
    expected = np.array([float(chances[thing] / whole) * total for thing in things])
    assert expected.min() >= 5, "too few draws for a chi-square test"
    assert chisquare([drawn[thing] for thing in things], expected).pvalue > 1e-3


@st.composite
def linked(draw):
    """Appearances of up to four sub-graphs that know each other within them; people have one in each at most."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=2, max_size=4))
    subgraph = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    rows = range(subgraph.size)
    possible = [(u, v) for u in rows for v in rows if u < v and subgraph[u] == subgraph[v]]
    edges = [pair for pair in possible if draw(st.booleans())]
    person = np.full(subgraph.size, -1, dtype=np.int32)
    for k in range(len(sizes)):
        mine = np.flatnonzero(subgraph == k)
        person[mine] = draw(st.permutations([*range(7), *[-1] * 3]))[: mine.size]
    return subgraph, edges, person


def neighbors_of(edges, rows):
    graph = Graph.from_edges(*(np.array([e[k] for e in edges], dtype=np.int64) for k in (0, 1)), node_count=rows)
    return Neighbors(graph.indptr, graph.indices, graph.common_neighbors), [
        set(graph.neighbors(v).tolist()) for v in range(rows)
    ]


def ordered(pairs):
    return list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))


def as_pairs(pairs):
    return Pairs(*(np.array([pair[k] for pair in pairs], dtype=np.int64) for k in (0, 1)))
