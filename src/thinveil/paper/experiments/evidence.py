"""More evidence than degrees, as the paper proposed (Section 5.2): slots of time, weights and direction."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from thinveil.attacks import Attack, StrongAttack
from thinveil.paper.experiments.base import Experiment, Outcome
from thinveil.paper.experiments.validation import SCHEMES
from thinveil.paper.lab import RATES, Lab, rate_line
from thinveil.paper.records import Block


class _Events(NamedTuple):
    """How a file of events is read, which egonets are cut, who is compared, and in bins of which size."""

    reader: dict[str, Any]
    egonets: str
    min_degree: int = 5
    bin_size: int = 15


_EVENTS = {
    "email": _Events({"time": 2, "directed": True}, "egonets=30,min_size=200"),
    "sms": _Events({"time": "timestamp", "directed": True}, "egonets=120,min_size=5", 1, 1),
    "calls": _Events({"time": "timestamp", "directed": True, "weight": "duration"}, "egonets=120,min_size=5", 1, 1),
}
"""How to read the files of events, and the egonets that graphs of some hundred people allow."""


class _Way(NamedTuple):
    """An attack, and what it is told of the events."""

    name: str
    parameters: Mapping[str, Any] = MappingProxyType({})

    def attack(self, lab: Lab, events: _Events) -> Attack:
        """Return the attack, the forest with bins that suit the graph."""
        if self.name == _STRONG:
            return StrongAttack(**self.parameters)
        return lab.forest(bin_size=events.bin_size, **self.parameters)


_PAIRS = {"train_pairs": 5_000, "train_negatives": 20_000, "test_negatives": 20_000}
"""Some hundred people make no more different pairs than that."""

_FOREST, _STRONG = "forest", "strong"

_MATCHED = "Protocol matched: a person is told from others of the same egonet and hop class. All pairs."
_EXACT = (
    "The forest is the paper's attack; the strong attack also compares what passed with each contact to the last "
    "digit, and lets links support each other."
)


def run_slots(lab: Lab) -> Outcome:
    """Judge a pair in each of four slots of time, and join the judgements; the strong attack compares all slots."""
    ways: dict[str, _Way] = {
        "forest, whole period": _Way(_FOREST),
        "forest, 4 slots, majority": _Way(_FOREST, {"slots": 4, "join": "majority"}),
        "forest, 4 slots, mean log odds": _Way(_FOREST, {"slots": 4, "join": "log-odds"}),
        "forest, 4 slots, summed log odds": _Way(_FOREST, {"slots": 4, "join": "summed-log-odds"}),
        "strong, whole period": _Way(_STRONG),
        "strong, 4 slots": _Way(_STRONG, {"slots": 4}),
    }
    return _compare(lab, ("email", "sms", "calls"), ways)


def run_weights(lab: Lab) -> Outcome:
    """Add the number, duration and direction of calls to the network."""
    kinds: dict[str, tuple[str, ...]] = {
        "with number of calls": ("contacts",),
        "with number of calls out and in": ("contacts", "contacts-out", "contacts-in"),
        "with number and duration": ("contacts", "weight"),
        "with number and duration, out and in": (
            "contacts", "contacts-out", "contacts-in", "weight", "weight-out", "weight-in",
        ),
    }  # fmt: skip
    ways = {"forest, degrees alone": _Way(_FOREST)}
    ways |= {f"forest, {words}": _Way(_FOREST, {"features": ("degrees", *names)}) for words, names in kinds.items()}
    ways |= {"strong, network alone": _Way(_STRONG)}
    ways |= {f"strong, {words}": _Way(_STRONG, {"features": names}) for words, names in kinds.items()}
    return _compare(lab, ("calls",), ways)


def _compare(lab: Lab, names: tuple[str, ...], ways: dict[str, _Way]) -> Outcome:
    """Audit each graph of events in several ways under both schemes."""
    blocks = []
    for name in names:
        events = _EVENTS[name]
        graph, title = lab.graph(name, **events.reader), lab.find(name).used.title
        usual = {"protocol": "matched", "categories": ("complete",), "min_degree": events.min_degree, **_PAIRS}
        for scheme, heading in SCHEMES.items():
            lines = []
            for words, way in ways.items():
                attack = way.attack(lab, events)
                result = lab.audit(graph, f"{scheme}:{events.egonets}", attack=attack, beside=(), **usual)
                lines.append(rate_line(result, "complete", name=words))
            blocks.append(Block(f"{title}, {heading}", RATES, tuple(lines)))
    return Outcome(tuple(blocks), (_MATCHED, _EXACT))


EXPERIMENTS = (
    Experiment("time-slots", "Egonets in slots of time", "proposed in Section 5.2", tuple(_EVENTS), run_slots),
    Experiment(
        "weights", "Number, duration and direction of calls", "proposed in Section 5.2", ("calls",), run_weights
    ),
)
