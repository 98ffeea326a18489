"""Make a release that can be published."""

from __future__ import annotations

import secrets

from thinveil.auditing.audit import check_graph
from thinveil.graph import Graph
from thinveil.graph.events import cut_time
from thinveil.schemes import SCHEMES, Release, Scheme


def anonymize(graph: Graph, scheme: str | Scheme = "d4d-2", *, slots: int = 1, seed: int | None = None) -> Release:
    """Publish a graph by a scheme.

    Parameters
    ----------
    graph
        The graph.
    scheme
        A word such as ``d4d-2:egonets=50``, or any object that is a scheme.
    slots
        Equal spans into which times are cut, where the graph has events. Exact times would link sub-graphs at a glance:
        with a single slot they are left out.
    seed
        Secret number that repeats the release; random by default. Whoever knows the graph and the seed can undo it.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> release = anonymize(synthetic_graph(2000), "d4d-1:egonets=3,min_size=50", seed=1)
    >>> len(release), release.scheme
    (3, 'd4d-1')
    """
    check_graph(graph)
    number = secrets.randbelow(2**63) if seed is None else seed
    return SCHEMES.make(scheme).publish(cut_time(graph, slots), seed=number)
