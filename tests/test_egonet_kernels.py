"""The kernels that name people in egonets do what their plain twins do."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few, graphs, rows_of
from tests.naive import egonet_evidence as naive
from tests.naive import egonet_rounds, egonets
from thinveil.attacks.matching.egonets import beliefs, circles, cutting, egos, hubs, landmarks, merging, selfcheck
from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.attacks.matching.egonets.beliefs import Overlap
from thinveil.attacks.matching.egonets.cutting import Cut
from thinveil.attacks.matching.egonets.rounds import COLUMNS, run_round

overlaps = st.builds(Overlap, st.floats(0.3, 0.97), st.floats(0.3, 0.97))
lots = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def sets_of(graph):
    return [set(row) for row in rows_of(graph)]


def appearances(subgraphs, lot, *, rim=True):
    """Small sub-graphs one behind the other, in which some are inner by lot."""
    seen = Appearances.of(subgraphs, Cut(2, rim))
    return replace(seen, inner=lot.random(seen.count) < 0.6)


def rows_by_subgraph(seen):
    rows = [set(row.tolist()) for row in np.split(seen.indices, seen.indptr[1:-1])]
    return [{w: rows[w] for w in range(first, last)} for first, last in pairwise(seen.start.tolist())]


def draw_names(seen, people, lot):
    """Names by lot, nobody twice in a sub-graph."""
    person = np.full(seen.count, -1, dtype=np.int32)
    for first, last in pairwise(seen.start):
        names = lot.permutation(people)[: last - first]
        person[first : first + names.size] = np.where(lot.random(names.size) < 0.7, names, -1)
    return person


@few
@given(graphs(), st.lists(st.integers(0, 29), min_size=1, unique=True), st.integers(0, 3))
def test_nodes_near_centers_are_counted(graph, centers, radius):
    centers = [center % graph.node_count for center in centers]
    near = cutting.count_near(graph.indptr, graph.indices, np.array(centers), radius)
    reached = [egonets.distances(rows_of(graph), center) for center in centers]
    assert near.tolist() == [sum(one.get(v, 99) <= radius for one in reached) for v in range(graph.node_count)]


@few
@given(lots, st.booleans(), st.floats(0.05, 0.5), st.floats(0.3, 0.97))
def test_evidence_of_pairs(lot, together, spread, edges):
    roots = np.sqrt(lot.integers(0, 30, (12, 12)) + 0.375).astype(np.float32)
    knows, place = lot.random((12, 12)) < 0.4, lot.integers(-1, 12, (2, 6)).astype(np.int32)
    root = np.sqrt(lot.integers(0, 30, 1) + 0.375)
    first, second = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    found = beliefs._fill_evidence(place, first, second, root, np.array([together]), roots, knows, spread, edges)
    twin = naive.pair_evidence(*place.tolist(), root[0], together, roots.tolist(), knows.tolist(), spread, edges)
    wanted = np.zeros(found.shape[1:])
    for where, odds in twin.items():
        wanted[where] = odds
    assert found[0] == pytest.approx(wanted, abs=1e-3)


@few
@given(lots, st.integers(1, 6))
def test_messages(lot, rounds):
    unary, ends = lot.normal(size=(5, 4)), [(0, 1), (1, 2), (3, 1), (0, 2)]
    factors = np.exp(lot.normal(size=(len(ends), 4, 4))).astype(np.float32)
    first, second = np.array(ends, dtype=np.int32).T.copy()
    found = beliefs._propagate(unary, factors, first, second, np.zeros((2, len(ends), 4)), rounds)
    assert found == pytest.approx(np.array(naive.propagate(unary.tolist(), factors.tolist(), ends, rounds)), abs=1e-4)


@few
@given(lots, overlaps)
def test_places_by_landmarks(lot, overlap):
    people, marks = 40, 5
    degrees = np.sort(np.sqrt(lot.integers(1, 60, people)))
    roots, knows = (
        np.sqrt(lot.integers(0, 20, (marks, people)) + 0.375).astype(np.float32), lot.random((marks, people)) < 0.3,
    )  # fmt: skip
    window = np.array([3, 0, 7]), np.array([30, 40, 7])
    rows = np.array([0, 3, 3, 5]), np.array([1, 0, 4, 2, 3], dtype=np.int32), lot.random(5) * 4, lot.random(5) < 0.5
    best, probability = landmarks._place(
        0, 3, window, np.array([4.0, 5.0, 6.0]), degrees, rows, (roots, knows), overlap
    )
    assert best[1] == best[2] == -1  # no landmark, and no candidate
    told = [(rows[2][k], rows[3][k], roots[rows[1][k], 3:30], knows[rows[1][k], 3:30]) for k in range(3)]
    twin = naive.by_landmarks(4.0, degrees[3:30].tolist(), told, overlap)
    assert probability[0] == pytest.approx(max(twin), rel=1e-3)
    assert twin[best[0] - 3] == pytest.approx(max(twin), rel=1e-3)


@few
@given(graphs())
def test_shared_contacts(graph):
    for v in range(graph.node_count):
        found = circles.shared_roots(graph.indptr, graph.indices, v)
        assert found.tolist() == pytest.approx(naive.shared(sets_of(graph), v))


@few
@given(graphs(least=2), overlaps, lots)
def test_a_center_by_its_contacts(graph, overlap, lot):
    people, contacts = circles.People(graph, overlap), (lot.random(5) * 4, lot.random(5) * 3)
    chosen = lot.permutation(graph.node_count)[:6]
    rows = graph.indptr, graph.indices, people.roots, people.common
    place, probability = egos._try_all(chosen, rows, contacts, 2.0, overlap)
    twin = naive.by_contacts(chosen.tolist(), sets_of(graph), list(zip(*contacts, strict=True)), 2.0, overlap)
    assert probability == pytest.approx(max(twin))
    assert twin[place] == pytest.approx(max(twin))


@few
@given(graphs(least=2), graphs(least=2), overlaps, lots)
def test_a_hub_by_its_circle(graph, other, overlap, lot):
    people, bins, spread = circles.People(graph, overlap), 14, 2.5
    chosen, hub = lot.permutation(graph.node_count)[:6], int(lot.integers(other.node_count))
    own = hubs._count_own(other.indptr, other.indices, hub, bins)
    circle = naive.shared(sets_of(other), hub)
    assert own.sum() == len(circle)
    rows = graph.indptr, people.common, people.roots
    odds = hubs._compare_circles(chosen, rows, own, 2.0, spread, overlap)
    twin = naive.by_circle(chosen.tolist(), sets_of(graph), circle, 2.0, spread, bins, overlap)
    assert odds == pytest.approx(np.array(twin), abs=1e-9)


@few
@given(graphs(), lots)
def test_edges_in_a_circle(graph, lot):
    members = np.flatnonzero(lot.random(graph.node_count) < 0.6)
    edges = hubs._circle(graph.indptr, graph.indices, members)
    assert {*zip(*(ends.tolist() for ends in edges.nonzero()), strict=True)} == naive.circle(
        rows_of(graph), members.tolist()
    )
    assert edges.has_sorted_indices


@few
@given(st.lists(st.dictionaries(st.integers(10, 20), st.integers(0, 12)), min_size=2, max_size=7), st.data())
def test_traits_that_agree(traits, data):
    subgraph = data.draw(st.lists(st.integers(0, 3), min_size=len(traits), max_size=len(traits)))
    indptr = np.cumsum([0, *map(len, traits)])
    contacts = np.array([key for one in traits for key in sorted(one)], dtype=np.int32)
    common = np.array([one[key] for one in traits for key in sorted(one)], dtype=np.int32)
    rows, places = np.arange(len(traits)), np.array(subgraph, dtype=np.int32)
    found = merging._compare_class(rows, places, indptr, contacts, common, -2.03)
    wanted = {
        (a, b): naive.agreement(traits[a], traits[b]) - 2.03
        for a in range(len(traits)) for b in range(a + 1, len(traits)) if subgraph[a] != subgraph[b]
    }  # fmt: skip
    assert {(a, b): odds for a, b, odds in zip(*(one.tolist() for one in found), strict=True)} == pytest.approx(
        {pair: odds for pair, odds in wanted.items() if odds > 0}
    )


@few
@given(st.lists(st.integers(0, 5), min_size=2, max_size=12), st.data())
def test_united_groups(subgraph, data):
    row = st.integers(0, len(subgraph) - 1)
    pairs = data.draw(st.lists(st.tuples(row, row).filter(lambda pair: pair[0] != pair[1]), max_size=15))
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T.copy()
    group = merging._unite(first, second, len(subgraph), np.array(subgraph, dtype=np.int32))
    assert egonets.classes(group.tolist()) == naive.unite(pairs, subgraph)


@few
@given(st.lists(graphs(most=12), min_size=1, max_size=3), graphs(least=12), lots)
def test_hidden_edges_that_are_found(subgraphs, graph, lot):
    seen = appearances(subgraphs, lot)
    person = draw_names(seen, graph.node_count, lot)
    rows, known = (seen.indptr, seen.indices), lot.random(seen.count) < 0.3
    found = selfcheck._count_found(seen.start, rows, seen.inner, person, (graph.indptr, graph.indices), known)
    wanted = naive.count_found(rows_by_subgraph(seen), seen.inner, person.tolist(), sets_of(graph), known)
    assert tuple(one.tolist() for one in found) == wanted


@few
@given(st.lists(graphs(most=12), min_size=1, max_size=3), graphs(least=12), overlaps, st.booleans(), lots)
def test_a_round_names_people(subgraphs, graph, overlap, rim, lot):
    seen = appearances(subgraphs, lot, rim=rim)
    person = draw_names(seen, graph.node_count, lot)
    trust, chosen = np.where(person >= 0, lot.uniform(0.5, 1, person.size), 0.0), lot.random(seen.count) < 0.8
    degrees = graph.degrees + lot.integers(0, 3, graph.node_count)
    found = run_round(graph, degrees, seen, person, trust, overlap, chosen=chosen)
    for rows in rows_by_subgraph(seen):
        scene = {"rows": rows, "inner": seen.inner.tolist(), "graph": sets_of(graph), "degrees": degrees.tolist(),
                 "person": person.tolist(), "trust": trust.tolist(), "rim": rim}  # fmt: skip
        mine = {w for w in rows if chosen[w]}
        twin = egonet_rounds.name_subgraph(scene, overlap, mine, 0.5 * np.log(graph.node_count))
        for w, people in twin.items():
            assert (found.person[w] >= 0) == bool(people)
            if people:
                facts = people[int(found.person[w])]
                assert facts["odds"] == pytest.approx(max(one["odds"] for one in people.values()), abs=1e-9)
                assert found.table[w] == pytest.approx([float(facts[name]) for name in COLUMNS], rel=1e-3, abs=1e-4)
