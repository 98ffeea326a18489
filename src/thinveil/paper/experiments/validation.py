"""The paper's main tables: forests trained on one network, attacking the same or the other (Sections 4.2 and 4.3)."""

from __future__ import annotations

from thinveil.auditing.results import AuditResult
from thinveil.features import Needs, label, observe
from thinveil.features.pairs import CATEGORIES, PairSampler
from thinveil.paper.experiments.base import Experiment, Outcome
from thinveil.paper.lab import RATES, Lab, rate_line, roc_curves
from thinveil.paper.numbers import printed
from thinveil.paper.records import Block, Column, Curves, Line, Value
from thinveil.schemes import Release, make_scheme

SCHEMES = {"d4d-1": "Scheme 1", "d4d-2": "Scheme 2"}
_PROTOCOL = "Pairs of different people as in the paper (protocol paper): two egonets, then a node in each."


def run_self(lab: Lab, name: str) -> Outcome:
    """Train and test on egonets of one network."""
    data = lab.find(name).used

    def block(scheme: str) -> Block:
        result = lab.audit(lab.graph(name), data.scheme(scheme))
        return _block(result, scheme, ("self", name), hours=("hours", name))

    return Outcome(tuple(map(block, SCHEMES)), (_PROTOCOL,))


def run_matched(lab: Lab) -> Outcome:
    """Ask the harder question: tell a person from the others of that very egonet and hop class."""

    def block(scheme: str) -> Block:
        result = lab.audit(lab.graph("epinions"), scheme, protocol="matched")
        return _block(result, scheme, ("self", "epinions"))

    return Outcome(
        tuple(map(block, SCHEMES)),
        (
            "The paper's figures stand here for comparison only: they were measured with pairs of different people "
            "whose egonet and hop class give part of the answer away. Here a person is compared with others of the "
            "egonet and hop class in which that person really is (protocol matched).",
        ),
    )


def run_cross(lab: Lab, attacked: str, trained: str) -> Outcome:
    """Train on one network, attack the other."""

    def block(scheme: str) -> Block:
        result = lab.audit(lab.graph(attacked), scheme, train_on=lab.graph(trained))
        return _block(result, scheme, ("cross", attacked))

    learned = f"Learned from {lab.find(trained).used.title}, attacking {lab.find(attacked).used.title}."
    return Outcome(tuple(map(block, SCHEMES)), (learned, _PROTOCOL, "100 egonets of more than 400 people each side."))


def _block(result: AuditResult, scheme: str, place: tuple[str, ...], hours: tuple[str, ...] = ()) -> Block:
    def line(category: str) -> Line:
        spent = printed(*hours, scheme, category) if hours else None
        return rate_line(result, category, paper=printed(*place, scheme, category), hours=sum(spent) if spent else None)

    return Block(SCHEMES[scheme], RATES, tuple(map(line, CATEGORIES)), Curves(roc_curves(result)))


def run_sizes(lab: Lab, name: str) -> Outcome:
    """Count the identical pairs of a training release and of a test release."""

    def block(scheme: str) -> Block:
        counts = [_count(lab, name, scheme, draw) for draw in range(lab.effort.draws)]
        return Block(SCHEMES[scheme], _SIZES, tuple(_size_line(name, scheme, c, counts) for c in CATEGORIES))

    return Outcome(
        tuple(map(block, SCHEMES)),
        ("All pairs of appearances in 100 egonets for training and 100 for testing; the paper tests at most 10,000.",),
    )


_SIZES = (Column("training pairs", "", 0), Column("test pairs", "", 0))


def _count(lab: Lab, name: str, scheme: str, draw: int) -> list[dict[str, int]]:
    """Return the number of identical pairs of each category, in a training and in a test release."""
    rule, graph, seed = make_scheme(lab.find(name).used.scheme(scheme)), lab.graph(name), lab.seed + draw
    first = rule.publish(graph, seed=seed)
    samplers = map(_sampler, (first, rule.publish(graph, seed=seed, avoid=[first])))
    return [{category: sampler.count(category) for category in CATEGORIES} for sampler in samplers]


def _sampler(release: Release) -> PairSampler:
    assert release.secret is not None  # just published
    view = observe(release.public, Needs())
    return PairSampler(view.subgraph, label(release.secret, view))


def _size_line(name: str, scheme: str, category: str, counts: list[list[dict[str, int]]]) -> Line:
    paper = printed("sizes", name, scheme, category)
    values = (Value(tuple(float(c[side][category]) for c in counts), paper[side]) for side in range(2))
    return Line(category, tuple(values))


EXPERIMENTS = (
    Experiment(
        "epinions-self", "Epinions, trained and tested on itself", "Tables 2 and 11, Figure 6",
        ("epinions",), lambda lab: run_self(lab, "epinions"),
    ),
    Experiment(
        "pokec-self", "Pokec, trained and tested on itself", "Tables 3 and 11, Figure 8",
        ("pokec",), lambda lab: run_self(lab, "pokec"),
    ),
    Experiment(
        "epinions-cross", "Epinions, attacked by what was learned from Pokec", "Table 4, Figure 7",
        ("epinions", "pokec"), lambda lab: run_cross(lab, "epinions", "pokec"),
    ),
    Experiment(
        "pokec-cross", "Pokec, attacked by what was learned from Epinions", "Table 5, Figure 9",
        ("pokec", "epinions"), lambda lab: run_cross(lab, "pokec", "epinions"),
    ),
    Experiment(
        "epinions-matched", "Epinions under the honest protocol", "beyond the paper",
        ("epinions",), run_matched,
    ),
    Experiment(
        "epinions-sizes", "Pairs of appearances, Epinions", "Table 8",
        ("epinions",), lambda lab: run_sizes(lab, "epinions"),
    ),
    Experiment(
        "pokec-sizes", "Pairs of appearances, Pokec", "Table 8",
        ("pokec",), lambda lab: run_sizes(lab, "pokec"),
    ),
)  # fmt: skip
