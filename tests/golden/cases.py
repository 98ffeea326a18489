"""The frozen audits: every scheme and attack with known people, slots, events and another graph to learn from.

``python -m tests.golden.cases`` writes the results anew: only where a digit changed because it was wrong.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np

from thinveil.auditing.audit import audit
from thinveil.auditing.linking import link
from thinveil.auditing.models import train_model
from thinveil.auditing.rebuilding import rebuild
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import Release, make_scheme

FOLDER = Path(__file__).parent
_SMALL = {"egonets": 20, "min_size": 50, "trees": 30, "bag_size": 200, "test_negatives": 10_000, "test_pairs": 1_500}
_TWO = {"trees": 30, "bag_size": 200, "test_negatives": 10_000, "node_overlap": 0.5, "edge_overlap": 0.75}
_MAILS = {**_SMALL, "min_degree": 3, "bins": 6, "bin_size": 4}
_VARYING = {"thinveil", "settings", "seconds", "versions", "graph", "trained_on", "headline"}


def town():
    return synthetic_graph(3_000, seed=1)


def village():
    return synthetic_graph(2_000, seed=5, mean_degree=14)


def mails():
    """A graph with one to eight mails on each edge, sent at any time of 1,000."""
    graph, rng = synthetic_graph(1_200, seed=3), np.random.default_rng(3)
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    events = np.repeat(np.flatnonzero(source < graph.indices), rng.integers(1, 9, size=graph.edge_count))
    swap, ends = rng.random(events.size) < 0.5, np.array([source[events], graph.indices[events]])
    columns = {
        "time": rng.integers(1000, size=events.size),
        "direction": np.ones(events.size, dtype=np.int8),
        "weight": rng.integers(-1, 300, size=events.size),
    }
    return Graph.from_edges(*np.where(swap, ends[::-1], ends), columns=columns)


def _audit(graph, scheme, **changes):
    return audit(graph, scheme, seed=7, **changes).to_dict()


def _links():
    graph = town()
    (made,) = make_scheme("d4d-1", egonets=4, min_size=50).draw(graph, releases=1, seed=8)
    release = Release(tuple(public for public, _ in made), "d4d-1")
    model = train_model(graph, "d4d-1", egonets=20, min_size=50, trees=30, attack="forest")
    table = link(release, graph, model, egonets=40, top=3)
    return {"rows": len(table), **{name: table[name].to_list()[::7] for name in table.columns}}


def _stitched():
    result = rebuild(town(), "d4d-1", seed=7, rounds=2, **_SMALL)
    return {"rounds": [[asdict(one) for one in draw] for draw in result.rounds],
            "seeds": [asdict(one) for one in result.seeds]}  # fmt: skip


CASES = {
    "d4d-1-strong": lambda: _audit(town(), "d4d-1", protocol="paper", **_SMALL),
    "d4d-2-strong": lambda: _audit(town(), "d4d-2", protocol="matched", alone=True, repeats=2, **_SMALL),
    "d4d-2-forest": lambda: _audit(town(), "d4d-2", attack="forest", protocol="matched", repeats=2, **_SMALL),
    "d4d-1-forest-unseen": lambda: _audit(
        town(), "d4d-1", attack="forest", protocol="paper", unseen=True, **{**_SMALL, "egonets": 3}
    ),
    "d4d-1-signature": lambda: _audit(town(), "d4d-1", attack="signature", protocol="uniform", **_SMALL),
    "d4d-1-forest-known": lambda: _audit(town(), "d4d-1", attack="forest", protocol="matched", seeds=60, **_SMALL),
    "d4d-1-strong-known": lambda: _audit(
        town(), "d4d-1", attack="strong", protocol="paper", alone=True, seeds=60, **_SMALL
    ),
    "d4d-2-strong-elsewhere": lambda: _audit(
        town(), "d4d-2", attack="strong", protocol="matched", alone=True, train_on=village(), **_SMALL
    ),
    "overlap-forest": lambda: _audit(town(), "overlap", attack="forest", protocol="paper", repeats=2, **_TWO),
    "overlap-strong": lambda: _audit(town(), "overlap", attack="strong", protocol="matched", alone=True, **_TWO),
    "overlap-forest-two-releases": lambda: _audit(
        town(), "overlap", attack="forest", protocol="paper", seeds=0, **_TWO
    ),
    "overlap-forest-elsewhere": lambda: _audit(
        town(), "overlap", attack="forest", protocol="paper", train_on=village(), **_TWO
    ),
    "slots-log-odds": lambda: _audit(
        mails(), "d4d-1", protocol="matched", slots=3, features=("degrees", "contacts"), **_MAILS
    ),
    "slots-majority": lambda: _audit(
        mails(), "d4d-2", protocol="paper", slots=3, join="majority", features=("contacts-in", "weight-out"), **_MAILS
    ),
    "events-forest": lambda: _audit(
        mails(), "d4d-2", attack="forest", protocol="paper", features=("degrees", "contacts", "weight-in"), **_MAILS
    ),
    "events-strong": lambda: _audit(
        mails(), "d4d-1", attack="strong", protocol="matched", alone=True, features=("contacts", "weight"), **_MAILS
    ),
    "links": _links,
    "stitched": _stitched,
}


def plain(value):
    """Return the lasting part of a result: no times and versions, numbers to ten digits."""
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items() if name not in _VARYING}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value


def place(name):
    return FOLDER / f"{name}.json"


def main(names):
    for name in names or CASES:
        place(name).write_text(json.dumps(plain(CASES[name]()), indent=None, separators=(",", ":")) + "\n")
        print(name, place(name).stat().st_size, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
