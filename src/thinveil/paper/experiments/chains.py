"""Links that lead to links, as the paper proposed (Section 5): known people, stitching; and a graph with names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thinveil.attacks import StrongAttack
from thinveil.auditing.match import grade_names, match
from thinveil.auditing.stitch import StitchResult, stitch
from thinveil.graph import Graph
from thinveil.measures.naming import NameGroup
from thinveil.measures.rates import FPRS, rate
from thinveil.paper.experiments.base import Experiment, Outcome
from thinveil.paper.experiments.validation import SCHEMES
from thinveil.paper.lab import Lab, of_rate, share_value
from thinveil.paper.records import Block, Column, Line, Value
from thinveil.schemes import make_scheme

_COUNTS = ("links", "linked people", "people", "edges", "wrong edges")


def run_stitching(lab: Lab) -> Outcome:
    """Join egonets along sure links, and attack again."""
    attack = StrongAttack(rounds=3 if lab.effort.quick else 8)
    result = _stitch(lab, "d4d-2", attack=attack, known=0)
    last = max(len(draw) for draw in result.rounds)
    lines = tuple(_round_line(result, number) for number in range(last))
    columns = (Column("right links"), *(Column(name, "", 0) for name in _COUNTS), Column("of all edges"))
    notes = (
        "Linked people stand in several egonets and are merged. People and edges are those of the largest part of the "
        "rebuilt graph, counted once; a draw whose links stop growing earlier stands with its last round. A link must "
        "be more probable than not.",
        "Scheme 1 shows ten times as many people and takes minutes per draw: thinveil stitch --scheme d4d-1.",
    )
    return Outcome((Block("Scheme 2", columns, lines),), notes)


def _round_line(result: StitchResult, number: int) -> Line:
    rounds = [draw[min(number, len(draw) - 1)] for draw in result.rounds]
    values = (
        share_value(of_rate(one.precision) for one in rounds if one.precision),
        *(Value(tuple(float(getattr(one, name.replace(" ", "_"))) for one in rounds)) for name in _COUNTS),
        share_value(of_rate(rate(one.edges, max(1, one.all_edges))) for one in rounds),
    )
    return Line(f"round {number}", values)


_PRIORS = (Column("contacts of the known person", decimals=3), Column("everybody", decimals=3))


def run_known(lab: Lab) -> Outcome:
    """Compare only the contacts of somebody who is known in both egonets."""
    columns = (
        Column("found"), Column("links right"), Column("found, everybody"), Column("links right, everybody"),
    )  # fmt: skip
    blocks = []
    for scheme, title in SCHEMES.items():
        result = _stitch(lab, scheme, attack=lab.forest(), links=False)
        priors = tuple(
            share_value(map(of_rate, rates))
            for rates in ([one.prior for one in result.known], [one.blind_prior for one in result.known])
        )
        prior = Line("prior: share of pairs that are identical", priors)
        blocks.append(Block(f"{title}, prior", _PRIORS, (prior,)))
        lines = tuple(_known_line(result, k, fpr) for k, fpr in enumerate(FPRS))
        blocks.append(Block(title, columns, lines))
    note = "One known person in every two egonets; beside it the same attack on everybody of the same egonets."
    return Outcome(tuple(blocks), (note,))


def _known_line(result: StitchResult, k: int, fpr: float) -> Line:
    def precisions(kind: str) -> Value:
        names = tuple(f"{kind}precision{end}" for end in ("", "_low", "_high"))
        given = (tuple(getattr(one, name) for name in names) for draw in worth for one in draw)
        return share_value((share, low, high) for share, low, high in given if share is not None)

    worth = [[one for one in draw.worth if one.fpr == fpr] for draw in result.known]
    values = (
        share_value(of_rate(found) for draw in result.known if (found := draw.found[k])),
        precisions(""),
        share_value(of_rate(found) for draw in result.known if (found := draw.blind_found[k])),
        precisions("blind_"),
    )
    return Line(f"at {100 * fpr:g}% false positives", values)


def _stitch(lab: Lab, scheme: str, **options: Any) -> StitchResult:
    return stitch(
        lab.graph("epinions"), scheme, protocol="paper", repeats=lab.effort.draws, seed=lab.seed, threads=lab.threads,
        on_progress=lab.tell, **options,
    )  # fmt: skip


def run_naming(lab: Lab) -> Outcome:
    """Name the people of a release with the graph it was made from (Section 3.1)."""
    graph = lab.graph("epinions")
    blocks = []
    for scheme, title in SCHEMES.items():
        found = [_name(lab, graph, scheme, lab.seed + draw) for draw in range(lab.effort.draws)]
        lines = tuple(_name_line(groups) for groups in zip(*found, strict=True))
        blocks.append(Block(title, _NAMED, lines))
    note = (
        "A published node is named rightly, wrongly, or not at all. Whoever has a structural twin, somebody with the "
        "same contacts in the same egonet, cannot be told from it by any attack: the others are the ceiling."
    )
    return Outcome(tuple(blocks), (note,))


_NAMED = (Column("right"), Column("wrong"), Column("not named"), Column("without a twin"))


def _name(lab: Lab, graph: Graph, scheme: str, seed: int) -> tuple[NameGroup, ...]:
    lab.report(f"{scheme}, draw {seed - lab.seed + 1}")
    egonets = 5 if lab.effort.quick else 100
    release = make_scheme(f"{scheme}:egonets={egonets}").publish(graph, seed=1_000 + seed)
    found = match(graph, release.without_secret(), seed=seed, threads=lab.threads)
    return grade_names(found, graph, release).groups


def _name_line(draws: Sequence[NameGroup]) -> Line:
    rates = ([getattr(one, name) for one in draws] for name in ("right", "wrong", "unnamed", "unique"))
    return Line(draws[0].group, tuple(share_value(of_rate(one) for one in given if one is not None) for given in rates))


EXPERIMENTS = (
    Experiment("known-people", "What a known person is worth", "proposed in Section 5.2", ("epinions",), run_known),
    Experiment("stitching", "Links that join egonets", "proposed in Section 5.1", ("epinions",), run_stitching),
    Experiment(
        "naming",
        "Naming the people of a release with the graph it was made from",
        "Section 3.1",
        ("epinions",),
        run_naming,
    ),
)
