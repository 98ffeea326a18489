"""Public graphs that are fetched: from a server of the test's own, since nobody may need the internet."""

import gc
import gzip
import re
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

import thinveil
from thinveil import datasets
from thinveil.errors import InputError

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
EDGES = b"1 2\n2 3\n"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A folder that a server publishes, and one data set in it."""
    folder = tmp_path / "published"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    (folder / "tiny.txt.gz").write_bytes(gzip.compress(EDGES, mtime=0))
    digest = thinveil.read_graph(folder / "tiny.txt.gz").digest()
    about = datasets.DataSet("tiny", f"http://127.0.0.1:{server.server_port}/tiny.txt.gz", digest)
    monkeypatch.setitem(datasets._KNOWN, "tiny", about)
    monkeypatch.setenv(datasets.CACHE, str(tmp_path / "cache"))
    yield folder
    server.shutdown()
    thread.join()
    server.server_close()


def refusal():
    with pytest.raises(InputError) as caught:
        datasets.fetch("tiny")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_graph_is_fetched_once_and_kept(served):
    assert datasets.fetch("tiny").edge_count == 2
    (served / "tiny.txt.gz").unlink()
    assert datasets.fetch("tiny").labels.tolist() == [1, 2, 3]


def test_another_packing_of_the_same_graph_will_do(served):
    (served / "tiny.txt.gz").write_bytes(gzip.compress(b"# the same\r\n2 3\r\n1 2\r\n", 1))
    assert datasets.fetch("tiny").edge_count == 2


@pytest.mark.parametrize(("content", "words"), [
    (gzip.compress(b"1 2\n2 4\n3 4\n", mtime=0), "gave another graph than the one that is known"),
    (b"<html><body>gone</body></html>", "gave no graph"),
    (gzip.compress(EDGES, mtime=0)[:-6], "gave no graph"),
])  # fmt: skip
def test_what_is_not_that_graph_is_refused_and_not_kept(served, content, words, tmp_path):
    (served / "tiny.txt.gz").write_bytes(content)
    assert words in refusal()
    assert list((tmp_path / "cache").iterdir()) == []
    (served / "tiny.txt.gz").write_bytes(gzip.compress(EDGES, mtime=0))
    assert datasets.fetch("tiny").edge_count == 2


def test_without_a_network_one_line_says_what_to_do(served):
    (served / "tiny.txt.gz").unlink()
    words = refusal()
    gc.collect()  # pooch leaves the connection to the collector
    assert re.search(r"tiny.txt.gz cannot be fetched \(404 .*\): get http://127.* and put it into .*cache", words)


def test_unknown_names_suggest_the_nearest():
    with pytest.raises(InputError, match=r"unknown data set 'epinion': .*epinions"):
        datasets.fetch("epinion")


@pytest.mark.parametrize("name", datasets.known())
def test_digests_are_those_of_the_graphs(name, data_dir, tmp_path, monkeypatch):
    monkeypatch.setenv(datasets.CACHE, str(tmp_path))
    file = datasets.known()[name].url.rpartition("/")[2]
    shutil.copy(data_dir / file, tmp_path / file)
    graph = datasets.fetch(name)
    assert f"({graph.node_count:,} people)" in datasets.known()[name].title
    assert (graph.rows is not None) == (name == "email")


# made-up call records


def test_call_records_are_read_from_a_file_as_from_the_table(tmp_path):
    calls = datasets.call_records(300, seed=4)
    calls.write_csv(tmp_path / "calls.csv")
    read = thinveil.read_graph(tmp_path / "calls.csv", time="start", weight="seconds", directed=True)
    made = thinveil.Graph.from_polars(calls, time="start", weight="seconds", directed=True)
    assert read.digest() == made.digest()
    assert read.labels.tolist() == made.labels.tolist()
    assert read.rows.columns["time"].tolist() == made.rows.columns["time"].tolist()
    assert read.node_count == 300


def test_call_records_have_a_seed_days_and_nights():
    calls = datasets.call_records(500, seed=4)
    assert calls.equals(datasets.call_records(500, seed=4))
    assert not calls.equals(datasets.call_records(500, seed=5))
    hours = calls["start"].dt.hour()
    assert ((hours >= 8) & (hours < 22)).mean() > 0.8
    assert calls["start"].dt.date().n_unique() == 28
    assert calls["seconds"].min() >= 1
    assert (calls["caller"] != calls["callee"]).all()
