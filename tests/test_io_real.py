"""Public graphs in their published form; THINVEIL_DATA says in which folder they are."""

import os
from pathlib import Path

import pytest

from thinveil.graph import Dropped
from thinveil.graph.reading import read_graph


def data_file(name):
    folder = os.environ.get("THINVEIL_DATA")
    if not folder or not (Path(folder) / name).exists():
        pytest.skip(f"{name} is not there: set THINVEIL_DATA to the folder with the public graphs")
    return Path(folder) / name


@pytest.mark.parametrize(
    ("name", "nodes", "edges", "dropped"),
    [
        ("soc-Epinions1.txt.gz", 75_879, 405_740, Dropped(0, 103_097)),
        ("github-social.csv.gz", 37_700, 289_003, Dropped(0, 0)),
        ("flickr-8k.txt.gz", 7_909, 532_135, Dropped(0, 0)),
        ("blogcatalog.txt.gz", 10_312, 333_983, Dropped(0, 0)),
        ("facebook_combined.txt.gz", 4_039, 88_234, Dropped(0, 0)),
        ("pokec-z-part.txt.gz", 5_018, 40_603, Dropped(0, 19_351)),
        ("copenhagen/fb_friends.csv", 800, 6_418, Dropped(11, 0)),
        ("copenhagen/sms.csv", 568, 697, Dropped(0, 23_636)),
        ("douban/online.edgelist", 3_906, 8_164, Dropped(0, 0)),
        ("douban/offline.edgelist", 1_118, 1_511, Dropped(0, 0)),
    ],
)
def test_published_counts(name, nodes, edges, dropped):
    graph = read_graph(data_file(name))
    assert (graph.node_count, graph.edge_count, graph.dropped) == (nodes, edges, dropped)


def test_calls_keep_time_and_duration():
    graph = read_graph(data_file("copenhagen/calls.csv"), time="timestamp", weight="duration")
    assert (graph.node_count, graph.rows.source.size) == (536, 3_600)
    assert graph.labels[graph.rows.source[:2]].tolist() == [300, 512]
    assert graph.rows.columns["time"][:2].tolist() == [184, 3_920]
    assert graph.rows.columns["weight"].min() == -1  # a missed call


def test_mails_keep_time():
    graph = read_graph(data_file("email-Eu-core-temporal.txt.gz"), time=2)
    assert (graph.node_count, graph.rows.source.size) == (986, 332_334)
    assert graph.rows.columns["time"][:3].tolist() == [0, 2_797, 3_304]
    assert graph.rows.columns["time"].max() == 69_459_254  # 804 days
