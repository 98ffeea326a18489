"""Stitching end to end: what decides the numbers, and what must not."""

import json
import re
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from thinveil import audit, stitch
from thinveil.cli.link import told
from thinveil.cli.stitch import print_tables
from thinveil.errors import InputError, SampleError
from thinveil.features import Needs, label, observe
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import rate
from thinveil.measures.rebuilt import count_rebuilt
from thinveil.schemes import D4D1, Secret

MANY = "d4d-1:egonets=20,min_size=50"
FEW = "d4d-1:egonets=6,min_size=50"
LINKING = "strong:rounds=1"


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(1500, seed=3)


@pytest.fixture(scope="module")
def stitched(graph):
    return stitch(graph, MANY, attack=LINKING, protocol="paper", seed=3, known=0)


@dataclass(frozen=True)
class Lying(D4D1):
    """A scheme whose second release comes with a wrong truth."""

    name: ClassVar[str] = "lying"

    def publish(self, graph, *, seed, avoid=()):
        release = super().publish(graph, seed=seed, avoid=avoid)
        if not avoid:
            return release
        rng = np.random.default_rng(0)
        wrong = [Secret(rng.permutation(one.people), one.hops) for one in release.secret]
        return replace(release, secret=wrong, centers=None)


def claims(result):
    """What was linked, round by round, whatever the truth says of it."""
    return [[(one.links, one.merged, one.subgraphs) for one in draw] for draw in result.rounds]


def test_the_truth_of_the_release_under_attack_changes_no_link(graph, stitched):
    lied = stitch(graph, Lying(egonets=20, min_size=50), attack=LINKING, protocol="paper", seed=3, known=0)
    assert claims(lied) == claims(stitched)
    assert stitched.rounds[0][-1].right > 5 * lied.rounds[0][-1].right


def test_nor_does_it_for_an_attack_that_judges_pairs_by_themselves(graph):
    honest, lied = (
        stitch(graph, scheme, attack="signature", known=0, seed=3) for scheme in (MANY, Lying(egonets=20, min_size=50))
    )
    assert claims(honest) == claims(lied)
    (one,), (other,) = (*honest.rounds, *lied.rounds)  # it links once
    assert one.right > 5 * other.right
    assert honest.known == lied.known == ()


def test_the_rounds_are_those_of_an_audit_with_the_same_plan(graph, stitched):
    few = {"test_pairs": 200, "test_negatives": 2_000, "train_pairs": 2_000, "train_negatives": 2_000}
    audited = audit(graph, MANY, attack=LINKING, beside=(), protocol="paper", seed=3, **few)
    (rounds,), (rebuilt,) = audited.rounds, stitched.rounds
    assert len(rounds) == len(rebuilt) > 1
    for counted, one in zip(rounds, rebuilt, strict=True):
        assert (counted.pairs, counted.right, counted.people) == (one.links, one.right, one.merged)
    assert rebuilt[-1].links > rebuilt[0].links  # links lead to more links


def test_rounds_make_sense(stitched):
    for one in stitched.rounds[0]:
        assert 0 <= one.right <= one.links
        assert one.precision.value == one.right / one.links
        assert one.linked_people <= one.merged
        assert one.people <= min(one.nodes, one.all_people)
        assert one.edges <= one.all_edges
        assert 1 <= one.subgraphs <= 20


def test_who_is_told_rebuilds_everything(graph):
    """Links that are all right put the whole release together, with no wrong edge."""
    release = D4D1(egonets=6, min_size=50).publish(graph, seed=1)
    view = observe(release.public, Needs(neighbors=True), min_degree=0)
    labels = label(release.secret, view)
    whole = count_rebuilt(view, labels, np.unique(labels.person, return_inverse=True)[1].astype(np.int32))
    edges = {
        (min(pair), max(pair))
        for public, secret in zip(release.public, release.secret, strict=True)
        for v in range(public.node_count)
        for pair in [(int(secret.people[v]), int(secret.people[u])) for u in public.neighbors(v)]
    }
    assert (whole.links, whole.wrong_edges, whole.subgraphs) == (whole.right, 0, 6)
    assert whole.edges == whole.all_edges == len(edges)
    assert whole.people == whole.all_people == len({person for edge in edges for person in edge})
    nothing = count_rebuilt(view, labels, np.full(len(view), -1, dtype=np.int32))
    assert (nothing.links, nothing.precision, nothing.merged, nothing.subgraphs) == (0, None, 0, 1)


def test_the_seed_decides_and_nothing_else(graph):
    def run(seed, **options):
        told = stitch(graph, FEW, attack="signature", protocol="paper", repeats=2, seed=seed, **options).to_dict()
        assert {"publish", "observe", "known people", "rebuild"} <= told.pop("seconds").keys()
        return json.loads(json.dumps(told))

    one = run(1)
    assert one == run(1, threads=1) == run(1, engine="local:jobs=2")
    assert one["rounds"] != run(2)["rounds"]
    assert len(one["known"]) == len(one["rounds"]) == 2
    assert one["rounds"][0] != one["rounds"][1]
    assert one["settings"]["scheme"] == {"name": "d4d-1", "egonets": 6, "min_size": 50, "most_nodes": 0}


def test_known_people_and_links_can_be_left_out(graph):
    both, known, links = (
        stitch(graph, FEW, attack="signature", seed=1, **choice)
        for choice in ({"known": 2}, {"known": 2, "links": False}, {"known": 0})
    )
    assert known.rounds == links.known == ()
    assert (known.known, links.rounds) == (both.known, both.rounds)
    assert asdict(both.known[0])["known"] > both.known[0].subgraph_pairs  # two where two are shared


def test_bad_input_is_named(graph, ring):
    with pytest.raises(InputError, match=r"graph\.csv: no such file"):
        stitch("graph.csv")
    with pytest.raises(InputError, match=r"sure = 0.* above 0"):
        stitch(graph, attack="strong:sure=0")
    with pytest.raises(InputError, match="threat linkage, without parameters"):
        stitch(graph, FEW, attack="signature", threat="linkage:known=3")
    with pytest.raises(InputError, match="threat linkage"):
        stitch(graph, attack="signature", threat="identification")
    with pytest.raises(SampleError, match="no two training sub-graphs share anybody"):
        stitch(ring, "d4d-1:egonets=2,min_size=3", attack="signature", min_degree=1)


def test_shares_of_a_few_links_are_told_with_their_interval(graph, capsys):
    result = stitch(graph, FEW, attack="signature", seed=1)
    few = replace(result.rounds[0][0], links=3, right=3, precision=rate(3, 3))
    print_tables(replace(result, rounds=((few,),)))
    assert "0.292 to 1" in " ".join(capsys.readouterr().out.split())
    nothing = replace(few, links=0, right=0, precision=None)
    print_tables(replace(result, rounds=((nothing,),)))
    shown = capsys.readouterr().out
    assert "no proof of safety" in " ".join(shown.split())
    print_tables(replace(result, rounds=((few, nothing),)))
    assert "kept none of the links that earlier rounds had made" in capsys.readouterr().out
    assert not re.search(r"\d…", shown)
    for worth in result.known[0].worth:
        assert worth.precision is None or worth.precision_low <= worth.precision <= worth.precision_high
        assert worth.blind_precision is None or worth.blind_precision <= worth.blind_precision_high


def test_a_grade_is_told_with_its_interval():
    assert told(rate(5, 5)) == "100.00% (95% interval 47.81 to 100.00%) of 5"
    assert told(rate(0, 5)) == "0.00% (95% interval 0.00 to 52.19%) of 5"
    assert told(None) == "none of 0"
