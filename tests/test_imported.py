"""Schemes of the user's own modules: classes, objects and functions, and what may be wrong with them."""

import pickle
import sys

import numpy as np
import pytest

from tests.auditing import SMALL
from thinveil.auditing.audit import audit
from thinveil.auditing.plan import Plan
from thinveil.errors import InputError, SampleError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import SCHEMES, Imported, make_scheme

MODULE = """
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
import polars as pl
from thinveil.graph import Graph
from thinveil.schemes import D4D1, Published, Release, Secret

@dataclass(frozen=True)
class Few:
    name: ClassVar[str] = "few"
    egonets: int = 12
    def describe(self):
        return f"publishes {self.egonets} egonets"
    def publish(self, graph, *, seed, avoid=()):
        return D4D1(self.egonets, 60).publish(graph, seed=seed, avoid=avoid)

class deep:
    few = Few(14)

def edges(graph):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    once = source < graph.indices
    return source[once], graph.indices[once]

def whole(graph, seed):
    return graph

def thinned(graph, seed, share=0.1):
    source, target = edges(graph)
    kept = np.random.default_rng(seed).random(source.size) >= share
    return Graph.from_edges(source[kept], target[kept], node_count=graph.node_count)

def halves(graph, seed, count=2):
    source, target = edges(graph)
    labels = np.arange(graph.node_count) if graph.labels is None else graph.labels
    lots = np.random.default_rng(seed).integers(count, size=source.size)
    table = pl.DataFrame({"subgraph": lots, "from": labels[source], "to": labels[target]})
    return table

def several(graph, seed):
    return [thinned(graph, seed), thinned(graph, seed + 1)]

def nets(graph, seed):
    return D4D1(20, 60).publish(graph, seed=seed)

def in_order(graph, seed):
    everybody = Secret(np.arange(graph.node_count))
    return Release.of([Published(graph, everybody), Published(thinned(graph, seed), everybody)], graph=graph)

def nothing(graph, seed): pass
def fails(graph, seed):
    return 1 / 0
def leaves(graph, seed):
    raise SystemExit(3)
def strange(graph, seed):
    return Graph.from_edges([0], [1], labels=np.array(["x", "y"]))
def fewer(graph, seed):
    return Graph.from_edges([0], [1])
def again(graph, seed):
    return D4D1(20, 60).publish(graph, seed=7)
number = 3
class Plain:
    def publish(self): pass
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A module in the current folder."""
    (tmp_path / "my_own.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])
    sys.modules.pop("my_own", None)
    return tmp_path


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(2_000, seed=4)


def named(graph):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    labels = np.array([f"{k:05d}" for k in range(graph.node_count)])
    return Graph.from_edges(source, graph.indices, node_count=graph.node_count, labels=labels)


def test_classes_objects_and_functions_are_audited(graph):
    first = audit(graph, "my_own:Few:egonets=16", **SMALL, beside=())
    assert first.rate("complete", 0.1).positives > 100
    assert first.plan.scheme.describe() == "publishes 16 egonets"
    assert audit(graph, plan=first.plan).rates == first.rates
    for word in ("my_own:deep.few", "my_own:nets"):
        assert audit(graph, word, **SMALL, beside=()).rate("complete", 0.1).positives > 100


@pytest.mark.parametrize("make", [lambda graph: graph, named])
@pytest.mark.parametrize(("word", "count"), [
    ("my_own:whole", 1), ("my_own:thinned:share=0.5", 1), ("my_own:halves:count=3", 3), ("my_own:several", 2),
])  # fmt: skip
def test_functions_give_graphs_of_the_same_people(word, count, make, graph):
    given = make(graph)
    release = make_scheme(word).publish(given, seed=1)
    assert len(release) == count
    for public, secret in zip(release.public, release.secret, strict=True):
        source = np.repeat(np.arange(public.node_count), public.degrees)
        for u, v in list(zip(secret.people[source], secret.people[public.indices], strict=True))[:200]:
            assert v in given.neighbors(u)
        assert public.labels is None
        assert abs(np.corrcoef(secret.people, np.arange(secret.people.size))[0, 1]) < 0.1
    assert make_scheme(word).publish(given, seed=1).public[0].digest() == release.public[0].digest()


def test_words_tables_and_pickles_lead_back():
    made = make_scheme("my_own:thinned:share=0.5")
    assert made == Imported("my_own:thinned", "share=0.5") == SCHEMES.make(SCHEMES.table(made))
    assert SCHEMES.word(made) == "my_own:thinned:share=0.5"
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize("made", ["in_order", "several"])
def test_no_order_of_what_a_function_gives_tells_who_is_who(made, graph):
    first, again = (make_scheme(f"my_own:{made}").publish(graph, seed=1) for _ in range(2))
    assert [one.digest() for one in again.public] == [one.digest() for one in first.public]
    people = [secret.people for secret in first.secret]
    assert not np.array_equal(*people)
    before = set(zip(np.repeat(np.arange(2_000), graph.degrees).tolist(), graph.indices.tolist(), strict=True))
    for public, who in zip(first.public, people, strict=True):
        assert abs(np.corrcoef(who, np.arange(who.size))[0, 1]) < 0.1
        source = np.repeat(np.arange(public.node_count), public.degrees)
        assert set(zip(who[source].tolist(), who[public.indices].tolist(), strict=True)) <= before


@pytest.mark.parametrize("table", [
    {"name": "python", "source": "my_own:thinned"}, {"name": "chain", "steps": ["my_own:thinned", "d4d-2"]},
])  # fmt: skip
def test_tables_import_nothing_before_they_are_used(table):
    made = SCHEMES.make(table)
    assert made.is_foreign
    assert SCHEMES.make(SCHEMES.table(made)) == made
    assert "my_own" not in sys.modules


@pytest.mark.parametrize(("word", "words"), [
    ("my_others:thinned", "my_others:thinned: there is no module 'my_others', neither here nor installed"),
    ("my_own:thined", "there is no 'thined': did you mean 'thinned'"),
    ("my_own:number", "is int: name a function"),
    ("my_own:Plain", "is no scheme: make it a @dataclass"),
    ("my_own:deep.few:egonets=3", "is an object, and takes no parameters"),
    ("my_own:Few:egonet=3", "few: no parameter is called 'egonet': did you mean 'egonets'"),
    ("my_own:Few:egonets", "has no value"),
    ("broken:x", r"cannot be imported: broken.py, line 2: ZeroDivisionError: division by zero"),
    ("odd:x", r"cannot be imported: .*SyntaxError"),
    ("pseudonyms:x", "'pseudonyms:x': 'x' has no value"),
])  # fmt: skip
def test_words_that_name_nothing_are_refused_at_once(word, words, here):
    (here / "broken.py").write_text("\n1 / 0\n")
    (here / "odd.py").write_text("def x(:\n")
    with pytest.raises(InputError, match=words):
        Plan.make(word)


def test_the_user_s_own_step_of_a_chain(graph, here):
    chain = make_scheme("my_own:thinned:share=0.5+d4d-1:egonets=3,min_size=20")
    assert chain.title == "my_own:thinned+d4d-1"
    assert chain.is_foreign
    release = chain.publish(graph, seed=1)
    assert len(release) == 3
    kept = make_scheme("my_own:thinned:share=0.5").publish(graph, seed=1).public[0].edge_count
    assert kept < 0.6 * graph.edge_count
    with pytest.raises(InputError, match="there is no 'thined'"):
        make_scheme("my_own:thined+d4d-1")


def test_the_table_of_a_chain_imports_nothing_before_it_is_used(here):
    (here / "marks.py").write_text("open('imported', 'w').close()\ndef thinned(graph, seed): return graph\n")
    made = SCHEMES.make({"name": "chain", "steps": ["marks:thinned", "d4d-2"]})
    assert made.is_foreign
    assert not (here / "imported").exists()


@pytest.mark.parametrize(("word", "words"), [
    ("nothing", "my_own:nothing gave nothing: return a Graph"),
    ("fails", "my_own:fails: my_own.py, line [0-9]+: ZeroDivisionError: division by zero"),
    ("leaves", "my_own:leaves: my_own.py, line [0-9]+: SystemExit: 3"),
    ("strange", "gave a node 'x', which is no label of the graph"),
    ("fewer", "gave a graph of 2 nodes without labels, of one of 2,000"),
    ("thinned:part=3", "my_own:thinned:.* TypeError: thinned\\(\\) got an unexpected keyword"),
])  # fmt: skip
def test_what_functions_do_wrong_is_told_in_one_line(word, words, graph):
    with pytest.raises(InputError, match=words) as caught:
        make_scheme(f"my_own:{word}").publish(graph, seed=1)
    assert "\n" not in str(caught.value)


def test_the_same_twice_is_refused_and_what_thinveil_says_passes(graph):
    with pytest.raises(InputError, match="my_own:again published the same sub-graphs twice"):
        audit(graph, "my_own:again", **SMALL, beside=())
    with pytest.raises(SampleError, match=r"only .* people have a 2-hop egonet"):
        make_scheme("my_own:Few:egonets=4000").publish(graph, seed=1)
