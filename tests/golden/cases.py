"""The frozen audits: every scheme and attack with known people, slots, events and another graph to learn from.

``python -m tests.golden.cases`` writes the results anew: only where a digit changed because it was wrong.
``python -m tests.golden.cases --outward`` refuses to, unless nothing but the ends of intervals moved, and outward, and
the numbers of independent trials behind them, and downward.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np

from thinveil.auditing.audit import audit
from thinveil.auditing.stitch import stitch
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph

FOLDER = Path(__file__).parent
_SHAPE = "egonets=20,min_size=50"
_FOREST = "forest:trees=30,bag_size=200"
_PAIRS = {"test_negatives": 10_000, "test_pairs": 1_500}
_TWO = "identification:node_overlap=0.5,edge_overlap=0.75"
_MAILS = {**_PAIRS, "min_degree": 3}
_VARYING = {
    "thinveil", "settings", "seconds", "versions", "graph", "trained_on", "auxiliary", "headline", "compared",
    "tree", "tree_words",
}  # fmt: skip


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


def _audit(graph, scheme, attack, **changes):
    return audit(graph, scheme, attack=attack, seed=7, **changes).to_dict()


def _linked(scheme, attack, **changes):
    return _audit(town(), f"{scheme}:{_SHAPE}", attack, **{**_PAIRS, **changes})


def _two_graphs(attack, **changes):
    threat = changes.pop("threat", _TWO)
    return _audit(town(), None, attack, threat=threat, **{"protocol": "paper", "test_negatives": 10_000, **changes})


def _events(scheme, attack, protocol, **changes):
    return _audit(mails(), f"{scheme}:{_SHAPE}", attack, protocol=protocol, **{**_MAILS, **changes})


def _known_people():
    result = stitch(town(), f"d4d-1:{_SHAPE}", attack=_FOREST, protocol="paper", seed=7, links=False)
    return {"known": [asdict(one) for one in result.known]}


CASES = {
    "d4d-1-strong": lambda: _linked("d4d-1", "strong", protocol="paper", beside=(_FOREST, "signature")),
    "d4d-2-strong": lambda: _linked("d4d-2", "strong", beside=(), repeats=2),
    "d4d-2-forest": lambda: _linked("d4d-2", _FOREST, repeats=2),
    "d4d-1-forest-unseen": lambda: _audit(
        town(), "d4d-1:egonets=3,min_size=50", _FOREST, threat="linkage:unseen=yes", protocol="paper", **_PAIRS
    ),
    "d4d-1-signature": lambda: _linked("d4d-1", "signature", protocol="uniform"),
    "d4d-1-forest-known": lambda: _linked("d4d-1", _FOREST, threat="linkage:known=60"),
    "d4d-1-strong-known": lambda: _linked("d4d-1", "strong", threat="linkage:known=60", protocol="paper", beside=()),
    "d4d-2-strong-elsewhere": lambda: _linked("d4d-2", "strong", beside=(), train_on=village()),
    "overlap-forest": lambda: _two_graphs(_FOREST, repeats=2),
    "overlap-strong": lambda: _two_graphs("strong", protocol="matched", beside=()),
    "overlap-forest-copies": lambda: _two_graphs(_FOREST, threat=f"{_TWO},known=0"),
    "overlap-forest-elsewhere": lambda: _two_graphs(_FOREST, train_on=village()),
    "slots-log-odds": lambda: _events(
        "d4d-1", f"{_FOREST},slots=3,features=degrees+contacts,bins=6,bin_size=4", "matched"
    ),
    "slots-majority": lambda: _events(
        "d4d-2", f"{_FOREST},slots=3,join=majority,features=contacts-in+weight-out", "paper"
    ),
    "events-forest": lambda: _events(
        "d4d-2", f"{_FOREST},features=degrees+contacts+weight-in,bins=6,bin_size=4", "paper"
    ),
    "events-strong": lambda: _events("d4d-1", "strong:features=contacts+weight", "matched", beside=()),
    "stitched": _known_people,
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


LOW, HIGH = ("low", "precision_low", "right_low", "wrong_low"), ("high", "precision_high", "right_high", "wrong_high")


def check_outward(old, new, path=""):
    """Say what differs otherwise than an interval that became wider."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for key in old:
            check_outward(old[key], new[key], f"{path}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (one, two) in enumerate(zip(old, new, strict=True)):
            check_outward(one, two, f"{path}.{k}")
    elif old != new:
        key = path.rpartition(".")[2].removeprefix("blind_")
        if not (key in (*LOW, "independent") and new < old) and not (key in HIGH and new > old):
            raise SystemExit(f"{path}: {old} became {new}: that is no wider interval")


def main(names):
    outward = "--outward" in names
    for name in [name for name in names if name != "--outward"] or CASES:
        made = json.loads(json.dumps(plain(CASES[name]())))
        if outward:
            check_outward(json.loads(place(name).read_text()), made, name)
        place(name).write_text(json.dumps(made, indent=None, separators=(",", ":")) + "\n")
        print(name, place(name).stat().st_size, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
