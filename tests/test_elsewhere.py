"""Releases that were made elsewhere: read in all their forms, audited without any scheme, and held to the truth."""

import json
import pickle
import shutil

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import thinveil
from tests.auditing import FOREST, SMALL
from thinveil.auditing.audit import audit
from thinveil.auditing.elsewhere import audit_release
from thinveil.auditing.plan import Plan
from thinveil.cli import app
from thinveil.errors import InputError, ReleaseError
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import NOBODY, Elsewhere, make_scheme, read_release, write_release

ALONE = {**SMALL, "beside": ()}
FEW = ["--attack", FOREST, "--alone", "--set", "test_negatives=5000", "--quiet"]


def edges_of(graph):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    once = source < graph.indices
    return source[once], graph.indices[once]


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(2_500, seed=1)


@pytest.fixture(scope="module")
def release(graph):
    return make_scheme("d4d-2:egonets=40,min_size=60").publish(graph, seed=0)


@pytest.fixture(scope="module")
def made(graph, release, tmp_path_factory):
    """One release in all forms, its truth as CSV and as Parquet, and the graph with names."""
    place = tmp_path_factory.mktemp("elsewhere")
    (place / "folder").mkdir()
    tables, lines = [], []
    for k, (public, secret) in enumerate(zip(release.public, release.secret, strict=True)):
        source, target = ([f"n{v}" for v in end] for end in edges_of(public))
        ends = pl.DataFrame({"from": source, "to": target})
        ends.write_csv(place / "folder" / f"net{k}.csv")
        tables.append(ends.select(pl.lit(f"net{k}").alias("subgraph"), "from", "to"))
        who = enumerate(zip(secret.people, secret.hops, strict=True))
        lines += [(f"net{k}", f"n{v}", f"u{person}", hop) for v, (person, hop) in who]
    pl.concat(tables).write_csv(place / "table.csv")
    (place / "parquet").mkdir()
    pl.concat(tables).write_parquet(place / "parquet" / "edges.parquet")
    truth = pl.DataFrame(lines, schema=["subgraph", "node", "person", "hops"], orient="row")
    truth.write_csv(place / "truth.csv")
    truth.write_parquet(place / "truth.parquet")
    truth.drop("hops").write_csv(place / "without.csv")
    names = [[f"u{v}" for v in end] for end in edges_of(graph)]
    pl.DataFrame({"source": names[0], "target": names[1]}).write_csv(place / "graph.csv")
    write_release(release, place / "own", place / "own-truth")
    return place


@pytest.fixture(scope="module")
def result(made):
    return audit_release(read_release(made / "folder", made / "truth.csv"), **ALONE, repeats=2)


def run(*words):
    done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.exception or done.output
    return done.output


@pytest.mark.parametrize("form", ["folder", "table.csv", "parquet"])
@pytest.mark.parametrize("truth", ["truth.csv", "truth.parquet"])
def test_all_forms_hold_the_same(form, truth, made, release):
    read = read_release(made / form, made / truth)
    assert sorted(read.titles) == sorted(f"net{k}" for k in range(40))
    for title, public, secret in zip(read.titles, read.public, read.secret, strict=True):
        k = int(title[3:])
        node = [int(label[1:]) for label in public.labels]
        assert [int(name[1:]) for name in read.names[secret.people]] == release.secret[k].people[node].tolist()
        assert secret.hops.tolist() == release.secret[k].hops[node].tolist()
        assert public.edge_count == release.public[k].edge_count


def test_it_is_audited_as_well_as_by_the_scheme_itself(graph, result):
    found = audit(graph, "d4d-2:egonets=20,min_size=60", **ALONE, repeats=2).rate("complete", 0.1)
    rate = result.rate("complete", 0.1)
    assert rate.positives > 100
    assert max(rate.low, found.low) < min(rate.high, found.high)
    assert len(rate.draws) == 2
    assert rate.draws[0] != rate.draws[1]


def test_halves_share_no_sub_graph_and_splits_differ(release):
    scheme = Elsewhere().holding(release)
    one = scheme.publish(None, seed=1)
    two = scheme.publish(None, seed=1, avoid=[one])
    assert sorted([*one.egos, *two.egos]) == sorted(release.egos)
    assert sorted(scheme.publish(None, seed=2).egos) != sorted(one.egos)
    assert pickle.loads(pickle.dumps(scheme)).publish(None, seed=1).egos.tolist() == one.egos.tolist()


def test_own_releases_are_audited_with_any_truth(made, result, tmp_path):
    own = read_release(made / "own", made / "own-truth")
    assert audit_release(own, **ALONE).rate("complete", 0.1).positives > 100
    pl.read_parquet(made / "own-truth").write_csv(tmp_path / "truth.csv")
    again = read_release(made / "own", tmp_path / "truth.csv")
    for one, two in zip(own.secret, again.secret, strict=True):
        assert own.names[one.people].tolist() == again.names[two.people].tolist()


def test_without_hops_there_are_no_categories_but_all(made):
    found = audit_release(read_release(made / "folder", made / "without.csv"), **ALONE)
    assert {one.category for one in found.rates} == {"complete"}


def test_names_are_found_with_a_graph(made):
    read, names = read_release(made / "folder", made / "truth.csv"), thinveil.read_graph(made / "graph.csv")
    found = audit_release(read, names, test_negatives=5_000)
    assert found.plan.threat.name == "identification"
    assert found.plan.scheme.whole
    assert found.rate("complete", 0.01).tpr > 0.5
    assert found.plan.beside == ()
    known = audit_release(read, names, attack=FOREST, threat="identification:known=40", beside=(), test_negatives=5_000)
    assert known.rate("complete", 0.1).positives > 100


def test_a_single_graph_is_for_names_alone(graph, tmp_path, made):
    order = np.random.default_rng(0).permutation(graph.node_count)
    source, target = edges_of(graph)
    pl.DataFrame({"a": order[source], "b": order[target]}).write_csv(tmp_path / "one.csv")
    pl.DataFrame({"node": order, "person": [f"u{v}" for v in range(order.size)]}).write_csv(tmp_path / "who.csv")
    read = read_release(tmp_path / "one.csv", tmp_path / "who.csv")
    found = audit_release(read, thinveil.read_graph(made / "graph.csv"), test_negatives=5_000)
    assert found.rate("complete", 0.01).tpr > 0.9
    with pytest.raises(InputError, match="a single graph, and linkage is between two or more"):
        audit_release(read, **ALONE)
    with pytest.raises(InputError, match="1 sub-graphs, and 2 are needed: half of them to learn from"):
        audit_release(read, thinveil.read_graph(made / "graph.csv"), attack=FOREST, threat="identification:known=0")


def test_people_who_were_made_up_or_put_together_are_read(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_text("1 2\n2 3\n3 4\n")
    (tmp_path / "who.csv").write_text("subgraph,node,person\na,1,ann\na,2,bob\na,2,cid\na,3,\na,04,dan\n")
    read = read_release(tmp_path / "out", tmp_path / "who.csv")
    (secret,) = read.secret
    assert (secret.people == NOBODY).tolist() == [False, False, True, False]
    assert [sorted(read.names[secret.everybody])] == [["ann", "bob", "cid", "dan"]]
    assert secret.others[0].tolist() == [1]


def test_the_command_line_audits_and_repeats_it(made, tmp_path, monkeypatch):
    told = run("audit", "--release", made / "folder", "--truth", made / "truth.csv", *FEW, "--repeats", 2,
               "--out", tmp_path / "a", "--per-person", tmp_path / "people.csv")  # fmt: skip
    assert "scheme elsewhere" in told
    assert set(pl.read_csv(tmp_path / "people.csv")["person"].str.head(1)) == {"u"}
    page = " ".join((tmp_path / "a" / "report.html").read_text().split())
    for words in ("folder", "40 sub-graphs", "put together by person", "the other half of the sub-graphs"):
        assert words in page
    assert str(made) not in page + (tmp_path / "a" / "settings.toml").read_text()
    settings = tmp_path / "a" / "settings.toml"
    monkeypatch.chdir(made)
    run("audit", "--settings", settings, "--quiet", "--out", tmp_path / "b")
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(app, ["audit", "--settings", str(settings), "--out", str(tmp_path / "c")])
    assert "folder: the release of " in str(refused.exception)
    run("audit", "--settings", settings, "--release", made / "table.csv", "--truth", made / "truth.parquet", "--quiet",
        "--out", tmp_path / "d")  # fmt: skip
    one, two, four = (json.loads((tmp_path / name / "result.json").read_text())["rates"] for name in "abd")
    assert one == two == four
    other = CliRunner().invoke(app, ["audit", "--settings", str(settings), "--release", str(made / "own"), "--truth",
                                     str(made / "own-truth"), "--out", str(tmp_path / "c")])  # fmt: skip
    assert "not the release and truth of the settings" in str(other.exception)


def test_the_command_line_names_people_and_repeats_that(made, tmp_path, monkeypatch):
    words = ["audit", "--release", made / "folder", "--truth", made / "truth.csv", "--graph", made / "graph.csv"]
    run(*words, "--set", "test_negatives=5000", "--quiet", "--out", tmp_path / "a")
    page = (tmp_path / "a" / "report.html").read_text()
    assert "100% of the people in that graph" in page
    monkeypatch.chdir(made)
    run("audit", "--settings", tmp_path / "a" / "settings.toml", "--quiet", "--out", tmp_path / "b")
    one, two = (json.loads((tmp_path / name / "result.json").read_text())["rates"] for name in "ab")
    assert one == two


def test_link_and_match_take_such_folders(made, graph, tmp_path):
    run("train", made / "graph.csv", "--scheme", "d4d-2:egonets=20,min_size=60", "--attack", "strong:rounds=2",
        "--quiet", "--set", "test_negatives=2000", "--out", tmp_path / "model")  # fmt: skip
    told = run("link", made / "folder", "--model", tmp_path / "model", "--truth", made / "truth.csv", "--sure", 0.3,
               "--quiet", "--out", tmp_path / "links.csv")  # fmt: skip
    assert "right" in told
    links = pl.read_csv(tmp_path / "links.csv")
    assert set(links["subgraph"].str.head(3)) <= {"net"}
    for form in ("folder", "table.csv"):
        told = run("match", made / "graph.csv", made / form, "--truth", made / "truth.csv", "--quiet",
                   "--out", tmp_path / f"names-{form}.csv")  # fmt: skip
    names = pl.read_csv(tmp_path / "names-folder.csv").join(
        pl.read_csv(made / "truth.csv"), on=["subgraph", "node"], suffix=" in truth"
    )
    assert (names["person"] == names["person in truth"]).mean() > 0.9


@pytest.fixture
def small(tmp_path):
    """A release of two small sub-graphs, and its truth."""
    (tmp_path / "out").mkdir()
    for name in ("a", "b"):
        (tmp_path / "out" / f"{name}.csv").write_text("source,target\n1,2\n2,3\n1,3\n")
    (tmp_path / "who.csv").write_text("subgraph,node,person\na,1,x\na,2,y\na,3,z\nb,1,z\nb,2,y\nb,3,w\n")
    return tmp_path


def test_the_small_release_is_right(small):
    assert len(read_release(small / "out", small / "who.csv")) == 2


def changed(small, old, new, count=1):
    text = (small / "who.csv").read_text()
    assert old in text
    (small / "who.csv").write_text(text.replace(old, new, count))


def written(small, name, text):
    (small / "out" / name).write_text(text)


MISMATCHES = {
    "an unknown sub-graph": (lambda s: changed(s, "b,1", "c,1"), "there is no sub-graph 'c': the release has 'a', 'b'"),
    "a sub-graph without truth": (lambda s: written(s, "c.csv", "source,target\n1,2\n2,3\n"), "'c' is not listed"),
    "a node without truth": (lambda s: changed(s, "b,3,w\n", ""), "node '3' of sub-graph 'b' is not listed"),
    "a node too many": (lambda s: changed(s, "b,3,w", "b,3,w\nb,9,v"), "sub-graph 'b' has no node '9'"),
    "a line twice": (lambda s: changed(s, "b,3,w", "b,3,w\nb,3,w"), "node '3' is listed twice, in sub-graph 'b'"),
    "somebody and nobody": (lambda s: changed(s, "b,3,w", "b,3,w\nb,3,"), "both as somebody and as nobody"),
    "a person twice": (lambda s: changed(s, "b,3,w", "b,3,z"), "person 'z' stands twice"),
    "labels of another type": (lambda s: changed(s, ",1,", ",one,", 2), "has no node 'one', .*they are called '1'"),
    "no column of sub-graphs": (lambda s: (s / "who.csv").write_text("node,person\n1,x\n"), "has no column 'subgraph'"),
    "no column of people": (lambda s: changed(s, "person", "name"), "has no column 'person'"),
    "no lines": (lambda s: (s / "who.csv").write_text("subgraph,node,person\n"), "has no lines"),
    "no table": (lambda s: (s / "who.csv").write_bytes(b"PAR1\0\0"), "who.csv"),
    "an empty cell": (lambda s: changed(s, "b,3,", "b,,"), "a node is missing: fill it in"),
    "half the hops": (lambda s: changed(s, "person\na,1,x", "person,hops\na,1,x,0"), "hops|CSV"),
    "hops in between": (lambda s: (s / "who.csv").write_text("node,person,hops\n1,x,1.7\n"), "hold 0, 1 or 2"),
    "hops of three": (lambda s: (s / "who.csv").write_text("subgraph,node,person,hops\na,1,x,3\n"), "hold 0, 1 or 2"),
    "an empty file": (lambda s: written(s, "c.csv", ""), "c.csv"),
    "garbage": (lambda s: (s / "out" / "c.csv").write_bytes(bytes(range(256))), "c.csv"),
    "two of a name": (lambda s: written(s, "a.txt", "1 2\n"), "is sub-graph 'a' too"),
    "a folder in it": (lambda s: (s / "out" / "more").mkdir(), "is no file"),
    "a table among files": (lambda s: written(s, "c.csv", "subgraph,source,target\nc,1,2\n"), "has no column subgraph"),
    "no folder": (lambda s: shutil.rmtree(s / "out"), "out"),
    "an empty folder": (lambda s: [path.unlink() for path in (s / "out").iterdir()], "holds no files"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISMATCHES)
def test_every_mismatch_is_one_clear_line(name, small):
    change, words = MISMATCHES[name]
    change(small)
    with pytest.raises(ReleaseError, match=words) as caught:
        read_release(small / "out", small / "who.csv")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("table", "words"), [
    ("subgraph,x,y,z\na,1,2,3\n", "call them subgraph, source and target"),
    ("subgraph,source,target\na,1,\n", "column 'target' has an empty cell"),
    ("subgraph,source,target\na,1\n", "table.csv"),
    ("subgraph,source,target\n", "holds no lines"),
    ("subgraph,Subgraph,source,target\na,a,1,2\n", "two columns have one name|duplicate"),
])  # fmt: skip
def test_tables_that_make_no_sense_are_refused(table, words, tmp_path):
    (tmp_path / "table.csv").write_text(table)
    with pytest.raises(ReleaseError, match=words):
        read_release(tmp_path / "table.csv")


@pytest.mark.parametrize(("words", "message"), [
    (["--truth", "T"], "give that with --release"),
    (["--release", "R"], "needs --truth FILE"),
    (["--release", "R", "--truth", "T", "--scheme", "d4d-1"], "would publish anew"),
    (["--release", "R", "--truth", "T", "--train-on", "synthetic"], "no scheme is there"),
    (["--release", "R", "--truth", "T", "--quick"], "leave it out beside --release"),
    (["--release", "R", "--truth", "nowhere"], "nowhere: no such file"),
    (["--release", "nowhere", "--truth", "T"], "nowhere: no such folder or file"),
    (["--release", "R", "--truth", "T", "--threat", "identification"], "needs a graph with names"),
    (["synthetic", "--graph", "synthetic"], "are the same: give one of the two"),
    (["--release", "R", "--truth", "T", "--graph", "synthetic"], "nobody of the truth is in the graph with names"),
    (["--release", "R", "--truth", "T", "--graph", "synthetic", "--threat", "linkage"], "serves no linkage"),
    (["--scheme", "elsewhere", "synthetic"], "give --release and --truth"),
])  # fmt: skip
def test_options_that_do_not_go_together_are_refused(words, message, made, tmp_path):
    places = {"R": str(made / "folder"), "T": str(made / "truth.csv")}
    words = [places.get(word, word) for word in words]
    done = CliRunner().invoke(app, ["audit", *words, "--out", str(tmp_path / "out")])
    assert message in str(done.exception)
    assert not (tmp_path / "out").exists()


def test_too_few_sub_graphs_are_told(small):
    with pytest.raises(InputError, match="has 2 sub-graphs, and 4 are needed"):
        audit_release(read_release(small / "out", small / "who.csv"))
    with pytest.raises(InputError, match="read the release with its truth"):
        audit_release(read_release(small / "out"))


def test_settings_name_no_folder_and_no_scheme_of_another_kind(made, release):
    table = {"scheme": {"name": "elsewhere", "release": "x"}}
    assert Plan.from_tables(table).scheme == Elsewhere("x")
    with pytest.raises(InputError, match="those of scheme d4d-2"):
        audit_release(release, plan=Plan.make("d4d-2"))
