"""More evidence than degrees, as the paper proposed (Section 5.2): slots of time, weights and direction."""

from __future__ import annotations

from typing import Any

from thinveil.paper.experiments.base import Experiment, Outcome
from thinveil.paper.experiments.validation import SCHEMES
from thinveil.paper.lab import RATES, Lab, rate_line
from thinveil.paper.records import Block

_EVENTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "email": ({"time": 2, "directed": True}, {"egonets": 30, "min_size": 200}),
    "sms": ({"time": "timestamp", "directed": True}, {"egonets": 120, "min_size": 5, "min_degree": 1, "bin_size": 1}),
    "calls": (
        {"time": "timestamp", "directed": True, "weight": "duration"},
        {"egonets": 120, "min_size": 5, "min_degree": 1, "bin_size": 1},
    ),
}
"""How to read the files of events, and the egonets that graphs of some hundred people allow."""

_PAIRS = {"train_pairs": 5_000, "train_negatives": 20_000, "test_negatives": 20_000}
"""Some hundred people make no more different pairs than that."""

_MATCHED = "Protocol matched: a person is told from others of the same egonet and hop class. All pairs."


def run_slots(lab: Lab) -> Outcome:
    """Judge a pair in each of four slots of time, and join the judgements."""
    ways = {
        "whole period": {},
        "4 slots, majority": {"slots": 4, "join": "majority"},
        "4 slots, mean log odds": {"slots": 4, "join": "log odds"},
        "4 slots, summed log odds": {"slots": 4, "join": "summed log odds"},
    }
    return _compare(lab, ("email", "sms", "calls"), ways)


def run_weights(lab: Lab) -> Outcome:
    """Add the number, duration and direction of calls to the degrees of neighbours."""
    ways: dict[str, dict[str, Any]] = {
        "degrees alone": {},
        "with number of calls": {"features": ("degrees", "contacts")},
        "with number of calls out and in": {"features": ("degrees", "contacts", "contacts-out", "contacts-in")},
        "with number and duration": {"features": ("degrees", "contacts", "weight")},
        "with number and duration, out and in": {
            "features": (
                "degrees", "contacts", "contacts-out", "contacts-in", "weight", "weight-out", "weight-in",
            )
        },
    }  # fmt: skip
    return _compare(lab, ("calls",), ways)


def _compare(lab: Lab, names: tuple[str, ...], ways: dict[str, dict[str, Any]]) -> Outcome:
    """Audit each graph of events in several ways under both schemes."""
    blocks = []
    for name in names:
        reader, shape = _EVENTS[name]
        graph, title = lab.graph(name, **reader), lab.find(name).used.title
        for scheme, heading in SCHEMES.items():
            usual = {"scheme": scheme, "protocol": "matched", "categories": ("complete",), **shape, **_PAIRS}
            lines = (rate_line(lab.audit(graph, **usual, **way), "complete", name=words) for words, way in ways.items())
            blocks.append(Block(f"{title}, {heading}", RATES, tuple(lines)))
    return Outcome(tuple(blocks), (_MATCHED,))


EXPERIMENTS = (
    Experiment("time-slots", "Egonets in slots of time", "proposed in Section 5.2", tuple(_EVENTS), run_slots),
    Experiment(
        "weights", "Number, duration and direction of calls", "proposed in Section 5.2", ("calls",), run_weights
    ),
)
