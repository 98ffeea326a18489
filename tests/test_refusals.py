"""A small graph is suited by itself; what the user chose and does not work is refused with a value that does."""

import re
import shlex

import networkx as nx
import numpy as np
import pytest
from typer.testing import CliRunner

from tests.drawing import from_networkx
from thinveil.auditing.anonymize import anonymize
from thinveil.auditing.audit import audit
from thinveil.auditing.match import match
from thinveil.auditing.plan import Plan
from thinveil.auditing.stitch import stitch
from thinveil.auditing.suiting import run_suited
from thinveil.auditing.train import train
from thinveil.cli import app
from thinveil.errors import InputError, SampleError
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.progress import Clock
from thinveil.schemes import D4D2, SCHEMES

TINY = {
    "two people": nx.path_graph(2),
    "a path": nx.path_graph(12),
    "a star": nx.star_graph(30),
    "a clique": nx.complete_graph(10),
    "a grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(9, 9)),
    "nobody knows anybody": nx.empty_graph(9),
}
LIGHT = {"attack": "signature", "test_negatives": 2_000, "train_negatives": 2_000}
FEW = ["--attack", "signature", "--set", "test_negatives=2000", "--set", "train_negatives=2000"]


@pytest.fixture(scope="module")
def club():
    """Few people, none of whom has a large egonet."""
    return synthetic_graph(300, mean_degree=8, seed=3)


@pytest.fixture
def club_file(club, tmp_path):
    source = np.repeat(np.arange(club.node_count), club.degrees)
    once = source < club.indices
    np.savetxt(tmp_path / "club.csv", np.stack((source[once], club.indices[once]), axis=1), fmt="p%d", delimiter=",")
    return tmp_path / "club.csv"


def heard(caplog):
    return [
        record.getMessage() for record in caplog.records if record.name == "thinveil" and record.levelname == "WARNING"
    ]


def test_a_small_graph_is_suited_by_itself_and_says_so(club, caplog):
    result = audit(club, beside=(), repeats=2, **LIGHT)
    scheme = result.plan.scheme
    assert scheme.egonets == 75  # half of the people, to learn from and to attack
    assert 0 < scheme.min_size < 300
    (line,) = heard(caplog)
    assert line == f"suited to this graph of 300 people: --scheme d4d-2:egonets=75,min_size={scheme.min_size}"
    table = result.to_dict()["settings"]["scheme"]
    assert table == {"name": "d4d-2", "egonets": 75, "min_size": scheme.min_size, "most_nodes": 0}


def test_what_is_suited_repeats_from_its_tables(club, caplog):
    first = audit(club, beside=(), **LIGHT)
    caplog.clear()
    again = audit(club, plan=Plan.from_tables(first.plan.tables()))
    assert again.rates == first.rates
    assert not heard(caplog)


def test_what_the_user_chose_stays(club):
    assert audit(club, "d4d-2:egonets=20", beside=(), **LIGHT).plan.scheme.egonets == 20
    assert audit(club, "d4d-2:min_size=9", beside=(), **LIGHT).plan.scheme.min_size == 9


def test_large_graphs_are_left_alone(town, caplog):
    plan = Plan.make("d4d-2")
    assert plan.scheme == D4D2(100, 400)
    assert plan.scheme.suited(synthetic_graph(), left_open=plan.left_open, releases=2) == plan.scheme
    audit(town, "d4d-1:egonets=12,min_size=40", beside=(), **LIGHT)
    assert not heard(caplog)


def test_words_leave_open_what_they_do_not_say_and_things_leave_nothing():
    assert SCHEMES.left_open("d4d-2:egonets=5") == ("min_size", "most_nodes")
    assert SCHEMES.left_open({"name": "d4d-2", "min_size": 3}) == ("egonets", "most_nodes")
    assert SCHEMES.left_open(D4D2()) == ()
    assert Plan.make("d4d-2").left_open == ("egonets", "min_size", "most_nodes", "min_degree")
    assert Plan.make(D4D2(), min_degree=5).left_open == ()
    assert Plan.make(base=Plan.make(D4D2(), min_degree=5)).left_open == ()
    assert Plan.make("d4d-1", base=Plan.make(D4D2(), min_degree=5)).left_open == ("egonets", "min_size", "most_nodes")
    assert Plan.from_tables(Plan.make("d4d-2").tables()).left_open == ()


CHOSEN = [
    ["--scheme", "d4d-2:egonets=100,min_size=400"],
    ["--scheme", "d4d-1:egonets=30,min_size=300"],
    ["--scheme", "d4d-2:egonets=200"],
    ["--scheme", "d4d-2:min_size=400"],
    ["--scheme", "d4d-2:egonets=20,min_size=5", "--min-degree", "1000"],
    ["--scheme", "d4d-2", "--set", "min_degree=60"],
    ["--scheme", "d4d-2:egonets=20,min_size=5", "--threat", "linkage:known=3000", "--min-degree", "5"],
]


@pytest.mark.parametrize("command", ["audit", "stitch"])
@pytest.mark.parametrize("words", CHOSEN, ids=" ".join)
def test_refusals_name_options_that_work_when_followed(command, words, club_file, tmp_path):
    if command == "stitch" and "--threat" in words:
        pytest.skip("stitch knows no one beforehand")
    own = ["--alone", "--out", str(tmp_path / "report")] if command == "audit" else []
    base, given = [command, str(club_file), *FEW, *own], dict(zip(words[::2], words[1::2], strict=True))
    first = CliRunner().invoke(app, [*base, *words])
    assert isinstance(first.exception, SampleError)
    assert "\n" not in str(first.exception)
    offered = followed(str(first.exception))
    assert offered, first.exception
    if "--min-degree" in offered:
        given.pop("--set", None)
    second = CliRunner().invoke(app, [*base, *(word for pair in {**given, **offered}.items() for word in pair)])
    assert second.exit_code == 0, (str(first.exception), second.exception)


def followed(message):
    """Return the options that a refusal offers."""
    offer = shlex.split(re.sub(r"\(.*?\)", "", message.rpartition(": give ")[2]))
    return dict(zip(offer[::2], offer[1::2], strict=True))


@pytest.mark.parametrize("words", [["--scheme", "d4d-2:egonets=100,min_size=400"], ["--scheme", "d4d-1:egonets=400"]])
def test_anonymize_and_train_offer_what_works(words, club_file, tmp_path):
    for command, places in (
        ("train", ["--attack", "signature", "--out", tmp_path / "model"]),
        ("anonymize", ["--out", tmp_path / "release", "--truth", tmp_path / "truth.parquet"]),
    ):
        base = [command, str(club_file), *map(str, places)]
        first = CliRunner().invoke(app, [*base, *words])
        (offered,) = followed(str(first.exception)).items()
        assert CliRunner().invoke(app, [*base, *offered]).exit_code == 0, first.exception


def said(run):
    """Return what a refusal says, in one line."""
    try:
        run()
    except SampleError as error:
        return str(error).replace("\n", " (and another line!) ")
    return "works"


@pytest.mark.parametrize("name", TINY)
def test_tiny_graphs_work_or_say_in_one_line_that_nothing_can_be_linked(name):
    graph = from_networkx(TINY[name])
    ways = {
        "audit": lambda: audit(graph, beside=(), repeats=2, **LIGHT),
        "forest": lambda: audit(graph, beside=(), **{**LIGHT, "attack": "forest:trees=3"}),
        "identification": lambda: audit(graph, threat="identification", beside=(), **LIGHT),
        "stitch": lambda: stitch(graph, **LIGHT),
        "train": lambda: train(graph, attack="signature"),
        "match": lambda: match(graph, anonymize(graph, "pseudonyms", seed=1)),
    }
    for way, run in ways.items():
        assert "another line" not in said(run)
        assert re.search(r"^works$|nothing can be linked|needs 4 people at the least|--known", said(run)), way
    assert len(anonymize(graph)) >= 2


def test_anonymize_suits_a_small_graph_by_itself(club_file, tmp_path):
    words = ["--out", str(tmp_path / "release"), "--truth", str(tmp_path / "truth.parquet")]
    done = CliRunner().invoke(app, ["anonymize", str(club_file), *words])
    assert done.exit_code == 0, done.exception
    assert "thinveil: suited to this graph of 300 people: --scheme d4d-2:min_size=" in done.stderr


def test_a_huge_min_size_takes_no_memory(club):
    with pytest.raises(
        SampleError, match=r"only 0 of 300 people .* of more than 2,000,000,000 people.*: give --scheme"
    ):
        anonymize(club, "d4d-2:egonets=5,min_size=2000000000")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["info", "GRAPH", "--ids", "strng"], "--ids strng .*did you mean 'string'"),
        (["audit", "GRAPH", "--protocol", "matchd"], "did you mean 'matched'.* choose one of paper, uniform, matched"),
        (["audit", "GRAPH", "--scheme", "d4d2"], "unknown scheme 'd4d2': did you mean 'd4d-2'"),
        (["audit", "GRAPH", "--attack", "frest"], "unknown attack 'frest': did you mean 'forest'"),
        (["audit", "GRAPH", "--beside", "frest"], "unknown attack 'frest': did you mean 'forest'"),
        (["audit", "GRAPH", "--threat", "identificaton"], "did you mean 'identification'"),
        (["audit", "GRAPH", "--engine", "lcal"], "did you mean 'local'"),
        (["audit", "GRAPH", "--engine", "local:job=2"], "did you mean 'jobs'"),
        (["audit", "GRAPH", "--scheme", "d4d-2:egonet=5"], "did you mean 'egonets'"),
        (["audit", "GRAPH", "--attack", "forest:features=degree"], "did you mean 'degrees'"),
        (["audit", "GRAPH", "--set", "test_pair=5"], "did you mean 'test_pairs'"),
        (["audit", "GRAPH", "--set", "min_degree=2", "--min-degree", "3"], "--set min_degree and --min-degree are the"),
        (["reproduce", "tabel1"], "unknown experiment 'tabel1': .*known are "),
    ],
)
def test_unknown_values_suggest_the_nearest(words, message, club_file):
    done = CliRunner().invoke(app, [str(club_file) if word == "GRAPH" else word for word in words])
    assert isinstance(done.exception, InputError), done.output
    assert re.search(message, str(done.exception)), done.exception


def test_draws_that_are_done_anew_are_counted_anew(club):
    told = []
    with Clock(lambda *line: told.append(line), 3).running() as clock:

        def run(plan):
            for number in range(3):
                if number == 2 and plan.sampling.min_degree > 3:
                    raise SampleError("nobody to compare")
                clock.finish_draw()
            return "all draws"

        suited = run_suited(Plan.make("d4d-1"), club, run, lambda plan, number: plan.sampling.min_degree <= 3)
    assert (suited[0].sampling.min_degree, suited[1]) == (3, "all draws")
    assert [done for _, done, _ in told] == [1000, 2000, 1000, 2000, 3000]
    assert {total for *_, total in told} == {3000}


def test_an_attack_that_learned_from_a_handful_of_people_says_so(club, caplog):
    train(from_networkx(nx.complete_graph(10)), **LIGHT)
    (line,) = [line for line in heard(caplog) if "learned from" in line]
    assert line.startswith("the attack learned from ")
    assert "--scheme" in line
    assert "--min-degree" in line
    caplog.clear()
    train(club, **LIGHT)
    assert not [line for line in heard(caplog) if "learned from" in line]
