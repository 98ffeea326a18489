"""Events as evidence of the strong attack: exact ties, slots of time, and nothing where events say nothing."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few, ordered
from tests.golden.cases import mails
from tests.naive import events as naive
from thinveil.attacks import StrongAttack
from thinveil.attacks.collective import tied
from thinveil.auditing.audit import audit
from thinveil.features import EventHistogram, InSlots, View, observe
from thinveil.features.coincidences import Marks
from thinveil.features.further import ChannelSeen, Further, SlotSeen, TieSeen
from thinveil.features.ties import TieKeys, Ties
from thinveil.graph import EdgeRows, Graph, trusted_graph
from thinveil.graph.events import cut_time
from thinveil.schemes import D4D1, Published, Release

SLOTS = 3
events = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 1), st.integers(-1, 3), st.integers(0, SLOTS - 1)),
    min_size=1,
    max_size=60,
).map(lambda drawn: [one for one in drawn if one[0] != one[1]])
kinds = st.lists(st.sampled_from(["contacts", "contacts-in", "weight", "weight-out"]), min_size=1, unique=True)


def graph_of(rows):
    columns = {"direction": np.array([row[2] for row in rows], dtype=np.int8),
               "weight": np.array([row[3] for row in rows], dtype=np.int64),
               "time": np.array([row[4] for row in rows], dtype=np.int32)}  # fmt: skip
    ends = [np.array([row[k] for row in rows], dtype=np.int64) for k in (0, 1)]
    return Graph.from_edges(*ends, columns=columns, node_count=8)


@few
@given(events, kinds, st.sampled_from([1, SLOTS]))
def test_keys_are_equal_where_all_sums_are(rows, chosen, slots):
    graph = graph_of(rows)
    ties = TieKeys(tuple(chosen), slots).extract(graph, np.arange(8, dtype=np.int32))
    assert ties.counts.tolist() == graph.degrees.tolist()
    told = [naive.tie(rows, v, int(other), chosen, slots) for v in range(8) for other in graph.neighbors(v)]
    keys = ties.keys.tolist()
    assert len(keys) == len(told)
    assert len(set(zip(told, keys, strict=True))) == len(set(told)) == len(set(keys))


def test_ties_are_taken_and_joined():
    ties = Ties(np.array([2, 0, 3, 1]), np.arange(6))
    part = ties.take(np.array([True, False, True, False]))
    assert (part.counts.tolist(), part.keys.tolist()) == ([2, 3], [0, 1, 2, 3, 4])
    part = ties.take(np.array([3, 0, 1]))
    assert (part.counts.tolist(), part.keys.tolist()) == ([1, 2, 0], [5, 0, 1])
    joined = Ties.join([part, ties])
    assert joined.counts.tolist() == [1, 2, 0, 2, 0, 3, 1]
    assert joined.keys.tolist() == [5, 0, 1, *range(6)]


@few
@given(events)
def test_columns_of_slots_equal_plain_twin(rows):
    graph = graph_of(rows)
    channel = InSlots(EventHistogram("contacts", 4), SLOTS)
    table = channel.extract(graph, np.arange(8, dtype=np.int32))
    view = View({channel.name: table}, *[np.zeros(8, dtype=np.int32)] * 3)
    further = Further((channel,))
    left, right = (side.ravel() for side in np.meshgrid(np.arange(8), np.arange(8)))
    lines = np.empty((left.size, len(further.words)), dtype=np.float32)
    further.fill(view, None, left, right, lines)
    for k, (p, q) in enumerate(zip(left, right, strict=True)):
        ref = naive.compare_slots(*(table[row].reshape(SLOTS, 4).tolist() for row in (p, q)))
        assert ref.keys() == set(SlotSeen.__members__)
        assert lines[k, len(ChannelSeen) :] == pytest.approx([ref[one.name] for one in SlotSeen], abs=1e-6)


@few
@given(st.lists(st.lists(st.integers(0, 9), max_size=5), min_size=2, max_size=12), st.integers(1, 3))
def test_tied_appearances_equal_plain_twin(marks, most):
    subgraph = (np.arange(len(marks)) * 4 // len(marks)).astype(np.int32)
    made = Marks.of(np.array([len(mine) for mine in marks]), np.array([m for mine in marks for m in mine], dtype=int))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tied, "_MOST", most)
        patch.setattr(tied, "_LEAST", most)
        found = tied.list_tied(made, subgraph)
    assert ordered(found) == naive.tied(marks, subgraph.tolist(), most, tied._ENTRIES)


def test_nothing_further_adds_no_column():
    assert StrongAttack().further == Further()
    assert StrongAttack().needs.ties == ()
    further = StrongAttack(slots=2).further
    assert len(further.words) == len(ChannelSeen) + len(SlotSeen) + len(TieSeen)
    assert StrongAttack(features=("weight",), slots=2).needs.slots == 2


def test_ties_survive_the_parts_of_a_view():
    attack, graph = StrongAttack(features=("contacts",)), mails()
    view = observe(D4D1(egonets=4, min_size=50).publish(graph, seed=1).public, attack.needs, min_degree=3)
    (name,) = view.ties
    part, kept = view.part(np.array([1, 3]))
    assert part.ties[name].counts.tolist() == view.ties[name].counts[kept].tolist()
    both = View.join(part, view, shift=2)
    assert both.ties[name].keys.size == part.ties[name].keys.size + view.ties[name].keys.size
    assert view.take(kept).ties[name].keys.tolist() == part.ties[name].keys.tolist()


@dataclass(frozen=True)
class Restless(D4D1):
    """Egonets whose events are spread over the slots anew in each of them: what is left of them says nothing."""

    name: ClassVar[str] = "restless"

    def publish(self, graph, *, seed, avoid=()):
        release, chance = super().publish(graph, seed=seed, avoid=avoid), np.random.default_rng(seed + len(avoid))
        parts = [Published(stirred(release.public[k], chance), release.secret[k]) for k in range(len(release))]
        return Release.of(parts, scheme=self.name, graph=graph)


def stirred(graph, chance):
    columns = {**graph.rows.columns, "time": chance.integers(4, size=graph.rows.source.size).astype(np.int32)}
    rows = EdgeRows(graph.rows.source, graph.rows.target, columns)
    return trusted_graph(graph.indptr, graph.indices, rows=rows)


def test_exact_ties_find_people_and_only_where_they_are_published():
    shape = {"protocol": "matched", "min_degree": 3, "test_negatives": 5_000, "categories": ("complete",),
             "beside": (), "seed": 3, "train_pairs": 2_000, "train_negatives": 4_000}  # fmt: skip
    graph, found = sparse_mails(), {}
    for name, scheme, attack in (
        ("alone", D4D1(12, 30), "strong:rounds=2"),
        ("slots", D4D1(12, 30), "strong:rounds=2,slots=4"),
        ("restless", Restless(12, 30), "strong:rounds=2,slots=4"),
    ):
        found[name] = audit(graph, scheme, attack=attack, **shape).rate("complete", 0.01).draws[0]
    assert found["slots"] > 0.7
    # what is drawn anew in every egonet says no more than the network alone
    assert max(found["alone"], found["restless"]) < 0.4


def sparse_mails():
    """A few hundred people with few contacts, of whom the network alone says little."""
    rng = np.random.default_rng(5)
    ends = rng.integers(400, size=(2, 1_300))
    ends = np.repeat(ends[:, ends[0] != ends[1]], 3, axis=1)
    return Graph.from_edges(*ends, columns={"time": rng.integers(1000, size=ends.shape[1])}, node_count=400)


def test_a_graph_without_times_is_refused():
    with pytest.raises(Exception, match=r"time in slots needs"):
        audit(cut_time(mails(), 1), "d4d-1:egonets=4,min_size=50", attack="strong:slots=2", beside=())
