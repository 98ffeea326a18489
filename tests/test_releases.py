"""Releases on disk: what is published, what is kept, and that they fit each other."""

import hashlib

import networkx as nx
import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr

from thinveil.errors import InputError, ReleaseError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import make_scheme, read_release, read_truth, write_release


@pytest.fixture(scope="module")
def graph():
    plain = synthetic_graph(2000, seed=3)
    labels = np.array([f"person {v}" for v in range(plain.node_count)])
    return Graph(plain.indptr, plain.indices, labels)


@pytest.fixture(scope="module", params=["d4d-1", "d4d-2"])
def written(request, graph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    (release,) = make_scheme(request.param, egonets=6, min_size=60).draw(graph, releases=1, seed=5)
    write_release(release, folder / "out", folder / "truth.parquet", graph=graph, scheme=request.param, seed=5)
    return release, folder


def test_round_trip_gives_the_same_sub_graphs(written, graph):
    release, folder = written
    public = read_release(folder / "out")
    truth = read_truth(folder / "truth.parquet", public)
    assert len(public) == len(release) == 6
    for published, subgraph, who in zip(release, public.subgraphs, truth, strict=True):
        people = who["person"].to_list()
        ours = {frozenset((people[u], people[v])) for u in range(subgraph.node_count) for v in subgraph.neighbors(u)}
        named = [graph.label(p) for p in published.secret.people]
        nodes = range(published.public.node_count)
        assert ours == {frozenset((named[u], named[v])) for u in nodes for v in published.public.neighbors(u)}
        assert dict(zip(people, who["hops"], strict=True)) == dict(zip(named, published.secret.hops, strict=True))


def test_the_published_folder_tells_nothing_of_people(written, graph):
    _, folder = written
    content = b"".join(path.read_bytes() for path in (folder / "out").iterdir())
    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        "edges.parquet",
        "nodes.parquet",
        "release.toml",
    ]
    assert b"person" not in content
    assert b"seed" not in (folder / "out" / "release.toml").read_bytes()


def test_pseudonyms_are_unique_in_the_release_and_orders_say_nothing(written):
    _, folder = written
    nodes = pl.read_parquet(folder / "out" / "nodes.parquet")
    edges = pl.read_parquet(folder / "out" / "edges.parquet")
    truth = pl.read_parquet(folder / "truth.parquet")
    assert nodes["node"].n_unique() == len(nodes)
    joined = nodes.with_row_index("place").join(truth, on=["subgraph", "node"])
    number = joined["person"].str.slice(7).cast(pl.Int64)
    for one in (joined["place"], joined["node"]):
        for part in (
            joined.select("subgraph").with_columns(x=one, y=number, hops=joined["hops"]).partition_by("subgraph")
        ):
            assert spearmanr(part["x"], part["y"]).pvalue > 1e-4
            assert spearmanr(part["x"], part["hops"]).pvalue > 1e-4
    assert abs((edges["source"] < edges["target"]).mean() - 0.5) < 4 * 0.5 / len(edges) ** 0.5
    for part in edges.partition_by("subgraph"):
        assert spearmanr(np.arange(len(part)), part["source"]).pvalue > 1e-4


def test_the_same_seed_writes_the_same_bytes(written, graph, tmp_path):
    release, folder = written
    write_release(
        release, tmp_path / "out", tmp_path / "t", graph=graph, scheme=read_release(folder / "out").scheme, seed=5
    )
    for name in ("edges.parquet", "nodes.parquet", "release.toml"):
        assert (tmp_path / "out" / name).read_bytes() == (folder / "out" / name).read_bytes()


def test_truth_inside_the_release_is_refused(written, graph, tmp_path):
    release, _ = written
    with pytest.raises(InputError, match="the truth must not lie in the folder that will be published"):
        write_release(release, tmp_path / "out", tmp_path / "out" / "t", graph=graph, scheme="d4d-2", seed=1)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_is_refused_and_nothing_is_left(written, graph, tmp_path):
    release, _ = written
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("x")
    with pytest.raises(InputError, match="not empty"):
        write_release(release, tmp_path / "out", tmp_path / "t", graph=graph, scheme="d4d-2", seed=1)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "release.toml").unlink(), "not a release"),
        (lambda folder: (folder / "release.toml").write_text("= ="), "not a release"),
        (lambda folder: (folder / "release.toml").write_text("format = 9"), "release format 9"),
        (lambda folder: (folder / "release.toml").write_text("format = 1"), "must give scheme"),
        (lambda folder: (folder / "edges.parquet").write_bytes(b"PAR1"), "checksum is wrong"),
        (lambda folder: (folder / "nodes.parquet").unlink(), "cannot be read"),
    ],
)
def test_a_damaged_release_is_refused_in_one_line(graph, tmp_path, damage, message):
    (release,) = make_scheme("d4d-2", egonets=2, min_size=60).draw(graph, releases=1, seed=5)
    write_release(release, tmp_path / "out", tmp_path / "t", graph=graph, scheme="d4d-2", seed=5)
    damage(tmp_path / "out")
    with pytest.raises(ReleaseError, match=message) as caught:
        read_release(tmp_path / "out")
    assert "\n" not in str(caught.value)


def test_the_truth_of_another_release_is_refused(written, graph, tmp_path):
    _, folder = written
    (other,) = make_scheme("d4d-2", egonets=6, min_size=60).draw(graph, releases=1, seed=6)
    write_release(other, tmp_path / "out", tmp_path / "t", graph=graph, scheme="d4d-2", seed=6)
    with pytest.raises(ReleaseError, match="does not belong to this release"):
        read_truth(tmp_path / "t", read_release(folder / "out"))
    with pytest.raises(ReleaseError, match="not a truth file"):
        read_truth(folder / "out" / "release.toml", read_release(folder / "out"))


def test_an_earlier_truth_is_never_overwritten(written, graph, tmp_path):
    release, _ = written
    for out in ("out", "out", "other"):
        if (tmp_path / "t").exists():
            before = (tmp_path / "t").read_bytes()
            with pytest.raises(InputError):
                write_release(release, tmp_path / out, tmp_path / "t", graph=graph, scheme="d4d-2", seed=1)
            assert (tmp_path / "t").read_bytes() == before
        else:
            write_release(release, tmp_path / out, tmp_path / "t", graph=graph, scheme="d4d-2", seed=1)
    assert (tmp_path / "t").stat().st_mode & 0o077 == 0  # for the owner only


def test_an_edge_to_nobody_is_refused(written, graph, tmp_path):
    release, _ = written
    write_release(release, tmp_path / "out", tmp_path / "t", graph=graph, scheme="d4d-2", seed=1)
    path = tmp_path / "out" / "edges.parquet"
    pl.read_parquet(path).with_columns(source=pl.col("source") + 1).write_parquet(path)
    about = (tmp_path / "out" / "release.toml").read_text()
    lines = [line for line in about.splitlines() if "edges" not in line]
    lines.append(f'"edges.parquet" = "{hashlib.sha256(path.read_bytes()).hexdigest()}"')
    (tmp_path / "out" / "release.toml").write_text("\n".join(lines))
    with pytest.raises(ReleaseError, match="an edge to a node that it does not list"):
        read_release(tmp_path / "out")


def test_networkx_agrees_that_it_is_the_egonet(written, graph):
    release, _ = written
    outside = nx.Graph(zip(np.repeat(np.arange(graph.node_count), graph.degrees), graph.indices, strict=True))
    ego = int(release[0].secret.people[release[0].secret.hops == 0][0])
    assert set(nx.ego_graph(outside, ego, radius=2)) == set(release[0].secret.people.tolist())
