from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from tests.drawing import FIGURE_1, FIGURE_2, assert_follows, edge_set, few, from_pairs, graphs, rows_of, to_networkx
from tests.naive import balls as naive
from thinveil.errors import InputError, SampleError
from thinveil.graph import Graph, balls
from thinveil.schemes import D4D1, D4D2, SCHEMES, Pseudonyms, Published, Release, Secret, make_scheme
from thinveil.schemes.egonets import choose_egos, publish_egonet
from thinveil.schemes.room import Shape

BOTH = pytest.mark.parametrize("name", ["d4d-1", "d4d-2"])


def publish(graph, ego, outer_edges, seed=0):
    return publish_egonet(graph, ego, outer_edges=outer_edges, rng=np.random.default_rng(seed))


@pytest.mark.parametrize(("outer_edges", "figure"), [(True, FIGURE_1), (False, FIGURE_2)])
@pytest.mark.parametrize("beyond", [[], [(7, 8), (8, 9), (6, 10), (10, 11)]])
def test_figures_1_and_2(outer_edges, figure, beyond):
    public, secret = publish(from_pairs(FIGURE_1 + beyond), 0, outer_edges)
    assert edge_set(public, secret.people) == {frozenset(edge) for edge in figure}
    hops = dict(zip(secret.people.tolist(), secret.hops.tolist(), strict=True))
    assert hops == {0: 0, 1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2}


@few
@given(graphs(), st.data())
def test_kernels_equal_plain_twins(graph, data):
    rows = rows_of(graph)
    ego = data.draw(st.integers(0, graph.node_count - 1))
    members = balls.two_hop_ball(graph.indptr, graph.indices, ego)
    assert members.tolist() == naive.two_hop_ball(rows, ego)
    order = np.array(data.draw(st.permutations(range(graph.node_count))), dtype=np.int64)
    min_size, count = data.draw(st.integers(0, 12)), data.draw(st.integers(0, 6))
    for bound in (0, min_size + 1, min_size + 3):
        comp = balls.first_large(graph.indptr, graph.indices, order, min_size, bound, count)
        assert comp.tolist() == naive.first_large(rows, order.tolist(), min_size, count, bound)
    most = data.draw(st.integers(1, 12))
    assert balls.ball_sizes(graph.indptr, graph.indices, most).tolist() == naive.ball_sizes(rows, most)
    pseudonyms = np.array(data.draw(st.permutations(range(members.size))), dtype=np.int32)
    for outer in (True, False):
        inner = 1 + len(rows[ego])
        comp = balls.induced_rows(graph.indptr, graph.indices, members, pseudonyms, inner, outer)
        ref = naive.induced_rows(rows, members.tolist(), pseudonyms.tolist(), inner, outer)
        assert tuple(array.tolist() for array in comp) == ref


@few
@given(graphs(), st.data(), st.booleans())
def test_egonets_equal_networkx(graph, data, outer_edges):
    ego = data.draw(st.integers(0, graph.node_count - 1))
    public, secret = publish(graph, ego, outer_edges)
    ball = nx.ego_graph(to_networkx(graph), ego, radius=2)
    distance = nx.single_source_shortest_path_length(ball, ego)
    assert dict(zip(secret.people.tolist(), secret.hops.tolist(), strict=True)) == distance
    kept = {frozenset(e) for e in ball.edges if outer_edges or min(distance[v] for v in e) < 2}
    assert edge_set(public, secret.people) == kept == naive.published_edges(rows_of(graph), ego, outer_edges)


@few
@given(graphs(), st.data(), st.booleans())
def test_published_rows_are_a_graph(graph, data, outer_edges):
    public, _ = publish(graph, data.draw(st.integers(0, graph.node_count - 1)), outer_edges)
    source = np.repeat(np.arange(public.node_count), public.degrees)
    rebuilt = Graph.from_edges(source, public.indices, node_count=public.node_count)  # sorts, mirrors, drops loops
    assert public.digest() == rebuilt.digest()
    assert (public.labels, public.rows) == (None, None)


@few
@given(graphs(), st.data(), st.booleans())
def test_relabelling_the_graph_changes_nothing(graph, data, outer_edges):
    ego = data.draw(st.integers(0, graph.node_count - 1))
    names = data.draw(st.permutations(range(graph.node_count)))
    renamed = from_pairs([[names[v] for v in edge] for edge in edge_set(graph)], graph.node_count)
    public, secret = publish(graph, ego, outer_edges)
    again, others = publish(renamed, names[ego], outer_edges, seed=1)
    assert edge_set(public, [names[v] for v in secret.people]) == edge_set(again, others.people)


@BOTH
def test_egos_are_chosen_once(name, crowd):
    scheme, releases = make_scheme(f"{name}:egonets=30,min_size=40"), []
    for _ in range(3):
        releases.append(scheme.publish(crowd, seed=5, avoid=releases))
    egos = [int(secret.people[secret.hops == 0][0]) for release in releases for secret in release.secret]
    assert len(set(egos)) == 90
    assert egos == np.concatenate([release.egos for release in releases]).tolist()
    assert all(len(naive.two_hop_ball(rows_of(crowd), ego)) > 40 for ego in egos)


def test_min_size_means_more_than(ring):
    assert choose_egos(ring, Shape(10, 4), seed=0).size == 10
    assert choose_egos(ring, Shape(10, 5), seed=0).size == 0
    message = (
        r"only 0 of 2,000 people have a 2-hop egonet of more than 5 people, and 10 are needed: "
        r"give --scheme d4d-1:egonets=10,min_size=4 "
    )
    with pytest.raises(SampleError, match=message):
        D4D1(10, 5).publish(ring, seed=0)


def test_all_egos_are_equally_likely():
    graph = from_pairs(FIGURE_1)  # balls of 6, 7 or 8 nodes
    fit = naive.first_large(rows_of(graph), range(8), 6, 8)
    drawn = Counter(int(ego) for seed in range(600) for ego in choose_egos(graph, Shape(1, 6), seed))
    assert_follows(drawn, dict.fromkeys(fit, 1))


@BOTH
def test_the_seed_decides(name, crowd):
    def digests(seed):
        release = make_scheme(f"{name}:egonets=5,min_size=40").publish(crowd, seed=seed)
        return [(p.digest(), s.people.tolist()) for p, s in zip(release.public, release.secret, strict=True)]

    assert digests(1) == digests(1)
    assert not {digest for digest, _ in digests(1)} & {digest for digest, _ in digests(2)}


@settings(max_examples=20)
@given(st.integers(0, 6), st.integers(0, 2**62))
def test_egonets_are_the_same_whenever_asked_for(k, seed):
    graph = from_pairs(nx.path_graph(40).edges)
    scheme = D4D1(egonets=7, min_size=2)
    release = scheme.publish(graph, seed=seed, avoid=[scheme.publish(graph, seed=seed)])
    for half, seen in ((release.secret, lambda s: s.people.tolist()), (release.public, Graph.digest)):
        one = seen(half[k])
        assert one == seen(half[k]) == seen(half[k - 7])
        assert seen(half[k : k + 2][0]) == one
        assert [seen(part) for part in half][k] == one
        assert len(half[::-2]) == 4
        for beyond in (7, -8):
            with pytest.raises(IndexError):
                half[beyond]


def test_pseudonyms_are_drawn_afresh_and_uniformly(ring):
    release = D4D2(egonets=1500, min_size=4).publish(ring, seed=3)
    orders = Counter(tuple(np.argsort(secret.people).tolist()) for secret in release.secret)
    assert len(orders) == 120  # all orders of five
    places = Counter(int(np.flatnonzero(secret.hops == 0)[0]) for secret in release.secret)
    assert_follows(places, dict.fromkeys(range(5), 1))


def test_pseudonyms_say_nothing_about_the_person(crowd):
    secrets = list(D4D1(egonets=20, min_size=200).publish(crowd, seed=1).secret)
    for secret in secrets:
        assert abs(spearmanr(secret.people, np.arange(secret.people.size)).statistic) < 0.25  # 3.5 sigma of 200
    one, two = secrets[0], secrets[1]
    _, here, there = np.intersect1d(one.people, two.people, return_indices=True)
    assert here.size > 100
    assert abs(spearmanr(here, there).statistic) < 4 / np.sqrt(here.size)


def test_schemes_by_name():
    scheme = make_scheme("d4d-1:egonets=7,min_size=3")
    assert scheme == D4D1(egonets=7, min_size=3)
    assert SCHEMES.table(scheme) == {"name": "d4d-1", "egonets": 7, "min_size": 3, "most_nodes": 0}
    assert SCHEMES.make(SCHEMES.table(scheme)) == make_scheme(SCHEMES.word(scheme)) == scheme
    assert make_scheme("d4d-2") == D4D2(egonets=100, min_size=400)
    with pytest.raises(InputError, match=r"unknown scheme 'd4d': did you mean 'd4d-[12]'. known are d4d-1, d4d-2"):
        make_scheme("d4d")
    with pytest.raises(InputError, match="d4d-1: egonets = 1: give a whole number from 2 to 1,000,000"):
        make_scheme("d4d-1:egonets=1")  # linking people across sub-graphs takes at least two
    with pytest.raises(InputError, match="d4d-1: min_size = -1: give a whole number from 0"):
        make_scheme("d4d-1:min_size=-1")
    with pytest.raises(InputError, match="pseudonyms: no parameter is called 'egonets': it takes none"):
        make_scheme("pseudonyms:egonets=5")


@pytest.mark.parametrize("name", list(SCHEMES))
def test_every_scheme_says_what_it_publishes(name):
    assert SCHEMES.make(name).describe().startswith("publishes ")


def test_people_without_contacts_can_be_egos():
    lonely = Graph.from_edges([0], [1], node_count=3)
    assert sorted(choose_egos(lonely, Shape(3, 0), seed=0).tolist()) == [0, 1, 2]
    public, secret = publish(lonely, 2, True)
    assert (public.node_count, public.edge_count, secret.people.tolist()) == (1, 0, [2])


@few
@given(graphs(), st.integers(0, 2**62))
def test_pseudonyms_publish_the_whole_graph(graph, seed):
    release = Pseudonyms().publish(graph, seed=seed)
    ((public,), (secret,)) = release.public, release.secret
    assert (len(release), release.scheme, secret.hops, secret.ego) == (1, "pseudonyms", None, None)
    assert release.egos.size == 0
    assert sorted(secret.people.tolist()) == list(range(graph.node_count))
    assert edge_set(public, secret.people) == edge_set(graph)
    source = np.repeat(np.arange(public.node_count), public.degrees)
    rebuilt = Graph.from_edges(source, public.indices, node_count=public.node_count)  # sorts, mirrors, drops loops
    assert public.digest() == rebuilt.digest()


def test_the_order_of_a_whole_graph_says_nothing(crowd):
    first = Pseudonyms().publish(crowd, seed=1)
    second = Pseudonyms().publish(crowd, seed=1, avoid=[first])
    orders = [release.secret[0].people for release in (first, second)]
    places = [np.argsort(people) for people in orders]
    for one, two in ((orders[0], np.arange(400)), (orders[1], np.arange(400)), places):
        assert abs(spearmanr(one, two).statistic) < 4 / np.sqrt(400)
    assert (Pseudonyms().publish(crowd, seed=1).secret[0].people == orders[0]).all()


def test_a_release_makes_its_sub_graphs_when_asked_for():
    made = []

    def make(k):
        made.append(k)
        secret = Secret(np.array([k, 9], dtype=np.int32), np.array([0, 1], dtype=np.int8))
        return Published(from_pairs([(0, 1)]), secret)

    release = Release.lazy(3, make, scheme="mine", graph=from_pairs([(0, 9)]))
    assert (len(release), made) == (3, [])
    assert release.public[1].edge_count == 1
    assert release.secret[1].people.tolist() == [1, 9]  # kept from before
    assert made == [1]
    assert release.egos.tolist() == [0, 1, 2]
    assert sorted(made) == [0, 1, 2]
    release.public[1]
    assert sorted(made) == [0, 1, 1, 2]  # sub-graphs are not kept


def test_the_public_half_alone_tells_nobody(crowd):
    whole = make_scheme("d4d-1:egonets=3,min_size=40").publish(crowd, seed=1)
    public = whole.without_secret()
    assert (public.secret, public.names, public.centers, public.egos.size) == (None, None, None, 0)
    assert [graph.digest() for graph in public.public] == [graph.digest() for graph in whole.public]
    at_hand = Release.of([Published(*both) for both in zip(whole.public, whole.secret, strict=True)], graph=crowd)
    assert at_hand.egos.tolist() == whole.egos.tolist()
