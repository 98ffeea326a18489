"""How far the neighbourhoods of two appearances overlap."""

from collections import Counter
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few, from_networkx, from_pairs, graphs, rows_of
from tests.naive import neighborhoods as naive
from thinveil.features import Needs, label, observe
from thinveil.features.pairs import NO_PAIRS, Pairs, PairSampler
from thinveil.measures.neighborhoods import neighborhood_overlaps
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import D4D1, D4D2, Published, Release, Secret


def publish(graph, people):
    return Published(graph, Secret(np.asarray(people, dtype=np.int32), None))


def look(release, min_degree=-1):
    return observe(release.public, Needs(), min_degree=min_degree)


def all_pairs(view):
    rows = np.arange(len(view))
    return Pairs(np.repeat(rows, rows.size), np.tile(rows, rows.size))


def naive_overlaps(release, view, pairs):
    sides = [(rows_of(release.public[k]), release.secret[k].people.tolist()) for k in range(len(release))]
    row = [(*sides[k], int(node)) for k, node in zip(view.subgraph, view.node, strict=True)]
    return [naive.jaccard(row[p], row[q]) for p, q in zip(pairs.left, pairs.right, strict=True)]


@st.composite
def releases(draw):
    parts = draw(st.lists(graphs(most=12), min_size=1, max_size=5))
    people = [draw(st.permutations(range(20))) for _ in parts]
    return Release.of([publish(graph, who[: graph.node_count]) for graph, who in zip(parts, people, strict=True)])


@few
@given(releases(), st.sampled_from([1, 7, 50, 2**25]), st.sampled_from([1, 3]))
def test_equals_plain_twin(release, block, threads):
    view = look(release)
    pairs = all_pairs(view)
    with limit_threads(threads):
        overlaps = neighborhood_overlaps(release, view, pairs, block=block)
    assert overlaps.tolist() == naive_overlaps(release, view, pairs)


@pytest.mark.parametrize("scheme", [D4D1, D4D2])
def test_equals_plain_twin_on_egonets(scheme, crowd):
    release = scheme(egonets=12, min_size=20).publish(crowd, seed=1)
    view = look(release, min_degree=5)
    rng = np.random.default_rng(1)
    pairs = Pairs(*rng.integers(len(view), size=(2, 700)))  # more than one chunk
    assert neighborhood_overlaps(release, view, pairs).tolist() == naive_overlaps(release, view, pairs)


@pytest.mark.parametrize("shared", range(6))
def test_cliques_overlap_by_their_people(shared):
    clique = from_networkx(nx.complete_graph(5))
    release = Release.of([publish(clique, range(5)), publish(clique, range(5 - shared, 10 - shared))])
    overlaps = neighborhood_overlaps(release, look(release), Pairs(np.arange(5), np.arange(5, 10)))
    assert overlaps.tolist() == [shared / (10 - shared)] * 5


def test_two_hops_and_no_further():
    path, star = from_pairs([(0, 1), (1, 2), (2, 3), (3, 4)]), from_networkx(nx.star_graph(4))
    release = Release.of([publish(path, range(5)), publish(star, range(5))])
    overlaps = neighborhood_overlaps(release, look(release), Pairs(np.arange(5), np.arange(5, 10)))
    assert overlaps.tolist() == [3 / 5, 4 / 5, 1, 4 / 5, 3 / 5]  # all of a star is within two hops of each


def test_new_pseudonyms_and_swapped_sides_change_nothing(crowd):
    release = D4D1(egonets=6, min_size=20).publish(crowd, seed=1)
    rng = np.random.default_rng(2)
    again = []
    for public, secret in zip(release.public, release.secret, strict=True):
        names = rng.permutation(public.node_count)
        source = np.repeat(np.arange(public.node_count), public.degrees)
        renamed = from_pairs(zip(names[source], names[public.indices], strict=True), public.node_count)
        again.append(publish(renamed, secret.people[np.argsort(names)]))
    found = []
    for one, reverse in ((release, False), (Release.of(again), True)):
        view = look(one, min_degree=5)
        person = label(one.secret, view).person
        row = {key: k for k, key in enumerate(zip(view.subgraph.tolist(), person.tolist(), strict=True))}
        keys = sorted(row)
        ends = [[row[keys[k]] for k in side] for side in np.random.default_rng(3).integers(len(keys), size=(2, 200))]
        left, right = (np.array(end) for end in (ends[::-1] if reverse else ends))
        found.append(neighborhood_overlaps(one, view, Pairs(left, right)).tolist())
    assert found[0] == found[1]


def test_one_person_shares_at_least_that_person(crowd):
    release = D4D2(egonets=30, min_size=20).publish(crowd, seed=1)
    view = look(release, min_degree=5)
    pairs = PairSampler(view.subgraph, label(release.secret, view)).identical("complete", 500, np.random.default_rng(1))
    overlaps = neighborhood_overlaps(release, view, pairs)
    assert 0 < overlaps.min() < overlaps.max() <= 1


class Counted(list):
    """Sub-graphs that count how often each of them is made."""

    def __init__(self, parts):
        super().__init__(parts)
        self.made = Counter()

    def __getitem__(self, k):
        self.made[k] += 1
        return super().__getitem__(k)


def test_each_subgraph_is_made_once(crowd):
    release = D4D1(egonets=10, min_size=20).publish(crowd, seed=1)
    counted, view = Counted(release.public), look(release)
    pairs = Pairs(*np.random.default_rng(1).integers(len(view), size=(2, 500)))
    neighborhood_overlaps(replace(release, public=counted), view, pairs)
    assert counted.made == Counter(range(10))


def test_blocks_bound_what_stands_side_by_side(crowd, monkeypatch):
    from thinveil.measures import neighborhoods

    release = D4D1(egonets=10, min_size=20).publish(crowd, seed=1)
    view = look(release)
    sizes, lay = [], neighborhoods._lay_side_by_side
    monkeypatch.setattr(neighborhoods, "_lay_side_by_side", lambda made: sizes.append(len(made)) or lay(made))
    neighborhood_overlaps(release, view, Pairs(*np.random.default_rng(1).integers(len(view), size=(2, 500))), block=1)
    assert max(sizes) == 2


def test_no_pairs_no_overlaps(crowd):
    release = D4D1(egonets=2, min_size=20).publish(crowd, seed=1)
    assert neighborhood_overlaps(release, look(release), NO_PAIRS).size == 0
