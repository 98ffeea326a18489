"""Files whose columns of ids hold something else, or have something else beside them, are refused and not misread."""

import io
import json
import random
from itertools import pairwise

import polars as pl
import pytest

from thinveil.errors import GraphFileError
from thinveil.graph.reading import read_graph

_CHANCE = random.Random(1)
NUMBERS = [(_CHANCE.randrange(40), _CHANCE.randrange(40)) for _ in range(193)]
NAMES = [(f"N{a:02}", f"N{b:02}") for a, b in NUMBERS]


def lines(form, pairs, head=""):
    written = (form.format(*pair, k=k, time=1_700_000_000 + 61 * k, w=k % 5) for k, pair in enumerate(pairs))
    return head + "".join(f"{line}\n" for line in written)


def read(text, **options):
    return read_graph(io.BytesIO(text.encode()), **options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source,target\n#1,#2\n#2,#3\n@x,#1\n", "stands among the edges"),
        (lines("{},{}", NAMES[:20], "source,target\n") + "%eve,N01\n", "stands among the edges"),
        (lines("{},knows,{}", NUMBERS), "column 1 .'knows'"),
        (lines("{} knows {}", NAMES), "column 1 .'knows'"),
        (lines("sms,{},{}", NUMBERS), "column 0 .'sms'"),
        (lines("{} ~ {}", NUMBERS), "column 1 .'~'"),
        (lines("{} - {}", NUMBERS), "column 1 .'-'"),
        (lines("{time},{},{}", NUMBERS), "column 0 .'1700000000'"),
        (lines("{k},{},{}", NUMBERS), "column 0 .'0'"),
        (lines("({}, {})", NUMBERS), "in brackets"),
        (lines("('{}', '{}')", NAMES), "in brackets"),
        (lines("- [{}, {}]", NUMBERS), "in brackets"),
        (lines('"{k}" "{}" "{}"', NAMES, '"from" "to"\n'), "the header has 2 names, .* 3 columns"),
        (2 * lines("{},{}", NAMES[:50], "caller,callee\n"), "the header stands again"),
        (lines("{},{}", NAMES, "caller,callee\n") + "N01,?\n", "the target id is missing"),
        (lines("{}.0,{}", NUMBERS, "caller,callee\n"), "a whole number with a point: write all ids without it"),
        ("foo,bar,baz\n", "a header but no edges"),
    ],
)  # fmt: skip
def test_what_is_no_id_is_not_read_as_one(text, message):
    with pytest.raises(GraphFileError, match=message) as caught:
        read(text)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        (lines("{},{},{w}", NUMBERS), 40),
        (lines("{} {} {time}", NUMBERS), 40),
        (lines("{},{},call", NAMES), 40),
        (lines("{},{},", NAMES, "source,target,\n"), 40),
        (lines("{} {}", NAMES, "# a b\n% x y\n"), 40),
        (lines("7,{k},{w}", NUMBERS), 193),
        (lines("hub,{k}a,{w}", NUMBERS), 194),
        ("a b\n", 2),
        ("a,b,1\nb,c,2\nc,a,1\n", 3),
        ("".join(f"{k} {k // 2} {k % 3}\n" for k in range(1, 40)), 40),
    ],
)
def test_odd_but_right_files_are_read(text, nodes):
    assert read(text).node_count == nodes


def test_who_names_the_columns_or_the_format_is_believed():
    assert read(lines("{time},{},{}", NUMBERS), source=1, target=2).node_count == 40
    assert read("a b\n#c d\ne f\n", format="edge-list").node_count == 4


FRIENDS = [(f"p{k:02}", f"p{7 * k % 30:02}", f"p{(11 * k + 5) % 30:02}", f"p{(13 * k + 2) % 30:02}") for k in range(30)]
ROWS = "".join(",".join(row) + "\n" for row in FRIENDS)
NUMBERED = ROWS.replace("p", "")


@pytest.mark.parametrize("rows", [ROWS, NUMBERED], ids=["texts", "numbers"])
@pytest.mark.parametrize("head", ["respondent_id,friend_1,friend_2,rest", "sender,recipient1,recipient2,b",
                                  "code,friend1,friend2,friend3", "ego,user1,user2,x"])  # fmt: skip
def test_several_others_on_a_line_are_not_taken_for_each_others_friends(head, rows):
    with pytest.raises(GraphFileError, match="holds ids like"):
        read(f"{head}\n{rows}")


@pytest.mark.parametrize(
    ("head", "is_numbered"),
    [("person,source,target,x", False), ("id,user_1,user_2,x", True), ("y,user_1,user_2,duration", True)],
)
def test_a_pair_of_names_is_believed_beside_other_columns(head, is_numbered):
    numbered = "".join(f"{k},{a},{b},7\n" for k, (_, a, b, _) in enumerate(FRIENDS))
    graph = read(f"{head}\n" + (numbered if is_numbered else ROWS))
    assert graph.edge_count == len({frozenset(row[1:3]) for row in FRIENDS if row[1] != row[2]})


def test_a_party_who_is_one_of_the_two_is_no_third():
    text = "subscriber,user1,user2\n" + "".join(f"{(a, b)[k % 2]},{a},{b}\n" for k, (a, b) in enumerate(NAMES))
    assert read(text).origin.columns == {"source": "user1", "target": "user2"}


@pytest.mark.parametrize("second", ["id,id", "Who are you?,Who is your friend?", "text,\"{'ImportId': 'Q1'}\""])
def test_a_second_line_of_a_header_is_no_edge(second):
    with pytest.raises(GraphFileError, match="are no numbers, as all others are"):
        read(f"source,target\n{second}\n" + lines("{},{}", NUMBERS))
    read(f"source,target\n{second}\n" + lines("{},{}", NUMBERS), ids="string")


def test_one_mail_address_in_two_spellings_is_refused():
    mails = lines("{}@x.org,{}@x.org", NAMES)
    assert read(mails).node_count == len({name for pair in NAMES for name in pair})
    with pytest.raises(GraphFileError, match="are one mail address"):
        read(mails + "n01@X.org,N02@x.org\n")


def test_a_note_tells_of_each_code_for_missing_ids():
    text = "user_a,user_b\n" + lines("{},{}", NUMBERS) + "3,-1\n5,-1\n7,-2\n8,-2\n9,-2\n"
    assert read(text).origin.note.startswith("the ids -2 and -1 stand apart from all others")


def test_more_than_two_people_on_a_line_are_seen_in_every_format():
    head = ("ego", "friend_1", "friend_2")
    buffer = io.BytesIO()
    pl.DataFrame([row[:3] for row in FRIENDS], schema=head, orient="row").write_parquet(buffer)
    for content in (buffer.getvalue(), json.dumps([dict(zip(head, row, strict=False)) for row in FRIENDS]).encode()):
        with pytest.raises(GraphFileError, match="'ego' holds ids like"):
            read_graph(io.BytesIO(content))
        assert read_graph(io.BytesIO(content), source="ego", target="friend_1").node_count == 30


@pytest.mark.parametrize("form", ["{},{},{},{}", "{},{},{},", "{};{};{};{}"])
def test_groups_without_a_header_are_no_pairs(form):
    groups = [(a, b, c, d) for (a, b), (c, d) in pairwise(NAMES)]
    with pytest.raises(GraphFileError, match="holds ids like the first two"):
        read("".join(form.format(*group) + "\n" for group in groups))


@pytest.mark.parametrize("name", ["n_friends", "num_followers", "number of contacts", "friends_count"])
def test_a_number_of_friends_is_no_friend(name):
    with pytest.raises(GraphFileError, match="tells about nodes"):
        read(f"user,{name}\n" + "".join(f"{k},{k * 7 % 40}\n" for k in range(100)))


@pytest.mark.parametrize("delimiter", [" ", ","])
def test_who_is_who_in_two_graphs_is_no_graph(delimiter):
    here, there = random.Random(2).sample(range(300), 120), random.Random(3).sample(range(300), 120)
    with pytest.raises(GraphFileError, match="who is who in two graphs, not like edges"):
        read("".join(f"{a}{delimiter}{b}\n" for a, b in zip(here, there, strict=True)))
    path = "".join(f"{a}{delimiter}{b}\n" for a, b in pairwise(here))
    assert read(path).edge_count == 119


def test_ids_in_a_column_that_the_first_lines_do_not_have_are_refused():
    head = "5 18Y467aller,callee,dller,callee,duration\n"
    with pytest.raises(GraphFileError, match="3 columns where 4 were expected"):
        read(head + "7,9,60\n9,7,10.5\n9,9,\n")


def test_a_loop_in_the_first_line_is_no_header():
    graph = read('"x:x"\t"x:x"\n"x0x"\t"x1x"\n"x0x"\t"x2x"\n', ids="string")
    assert (graph.node_count, graph.dropped.loops) == (4, 1)
