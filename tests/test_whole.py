"""Two whole graphs: kernels beside their plain twins, and the steps of the attack by themselves."""

from dataclasses import dataclass, field
from typing import ClassVar

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from tests.drawing import from_networkx
from tests.naive import whole as naive
from thinveil.attacks.matching.base import KnownNames
from thinveil.attacks.matching.copies import Overlaps, Treatment, split
from thinveil.attacks.matching.hiding import Check, hide_edges
from thinveil.attacks.matching.whole import beliefs, best, cores, rehearsal, rounds, scan, selfcheck, traits, unreached
from thinveil.attacks.matching.whole.matching import match_whole
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.graph.thinning import thin
from thinveil.learners.calibration import Calibration
from thinveil.runtime.streams import Seeds
from thinveil.runtime.threads import limit_threads
from thinveil.schemes.pseudonyms import Pseudonyms

SEEDS = st.integers(0, 10**6)


def rows_of(graph):
    return [graph.neighbors(v).tolist() for v in range(graph.node_count)]


def small_graph(seed, nodes=14, share=0.3):
    return from_networkx(nx.gnp_random_graph(nodes, share, seed=seed))


def some_links(left, right, chance):
    size = min(left.node_count, right.node_count)
    count = int(chance.integers(1, size))
    linked = scan.Linked.nobody(left.node_count)
    mine = chance.choice(left.node_count, count, replace=False)
    linked.other[mine] = chance.choice(right.node_count, count, replace=False)
    linked.sure[mine] = chance.choice([0.5, 0.75, 1.0], count)
    return linked


def as_dict(linked):
    return {int(u): (int(linked.other[u]), float(linked.sure[u])) for u in np.flatnonzero(linked.other >= 0)}


@given(SEEDS)
@settings(max_examples=30)
def test_walks_equal_the_twin(seed):
    graph = small_graph(seed)
    bins = cores.rank_bins(cores.degree_ranks(graph), cores.BINS)
    nodes = np.arange(graph.node_count, dtype=np.int32)
    counts = np.zeros((nodes.size, 2 * cores.BINS + 1))
    cores._count_walks(graph.indptr, graph.indices, nodes, bins, counts)
    assert counts.tolist() == [naive.count_walks(rows_of(graph), v, bins.tolist()) for v in nodes.tolist()]


@given(SEEDS)
@settings(max_examples=20)
def test_messages_equal_the_twin(seed):
    chance = np.random.default_rng(seed)
    left, right = small_graph(seed, 8, 0.5), small_graph(seed + 1, 9, 0.5)
    contacts = beliefs.Rows(left.indptr, left.indices)
    touches = np.zeros((9, 9), dtype=np.float32)
    touches[np.repeat(np.arange(9), right.degrees), right.indices] = 1
    survival, heat = 0.8, 2.0
    gain = beliefs._gains(touches, survival)
    shares = chance.dirichlet(np.ones(10) * 0.3, size=8)[:, :9].astype(np.float32)
    likeliest = np.argsort(-shares, axis=1)[:, :4].astype(np.int32)
    held = np.take_along_axis(shares, likeliest, axis=1)
    evidence, told = np.empty_like(shares), np.zeros_like(shares)
    beliefs._expect(likeliest, held, gain, survival, evidence, 0, 8)
    plain = [naive.expect(likeliest[x].tolist(), held[x].tolist(), gain.tolist(), survival) for x in range(8)]
    assert evidence == pytest.approx(np.array(plain), rel=1e-4)
    words = np.log(evidence)
    beliefs._add_words(contacts, words, told, 0, 8)
    again = np.exp(words * np.float32(-1 / heat))
    beliefs._leave_out_own(contacts, likeliest, held, again, gain, survival, told, 0, 8)
    expected = naive.tell(rows_of(left), likeliest.tolist(), held.tolist(), plain, gain.tolist(), survival, heat)
    assert told == pytest.approx(np.array(expected), rel=1e-3, abs=1e-3)


@given(SEEDS, st.sampled_from([14, 40]))
@settings(max_examples=20)
def test_a_pass_equals_the_twin(seed, nodes):
    chance = np.random.default_rng(seed)
    left, right = small_graph(seed, nodes, 0.2), small_graph(seed + seed % 2, nodes, 0.2)
    linked = some_links(left, right, chance)
    if nodes == 40:  # many links that are right: neighbours stay closed
        same = scan.Linked(np.arange(nodes, dtype=np.int32), np.ones(nodes, dtype=np.float32))
        same.other[30:] = -1
        linked = rounds.join_known(linked, same)
    found = scan.scan(left, right, linked, 0.7)
    plain = naive.scan(rows_of(left), rows_of(right), as_dict(linked), 0.7, scan.missing_penalty(0.7))
    bar = 0.5 * np.log(nodes) - scan._BEHIND_NOBODY
    for table, is_left in ((found.left, True), (found.right, False)):
        for row in range(nodes):
            mine = [((row, int(v)) if is_left else (int(v), row), e, s)
                    for v, e, s in zip(table.other[row], table.evidence[row], table.shared[row], strict=True)
                    if v >= 0]  # fmt: skip
            for pair, evidence, shared in mine:
                assert evidence == pytest.approx(plain[pair][0], abs=1e-3)
                assert shared == plain[pair][1]
                assert evidence >= bar - 1e-3
            clear = [v for p, (v, _) in plain.items() if p[not is_left] == row and v > bar + 1e-3]
            kept = [e for p, e, _ in mine if plain[p][0] > bar + 1e-3]
            assert kept == pytest.approx(sorted(clear, reverse=True)[: best.KEPT], abs=1e-3)


@given(SEEDS)
@settings(max_examples=30)
def test_what_links_say_of_the_unreached_equals_the_twin(seed):
    chance = np.random.default_rng(seed)
    left, right = small_graph(seed, 14), small_graph(seed + 1, 12)
    linked, survival = some_links(left, right, chance), 0.6
    people = np.flatnonzero(linked.other < 0).astype(np.int32)
    nodes = np.flatnonzero(linked.back(right.node_count) < 0).astype(np.int32)
    evidence = np.zeros((people.size, nodes.size), dtype=np.float32)
    unreached.weigh_links(left, right, linked, survival, people, nodes, evidence)
    penalty, links = scan.missing_penalty(survival), as_dict(linked)
    shared = naive.scan(rows_of(left), rows_of(right), links, survival, penalty)
    known = set(links), {v for v, _ in links.values()}

    def plain(u, v):
        if (u, v) in shared:
            return shared[u, v][0]
        return -penalty * naive.count_linked(left.neighbors(u), right.neighbors(v), known)

    expected = np.array([[plain(u, v) for v in nodes.tolist()] for u in people.tolist()], dtype=np.float32)
    assert evidence == pytest.approx(expected.reshape(evidence.shape), rel=1e-3, abs=1e-3)


def two_towns(seed):
    """Two communities, the second too poor in contacts to be in the core, with few edges between them."""
    chance = np.random.default_rng(seed)
    one, two = synthetic_graph(2_500, seed=seed), synthetic_graph(1_200, seed=seed + 1)
    few = np.argsort(-two.degrees)[150:]
    ends = [np.repeat(np.arange(graph.node_count), graph.degrees) for graph in (one, two)]
    both = np.isin(ends[1], few) & np.isin(two.indices, few)
    bridges = chance.integers(one.node_count, size=20), one.node_count + chance.choice(few, 20)
    return Graph.from_edges(
        np.concatenate((ends[0], one.node_count + ends[1][both], bridges[0])),
        np.concatenate((one.indices, one.node_count + two.indices[both], bridges[1])),
        node_count=one.node_count + two.node_count,
    )


def test_unreached_people_are_those_whose_contacts_are_not_linked():
    graph = two_towns(3)
    is_linked = np.arange(graph.node_count) < 2_500
    is_linked[[0, 5, 9]] = False  # in one graph only, it seems: their contacts are linked as others' are
    found = unreached.find_unreached(graph, is_linked, np.random.default_rng(0))
    assert 100 < found.size <= 1_000
    assert found.min() >= 2_500
    assert (graph.degrees[found] > 5).all()
    assert not unreached.find_unreached(graph, np.zeros_like(is_linked), np.random.default_rng(0)).size


def test_a_town_that_links_do_not_reach_is_begun_anew():
    graph = two_towns(3)
    people = np.random.default_rng(1).permutation(graph.node_count).astype(np.int32)
    other = thin(graph, people, 0.0, 0)
    place = np.argsort(people)
    linked = scan.Linked.nobody(graph.node_count)
    linked.other[:2_500], linked.sure[:2_500] = place[:2_500], 0.9
    more = unreached.begin_again(graph, other, linked, Overlaps(0.98, 0.95), 0.97, np.random.default_rng(0))
    fresh = np.flatnonzero((more.other >= 0) & (linked.other < 0))
    assert fresh.size > 50
    assert (more.other[fresh] == place[fresh]).mean() > 0.9
    everybody = scan.Linked(place.astype(np.int32), np.ones(place.size, dtype=np.float32))
    assert (
        unreached.begin_again(graph, other, everybody, Overlaps(0.98, 0.95), 0.97, np.random.default_rng(0))
        is everybody
    )


def test_a_town_like_which_no_copy_has_anybody_is_left_as_it_is():
    town, (one, two) = synthetic_graph(1_500, seed=1), np.triu_indices(60, 1)
    source = np.repeat(np.arange(town.node_count), town.degrees)
    # everybody in the second town has 59 or 60 contacts, and in a copy with half of the edges nobody has so many
    graph = Graph.from_edges(
        np.concatenate((source, 1_500 + one, [0])), np.concatenate((town.indices, 1_500 + two, [1_500])),
        node_count=1_560,
    )  # fmt: skip
    linked = scan.Linked.nobody(graph.node_count)
    linked.other[:1_500], linked.sure[:1_500] = np.arange(1_500), 0.9
    given = graph, graph, linked, Overlaps(0.5, 0.5), 0.67, np.random.default_rng(0)
    assert unreached.begin_again(*given) is linked


def test_no_number_of_threads_changes_a_pass():
    left, right = small_graph(3, 60, 0.2), small_graph(4, 60, 0.2)
    linked = some_links(left, right, np.random.default_rng(1))
    passes = []
    for threads in (1, 3):
        with limit_threads(threads):
            passes.append(scan.scan(left, right, linked, 0.7))
    for one, two in zip(passes[0].left + passes[0].right, passes[1].left + passes[1].right, strict=True):
        assert one.tolist() == two.tolist()


@given(SEEDS)
@settings(max_examples=30)
def test_surviving_edges_equal_the_twin(seed):
    chance = np.random.default_rng(seed)
    left, right = small_graph(seed), small_graph(seed + 1)
    linked = some_links(left, right, chance)
    links = {u: v for u, (v, _) in as_dict(linked).items()}
    counted = rounds._count_kept(left.indptr, left.indices, right.indptr, right.indices, linked.other)
    assert counted == naive.count_kept(rows_of(left), rows_of(right), links)


@given(SEEDS)
@settings(max_examples=30)
def test_lines_equal_the_twin(seed):
    chance = np.random.default_rng(seed)
    left, right = small_graph(seed), small_graph(seed + 1)
    linked = some_links(left, right, chance)
    found = scan.scan(left, right, linked, 0.7)
    pairs = rounds.candidates_of(found)
    sides = traits.Sides.of(left, right)
    table = traits.describe(sides, pairs.left, pairs.right, pairs.evidence, pairs.shared, found, linked)
    assert np.isfinite(table).all()
    column = traits.COLUMNS.index
    for line, u, v, mine in zip(table, pairs.left, pairs.right, pairs.evidence, strict=True):
        rivals = {int(w): float(e) for w, e in zip(found.left.other[u], found.left.evidence[u], strict=True) if w >= 0}
        lead, share, many = naive.stand(rivals, int(v), float(mine))
        assert line[column("lead on the left")] == pytest.approx(lead, abs=1e-3)
        assert line[column("share of evidence on the left")] == pytest.approx(share, abs=1e-4)
        assert line[column("rivals on the left")] == many
        spread = naive.distance(sides.left_traits.contacts[u], sides.right_traits.contacts[v])
        assert line[column("spread of contacts")] == pytest.approx(spread, abs=1e-4)
        assert line[column("degree on the left")] == left.degrees[u]


def test_every_candidate_is_listed_once():
    chance = np.random.default_rng(3)
    left, right = small_graph(5), small_graph(6)
    found = scan.scan(left, right, some_links(left, right, chance), 0.7)
    pairs = rounds.candidates_of(found)
    listed = list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))
    assert len(set(listed)) == len(listed)
    wanted = {(u, int(v)) for u, row in enumerate(found.left.other) for v in row if v >= 0}
    wanted |= {(int(u), v) for v, row in enumerate(found.right.other) for u in row if u >= 0}
    assert set(listed) == wanted


def test_equals_are_not_linked():
    pairs = rounds.Candidates(*(np.array(one, dtype=np.int32) for one in ([0, 0, 1], [0, 1, 2], [0, 1, 0], [0, 0, 0])),
                              np.zeros(3, dtype=np.float32), np.ones(3, dtype=np.int32))  # fmt: skip
    linked = rounds.link(pairs, np.array([0.6, 0.6, 0.6]), (2, 3))
    assert linked.other.tolist() == [-1, 2]


def test_known_people_replace_what_they_contradict():
    linked = scan.Linked(np.array([3, 4, -1], dtype=np.int32), np.array([0.9, 0.9, 0], dtype=np.float32))
    known = scan.Linked(np.array([-1, -1, 3], dtype=np.int32), np.array([0, 0, 1], dtype=np.float32))
    assert rounds.join_known(linked, known).other.tolist() == [-1, 4, 3]


def test_hidden_edges_are_gone_and_found_again():
    graph = small_graph(1, 60, 0.2)
    hidden = hide_edges(graph, np.random.default_rng(1), share=0.3)
    edges = {(u, v) for u in range(60) for v in graph.neighbors(u) if u < v}
    shown = {(u, v) for u in range(60) for v in hidden.graph.neighbors(u) if u < v}
    gone = set(zip(hidden.source.tolist(), hidden.target.tolist(), strict=True))
    assert shown | gone == edges
    assert not shown & gone
    everybody = scan.Linked(np.arange(60, dtype=np.int32), np.ones(60, dtype=np.float32))
    check = selfcheck.check_links(hidden, graph, everybody)
    assert (check.edges, check.hidden, check.shown) == (len(gone), 1.0, 1.0)
    assert check.ratio == pytest.approx(1)
    turned = scan.Linked(np.roll(everybody.other, 7), everybody.sure)
    assert not selfcheck.check_links(hidden, graph, turned).is_passed
    half = scan.Linked(np.where(np.arange(60) < 30, np.arange(60), -1).astype(np.int32), everybody.sure)
    between = sum(u < 30 and v < 30 for u, v in gone)  # both known: they prove nothing
    assert selfcheck.check_links(hidden, graph, everybody, half).edges == len(gone) - between
    assert not selfcheck.check_links(hidden, graph, everybody, everybody).is_passed


def test_a_few_hidden_edges_will_do_if_chance_would_not_find_them():
    assert Check(6, 1.0, 0.95, 0.02).is_passed
    assert Check(12, 10 / 12, 0.9, 0.03).is_passed
    assert not Check(3, 1.0, 0.95, 0.02).is_passed  # three of three: by chance once in 100,000
    assert not Check(12, 3 / 12, 0.3, 0.03).is_passed
    assert not Check(0, 0.0, 0.9, 0.02).is_passed
    assert Check(0, 0.0, 0.0, 0.0).words == "no edge that the attack had not seen lies between linked people"
    assert Check(12, 3 / 12, 0.3, 0.03).words.startswith("of 12 edges that the attack had not seen, 3 are found")
    assert Check(500, 0.3, 0.9, 0.02).words.startswith("of 500 edges that the attack had not seen, 30% are found")
    assert not Check(500, 0.3, 0.9, 0.02).is_passed  # shown edges are found far more often


def test_copies_overlap_as_said(town):
    copies = split(town, Overlaps(0.5, 0.75), np.random.default_rng(1))
    both = np.flatnonzero(copies.truth >= 0)
    assert both.size == pytest.approx(0.5 * town.node_count, rel=0.02)
    linked = scan.Linked(copies.truth, (copies.truth >= 0).astype(np.float32))
    assert rounds.survival_of(copies.left, copies.right, linked)[0] == pytest.approx(6 / 7, abs=0.02)


def test_beliefs_are_shares():
    logits = np.random.default_rng(1).normal(size=(20, 30)).astype(np.float32) * 3
    balanced = beliefs.balance(logits, 1.0)
    assert (balanced >= 0).all()
    assert balanced.sum(axis=1).max() <= 1 + 1e-4
    assert balanced.sum(axis=0).max() <= 1.05


def test_tiny_graphs_do_not_break_the_columns():
    graph = Graph.from_edges([0], [1])
    assert np.isfinite(traits.traits_of(graph).contacts).all()
    assert cores.find_core(graph, 5, np.random.default_rng(0)).nodes.size == 2


@dataclass(frozen=True)
class Scramble:
    """A scheme for tests: it deletes a share of the edges, and adds as many between people by lot."""

    share: float = 0.3
    seen: list[Graph] = field(default_factory=list, compare=False)
    name: ClassVar[str] = "scramble"

    @staticmethod
    def describe():
        return "scrambles"

    def publish(self, graph, *, seed, avoid=()):
        self.seen.append(graph)
        chance = np.random.default_rng(seed)
        hidden = hide_edges(graph, chance, share=self.share)
        kept = hidden.graph
        ends = chance.integers(graph.node_count, size=(2, hidden.source.size))
        source = np.repeat(np.arange(graph.node_count), kept.degrees)
        scrambled = Graph.from_edges(
            *np.concatenate([[source, kept.indices], ends], axis=1), node_count=graph.node_count
        )
        return Pseudonyms().publish(scrambled, seed=seed)


def test_a_treatment_keeps_its_share_and_is_none_where_people_are_only_renamed(town):
    assert Treatment.of(None, town, 1) is None
    assert Treatment.of(Pseudonyms(), town, 1) is None
    treatment = Treatment.of(Scramble(), town, 1)
    assert treatment.survival == pytest.approx(0.7, abs=0.02)
    rows = rows_of(town)
    release = Scramble().publish(town, seed=1)
    published, people = release.public[0], release.secret[0].people
    kept = sum(people[w] in rows[people[v]] for v in range(published.node_count) for w in published.neighbors(v))
    assert treatment.survival == 2 * kept / (published.indices.size + town.indices.size)


def test_copies_that_went_through_a_scheme_overlap_as_said(town):
    scheme = Scramble()
    copies = split(town, Overlaps(0.5, 0.5), np.random.default_rng(1), Treatment.of(scheme, town, 1))
    assert len(scheme.seen) == 2
    linked = scan.Linked(copies.truth, (copies.truth >= 0).astype(np.float32))
    assert rounds.survival_of(copies.left, copies.right, linked)[0] == pytest.approx(2 / 3, abs=0.03)


def test_a_scheme_is_let_loose_on_copies_only():
    people = synthetic_graph(700, mean_degree=12, seed=3)
    target = Scramble().publish(people, seed=7)
    scheme = Scramble()
    names = match_whole(people, target.public[0], KnownNames(), seeds=Seeds(1), scheme=scheme)
    assert scheme.seen[0] is people
    assert len(scheme.seen) > 1
    assert all(graph is not target.public[0] and graph.edge_count < people.edge_count for graph in scheme.seen[1:])
    plain = match_whole(people, target.public[0], KnownNames(), seeds=Seeds(1))
    wrong = [np.count_nonzero(target.secret[0].people[one.node] != one.person) for one in (names, plain)]
    assert wrong[0] < wrong[1]
    assert len(names) > 0.8 * len(plain)


def test_known_people_stay_certain_when_probabilities_are_corrected():
    linked = scan.Linked(np.array([3, 4, -1], dtype=np.int32), np.array([0.9, 1.0, 0], dtype=np.float32))
    known = scan.Linked(np.array([-1, 4, -1], dtype=np.int32), np.array([0, 1, 0], dtype=np.float32))
    fixed = rehearsal.recalibrate(linked, known, Calibration(shift=-1.0))
    assert fixed.sure.tolist() == pytest.approx([9 / (9 + np.e), 1, 0], abs=1e-4)


def test_without_a_rehearsal_links_that_are_hardly_sure_give_no_names():
    linked = scan.Linked(np.array([3, 4, -1], dtype=np.int32), np.array([0.9, 0.3, 0], dtype=np.float32))
    assert rehearsal.recalibrate(linked, scan.Linked.nobody(3), None).other.tolist() == [3, -1, -1]


def test_names_are_given_to_the_surest_until_too_many_would_be_wrong():
    sure = np.concatenate((np.full(900, 0.99), np.linspace(0.2, 0.9, 100))).astype(np.float32)
    linked = scan.Linked(np.random.default_rng(0).permutation(1_000).astype(np.int32), sure)
    named = rehearsal.choose(linked, 1_000, 0.5).other >= 0
    assert (named == (sure >= sure[named].min())).all()
    assert (1 - sure[named]).sum() == pytest.approx(15, abs=1)  # of 1,000 people
    for least, given_from in ((0.5, 1 / 3), (0.7, 0.7)):
        named = rehearsal.choose(linked, 100_000, least).other >= 0
        assert (named == (sure >= given_from)).all()
    doubtful = scan.Linked(linked.other, np.full(1_000, 0.5, dtype=np.float32))
    assert len(rehearsal.choose(doubtful, 1_000, 0.5)) == 1_000  # else all right names would be lost


def test_no_number_of_threads_changes_the_names(town):
    found = []
    for threads in (1, 4):
        with limit_threads(threads), threadpool_limits(threads):
            found.append(match_whole(town, town, KnownNames(), seeds=Seeds(3)))
    assert len(found[0])
    for name in ("node", "person", "probability"):
        assert getattr(found[0], name).tolist() == getattr(found[1], name).tolist()
