"""Collective linkage: kernels beside their twins, what the attacker may know, and what is gained."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.auditing import everything_held, hold_no_truth
from tests.drawing import as_pairs, few, linked, neighbors_of, ordered
from tests.naive import linkage as naive
from thinveil.attacks.collective import Linkage
from thinveil.attacks.collective.anchors import alike, first_people, keep_anchors
from thinveil.attacks.collective.candidates import find_candidates
from thinveil.attacks.collective.evidence import COLUMNS, make_scratch, weigh_pairs
from thinveil.attacks.collective.figures import Rows, list_figures
from thinveil.attacks.collective.joining import join
from thinveil.attacks.collective.margins import Best, margin
from thinveil.attacks.collective.merging import Merged, merge
from thinveil.attacks.collective.rounds import is_person
from thinveil.attacks.collective.seats import list_seats, meeting, owe, owed_by
from thinveil.errors import InputError
from thinveil.features import Neighbors, RowTruth, View, observe
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rebuilt import count_links, count_rebuilt
from thinveil.schemes import make_scheme

small = st.integers(0, 9)


@given(st.lists(st.tuples(small, small).filter(lambda e: e[0] < e[1]), unique=True), st.sets(small))
def test_neighbors_among_rows(edges, nodes):
    nodes = sorted(nodes)
    graph = Graph.from_edges([u for u, _ in edges], [v for _, v in edges], node_count=10)
    part = Neighbors.among(graph, np.array(nodes, dtype=np.int32))
    ref = naive.rows_among(edges, nodes)
    assert [part.of(k).tolist() for k in range(len(nodes))] == ref
    twice = Neighbors.join([part, part])
    assert [twice.of(k).tolist() for k in range(2 * len(nodes))] == ref + [[r + len(nodes) for r in row] for row in ref]
    circles = [set(graph.neighbors(v).tolist()) for v in range(10)]
    shared = [len(circles[nodes[k]] & circles[nodes[other]]) for k, row in enumerate(ref) for other in row]
    assert twice.shared.tolist() == shared * 2


@given(linked(), st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23), st.integers(1, 6)), max_size=20))
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


@st.composite
def guesses(draw, subgraph, person):
    """Whom rows are taken for: their person, or somebody who does not stand in their sub-graph."""
    guess, taken = list(person), {(s, name) for s, name in zip(subgraph.tolist(), person, strict=True)}
    trust = [draw(st.sampled_from([0.5, 0.75, 1.0])) if name >= 0 else 0.0 for name in person]
    for row, name in enumerate(person):
        wanted = draw(st.sampled_from([-1, *sorted({one for one in person if one >= 0})])) if name < 0 else -1
        if wanted >= 0 and (subgraph[row], wanted) not in taken:
            taken.add((subgraph[row], wanted))
            guess[row], trust[row] = wanted, draw(st.sampled_from([0.125, 0.25]))
    return {"guess": guess, "trust": trust}


def merged_of(case):
    return Merged(
        np.array(case["person"], dtype=np.int32), np.array(case["guess"], dtype=np.int32),
        np.array(case["trust"], dtype=np.float32),
    )  # fmt: skip


@st.composite
def scenes(draw):
    """Rows with people, figures and anchors: what the kernels get, and the same for the plain twins."""
    subgraph, edges, person = draw(linked())
    neighbors, knows = neighbors_of(edges, subgraph.size)
    shared = [dict(zip(sorted(mine), [0] * len(mine), strict=True)) for mine in knows]
    for r, mine in enumerate(shared):
        for other in mine:
            mine[other] = len(knows[r] & knows[other])
    inner = np.array(draw(st.lists(st.booleans(), min_size=subgraph.size, max_size=subgraph.size)))
    degree = np.array(draw(st.lists(st.integers(1, 9), min_size=subgraph.size, max_size=subgraph.size)), dtype=np.int32)
    rarity = np.linspace(0.5, 3.0, 30)
    share = np.array(draw(st.lists(st.sampled_from([0.0, 0.25, 0.5]), min_size=subgraph.size, max_size=subgraph.size)))
    crowd = (subgraph + 3).astype(np.int32)
    rows = Rows(neighbors.indptr, neighbors.indices, neighbors.shared, inner, degree, subgraph, rarity, crowd, share)
    some = draw(st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23), st.floats(0.1, 1)), max_size=8))
    some = [(a, b, s) for a, b, s in some if max(a, b) < subgraph.size and subgraph[a] != subgraph[b]]
    anchors = keep_anchors(as_pairs(some), np.array([s for *_, s in some]), subgraph.size)
    case = {
        "person": person.tolist(), "subgraph": subgraph, "inner": inner.tolist(), "degree": degree.tolist(),
        "crowd": crowd.tolist(), "share": share.tolist(), **draw(guesses(subgraph, person.tolist())),
    }  # fmt: skip
    return rows, anchors, shared, case, some + [(b, a, s) for a, b, s in some]


def spans_of(rows):
    starts = rows.starts().tolist()
    return list(itertools.pairwise(starts))


@few
@given(scenes())
def test_figures(scene):
    rows, _, shared, case, _ = scene
    person = np.array(case["person"], dtype=np.int32)
    figures = list_figures(rows, merged_of(case), np.random.default_rng(0))
    ref = naive.figures(case["person"])
    groups = [np.flatnonzero(figures.figure == f).tolist() for f in range(figures.rows.size)]
    assert sorted(group for group in groups if group) == sorted(ref)
    # the same people under other numbers
    names = {int(new): int(old) for new, old in zip(figures.person, person, strict=True)}
    assert all((old < 0) == (new < 0) for new, old in names.items())
    knowers = np.zeros(figures.persons)
    for f, members in enumerate(groups):
        part = slice(figures.starts[f], figures.starts[f + 1])
        met = naive.acquaintances(members, shared, case)
        assert {names[int(g)] for g in figures.people[part]} == set(met)
        columns = (figures.people, figures.times, figures.most, figures.second, figures.trust, figures.next_trust)
        for g, times, *two in zip(*(column[part].tolist() for column in columns), strict=True):
            ties, trust = (sorted(values, reverse=True) for values in zip(*met[names[g]], strict=True))
            assert (times, *two) == (len(ties), *[*ties, -1][:2], *[*trust, 0.0][:2])
            knowers[g] += 1
        degrees = sorted((case["degree"][row] for row in members), reverse=True)
        assert figures.degrees[f].tolist() == ([*degrees, 0, 0])[:2]
    assert np.diff(figures.ends).tolist() == knowers.tolist()
    assert figures.weight == pytest.approx(1 / np.log2(2 + knowers))


def weighed(rows, case):
    """The figures, and the weight of each person by the plain twins' number."""
    figures = list_figures(rows, merged_of(case), np.random.default_rng(0))
    return figures, {case["person"][row]: figures.weight[g] for row, g in enumerate(figures.person.tolist()) if g >= 0}


@given(
    st.lists(st.tuples(st.integers(0, 199), st.integers(-1, 2), st.booleans()), min_size=1, max_size=40),
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
)
def test_seats(drawn, known):
    """Up to 200 sub-graphs: bits in several words; every person is a figure, and so is every row alone."""
    subgraph, person, inner = (np.array(column) for column in zip(*drawn, strict=True))
    person, subgraph = person.astype(np.int32), subgraph.astype(np.int32)
    figure = np.where(person >= 0, person, 3 + np.arange(person.size)).astype(np.int32)
    seats = list_seats(person, figure, inner, subgraph, (3, 3 + person.size))
    case = {"person": person.tolist(), "subgraph": subgraph.tolist(), "inner": inner.tolist()}
    known, worth = np.unique(known).astype(np.int32), np.arange(1, np.unique(known).size + 1, dtype=np.float32)
    owed = np.empty((64 * seats.people.shape[1], 2), dtype=np.float32)
    owe(known, worth, seats, owed)
    for f in range(3 + person.size):
        others = np.flatnonzero(figure == f).tolist()
        for g, home in itertools.product(range(3), (0, 64, int(subgraph[0]))):
            ref = naive.met_elsewhere(g, [row for row in others if subgraph[row] != home], home, case)
            assert meeting(g, f, home, seats) == sum(ref)
        each = [naive.met_elsewhere(g, [row], -1, case)[1] for row in others for g in known.tolist()]
        sums = np.reshape(each, (len(others), known.size)) @ worth if others else np.zeros(1)
        assert owed_by(f, seats, owed) == pytest.approx(sums.max())


@few
@given(scenes())
def test_evidence_is_that_of_the_figure_without_the_row(scene):
    rows, anchors, shared, case, some = scene
    figures, weight = weighed(rows, case)
    for first, last in spans_of(rows):
        members = [f for f in range(figures.rows.size) if figures.rows[f]]
        row = np.repeat(np.arange(first, last), len(members))
        figure = np.tile(np.array(members, dtype=np.int32), last - first)
        table = np.empty((row.size, len(COLUMNS)), dtype=np.float32)
        scratch = make_scratch(figures.persons)
        weigh_pairs((first, last), row, figure, rows, figures, anchors, scratch, table)
        for r, f, line in zip(row.tolist(), figure.tolist(), table, strict=True):
            mine = np.flatnonzero(figures.figure == f).tolist()
            ref = naive.evidence(r, mine, shared, case, weight, rows.rarity, some)
            assert line == pytest.approx(np.array(ref, dtype=float), rel=1e-5, abs=1e-6)


@few
@given(scenes())
def test_candidates_hold_the_best_and_no_neighbour_of_the_sub_graph(scene):
    rows, anchors, shared, case, some = scene
    figures, weight = weighed(rows, case)
    for span in spans_of(rows):
        found = find_candidates(span, rows, figures, anchors)
        for row in range(*span):
            mine = found.figure[found.row == row].tolist()
            assert len(set(mine)) == len(mine) <= 12
            own = figures.figure[row]
            assert all(figures.home[f] != rows.subgraph[row] for f in mine)
            support = {}
            for f in range(figures.rows.size):
                members = np.flatnonzero(figures.figure == f).tolist()
                if members and f != own and figures.home[f] != rows.subgraph[row]:
                    held, net = naive.net_support(row, members, shared, case, weight, rows.rarity)
                    if held:
                        support[f] = net
            if support:
                best = max(support.values())
                assert any(support.get(f, -np.inf) == pytest.approx(best, abs=1e-5) for f in mine)
            for f, line in zip(mine, found.evidence[found.row == row], strict=True):
                members = np.flatnonzero(figures.figure == f).tolist()
                ref = naive.evidence(row, members, shared, case, weight, rows.rarity, some)
                assert line[: len(ref)] == pytest.approx(np.array(ref, dtype=float), rel=1e-5, abs=1e-6)


@few
@given(scenes())
def test_a_short_reach_ends_with_the_rarest_acquaintance(scene):
    rows, anchors, *_, case, some = scene
    figures = list_figures(rows, merged_of(case), np.random.default_rng(0))._replace(reach=0)
    for span in spans_of(rows):
        found = find_candidates(span, rows, figures, anchors)
        for row in range(*span):
            known = [g for g in figures.guess[rows.indices[rows.indptr[row] : rows.indptr[row + 1]]] if g >= 0]
            ends = figures.ends[min(known) :][:2] if known else [0, 0]
            allowed = {figures.figure[row], *(figures.figure[two] for one, two, _ in some if one == row)}
            allowed |= set(figures.known_to[ends[0] : ends[1]].tolist())
            assert set(found.figure[found.row == row].tolist()) <= allowed


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=1, max_size=12))
def test_margins(lines):
    key, value = np.array([k for k, _ in lines]), np.array([float(v) for _, v in lines])
    for k, led in enumerate(margin(key, value)):
        others = [value[j] for j in range(key.size) if j != k and key[j] == key[k]]
        top = max([0.0, *others]) if not others or value[k] >= max(others) else max(others)
        assert led == pytest.approx(value[k] - (max(others) if others else 0.0) if others else value[k] - top)
    assert Best.of(key[:0], value[:0]).margin(key, value).tolist() == value.tolist()


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 2), st.booleans()), max_size=12),
    st.sampled_from([0.3, 0.5, 0.9, 1.0]),
)
def test_alike(rows, ratio):
    degree, subgraph, inner = (np.array([row[k] for row in rows]) for k in range(3))
    nothing = np.empty(0, dtype=np.int32)
    seen = Rows(
        nothing, nothing, nothing, inner.astype(bool), degree.astype(np.int32), subgraph.astype(np.int32),
        nothing, nothing, nothing,
    )  # fmt: skip
    ref = [
        (x, y) for y in range(len(rows)) for x in range(y)
        if min(degree[x], degree[y]) >= ratio * max(degree[x], degree[y]) - 1e-9
        and subgraph[x] != subgraph[y] and inner[x] and inner[y]
    ]  # fmt: skip
    assert sorted(ordered(alike(seen, ratio=ratio))) == sorted(ref)  # 20 for each row are enough here


def test_the_surest_of_both_rows_is_followed():
    pairs, subgraph = as_pairs([(0, 2), (0, 3), (1, 3)]), np.array([0, 0, 1, 1], dtype=np.int32)
    assert first_people(pairs, np.array([0.9, 0.8, 0.6]), subgraph, 0.5).person.tolist() == [0, -1, 0, -1]
    assert first_people(pairs, np.array([0.9, 0.5, 0.6]), subgraph, 0.5).person.tolist() == [0, 1, 0, 1]
    assert first_people(pairs, np.array([0.9, 0.5, 0.6]), subgraph, 0.7).person.tolist() == [0, -1, 0, -1]


def test_what_is_not_sure_is_guessed():
    """Rows 0 and 1 become one person; 2 looks like row 0, 3 too but less; 4 stands where that person stands."""
    subgraph = np.array([0, 1, 2, 2, 1, 3], dtype=np.int32)
    neighbors, _ = neighbors_of([], 6)
    none = np.zeros(6, dtype=np.int32)
    rows = Rows(
        neighbors.indptr, neighbors.indices, neighbors.shared, none > 0, none, subgraph, np.ones(1), none, np.zeros(6)
    )
    figures = list_figures(rows, Merged.nobody(6), np.random.default_rng(0))
    row, sure = np.array([1, 2, 3, 4, 5, 5]), np.array([0.9, 0.4, 0.3, 0.4, 0.2, 0.2])
    merged = join(row, figures.figure[[0, 0, 0, 0, 0, 2]].astype(np.int64), sure, rows, figures, 0.5)
    assert merged.person.tolist() == [0, 0, -1, -1, -1, -1]
    assert merged.guess.tolist() == [0, 0, 0, -1, -1, 0]  # nobody is row 2's person yet: row 5 can only be row 0's
    assert merged.trust.tolist() == pytest.approx([0.9, 0.9, 0.4, 0, 0, 0.2])
    clash = join(row, figures.figure[[0, 0, 0, 0, 0, 2]].astype(np.int64), np.full(6, 0.3), rows, figures, 0.5)
    assert clash.guess.tolist() == [-1] * 6  # no links, no people to be guessed
    even = np.array([0.9, 0.4, 0.4, 0.4, 0.6, 0.2])
    assert join(row, figures.figure[[0] * 6].astype(np.int64), even, rows, figures, 0.7).guess[2:4].tolist() == [-1, -1]


def test_one_of_a_couple_takes_the_other_along():
    """Rows 0 and 1 are a couple: one that stays is enough, and a third may join them, or one may join the third."""
    subgraph = np.arange(3, dtype=np.int32)
    neighbors, _ = neighbors_of([], 3)
    none = np.zeros(3, dtype=np.int32)
    rows = Rows(
        neighbors.indptr, neighbors.indices, neighbors.shared, none > 0, none, subgraph, np.ones(1), none, np.zeros(3)
    )
    person = np.array([0, 0, -1], dtype=np.int32)
    figures = list_figures(rows, Merged(person, person, np.ones(3, dtype=np.float32)), np.random.default_rng(0))
    couple, third = figures.figure[[0, 2]].tolist()

    def joined(*links):
        row, figure = (np.array(side, dtype=np.int64) for side in zip(*links, strict=True))
        return join(row, figure, np.full(len(links), 0.9), rows, figures, 0.5).person.tolist()

    assert joined((0, couple)) == [0, 0, -1]
    assert joined((0, couple), (2, couple)) == [0, 0, 0]
    assert joined((2, couple)) == [-1, -1, -1]  # nobody is left there
    assert joined((1, third)) == [-1, 0, 0]


def test_the_answer_is_that_of_most_other_rows():
    figure_of, person = np.array([0, 0, 0, 1], dtype=np.int32), np.array([5, 5, 6, 5], dtype=np.int32)
    row, figure = np.array([0, 2, 3, 0]), np.array([0, 0, 0, 1], dtype=np.int32)
    # row 0 beside rows 1 and 2: one of two is not most; row 3 beside rows 0, 1, 2: two of three are
    assert is_person(row, figure, figure_of, person).tolist() == [False, False, True, True]


@pytest.fixture(scope="module")
def sides():
    """Two releases of a synthetic graph as views and truths."""
    releases = make_scheme("d4d-1", egonets=30, min_size=50).draw(synthetic_graph(1500, seed=3), releases=2, seed=5)
    return [observe(release, Linkage.channels, keep_neighbors=True) for release in releases]


@pytest.fixture(scope="module")
def linkage(sides):
    linkage = Linkage(rounds=3, seed=1)
    linkage.fit(sides[0][0], sides[0][1].person)
    return linkage


@pytest.fixture(scope="module")
def rounds(sides, linkage):
    return linkage.link(sides[1][0]).rounds


def test_links_lead_to_links(sides, rounds):
    view, truth = sides[1]
    counted = [count_rebuilt(view, truth, person) for person in rounds]
    assert 3 <= len(counted) <= 10
    assert counted[-1].right > 2 * counted[0].right > 0
    assert counted[-1].precision.low > 0.8
    assert counted[-1].linked_people > counted[0].linked_people
    assert all(0 < one.people <= one.nodes for one in counted)
    assert all(one.edges <= one.all_edges for one in counted)


def test_a_person_stands_once_in_a_subgraph(sides, rounds):
    view = sides[1][0]
    for person in rounds:
        there = person >= 0
        places = np.stack((person[there], view.subgraph[there]))
        assert np.unique(places, axis=1).shape == places.shape


def test_the_linkage_keeps_no_truth(sides, linkage):
    """Nothing that the linkage holds is an array of people of either release, nor of the rows' answers."""
    held = everything_held(linkage)
    assert hold_no_truth(held, [truth for _, truth in sides])
    assert all(thing.size < len(sides[0][0]) for thing in held if isinstance(thing, np.ndarray))


def test_pseudonyms_and_order_hardly_matter(sides, linkage, rounds):
    """Rows in another order within sub-graphs, and sub-graphs in another order: as many links, as many right."""
    view, truth = sides[1]
    rng = np.random.default_rng(1)
    order = np.lexsort((rng.random(len(view)), rng.permutation(view.subgraph.max() + 1)[view.subgraph]))
    ref, comp = rounds, linkage.link(shuffled(view, order)).rounds
    # the first links have no ties to break
    assert count_links(comp[0], truth.person[order]) == count_links(ref[0], truth.person)
    for one, two in zip(count_links(comp[-1], truth.person[order]), count_links(ref[-1], truth.person), strict=True):
        assert one == pytest.approx(two, rel=0.05)


def shuffled(view, order):
    place = np.argsort(order)
    source = np.repeat(np.arange(len(view)), view.neighbors.counts)
    graph = Graph.from_edges(place[source], place[view.neighbors.indices], node_count=len(view))
    shared = dict(zip(zip(source, view.neighbors.indices, strict=True), view.neighbors.shared, strict=True))
    entries = zip(np.repeat(order, graph.degrees), order[graph.indices], strict=True)
    _, subgraph = np.unique(view.subgraph[order], return_inverse=True)
    first = np.unique(view.subgraph[order], return_index=True)[1]
    rank = np.argsort(np.argsort(first))
    return View(
        {name: values[order] for name, values in view.channels.items()}, rank[subgraph].astype(np.int32),
        view.node[order], view.degree[order],
        Neighbors(graph.indptr, graph.indices, np.array([shared[entry] for entry in entries], dtype=np.int32)),
    )  # fmt: skip


def test_threads_change_nothing(sides):
    (view, truth), (asked, _) = sides
    made = []
    for threads in (1, 3):
        linkage = Linkage(rounds=1, threads=threads)
        linkage.fit(view, truth.person)
        made.append(linkage.link(asked).rounds)
    assert all((one == two).all() for one, two in zip(*made, strict=True))


def test_no_anchors_no_links(sides):
    """Where nobody is inner twice there is nothing to begin with."""
    (view, truth), (asked, asked_truth) = sides
    flat = [
        replace(one, channels={**one.channels, "surroundings": 0 * one.channels["surroundings"]})
        for one in (view, asked)
    ]
    linkage = Linkage()
    assert linkage.fit(flat[0], truth.person).linked().links is None
    done = linkage.link(flat[1])
    assert done.linked().links is None
    assert [np.count_nonzero(person >= 0) for person in done.rounds] == [0]
    counted = count_rebuilt(asked, asked_truth, np.full(len(asked), -1, dtype=np.int32))
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
    counted = count_rebuilt(view, truth, np.array([0, 1, -1, 0, 1, -1], dtype=np.int32))
    assert (counted.right, counted.merged, counted.subgraphs, counted.nodes, counted.people) == (2, 2, 2, 4, 4)
    assert (counted.edges, counted.wrong_edges, counted.all_people, counted.all_edges) == (5, 0, 4, 5)
    counted = count_rebuilt(view, truth, np.array([0, 1, -1, 0, -1, 1], dtype=np.int32))
    # the node of rows 1 and 5 stands for person 1: its edge to row 4, who is person 1 too, is no true edge
    assert (counted.right, counted.links, counted.nodes, counted.people) == (1, 2, 4, 3)
    assert (counted.edges, counted.wrong_edges) == (3, 1)
    none = count_rebuilt(view, truth, np.full(6, -1, dtype=np.int32))
    assert (none.links, none.subgraphs, none.people, none.edges) == (0, 1, 3, 3)


def test_bad_input_is_named(sides):
    view, truth = sides[0]
    with pytest.raises(InputError, match=r"links at least 1.5 probable: give 0 or more, and between 0 and 1"):
        Linkage(sure=1.5)
    with pytest.raises(InputError, match="-1 rounds"):
        Linkage(rounds=-1)
    with pytest.raises(InputError, match="observe the release with keep_neighbors=True"):
        Linkage().fit(replace(view, neighbors=None), truth.person)
