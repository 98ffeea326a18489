"""Events where people are named: they go with their edges, are divided as they differ, and count as evidence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few
from tests.naive import events as naive
from tests.test_match import graded, two_graphs
from thinveil.attacks.matching.copies import Overlaps, split
from thinveil.attacks.matching.division import Division, divide, edge_numbers
from thinveil.attacks.matching.hiding import hide_edges
from thinveil.attacks.matching.whole import events as kernels
from thinveil.attacks.matching.whole.events import COLUMNS, Activity, Pair, estimate_division
from thinveil.attacks.matching.whole.moments import Moments, compare_moments
from thinveil.attacks.matching.whole.scan import Linked
from thinveil.auditing.match import match
from thinveil.graph import EdgeRows, Graph, trusted_graph
from thinveil.graph.events import cut_time
from thinveil.graph.synthetic import synthetic_graph
from thinveil.graph.thinning import thin

PEOPLE = 9
events = st.lists(
    st.tuples(*map(st.integers, (0, 0, 0, -1, 0), (PEOPLE - 1, PEOPLE - 1, 1, 9, 99))),
    min_size=2,
    max_size=60,
).map(lambda drawn: [(0, 1, 1, 1, 0), (1, 2, 1, 1, 99), *(one for one in drawn if one[0] != one[1])])  # fmt: skip


def graph_of(rows):
    columns = {
        "direction": np.array([row[2] for row in rows], dtype=np.int8),
        "weight": np.array([row[3] for row in rows], dtype=np.int64),
        "time": np.array([300 * row[4] for row in rows], dtype=np.int64),
    }
    ends = [np.array([row[k] for row in rows], dtype=np.int64) for k in (0, 1)]
    return Graph.from_edges(*ends, columns=columns, node_count=PEOPLE)


def bag(graph, names=None):
    """The events of a graph as a sorted list, by the names of their ends."""
    rows, names = graph.rows, np.arange(graph.node_count) if names is None else names
    ends = zip(names[rows.source].tolist(), names[rows.target].tolist(), strict=True)
    values = zip(*(rows.columns[name].tolist() for name in sorted(rows.columns)), strict=True)
    told = []
    for (one, two), mine in zip(ends, values, strict=True):
        told.append((*(sorted((one, two)) if mine[0] == 0 else (one, two)), *mine))
    return sorted(told)


@few
@given(events, st.sampled_from([0.0, 0.5]), st.integers(0, 2**40), st.randoms())
def test_events_go_with_their_edges_and_their_order_says_nothing(rows, deleted, key, chance):
    graph, members = graph_of(rows), np.array([4, 2, 0, 1, 7], dtype=np.int32)
    part = thin(graph, members, deleted, key)
    edges = {(int(members[u]), int(members[v])) for u in range(5) for v in part.neighbors(u)}
    assert bag(part, members) == [one for one in bag(graph) if (one[0], one[1]) in edges]
    stirred = list(rows)
    chance.shuffle(stirred)
    again = thin(graph_of(stirred), members, deleted, key).rows
    assert again.source.tolist() == part.rows.source.tolist()
    assert all((again.columns[name] == part.rows.columns[name]).all() for name in again.columns)


def test_hidden_edges_take_their_events_along():
    graph = mails(200, 3)
    hidden = hide_edges(graph, np.random.default_rng(0), 0.3)
    gone = set(zip(hidden.source.tolist(), hidden.target.tolist(), strict=True))
    kept = bag(hidden.graph)
    assert kept == [one for one in bag(graph) if (min(one[:2]), max(one[:2])) not in gone]
    assert 0 < len(kept) < len(bag(graph))


@few
@given(events, st.sampled_from([0.1, 1.0, 10.0]), st.booleans(), st.integers(0, 99))
def test_events_are_divided(rows, spread, by_time, seed):
    graph = graph_of(rows)
    period = None if by_time else (0.0, 29_700.0)
    division = Division(frozenset({"time", "weight", "direction"}), period, spread)
    one, two = divide(graph, division, np.random.default_rng(seed))
    every = [bag(half) for half in (one, two)]
    assert all(mine in every[0] or mine in every[1] for mine in bag(graph))
    for half in (one, two):
        assert edge_numbers(half, half.rows)[1] == graph.edge_count
        assert half.indices.tolist() == graph.indices.tolist()
    # an edge has one borrowed event at most, and nothing else stands in both copies
    assert sum(map(len, every)) - len(rows) <= graph.edge_count
    if by_time:
        assert max(one.rows.columns["time"]) <= min(two.rows.columns["time"])


def test_the_same_events_are_in_both_copies():
    graph = mails(100, 1)
    assert divide(graph, Division(frozenset(), None, 0.0), np.random.default_rng(0)) == (graph, graph)
    division = Division.of(graph, graph)
    everybody = Linked(np.arange(100, dtype=np.int32), np.ones(100, dtype=np.float32))
    assert estimate_division(graph, graph, everybody, division).spread == 0
    copies = split(graph, Overlaps(1.0, 1.0, division._replace(spread=3.0)), np.random.default_rng(2))
    truth = Linked(copies.truth, np.ones(100, dtype=np.float32))
    assert estimate_division(copies.left, copies.right, truth, division).spread >= 1


def test_what_two_graphs_tell_in_common():
    early, late = mails(50, 1), mails(50, 2, first=10**7)
    assert Division.of(early, late).is_by_time
    assert Division.of(early, early).period is not None
    assert Division.of(early, plain(late)) is None
    assert Division.of(early, cut_time(early, 4)).columns == {"direction"}  # a clock is not compared with slots
    bare = trusted_graph(late.indptr, late.indices, rows=EdgeRows(late.rows.source, late.rows.target, {}))
    assert Division.of(early, bare).columns == frozenset()


@few
@given(events, events, st.permutations(range(PEOPLE)), st.integers(0, PEOPLE))
def test_ties_equal_their_plain_twin(ours, theirs, order, linked):
    left, right = graph_of(ours), graph_of(theirs)
    division = Division(frozenset({"time", "weight", "direction"}), (0.0, 29_700.0))
    pair = Pair.of(left, right, division)
    other = np.full(PEOPLE, -1, dtype=np.int32)
    other[:linked] = order[:linked]
    one, two = (side.ravel().astype(np.int32) for side in np.meshgrid(np.arange(PEOPLE), np.arange(PEOPLE)))
    table = pair.describe(one, two, Linked(other, (other >= 0).astype(np.float32)))
    assert table.shape == (PEOPLE**2, len(COLUMNS))
    assert np.isfinite(table).all()
    links = {u: int(v) for u, v in enumerate(other) if v >= 0}
    for k, (u, v) in enumerate(zip(one.tolist(), two.tolist(), strict=True)):
        sides = (ties(left, pair.left_activity, u), ties(right, pair.right_activity, v))
        assert table[k, 7:] == pytest.approx(naive.compare_ties(*sides, links), abs=1e-4)


def ties(graph, activity, node):
    made = {}
    for e in range(graph.indptr[node], graph.indptr[node + 1]):
        amount, weight, sent, _ = activity.ties[e].tolist()
        times = activity.times[activity.starts[e] : activity.starts[e + 1]].tolist()
        made[int(graph.indices[e])] = (amount, weight, sent, times)
    return made


@few
@given(events)
def test_sums_and_times_of_a_tie_are_those_of_its_events(rows):
    graph = graph_of(rows)
    activity = Activity.of(graph, Division(frozenset({"time", "weight", "direction"}), (0.0, 29_700.0)))
    counts = {(v, x): n for v in range(PEOPLE) for x, n in naive.sums(rows, v, "contacts").items()}
    mean = sum(counts.values()) / len(counts)
    for v in range(PEOPLE):
        for x, (amount, _, sent, times) in ties(graph, activity, v).items():
            assert amount == pytest.approx(np.log1p(counts[v, x] / mean), abs=1e-5)
            assert times == sorted(300 * r[4] for r in rows if {r[0], r[1]} == {v, x})
            assert sent == pytest.approx(naive.sums(rows, v, "contacts-out")[x] / counts[v, x])


@few
@given(events, events)
def test_moments_equal_their_plain_twin(ours, theirs):
    left, right = graph_of(ours), graph_of(theirs)
    division = Division(frozenset({"time"}), (0.0, 29_700.0))
    everybody = np.arange(PEOPLE, dtype=np.int32)
    told = compare_moments(Moments.of(left, division), Moments.of(right, division), everybody, everybody)
    spans = [
        [sorted({row[4] // 2 for row in rows if v in row[:2]}) for v in range(PEOPLE)] for rows in (ours, theirs)
    ]  # fmt: skip
    people_in = [sum(span in mine for mine in spans[1]) for span in range(50)]
    for u in range(PEOPLE):
        for v in range(PEOPLE):
            assert told[u, v] == pytest.approx(naive.moments(spans[0][u], spans[1][v], people_in), abs=1e-4)


@few
@given(*[st.lists(st.integers(0, 30).map(lambda k: 300.0 * k), max_size=12).map(sorted)] * 2)
def test_near_and_equal_times_equal_plain_twins(one, two):
    sides = np.array(one), np.array(two)
    assert kernels.count_near(*sides) == naive.near(one, two, 600)
    assert kernels.count_equal(*sides) == naive.equal(one, two)


def mails(people, seed, first=0):
    """A graph whose edges have one to nine mails, some more often from one side, at any time of 100 days."""
    graph, rng = synthetic_graph(people, seed=seed, mean_degree=8), np.random.default_rng(seed)
    source = np.repeat(np.arange(people), graph.degrees)
    edges = np.repeat(np.flatnonzero(source < graph.indices), rng.integers(1, 10, size=graph.edge_count))
    swap, ends = rng.random(edges.size) < 0.3, np.array([source[edges], graph.indices[edges]])
    columns = {
        "direction": np.ones(edges.size, dtype=np.int8),
        "time": first + rng.integers(8_640_000, size=edges.size),
    }
    return Graph.from_edges(*np.where(swap, ends[::-1], ends), columns=columns, node_count=people)


def plain(graph):
    return trusted_graph(graph.indptr, graph.indices, graph.labels)


def test_events_help_to_name_people():
    auxiliary, target, truth = two_graphs(mails(400, 5), 0.75, 0.75, 3)
    found, mine = graded(auxiliary, target, truth)
    _, alone = graded(plain(auxiliary), plain(target), truth)
    assert found.verdict.accepted
    assert mine.right.value > alone.right.value + 0.1
    assert mine.wrong.value < 0.1


def test_events_on_one_side_alone_change_nothing():
    auxiliary, target, _ = two_graphs(mails(120, 5), 0.75, 0.75, 3)
    one, two = match(auxiliary, plain(target), seed=4), match(plain(auxiliary), plain(target), seed=4)
    assert one.table.equals(two.table)
    assert one.verdict == two.verdict


def test_events_of_strangers_name_nobody():
    found = match(mails(200, 7), thin(mails(200, 8), np.arange(200, dtype=np.int32), 0.0, 0))
    assert not found.verdict.accepted
    assert not len(found.table)
