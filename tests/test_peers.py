"""Published attacks that name people: as their plain twins do it, and no better for any order of the nodes."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few, from_pairs, graphs, rows_of
from tests.naive import peers as naive
from thinveil.attacks.matching.base import Held, KnownNames
from thinveil.attacks.matching.peers import (
    PEERS,
    Bumblebee,
    ExpandWhenStuck,
    Faq,
    KorulaLattanzi,
    NarayananShmatikov,
    Percolation,
    names_from_scores,
)  # fmt: skip
from thinveil.attacks.matching.peers.sides import draw_sides
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.streams import Seeds
from thinveil.threats.identification import thin

SPREADING = [peer for peer in PEERS if peer.needs_known]
SEEDS = Seeds(5)


def known_names(pairs):
    node, person = (np.array([pair[k] for pair in pairs], dtype=np.int32) for k in range(2))
    return KnownNames(np.zeros(node.size, dtype=np.int32), node, person)


@st.composite
def scenes(draw):
    """Two small graphs, the second often a thinned copy of the first, and a few people known in both."""
    people = draw(graphs(least=4, most=20))
    nodes = draw(graphs(least=4, most=20))
    if draw(st.integers(0, 3)):
        order = np.array(draw(st.permutations(range(people.node_count))), dtype=np.int32)
        nodes = thin(people, order, draw(st.sampled_from([0.0, 0.2])), 3)
    count = draw(st.integers(1, 4))
    chosen = [draw(st.permutations(range(graph.node_count)))[:count] for graph in (nodes, people)]
    return Held(people, (nodes,), known_names(list(zip(*chosen, strict=True))))


def found(attack, held):
    """What a peer finds if the numbers are left as they are, and the same as plain lists for the twin."""
    lots = np.arange(held.auxiliary.node_count), np.arange(held.target[0].node_count)
    sides = draw_sides(held, held.target[0], lots)
    return attack.find(sides, SEEDS), rows_of(held.auxiliary), rows_of(held.target[0]), sides.known.tolist()


@few
@given(scenes(), st.sampled_from([0.1, 0.5, 1.0]), st.booleans())
def test_propagation_is_that_of_the_twin(held, theta, by_ratio):
    attack = Bumblebee(theta=theta) if by_ratio else NarayananShmatikov(theta=theta)
    result, *plain = found(attack, held)
    image, lead = naive.propagate(*plain, theta=theta, power=0.5, by_ratio=by_ratio, sweeps=50)
    assert result.image.tolist() == image
    np.testing.assert_allclose(result.evidence, lead)


@few
@given(scenes())
def test_another_power_is_that_of_the_twin(held):
    result, *plain = found(Bumblebee(delta=0.3), held)
    assert result.image.tolist() == naive.propagate(*plain, theta=0.5, power=0.3, by_ratio=True, sweeps=50)[0]


@few
@given(scenes(), st.integers(1, 3), st.integers(1, 3))
def test_reconciliation_is_that_of_the_twin(held, witnesses, iterations):
    result, *plain = found(KorulaLattanzi(witnesses=witnesses, iterations=iterations), held)
    image, evidence = naive.reconcile(*plain, witnesses=witnesses, iterations=iterations)
    assert (result.image.tolist(), result.evidence.tolist()) == (image, evidence)


@few
@given(scenes(), st.integers(1, 3), st.sampled_from([1, 5, 20, 10**4]))
def test_percolation_is_that_of_the_twin_however_little_room_there_is(held, marks, limit):
    result, people, nodes, known = found(Percolation(marks=marks, pairs=limit), held)
    picks = SEEDS.stream("peers", "percolation", "picks").random(min(len(people), len(nodes)))
    image, dropped = naive.percolate(people, nodes, known, picks, marks=marks, limit=limit)
    assert (result.image.tolist(), result.facts["marks dropped"]) == (image, dropped)
    assert result.evidence.tolist() == naive.count_witnesses(people, nodes, image)
    assert result.facts["pairs with marks"] <= limit


@few
@given(scenes(), st.integers(1, 3))
def test_expansion_is_that_of_the_twin(held, marks):
    result, *plain = found(ExpandWhenStuck(marks=marks, pairs=10**4), held)
    image, expansions = naive.expand_when_stuck(*plain, marks=marks)
    assert (result.image.tolist(), result.facts["expansions"]) == (image, expansions)


@few
@given(scenes(), st.sampled_from([1, 5, 20]))
def test_expansion_keeps_to_its_room(held, limit):
    names = ExpandWhenStuck(pairs=limit).match(held, seeds=SEEDS)
    assert names.verdict.facts["pairs with marks"] <= limit
    assert np.unique(names.node).size == np.unique(names.person).size == len(names)


@few
@given(st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 5)), st.integers(0, 4), max_size=20),
       st.sampled_from([0, 1]))  # fmt: skip
def test_names_from_scores_are_those_of_the_twin(tmp_path_factory, scores, margin):
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    path.write_text("node,person,score\n" + "".join(f"{n},{p},{s}\n" for (n, p), s in scores.items()))
    names = names_from_scores(path, from_pairs([], 6), from_pairs([], 6), margin=margin)
    pairs = sorted((node, person) for node, person, _ in naive.mutual_best(scores, margin))
    assert list(zip(names.node.tolist(), names.person.tolist(), strict=True)) == pairs
    assert ((names.probability > 0) & (names.probability <= 1)).all()


@pytest.fixture(scope="module")
def town():
    return synthetic_graph(1500, seed=3)


def copy_of(graph, known, deleted=0.0, seed=1):
    """A thinned copy with other numbers, the person of each node, and what an attacker holds."""
    chance = np.random.default_rng(seed)
    order = chance.permutation(graph.node_count).astype(np.int32)
    target = thin(graph, order, deleted, seed)
    many = np.flatnonzero(target.degrees >= np.quantile(target.degrees, 0.75))
    nodes = chance.choice(many, known, replace=False)
    return Held(graph, (target,), known_names([(node, order[node]) for node in nodes])), order


def without_twins(graph):
    """People whose contacts are nobody else's."""
    rows = [tuple(row) for row in rows_of(graph)]
    return np.array([rows.count(row) == 1 for row in rows])


@pytest.mark.parametrize(
    ("peer", "share"),
    [(Bumblebee, 0.97), (KorulaLattanzi, 0.65), (ExpandWhenStuck, 0.75), (NarayananShmatikov, 0.0), (Percolation, 0.0)],
)
def test_equal_graphs_are_matched_but_for_twins(town, peer, share):
    held, order = copy_of(town, 10)
    names = peer().match(held, seeds=SEEDS)
    right = names.person == order[names.node]
    assert right.sum() >= share * without_twins(town).sum()
    assert ((names.probability > 0) & (names.probability <= 1)).all()
    assert names.probability[np.isin(names.node, held.known.node)].tolist() == [1.0] * 10
    if share:
        assert right.mean() > 0.95


@pytest.mark.parametrize("peer", [NarayananShmatikov, Percolation])
def test_the_older_attacks_need_more_known_people(town, peer):
    held, order = copy_of(town, 300)
    names = peer().match(held, seeds=SEEDS)
    assert (names.person == order[names.node]).sum() > 0.6 * town.node_count


@pytest.mark.parametrize("peer", [NarayananShmatikov, Bumblebee, KorulaLattanzi])
def test_unrelated_graphs_give_few_names(town, peer):
    other = synthetic_graph(1500, seed=4)
    held = Held(town, (other,), known_names([(k, k) for k in range(10)]))
    assert len(peer().match(held, seeds=SEEDS)) < 0.25 * town.node_count


@pytest.mark.parametrize("peer", PEERS)
def test_other_numbers_give_the_same_names(peer):
    held, _ = copy_of(synthetic_graph(300, seed=6), 10, deleted=0.1)
    chance = np.random.default_rng(9)
    sizes = held.auxiliary.node_count, held.target[0].node_count
    lots, moved = ([chance.permutation(size) for size in sizes] for _ in range(2))
    names = peer().match_by_lot(held, tuple(lots), seeds=SEEDS)
    graphs = [renumbered(graph, new) for graph, new in zip((held.auxiliary, held.target[0]), moved, strict=True)]
    known = known_names(list(zip(moved[1][held.known.node], moved[0][held.known.person], strict=True)))
    other_lots = tuple(lot[np.argsort(new)] for lot, new in zip(lots, moved, strict=True))
    again = peer().match_by_lot(Held(graphs[0], (graphs[1],), known), other_lots, seeds=SEEDS)
    assert lines(moved[1][names.node], moved[0][names.person], names) == lines(again.node, again.person, again)


def renumbered(graph, new):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    return Graph.from_edges(new[source], new[graph.indices], node_count=graph.node_count)


def lines(node, person, names):
    return set(zip(node.tolist(), person.tolist(), names.probability.round(9).tolist(), strict=True))


@pytest.mark.parametrize("peer", PEERS)
def test_a_seed_repeats_itself_and_another_one_draws_other_lots(peer):
    held, _ = copy_of(synthetic_graph(300, seed=6), 10, deleted=0.1)
    first, again = (peer().match(held, seeds=SEEDS) for _ in range(2))
    assert lines(first.node, first.person, first) == lines(again.node, again.person, again)
    assert "not calibrated" in first.verdict.words


def test_faq_matches_equal_graphs_without_known_people():
    graph = synthetic_graph(120, seed=2)
    held, order = copy_of(graph, 0)
    names = Faq().match(held, seeds=SEEDS)
    assert (names.person == order[names.node]).sum() > 0.5 * graph.node_count


@pytest.mark.parametrize("is_target_smaller", [True, False])
def test_faq_fills_up_the_smaller_graph(is_target_smaller):
    graph = synthetic_graph(120, seed=2)
    order = np.random.default_rng(1).permutation(120).astype(np.int32)[:90]
    part, pairs = thin(graph, order, 0.0, 1), [(k, order[k]) for k in range(20)]
    if is_target_smaller:
        names = Faq().match(Held(graph, (part,), known_names(pairs)), seeds=SEEDS)
        right = names.person == order[names.node]
    else:
        names = Faq().match(Held(part, (graph,), known_names([pair[::-1] for pair in pairs])), seeds=SEEDS)
        right = names.node == order[names.person]
    assert right.sum() > 40


def test_faq_refuses_large_graphs(town):
    with pytest.raises(InputError, match=r"up to 1,000 people, and one has 1,500: choose another attack$"):
        Faq(people=1000).match(copy_of(town, 3)[0], seeds=SEEDS)


@pytest.mark.parametrize("peer", SPREADING)
def test_without_known_people_there_is_no_start(town, peer):
    with pytest.raises(InputError, match=f"^attack {peer.name} starts from known people: give --known FILE"):
        peer().match(Held(town, (town,)), seeds=SEEDS)


@pytest.mark.parametrize(
    ("pairs", "words"),
    [([(0, 1), (1, 1)], "person stands twice"), ([(1, 0), (1, 1)], "node stands twice"), ([(0, 9999)], "not one of")],
)
def test_known_people_must_make_sense(town, pairs, words):
    with pytest.raises(InputError, match=words):
        Bumblebee().match(Held(town, (town,), known_names(pairs)), seeds=SEEDS)


def test_peers_are_for_whole_graphs(town):
    with pytest.raises(InputError, match="2 sub-graphs"):
        Bumblebee().match(Held(town, (town, town), known_names([(0, 0)])), seeds=SEEDS)


TABLE = np.array([[3.0, 1, 0], [2, 2, 0], [0, 0, 5], [0, 1, 4]])


@pytest.mark.parametrize("kind", ["npy", "csr", "csc", "coo"])
def test_a_matrix_of_scores_gives_names(tmp_path, kind):
    path = tmp_path / f"scores.{'npy' if kind == 'npy' else 'npz'}"
    np.save(path, TABLE) if kind == "npy" else sp.save_npz(path, sp.coo_array(TABLE).asformat(kind))
    names = names_from_scores(path, from_pairs([], 3), from_pairs([], 4))
    assert list(zip(names.node.tolist(), names.person.tolist(), strict=True)) == [(0, 0), (2, 2)]


def test_names_in_tables_of_scores_are_those_of_the_graphs(tmp_path):
    people = Graph.from_edges([0], [1], labels=np.array(["ann", "bob"]))
    path = tmp_path / "scores.csv"
    path.write_text("node,person,score\n1,ann,0.5\n0,bob,0.25\n")
    names = names_from_scores(path, people, from_pairs([], 2))
    assert list(zip(names.node.tolist(), names.person.tolist(), strict=True)) == [(0, 1), (1, 0)]


def write_sparse(path, **changed):
    parts = {"format": np.bytes_("csr"), "shape": np.array([2, 2]), "data": np.ones(2),
             "indices": np.array([0, 1]), "indptr": np.array([0, 1, 2])}  # fmt: skip
    np.savez(path, **{name: part for name, part in {**parts, **changed}.items() if part is not None})


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"shape": np.array([2, 3])}, "have shape"), ({"data": None}, "has no 'data'"), ({"data": np.ones(3)}, "damaged"),
     ({"indices": np.array([0, 7])}, "damaged"), ({"indptr": np.array([0, 2, 1])}, "damaged"),
     ({"format": np.bytes_("dia")}, "'dia'"), ({"data": np.array(["a", "b"])}, "'data' is"),
     ({"data": np.array([1, np.nan])}, "not a number"), ({"indptr": np.array([0, 2, 2]), "indices": np.zeros(2, int)},
      "twice"), ({"data": np.array([1, None])}, "'data' is")],
)  # fmt: skip
def test_bad_sparse_scores_are_refused_in_one_line(tmp_path, changed, words):
    write_sparse(tmp_path / "scores.npz", **changed)
    refuse(tmp_path / "scores.npz", words)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [("s.txt", b"", "endings"), ("s.npy", b"", "not an array"), ("s.npy", b"\x93NUMPY\x01\x00\x05\x00{'a'}", "not an"),
     ("s.npz", b"PK", "damaged"), ("s.csv", b"", "not a table"), ("s.csv", b"a,b\n1,2\n", "first line"),
     ("s.csv", b"node,person,score\n0,0,x\n", "'x' is not a number"),
     ("s.csv", b"node,person,score\n0,5,1\n", "person '5' is not in"),
     ("s.csv", b"node,person,score\n0,0,nan\n", "not a number"),
     ("s.csv", b"node,person,score\n0,0,1\n0,0,2\n", "twice"), ("s.csv", b"node,person,score\n\xff,0,1\n", "s.csv")],
)  # fmt: skip
def test_bad_files_of_scores_are_refused_in_one_line(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    refuse(tmp_path / name, words)


@pytest.mark.parametrize(
    ("table", "words"),
    [(np.ones((2, 3)), "have shape"), (np.ones(4), "have shape"), (np.ones((2, 2), dtype=complex), "of type"),
     (np.array([[1, None], [2, 3]]), "of type"), (np.array([[1, np.inf], [2, 3]]), "infinite")],
)  # fmt: skip
def test_bad_matrices_of_scores_are_refused_in_one_line(tmp_path, table, words):
    np.save(tmp_path / "s.npy", table, allow_pickle=True)
    refuse(tmp_path / "s.npy", words)


def test_a_matrix_that_claims_more_than_it_has_is_refused(tmp_path):
    np.save(tmp_path / "s.npy", np.ones((2, 2)))
    whole = (tmp_path / "s.npy").read_bytes()
    (tmp_path / "s.npy").write_bytes(whole[:-8])
    refuse(tmp_path / "s.npy", "damaged")
    refuse(tmp_path / "missing.npy", "cannot be read")


def refuse(path, words):
    with pytest.raises(InputError) as problem:
        names_from_scores(path, from_pairs([], 2), from_pairs([], 2))
    assert words in str(problem.value)
    assert "\n" not in str(problem.value)
