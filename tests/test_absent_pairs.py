"""Tables of pairs that are not all edges, and of people with their friends: refused, or told in a note."""

import io
import json
import random

import polars as pl
import pytest

from thinveil.errors import GraphFileError
from thinveil.graph.reading import read_graph

PEOPLE = range(1, 31)
EDGES = {(a, b) for a in PEOPLE for b in PEOPLE if a < b and (a * b) % 7 == 1}


def read(content, **options):
    return read_graph(io.BytesIO(content.encode() if isinstance(content, str) else content), **options)


def all_pairs(answer, *, both=False, loops=False):
    for a in PEOPLE:
        for b in PEOPLE:
            if a < b or (both and a > b) or (loops and a == b):
                yield a, b, answer[(min(a, b), max(a, b)) in EDGES]


def table(rows, head=""):
    return head + "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize("more", [{}, {"both": True}, {"both": True, "loops": True}, {"loops": True}])
@pytest.mark.parametrize("answer", [(0, 1), ("no", "yes"), (0.25, 2.5)])
def test_a_line_for_every_pair_is_no_complete_graph(answer, more):
    content = table(all_pairs(answer, **more))
    with pytest.raises(GraphFileError, match="every two of the 30 nodes have a line"):
        read(content)
    with pytest.raises(GraphFileError, match="every two of the 30 nodes"):  # who chooses columns has not seen it either
        read(content, source=0, target=1)
    assert read(content, format="edge-list").edge_count == 435


@pytest.mark.parametrize("name", ["connected", "is_friend", "Is Friend", "tie", "knows", "are_linked"])
@pytest.mark.parametrize("answers", ["01", ("No", "Yes"), ("False", "True")])
def test_a_column_that_says_which_pairs_are_edges_is_heeded(name, answers):
    rng = random.Random(3)
    rows = [(rng.randrange(40), rng.randrange(40), rng.choice(answers)) for _ in range(150)]
    with pytest.raises(GraphFileError, match="says which pairs are edges: leave out the lines of those that are none"):
        read(table(rows, f"person1,person2,{name}\n"))
    names = ("person1", "person2", name)
    records = [dict(zip(names, row, strict=True)) for row in rows]
    with pytest.raises(GraphFileError, match="says which pairs are edges"):
        read(json.dumps(records))
    assert read(table([row for row in rows if row[2] == answers[1]], f"person1,person2,{name}\n")).edge_count > 20


def test_another_answer_is_told_in_a_note():
    rng = random.Random(4)
    rows = [(rng.randrange(40), rng.randrange(40), rng.choice("01")) for _ in range(150)]
    assert "lines are edges whatever column 'missed' says" in read(table(rows, "caller,callee,missed\n")).origin.note
    assert "lines are edges whatever column 2 says" in read(table(rows)).origin.note
    told = read(table(rows, "caller,callee,missed\n"), direction="missed", ids="integer")
    assert told.origin.note == ""


def test_small_and_plain_complete_graphs_are_read():
    five = [(a, b, 10 * a + b) for a in range(5) for b in range(a + 1, 5)]
    assert read(table(five)).edge_count == 10
    assert read(table((a, b) for a, b, _ in all_pairs((0, 1)))).edge_count == 435
    assert read(table((a, b, 1) for a, b, _ in all_pairs((0, 1)))).edge_count == 435


@pytest.mark.parametrize("friend", ["Friend", "contact", "nominee_", "neighbour", "Freund"])
@pytest.mark.parametrize("people", [8, 60])
def test_a_person_with_two_friends_is_no_edge_between_them(friend, people):
    rng = random.Random(people)
    rows = [(k, *rng.sample([other for other in range(1, people + 1) if other != k], 2)) for k in range(1, people + 1)]
    names = ("ID", f"{friend}1", f"{friend}2")
    buffer = io.BytesIO()
    pl.DataFrame(rows, schema=names, orient="row").write_parquet(buffer)
    for content in (table(rows, ",".join(names) + "\n"), buffer.getvalue()):
        with pytest.raises(GraphFileError, match="'ID' holds ids like"):
            read(content)
        assert read(content, source="ID", target=f"{friend}1").node_count == people


def test_numbers_of_rows_beside_pairs_are_left_aside():
    rows = [(k, a, b) for k, (a, b) in enumerate(sorted(EDGES), start=1)]
    for head in ("id,person1,person2\n", "id,from,to\n", "edge,user1,user2\n"):
        assert read(table(rows, head)).edge_count == len(EDGES)
