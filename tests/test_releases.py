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
from thinveil.runtime.keys import Key
from thinveil.schemes import Release, make_scheme, read_release, seal, write_release


@pytest.fixture(scope="module")
def graph():
    plain = synthetic_graph(2000, seed=3)
    labels = np.array([f"person {v}" for v in range(plain.node_count)])
    return Graph(plain.indptr, plain.indices, labels)


@pytest.fixture(scope="module", params=["d4d-1", "d4d-2"])
def written(request, graph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    release = publish(graph, request.param, egonets=6, seed=5)
    write_release(release, folder / "out", folder / "truth.parquet")
    return release, folder


def publish(graph, name="d4d-2", *, egonets, seed):
    made = make_scheme(f"{name}:egonets={egonets},min_size=60").publish(graph, seed=seed)
    return seal(made, Key(bytes([seed]) * 32))


def named_edges(graph, names):
    return {frozenset((names[u], names[v])) for u in range(graph.node_count) for v in graph.neighbors(u)}


def test_round_trip_gives_the_same_sub_graphs(written, graph):
    release, folder = written
    again = read_release(folder / "out", folder / "truth.parquet")
    assert isinstance(again, Release)
    assert again.scheme == release.scheme
    assert len(again) == len(release) == len(again.secret) == 6
    for k in range(6):
        people = [str(again.names[p]) for p in again.secret[k].people]
        named = [graph.label(p) for p in release.secret[k].people]
        assert named_edges(again.public[k], people) == named_edges(release.public[k], named)
        hops, before = again.secret[k].hops, release.secret[k].hops
        assert dict(zip(people, hops, strict=True)) == dict(zip(named, before, strict=True))
    assert again.names[again.egos].tolist() == [graph.label(ego) for ego in release.egos]


def test_the_public_half_is_read_alone(written):
    _, folder = written
    public, whole = read_release(folder / "out"), read_release(folder / "out", folder / "truth.parquet")
    assert (public.secret, public.names, public.egos.size) == (None, None, 0)
    assert [g.digest() for g in public.public] == [g.digest() for g in whole.public]
    assert all((g.labels == h.labels).all() for g, h in zip(public.public, whole.public, strict=True))
    with pytest.raises(InputError, match="no secret half to keep"):
        write_release(public, folder / "again", folder / "t")


@pytest.mark.parametrize("word", ["d4d-1:egonets=3,min_size=20", "d4d-2:egonets=3,min_size=20", "pseudonyms"])
def test_events_are_kept(word, tmp_path):
    """Every event of the release comes back on its own edge, with all its columns; no order says anything."""
    plain = synthetic_graph(600, seed=3)
    rng, source = np.random.default_rng(1), np.repeat(np.arange(plain.node_count), plain.degrees)
    mails = np.repeat(np.flatnonzero(source < plain.indices), 2)
    columns = {
        "weight": rng.random(mails.size).round(3),
        "direction": rng.integers(0, 2, size=mails.size).astype(np.int8),
        "time": np.arange(mails.size),
    }
    graph = Graph.from_edges(source[mails], plain.indices[mails], columns=columns)
    release = seal(make_scheme(word).publish(graph, seed=2), Key(bytes(32)))
    write_release(release, tmp_path / "out", tmp_path / "t")
    again = read_release(tmp_path / "out", tmp_path / "t")
    for k in range(len(release)):
        one, two = release.public[k], again.public[k]
        people = again.names[again.secret[k].people]
        assert named_edges(two, people) == named_edges(one, release.secret[k].people)
        assert events_of(two, people) == events_of(one, release.secret[k].people)
        assert {n: v.dtype for n, v in two.rows.columns.items()} == {n: v.dtype for n, v in one.rows.columns.items()}
        assert spearmanr(two.rows.columns["time"], np.arange(two.rows.source.size)).pvalue > 1e-4
        # the events make the edges, and no others
        assert Graph.from_edges(two.rows.source, two.rows.target, node_count=two.node_count).digest() == two.digest()


def events_of(graph, names):
    """The events of a graph as sorted tuples; which end of an undirected one comes first says nothing."""
    columns = [graph.rows.columns[name].tolist() for name in ("direction", "weight", "time")]
    ends = zip(names[graph.rows.source].tolist(), names[graph.rows.target].tolist(), strict=True)
    rows = zip(ends, zip(*columns, strict=True), strict=True)
    return sorted((*(pair if rest[0] else sorted(pair)), *rest) for pair, rest in rows)


def test_a_release_without_egos_goes_to_disk_and_back(graph, tmp_path):
    release = make_scheme("pseudonyms").publish(graph, seed=4)
    write_release(release, tmp_path / "out", tmp_path / "t")
    again = read_release(tmp_path / "out", tmp_path / "t")
    assert (again.scheme, len(again), again.secret[0].hops) == ("pseudonyms", 1, None)
    people = [str(again.names[p]) for p in again.secret[0].people]
    assert named_edges(again.public[0], people) == named_edges(graph, graph.labels)


def test_people_without_names_keep_their_numbers(tmp_path):
    graph = synthetic_graph(2000, seed=3)
    release = publish(graph, egonets=2, seed=5)
    write_release(release, tmp_path / "out", tmp_path / "t")
    again = read_release(tmp_path / "out", tmp_path / "t")
    for one, two in zip(release.secret, again.secret, strict=True):
        assert sorted(again.names[two.people].tolist()) == sorted(one.people.tolist())


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


def test_the_same_key_writes_the_same_bytes(written, graph, tmp_path):
    release, folder = written
    write_release(release, tmp_path / "out", tmp_path / "t")
    for name in ("edges.parquet", "nodes.parquet", "release.toml"):
        assert (tmp_path / "out" / name).read_bytes() == (folder / "out" / name).read_bytes()


def test_truth_inside_the_release_is_refused(written, graph, tmp_path):
    release, _ = written
    with pytest.raises(InputError, match="the truth must not lie in the folder that will be published"):
        write_release(release, tmp_path / "out", tmp_path / "out" / "t")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_is_refused_and_nothing_is_left(written, graph, tmp_path):
    release, _ = written
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("x")
    with pytest.raises(InputError, match="holds mine, which is of no release"):
        write_release(release, tmp_path / "out", tmp_path / "t")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "release.toml").unlink(), "not a release"),
        (lambda folder: (folder / "release.toml").write_text("= ="), "not a release"),
        (lambda folder: (folder / "release.toml").write_text("format = 9"), "release format 9"),
        (lambda folder: (folder / "release.toml").write_text("format = 1"), "must give scheme"),
        (lambda folder: (folder / "edges.parquet").write_bytes(b"PAR1"), "checksum is wrong"),
        (lambda folder: (folder / "nodes.parquet").unlink(), "no such file"),
    ],
)
def test_a_damaged_release_is_refused_in_one_line(graph, tmp_path, damage, message):
    release = publish(graph, egonets=2, seed=5)
    write_release(release, tmp_path / "out", tmp_path / "t")
    damage(tmp_path / "out")
    with pytest.raises(ReleaseError, match=message) as caught:
        read_release(tmp_path / "out")
    assert "\n" not in str(caught.value)


def test_the_truth_of_another_release_is_refused(written, graph, tmp_path):
    _, folder = written
    other = publish(graph, egonets=6, seed=6)
    write_release(other, tmp_path / "out", tmp_path / "t")
    with pytest.raises(ReleaseError, match="does not belong to this release"):
        read_release(folder / "out", tmp_path / "t")
    with pytest.raises(ReleaseError, match="not a truth file"):
        read_release(folder / "out", folder / "out" / "release.toml")


def test_an_earlier_truth_is_never_overwritten(written, graph, tmp_path):
    release, _ = written
    for out in ("out", "out", "other"):
        if (tmp_path / "t").exists():
            before = (tmp_path / "t").read_bytes()
            with pytest.raises(InputError):
                write_release(release, tmp_path / out, tmp_path / "t")
            assert (tmp_path / "t").read_bytes() == before
        else:
            write_release(release, tmp_path / out, tmp_path / "t")
    assert (tmp_path / "t").stat().st_mode & 0o077 == 0  # for the owner only
    with pytest.raises(
        InputError, match="t: is there already, and may be the only key to a release: name a new file with --truth"
    ):
        write_release(release, tmp_path / "out", tmp_path / "t", force=True)


def test_an_earlier_release_is_replaced_only_by_force(written, graph, tmp_path):
    release, _ = written
    other = publish(graph, egonets=3, seed=6)
    write_release(release, tmp_path / "out", tmp_path / "t")
    with pytest.raises(InputError, match="out: holds the release of an earlier run: give --force"):
        write_release(other, tmp_path / "out", tmp_path / "t2")
    write_release(other, tmp_path / "out", tmp_path / "t2", force=True)
    assert len(read_release(tmp_path / "out", tmp_path / "t2")) == 3
    with pytest.raises(InputError, match="out: is what this run reads"):
        write_release(other, tmp_path / "out", tmp_path / "t3", force=True, inputs=[tmp_path / "out"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "t", "t2"]


def test_an_edge_to_nobody_is_refused(written, graph, tmp_path):
    release, _ = written
    write_release(release, tmp_path / "out", tmp_path / "t")
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
    secret = release.secret[0]
    ego = int(secret.people[secret.hops == 0][0])
    assert set(nx.ego_graph(outside, ego, radius=2)) == set(secret.people.tolist())
