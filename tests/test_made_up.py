"""Nodes behind which nobody stands, and nodes that stand for several people: what is written, asked and counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from thinveil.attacks.matching import KnownNames, Names, Verdict
from thinveil.auditing.audit import audit
from thinveil.auditing.draw import set_scene
from thinveil.auditing.judging import judge, places_of
from thinveil.auditing.plan import Plan
from thinveil.auditing.seeing import see
from thinveil.errors import InputError, UndefinedError
from thinveil.features import Needs, label, observe
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.utility import utility
from thinveil.runtime.keys import Key
from thinveil.runtime.streams import Seeds
from thinveil.schemes import D4D1, NOBODY, Published, Release, Secret, read_release, seal, write_release
from thinveil.threats import Identification

FEW = {"attack": "forest:trees=20", "train_negatives": 1_000, "test_negatives": 3_000, "protocol": "paper"}
STAR = Graph.from_edges([0, 0, 0, 0], [1, 2, 3, 4])


def release_of(*secrets):
    return Release((STAR,) * len(secrets), secrets, "stars", np.array([f"p{k}" for k in range(9)], dtype=object))


@dataclass(frozen=True)
class Crowded:
    """Egonets with made-up people beside the real ones: each egonet has some more who know its 1-hop people."""

    name: ClassVar[str] = "crowded"
    real: bool = True
    many: int = 30

    def describe(self) -> str:
        return "publishes egonets among made-up people"

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        whole = D4D1(egonets=10, min_size=60).publish(graph, seed=seed, avoid=avoid)

        def make(k: int) -> Published:
            public, secret = whole.public[k], whole.secret[k]
            near = np.flatnonzero(secret.hops == 1)[:8]
            fakes = public.node_count + np.arange(self.many)
            source = np.repeat(np.arange(public.node_count), public.degrees)
            once = source < public.indices
            ends = (
                np.append(source[once], np.repeat(fakes, near.size)),
                np.append(public.indices[once], np.tile(near, fakes.size)),
            )
            people = (
                np.append(secret.people, np.full(fakes.size, NOBODY))
                if self.real
                else np.full(public.node_count + fakes.size, NOBODY)
            )
            hops = np.append(secret.hops, np.full(fakes.size, 2, dtype=np.int8))
            return Published(Graph.from_edges(*ends, node_count=public.node_count + fakes.size), Secret(people, hops))

        return Release.lazy(len(whole), make, scheme=self.name, graph=graph, centers=whole.egos)


def test_a_secret_may_hold_nobody_and_several():
    secret = Secret(np.array([3, NOBODY, 5, NOBODY]), others=np.array([[0, 0], [7, 8]]))
    assert secret.everybody.tolist() == [3, 5, 7, 8]
    assert secret.is_one.tolist() == [False, False, True, False]
    again = secret.renumbered(np.arange(9, dtype=np.int32)[::-1].copy()).reordered(np.array([2, 0, 1, 3]))
    assert (again.people.tolist(), again.others.tolist()) == ([3, 5, NOBODY, NOBODY], [[1, 1], [1, 0]])


@pytest.mark.parametrize(("people", "others", "words"), [
    ([3, -2], None, "whole numbers from -1"), ([3, 4], [[0], [4]], "twice"), ([3, -1], [[1], [4]], "nobody"),
    ([3, 4], [[2], [5]], "not there"), ([3, 4], [0, 5], "two rows"),
])  # fmt: skip
def test_secrets_that_make_no_sense_are_refused(people, others, words):
    with pytest.raises(InputError, match=words):
        Secret(np.array(people), others=None if others is None else np.array(others))


def test_who_is_nobody_and_who_is_several_comes_back_from_disk(tmp_path):
    one = Secret(np.array([0, 1, NOBODY, 2, 3]), others=np.array([[1, 1, 3], [6, 7, 8]]))
    two = Secret(np.array([4, 1, 2, NOBODY, NOBODY]))
    release = seal(release_of(one, two), Key.fresh())
    write_release(release, tmp_path / "out", tmp_path / "truth")
    back = read_release(tmp_path / "out", tmp_path / "truth")
    called = [sorted(sorted(group) for group in _groups(part, back.names)) for part in back.secret]
    assert sorted(called) == sorted([
        [[], ["p0"], ["p1", "p6", "p7"], ["p2", "p8"], ["p3"]], [[], [], ["p1"], ["p2"], ["p4"]]
    ])  # fmt: skip


def _groups(secret, names):
    groups = [[] if person == NOBODY else [names[person]] for person in secret.people]
    for node, person in [] if secret.others is None else secret.others.T:
        groups[node].append(names[person])
    return groups


def test_made_up_people_are_never_the_same_person():
    release = release_of(Secret(np.array([0, 1, NOBODY, NOBODY, 2])), Secret(np.array([0, NOBODY, 1, 3, 4])))
    labels = label(release.secret, observe(release.public, Needs(), min_degree=0))
    _, counts = np.unique(labels.person, return_counts=True)
    assert sorted(counts.tolist()) == [1, 1, 1, 1, 1, 1, 2, 2]
    assert labels.everybody.tolist() == [0, 1, 2, 3, 4]


def test_nothing_is_asked_of_people_in_one_node():
    graph = synthetic_graph(2_000, seed=1)
    merged = Secret(np.arange(0, 2_000, 2, dtype=np.int32), others=np.stack((np.arange(500), np.arange(1, 1_001, 2))))
    half = Graph.from_edges(np.arange(999), np.arange(1, 1_000))
    release = Release((half, half), (merged, Secret(np.arange(1_000, dtype=np.int32))), "merged")
    labels = label(release.secret, observe(release.public, Needs(), min_degree=0))
    assert labels.is_merged[:1_000].tolist() == [True] * 500 + [False] * 500
    assert not labels.is_merged[1_000:].any()
    assert graph.node_count == 2_000


def test_an_audit_among_made_up_people_counts_the_real_ones_only():
    graph = synthetic_graph(4_000, seed=1)
    sides = set_scene(Plan.make(Crowded(), **FEW), graph, None, Seeds(0, (0,)))
    real = np.concatenate([part.people for part in sides.attacked.release.secret])
    pairs = sides.asked(next(iter(sides.plan.questions(sides.plan.attack, ["complete"]))))[0]
    people = sides.attacked.labels.person
    assert np.isin(people[pairs.left], real[real >= 0]).all()
    assert (people[pairs.left] == people[pairs.right]).all()
    result = audit(graph, Crowded(), **FEW)
    assert result.rate("complete", 0.01).positives > 100
    assert result.people.person.max() < graph.node_count


@pytest.mark.parametrize("threat", ["linkage", "identification:node_overlap=0.5,edge_overlap=0.75"])
def test_where_nobody_stands_behind_any_node_linking_is_undefined(threat):
    with pytest.raises(UndefinedError, match="undefined, not 0%: nobody stands behind the nodes that scheme crowded"):
        audit(synthetic_graph(2_000, seed=1), Crowded(real=False), threat=threat, attack="forest:trees=10")


def test_names_are_right_for_anybody_in_a_node_and_wrong_for_nobody():
    secret = Secret(np.array([0, 1, NOBODY, 2, 3]), others=np.array([[1, 4], [6, 7]]))
    auxiliary = np.array([6, 0, 7, 1, 5], dtype=np.int32)  # person 6 is number 0 there
    said = {0: 1, 1: 0, 2: 4, 4: 2}
    names = Names(
        np.zeros(4, dtype=np.int32), *(np.array(list(half), dtype=np.int32) for half in (said, said.values())),
        np.ones(4), Verdict(),
    )  # fmt: skip
    judged = judge(names, KnownNames(), (STAR,), (secret,), places_of(auxiliary, (secret,)))
    assert judged.true.tolist() == [1, 0, -1, -1, 2]
    assert judged.said.tolist() == [1, 0, 4, -1, 2]


def test_the_auxiliary_graph_stands_beside_made_up_people():
    graph = synthetic_graph(4_000, seed=1)
    threat = Identification(0.9, 0.9, known=0)
    release = threat.publish(Crowded(), graph, seeds=Seeds(0)).attacked
    assert (release.secret[0].people == NOBODY).sum() == 30
    assert (release.secret[len(release) - 1].people >= 0).all()


def test_people_whom_the_graph_does_not_have_reach_no_kernel():
    graph, far = synthetic_graph(300, seed=1), Secret(np.array([0, 10**6, 2 * 10**9, 1, 2], dtype=np.int64))
    seen = see(graph, Release((STAR,), (far,)), auxiliary=False)
    assert seen.fakes.edges == 2  # those of people whom nobody knows are not judged
    with pytest.raises(InputError, match="whom the graph does not have"):
        utility(graph, Release((STAR,), (far,)))
