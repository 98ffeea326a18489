"""Jobs on a cluster give what they give here, whatever becomes of the workers."""

import json
import pickle
import sys
import threading
import time

import pytest

import thinveil
from tests.auditing import small, without
from tests.clusters import Cluster
from tests.jobs import fail_at_two, leave, where
from thinveil.errors import InputError, SampleError, ThinveilError
from thinveil.runtime.engines import ENGINES, DaskEngine, cluster

FEW = {"train_negatives": 2_000, "test_negatives": 2_000, "test_pairs": 300, "seed": 3, "repeats": 2, "beside": ()}


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A scheduler with three workers."""
    one = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        one.start_scheduler()
        for _ in range(3):
            one.start_worker()
        with cluster._connected(one.address) as client:
            client.wait_for_workers(3, timeout=60)
        yield one
    finally:
        one.stop()


@pytest.fixture(scope="module")
def engine(running):
    return DaskEngine(running.address)


@pytest.fixture(scope="module")
def village(tmp_path_factory):
    """A graph in a folder that all workers see."""
    folder = tmp_path_factory.mktemp("shared")
    graph = thinveil.synthetic_graph(1_000, seed=4)
    lines = (f"{u} {v}" for u in range(graph.node_count) for v in graph.neighbors(u).tolist() if u < v)
    (folder / "village.txt").write_text("\n".join(lines) + "\n")
    thinveil.convert(folder / "village.txt", folder / "village.thinveil")
    return thinveil.read_graph(folder / "village.thinveil")


def processing(address):
    """Return which workers, by their process, are at work."""
    with cluster._connected(address) as client:
        return [info["id"] for name, info in client.scheduler_info(n_workers=-1)["workers"].items()
                if client.processing().get(name)]  # fmt: skip


def told(assessment):
    return without(json.loads(json.dumps(assessment.to_dict())), "seconds")


def test_a_word_names_a_scheduler():
    made = ENGINES.make("dask:tcp://head:8786")
    assert made == DaskEngine("tcp://head:8786")
    assert made.to_word() == "dask:tcp://head:8786"
    with pytest.raises(InputError, match="where its scheduler listens"):
        ENGINES.make("dask")


def test_every_job_is_done_with_what_was_given(engine):
    found = {outcome.job: outcome.value for outcome in engine.map(where, range(5), given=("a graph",))}
    assert {job: value[2:] for job, value in found.items()} == {job: ("a graph", job) for job in range(5)}
    assert all(value[1] == 1 for value in found.values()), "a worker uses the threads that it has"
    assert list(engine.map(where, [], given=("a graph",))) == []


def test_an_error_in_a_job_is_the_same_error_here(engine):
    with pytest.raises(SampleError, match="two is not enough"):
        list(engine.map(fail_at_two, range(4)))


def test_a_lost_worker_costs_time_and_nothing_else(running, engine, village):
    here = thinveil.audit(village, small("d4d-2"), **FEW)
    victim = running.start_worker()
    with cluster._connected(running.address) as client:
        client.wait_for_workers(4, timeout=60)
    others = [process for process in running.processes[1:] if process is not victim]
    found = []
    audit = threading.Thread(target=lambda: found.append(thinveil.audit(village, small("d4d-2"), engine=engine, **FEW)))
    audit.start()
    killed = None
    while audit.is_alive() and killed is None:
        busy = processing(running.address)
        killed = next((one for one in running.processes[1:] if str(one.pid) in map(str, busy)), None)
        time.sleep(0.3)
    assert killed is not None
    running.kill(killed)
    audit.join(300)
    assert len(found) == 1
    assert not audit.is_alive()
    there, local = (json.dumps(without(one.to_dict(), "seconds"), sort_keys=True) for one in (found[0], here))
    assert there == local
    assert sum(one.poll() is None for one in [victim, *others]) == 3


def test_a_comparison_runs_on_a_cluster_too(engine, village):
    words = ["pseudonyms", "sparsify:share=0.5"]
    one, two = (thinveil.compare(village, words, utility="degrees", engine=where) for where in ("local", engine))
    assert [told(each) for each in one.assessments] == [told(each) for each in two.assessments]


def test_a_graph_in_memory_does_not_travel(engine, monkeypatch):
    monkeypatch.setattr(cluster, "_MOST", 20_000)
    with pytest.raises(InputError, match="thinveil convert GRAPH FOLDER"):
        thinveil.audit(thinveil.synthetic_graph(1_000, seed=1), small("d4d-2"), engine=engine, **FEW)


def test_a_graph_in_a_folder_travels_as_its_name(village, monkeypatch):
    monkeypatch.setattr(cluster, "_MOST", 2_000)
    function, (graph,) = pickle.loads(cluster._pack(where, (village,)))
    assert function is where
    assert graph.digest() == village.digest()


def test_other_versions_are_refused(engine, monkeypatch):
    ours = {**cluster.used_versions(), "numpy": "1.0"}
    monkeypatch.setattr(cluster, "used_versions", lambda: ours)
    with pytest.raises(InputError, match=r"has numpy \S+ instead of 1\.0: install the same versions there"):
        list(engine.map(where, [1], given=(None,)))


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'thinveil\[cluster\]'"):
        list(DaskEngine("tcp://127.0.0.1:9").map(where, [1], given=(None,)))


def test_nobody_listens(monkeypatch):
    monkeypatch.setattr(cluster, "_PATIENCE", 0.5)
    with pytest.raises(InputError, match="no scheduler answers at") as caught:
        list(DaskEngine("tcp://127.0.0.1:9").map(where, [1], given=(None,)))
    assert "\n" not in str(caught.value)


def test_without_workers_it_does_not_wait_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_PATIENCE", 1.0)
    alone = Cluster(tmp_path)
    try:
        alone.start_scheduler()
        with pytest.raises(ThinveilError, match="has no worker left"):
            list(DaskEngine(alone.address).map(where, [1], given=(None,)))
        alone.start_worker()
        with cluster._connected(alone.address) as client:
            client.wait_for_workers(1, timeout=60)
        with pytest.raises(ThinveilError, match=r"no worker left|ended several workers"):
            list(DaskEngine(alone.address).map(leave, [1]))
    finally:
        alone.stop()
