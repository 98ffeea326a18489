"""A release that was made by hand, by a scheme of somebody's own, is checked before an audit works on it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

import thinveil
from thinveil import Graph, InputError, Release, ReleaseError, audit, synthetic_graph
from thinveil.schemes import D4D1, Secret

FEW = {"attack": "forest:trees=5,bag_size=50", "test_negatives": 500, "test_pairs": 100, "seed": 5}


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(1_000, seed=4)


def scheme_of(make):
    """Return a scheme that publishes whatever a function makes of the release of a good one."""

    @dataclass(frozen=True)
    class Own:
        name: ClassVar[str] = "own"

        def describe(self):
            return "publishes what it should not"

        def publish(self, graph, *, seed, avoid=()):
            return make(graph, D4D1(egonets=4, min_size=40).publish(graph, seed=seed, avoid=avoid))

    return Own()


def spoiled(spoil, lazy):
    """Return a scheme whose sub-graphs and secrets are spoiled one by one."""

    def make(graph, whole):
        if lazy:
            part = lambda k: spoil(whole.public[k], whole.secret[k])  # noqa: E731
            return Release.lazy(len(whole), part, scheme="own", graph=graph)
        parts = [spoil(whole.public[k], whole.secret[k]) for k in range(len(whole))]
        return Release([public for public, _ in parts], [secret for _, secret in parts])

    return scheme_of(make)


@pytest.mark.parametrize("lazy", [True, False])
@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda public, secret: (public, Secret(secret.people[:-1])), "nodes and .* people"),
        (lambda public, secret: (public, Secret(secret.people, secret.hops[:-1])), "hops for"),
        (lambda public, secret: (public, Secret(secret.people, secret.hops + 100)), "hops of a secret must be"),
        (lambda public, secret: (public, Secret(secret.people - 5_000)), "people of a secret must be"),
        (lambda public, secret: (public, Secret(secret.people / 2)), "one column of integers"),
        (lambda public, secret: (public, Secret(np.stack([secret.people] * 2))), "one column of integers"),
        (lambda public, secret: (public, None), "a scheme publishes a Graph and a Secret"),
        (lambda public, secret: (None, secret), "a scheme publishes a Graph and a Secret"),
    ],
)
def test_secrets_that_do_not_fit_are_refused(graph, spoil, message, lazy):
    with pytest.raises(InputError, match=message) as caught:
        audit(graph, spoiled(spoil, lazy), **FEW)
    assert len(str(caught.value).splitlines()) == 1


def test_people_whom_the_graph_does_not_have_are_refused(graph):
    with pytest.raises(InputError, match=r"person 2[0-9]*, whom the graph does not have"):
        audit(graph, spoiled(lambda public, secret: (public, Secret(secret.people + 2_000)), True), **FEW)


@pytest.mark.parametrize("more", [500, 1_000_000])
def test_nor_where_names_are_wanted(graph, more):
    strange = spoiled(lambda public, secret: (public, Secret(secret.people + more)), False)
    with pytest.raises(InputError, match=r"a secret names person [0-9]+, where people are numbered from 0 to"):
        audit(graph, strange, threat="identification:node_overlap=1,edge_overlap=1", attack="names", beside=())


def test_a_release_of_other_things_is_refused(graph):
    for thing in (None, [], Release((graph,), None)):
        with pytest.raises(InputError, match="must publish a Release with its secret"):
            audit(graph, scheme_of(lambda *_, thing=thing: thing), **FEW)
    for thing in (None, 5, "ab", np.zeros(3)):
        with pytest.raises(InputError, match="a release is a series of sub-graphs"):
            Release(thing, ())
    with pytest.raises(InputError, match="a release of 1 sub-graphs has 0 secrets"):
        Release((graph,), ())


def test_a_good_release_made_by_hand_is_audited(graph):
    scheme = spoiled(lambda public, secret: (Graph(public.indptr, public.indices), secret), False)
    assert audit(graph, scheme, **FEW).rates == audit(graph, D4D1(egonets=4, min_size=40), **FEW).rates


def test_a_truth_with_one_person_twice_in_a_subgraph_is_refused(tmp_path):
    release = thinveil.anonymize(synthetic_graph(2000), "d4d-1:egonets=3,min_size=50", seed=1)
    thinveil.write_release(release, tmp_path / "release", truth=tmp_path / "truth")
    table = pl.read_parquet(tmp_path / "truth")
    person, subgraph = table["person"].to_list(), table["subgraph"].to_list()
    first, second = [k for k, number in enumerate(subgraph) if number == 2][:2]
    person[first] = person[second]
    table.with_columns(pl.Series("person", person)).write_parquet(tmp_path / "truth")
    with pytest.raises(ReleaseError, match="names one person twice in sub-graph 2"):
        thinveil.read_release(tmp_path / "release", tmp_path / "truth")
    with pytest.raises(InputError, match="one person twice in one sub-graph"):
        Secret(np.array([4, 7, 4]))
