"""Schemes that publish one whole graph, changed: each does what it says, on all kinds of graphs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import changes
from thinveil.errors import InputError, SampleError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.parameters import to_word
from thinveil.schemes import NOBODY, SCHEMES, make_scheme
from thinveil.schemes.edgeset import absent_pairs
from thinveil.schemes.random_walk import _walk_edges
from thinveil.schemes.whole import WholeGraph

ALL = [name for name in SCHEMES if issubclass(SCHEMES[name], WholeGraph)]
TOWN = synthetic_graph(2000, seed=3)


def true_edges(release):
    """Return the published edges, by the numbers of the people, and who is published."""
    public, people = release.public[0], release.secret[0].people
    source = np.repeat(np.arange(public.node_count), public.degrees)
    return {frozenset(pair) for pair in zip(people[source].tolist(), people[public.indices].tolist(), strict=True)}


def published(graph, word, seed=1, avoid=()):
    release = make_scheme(word).publish(graph, seed=seed, avoid=avoid)
    public = release.public[0]
    Graph(public.indptr, public.indices)  # refused unless it is simple and undirected
    return release


def edges(graph):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    return {frozenset(pair) for pair in zip(source.tolist(), graph.indices.tolist(), strict=True)}


def by_person(release):
    """Return the published degrees, by person."""
    return release.public[0].degrees[np.argsort(release.secret[0].people)]


graphs = st.builds(
    lambda nodes, pairs: Graph.from_edges(*np.array([(a % nodes, b % nodes) for a, b in pairs]).reshape(-1, 2).T,
                                          node_count=nodes),
    st.integers(1, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40),
)  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_a_scheme_can_be_repeated_and_each_release_is_drawn_anew(name):
    one, two = published(TOWN, name), published(TOWN, name)
    assert np.array_equal(one.public[0].indices, two.public[0].indices)
    assert np.array_equal(one.secret[0].people, two.secret[0].people)
    other = published(TOWN, name, avoid=[one])
    assert not np.array_equal(one.secret[0].people, other.secret[0].people) or name == "dp-degrees"
    assert not np.array_equal(one.public[0].indices, other.public[0].indices)
    assert not np.array_equal(one.public[0].indices, published(TOWN, name, seed=2).public[0].indices)


@pytest.mark.parametrize("name", ALL)
def test_a_scheme_says_what_it_does_and_writes_its_word_into_the_release(name):
    scheme = make_scheme(name)
    assert scheme.describe().startswith("publishes ")
    assert "\n" not in scheme.describe()
    assert "events" in scheme.describe()
    assert published(TOWN, name).scheme == to_word(name, scheme)
    assert (type(scheme).__doc__ or "").strip().splitlines()[0].endswith(".")


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=25, deadline=None)
@given(graph=graphs)
def test_any_graph_is_published_or_refused_in_one_line(name, graph):
    try:
        release = published(graph, name)
    except InputError as error:
        refusal = str(error)
    else:
        refusal = ""
    if refusal:
        assert "\n" not in refusal
        assert name in refusal
        return
    people = release.secret[0].people
    real = people[people != NOBODY]
    assert np.unique(real).size == real.size
    assert real.size in (0, graph.node_count) or name == "drop-hubs"


@settings(max_examples=50, deadline=None)
@given(graph=graphs, share=st.floats(0.01, 1))
def test_sparsify_deletes_exactly_the_share(graph, share):
    release = published(graph, f"sparsify:share={share}")
    assert release.public[0].edge_count == graph.edge_count - math.floor(share * graph.edge_count + 1e-9)
    assert true_edges(release) <= edges(graph)


def test_sparsify_deletes_every_edge_with_equal_chance():
    ring = Graph.from_edges(range(10), [*range(1, 10), 0])
    times = dict.fromkeys(edges(ring), 0)
    for seed in range(2000):
        for edge in true_edges(published(ring, "sparsify:share=0.5", seed=seed)):
            times[edge] += 1
    assert max(abs(count - 1000) for count in times.values()) < 5 * math.sqrt(500)


@settings(max_examples=50, deadline=None)
@given(graph=graphs, share=st.floats(0.01, 1))
def test_add_delete_keeps_the_number_of_edges_and_adds_nothing_that_was_there(graph, share):
    count = math.floor(share * graph.edge_count + 1e-9)
    if count > math.comb(graph.node_count, 2) - graph.edge_count:
        with pytest.raises(SampleError, match=r"are no contacts yet|every two people are"):
            published(graph, f"add-delete:share={share}")
        return
    release = published(graph, f"add-delete:share={share}")
    assert release.public[0].edge_count == graph.edge_count
    assert len(true_edges(release) & edges(graph)) == graph.edge_count - count


def test_a_refused_share_comes_with_one_that_works():
    full = Graph.from_edges(*np.triu_indices(8, 1))
    graph = Graph.from_edges(*(ends[2:] for ends in np.triu_indices(8, 1)))
    with pytest.raises(SampleError, match="nothing can be added"):
        published(full, "add-delete")
    with pytest.raises(SampleError, match=r"give share=0\.0769 or less"):
        published(graph, "add-delete:share=0.5")
    published(graph, "add-delete:share=0.0769")


@pytest.mark.parametrize("share", [0.1, 1, 10])
def test_switch_changes_no_degree_and_as_many_edges_as_it_says(share):
    release = published(TOWN, f"switch:share={share}")
    assert np.array_equal(by_person(release), TOWN.degrees)
    replaced = 1 - len(true_edges(release) & edges(TOWN)) / TOWN.edge_count
    if share <= 1:  # two edges for each pair that is drawn; some are drawn twice, and some cannot be switched
        assert 0.7 * (1 - math.exp(-share)) < replaced <= share
    else:
        assert replaced > 0.75


@settings(max_examples=50, deadline=None)
@given(graph=graphs)
def test_switch_keeps_degrees_on_any_graph(graph):
    assert np.array_equal(by_person(published(graph, "switch:share=2")), graph.degrees)


def test_random_walk_is_the_plain_one():
    contacts = [TOWN.neighbors(v).tolist() for v in range(300)]
    small = Graph.from_edges(*np.array([(u, v) for u, mine in enumerate(contacts) for v in mine if v < 300]).T,
                             node_count=300)  # fmt: skip
    contacts = [small.neighbors(v).tolist() for v in range(300)]
    for steps, tries in ((2, 10), (5, 1)):
        ends = _walk_edges(small.indptr, small.indices, steps - 1, tries, np.uint64(7))
        found = [set(pair) for pair in zip(*(end.tolist() for end in ends), strict=True)]
        assert found == changes.walk_edges(contacts, steps, tries, 7)


def test_pairs_that_are_added_are_the_plain_ones():
    ring = Graph.from_edges(range(20), [*range(1, 20), 0])
    contacts = [ring.neighbors(v).tolist() for v in range(20)]
    ends = absent_pairs(ring.indptr, ring.indices, 170, np.uint64(5))
    found = [set(pair) for pair in zip(*(end.tolist() for end in ends), strict=True)]
    assert found == changes.absent_pairs(contacts, 170, 5)


def test_random_walk_publishes_about_as_many_edges_and_fewer_true_ones_with_longer_walks():
    ones = int((TOWN.degrees == 1).sum())
    kept = []
    for steps in (2, 3, 10):
        release = published(TOWN, f"random-walk:steps={steps}")
        assert release.public[0].edge_count == pytest.approx(TOWN.edge_count + ones / 2, rel=0.04)
        kept.append(len(true_edges(release) & edges(TOWN)) / TOWN.edge_count)
    assert kept[0] > kept[2]
    # two people who know only each other never find anybody else
    assert published(Graph.from_edges([0], [1]), "random-walk").public[0].edge_count == 0


def test_a_random_graph_has_the_size_and_nothing_else():
    release = published(TOWN, "random-graph")
    assert (release.public[0].node_count, release.public[0].edge_count) == (TOWN.node_count, TOWN.edge_count)
    shared = len(true_edges(release) & edges(TOWN))
    mean = TOWN.edge_count**2 / math.comb(TOWN.node_count, 2)
    assert abs(shared - mean) < 6 * math.sqrt(mean)
    full = Graph.from_edges(*np.triu_indices(9, 1))
    assert true_edges(published(full, "random-graph")) == edges(full)


def test_hubs_are_left_out_and_nobody_else():
    release = published(TOWN, "drop-hubs:share=0.01")
    people = release.secret[0].people
    left_out = np.setdiff1d(np.arange(TOWN.node_count), people)
    assert left_out.size == 20
    assert TOWN.degrees[left_out].min() >= TOWN.degrees[people].max()
    assert true_edges(release) == {edge for edge in edges(TOWN) if not edge & set(left_out.tolist())}
    with pytest.raises(SampleError, match="nobody would be left of 1 people"):
        published(Graph.from_edges([], [], node_count=1), "drop-hubs")


@pytest.mark.parametrize("name", ALL)
def test_events_of_kept_edges_stay_where_edges_are_only_deleted(name):
    source, target = np.nonzero(np.triu(np.random.default_rng(2).random((40, 40)) < 0.3, 1))
    weight = 100 * source + target  # tells which edge it was
    calls = Graph.from_edges(source, target, columns={"weight": weight})
    try:
        release = published(calls, name)
    except InputError:
        return
    rows, people = release.public[0].rows, release.secret[0].people
    if name not in ("sparsify", "drop-hubs"):
        assert rows is None
        assert "events are not published" in make_scheme(name).describe()
        return
    ends = np.sort(np.stack((people[rows.source], people[rows.target])), axis=0)
    assert np.array_equal(100 * ends[0] + ends[1], rows.columns["weight"])
    assert rows.source.size == release.public[0].edge_count
    assert "stay" in make_scheme(name).describe()


@pytest.mark.parametrize(("word", "words"), [
    ("sparsify:share=0", "above 0 and up to 1"), ("switch:share=101", "up to 100"),
    ("random-walk:steps=1", "from 2 to 100"),
    ("drop-hubs:share=1", "up to 0.999"), ("random-graph:share=1", "it takes none"),
])  # fmt: skip
def test_parameters_that_make_no_sense_are_refused(word, words):
    with pytest.raises(InputError, match=words):
        make_scheme(word)
