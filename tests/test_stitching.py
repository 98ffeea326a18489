"""Stitching: kernels beside their twins, what the attacker may know, and what is gained."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import stitching as naive
from thinveil.attacks import SignatureAttack
from thinveil.datasets import synthetic_graph
from thinveil.errors import InputError
from thinveil.features import Neighbors, RowTruth, View, observe
from thinveil.graph import Graph
from thinveil.pairs import NO_PAIRS, Pairs, PairSampler
from thinveil.schemes import make_scheme
from thinveil.stitching import Round, Stitcher, count_rebuilt
from thinveil.stitching.anchors import _distances, pairs_alike
from thinveil.stitching.evidence import _threshold, lead_of
from thinveil.stitching.logistic import Logistic
from thinveil.stitching.merging import merge
from thinveil.stitching.support import Acquaintances, count_support, find_partners

small = st.integers(0, 9)


@st.composite
def stitched(draw):
    """Rows of up to four sub-graphs that know each other within them, and people with a row in each at most."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=2, max_size=4))
    subgraph = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    rows = range(subgraph.size)
    possible = [(u, v) for u in rows for v in rows if u < v and subgraph[u] == subgraph[v]]
    edges = [pair for pair in possible if draw(st.booleans())]
    person = np.full(subgraph.size, -1, dtype=np.int32)
    for k in range(len(sizes)):
        mine = np.flatnonzero(subgraph == k)
        person[mine] = draw(st.permutations([*range(7), *[-1] * 3]))[: mine.size]
    return subgraph, edges, person


def neighbors_of(edges, rows):
    graph = Graph.from_edges(*(np.array([e[k] for e in edges], dtype=np.int64) for k in (0, 1)), node_count=rows)
    return Neighbors(graph.indptr, graph.indices), [set(graph.neighbors(v).tolist()) for v in range(rows)]


def ordered(pairs):
    return list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))


def as_pairs(pairs):
    return Pairs(*(np.array([pair[k] for pair in pairs], dtype=np.int64) for k in (0, 1)))


@given(st.lists(st.tuples(small, small).filter(lambda e: e[0] < e[1]), unique=True), st.sets(small))
def test_neighbors_among_rows(edges, nodes):
    nodes = sorted(nodes)
    graph = Graph.from_edges([u for u, _ in edges], [v for _, v in edges], node_count=10)
    part = Neighbors.among(graph, np.array(nodes, dtype=np.int32))
    ref = naive.rows_among(edges, nodes)
    assert [part.of(k).tolist() for k in range(len(nodes))] == ref
    twice = Neighbors.join([part, part])
    assert [twice.of(k).tolist() for k in range(2 * len(nodes))] == ref + [[r + len(nodes) for r in row] for row in ref]


@given(stitched())
def test_support(case):
    subgraph, edges, person = case
    neighbors, knows = neighbors_of(edges, subgraph.size)
    known, ref = Acquaintances.of(neighbors, person), naive.acquaintances(knows, person)
    number = {int(g): int(person[known.rows[known.starts[g]]]) for g in range(known.starts.size - 1)}
    mine = [known.people[known.indptr[r] : known.indptr[r + 1]].tolist() for r in range(subgraph.size)]
    assert all(row == sorted(row) for row in mine)
    assert [{number[g] for g in row} for row in mine] == ref
    assert (np.diff(known.known_by) >= 0).all()
    pairs = as_pairs([(x, y) for x in range(subgraph.size) for y in range(subgraph.size) if subgraph[x] < subgraph[y]])
    support = count_support(known, pairs)
    assert support.shared.tolist() == [len(ref[x] & ref[y]) for x, y in ordered(pairs)]
    weight = {number[g]: int(known.weights[g]) for g in number}
    degree = np.arange(1, subgraph.size + 1, dtype=np.int32)
    comp = find_partners(neighbors, known, subgraph, degree, threads=1)
    assert ordered(comp) == naive.best_two(knows, person, subgraph.tolist(), degree.tolist(), weight)


@given(stitched(), st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23), st.integers(1, 6)), max_size=20))
def test_merging(case, links):
    subgraph = case[0]
    links = [link for link in links if max(link[:2]) < subgraph.size and subgraph[link[0]] != subgraph[link[1]]]
    links.sort(key=lambda link: -link[2])
    sure = [float(link[2]) for link in links]
    person, kept = merge(as_pairs(links), np.array(sure), subgraph)
    ref, followed = naive.merge([link[:2] for link in links], sure, subgraph.tolist())
    assert kept.tolist() == followed
    for row in range(subgraph.size):
        mine = set(np.flatnonzero(person == person[row]).tolist()) if person[row] >= 0 else {row}
        assert mine == ref[row]


@given(st.lists(st.tuples(st.lists(small, min_size=3, max_size=3)), min_size=2, max_size=6))
def test_distances(rows):
    vectors = np.array([row for (row,) in rows], dtype=np.int32)
    pairs = as_pairs([(x, y) for x in range(len(vectors)) for y in range(len(vectors))])
    comp = np.empty(len(pairs))
    _distances(vectors, pairs.left, pairs.right, comp)
    assert comp == pytest.approx([naive.distance(vectors[x].tolist(), vectors[y].tolist()) for x, y in ordered(pairs)])


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 2)), max_size=12),
    st.sampled_from([0.3, 0.5, 0.9, 1.0]),
    st.integers(0, 30),
)
def test_pairs_alike(rows, ratio, most):
    degree, subgraph = (np.array([row[k] for row in rows], dtype=np.int32) for k in (0, 1))
    alike = [
        (x, y) for y in range(len(rows)) for x in range(y)
        if min(degree[x], degree[y]) >= ratio * max(degree[x], degree[y]) - 1e-9
    ]  # fmt: skip
    lows = [min(degree[x], degree[y]) for x, y in alike]
    enough = {low for low in lows if sum(other >= low for other in lows) <= most}
    ref = [p for p, low in zip(alike, lows, strict=True) if low in enough and subgraph[p[0]] != subgraph[p[1]]]
    assert sorted(ordered(pairs_alike(degree, subgraph, ratio=ratio, most=most))) == sorted(ref)


def test_the_lead_is_over_both_rows_others():
    pairs, subgraph = as_pairs([(0, 2), (0, 3), (1, 3)]), np.array([0, 0, 1, 1], dtype=np.int32)
    assert lead_of(pairs, np.array([0.9, 0.4, 0.6]), subgraph) == pytest.approx([0.5, -0.5, 0.2])
    assert lead_of(pairs, np.array([0.9, 0.9, 0.2]), subgraph) == pytest.approx([0.0, 0.0, -0.7])


def test_the_threshold_keeps_its_promise():
    sure, right = np.array([0.9, 0.8, 0.8, 0.5, 0.4]), np.array([True, True, False, True, False])
    each = np.arange(5)
    assert _threshold(sure, right, each, 0.7) == 0.5
    assert _threshold(sure, right, each, 0.9) == 0.9
    assert _threshold(sure[2:3], right[2:3], each[:1], 0.9) == np.inf
    assert _threshold(sure[:0], right[:0], each[:0], 0.9) == np.inf
    # the right claims are one and the same: the second time it says nothing new
    assert _threshold(sure, right, np.array([0, 0, 1, 0, 2]), 0.7) == 0.9


def test_logistic_agrees_with_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    table = rng.normal(size=(2000, 2))
    right = rng.random(2000) < 1 / (1 + np.exp(-(table[:, 0] * 2 - table[:, 1] ** 2)))
    scaled = (table - table.mean(0)) / table.std(0)
    lines = np.column_stack((scaled, scaled[:, 0] ** 2, scaled[:, 0] * scaled[:, 1], scaled[:, 1] ** 2))
    other = LogisticRegression(C=1.0, tol=1e-8, max_iter=1000).fit(lines, right)
    assert Logistic.fit(table, right).predict(table) == pytest.approx(other.predict_proba(lines)[:, 1], abs=1e-3)


@given(st.integers(0, 10**6), st.floats(0.01, 1))
def test_logistic_finds_the_top(seed, scale):
    """However far apart the kinds and however little the lines are worth: at the top nothing leads upward."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(60, 2)) ** 3
    right = table[:, 0] > np.quantile(table[:, 0], 0.9)
    model = Logistic.fit(table, right, worth=np.full(60, scale))
    lines = model._expand(table)
    slope = lines.T @ (scale * (right - model.predict(table))) - np.append(0, np.ones(5)) * model.weights
    assert np.abs(slope).max() < 0.05


def test_a_line_may_stand_for_several():
    table, right = np.array([[0.0], [1.0], [1.0], [2.0], [0.5]]), np.array([False, True, False, True, False])
    many = Logistic.fit(np.repeat(table, 3, axis=0), np.repeat(right, 3))
    few = Logistic.fit(table, right, worth=np.full(5, 3.0))
    assert few.predict(table) == pytest.approx(many.predict(table), abs=1e-6)


@pytest.fixture(scope="module")
def sides():
    """Two releases of a synthetic graph as views and truths, the attack, and identical pairs of the first."""
    attack = SignatureAttack()
    releases = make_scheme("d4d-1", egonets=30, min_size=50).draw(synthetic_graph(1500, seed=3), releases=2, seed=5)
    known, asked = (observe(release, attack.channels, keep_neighbors=True) for release in releases)
    identical = PairSampler(known[0].subgraph, known[1]).identical("complete", 5000, np.random.default_rng(0))
    return known, asked, attack, identical


@pytest.fixture(scope="module")
def stitcher(sides):
    (view, truth), _, attack, identical = sides
    return Stitcher(attack, precision=0.9, rounds=2, per_row=3).fit(view, truth, identical)


def test_stitching_beats_the_first_round(sides, stitcher):
    view, truth = sides[1]
    rounds = stitcher.stitch(view)
    counted = [count_rebuilt(view, truth, one) for one in rounds]
    assert len(rounds) > 1
    assert counted[-1].right > counted[0].right > 0
    assert counted[-1].precision.low > 0.7
    assert counted[-1].linked_people > counted[0].linked_people
    assert all(0 < one.people <= one.nodes for one in counted)
    assert all(one.edges <= one.all_edges for one in counted)


def test_a_person_stands_once_in_a_subgraph(sides, stitcher):
    view = sides[1][0]
    for one in stitcher.stitch(view):
        linked = one.person >= 0
        places = np.stack((one.person[linked], view.subgraph[linked]))
        assert np.unique(places, axis=1).shape == places.shape
        assert (one.person[one.links.left] == one.person[one.links.right]).all()


def test_who_is_who_changes_no_link(sides, stitcher):
    """The truth of the release under attack is not even handed over; counting with another truth counts other."""
    view, truth = sides[1]
    last = stitcher.stitch(view)[-1]
    wrong = replace(truth, person=np.random.default_rng(0).permutation(truth.person))
    assert count_rebuilt(view, wrong, last).right < count_rebuilt(view, truth, last).right
    assert count_rebuilt(view, wrong, last).links == count_rebuilt(view, truth, last).links


def test_pseudonyms_and_order_change_nothing(sides, stitcher):
    """Rows in another order within sub-graphs, and sub-graphs in another order: the same links."""
    view, truth = sides[1]
    rng = np.random.default_rng(1)
    order = np.lexsort((rng.random(len(view)), rng.permutation(view.subgraph.max() + 1)[view.subgraph]))
    moved = shuffled(view, order)
    ref, comp = stitcher.stitch(view)[-1], stitcher.stitch(moved)[-1]
    back = Pairs(order[comp.links.left], order[comp.links.right]).distinct()
    assert ordered(back) == ordered(ref.links)
    again = count_rebuilt(
        moved, replace(truth, person=truth.person[order]), Round(comp.candidates, comp.links, comp.person)
    )
    assert again.right == (truth.person[back.left] == truth.person[back.right]).sum()


def shuffled(view, order):
    place = np.argsort(order)
    source = np.repeat(np.arange(len(view)), view.neighbors.counts)
    graph = Graph.from_edges(place[source], place[view.neighbors.indices], node_count=len(view))
    _, subgraph = np.unique(view.subgraph[order], return_inverse=True)
    first = np.unique(view.subgraph[order], return_index=True)[1]
    rank = np.argsort(np.argsort(first))
    return View(
        {name: values[order] for name, values in view.channels.items()}, rank[subgraph].astype(np.int32),
        view.node[order], view.degree[order], Neighbors(graph.indptr, graph.indices),
    )  # fmt: skip


def test_threads_change_nothing(sides):
    (view, truth), (asked, _), attack, identical = sides
    alone, many = (
        Stitcher(attack, precision=0.9, rounds=1, per_row=3, threads=threads).fit(view, truth, identical).stitch(asked)
        for threads in (1, 3)
    )
    assert [ordered(one.links) for one in alone] == [ordered(one.links) for one in many]


def test_no_anchors_no_links(sides):
    """An attack that sees nothing, on rows that nobody could tell apart: one round without links."""
    (view, truth), (asked, asked_truth), _, identical = sides
    flat, other = (
        replace(one, channels={"signature": np.zeros((len(one), 3), np.int32)}, degree=np.full_like(one.degree, 9))
        for one in (view, asked)
    )
    (only,) = Stitcher(SignatureAttack()).fit(flat, truth, identical).stitch(other)
    assert len(only.links) == 0
    counted = count_rebuilt(other, asked_truth, only)
    assert counted.precision is None
    assert (counted.links, counted.merged, counted.subgraphs, counted.wrong_edges) == (0, 0, 1, 0)


def test_counting_by_hand():
    """Two triangles of people 0 1 2 and 0 1 3; then a wrong merge of 2 with 3."""
    neighbors, _ = neighbors_of([(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)], 6)
    ones = np.ones(6, dtype=np.int32)
    view = View({}, np.array([0, 0, 0, 1, 1, 1], dtype=np.int32), ones, ones, neighbors)
    truth = RowTruth(
        np.array([0, 1, 2, 0, 1, 3], dtype=np.int32), np.zeros(6, dtype=bool), np.arange(4, dtype=np.int32)
    )
    right = Round(9, as_pairs([(0, 3), (1, 4)]), np.array([0, 1, -1, 0, 1, -1], dtype=np.int32))
    counted = count_rebuilt(view, truth, right)
    assert (counted.right, counted.merged, counted.subgraphs, counted.nodes, counted.people) == (2, 2, 2, 4, 4)
    assert (counted.edges, counted.wrong_edges, counted.all_people, counted.all_edges) == (5, 0, 4, 5)
    crossed = Round(9, as_pairs([(0, 3), (1, 5)]), np.array([0, 1, -1, 0, -1, 1], dtype=np.int32))
    counted = count_rebuilt(view, truth, crossed)
    # the node of rows 1 and 5 stands for person 1: its edge to row 4, who is person 1 too, is no true edge
    assert (counted.right, counted.links, counted.nodes, counted.people) == (1, 2, 4, 3)
    assert (counted.edges, counted.wrong_edges) == (3, 1)
    none = count_rebuilt(view, truth, Round(0, NO_PAIRS, np.full(6, -1, dtype=np.int32)))
    assert (none.links, none.subgraphs, none.people, none.edges) == (0, 1, 3, 3)


def test_bad_input_is_named(sides):
    (view, truth), _, attack, identical = sides
    with pytest.raises(InputError, match=r"precision = 1.5: give a share above 0, and 1 at most"):
        Stitcher(attack, precision=1.5)
    with pytest.raises(InputError, match="-1 rounds"):
        Stitcher(attack, rounds=-1)
    with pytest.raises(InputError, match="observe the release with keep_neighbors=True"):
        Stitcher(attack).fit(replace(view, neighbors=None), truth, identical)
