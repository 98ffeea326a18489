"""An auxiliary graph that is given: who is in both, what is learned from, and how the audit is repeated."""

import json
import tomllib

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.drawing import edge_set
from thinveil import audit
from thinveil.auditing.draw import set_scene
from thinveil.auditing.plan import Plan
from thinveil.cli import app
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.graph.thinning import thin
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Pseudonyms
from thinveil.threats import GivenIdentification

FEW = {"train_negatives": 2_000, "test_negatives": 5_000}
FOREST = {"attack": "forest:trees=10", **FEW}


@pytest.fixture(scope="module")
def graph():
    return named(synthetic_graph(1_500, mean_degree=20, seed=2), "n")


@pytest.fixture(scope="module")
def other(graph):
    """A noisy graph of two thirds of the people in another order, and of others who are strangers."""
    chance = np.random.default_rng(5)
    order = chance.permutation(graph.node_count)[:1_000].astype(np.int32)
    noisy = thin(graph, order, 0.1, 3)
    labels = np.array([graph.labels[v] if k % 10 else f"stranger {k}" for k, v in enumerate(order.tolist())])
    return Graph(noisy.indptr, noisy.indices, labels)


def named(graph, letter):
    return Graph(graph.indptr, graph.indices, np.array([f"{letter}{v}" for v in range(graph.node_count)]))


def write(path, graph):
    names = graph.labels.tolist()
    path.write_text("from,to\n" + "".join(f"{names[u]},{names[v]}\n" for u, v in sorted(edge_set(graph))))
    return str(path)


def scene(graph, other, **parameters):
    threat = GivenIdentification(**parameters).holding(other, graph).resolved(other_graph=False)
    return threat.publish(Pseudonyms(), graph, seeds=Seeds(4))


def called(graph, other, secret):
    """Return the names behind the nodes of an auxiliary graph, and None for strangers."""
    strangers = set(other.labels.tolist()) - set(graph.labels.tolist())
    assert (secret.people >= graph.node_count).sum() == len(strangers)
    return [graph.labels[person] if person < graph.node_count else None for person in secret.people.tolist()]


def test_both_graphs_are_whole_and_labels_tell_who_is_who(graph, other):
    release = scene(graph, other).attacked
    (public, auxiliary), (_, secret) = release.public, release.secret
    assert public.edge_count == graph.edge_count
    names = called(graph, other, secret)
    place = {name: k for k, name in enumerate(other.labels.tolist())}
    shown = {frozenset((names[u], names[v])) for u, v in edge_set(auxiliary) if names[u] and names[v]}
    ends = [(other.labels[u], other.labels[v]) for u, v in edge_set(other)]
    assert shown == {frozenset(pair) for pair in ends if not any("stranger" in name for name in pair)}
    assert [place[name] for name in names if name] != sorted(place[name] for name in names if name)


def test_what_is_learned_is_made_of_the_attackers_own_graph(graph, other):
    training = scene(graph, other).training
    assert sum(len(set(one.people.tolist())) for one in training.secret) == pytest.approx(1.5 * other.node_count, abs=1)
    assert max(one.people.max() for one in training.secret) < other.node_count
    # whatever is audited, as long as nobody's name changes, the examples are the same
    line = np.arange(graph.node_count - 1)
    changed = Graph.from_edges(line, line + 1, labels=graph.labels)
    again = scene(changed, other).training
    assert [edge_set(one) for one in again.public] == [edge_set(one) for one in training.public]


def test_known_people_are_of_both_graphs_and_no_examples_are_made(graph, other):
    assert scene(graph, other, known=5).training is None
    plan = Plan.make("pseudonyms", threat=GivenIdentification(known=5).holding(other, graph), **FOREST).resolved()
    sides = set_scene(plan, graph, None, Seeds(1))
    assert sides.people.size == 5
    assert set(graph.labels[sides.people]) <= set(other.labels.tolist())


def test_an_audit_names_people_and_is_repeated_to_the_digit(graph, other):
    one = audit(graph, "sparsify", auxiliary=other, seed=1, beside=(), **FEW)
    found = one.more["identification"].groups[0]
    assert (found.people, found.right.value > 0.5) == (900, True)
    assert one.to_dict()["auxiliary"]["digest"] == other.digest()
    again = audit(graph, auxiliary=other, plan=Plan.from_tables(one.plan.tables()))
    assert (again.rates, again.more["identification"]) == (one.rates, one.more["identification"])


def test_a_forest_learns_on_two_processes_as_on_one(graph, other):
    given = {"auxiliary": other, "repeats": 2, "protocol": "paper", **FOREST}
    one, two = (audit(graph, engine=engine, **given) for engine in ("local", "local:jobs=2"))
    assert one.rates == two.rates
    assert one.auc["complete"].low > 0.5


def test_sub_graphs_have_room_in_copies_of_the_attackers_graph(graph, other):
    result = audit(graph, "d4d-2:egonets=10", auxiliary=other, beside=(), **FOREST)
    assert {"1-hop", "2-hop"} < set(result.categories)


def test_what_does_not_fit_gets_one_clear_line(graph, other):
    with pytest.raises(InputError, match="nobody is in both graphs: the audited one has 'n0', the auxiliary one 'm0'"):
        audit(graph, "pseudonyms", auxiliary=named(graph, "m"))
    with pytest.raises(InputError, match="serves no threat linkage: leave --aux out"):
        audit(graph, threat="linkage", auxiliary=other)
    with pytest.raises(InputError, match="needs the attacker's graph: give it with --aux FILE"):
        audit(graph, threat="identification-given")


def run(*words):
    return CliRunner().invoke(app, ["audit", *map(str, words), "--quiet"])


@pytest.fixture
def files(graph, other, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "graph.csv", graph), write(tmp_path / "friends.csv", other)


def test_the_file_of_an_audit_is_known_by_name_and_digest(files, tmp_path):
    done = run(*files[:1], "--aux", files[1], "--alone", "--out", "one")
    assert done.exit_code == 0, done.output
    settings = tomllib.loads((tmp_path / "one" / "settings.toml").read_text())
    assert settings["threat"]["name"] == "identification-given"
    assert settings["auxiliary"]["name"] == "friends.csv"
    assert len(settings["auxiliary"]["sha256"]) == 64
    page = (tmp_path / "one" / "report.html").read_text()
    assert settings["auxiliary"]["sha256"] in page
    assert "Releases were drawn once: one release to attack." in page
    assert str(tmp_path) not in page
    assert run("--settings", "one/settings.toml", "--out", "two").exit_code == 0
    one, two = (json.loads((tmp_path / name / "result.json").read_text()) for name in ("one", "two"))
    assert (one["rates"], one["identification"]) == (two["rates"], two["identification"])
    (tmp_path / "friends.csv").write_text("from,to\nn1,n2\n")
    again = run("--settings", "one/settings.toml", "--out", "three")
    assert "friends.csv: not the graph of the settings" in str(again.exception)


def test_another_attacker_has_the_file_no_more(files, tmp_path):
    assert run(*files[:1], "--aux", files[1], "--alone", "--out", "one").exit_code == 0
    done = run("--settings", "one/settings.toml", "--aux", "nodes=0.5,edges=0.9", "--out", "two")
    assert done.exit_code == 0, done.output
    settings = tomllib.loads((tmp_path / "two" / "settings.toml").read_text())
    assert settings["threat"]["name"] == "identification"
    assert "auxiliary" not in settings


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--aux", "nobody.csv"], "nobody.csv: no such file"),
        (["--aux", "nods=0.5"], "--aux nods=0.5: give the shares in common"),
        (["--aux", "friends.csv", "--threat", "linkage"], "--aux friends.csv is for --threat identification"),
    ],
)
def test_a_wrong_file_gets_one_line(files, words, message):
    done = run(files[0], *words, "--out", "one")
    assert done.exit_code == 1
    assert message in str(done.exception)
