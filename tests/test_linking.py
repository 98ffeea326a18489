"""Which nodes of a release are the same person: clusters of a release made elsewhere, without any truth."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from tests.golden.cases import mails
from thinveil import link, save_model, train
from thinveil.attacks import PairModel
from thinveil.auditing.link import grade_links
from thinveil.cli import app
from thinveil.errors import InputError, ReleaseError
from thinveil.graph.events import cut_time
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rebuilt import count_links
from thinveil.runtime.keys import Key
from thinveil.schemes import D4D2, Release, make_scheme, read_release, seal, write_release

SCHEME = "d4d-1:egonets=15,min_size=50"
ATTACKS = {"forest": "forest:trees=30", "signature": "signature", "strong": "strong:rounds=1"}
SURE = {"forest": 0.01, "signature": 0.5, "strong": 0.5}  # a forest alone is never sure of one among many


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """A release as a custodian has it: read from its files, with the truth."""
    folder = tmp_path_factory.mktemp("release")
    published = make_scheme(SCHEME).publish(synthetic_graph(2000, seed=3), seed=4)
    write_release(seal(published, Key.of_seed(4)), folder / "out", folder / "truth")  # no fresh key: ties fall the same
    return read_release(folder / "out", folder / "truth")


@pytest.fixture(scope="module")
def models():
    """What was learned from another graph of the same kind."""
    other = synthetic_graph(2000, seed=8)
    few = {"train_pairs": 3_000, "train_negatives": 5_000}
    return {name: train(other, SCHEME, attack=word, seed=5, **few) for name, word in ATTACKS.items()}


@pytest.fixture(scope="module")
def tables(release, models):
    return {name: link(release, model, sure=SURE[name], threads=2) for name, model in models.items()}


@pytest.mark.parametrize("name", ATTACKS)
def test_clusters_are_numbered_and_have_a_node_in_a_sub_graph_at_most(name, tables, release):
    table = tables[name]
    assert table.columns == ["cluster", "subgraph", "node", "probability"]
    assert table.equals(table.sort("cluster", "subgraph", "node"))
    sizes = Counter(table["cluster"].to_list())
    assert sorted(sizes) == list(range(len(sizes)))
    assert min(sizes.values()) > 1
    assert not table.select("cluster", "subgraph").is_duplicated().any()
    assert not table.select("subgraph", "node").is_duplicated().any()
    assert table["probability"].is_between(SURE[name], 1).all()
    labels = [set(graph.labels.tolist()) for graph in release.public]
    assert all(node in labels[k] for k, node in table.select("subgraph", "node").iter_rows())


@pytest.mark.parametrize("name", ATTACKS)
def test_links_are_right_far_more_often_than_by_guessing(name, tables, models, release):
    found = grade_links(tables[name], release, models[name])
    people = np.concatenate([secret.people for secret in release.secret])
    pairs = people.size * (people.size - 1) / 2
    guess = sum(n * (n - 1) / 2 for n in Counter(people.tolist()).values()) / pairs
    assert found.precision.low > 3 * guess
    assert found.recall.value > 0


def test_the_strong_attack_finds_most(tables, models, release):
    found = {name: grade_links(tables[name], release, models[name]) for name in ATTACKS}
    assert found["strong"].recall.low > max(found["forest"].recall.high, found["signature"].recall.high)
    assert found["strong"].precision.low > 0.5


@pytest.mark.parametrize("name", ATTACKS)
def test_one_thread_gives_the_same_and_so_does_the_public_half_alone(name, tables, models, release):
    again = link(release.without_secret(), models[name], sure=SURE[name], threads=1)
    assert again.equals(tables[name])


@pytest.mark.parametrize("name", ATTACKS)
def test_the_surer_the_fewer(name, tables, models, release):
    sure = float(tables[name]["probability"].median())
    some = link(release, models[name], sure=sure)
    assert some["probability"].min() >= sure
    assert len(some) <= len(tables[name])
    nodes = ["subgraph", "node"]
    assert not len(some.join(tables[name], on=nodes, how="anti"))  # nobody comes in by asking for more
    precision = [grade_links(table, release, models[name]).precision for table in (some, tables[name])]
    assert precision[0].high > precision[1].low


def test_grades_equal_a_plain_count(tables, models, release):
    table, model = tables["signature"], models["signature"]
    seen = {
        (k, int(graph.labels[v])): int(secret.people[v])
        for k, (graph, secret) in enumerate(zip(release.public, release.secret, strict=True))
        for v in np.flatnonzero(graph.degrees > 5)
    }
    clusters = {}
    for cluster, subgraph, node in table.select("cluster", "subgraph", "node").iter_rows():
        clusters.setdefault(cluster, []).append(seen[subgraph, node])
    made = [one == two for people in clusters.values() for one, two in combinations(people, 2)]
    every = sum(n * (n - 1) // 2 for n in Counter(seen.values()).values())
    found = grade_links(table, release, model)
    assert (found.precision.hits, found.precision.trials) == (sum(made), len(made))
    assert (found.recall.hits, found.recall.trials) == (sum(made), every)
    shuffled = table.sample(fraction=1, shuffle=True, seed=1)
    assert grade_links(shuffled, release, model) == found


def test_no_links_have_no_precision(tables, models, release):
    found = grade_links(tables["signature"].clear(), release, models["signature"])
    assert found.precision is None
    assert found.recall.hits == 0
    with pytest.raises(InputError, match="without the truth nobody can tell which links are right"):
        grade_links(tables["signature"], release.without_secret(), models["signature"])


def test_all_that_is_right_is_graded_so(models, release):
    """Clusters made of the truth itself: every link is right, and none is missing."""
    parts = [
        pl.DataFrame({"cluster": secret.people, "subgraph": np.full(secret.people.size, k, dtype=np.int32),
                      "node": graph.labels})
        for k, (graph, secret) in enumerate(zip(release.public, release.secret, strict=True))
    ]  # fmt: skip
    found = grade_links(pl.concat(parts), release, models["signature"])
    assert found.precision.value == found.recall.value == 1.0
    assert count_links(np.array([0, 0, -1, 1, 1]), np.array([4, 4, 4, 4, 5])) == (2, 1)


@pytest.mark.parametrize("protocol", ["matched", "paper"])
def test_links_in_slots_of_time(protocol):
    graph = mails()
    attack = "forest:trees=30,slots=3,features=contacts,bins=20,bin_size=2"
    model = train(graph, SCHEME, attack=attack, protocol=protocol, min_degree=3, seed=1)
    release = make_scheme(SCHEME).publish(cut_time(graph, 3), seed=9)
    table = link(release, model, sure=0.0)  # the likeliest of all, however unlikely
    assert len(table) > 100
    assert grade_links(table, release, model).precision.low > 0.1


class Silent(PairModel):
    """A model that scores, and links nobody."""

    def score(self, view, pairs, question):
        return np.full(len(pairs), 0.5)

    def links(self, view, sure=0.5):
        return None


def test_bad_input_is_named(models, release, ring):
    model = models["signature"]
    with pytest.raises(InputError, match="was made with d4d-1, the model learned d4d-2: train a model with --scheme"):
        link(release, replace(model, plan=replace(model.plan, scheme=D4D2())))
    with pytest.raises(InputError, match=r"sure = 1.5: give a probability from 0 to 1"):
        link(release, model, sure=1.5)
    with pytest.raises(ReleaseError, match="the release has no sub-graphs"):
        link(Release((), None), model)
    with pytest.raises(ReleaseError, match="nobody in the release has more than 5 contacts"):
        link(make_scheme("d4d-1:egonets=3,min_size=3").publish(ring, seed=1), model)
    with pytest.raises(InputError, match="attack signature makes no links"):
        link(release, replace(model, fitted=Silent()))


def test_the_command(models, tables, release, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_release(seal(release, Key.of_seed(2)), "release", "truth")
    save_model(models["signature"], "model")

    def run(*words):
        return CliRunner().invoke(app, ["link", "release", *map(str, words)])

    done = run("--model", "model", "--out", "links.csv", "--truth", "truth")
    assert done.exit_code == 0, done.exception
    count = len(tables["signature"])
    assert f"links  links.csv ({count:,} nodes in {tables['signature']['cluster'].n_unique():,} clusters" in done.output
    assert "right  " in done.output
    assert "found  " in done.output
    assert len(pl.read_csv("links.csv")) == count
    assert (tmp_path / "links.csv").stat().st_mode & 0o077 == 0
    save_model(models["forest"], "model", force=True)
    nothing = run("--model", "model", "--out", "none.parquet", "--sure", 0.999, "--truth", "truth")
    assert "That is no proof of safety." in nothing.output
    assert "right  none of 0 links" in nothing.output
    assert not len(pl.read_parquet("none.parquet"))
    for model, out, message in [("model", "l.txt", "two endings"), ("truth", "l.csv", "not a thinveil model")]:
        assert message in str(run("--model", model, "--out", out).exception)
        assert not (tmp_path / out).exists()
