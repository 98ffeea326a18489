"""The check that authors of schemes run: those that come with thinveil pass, and each mistake is named."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from thinveil.errors import SampleError
from thinveil.graph import Graph
from thinveil.schemes import D4D1, D4D2, NOBODY, Imported, Pseudonyms, Published, Release, Secret
from thinveil.testing import check_scheme


@pytest.mark.parametrize("scheme", [D4D1(40, 60), D4D2(40, 60), Pseudonyms(), "d4d-1:egonets=30,min_size=50",
                                    Imported("thinveil.schemes:D4D1", "egonets=30,min_size=50")])  # fmt: skip
def test_what_comes_with_thinveil_passes(scheme):
    check_scheme(scheme)


@dataclass(frozen=True)
class Base:
    name: ClassVar[str] = "base"
    egonets: int = 40

    def describe(self):
        return "publishes egonets"

    def publish(self, graph, *, seed, avoid=()):
        return self.changed(D4D1(self.egonets, 60).publish(graph, seed=seed, avoid=avoid), graph)

    def changed(self, release, graph):
        return release


def whole(graph, people=None, seed=0):
    order = np.random.default_rng(seed).permutation(graph.node_count)
    return Release.of([Published(graph, Secret(order if people is None else people))])


def test_the_base_of_all_mistakes_passes():
    check_scheme(Base())


@dataclass
class Thawed:
    name: ClassVar[str] = "thawed"


@dataclass(frozen=True)
class Forgetful(Base):
    def __post_init__(self):
        object.__setattr__(self, "egonets", self.egonets + 1)


def sub(**methods):
    name = f"Wrong{len(globals())}"
    globals()[name] = dataclass(frozen=True)(type(name, (Base,), {"__annotations__": {}, **methods}))
    return globals()[name]()


def test_what_cannot_be_sent_to_another_process_is_refused():
    with pytest.raises(AssertionError, match="cannot be pickled"):
        check_scheme(dataclass(frozen=True)(type("Local", (Base,), {"__annotations__": {}}))())


def refuses(self, graph, *, seed, avoid=()):
    if graph.node_count < 10:
        return [][0]
    return Base().publish(graph, seed=seed, avoid=avoid)


def in_order(self, graph, *, seed, avoid=()):
    if not graph.node_count:
        raise SampleError("nobody is there")
    extra = 1 + seed % 7 + len(avoid)
    people = np.append(np.arange(graph.node_count), np.full(extra, NOBODY))
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    return whole(Graph.from_edges(source, graph.indices, node_count=people.size), people)


def sorted_egos(self, release, graph):
    order = np.argsort(release.egos)
    parts = [Published(release.public[k], release.secret[k]) for k in order]
    return Release.of(parts, graph=graph)


def always_new(self, release, graph):
    return Release.lazy(
        1, lambda k: Published(Graph.from_edges([0], [1 + int(np.random.default_rng().integers(500))], node_count=600),
                               Secret(np.arange(600)[::-1])), scheme="x",
    )  # fmt: skip


def published(change):
    return sub(changed=lambda self, release, graph: change(release, graph))


def publishing(publish):
    return sub(publish=lambda self, graph, *, seed, avoid=(): publish(graph, seed, avoid))


def strangers(release, graph):
    return whole(Graph.from_edges([0], [1]), np.array([0, 9999]))


def labelled(release, graph):
    return whole(replace(graph, labels=np.arange(graph.node_count)))


def nobody(release, graph):
    return whole(graph, np.full(graph.node_count, NOBODY))


WRONG = {
    "not frozen": (Thawed(), "must be a @dataclass"),
    "no name": (sub(name=""), "needs a class variable `name`"),
    "no sentence": (sub(describe=lambda self: "two\nlines"), "describe"),
    "parameters that change": (Forgetful(), "makes .*, which is not"),
    "no release": (published(lambda release, graph: release.public), "returned Parts, and not a Release"),
    "no secret": (published(lambda release, graph: release.without_secret()), "no sub-graphs, or no secret"),
    "people not there": (published(strangers), "person 9999, whom the graph does not have"),
    "labels": (published(labelled), "has labels"),
    "nobody": (published(nobody), "nobody stands"),
    "another each time": (sub(changed=always_new), "another one each time"),
    "chance of its own": (publishing(lambda graph, seed, avoid: whole(graph, seed=None)), "the same seed"),
    "no chance": (publishing(lambda graph, seed, avoid: whole(graph)), "another seed published the same"),
    "deaf to avoid": (publishing(lambda graph, seed, avoid: D4D1(40, 60).publish(graph, seed=seed)),
                      "published the same again"),
    "egos again": (publishing(lambda graph, seed, avoid: D4D1(40 + len(avoid), 60).publish(graph, seed=seed)),
                   "egos of the release to avoid came again"),
    "nodes in order": (sub(publish=in_order), "stand in the order of the graph's own numbers"),
    "sub-graphs in order": (sub(changed=sorted_egos), "stand in the order of their egos' numbers"),
    "failing on tiny graphs": (sub(publish=refuses), "an empty graph made it fail with IndexError"),
    "too large": (publishing(lambda graph, seed, avoid: D4D1(4_000, 60).publish(graph, seed=seed)),
                  "give check_scheme parameters that suit it"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_each_mistake_is_named(name):
    scheme, words = WRONG[name]
    with pytest.raises(AssertionError, match=words):
        check_scheme(scheme)
