"""Names from an auxiliary graph: what is found, what must not be, and the command that does it."""

import json

import networkx as nx
import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from tests.drawing import from_networkx
from thinveil import anonymize, read_release, write_release
from thinveil.auditing.audit import audit
from thinveil.auditing.match import grade_names, match
from thinveil.auditing.whoiswho import with_truth
from thinveil.cli import app
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.graph.thinning import thin
from thinveil.graph.twins import has_twin
from thinveil.schemes import make_scheme

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def folk():
    return synthetic_graph(3_000, seed=4)


def two_graphs(graph, nodes, edges, seed):
    """An auxiliary graph, a target, and for each node of the target its person there, or -1."""
    chance = np.random.default_rng(seed)
    order = chance.permutation(graph.node_count).astype(np.int32)
    both = round(nodes * order.size)
    alone = (order.size - both) // 2
    cut = (1 - edges) / (1 + edges)
    members = [chance.permutation(part).astype(np.int32) for part in (order[alone:], order[: alone + both])]
    auxiliary, target = (thin(graph, part, cut, int(chance.integers(2**62))) for part in members)
    place = np.full(graph.node_count, -1)
    place[members[0]] = np.arange(members[0].size)
    return auxiliary, target, place[members[1]]


def graded(auxiliary, target, truth, **options):
    who = pl.DataFrame({"node": np.flatnonzero(truth >= 0), "person": truth[truth >= 0]}).cast(pl.String)
    found = match(auxiliary, target, **options)
    return found, grade_names(found, auxiliary, with_truth(target, who)).groups[0]


@pytest.fixture(scope="module")
def noisy(folk):
    return two_graphs(folk, 0.75, 0.9, 1)


@pytest.fixture(scope="module")
def named(noisy):
    return graded(*noisy)


def test_a_noisy_graph_names_most_and_few_wrongly(named):
    found, everybody = named
    assert found.verdict.accepted
    assert everybody.right.value > 0.5
    assert everybody.wrong.value < 0.03
    assert everybody.absent_named.value < 0.1
    assert everybody.right.hits + everybody.wrong.hits + everybody.unnamed.hits == everybody.people


def test_probabilities_mean_what_they_say(noisy, named):
    names, truth = named[0].names, noisy[2]
    right = truth[names.node] == names.person
    assert names.probability.mean() == pytest.approx(right.mean(), abs=0.06)


def test_the_same_graph_names_everybody_but_twins(folk):
    release = make_scheme("pseudonyms").publish(folk, seed=3)
    found = match(folk, release)
    everybody = grade_names(found, folk, release).groups[0]
    assert everybody.wrong.value == 0
    assert everybody.unique.value == pytest.approx(1 - has_twin(folk).mean())
    assert 0.97 * everybody.unique.value <= everybody.right.value <= everybody.unique.value


def test_strangers_are_not_named(folk):
    found = match(synthetic_graph(3_000, seed=9), thin(folk, np.arange(3000, dtype=np.int32), 0.0, 0))
    assert not found.verdict.accepted
    assert found.table.is_empty()
    assert "nobody is named" in found.verdict.words


def test_shuffled_truth_is_chance(noisy):
    auxiliary, target, truth = noisy
    _, everybody = graded(auxiliary, target, np.random.default_rng(5).permutation(truth))
    assert everybody.right.value < 0.01


def test_renumbering_changes_nothing_but_luck(noisy, named):
    auxiliary, target, truth = noisy
    chance = np.random.default_rng(7)
    one, two = (chance.permutation(graph.node_count).astype(np.int32) for graph in (auxiliary, target))
    place = np.append(np.argsort(one), -1)
    _, again = graded(thin(auxiliary, one, 0.0, 0), thin(target, two, 0.0, 0), place[truth[two]])
    assert again.right.value == pytest.approx(named[1].right.value, abs=0.05)


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_change_the_names(noisy, named, threads):
    assert match(*noisy[:2], threads=threads).table.equals(named[0].table)


def test_known_people_help_and_are_not_counted(folk):
    auxiliary, target, truth = two_graphs(folk, 0.5, 0.5, 2)
    hubs = [v for v in np.argsort(-target.degrees) if truth[v] >= 0][:40]
    known = pl.DataFrame({"node": hubs, "person": truth[hubs]})
    found, everybody = graded(auxiliary, target, truth, known=known)
    assert everybody.people == np.count_nonzero(truth >= 0) - 40
    assert set(hubs) <= set(found.table["node"].to_list())
    assert everybody.right.value > 0.1


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"node": [1]}, "columns node and person"),
        ({"node": ["nobody"], "person": [1]}, "'nobody' is not in the target"),
        ({"node": [1], "person": [10**7]}, "'10000000' is not in the auxiliary graph"),
        ({"node": [1, 1], "person": [1, 2]}, "a node stands twice"),
        ({"node": [1, 2], "person": [2, 2]}, "a person stands twice"),
        ({"node": [1], "person": [1], "subgraph": [4]}, "sub-graph 4 is not there"),
    ],
)
def test_bad_known_people_are_refused(noisy, known, message):
    with pytest.raises(InputError, match=message):
        match(*noisy[:2], known=pl.DataFrame(known))


def test_attacks_without_names_are_refused(noisy):
    with pytest.raises(InputError, match="attack forest gives no names: choose one of names, "):
        match(*noisy[:2], attack="forest")
    with pytest.raises(InputError, match="target = 5 is not a graph"):
        match(noisy[0], 5)


@pytest.mark.parametrize("shape", [nx.complete_graph(5), nx.star_graph(6), nx.path_graph(2), nx.empty_graph(3)])
def test_tiny_graphs_name_nobody_without_an_error(shape):
    graph = from_networkx(shape)
    found = match(graph, graph)
    assert not found.verdict.accepted
    assert found.table.is_empty()


def write_graph(path, graph, letter):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    lines = [f"{letter}{u},{letter}{v}" for u, v in zip(source, graph.indices, strict=True) if u < v]
    path.write_text("\n".join(["source,target", *lines, ""]))


def test_the_command_names_a_whole_graph(noisy, tmp_path):
    auxiliary, target, truth = noisy
    write_graph(tmp_path / "aux.csv", auxiliary, "a")
    write_graph(tmp_path / "target.csv", target, "t")
    seen = [v for v in np.flatnonzero(truth >= 0) if target.degrees[v]]
    lines = [f"t{v},a{truth[v]}" for v in seen]
    (tmp_path / "truth.csv").write_text("\n".join(["node,person", *lines, ""]))
    words = ["match", tmp_path / "aux.csv", tmp_path / "target.csv", "--out", tmp_path / "names.csv"]
    done = CliRunner().invoke(app, [*map(str, words), "--truth", str(tmp_path / "truth.csv"), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["verdict"]["accepted"]
    assert told["groups"][0]["right"]["value"] > 0.5
    assert (tmp_path / "names.csv").stat().st_mode & 0o077 == 0
    table = pl.read_csv(tmp_path / "names.csv")
    assert table.columns == ["subgraph", "node", "person", "probability"]
    assert table["person"].str.starts_with("a").all()
    again = CliRunner().invoke(app, list(map(str, words)))
    assert again.exit_code != 0  # what is there is not replaced


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n", "has no column 'node'"),
        ("node,person\n", "has no lines"),
        ("node,person\n1,\n", "a person is missing"),
        ("subgraph,node,person\nx,1,2\n", "whole numbers"),
        ("", "is no CSV table"),
        ("PAR1nonsense", "who"),
    ],
)
def test_bad_tables_of_who_is_who_are_one_line(tmp_path, content, message):
    path = tmp_path / "who"
    path.write_text(content)
    (tmp_path / "g.csv").write_text("source,target\n1,2\n2,3\n")
    words = ["match", tmp_path / "g.csv", tmp_path / "g.csv", "--out", tmp_path / "n.csv", "--known", path]
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exit_code != 0
    assert message in str(done.exception)
    assert "\n" not in str(done.exception)
    assert not (tmp_path / "n.csv").exists()


def test_a_release_of_one_graph_is_read_back(folk, tmp_path):
    write_release(anonymize(folk, "pseudonyms"), tmp_path / "r", tmp_path / "t")
    release = read_release(tmp_path / "r", tmp_path / "t")
    everybody = grade_names(match(folk, release), folk, release).groups[0]
    assert everybody.right.value > 0.85


def test_an_audit_shows_names(folk):
    result = audit(folk, threat="identification:node_overlap=0.75,edge_overlap=0.9", beside=(), repeats=2)
    found = result.more["identification"]
    assert len(found.draws) == len(found.verdicts) == 2
    assert found.groups[0].right.value == pytest.approx(np.mean(found.draws), abs=0.05)
    assert result.rate("complete", 0.001).tpr > 0.5
    assert result.plan.threat.known == 0


def test_an_audit_of_names_needs_an_auxiliary_graph(folk):
    with pytest.raises(InputError, match="choose --threat identification"):
        audit(folk, "d4d-2:egonets=5,min_size=50", attack="names", beside=())


def test_a_graph_of_nobody_in_common_with_its_own_numbers():
    ring, other = from_networkx(nx.cycle_graph(400)), from_networkx(nx.random_regular_graph(3, 400, seed=1))
    assert match(ring, other).table.is_empty()
    assert isinstance(ring, Graph)
