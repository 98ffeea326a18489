"""Shared graphs, and the folder of public data sets."""

import io
import os
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import settings

from tests.auditing import SMALL, small
from tests.drawing import from_networkx

# the first example compiles; what lands must not depend on luck
settings.register_profile("thinveil", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("thinveil")


def pytest_configure(config):
    """Compile the kernels once, before several workers would do it at the same time into the same files."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", default=0):
        return
    from thinveil.auditing.audit import audit
    from thinveil.auditing.match import match
    from thinveil.graph import Graph
    from thinveil.graph.reading import read_graph
    from thinveil.graph.synthetic import synthetic_graph
    from thinveil.graph.thinning import thin
    from thinveil.schemes import make_scheme

    graph = synthetic_graph(2000)
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    events = Graph.from_edges(source, graph.indices, columns={"time": np.arange(source.size)})
    few = {"train_negatives": 2_000, "test_negatives": 2_000}
    egonets = "d4d-1:egonets=4,min_size=20"
    audit(events, egonets, beside=("forest:trees=1", "signature"), **few)
    audit(events, egonets, attack="forest:trees=1,slots=2,features=contacts", **few)
    audit(graph, threat="identification", attack="forest:trees=1", **few)
    read_graph(io.BytesIO(b"1 2\n"))
    people = np.arange(graph.node_count, dtype=np.int32)
    for target in (graph, make_scheme(egonets).publish(graph, seed=1),
                   make_scheme(egonets).publish(thin(graph, people, 0.05, 1), seed=1)):  # fmt: skip
        match(graph, target)


@pytest.fixture(scope="session")
def data_dir():
    """The folder named by THINVEIL_DATA; tests of real graphs are skipped without it."""
    folder = os.environ.get("THINVEIL_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("no public graphs here: set THINVEIL_DATA to the folder that holds them")
    return Path(folder)


@pytest.fixture(scope="session")
def crowd():
    """A small social graph: 400 people, hubs and triangles."""
    return from_networkx(nx.powerlaw_cluster_graph(400, 4, 0.4, seed=7))


@pytest.fixture(scope="session")
def ring():
    """A ring of 2,000 people: every 2-hop ball has 5 nodes."""
    return from_networkx(nx.cycle_graph(2_000))


@pytest.fixture(scope="session")
def town():
    """A synthetic graph of 5,000 people."""
    from thinveil.graph.synthetic import synthetic_graph

    return synthetic_graph(5_000, seed=2)


@pytest.fixture(scope="session")
def town_audit(town):
    """What a small audit of the town with seed 1 gives."""
    from thinveil.auditing.audit import audit

    return audit(town, small("d4d-1"), protocol="paper", seed=1, **SMALL)
