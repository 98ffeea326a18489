"""Collective linkage as a whole: what the attacker may know, what is gained, and how a linker is kept."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.auditing import everything_held, hold_no_truth
from tests.drawing import neighbors_of
from thinveil.attacks.collective import Linker
from thinveil.errors import InputError
from thinveil.features import Labels, Needs, Neighbors, View, label, observe
from thinveil.features.comparison import Comparer
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rebuilt import count_links, count_rebuilt
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import make_scheme


@pytest.fixture(scope="module")
def sides():
    """Two releases of a synthetic graph as views and truths."""
    scheme, graph = make_scheme("d4d-1:egonets=30,min_size=50"), synthetic_graph(1500, seed=3)
    first = scheme.publish(graph, seed=5)
    releases = (first, scheme.publish(graph, seed=5, avoid=[first]))
    views = [observe(release.public, Needs(Linker.channels, neighbors=True)) for release in releases]
    return [(view, label(release.secret, view)) for view, release in zip(views, releases, strict=True)]


def learn(side, **rules):
    view, truth = side
    return Linker.learn(view, truth.person, Comparer.of(view), **rules)


def link(linker, view):
    return linker.link(view, Comparer.of(view))


@pytest.fixture(scope="module")
def linker(sides):
    return learn(sides[0], rounds=3, seed=1)[0]


@pytest.fixture(scope="module")
def played(sides, linker):
    return link(linker, sides[1][0])


@pytest.fixture(scope="module")
def rounds(played):
    return played.clusters


def test_links_lead_to_links(sides, rounds):
    view, truth = sides[1]
    counted = [count_rebuilt(view, truth, cluster) for cluster in rounds]
    assert 3 <= len(counted) <= 10
    assert counted[-1].right > 2 * counted[0].right > 0
    assert counted[-1].precision.low > 0.8
    assert counted[-1].linked_people > counted[0].linked_people
    assert all(0 < one.people <= one.nodes for one in counted)
    assert all(one.edges <= one.all_edges for one in counted)


def test_a_cluster_has_one_appearance_in_a_subgraph(sides, rounds):
    view = sides[1][0]
    for cluster in rounds:
        there = cluster >= 0
        places = np.stack((cluster[there], view.subgraph[there]))
        assert np.unique(places, axis=1).shape == places.shape


def test_clusters_are_trusted_by_half_at_least(played):
    linked = played.clusters[-1] >= 0
    assert played.trust.dtype == np.float32
    assert (played.trust[linked] >= 0.5).all()
    assert (played.trust[~linked] == 0).all()


def test_early_links_are_those_of_the_first_round(sides):
    _, learned = learn(sides[0], rounds=2, seed=1)
    assert len(learned.clusters) == 3
    pairs = np.array([0, 1]), np.array([2, 3])
    assert learned.early().compare(*pairs).shape == learned.last().compare(*pairs).shape
    for links, cluster in ((learned.early(), learned.clusters[1]), (learned.last(), learned.clusters[2])):
        assert ((links.clusters.merged >= 0) == (cluster >= 0)).all()
    assert learn(sides[0], rounds=1, seed=1)[1].early() is None


def test_a_kept_linker_makes_the_same_links(sides, linker, played):
    facts, arrays = linker.pack()
    again = Linker.unpack(json.loads(json.dumps(facts)), {name: array.copy() for name, array in arrays.items()})
    assert (again.rounds, again.sure, again.seed) == (3, 0.5, 1)
    comp = link(again, sides[1][0])
    assert all((one == two).all() for one, two in zip(comp.clusters, played.clusters, strict=True))
    assert (comp.trust == played.trust).all()
    empty = Linker.unpack(*Linker(None, None).pack())
    assert empty.anchors is None
    assert empty.model is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounds": None}, "lacks its rounds"),
        ({"rounds": -1}, "-1 rounds"),
        ({"seed": -1}, "seed -1"),
        ({"sure": 2.0}, "2.0 probable"),
        ({"model": []}, "not an object"),
        ({"model": {}}, "two halves"),
        ({"anchors": {"ratio": 0.0, "model": {}}}, "ratio of 0.0"),
        ({"anchors": {"ratio": 1.0}}, "not an object"),
    ],
)
def test_a_changed_linker_is_refused(linker, change, message):
    facts, arrays = linker.pack()
    with pytest.raises(ValueError, match=message):
        Linker.unpack({**facts, **change}, arrays)


def test_a_linker_of_other_evidence_is_refused(linker):
    facts, arrays = linker.pack()
    wider = {name: np.append(array, 0.0) if name.endswith("won") else array for name, array in arrays.items()}
    with pytest.raises(ValueError, match="judges 51 columns of evidence: there are 50"):
        Linker.unpack(facts, wider)
    with pytest.raises(ValueError, match="no array starts"):
        Linker.unpack(facts, {})


def test_the_linker_keeps_no_truth(sides, linker):
    """Nothing that the linker holds is an array of people of either release, nor of the appearances' answers."""
    held = everything_held(linker)
    assert hold_no_truth(held, [truth for _, truth in sides])
    assert all(thing.size < len(sides[0][0]) for thing in held if isinstance(thing, np.ndarray))


def test_pseudonyms_and_order_hardly_matter(sides, linker, rounds):
    """Appearances in another order within sub-graphs, and sub-graphs in another order: as many links, as many right."""
    view, truth = sides[1]
    rng = np.random.default_rng(1)
    order = np.lexsort((rng.random(len(view)), rng.permutation(view.subgraph.max() + 1)[view.subgraph]))
    ref, comp = rounds, link(linker, shuffled(view, order)).clusters
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
    made = []
    for threads in (1, 3):
        with limit_threads(threads):
            made.append(link(learn(sides[0], rounds=1)[0], sides[1][0]).clusters)
    assert all((one == two).all() for one, two in zip(*made, strict=True))


def test_no_anchors_no_links(sides):
    """Where nobody is inner twice there is nothing to begin with."""
    (view, truth), (asked, asked_truth) = sides
    flat = [
        replace(one, channels={**one.channels, "surroundings": 0 * one.channels["surroundings"]})
        for one in (view, asked)
    ]
    linker, learned = learn((flat[0], truth))
    assert learned.last() is None
    assert learned.early() is None
    done = link(linker, flat[1])
    assert done.last() is None
    assert [np.count_nonzero(cluster >= 0) for cluster in done.clusters] == [0]
    counted = count_rebuilt(asked, asked_truth, np.full(len(asked), -1, dtype=np.int32))
    assert counted.precision is None
    assert (counted.links, counted.merged, counted.subgraphs, counted.wrong_edges) == (0, 0, 1, 0)


def test_counting_by_hand():
    """Two triangles of people 0 1 2 and 0 1 3; then a wrong merge of 2 with 3."""
    neighbors, _ = neighbors_of([(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)], 6)
    ones = np.ones(6, dtype=np.int32)
    view = View({}, np.array([0, 0, 0, 1, 1, 1], dtype=np.int32), ones, ones, neighbors)
    truth = Labels(np.array([0, 1, 2, 0, 1, 3], dtype=np.int32), np.zeros(6, dtype=bool), np.arange(4, dtype=np.int32))
    counted = count_rebuilt(view, truth, np.array([0, 1, -1, 0, 1, -1], dtype=np.int32))
    assert (counted.right, counted.merged, counted.subgraphs, counted.nodes, counted.people) == (2, 2, 2, 4, 4)
    assert (counted.edges, counted.wrong_edges, counted.all_people, counted.all_edges) == (5, 0, 4, 5)
    counted = count_rebuilt(view, truth, np.array([0, 1, -1, 0, -1, 1], dtype=np.int32))
    # the node of 1 and 5 stands for person 1: its edge to 4, who is person 1 too, is no true edge
    assert (counted.right, counted.links, counted.nodes, counted.people) == (1, 2, 4, 3)
    assert (counted.edges, counted.wrong_edges) == (3, 1)
    none = count_rebuilt(view, truth, np.full(6, -1, dtype=np.int32))
    assert (none.links, none.subgraphs, none.people, none.edges) == (0, 1, 3, 3)


def test_bad_input_is_named(sides):
    view, truth = sides[0]
    with pytest.raises(InputError, match=r"links at least 1.5 probable: give 0 or more, and between 0 and 1"):
        learn(sides[0], sure=1.5)
    with pytest.raises(InputError, match="-1 rounds"):
        learn(sides[0], rounds=-1)
    with pytest.raises(InputError, match=r"observe the release with Needs\(neighbors=True\)"):
        Linker.learn(replace(view, neighbors=None), truth.person, Comparer.of(view))
