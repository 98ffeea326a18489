"""People in egonets are named with the graph that they were cut from, or a noisy copy of it."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few, graphs, rows_of
from tests.naive import egonets as naive
from thinveil.attacks.matching.base import Held, KnownNames
from thinveil.attacks.matching.copies import split
from thinveil.attacks.matching.egonets import match_egonets
from thinveil.attacks.matching.egonets.appearances import Appearances
from thinveil.attacks.matching.egonets.beliefs import Overlap, believe
from thinveil.attacks.matching.egonets.colors import seen_colors, stable_colors
from thinveil.attacks.matching.egonets.cutting import CUTS, Cut
from thinveil.attacks.matching.egonets.egos import find_egos
from thinveil.attacks.matching.egonets.hubs import match_hubs
from thinveil.attacks.matching.egonets.learning import learn_cuts
from thinveil.attacks.matching.egonets.merging import list_traits, merge
from thinveil.attacks.matching.egonets.playing import Game
from thinveil.attacks.matching.egonets.rounds import run_round
from thinveil.attacks.matching.egonets.selfcheck import check_names, is_confirmed, lower_trust, measure_doubt
from thinveil.attacks.matching.hiding import hide_edges
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.graph.twins import has_twin
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import Published, Release, Secret, make_scheme


@pytest.fixture(scope="module")
def people():
    return synthetic_graph(1500, mean_degree=8, seed=3)


@few
@given(graphs(), st.integers(0, 4))
def test_colors_part_nodes_as_their_plain_twin_does(graph, rounds):
    assert naive.classes(seen_colors(graph, rounds).tolist()) == naive.classes(naive.colors(rows_of(graph), rounds))


@few
@given(graphs())
def test_stable_colors_are_stable(graph):
    colors, _ = stable_colors(graph.indptr, graph.indices)
    assert naive.classes(colors.tolist()) == naive.stable_classes(rows_of(graph))


@few
@given(graphs(), st.sampled_from(CUTS), st.data())
def test_pieces_equal_their_plain_twins(graph, cut, data):
    center = data.draw(st.integers(0, graph.node_count - 1))
    members, edges = naive.cut(rows_of(graph), center, cut.radius, cut.rim)
    cutter = cut.pieces(graph)
    piece = cutter.around(center)
    assert {*piece.members.tolist()} == members
    source = np.repeat(piece.members, np.diff(piece.indptr))
    assert {*zip(source.tolist(), piece.members[piece.indices].tolist(), strict=True)} == edges
    assert cutter.around(center, len(members)).members.tolist() == piece.members.tolist()
    assert cutter.around(center, len(members) + 1) is None
    assert cutter.around(center, len(members) - 1) is None


@few
@given(graphs(), st.sampled_from(CUTS))
def test_centers_equal_their_plain_twins(graph, cut):
    found = cut.centers(graph, np.arange(graph.node_count))
    assert found.tolist() == naive.centers(rows_of(graph), cut.radius, cut.rim)


@few
@given(graphs())
def test_twins_equal_their_plain_twins(graph):
    assert has_twin(graph).tolist() == naive.has_twin(rows_of(graph))


@dataclass(frozen=True)
class Circles:
    """A scheme of somebody else: people's 3-hop circles without the edges at the rim, and without saying who is ego."""

    name: ClassVar[str] = "circles"
    count: int = 6
    radius: int = 3
    rim: bool = False

    def describe(self):
        return "publishes circles"

    def publish(self, graph, *, seed, avoid=()):
        chance = np.random.default_rng(seed)
        rows = [graph.neighbors(v).tolist() for v in range(graph.node_count)]
        return Release.of([self.circle(rows, ego, chance) for ego in chance.permutation(len(rows))[: self.count]])

    def circle(self, rows, ego, chance):
        members, edges = naive.cut(rows, int(ego), self.radius, self.rim)
        people = chance.permutation(sorted(members))
        place = {person: k for k, person in enumerate(people.tolist())}
        ends = np.array([(place[v], place[w]) for v, w in sorted(edges)]).reshape(-1, 2)
        return Published(Graph.from_edges(*ends.T, node_count=people.size), Secret(people.astype(np.int32)))


def grade(names, release):
    """Who is named rightly and wrongly: sets of (sub-graph, node)."""
    lines = list(zip(names.subgraph.tolist(), names.node.tolist(), names.person.tolist(), strict=True))
    right = {(k, v) for k, v, person in lines if release.secret[k].people[v] == person}
    assert len({line[:2] for line in lines}) == len(lines)
    assert len({(k, person) for k, _, person in lines}) == len(lines)
    return right, {line[:2] for line in lines} - right


def unique_nodes(release):
    """All nodes that stable colors tell from all others of their sub-graph."""
    found = set()
    for k, graph in enumerate(release.public):
        parts = naive.stable_classes([graph.neighbors(v).tolist() for v in range(graph.node_count)])
        found |= {(k, next(iter(part))) for part in parts if len(part) == 1}
    return found


@pytest.mark.parametrize("scheme", ["d4d-1:egonets=8,min_size=60", "d4d-2:egonets=8,min_size=60"])
@pytest.mark.parametrize("known", [True, False], ids=["known scheme", "unknown scheme"])
def test_names_all_but_twins_and_nobody_wrongly(people, scheme, known):
    scheme = make_scheme(scheme)
    release = scheme.publish(people, seed=5)
    names = match_egonets(Held(people, release.public, scheme=scheme if known else None), seeds=Seeds(1))
    right, wrong = grade(names, release)
    assert not wrong
    assert right >= unique_nodes(release) - {(k, v) for k, v in unique_nodes(release) if k in ambiguous(names)}
    assert len(right) >= 0.95 * len(unique_nodes(release))
    assert names.verdict.accepted
    assert names.verdict.facts["believed"] == 8
    assert names.probability.min() > 0.99


def ambiguous(names):
    return set() if names.verdict.facts["candidates"] == 1 else set(range(int(names.verdict.facts["subgraphs"])))


@pytest.mark.parametrize(("radius", "rim"), [(3, False), (1, True), (2, False)])
def test_a_scheme_of_somebody_else_is_a_black_box(people, radius, rim):
    scheme = Circles(radius=radius, rim=rim)
    release = scheme.publish(people, seed=5)
    held = Held(people, release.public, scheme=scheme)
    assert Cut(radius, rim) in learn_cuts(held, seeds=Seeds(1))
    names = match_egonets(held, seeds=Seeds(1))
    right, wrong = grade(names, release)
    assert not wrong
    if radius > 1:
        assert len(right) >= 0.9 * len(unique_nodes(release))


def test_a_scheme_that_makes_no_cut_is_recognised(people):
    class Coins(Circles):
        def publish(self, graph, *, seed, avoid=()):
            chance = np.random.default_rng(seed)
            keep = chance.random(graph.indices.size) < 0.5
            source = np.repeat(np.arange(graph.node_count), graph.degrees)[keep]
            thin = Graph.from_edges(source, graph.indices[keep], node_count=graph.node_count)
            return super().publish(thin, seed=seed)

    held = Held(people, Coins().publish(people, seed=1).public, scheme=Coins())
    assert learn_cuts(held, seeds=Seeds(1)) == ()


@pytest.mark.parametrize("scheme", ["d4d-1:egonets=8,min_size=60", "d4d-2:egonets=8,min_size=60"])
def test_names_nobody_with_a_graph_of_strangers(people, scheme):
    scheme, strangers = make_scheme(scheme), synthetic_graph(1500, mean_degree=8, seed=4)
    names = match_egonets(Held(strangers, scheme.publish(people, seed=5).public, scheme=scheme), seeds=Seeds(1))
    assert len(names) == 0
    assert not names.verdict.accepted
    assert "nobody is named" in names.verdict.words


def test_a_star_alone_is_not_believed(people):
    hub = int(np.argmax(people.degrees))
    star = Graph.from_edges(np.zeros(people.degrees[hub], dtype=int), np.arange(1, people.degrees[hub] + 1))
    names = match_egonets(Held(people, [star, star]), seeds=Seeds(1))
    assert len(names) == 0
    assert not names.verdict.accepted


def renumbered(graph, order):
    """The same graph in which node v is called order[v]."""
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    return Graph.from_edges(order[source], order[graph.indices], node_count=graph.node_count)


def test_numbers_of_nodes_do_not_matter(people):
    scheme = make_scheme("d4d-2:egonets=6,min_size=60")
    release = scheme.publish(people, seed=5)
    order = np.random.default_rng(0).permutation(people.node_count)
    turned = [np.random.default_rng(k).permutation(one.node_count) for k, one in enumerate(release.public)]
    first = match_egonets(Held(people, release.public, scheme=scheme), seeds=Seeds(1))
    public = [renumbered(one, turn) for one, turn in zip(release.public, turned, strict=True)]
    second = match_egonets(Held(renumbered(people, order), public, scheme=scheme), seeds=Seeds(1))
    lines = {(k, turned[k][v], order[p]) for k, v, p in zip(first.subgraph, first.node, first.person, strict=True)}
    assert lines == {*zip(second.subgraph, second.node, second.person, strict=True)}


def test_the_same_on_one_thread_and_on_two(people):
    scheme = make_scheme("d4d-1:egonets=6,min_size=60")
    held, found = Held(people, scheme.publish(people, seed=5).public, scheme=scheme), []
    for threads in (1, 2):
        with limit_threads(threads):
            found.append(match_egonets(held, seeds=Seeds(1)))
    for name in ("subgraph", "node", "person", "probability"):
        assert np.array_equal(getattr(found[0], name), getattr(found[1], name))


NOISY = ["d4d-1:egonets=30,min_size=100", "d4d-2:egonets=30,min_size=100"]


def noisy_scene(graph, scheme, people, edges, seed):
    """A release and an auxiliary graph that overlap; and for each sub-graph who its nodes are there, -1 for nobody."""
    copies = split(graph, Overlap(people, edges).both_ways, np.random.default_rng(seed))
    scheme = make_scheme(scheme)
    release = scheme.publish(copies.left, seed=seed)
    truth = [copies.truth[secret.people] for secret in release.secret]
    return Held(copies.right, release.public, scheme=scheme), truth


@pytest.fixture(scope="module")
def crowd():
    return synthetic_graph(4000, mean_degree=14, seed=3)


@pytest.mark.parametrize("scheme", NOISY)
def test_names_hold_under_noise_or_nobody_is_named(crowd, scheme):
    held, truth = noisy_scene(crowd, scheme, 0.9, 0.95, 7)
    names = match_egonets(held, seeds=Seeds(1))
    right = [truth[k][v] == p for k, v, p in zip(names.subgraph, names.node, names.person, strict=True)]
    assert names.verdict.accepted
    assert len(right) > 200
    assert np.mean(right) >= 0.9
    assert len({*zip(names.subgraph.tolist(), names.person.tolist(), strict=True)}) == len(names)
    assert 0.8 < names.verdict.facts["overlap of edges"] < 1
    with limit_threads(1):
        again = match_egonets(held, seeds=Seeds(1))
    for name in ("subgraph", "node", "person", "probability"):
        assert np.array_equal(getattr(names, name), getattr(again, name))


@pytest.mark.parametrize("scheme", NOISY)
def test_a_noisy_graph_of_strangers_is_recognised(crowd, scheme):
    held, _ = noisy_scene(synthetic_graph(4000, mean_degree=14, seed=8), scheme, 0.9, 0.95, 7)
    names = match_egonets(Held(crowd, held.target, scheme=held.scheme), seeds=Seeds(1))
    assert len(names) == 0
    assert not names.verdict.accepted


def test_sub_graphs_of_a_foreign_graph_get_no_names(crowd):
    held, truth = noisy_scene(crowd, NOISY[1], 0.9, 0.95, 7)
    foreign, _ = noisy_scene(synthetic_graph(4000, mean_degree=14, seed=8), NOISY[1], 0.9, 0.95, 7)
    target = [*held.target, *list(foreign.target)[:15]]
    names = match_egonets(Held(held.auxiliary, target, scheme=held.scheme), seeds=Seeds(1))
    facts = names.verdict.facts
    assert facts["subgraphs"] == 45
    assert facts["believed"] == np.unique(names.subgraph).size <= 30
    assert "sub-graphs are believed" in names.verdict.words
    assert len(names) > 200
    assert np.count_nonzero(names.subgraph >= 30) <= 2
    right = [k < 30 and truth[k][v] == p for k, v, p in zip(names.subgraph, names.node, names.person, strict=True)]
    assert np.mean(right) >= 0.9


def some_known(truth, count):
    """So many published nodes whose people are known, by lot."""
    lines = np.array([(k, v, p) for k, one in enumerate(truth) for v, p in enumerate(one.tolist()) if p >= 0])
    return KnownNames(*np.random.default_rng(0).permutation(lines)[:count].T.astype(np.int32))


def lines_of(names):
    return {*zip(names.subgraph.tolist(), names.node.tolist(), names.person.tolist(), strict=True)}


def test_known_people_help_where_the_start_fails(crowd):
    held, truth = noisy_scene(crowd, NOISY[0], 0.7, 0.8, 7)
    assert not match_egonets(held, seeds=Seeds(1)).verdict.accepted
    known = some_known(truth, 400)
    names = match_egonets(replace(held, known=known), seeds=Seeds(1))
    assert names.verdict.accepted
    assert lines_of(names) >= lines_of(known)
    assert len({*zip(names.subgraph.tolist(), names.person.tolist(), strict=True)}) == len(names)
    others = lines_of(names) - lines_of(known)
    assert len(others) > 1000
    assert np.mean([truth[k][v] == p for k, v, p in others]) > 0.8


@pytest.mark.parametrize("scheme", NOISY)
def test_known_people_never_get_another_name(crowd, scheme):
    held, truth = noisy_scene(crowd, scheme, 0.9, 0.95, 7)
    known = some_known(truth, 50)
    known = replace(known, person=np.roll(known.person, 1))  # even if the attacker is mistaken
    names = match_egonets(replace(held, known=known), seeds=Seeds(1))
    assert lines_of(names) >= lines_of(known)
    assert len({*zip(names.subgraph.tolist(), names.person.tolist(), strict=True)}) == len(names)
    assert len({*zip(names.subgraph.tolist(), names.node.tolist(), strict=True)}) == len(names)


def test_known_people_choose_among_candidates():
    """Two like neighbourhoods far apart: who is known in one of them tells which it is."""
    one = synthetic_graph(60, mean_degree=6, seed=1)
    source = np.repeat(np.arange(60), one.degrees)
    both = Graph.from_edges(np.append(source, source + 60), np.append(one.indices, one.indices + 60), node_count=120)
    release = Circles(count=4, radius=2).publish(both, seed=1)
    held = Held(both, release.public, scheme=Circles(radius=2))
    assert len(match_egonets(held, seeds=Seeds(1))) == 0
    known = KnownNames(*np.array([(k, 0, one.people[0]) for k, one in enumerate(release.secret)], dtype=np.int32).T)
    right, wrong = grade(match_egonets(replace(held, known=known), seeds=Seeds(1)), release)
    assert len(right) > 20
    assert not wrong


def test_copies_overlap_as_asked(crowd):
    copies = split(crowd, Overlap(0.8, 0.9).both_ways, np.random.default_rng(1))
    there = copies.truth >= 0
    assert np.mean(there) == pytest.approx(0.8, abs=0.01)
    source = np.repeat(np.arange(there.size), copies.left.degrees)
    both = there[source] & there[copies.left.indices]
    pairs = zip(copies.truth[source[both]], copies.truth[copies.left.indices[both]], strict=True)
    assert np.mean([b in copies.right.neighbors(a) for a, b in pairs]) == pytest.approx(0.9, abs=0.01)


def test_hidden_edges_are_apart(people):
    hidden = hide_edges(people, np.random.default_rng(1), 0.2)
    assert hidden.graph.edge_count + hidden.alone().edge_count == people.edge_count
    assert np.array_equal(hidden.graph.degrees + hidden.alone().degrees, people.degrees)


@pytest.fixture(scope="module")
def appearances(people):
    scheme = make_scheme("d4d-2:egonets=12,min_size=60")
    release = scheme.publish(people, seed=5)
    return Appearances.of(release.public, Cut(2, False)), release


def test_traits_equal_their_plain_twins(appearances):
    seen, _ = appearances
    traits, rows = list_traits(seen), np.split(seen.indices, seen.indptr[1:-1])
    assert seen.inner[traits.who].all()
    for r in range(0, traits.who.size, 7):
        for k in range(traits.indptr[r], traits.indptr[r + 1]):
            a, b = traits.who[r], traits.partner[k]
            assert traits.contacts[k] == seen.degree[b]
            assert traits.common[k] == naive.trait([set(rows[a].tolist()), set(rows[b].tolist())], b)


def test_merged_appearances_are_one_person(people, appearances):
    seen, release = appearances
    person = np.concatenate([secret.people for secret in release.secret])
    hops = np.concatenate([secret.hops for secret in release.secret])
    assert (hops[seen.inner] < 2).all()
    group = merge(seen, list_traits(seen), np.bincount(people.degrees))
    for one in np.unique(group[group >= 0]):
        members = np.flatnonzero(group == one)
        assert len({*seen.subgraph[members].tolist()}) == members.size
    pairs = [np.flatnonzero(group == one) for one in np.unique(group[group >= 0])]
    same = [np.unique(person[members]).size == 1 for members in pairs if members.size > 1]
    assert len(same) > 5
    assert np.mean(same) > 0.9


def test_a_center_is_found_by_its_contacts(people, appearances):
    seen, release = appearances
    found, trust = find_egos(people, seen, Overlap(0.95, 0.95))
    egos = np.array([secret.ego for secret in release.secret])
    assert (found[trust > 0.99] == egos[trust > 0.99]).all()
    assert np.count_nonzero(trust > 0.99) >= 6


def test_a_round_weighs_contacts_as_its_plain_twin_does(people, appearances):
    seen, release = appearances
    person = np.concatenate([secret.people for secret in release.secret])
    known = np.where(seen.inner, person, -1).astype(np.int32)
    trust, overlap = np.where(known >= 0, 0.9, 0.0), Overlap(0.9, 0.8)
    chosen = ~seen.inner & (seen.degree > 2)
    found = run_round(people, people.degrees, seen, known, trust, overlap, chosen=chosen)
    assert np.mean(found.person[chosen] == person[chosen]) > 0.5
    graph = [set(people.neighbors(v).tolist()) for v in range(people.node_count)]
    rows = [set(row.tolist()) for row in np.split(seen.indices, seen.indptr[1:-1])]
    for w in np.flatnonzero(chosen & (found.person >= 0))[::50].tolist():
        beside = range(seen.start[seen.subgraph[w]], seen.start[seen.subgraph[w] + 1])
        names = {x: int(known[x]) for x in beside if known[x] >= 0}
        odds = naive.odds(w, int(found.person[w]), rows, graph, names, 0.9, overlap)
        assert found.table[w, 0] == pytest.approx(odds, rel=1e-4)


def test_a_hub_is_found_by_the_circle_of_its_contacts(crowd):
    release = make_scheme("d4d-1:egonets=20,min_size=100").publish(crowd, seed=5)
    seen = Appearances.of(release.public, Cut(2, True))
    person = np.concatenate([secret.people for secret in release.secret])
    nobody = np.full(seen.count, -1, dtype=np.int32)
    found = match_hubs(crowd, seen, nobody, Overlap(0.95, 0.95))
    assert len(found) >= 3
    assert all(one.person == person[one.hub] for one in found)
    contacts, people = (np.concatenate([one[fact] for one in found]) for fact in (3, 4))
    assert np.mean(person[contacts] == people) > 0.8


def test_belief_propagation_names_hubs_without_anybody_known(crowd):
    held, truth = noisy_scene(crowd, "d4d-2:egonets=30,min_size=100", 0.9, 0.95, 7)
    seen = Appearances.of(held.target, Cut(2, False))
    game = Game.of(held.auxiliary, held.auxiliary, seen)
    person, trust = believe(held.auxiliary, game.contacts, game.pairs, Overlap(0.9, 0.95))
    named, truth = game.group[(game.group >= 0)], np.concatenate(truth)[game.group >= 0]
    sure = (trust[named] > 0.9) & (person[named] >= 0)
    assert np.count_nonzero(sure) > 20
    assert np.mean(person[named][sure] == truth[sure]) > 0.8


def test_hidden_edges_tell_right_names_from_shuffled_ones(people, appearances):
    seen, release = appearances
    hidden = hide_edges(people, np.random.default_rng(1), 0.1)
    person = np.concatenate([secret.people for secret in release.secret])
    nobody = np.full(seen.count, -1, dtype=np.int32)
    check = check_names(seen, person, hidden, nobody)
    assert check.is_passed
    assert check.hidden == check.shown == 1.0
    assert check_names(seen, person, hidden, person).edges == 0  # who is known beforehand proves nothing
    assert np.count_nonzero(is_confirmed(seen, person, hidden, nobody, 0.9)) >= 8
    trust = np.full(seen.count, 0.98)
    assert measure_doubt(seen, person, trust, hidden, nobody) == 0
    shuffled = person.copy()
    for first, last in pairwise(seen.start):
        shuffled[first:last] = np.random.default_rng(2).permutation(person[first:last])
    assert not check_names(seen, shuffled, hidden, nobody).is_passed
    half = seen.subgraph < 6  # the others are wrong, and trusted too much
    mixed, trust = np.where(half, person, shuffled), np.where(half, 0.98, 0.9)
    doubt = measure_doubt(seen, mixed, trust, hidden, nobody)
    assert doubt >= 1
    assert lower_trust(np.array([0.5]), doubt) == pytest.approx(1 / (1 + np.exp(doubt)))
    assert np.count_nonzero(is_confirmed(seen, shuffled, hidden, nobody, 0.9)) <= 1
