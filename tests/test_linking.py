"""From a raw graph to the people behind a release's nodes, and no further than the evidence goes."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from thinveil import link
from thinveil.auditing.linking import write_links
from thinveil.auditing.matching import _place_in_group, _ranges, _window
from thinveil.auditing.models import Ratios, load_model, save_model, train_model
from thinveil.auditing.sightings import gather
from thinveil.cli import app
from thinveil.errors import InputError, ModelError, SampleError
from thinveil.features import DegreeHistogram, observe
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.learners.forest import save_forest
from thinveil.measures.naming import grade
from thinveil.schemes import d4d_1, make_scheme, read_release, read_truth, write_release

SMALL = {"egonets": 20, "min_size": 60, "trees": 30}


def named(graph, prefix="n", order=None):
    """The same graph with other names and, if asked, in another order."""
    order = np.arange(graph.node_count) if order is None else order
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    labels = np.empty(graph.node_count, dtype=object)
    labels[order] = [f"{prefix}{v}" for v in range(graph.node_count)]
    ends = order[source], order[graph.indices]
    return Graph.from_edges(*ends, node_count=graph.node_count, labels=labels.astype(str))


@pytest.fixture(scope="module")
def graph():
    return named(synthetic_graph(3000, seed=2))


@pytest.fixture(scope="module")
def model(graph):
    return train_model(graph, "d4d-1", seed=5, **SMALL)


def publish(graph, folder, seed=1):
    (made,) = make_scheme("d4d-1", egonets=4, min_size=60).draw(graph, releases=1, seed=seed)
    write_release(made, folder / "out", folder / "truth", graph=graph, scheme="d4d-1", seed=seed)
    release = read_release(folder / "out")
    return release, read_truth(folder / "truth", release)


@pytest.fixture(scope="module")
def published(graph, tmp_path_factory):
    return publish(graph, tmp_path_factory.mktemp("release"))


@pytest.fixture(scope="module")
def links(graph, model, published):
    return link(published[0], graph, model, egonets=60, top=5, seed=1)  # the release's seed, and yet other egos


def test_people_are_found_far_more_often_than_by_guessing(links, published):
    found = grade(links, *published, min_degree=5)
    guess = 1 / links["person"].n_unique()  # of rank 1; five candidates have five times the chance
    assert found.top["all"].low > 5 * 5 * guess
    assert found.first["1-hop"].low > 50 * guess
    assert found.first["all"].trials == sum((g.degrees > 5).sum() for g in published[0].subgraphs)
    assert found.first["1-hop"].trials + found.first["2-hop"].trials == found.first["all"].trials


def test_links_are_sorted_ranked_and_no_more_than_asked_for(links, published):
    assert links.columns == ["subgraph", "node", "person", "score", "rank", "agree"]
    assert links.equals(links.sort("subgraph", "node", "rank"))
    groups = links.group_by("subgraph", "node").agg("rank", "score", pl.col("person").n_unique().alias("people"))
    for ranks, scores, people in groups.select("rank", "score", "people").iter_rows():
        assert ranks == list(range(1, people + 1))
        assert people <= 5
        assert scores == sorted(scores, reverse=True)
        assert 0 < sum(scores) < 1  # people and nobody together make 1
    assert links["agree"].is_between(0, 3).all()
    labels = np.concatenate([subgraph.labels for subgraph in published[0].subgraphs])
    assert links["node"].is_in(labels.tolist()).all()


def test_high_scores_are_right_more_often(links, published):
    right = grade(links, *published, min_degree=5).precision
    some = [rate.value for rate in right.values() if rate is not None]
    assert right[0.1].value > grade(links, *published, min_degree=5).first["all"].value
    assert len(some) > 1


def test_same_seed_same_links_on_any_number_of_threads(links, graph, model, published):
    again = link(published[0], graph, model, egonets=60, top=5, seed=1, threads=1)
    assert again.equals(links)
    best = link(published[0], graph, model, egonets=60, top=1, min_score=0.1, seed=1)
    assert best.equals(links.filter((pl.col("rank") == 1) & (pl.col("score") >= 0.1)))


def test_names_do_not_matter(links, graph, model, published):
    renamed = Graph(graph.indptr, graph.indices, np.char.add("other ", graph.labels))
    again = link(published[0], renamed, model, egonets=60, top=5, seed=1)
    assert again.with_columns(pl.col("person").str.strip_prefix("other ")).equals(links)


def test_the_order_of_people_does_not_matter(graph, model, tmp_path, links, published):
    """Nothing but structure links: with all node numbers permuted the rates stay, though other egos are drawn."""
    other = named(graph, order=np.random.default_rng(0).permutation(graph.node_count))
    release, truth = publish(other, tmp_path, seed=3)
    found = grade(link(release, other, model, egonets=60, top=5, seed=4), release, truth, min_degree=5)
    before = grade(links, *published, min_degree=5)
    assert found.top["1-hop"].high > before.top["1-hop"].low
    assert found.top["1-hop"].low < before.top["1-hop"].high


def test_strangers_score_low(links, model, published):
    stranger = named(synthetic_graph(3000, seed=99))
    wrong = link(published[0], stranger, model, egonets=60, top=1, seed=1)
    right = links.filter(pl.col("rank") == 1)
    assert wrong["score"].mean() < right["score"].mean()
    assert (wrong["score"] > 0.3).sum() < (right["score"] > 0.3).sum()
    assert (wrong["score"] > 0.3).mean() < 0.01  # a degree that nobody else has fits somebody by chance


def test_a_release_of_another_scheme_is_refused(graph, model, published):
    other = replace(model, settings=replace(model.settings, scheme="d4d-2"))
    with pytest.raises(InputError, match="was made with d4d-1, the model learned d4d-2: train a model with scheme"):
        link(published[0], graph, other)


def test_fewer_raw_sub_graphs_where_there_are_not_so_many(graph, model, published):
    assert len(link(published[0], graph, model, min_size=400, top=1))
    with pytest.raises(SampleError, match="lower min_size or egonets"):
        link(published[0], graph, model, min_size=400, egonets=2900)


def test_models_survive_the_disk(model, graph, published, links, tmp_path):
    save_model(model, tmp_path / "model")
    again = load_model(tmp_path / "model")
    assert (again.settings, again.ratios, again.version) == (model.settings, model.ratios, model.version)
    assert link(published[0], graph, again, egonets=60, top=5, seed=1).equals(links)


def test_what_is_not_a_model_is_refused(model, tmp_path):
    path = tmp_path / "model"
    save_forest(model.forests["complete"], path)
    with pytest.raises(ModelError, match="not a model of thinveil train"):
        load_model(path)
    with pytest.raises(ModelError, match="no such file"):
        load_model(tmp_path / "none")
    save_model(model, path)
    with np.load(path) as archive:
        parts = dict(archive)
    parts["model"] = np.frombuffer(parts["model"].tobytes().replace(b"d4d-1", b"d4d-2"), dtype=np.uint8)
    with path.open("wb") as file:
        np.savez(file, **parts)
    with pytest.raises(ModelError, match="the checksum is wrong"):
        load_model(path)
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(ModelError, match="not a model of thinveil train"):
        load_model(path)


def test_links_are_for_the_owner_only(links, tmp_path):
    for name in ("links.csv", "links.parquet"):
        write_links(links, tmp_path / name)
        assert (tmp_path / name).stat().st_mode & 0o077 == 0
    assert pl.read_parquet(tmp_path / "links.parquet").equals(links)
    assert pl.read_csv(tmp_path / "links.csv")["person"].to_list() == links["person"].to_list()
    with pytest.raises(InputError, match="choose one of the two endings"):
        write_links(links, tmp_path / "links.txt")


def test_the_degrees_that_fit():
    degrees = np.array([6, 6, 8, 10, 10, 20], dtype=np.int32)
    wanted = np.array([10, 6, 5, 40], dtype=np.int32)
    first, count, fitting = _window(degrees, wanted, Ratios(1.0, 1.0, 1.0))
    assert count.tolist() == fitting.tolist() == [2, 2, 0, 0]
    assert first[:2].tolist() == [3, 0]
    first, count, _ = _window(degrees, wanted, Ratios(0.5, 0.5, 1.0))  # the raw degree is up to twice the published
    assert [degrees[f : f + c].tolist() for f, c in zip(first, count, strict=True)] == [
        [10, 10, 20], [6, 6, 8, 10, 10], [6, 6, 8, 10, 10], [],
    ]  # fmt: skip
    many = np.sort(np.random.default_rng(0).integers(6, 100, size=5000)).astype(np.int32)
    first, count, fitting = _window(many, wanted, Ratios(0.1, 0.5, 1.0))
    assert count.max() == 500
    assert fitting.max() > 4000
    assert ((first >= 0) & (first + count <= many.size)).all()
    assert many[first[0]] <= 20 <= many[first[0] + count[0] - 1]


def test_ranges_and_places():
    assert _ranges(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]
    assert _place_in_group(np.array([3, 3, 4, 7, 7, 7])).tolist() == [0, 1, 0, 0, 1, 2]


def test_the_best_sightings_of_everybody(crowd):
    (release,) = d4d_1(egonets=130, min_size=20).draw(crowd, releases=1, seed=1)
    channel = DegreeHistogram(5, 4)
    found = gather(release, [channel], min_degree=3, most=3)
    view, truth = observe(release, [channel], min_degree=3)
    rows = sorted(
        (int(p), bool(f), -int(d), int(s), v.tolist())
        for p, f, d, s, v in zip(
            truth.person, truth.is_far, view.degree, view.subgraph, view.vectors(channel.name), strict=True
        )
    )
    best = [row for k, row in enumerate(rows) if k < 3 or rows[k - 3][0] != row[0]]
    columns = (found.person, found.is_far, -found.degree, found.subgraph, found.vectors)
    assert [tuple(np.asarray(x).tolist() for x in row) for row in zip(*columns, strict=True)] == best


def test_the_commands(graph, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    lines = [f"{graph.labels[u]} {graph.labels[v]}" for u, v in zip(source, graph.indices, strict=True) if u < v]
    (tmp_path / "edges.txt").write_text("\n".join(lines))

    def run(*words):
        return CliRunner().invoke(app, [str(word) for word in words])

    size = ["--scheme", "d4d-1", "--egonets", 4, "--min-size", 60, "--seed", 3]
    run("anonymize", "edges.txt", *size, "--out", "release", "--truth", "truth")
    made = run("train", "edges.txt", *size, "--trees", 20, "--out", "model")
    assert made.exit_code == 0, made.exception
    words = ["link", "--raw", "edges.txt", "--release", "release", "--egonets", 60, "--truth", "truth"]
    done = run(*words, "--model", "model", "--out", "links.csv")
    assert done.exit_code == 0, done.exception
    assert "1-hop  rank 1: " in done.output
    assert "score >= 0.1: right " in done.output
    assert pl.read_csv("links.csv")["person"].str.starts_with("n").all()
    refused = [
        ("model", "l.txt", "two endings"),
        ("model", "no/l.csv", "cannot be written"),
        ("truth", "l.csv", "not a model"),
    ]
    for model, out, message in refused:
        assert message in str(run(*words, "--model", model, "--out", out).exception)
        assert not (tmp_path / out).exists()
