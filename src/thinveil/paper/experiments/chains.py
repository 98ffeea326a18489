"""Links that lead to links, as the paper proposed (Section 5): known people, stitching; and a graph with names."""

from __future__ import annotations

from typing import Any

from thinveil.attacks import StrongAttack
from thinveil.auditing.match import match
from thinveil.auditing.stitch import StitchResult, stitch
from thinveil.auditing.train import train
from thinveil.graph import Graph
from thinveil.measures.naming import Grade, grade
from thinveil.measures.rates import FPRS, Rate, rate
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


def run_linkage(lab: Lab) -> Outcome:
    """Look for the people of a graph with names in a release of it (Section 3.1)."""
    graph = lab.graph("epinions")
    teachers = {"Epinions itself": graph, lab.find("pokec").used.title: lab.graph("pokec")}
    blocks = []
    for scheme, title in SCHEMES.items():
        lines = tuple(_link_line(lab, graph, scheme, name, teacher) for name, teacher in teachers.items())
        blocks.append(Block(title, _LINKED, lines))
    note = (
        f"{_PUBLISHED['d4d-1']} published egonets under Scheme 1, {_PUBLISHED['d4d-2']} under Scheme 2 (2 in a quick "
        f"run), and {_cut_out(lab)} cut out of the graph with names. A published node is found if its person is the "
        "first, or among the first ten, of all people seen in the cut-out egonets."
    )
    return Outcome(tuple(blocks), (note,))


_PUBLISHED = {"d4d-1": 3, "d4d-2": 20}  # an egonet of Scheme 1 has ten times as many people to look for

_LINKED = (
    Column("first, within 1 hop"), Column("first ten, within 1 hop"), Column("first, all"), Column("first ten, all"),
)  # fmt: skip


def _link_line(lab: Lab, graph: Graph, scheme: str, name: str, teacher: Graph) -> Line:
    found: list[tuple[Rate, ...]] = []
    for draw in range(lab.effort.draws):
        seed = lab.seed + draw
        lab.report(f"{scheme} from {name}, draw {draw + 1}")
        egonets = 2 if lab.effort.quick else _PUBLISHED[scheme]
        release = make_scheme(f"{scheme}:egonets={egonets}").publish(graph, seed=1_000 + seed)
        model = train(teacher, scheme, attack=lab.forest(), seed=seed, threads=lab.threads)
        names = match(graph, release, model, subgraphs=_cut_out(lab), seed=seed, threads=lab.threads)
        found.append(_shares(grade(names, release, min_degree=5)))
    return Line(f"learned from {name}", tuple(share_value(map(of_rate, rates)) for rates in zip(*found, strict=True)))


def _cut_out(lab: Lab) -> int:
    return 100 if lab.effort.quick else 400


def _shares(result: Grade) -> tuple[Rate, ...]:
    return tuple(kept[kind] for kind in ("1-hop", "all") for kept in (result.first, result.top))


EXPERIMENTS = (
    Experiment("known-people", "What a known person is worth", "proposed in Section 5.2", ("epinions",), run_known),
    Experiment("stitching", "Links that join egonets", "proposed in Section 5.1", ("epinions",), run_stitching),
    Experiment(
        "naming",
        "Naming the people of a release with the graph it was made from",
        "Section 3.1",
        ("epinions", "pokec"),
        run_linkage,
    ),
)
